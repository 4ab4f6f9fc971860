/**
 * What a format's files may state, and what is done with each: the one declaration from which the readers' notes, the tables in
 * docs/reference/workload-formats.md and the test that walks all of them are made.
 */

/**
 * `effective`: it changes the run. `noted`: the run does without, and a note states how often the file has it and where first.
 * `rejected`: the file is rejected, by name and place.
 */
export type Treatment = 'effective' | 'noted' | 'rejected';

/** One key, attribute, column, word or kind of node of a format. */
export interface FormatItem {
  /** As the file spells it. */
  readonly name: string;
  /** Part of the file: `attribute`, `header`, `column 4`. */
  readonly part: string;
  readonly treatment: Treatment;
  /** What it means here, or why the run does without; one sentence without a full stop. */
  readonly meaning: string;
}

/** A format. */
export interface FormatTable {
  /** As `--cm` and a job's `format` call it. */
  readonly format: string;
  readonly title: string;
  /** Program that the format belongs to. */
  readonly owner: string;
  readonly items: readonly FormatItem[];
}
