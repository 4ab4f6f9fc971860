/** The search, with an index made at build time and loaded on first use. */
import MiniSearch from 'minisearch';
import { hitParts } from './hit-parts.js';
import { INDEX_OPTIONS, SEARCH_OPTIONS, type SearchEntry } from './search-options.js';

const MOST_RESULTS = 12;
/** Top of the site: this script is in assets/. */
const TOP = new URL('../', import.meta.url);

/** A hit; `terms` are the words that were found. */
type Found = Pick<SearchEntry, 'url' | 'page' | 'heading' | 'excerpt'> & { readonly terms: readonly string[] };

/** Makes the page's search field work. */
export async function startSearch(): Promise<void> {
  const [field, panel, status, list] = ['search', 'search-panel', 'search-status', 'search-results'].map(byId);
  const show = (): void => {
    panel.hidden = false;
  };
  const hide = (): void => {
    panel.hidden = true;
  };
  status.textContent = 'Loading the index …';
  show();
  const index = MiniSearch.loadJSON<SearchEntry>(await indexText(), INDEX_OPTIONS);
  const response = (): void => {
    const query = (field as HTMLInputElement).value.trim();
    if (query === '') {
      hide();
      return;
    }
    const found = index.search(query, SEARCH_OPTIONS) as unknown as Found[];
    list.replaceChildren(...found.slice(0, MOST_RESULTS).map(resultItem));
    status.textContent = foundText(found.length);
    show();
  };
  field.addEventListener('input', response);
  field.addEventListener('focus', response);
  field.parentElement?.addEventListener('keydown', (event) => {
    moveByKey(event, field, list, hide);
  });
  document.addEventListener('click', ({ target }) => {
    if (field.parentElement?.contains(target as Node) === false) hide();
  });
  response();
}

async function indexText(): Promise<string> {
  const response = await fetch(new URL('search-index.json', TOP));
  if (!response.ok) throw new Error(`The search's index could not be loaded: status ${response.status}.`);
  return response.text();
}

function foundText(count: number): string {
  if (count === 0) return 'Nothing found. All words have to be in one part of a page.';
  return count > MOST_RESULTS ?
    `${count} places, the first ${MOST_RESULTS}` :
    `${count} ${count === 1 ? 'place' : 'places'}`;
}

function resultItem({ url, page, heading, excerpt, terms }: Found): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(url, TOP).href;
  const title = document.createElement('strong');
  title.textContent = heading;
  const place = document.createElement('span');
  place.className = 'place';
  place.textContent = page === heading ? '' : page;
  const text = document.createElement('span');
  text.append(...hitParts(excerpt, terms).map(({ words, isHit }) => isHit ? marked(words) : words));
  link.append(title, place, text);
  item.append(link);
  return item;
}

function marked(words: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = words;
  return mark;
}

/** Arrows move between the field and the results; Escape closes them. */
function moveByKey(event: KeyboardEvent, field: HTMLElement, list: HTMLElement, hide: () => void): void {
  const stops = [field, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const step = ({ ArrowDown: 1, ArrowUp: -1 } as Readonly<Record<string, number>>)[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
  } else if (event.key === 'Escape') {
    field.focus();
    hide();
  } else if (event.key === 'Enter' && at === 0) {
    list.querySelector('a')?.click();
  }
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element #${id}.`);
  return element;
}
