/** The schema of a link named by its ends. */
import * as z from 'zod';
import { name, rejecting } from './schema-parts.js';

export const ENDS = z.tuple([name('One end.'), name('The other end.')], rejecting('the names of two nodes')).describe(
  'A link by its ends.',
);
