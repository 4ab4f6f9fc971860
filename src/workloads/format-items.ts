/** Makes the items of a format's table for one part and treatment. */
import type { FormatItem, Treatment } from './format-table.js';

/** @param meanings by item name. */
export function formatItems(part: string, treatment: Treatment,
  meanings: Readonly<Record<string, string>>): readonly FormatItem[] {
  return Object.entries(meanings).map(([name, meaning]) => ({ name, part, treatment, meaning }));
}
