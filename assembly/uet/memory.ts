/**
 * Memory: consecutive regions, which never move, and reusable blocks whose sizes are powers of two. It is sized before the
 * run and grows if needed.
 */
import { FIXED_END, STATIC_DATA } from '../../src/abi/layout';
import { UET_OUT_OF_MEMORY } from '../records/uet-run';
import { stop } from './stop';

/** Limit of memory: 4 GiB in wasm32, minus one page so that address sums stay below 2^32. */
const LIMIT: usize = 0xffff0000;
const PAGE_SHIFT: usize = 16;
const PAGES_MAX: usize = LIMIT >> PAGE_SHIFT;
/** Minimum growth of memory: this many pages, and this fraction of the present size, up to the limit. */
const PAGES_MIN: usize = 16;
const GROWTH_SHIFT: usize = 3;
const LINE: usize = 64;
const SIZES: i32 = 32;

let top: usize = max<usize>(FIXED_END, STATIC_DATA);
/** First unused block for each log2 of its bytes; 0 = none. */
const unused: usize = memory.data(SIZES << 2, 4);

/** Allocates zeroed bytes, aligned to a cache line. */
export function allocate(bytes: usize): usize {
  const at = top;
  if (bytes > LIMIT - LINE - at) stop(UET_OUT_OF_MEMORY);
  top = (at + bytes + LINE - 1) & ~(LINE - 1);
  reach(top);
  return at;
}

function reach(end: usize): void {
  const present = <usize>memory.size();
  const needed = (end + (1 << PAGE_SHIFT) - 1) >> PAGE_SHIFT;
  if (needed <= present) return;
  const least = needed - present;
  // Capped at the limit: a request beyond it fails, and growing page by page instead would take minutes.
  const wanted = max(least, min(max(PAGES_MIN, present >> GROWTH_SHIFT), PAGES_MAX - present));
  if (memory.grow(<i32>wanted) < 0 && memory.grow(<i32>least) < 0) stop(UET_OUT_OF_MEMORY);
}

/** Allocates a block of 2^`bits` bytes, at least 8, with undefined content. */
export function takeBlock(bits: u32): usize {
  if (bits >= <u32>SIZES) stop(UET_OUT_OF_MEMORY);
  const list = unused + (<usize>bits << 2);
  const block = <usize>load<u32>(list);
  if (!block) return allocate(<usize>1 << bits);
  store<u32>(list, load<u32>(block));
  return block;
}

export function giveBlock(block: usize, bits: u32): void {
  const list = unused + (<usize>bits << 2);
  store<u32>(block, load<u32>(list));
  store<u32>(list, <u32>block);
}
