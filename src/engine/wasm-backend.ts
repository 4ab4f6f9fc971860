/**
 * The wasm backend. Its state is the linear memory below FIXED_END, and everything from the QPs on. The memory in
 * between holds batches, which are empty between calls.
 *
 * Saved memory of an engine with the same configuration but less capacity moves to a larger engine: records of QPs and
 * windows have the same order there, so their regions are copied; positions in hash tables depend on the table size, so
 * their entries are inserted again.
 */
import type { Backend, EngineAbi } from '../abi/engine-abi.js';
import { capacityOf, hasRoomFor, isSameCapacity } from '../abi/records/engine-capacity.js';
import { ADDRESS_ARGUMENT, CAPACITY_ADDRESS, COUNTERS_ADDRESS, COUNTER_COUNT, ENDPOINT_FILTER_ADDRESS,
  ENDPOINT_TABLE_ADDRESS, FIXED_END, FLOW_KEY, FLOW_TABLE_ADDRESS, HASH_KEYS_ADDRESS, HASH_KEY_COUNT,
  PEER_TABLE_ADDRESS, REGION_END, REGION_QPS, REGION_TABLES, REGIONS_ADDRESS, TABLE_USED, FLOW_BYTES, REGION_ACK_EVENTS,
  REGION_CNP_WINDOWS, REGION_CUT_TIMES, REGION_FLOW_ENTRIES, REGION_KEPT_HOPS, REGION_LOCAL_QPNS, REGION_PEER_OF,
  REGION_PEER_REFERENCES, REGION_QP_FLAGS, TABLE_ENTRIES, TABLE_FREE, TABLE_GROUPS, TABLE_SLOTS,
  TABLE_TAGS } from '../abi/layout.js';
import { ENGINE_WASM_HASH } from './wasm-bytes.js';

/**
 * Ranges of the fixed part that change at run time, as [address, bytes]; the rest follows from build and configuration.
 */
const CHANGING: readonly (readonly [number, number])[] = [
  [COUNTERS_ADDRESS, COUNTER_COUNT * 8],
  [HASH_KEYS_ADDRESS, HASH_KEY_COUNT * 8],
  [ADDRESS_ARGUMENT, 32],
  [FLOW_TABLE_ADDRESS + TABLE_USED, 4],
  [ENDPOINT_TABLE_ADDRESS + TABLE_USED, 4],
  [PEER_TABLE_ADDRESS + TABLE_USED, 4],
  [ENDPOINT_FILTER_ADDRESS, 8],
];

/** The regions of the state, in memory order without gaps; the flow table follows. */
const IN_ORDER = [
  REGION_QPS,
  REGION_QP_FLAGS,
  REGION_LOCAL_QPNS,
  REGION_FLOW_ENTRIES,
  REGION_CNP_WINDOWS,
  REGION_CUT_TIMES,
  REGION_PEER_OF,
  REGION_PEER_REFERENCES,
  REGION_TABLES,
  REGION_ACK_EVENTS,
  REGION_KEPT_HOPS,
];
/** Regions that the flow table's insertions write, or that do not depend on QPs. */
const NOT_COPIED: readonly number[] = [REGION_FLOW_ENTRIES, REGION_TABLES, REGION_ACK_EVENTS];

export class WasmBackend implements Backend {
  readonly abi: EngineAbi;
  readonly build: string;

