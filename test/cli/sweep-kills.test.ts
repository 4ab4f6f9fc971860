/** A sweep that is killed continues where it was; `npm run sweep-kills -- 50` kills it more often. */
import { describe, expect, it } from 'vitest';
import { killSweep } from '../../scripts/sweep-kills/kill-sweep.js';

describe('A sweep that is killed', () => {
  it('has the same rows when it is continued', async () => {
    const instants = [0.9, 0.6];
    const { problems } = await killSweep(instants.length, () => instants.pop() ?? 0);
    expect(problems).toEqual([]);
  });
});
