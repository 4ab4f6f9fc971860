/**
 * Initial states of ns-3's random generators (mrg32k3a-jump.ts). Streams are 2^127 steps apart, substreams 2^76. Numbered
 * streams begin at 2^63; the first substream is number 1.
 *
 * Source: docs/specs/reference-lossy.md, section 8.
 */
import { jumpedState } from './mrg32k3a-jump.js';

const STREAM_STEPS = 2n ** 127n;
const SUBSTREAM_STEPS = 2n ** 76n;
const FIRST_NUMBERED_STREAM = 2n ** 63n;

/** State of the generator of a numbered stream: x oldest first, then y. @param seed 0 to 2^32 - 1. */
export function streamState(seed: number, stream: number): readonly bigint[] {
  const { x, y } = jumpedState(seed, (FIRST_NUMBERED_STREAM + BigInt(stream)) * STREAM_STEPS + SUBSTREAM_STEPS);
  return [...x, ...y].map(BigInt);
}
