/**
 * Contents that a format's files may have, and how each is treated. The readers' notes, the tables in
 * docs/reference/workload-formats.md and a test that covers all items are made from this declaration.
 */
/**
 * `effective`: it changes the run. `noted`: the run does not use it, and a note states how often it occurs and where
 * first. `rejected`: the file is rejected, with its name and place.
 */
export type Treatment = 'effective' | 'noted' | 'rejected';

/** A key, attribute, column, word or kind of node in a format. */
export interface FormatItem {
  /** As spelled in the file. */
  readonly name: string;
  /** Part of the file that it belongs to: `attribute`, `header`, `column 4`. */
  readonly part: string;
  readonly treatment: Treatment;
  /** Meaning of the item, or why it is not used; one sentence without a full stop. */
  readonly meaning: string;
}

/** Declaration of a format. */
export interface FormatTable {
  /** Name of the format in `--cm` and in a job's `format`. */
  readonly format: string;
  readonly title: string;
  /** Program or project that defines the format. */
  readonly owner: string;
  readonly items: readonly FormatItem[];
}

/** Makes the items of one part and treatment. @param meanings by item name. */
export function formatItems(part: string, treatment: Treatment,
  meanings: Readonly<Record<string, string>>): readonly FormatItem[] {
  return Object.entries(meanings).map(([name, meaning]) => ({ name, part, treatment, meaning }));
}
