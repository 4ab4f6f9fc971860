/** A note as data; src/sim/notes/sentences.ts declares the codes, and the figures of each. */
import * as z from 'zod';
import { record, text, typeOf } from './parts.js';

/**
 * The figures of a note. Codes are texts instead of an enumeration, so that files of later versions with other codes can be
 * read.
 */
export const FIGURES = z.record(z.string(), z.unknown()).describe(
  'Its figures by name: numbers with the unit in their name, names, settings.',
);

const NOTE_MEMBERS = {
  code: text('What the note is about: `no-equal-paths`. A code keeps its meaning.'),
  figures: FIGURES,
};

/** A note of a result, whose sentence is in the list of notes. */
export const NOTE = typeOf('Note', './notes/note.js', record(NOTE_MEMBERS, 'One note.'));

/** A note with its sentence. */
export const TOLD_NOTE = record({
  ...NOTE_MEMBERS,
  text: text('The sentence that is made of them.'),
}, 'One note with its sentence.');
