/** The linter of words finds terms in the prose of a page, and nothing in its code. */
import { describe, expect, it } from 'vitest';
import { termsIn, termsInCode } from '../../scripts/lint/words.mjs';

const lineAndTerm = (page: string): string[] => termsIn(page).map(({ line, term }) => `${line}: ${term}`);

describe('the linter of words', () => {
  it('finds a term, over the end of a line too', () => {
    expect(lineAndTerm('# A page\n\nThe packet is sent\nagain.')).toEqual(['3: sent again']);
  });

  it('passes a sentence in terms of the field', () => {
    expect(lineAndTerm('The packet is retransmitted after the timeout.')).toEqual([]);
  });

  it('leaves out code and the targets of links', () => {
    expect(lineAndTerm('`refused` and [counters](books.md#books):\n\n```js\nroom(books);\n```\n')).toEqual([]);
  });

  it('finds a term in comments, strings and names of code, and passes values', () => {
    const code = "/** Nobody waits. */\nconst books = `under way`;\nif (choice === 'refuse') go();\n";
    expect(termsInCode(code).map(({ line, term }) => `${line}: ${term}`).sort()).toEqual([
      '1: Nobody',
      '2: books',
      '2: under way',
    ]);
  });
});
