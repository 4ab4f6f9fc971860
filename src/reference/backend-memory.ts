/**
 * Memory of the `js` backend: an ArrayBuffer with the regions and records of engine.wasm (`abi/layout.ts`), so
 * that the same host code works with it, followed by three tables that only snapshots use.
 *
 * The models hold the state; the records are copies for the host.
 */
import { ackEventBytes as bytesOfAckEvent, KEPT_HOP_BYTES } from '../abi/ack-layout.js';
import { type EngineCapacity, CAPACITY } from '../abi/records/engine-capacity.js';
import { FEATURE_ACKS, ACTION_RATE, NONE, QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED, CAUSE_CNP } from '../abi/codes.js';
import * as layout from '../abi/layout.js';
import { readRecord, writeRecord, type RecordLayout } from '../abi/state/state-record.js';
import { readDcqcnState } from '../abi/state/dcqcn.js';
import * as trace from '../abi/trace-layout.js';
import type { RateTracer } from './algorithms/ack.js';
import type { DcqcnState } from './algorithms/dcqcn/increase.js';

const CAPACITY_NAMES = Object.keys(CAPACITY.index) as (keyof EngineCapacity)[];

/** Reads the capacity that the host wrote into memory. */
export function readCapacity(buffer: ArrayBuffer): EngineCapacity {
  const words = new Uint32Array(buffer, layout.CAPACITY_ADDRESS);
  return Object.fromEntries(CAPACITY_NAMES.map((name) => [name, words[CAPACITY.index[name]]])) as EngineCapacity;
}

const REGION_ALIGNMENT = 64;
/** Tables of this backend only; their REGION_* numbers are unused in the ABI. */
export const REGION_WINDOWS = 12;
export const REGION_ADDRESSES = 13;

/** Size of a flow record, which a snapshot stores for a QP in addition to its QpState: peer address, 16 bytes, and these. */
export const FLOW_RECORD_BYTES = 64;
export const FLOW_FIELDS = { endpoint: ['u32', 16], peerQpn: ['u32', 20] } as const;
/** Offset of the number of the QP's CNP window. */
export const FLOW_RECORD_WINDOW = 24;
/** Times of the last accepted CNP and Fast CNP, picoseconds. */
export const NOTIFICATION_FIELDS = { cnpPs: ['f64', 32], fastCnpPs: ['f64', 40] } as const;
/** Offset of the next cut check, picoseconds. */
export const FLOW_RECORD_NEXT_CUT = 48;

/** Size of a CNP window's record: end, picoseconds; QP of the pending CNP, NONE = none, and its P_Key. */
export const WINDOW_RECORD_BYTES = 16;
export const WINDOW_FIELDS = { endPs: ['f64', 0], qp: ['u32', 8], pKey: ['u32', 12] } as const;

/** Size of an address record: address 16 bytes | endpoint u32, NONE = free. */
export const ADDRESS_RECORD_BYTES = 20;
export const ADDRESS_RECORD_ENDPOINT = 16;

/** Bytes of each region, in memory order: batches first, then the state, from the QPs on. */
function regionSizes(sizes: EngineCapacity): readonly (readonly [region: number, bytes: number])[] {
  const { qps, endpoints, addresses, events, packets, frameBytes, accessRanges, hops } = sizes;
  return [
    [layout.REGION_EVENTS, events * layout.EVENT_BYTES],
    [layout.REGION_FAST_CNP_EVENTS, events * layout.FAST_CNP_EVENT_BYTES],
    [layout.REGION_ACK_EVENTS, events * ackEventBytes(sizes)],
    [layout.REGION_DESCRIPTORS, packets * layout.DESCRIPTOR_BYTES],
    [layout.REGION_PACKETS, packets * layout.PACKET_BYTES],
    [layout.REGION_ACTIONS, actionCapacity(sizes) * layout.ACTION_BYTES],
    [trace.REGION_TRACE, sizes.traceRecords * trace.TRACE_BYTES],
    [layout.REGION_ACCESS, accessRanges * layout.ACCESS_BYTES],
    [layout.REGION_FRAMES, frameBytes],
    [layout.REGION_QPS, qps * layout.QP_BYTES],
    [layout.REGION_QP_FLAGS, qps],
    [layout.REGION_LOCAL_QPNS, qps * 4],
    [layout.REGION_FLOW_ENTRIES, qps * FLOW_RECORD_BYTES],
    [layout.REGION_KEPT_HOPS, qps * hops * KEPT_HOP_BYTES],
    [REGION_WINDOWS, Math.max(qps, endpoints) * WINDOW_RECORD_BYTES],
    [REGION_ADDRESSES, addresses * ADDRESS_RECORD_BYTES],
    [layout.REGION_END, 0],
  ];
}

/** Bytes of an AckEvent record. */
export function ackEventBytes({ features, hops }: EngineCapacity): number {
  return features & FEATURE_ACKS ? bytesOfAckEvent(hops) : 0;
}

