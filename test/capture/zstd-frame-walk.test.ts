/** The ends of zstd frames, found without a decompressor. */
import { describe, expect, it } from 'vitest';
import { isZstd, ZstdFrameWalk } from '../../src/capture/zstd.js';
import { localBytes } from './support/corpus.js';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** A raw block of 2 bytes, then a last block of one byte repeated 100 times (run-length). */
const BLOCKS = [0x10, 0, 0, 1, 2, 0x23, 3, 0, 7];

const FRAMES: readonly [string, readonly number[]][] = [
  ['a window', [...MAGIC, 0x00, 0x58, ...BLOCKS]],
  ['a single segment', [...MAGIC, 0x20, 102, ...BLOCKS]],
  ['a checksum', [...MAGIC, 0x04, 0x58, ...BLOCKS, 9, 9, 9, 9]],
  ['a dictionary of 4 bytes and a size of 8', [...MAGIC, 0xc3, 0x58, 1, 1, 1, 1, 102, 0, 0, 0, 0, 0, 0, 0, ...BLOCKS]],
  ['an empty last block', [...MAGIC, 0x00, 0x58, 0x01, 0, 0]],
  ['a skippable frame', [0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]],
  ['an empty skippable frame', [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]],
];

function endOf(bytes: Uint8Array, size: number): number {
  const walk = new ZstdFrameWalk();
  let at = 0;
  while (at < bytes.length && !walk.ended) at += walk.advance(bytes.subarray(at, at + size), 0);
  return walk.ended ? at : -1;
}

describe.each(FRAMES)('the end of a frame with %s', (_, frame) => {
  it('is found for every chunk size, and not in a truncated frame', () => {
    expect(isZstd(Uint8Array.from(frame))).toBe(true);
    const bytes = Uint8Array.from([...frame, ...MAGIC, 0, 0]);
    for (const size of [1, 2, 5, 100]) expect(endOf(bytes, size)).toBe(frame.length);
    expect(endOf(bytes.subarray(0, frame.length - 1), 3)).toBe(-1);
  });
});

describe('a file from the zstd program', () => {
  it('is one frame', () => {
    const bytes = localBytes('mixed_50.pcap.zst');
    expect(endOf(bytes, 777)).toBe(bytes.length);
  });
});
