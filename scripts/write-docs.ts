/** `npm run docs`: writes the pages that the code draws itself. */
import { writeFileSync } from 'node:fs';
import { wirePage } from './wire-page.js';

writeFileSync(new URL('../docs/wire.md', import.meta.url), wirePage());
