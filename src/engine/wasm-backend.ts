/**
 * The wasm backend. Its state is linear memory: the fixed part below FIXED_END, and everything from the QPs on. What
 * lies between are batches, which are empty between calls.
 */
import { FIXED_END, REGION_END, REGION_QPS, REGIONS_ADDRESS } from '../abi/layout.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import type { Backend } from '../abi/backend.js';
import { ENGINE_WASM_HASH } from './wasm-bytes.js';

export class WasmBackend implements Backend {
  readonly abi: EngineAbi;
  readonly build: string;

  constructor(abi: EngineAbi) {
    this.abi = abi;
    // A hosted file is taken to be of this version; the one of DCQCN alone tells itself apart.
    this.build = `wasm ${ENGINE_WASM_HASH}${'allAlgorithms' in abi ? '' : ' dcqcn'}`;
  }

  save(): Uint8Array {
    const fixed = new Uint8Array(this.abi.memory.buffer, 0, FIXED_END);
    const tables = this.#tables();
    const state = new Uint8Array(fixed.length + tables.length);
    state.set(fixed);
    state.set(tables, fixed.length);
    return state;
  }

  load(state: Uint8Array): void {
    const tables = this.#tables();
    new Uint8Array(this.abi.memory.buffer).set(state.subarray(0, FIXED_END));
    tables.set(state.subarray(FIXED_END));
    this.abi.restored();
  }

  #tables(): Uint8Array {
    const regions = new Uint32Array(this.abi.memory.buffer, REGIONS_ADDRESS);
    const first = regions[REGION_QPS] ?? 0;
    return new Uint8Array(this.abi.memory.buffer, first, (regions[REGION_END] ?? 0) - first);
  }
}
