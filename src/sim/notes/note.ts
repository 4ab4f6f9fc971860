/** A note on a scenario or a result, as data: a code that identifies the kind of note, and its figures. */
import { SENTENCES } from './sentences.js';

/** Identifies a kind of note; kebab-case. The same note has the same code in every version. */
export type NoteCode = keyof typeof SENTENCES;

/** Its figures by name, with units: `{ flow: 3, trafficClass: 6 }`. */
export type NoteFigures<Code extends NoteCode> = Parameters<(typeof SENTENCES)[Code]> extends [infer Figures] ?
  Figures :
  Readonly<Record<string, never>>;

/** One note; the code determines the type of its figures. */
export type Note = {
  readonly [Code in NoteCode]: {
    /** The kind of note. */
    readonly code: Code;
    /** Its figures by name. */
    readonly figures: NoteFigures<Code>;
  };
}[NoteCode];

/** Makes a note from its code and the figures of its sentence. */
export function note<Code extends NoteCode>(code: Code, ...[figures]: Parameters<(typeof SENTENCES)[Code]>): Note {
  return { code, figures: figures ?? {} } as Note;
}

/** The sentence of a note. */
export function sentenceOf({ code, figures }: Note): string {
  return (SENTENCES[code] as (figures: unknown) => string)(figures);
}

/** Drops the notes that do not apply (`false`) and keeps the order of the others. */
export function applying(...notes: readonly (Note | false)[]): Note[] {
  return notes.filter((one) => one !== false);
}
