// Entry of a thread: threads do not have the loader of the program that starts them.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