  constructor(abi: EngineAbi) {
    this.abi = abi;
    // A hosted file is assumed to be of this version; the DCQCN-only one identifies itself.
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

  load(state: Uint8Array, parameterSets: number, endpoints: number): boolean {
    if (state.length < FIXED_END || !hasRoomFor(this.#memory(), state)) return false;
    return isSameCapacity(this.#memory(), state) ?
      this.#loadEqual(state, parameterSets, endpoints) :
      this.#loadSmaller(state, parameterSets, endpoints);
  }

  #loadEqual(state: Uint8Array, parameterSets: number, endpoints: number): boolean {
    const before = this.save();
    if (state.length !== before.length || !this.#isOfThisLayout(state)) return false;
    this.#overwrite(state);
    if (this.abi.restored(parameterSets, endpoints)) return true;
    this.#overwrite(before);
    this.abi.restored(parameterSets, endpoints);
    return false;
  }

  /** Lays out the memory as in the smaller engine, which validates the state, and then as before. */
  #loadSmaller(state: Uint8Array, parameterSets: number, endpoints: number): boolean {
    const memory = this.#memory();
    const before = memory.slice();
    memory.fill(0, FIXED_END);
    memory.set(capacityOf(state), CAPACITY_ADDRESS);
    this.abi.initialise();
    const smaller = this.#loadEqual(state, parameterSets, endpoints) ? memory.slice() : undefined;
    memory.set(before);
    if (smaller) memory.fill(0, regionOf(memory, REGION_QPS), regionOf(memory, REGION_TABLES));
    this.abi.initialise();
    if (smaller && this.#takeOver(smaller, parameterSets, endpoints)) return true;
    memory.set(before);
    this.abi.restored(parameterSets, endpoints);
    return false;
  }

  /** Copies the state from the memory of a smaller engine into this one, which must be empty. */
  #takeOver(smaller: Uint8Array, parameterSets: number, endpoints: number): boolean {
    const memory = this.#memory();
    // The smaller engine used the hash keys of the snapshot; the tables here use this engine's keys.
    this.abi.configure();
    memory.set(smaller.subarray(COUNTERS_ADDRESS, COUNTERS_ADDRESS + COUNTER_COUNT * 8), COUNTERS_ADDRESS);
    copyRecords(smaller, memory);
    for (const entry of entriesOf(smaller, ENDPOINT_TABLE_ADDRESS)) {
      memory.set(entry, ADDRESS_ARGUMENT);
      this.abi.addAddress(wordAt(entry, FLOW_KEY + 4) >>> 8);
    }
    for (const entry of entriesOf(smaller, FLOW_TABLE_ADDRESS)) {
      memory.set(entry, ADDRESS_ARGUMENT);
      this.abi.readmit?.();
    }
    return this.abi.restored(parameterSets, endpoints) !== 0;
  }

  #memory(): Uint8Array {
    return new Uint8Array(this.abi.memory.buffer);
  }

  #overwrite(state: Uint8Array): void {
    new Uint8Array(this.abi.memory.buffer).set(state.subarray(0, FIXED_END));
    this.#tables().set(state.subarray(FIXED_END));
  }

  /** Whether the snapshot has the same addresses, sizes, settings and function indices as this engine. */
  #isOfThisLayout(state: Uint8Array): boolean {
    const fixed = state.slice(0, FIXED_END);
    const own = new Uint8Array(this.abi.memory.buffer, 0, FIXED_END);
    for (const [address, bytes] of CHANGING) fixed.set(own.subarray(address, address + bytes), address);
    return fixed.every((byte, address) => byte === own[address]);
  }

  #tables(): Uint8Array {
    const regions = new Uint32Array(this.abi.memory.buffer, REGIONS_ADDRESS);
    const first = regions[REGION_QPS] ?? 0;
    return new Uint8Array(this.abi.memory.buffer, first, (regions[REGION_END] ?? 0) - first);
  }
}

/** Copies the records of QPs and windows into the memory of a larger engine. */
function copyRecords(from: Uint8Array, to: Uint8Array): void {
  IN_ORDER.forEach((region, index) => {
    if (NOT_COPIED.includes(region)) return;
    const next = IN_ORDER[index + 1];
    const end = next === undefined ? wordAt(from, FLOW_TABLE_ADDRESS + TABLE_TAGS) : regionOf(from, next);
    to.set(from.subarray(regionOf(from, region), end), regionOf(to, region));
  });
}

/** The used entries of the hash table with this descriptor. */
function* entriesOf(memory: Uint8Array, table: number): Generator<Uint8Array, undefined> {
  const tags = wordAt(memory, table + TABLE_TAGS);
  const entries = wordAt(memory, table + TABLE_ENTRIES);
  const slots = wordAt(memory, table + TABLE_GROUPS) * TABLE_SLOTS;
  for (let slot = 0; slot < slots; slot++) {
    const at = entries + slot * FLOW_BYTES;
    if (memory[tags + slot] !== TABLE_FREE) yield memory.subarray(at, at + FLOW_BYTES);
  }
}

/** Byte address of region REGION_*. */
function regionOf(memory: Uint8Array, region: number): number {
  return wordAt(memory, REGIONS_ADDRESS + region * 4);
}

/** Reads a u32. */
function wordAt(memory: Uint8Array, address: number): number {
  return new DataView(memory.buffer, memory.byteOffset).getUint32(address, true);
}
