/** An engine whose memory and exports the benchmark can reach, and whose state can be put back quickly. */
import { ACTION_BYTES, COUNTER_TIMER_STEPS, COUNTERS_ADDRESS, FIXED_END, REGION_ACCESS, REGION_ACTIONS, REGION_END,
  REGION_PACKETS, REGION_QPS } from '../../src/abi/layout.js';
import type { EngineAbi } from '../../src/abi/engine-abi.js';
import { engineConfig, type EngineConfig, type EngineOptions } from '../../src/config/engine-config.js';
import { Engine } from '../../src/engine/engine.js';
import { instantiateSync } from '../../src/engine/instantiate.js';
import { regionAddress, viewMemory, type MemoryViews } from '../../src/engine/memory-views.js';
import { WasmBackend } from '../../src/engine/wasm-backend.js';
import type { Variant } from './interleave.js';
import { nativeMap } from './memory-map.js';
import type { NativeEngine } from './native-addon.js';
import { ALL_PARTS } from '../../src/engine/parts.js';
import { ENGINE_WASM_TEXT } from '../../src/engine/wasm-bytes.js';

/** The engine's exports with the one that only the benchmarks call. */
export interface BenchAbi extends EngineAbi {
  findFlows(keys: number, results: number, n: number): void;
}

/** Below lies nothing. */
const FIXED_FROM = 64;
const TIMER_STEPS = COUNTERS_ADDRESS + COUNTER_TIMER_STEPS * 8;

/** The parts of two results that must be equal. */
export type ResultScope = 'state' | 'all';

export class BenchEngine {
  readonly engine: Engine;
  readonly abi: BenchAbi;
  readonly views: MemoryViews;
  readonly config: EngineConfig;
  /** Number of actions of the last batch, set by its caller. */
  actions = 0;
  #saved: { readonly fixed: Uint8Array; readonly state: Uint8Array } | undefined;

  constructor(options: EngineOptions) {
    this.config = engineConfig({ hashSeed: 1, ...options });
    this.abi = instantiateSync(ENGINE_WASM_TEXT) as BenchAbi;
    this.engine = new Engine(new WasmBackend(this.abi), this.config, ALL_PARTS);
    this.views = viewMemory(this.abi);
  }

  region(index: number): number {
    return regionAddress(this.views, index);
  }

  /** Lets the C variants work on this memory from now on; they work on one at a time. */
  lend(native: NativeEngine): void {
    native.attach(this.views.buffer, nativeMap(this.views, this.config));
  }

  /** Saves the present state for a later return to it. */
  save(): void {
    this.#saved = { fixed: this.#fixed().slice(), state: this.#state().slice() };
  }

  /** Goes back to the noted state. */
  restore(): void {
    if (this.#saved === undefined) return;
    this.#fixed().set(this.#saved.fixed);
    this.#state().set(this.#saved.state);
    this.abi.restored(16, 0xffff);
  }

  /**
   * A copy of what a variant may have changed: counters, tables, state; with `all` packet records and actions too. Timer
   * steps are left out: they count the work done, of which a variant may save some, not its effect.
   */
  result(scope: ResultScope): Uint8Array {
    const parts = scope === 'all' ? [this.#fixed(), this.#state(), this.#records()] : [this.#fixed(), this.#state()];
    const copy = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      copy.set(part, at);
      at += part.length;
    }
    copy.fill(0, TIMER_STEPS - FIXED_FROM, TIMER_STEPS - FIXED_FROM + 8);
    return copy;
  }

  /** Clears the records of earlier batches, so that the results of two variants can be compared. */
  wipeRecords(): void {
    this.views.u8.fill(0, this.region(REGION_PACKETS), this.region(REGION_ACCESS));
  }

  /** Packet records, and the actions of the last batch. */
  #records(): Uint8Array {
    return this.views.u8.subarray(this.region(REGION_PACKETS),
      this.region(REGION_ACTIONS) + this.actions * ACTION_BYTES);
  }

  #fixed(): Uint8Array {
    return this.views.u8.subarray(FIXED_FROM, FIXED_END);
  }

  #state(): Uint8Array {
    return this.views.u8.subarray(this.region(REGION_QPS), this.region(REGION_END));
  }
}

/** Runs each variant once from the same start; all must leave the same bytes. */
export function checkSame(title: string, bench: BenchEngine, variants: readonly Variant[], scope: ResultScope): void {
  let first: { readonly name: string; readonly bytes: Uint8Array } | undefined;
  for (const variant of variants) {
    bench.wipeRecords();
    variant.reset();
    variant.pass();
    const bytes = bench.result(scope);
    first ??= { name: variant.name, bytes };
    const from = firstDifference(first.bytes, bytes);
    if (from >= 0) {
      throw new Error(`${title}: ${variant.name} and ${first.name} differ from byte ${from} of ${scope} on`);
    }
  }
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  if (Buffer.compare(a, b) === 0) return -1;
  return a.findIndex((byte, at) => byte !== b[at]);
}
