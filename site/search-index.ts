/** Builds the search index: every part of every page, and every name of the API. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { INDEX_OPTIONS, type SearchEntry } from './client/search-options.js';
import { shortened } from './layout.js';
import { rankOf, WORDS_OF_PARTS } from './search-words.js';
import type { TextPage } from './section-pages.js';

/** Maximum characters of a part that are kept to show hits. */
const EXCERPT_MAX = 1500;
/** Weight of API names, which are usually searched by exact name. */
const API_RANK = 0.6;
const API_KINDS = ['classes', 'functions', 'interfaces', 'types', 'variables'];

/** @param apiFolder folder of typedoc's pages; undefined if there are none. @returns JSON. */
export function searchIndex(pages: readonly TextPage[], apiFolder: string | undefined): string {
  const index = new MiniSearch<SearchEntry>(INDEX_OPTIONS);
  const entries = [...pages.flatMap(entriesOf), ...(apiFolder === undefined ? [] : apiEntries(apiFolder))];
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return JSON.stringify(index);
}

type Entry = Omit<SearchEntry, 'id'>;

function entriesOf(page: TextPage): Entry[] {
  return page.headings.map(({ level, text, anchor, body }) => {
    const url = level === 1 ? page.path : `${page.path}#${anchor}`;
    return {
      url,
      page: page.title,
      heading: text,
      words: WORDS_OF_PARTS[url] ?? '',
      text: body,
      excerpt: shortened(body.trim().replaceAll(/\s+/g, ' '), EXCERPT_MAX),
      rank: rankOf(page.path, page.section, level),
    };
  });
}

/**
 * Entries for the names that the package exports: typedoc has a file for each,
 * `functions/roce-cc_sim.runScenario.html`.
 */
function apiEntries(folder: string): Entry[] {
  return API_KINDS.filter((kind) => existsSync(path.join(folder, kind))).flatMap((kind) =>
    readdirSync(path.join(folder, kind)).sort().map((file) => {
      const parts = path.basename(file, '.html').split('.');
      const heading = parts.at(-1) ?? file;
      return {
        url: `api/${kind}/${file}`,
        page: `API: ${parts.slice(0, -1).join('.').replaceAll('_', '/')}`,
        heading,
        words: '',
        text: '',
        excerpt: '',
        rank: API_RANK,
      };
    })
  );
}
