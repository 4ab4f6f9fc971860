/** Random numbers of congestion points and balancers. */
import { defineRecord, u32 } from './define-record.js';

/** State of a generator (xoshiro128**), never all zero. */
export const RANDOM = /* @__PURE__ */ defineRecord('Random', 16, {
  s0: u32,
  s1: u32,
  s2: u32,
  s3: u32,
});
