/** Excerpts a text around the first word found, in pieces, so that the words found can be highlighted. */

export interface HitPart {
  readonly words: string;
  readonly isHit: boolean;
}

const SHOWN = 130;
/** Characters shown before the hit. */
const BEFORE = 45;

/** @param terms in lower case. Without a hit, returns the beginning of the text. */
export function hitParts(text: string, terms: readonly string[]): HitPart[] {
  const found = terms.filter((term) => term !== '').map(escaped).sort((a, b) => b.length - a.length);
  const hits = found.length === 0 ? undefined : new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${found.join('|')})`, 'giu');
  const first = hits === undefined ? -1 : text.search(hits);
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const end = from + SHOWN >= text.length ? text.length : text.lastIndexOf(' ', from + SHOWN);
  const shown = `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
  if (hits === undefined) return [{ words: shown, isHit: false }];
  const parts: HitPart[] = [];
  let last = 0;
  for (const { 0: words, index } of shown.matchAll(hits)) {
    parts.push({ words: shown.slice(last, index), isHit: false }, { words, isHit: true });
    last = index + words.length;
  }
  return [...parts, { words: shown.slice(last), isHit: false }].filter(({ words }) => words !== '');
}

const escaped = (term: string): string => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
