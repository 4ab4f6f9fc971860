/**
 * Notes as data with their sentences: a table per area has the sentence of each code, and its parameter declares the
 * figures. No other file words a note.
 */

/** Sentences by code. Figures carry units in their names; `where` is a file and a place in it, `setting` a path. */
export type NoteSentences = Readonly<Record<string, (figures: never) => string>>;

/** The figures that a sentence takes; none: an empty record. */
export type FiguresOf<Sentence extends (...figures: never) => unknown> = Parameters<Sentence> extends
  [infer Figures, ...unknown[]] ? Figures : Readonly<Record<string, never>>;

/** A note of the codes of a table. */
export type NoteOf<Sentences extends NoteSentences> = {
  readonly [Code in keyof Sentences & string]: {
    /** What it is about; the same note has the same code in every version. */
    readonly code: Code;
    /** Its figures by name, with units. */
    readonly figures: FiguresOf<Sentences[Code]>;
    /** The sentence that is made of them. */
    readonly text: string;
  };
}[keyof Sentences & string];

/** Any note, as programs that only show or pass it on take it. */
export interface NoteRecord {
  /** What it is about; kebab-case. */
  readonly code: string;
  /** Its figures by name, with units. */
  readonly figures: object;
  /** The sentence that is made of them. */
  readonly text: string;
}

/** Makes notes of a table's codes. */
export type NoteMaker<Sentences extends NoteSentences> = <Code extends keyof Sentences & string>(code: Code,
  ...figures: Parameters<Sentences[Code]>) => NoteOf<Sentences>;

export function noteMaker<Sentences extends NoteSentences>(sentences: Sentences): NoteMaker<Sentences> {
  return (code, ...[figures]) => ({ code, figures: figures ?? {}, text: sentences[code](figures) });
}

/** Each of equal notes once, in the order of the first ones. */
export function distinctNotes<Note extends NoteRecord>(notes: readonly Note[]): Note[] {
  const seen = new Set<string>();
  return notes.filter(({ code, figures }) => {
    const key = JSON.stringify([code, figures]);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}
