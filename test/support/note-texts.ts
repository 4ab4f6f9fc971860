/** The sentences of notes. */
import type { NoteRecord } from '../../src/note-record.js';

export function textsOf(notes: readonly (string | NoteRecord)[] = []): string[] {
  return notes.map((note) => (typeof note === 'string' ? note : note.text));
}
