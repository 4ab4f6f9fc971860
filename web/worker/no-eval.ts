/** Imported first: otherwise zod would try `new Function`, which the page's content policy forbids and reports. */
import { config } from 'zod';

config({ jitless: true });
