import { describe, expect, it } from 'vitest';
import { build, dissectionRules } from '../../src/packet/index.js';
import { measureDissection } from './support/allocation.js';
import { ARN_PORT, SAMPLES, SAMPLE_NAMES, completeSample } from './support/packets.js';

const FRAMES = 1_000_000;

describe('dissection into an object of the caller', () => {
  const frames = SAMPLE_NAMES.filter((name) => SAMPLES[name]!.options?.linkType === undefined).map((name) =>
    build(completeSample(name))
  );
  const cut = frames.map((frame) => frame.subarray(0, frame.length - 6));

  const bytesPer = (some: readonly Uint8Array[], checkIcrc: boolean): number =>
    measureDissection(some, FRAMES, dissectionRules({ arnPort: ARN_PORT, checkIcrc }));

  it('does not allocate per frame, whether well-formed or malformed', () => {
    // Reading heap statistics allocates some hundred bytes; the smallest object per frame would have 12 bytes.
    expect(bytesPer(frames, false)).toBeLessThan(0.5);
    expect(bytesPer(cut, true)).toBeLessThan(0.5);
  }, 120_000);
});
