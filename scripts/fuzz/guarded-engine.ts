/**
 * An engine with a guard region: linear memory continues behind the state, and there, and in the batches between calls, is a
 * pattern. After use the region behind must be as it was; and of two engines with different patterns, all responses must be
 * equal: a read outside shows as a difference.
 */
import { FIXED_END, REGION_ACCESS, REGION_END, REGION_EVENTS, REGION_FRAMES, REGION_QPS,
  REGIONS_ADDRESS } from '../../src/abi/layout.js';
import type { EngineAbi } from '../../src/abi/engine-abi.js';
import { engineConfig, type EngineOptions } from '../../src/config/engine-config.js';
import { Engine } from '../../src/engine/engine.js';
import { instantiateSync } from '../../src/engine/instantiate.js';
import { ALL_PARTS } from '../../src/engine/parts.js';
import { WasmBackend } from '../../src/engine/wasm-backend.js';
import { ENGINE_WASM_TEXT } from '../../src/engine/wasm-bytes.js';

/** 64 KiB each; an engine of the fuzzers needs two at most, the rest is behind it. */
const PAGES = 8;

/** An engine and the pattern behind its state. */
export interface GuardedEngine {
  readonly engine: Engine;
  /** Writes the pattern behind the state, and where batches lie, which are empty between calls. */
  readonly fill: () => void;
  /** @throws Error when something wrote behind the state. */
  readonly check: () => void;
}

/** @param pattern the byte that fills the memory behind the state. */
export function makeGuardedEngine(options: EngineOptions, pattern: number): GuardedEngine {
  const abi: EngineAbi = instantiateSync(ENGINE_WASM_TEXT);
  // Memory that is there already does not grow: what the engine does not ask for is the guard.
  (abi.memory as WebAssembly.Memory).grow(PAGES);
  const engine = new Engine(new WasmBackend(abi), engineConfig(options), ALL_PARTS);
  const bytes = new Uint8Array(abi.memory.buffer);
  const regions = new Uint32Array(abi.memory.buffer, REGIONS_ADDRESS);
  const end = regions[REGION_END];
  if (bytes.length - end < 0x10000) throw new Error('no room for a guard region');
  const guard = Buffer.from(abi.memory.buffer, end);
  const intact = Buffer.alloc(guard.length, pattern);
  return {
    engine,
    fill: () => {
      guard.fill(pattern);
      // Access ranges are settings; scratch, which follows them, and the table of the ICRC are left as they are.
      bytes.fill(pattern, Math.max(FIXED_END, regions[REGION_EVENTS]), regions[REGION_ACCESS]);
      bytes.fill(pattern, regions[REGION_FRAMES], regions[REGION_QPS]);
    },
    check: () => {
      if (!guard.equals(intact)) throw new Error('something wrote behind the state');
    },
  };
}
