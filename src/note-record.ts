/**
 * Notes as data. Each area has a table with a sentence for each note code, whose parameter declares the note's values.
 * Only these tables contain the text of notes.
 */

/** Sentences by code. Names of values include units; `where` is a file and a location in it, `setting` a path. */
export type NoteSentences = Readonly<Record<string, (figures: never) => string>>;

/** The values that a sentence needs; an empty record if it needs none. */
export type FiguresOf<Sentence extends (...figures: never) => unknown> = Parameters<Sentence> extends
  [infer Figures, ...unknown[]] ? Figures : Readonly<Record<string, never>>;

/** A note with one of a table's codes. */
export type NoteOf<Sentences extends NoteSentences> = {
  readonly [Code in keyof Sentences & string]: {
    /** Subject of the note, in kebab-case; stable across versions. */
    readonly code: Code;
    /** Values in the sentence, by name with unit. */
    readonly figures: FiguresOf<Sentences[Code]>;
    /** The sentence. */
    readonly text: string;
  };
}[keyof Sentences & string];

/** Any note, for programs that only show or forward it. */
export interface NoteRecord {
  /** Subject of the note, in kebab-case. */
  readonly code: string;
  /** Values in the sentence, by name with unit. */
  readonly figures: object;
  /** The sentence. */
  readonly text: string;
}

/** Makes a note with one of a table's codes. */
export type NoteMaker<Sentences extends NoteSentences> = <Code extends keyof Sentences & string>(code: Code,
  ...figures: Parameters<Sentences[Code]>) => NoteOf<Sentences>;

export function noteMaker<Sentences extends NoteSentences>(sentences: Sentences): NoteMaker<Sentences> {
  return (code, ...[figures]) => ({ code, figures: figures ?? {}, text: sentences[code](figures) });
}

/** Removes duplicate notes; the first of each is kept, in order. */
export function distinctNotes<Note extends NoteRecord>(notes: readonly Note[]): Note[] {
  const seen = new Set<string>();
  return notes.filter(({ code, figures }) => {
    const key = JSON.stringify([code, figures]);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}
