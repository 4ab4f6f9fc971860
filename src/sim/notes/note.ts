/** A note on a scenario or a result, as data: what it is about is its code, what it says are its figures. */
import { SENTENCES } from './sentences.js';

/** Kebab-case; the same note has the same code in every version. */
export type NoteCode = keyof typeof SENTENCES;

/** Its figures by name, with units: `{ flow: 3, trafficClass: 6 }`. */
export type NoteFigures<Code extends NoteCode> = Parameters<(typeof SENTENCES)[Code]> extends [infer Figures] ?
  Figures :
  Readonly<Record<string, never>>;

/** One note; its code tells its figures apart. */
export type Note = {
  readonly [Code in NoteCode]: {
    /** What it is about. */
    readonly code: Code;
    /** Its figures by name. */
    readonly figures: NoteFigures<Code>;
  };
}[NoteCode];

/** A note with the figures that its sentence takes. */
export function note<Code extends NoteCode>(code: Code, ...[figures]: Parameters<(typeof SENTENCES)[Code]>): Note {
  return { code, figures: figures ?? {} } as Note;
}

/** The sentence of a note. */
export function sentenceOf({ code, figures }: Note): string {
  return (SENTENCES[code] as (figures: unknown) => string)(figures);
}

/** The notes that apply, in order. */
export function applying(...notes: readonly (Note | false)[]): Note[] {
  return notes.filter((one) => one !== false);
}
