/** GOAL text has a fast parser for lines as programs write them, and a general one for others; the two agree. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { parseGoal } from '../../src/workloads/index.js';

const PLAIN = [
  'num_ranks 3',
  'rank 0 {',
  'l1: send 10b to 1 tag 5',
  'l2: calc 100 cpu 1',
  'l2 requires l1',
  'l3: recv 7b from 2 tag 1 cpu 2 nic 1',
  'l4: send 20b to 2',
  'l4 requires l3',
  '}',
  'rank 1 {',
  'a: recv 10b from 0 tag 5',
  'b_2: calc 0',
  'b_2 irequires a',
  '}',
  'rank 2 {',
  'x: send 7b to 0 tag 1',
  'y: recv 20b from 0 cpu 255',
  'y requires x',
  '}',
];
const TOKENS = [
  '',
  ' ',
  ':',
  'b',
  '-1',
  '0',
  '1',
  '3',
  '256',
  '999999999',
  '4294967295',
  '1000000000000000',
  'send',
  'recv',
  'calc',
  'send 5b to 1',
  'requires',
  'irequires',
  'l1',
  'l9',
  'tag',
  'cpu',
  'nic',
  '/* */',
  '// x',
  '\r',
  '}',
  '{',
  '_',
  'calc: calc 5',
  'send requires l1',
  'é',
];

/** Trailing blanks have no meaning, but select the general parser. */
const withBlanks = (text: string): string => text.replaceAll('\n', ' \n');

function outcome(text: string): unknown {
  try {
    const graph = parseGoal(text);
    const { firstOperation, operations, edges } = graph;
    return {
      firstOperation,
      operations,
      edges,
      names: Array.from({ length: graph.length }, (_, at) => graph.nameOf(at)),
    };
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    return { code: error.code, message: error.message, where: error.where };
  }
}

it('is read the same with and without trailing blanks', () => {
  const text = `${PLAIN.join('\n')}\n`;
  expect(outcome(text)).toHaveProperty('edges');
  expect(outcome(text)).toEqual(outcome(withBlanks(text)));
});

it('is read or rejected identically by both parsers after any insertion, deletion or change', () => {
  const change = fc.record({
    line: fc.nat(PLAIN.length - 1),
    at: fc.nat(40),
    out: fc.nat(4),
    token: fc.constantFrom(...TOKENS),
  });
  fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
    const lines = [...PLAIN];
    for (const { line, at, out, token } of changes) {
      const before = lines[line] ?? '';
      lines[line] = before.slice(0, at) + token + before.slice(at + out);
    }
    const text = `${lines.join('\n')}\n`;
    expect(outcome(text)).toEqual(outcome(withBlanks(text)));
  }), { numRuns: 3000 });
});
