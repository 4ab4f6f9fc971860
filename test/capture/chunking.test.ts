import { describe, expect, it } from 'vitest';
import { LOCAL_FILES, localBytes } from './support/corpus.js';
import { inChunks, readGood, seededIntegers } from './support/read.js';

describe('the way bytes are split into chunks makes no difference', () => {
  it.each(LOCAL_FILES)('one byte at a time: $name', async ({ name }) => {
    const bytes = localBytes(name);
    expect(await readGood(inChunks(bytes, () => 1))).toEqual(await readGood(bytes));
  });

  it.each(LOCAL_FILES)('random sizes, including empty chunks: $name', async ({ name }) => {
    const bytes = localBytes(name);
    const whole = await readGood(bytes);
    for (let seed = 1; seed <= 5; seed++) {
      const next = seededIntegers(seed);
      expect(await readGood(inChunks(bytes, () => next(400)))).toEqual(whole);
    }
  });

  it.each([1, 16, 333, 100_000])('nor does gathering %i bytes before frames are returned', async (batchBytes) => {
    const bytes = localBytes('mixed_odd.pcapng');
    expect(await readGood(inChunks(bytes, () => 100), { batchBytes, maxFrames: 3 })).toEqual(await readGood(bytes));
  });
});
