import { describe, expect, it } from 'vitest';
import { LOCAL_FILES, localBytes } from './support/corpus.js';
import { inChunks, readGood, seededIntegers } from './support/read.js';

describe('a capture read in chunks of any size', () => {
  it.each(LOCAL_FILES)('yields the same frames one byte at a time: $name', async ({ name }) => {
    const bytes = localBytes(name);
    expect(await readGood(inChunks(bytes, () => 1))).toEqual(await readGood(bytes));
  });

  it.each(LOCAL_FILES)('yields the same frames in chunks of random sizes, some empty: $name', async ({ name }) => {
    const bytes = localBytes(name);
    const whole = await readGood(bytes);
    for (let seed = 1; seed <= 5; seed++) {
      const next = seededIntegers(seed);
      expect(await readGood(inChunks(bytes, () => next(400)))).toEqual(whole);
    }
  });

  it.each([1, 16, 333, 100_000])('yields the same frames when batches gather %i bytes', async (batchBytes) => {
    const bytes = localBytes('mixed_odd.pcapng');
    expect(await readGood(inChunks(bytes, () => 100), { batchBytes, maxFrames: 3 })).toEqual(await readGood(bytes));
  });
});
