/**
 * Records of the memory that lossy classes share by queue (`service-pools`), in linear memory, shared by host and sim.wasm: byte
 * offsets, little-endian. They are there only where a plan has pools.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

/** Capacity: 1: there are pools. Region: where. */
export const SIM_CAPACITY_POOLS = 28;

/** Node, 32 bytes: u32 each, but alpha, f64: shared part of its lossy pool; reserve of each queue; bit per lossy class. */
export const POOL_BYTES = 32;
export const POOL_SHARED = 0;
export const POOL_RESERVED = 4;
export const POOL_ALPHA = 8;
export const POOL_CLASSES = 16;
/** The kernel's own: bytes of the shared part in use, and most that were. */
export const POOL_USED = 20;
export const POOL_MOST_USED = 24;
