/** Options of the search index, shared by its builder and its reader. */

/** Index entry for a part of a page. */
export interface SearchEntry {
  readonly id: number;
  /** Page and anchor, relative to the top of the site. */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  /** Further words by which it is found. */
  readonly words: string;
  readonly text: string;
  /** The beginning of the text, in which hits are shown. */
  readonly excerpt: string;
  /** Weight of its page: guides rank above specifications and benchmarks. */
  readonly rank: number;
}

export const INDEX_OPTIONS = {
  fields: ['page', 'heading', 'words', 'text'],
  storeFields: ['url', 'page', 'heading', 'excerpt', 'rank'],
};

const FUZZY_FROM_LENGTH = 5;

export const SEARCH_OPTIONS = {
  boost: { heading: 4, words: 9, page: 2 },
  boostDocument: (_id: number, _term: string, entry?: Record<string, unknown>): number => Number(entry?.['rank'] ?? 1),
  prefix: true,
  weights: { prefix: 0.3, fuzzy: 0.1 },
  /** Short words have too many similar words. */
  fuzzy: (term: string): number => (term.length >= FUZZY_FROM_LENGTH ? 0.15 : 0),
  combineWith: 'AND',
} as const;
