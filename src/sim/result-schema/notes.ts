/** A note as data; src/sim/notes/sentences.ts declares the codes, and the figures of each. */
import * as z from 'zod';
import { record, text, typeOf } from './parts.js';

/** A text instead of an enumeration: files of later versions, which may have other codes, can still be read. */
const FIGURES = z.looseObject({}).describe(
  'Its figures by name: numbers with the unit in their name, names, settings.',
);

export const NOTE = typeOf('Note', './notes/note.js',
  record({ code: text('What the note is about: `no-equal-paths`. A code keeps its meaning.'), figures: FIGURES },
    'One note.'));
