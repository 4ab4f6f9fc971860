import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resultHashes, stateHashes } from '../../bench/support/hashes.js';

const lines = readFileSync(new URL('../../bench/hashes.txt', import.meta.url), 'utf8').trim().split('\n');
/** Ten thousand flows take too long here; `npm run hashes` covers them. */
const TOO_LONG = 'fat-tree-k16-10000-flows.json';
const scenarios = lines.filter((line) => line.startsWith('result')).map((line) => line.split(' ')[1] ?? '');

describe('bench/hashes.txt has the current hashes', () => {
  it.each(scenarios.filter((file) => file !== TOO_LONG))('of the result of %s', (file) => {
    expect(lines).toContain([...resultHashes([file])][0]);
  });

  it('of the state after random events of each algorithm', () => {
    expect([...stateHashes()]).toEqual(lines.filter((line) => line.startsWith('state')));
  });
});