function actionCapacity({ events, packets }: EngineCapacity): number {
  return Math.max(events, packets) * layout.ACTIONS_PER_INPUT;
}

/** The buffer, its views, and the addresses of its regions. Throws RangeError if the allocation fails. */
export class BackendMemory {
  readonly sizes: EngineCapacity;
  readonly buffer: ArrayBuffer;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly f64: Float64Array;
  readonly view: DataView;
  readonly #regions = new Map<number, number>();

  constructor(sizes: EngineCapacity) {
    let top = layout.FIXED_END;
    for (const [region, bytes] of regionSizes(sizes)) {
      this.#regions.set(region, top);
      top += Math.ceil(bytes / REGION_ALIGNMENT) * REGION_ALIGNMENT;
    }
    this.sizes = sizes;
    this.buffer = new ArrayBuffer(top);
    this.u8 = new Uint8Array(this.buffer);
    this.u16 = new Uint16Array(this.buffer);
    this.u32 = new Uint32Array(this.buffer);
    this.f64 = new Float64Array(this.buffer);
    this.view = new DataView(this.buffer);
    for (const name of CAPACITY_NAMES) this.u32[layout.CAPACITY_ADDRESS / 4 + CAPACITY.index[name]] = sizes[name];
    for (const [region, address] of this.#regions) this.u32[layout.REGIONS_ADDRESS / 4 + region] = address;
  }

  /** Byte address of record `index` of a region. */
  at(region: number, index = 0, recordBytes = 0): number {
    return (this.#regions.get(region) ?? 0) + index * recordBytes;
  }

  /** A copy of the 16 bytes at a byte address. */
  address(at: number): Uint8Array {
    return this.u8.slice(at, at + 16);
  }

  readU32(at: number): number {
    return this.u32[at / 4] ?? 0;
  }

  readF64(at: number): number {
    return this.f64[at / 8] ?? 0;
  }

  write(at: number, fields: RecordLayout, values: object): void {
    writeRecord(this.view, at, fields, values);
  }

  read<Name extends string>(at: number, fields: RecordLayout<Name>): Record<Name, number> {
    return readRecord(this.view, at, fields) as Record<Name, number>;
  }

  count(counter: number, amount: number): void {
    const at = layout.COUNTERS_ADDRESS / 8 + counter;
    this.f64[at] = (this.f64[at] ?? 0) + amount;
  }

  countOutcome(outcome: number): void {
    this.count(layout.COUNTER_OUTCOMES + outcome, 1);
  }

  /** Copies the counters and all records of a smaller memory; further records are unchanged. */
  copyFrom(smaller: BackendMemory): void {
    const counters = [layout.COUNTERS_ADDRESS, layout.COUNTERS_ADDRESS + layout.COUNTER_COUNT * 8] as const;
    this.u8.set(smaller.u8.subarray(...counters), counters[0]);
    for (const [region, bytes] of regionSizes(smaller.sizes)) {
      const from = smaller.at(region);
      if (from >= smaller.at(layout.REGION_QPS)) this.u8.set(smaller.u8.subarray(from, from + bytes), this.at(region));
    }
  }

  /** The bytes that are an engine's state: the fixed part, and everything from the QPs on. */
  stateParts(): readonly [fixed: Uint8Array, tables: Uint8Array] {
    return [this.u8.subarray(0, layout.FIXED_END), this.u8.subarray(this.at(layout.REGION_QPS))];
  }
}

/** Actions of one call, in order. */
export class ActionRing {
  readonly #memory: BackendMemory;
  readonly #capacity: number;
  #written = 0;

  constructor(memory: BackendMemory) {
    this.#memory = memory;
    this.#capacity = actionCapacity(memory.sizes);
  }

  get written(): number {
    return this.#written;
  }

  get hasRoom(): boolean {
    return this.#written < this.#capacity;
  }

  clear(): void {
    this.#written = 0;
  }

  emit(timePs: number, qp: number, kind: number, reason: number, value: number): void {
    const at = this.#memory.at(layout.REGION_ACTIONS, this.#written, layout.ACTION_BYTES);
    this.#memory.f64[(at + layout.ACTION_TIME) / 8] = timePs;
    this.#memory.u32[(at + layout.ACTION_QP) / 4] = qp;
    this.#memory.u8[at + layout.ACTION_KIND] = kind;
    this.#memory.u8[at + layout.ACTION_REASON] = reason;
    this.#memory.f64[(at + layout.ACTION_VALUE) / 8] = value;
    this.#written += 1;
  }

  emitRate(timePs: number, qp: number, cause: number, rateBps: number): void {
    this.emit(timePs, qp, ACTION_RATE, cause, rateBps);
  }
}

/** Copies a state into a QpState record. */
export function writeQpState(memory: BackendMemory, at: number, state: Readonly<DcqcnState>): void {
  const { f64, u32, u16 } = memory;
  f64[(at + layout.QP_RATE) / 8] = state.rateBps;
  f64[(at + layout.QP_TARGET) / 8] = state.targetBps;
  f64[(at + layout.QP_ALPHA) / 8] = state.alpha;
  f64[(at + layout.QP_NEXT_ALPHA) / 8] = state.nextAlphaPs;
  f64[(at + layout.QP_NEXT_INCREASE) / 8] = state.nextIncreasePs;
  f64[(at + layout.QP_LAST_EVENT) / 8] = state.lastEventPs;
  f64[(at + layout.QP_NEXT_SEND) / 8] = state.nextSendPs;
  u32[(at + layout.QP_BYTES_COUNTED) / 4] = state.bytesCounted;
  u16[(at + layout.QP_TIME_STAGE) / 2] = state.timeStage;
  // Also writes the next byte, which is 0.
  u16[(at + layout.QP_BYTE_STAGE) / 2] = state.byteStage;
}

/** The inverse of `writeQpState`; flags and the next cut check are stored elsewhere. */
export function readQpState(memory: BackendMemory, at: number, flags: number, nextCutPs: number): DcqcnState {
  return { ...readDcqcnState(memory.view, at, flags), nextCutPs };
}

/** QP_* bits of a state, except QP_OPEN. */
export function flagsOfState(state: Readonly<DcqcnState>): number {
  const limited = state.limited ? QP_LIMITED : 0;
  const alphaCnp = state.alphaCnp ? QP_ALPHA_CNP : 0;
  return limited | alphaCnp | (state.cutPending ? QP_CUT_PENDING : 0);
}

/** A number converted to u32 as engine.wasm would; `undefined` becomes NONE. */
export function asU32(value: number | undefined): number {
  return value === undefined ? NONE : value >>> 0;
}

/** Reason of a rate change, as the algorithm described it. */
interface Description {
  readonly reason: number;
  readonly inputs: readonly number[];
  readonly detail: number;
  readonly hop: number;
}

const NOT_DESCRIBED: Description = { reason: trace.TRACE_OTHER, inputs: [], detail: 0, hop: trace.TRACE_NO_HOP };
const INPUTS = trace.TRACE_INPUT_BYTES / 8;

/** The ring of trace records. Its size is limited; dropped records are counted. */
export class TraceRing {
  /** CAUSE_* of the notification being handled. */
  notifiedBy = CAUSE_CNP;
  readonly #memory: BackendMemory;
  readonly #capacity: number;
  #written = 0;
  #lost = 0;

  constructor(memory: BackendMemory) {
    this.#memory = memory;
    this.#capacity = memory.sizes.traceRecords;
  }

  get written(): number {
    return this.#written;
  }

  get lost(): number {
    return this.#lost;
  }

  /** Whether half of the ring is free, or nothing is traced. */
  get hasRoom(): boolean {
    return this.#capacity === 0 || this.#written < (this.#capacity + 1) >> 1;
  }

  clear(): void {
    this.#written = 0;
    this.#lost = 0;
  }

  /** The tracer of a QP; undefined if nothing is traced. */
  tracerOf(qp: number): RateTracer | undefined {
    if (this.#capacity === 0) return undefined;
    let fromBps = 0;
    let why = NOT_DESCRIBED;
    return {
      start: (rateBps) => {
        fromBps = rateBps;
      },
      describe: (reason, inputs, detail = 0, hop = trace.TRACE_NO_HOP) => {
        why = { reason, inputs, detail, hop };
      },
      changed: (timePs, cause, rateBps) => {
        const known = cause === 'notification' ? this.notifiedBy : cause;
        if (rateBps !== fromBps) this.#write([timePs, fromBps, rateBps], [qp, known], why);
        fromBps = rateBps;
        why = NOT_DESCRIBED;
      },
    };
  }

  #write(numbers: readonly [timePs: number, fromBps: number, toBps: number], ids: readonly [qp: number, cause: number],
    why: Description): void {
    if (this.#written === this.#capacity) {
      this.#lost += 1;
      this.#memory.count(trace.COUNTER_TRACE_LOST, 1);
      return;
    }
    const { view } = this.#memory;
    const at = this.#memory.at(trace.REGION_TRACE, this.#written, trace.TRACE_BYTES);
    view.setFloat64(at + trace.TRACE_TIME, numbers[0], true);
    view.setUint32(at + trace.TRACE_QP, ids[0], true);
    view.setUint8(at + trace.TRACE_REASON, why.reason);
    view.setUint8(at + trace.TRACE_CAUSE, ids[1]);
    view.setUint8(at + trace.TRACE_DETAIL, why.detail);
    view.setUint8(at + trace.TRACE_HOP, why.hop);
    view.setFloat64(at + trace.TRACE_FROM, numbers[1], true);
    view.setFloat64(at + trace.TRACE_TO, numbers[2], true);
    for (let i = 0; i < INPUTS; i += 1) view.setFloat64(at + trace.TRACE_INPUTS + i * 8, why.inputs[i] ?? 0, true);
    this.#written += 1;
  }
}
