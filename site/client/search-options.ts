/** Options of the search index, shared by its builder and its reader. */

/** A part of a page, as the index keeps it. */
export interface SearchEntry {
  readonly id: number;
  /** Page and anchor, from the top of the site. */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** The beginning of the text, to be shown. */
  readonly excerpt: string;
}

export const INDEX_OPTIONS = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['url', 'page', 'heading', 'excerpt'],
};

const FUZZY_FROM_LENGTH = 5;

export const SEARCH_OPTIONS = {
  boost: { heading: 4, page: 2 },
  prefix: true,
  /** Short words have too many neighbours. */
  fuzzy: (term: string): number => (term.length >= FUZZY_FROM_LENGTH ? 0.15 : 0),
  combineWith: 'AND',
} as const;
