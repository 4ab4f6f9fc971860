/** A wasm module of the parser alone, for tests. */
import { parseFrame } from '../../../assembly/wire/parser';

export { computeIcrc, configureParser, initIcrc, parseFrame } from '../../../assembly/wire/parser';

/** Parses `count` frames whose descriptors (address, captured, original, link; u32 each) start at `descriptors`. */
export function parseMany(descriptors: usize, count: u32, out: usize): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++, descriptors += 16) {
    const frame = load<u32>(descriptors);
    sum += parseFrame(frame, load<u32>(descriptors, 4), load<u32>(descriptors, 8), load<u32>(descriptors, 12), out);
  }
  return sum;
}
