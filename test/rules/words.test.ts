/** The word linter reports terms in the prose of a page, but not in its code blocks. */
import { describe, expect, it } from 'vitest';
import { termsIn, termsInCode } from '../../scripts/lint/words.mjs';

const lineAndTerm = (page: string): string[] => termsIn(page).map(({ line, term }) => `${line}: ${term}`);

describe('the word linter', () => {
  it('reports a term, also across a line break', () => {
    expect(lineAndTerm('# A page\n\nThe packet is sent\nagain.')).toEqual(['3: sent again']);
  });

  it('accepts a sentence in terms of the field', () => {
    expect(lineAndTerm('The packet is retransmitted after the timeout.')).toEqual([]);
  });

  it('ignores code and link targets in pages', () => {
    expect(lineAndTerm('`refused` and [counters](books.md#books):\n\n```js\nroom(books);\n```\n')).toEqual([]);
  });

  it('reports a term in comments, strings and names of code, and ignores values', () => {
    const code = "/** Nobody waits. */\nconst books = `under way`;\nif (choice === 'refuse') go();\n";
    expect(termsInCode(code).map(({ line, term }) => `${line}: ${term}`).sort()).toEqual([
      '1: Nobody',
      '2: books',
      '2: under way',
    ]);
  });
});
