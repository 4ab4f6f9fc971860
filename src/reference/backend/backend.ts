/**
 * The `js` backend: the readable reference models with the interface of engine.wasm.
 *
 * Role     the oracle that the wasm engine is compared with, event by event; also runs where wasm is not allowed.
 * Parts    events.ts, packets.ts   the two kinds of input
 *          state.ts                events on models, actions, counters, addresses
 *          qps.ts, marks.ts        QPs, CNP windows, and their records
 *          ../backend-memory.ts    the regions and records shared with the host, in one ArrayBuffer
 * State    as bytes: the fixed part of the memory and everything from the QPs on, like that of the wasm backend; its
 *          length depends only on the capacity.
 * Differs only in the counters of timer steps and probes: the models take other shortcuts, and a Map has no probes.
 */
import type { Backend, EngineAbi } from '../../abi/engine-abi.js';
import { capacityOf, hasRoomFor, isSameCapacity } from '../../abi/records/engine-capacity.js';
import { NONE } from '../../abi/codes.js';
import { CAPACITY_ADDRESS, FIXED_END, ADDRESS_ARGUMENT, DESCRIBED_ENDPOINT, DESCRIBED_LOCAL_QPN,
  REGION_QPS } from '../../abi/layout.js';
import type { EngineConfig } from '../../config/engine-config.js';
import { RoceError } from '../../errors.js';
import { BackendMemory, asU32, readCapacity } from '../backend-memory.js';
import { AckController } from '../rp/reaction-points.js';
import { applyEvents, applySingle } from './events.js';
import { applyPackets, parseRulesOf } from './packets.js';
import { BackendState } from './state.js';

/** An engine made of the reference models. `config` must come from `engineConfig`. */
export class ReferenceBackend implements Backend {
  readonly build = 'js 2';
  readonly #config: EngineConfig;
  readonly #engine: ReferenceEngine;

  constructor(config: EngineConfig) {
    this.#config = config;
    this.#engine = new ReferenceEngine(config);
  }

  get abi(): EngineAbi {
    return this.#engine;
  }

  /** Returns all state as bytes, which `load` accepts. */
  save(): Uint8Array {
    const { state } = this.#engine;
    state.save();
    const [fixed, tables] = state.memory.stateParts();
    const bytes = new Uint8Array(fixed.length + tables.length);
    bytes.set(fixed);
    bytes.set(tables, fixed.length);
    return bytes;
  }

  /** Restores a state. Returns false for bytes that saving the restored state does not reproduce. */
  load(bytes: Uint8Array): boolean {
    const { memory } = this.#engine.state;
    if (bytes.length < FIXED_END || !hasRoomFor(memory.u8, bytes)) return false;
    return isSameCapacity(memory.u8, bytes) ? this.#loadEqual(bytes) : this.#loadSmaller(bytes);
  }

  #loadEqual(bytes: Uint8Array): boolean {
    const before = this.save();
    if (bytes.length === before.length && this.#goesOnFrom(bytes)) return true;
    this.#overwrite(before);
    return false;
  }

  /** Checks the state in an engine of its size, then copies it. */
  #loadSmaller(bytes: Uint8Array): boolean {
    const smaller = new ReferenceBackend(this.#config);
    new Uint8Array(smaller.abi.memory.buffer).set(capacityOf(bytes), CAPACITY_ADDRESS);
    if (!smaller.abi.initialise() || !smaller.#loadEqual(bytes)) return false;
    this.#engine.takeOver(smaller.#engine.state.memory);
    return true;
  }

  #goesOnFrom(bytes: Uint8Array): boolean {
    try {
      this.#overwrite(bytes);
    } catch {
      return false;
    }
    return this.save().every((byte, index) => byte === bytes[index]);
  }

  #overwrite(bytes: Uint8Array): void {
    const [fixed, tables] = this.#engine.state.memory.stateParts();
    fixed.set(bytes.subarray(0, fixed.length));
    tables.set(bytes.subarray(fixed.length));
    this.#engine.reload();
  }
}

/**
 * The exports of engine.wasm, implemented with the reference models: same calls, records and codes (`abi/`).
 *
 * Parameters and settings come from the configuration, not from the numbers that the host writes into memory, so
 * `configure` and `restored` have nothing to do.
 */
const QPN_MASK = 0xffffff;

class ReferenceEngine implements EngineAbi {
  readonly #config: EngineConfig;
  /** Memory before `initialise`: only the fixed part. */
  readonly #fixed = new ArrayBuffer(FIXED_END);
  #state: BackendState | undefined;

  constructor(config: EngineConfig) {
    this.#config = config;
  }

  get memory(): { readonly buffer: ArrayBuffer } {
    return this.#state?.memory ?? { buffer: this.#fixed };
  }

  /** The state behind the exports. Throws `unsupported` before `initialise`. */
  get state(): BackendState {
    if (this.#state) return this.#state;
    throw new RoceError('unsupported', {
      what: 'engine',
      problem: 'has no memory before initialise',
      where: 'initialise',
    });
  }

  /** Replaces the models by new ones made from the records in memory. */
  reload(): void {
    const { memory } = this.state;
    const records = memory.u8.slice();
    const state = new BackendState(memory, this.#config);
    memory.u8.set(records);
    state.load();
    this.#state = state;
  }

  /** Replaces the whole state by the records of a smaller engine. */
  takeOver(smaller: BackendMemory): void {
    const { memory } = this.state;
    memory.u8.fill(0, memory.at(REGION_QPS));
    new BackendState(memory, this.#config).save();
    memory.copyFrom(smaller);
    this.reload();
  }

  initialise(): number {
    try {
      this.#state = new BackendState(new BackendMemory(readCapacity(this.#fixed)), this.#config);
    } catch (error) {
      if (error instanceof RangeError) return 0;
      throw error;
    }
    return 1;
  }

  configure(): void {
    return;
  }

  restored(): number {
    return 1;
  }

  addAddress(endpoint: number): number {
    return this.state.addresses.add(endpoint, this.#addressArgument()) ? 1 : 0;
  }

  removeAddress(): void {
    this.state.addresses.remove(this.#addressArgument());
  }

  openQp(endpoint: number, localQpn: number, peerQpn: number, parameterSet: number): number {
    return this.state.openQp(endpoint, localQpn, this.#addressArgument(), peerQpn, parameterSet);
  }

  describeQp(qp: number): number {
    const { memory, qps } = this.state;
    const flow = qps.flows.flowOf(qp);
    if (!flow) return 0;
    memory.u8.set(flow.peerAddress, ADDRESS_ARGUMENT);
    memory.u32[(ADDRESS_ARGUMENT + DESCRIBED_ENDPOINT) >>> 2] = flow.endpoint;
    memory.u32[(ADDRESS_ARGUMENT + DESCRIBED_LOCAL_QPN) >>> 2] = flow.localQpn;
    return flow.peerQpn;
  }

  closeQp(qp: number): void {
    this.state.closeQp(qp);
  }

  applyEvents(n: number): number {
    this.state.clearOutput();
    applyEvents(this.state, n);
    return this.actionsWritten();
  }

  applyPackets(n: number): number {
    this.state.clearOutput();
    applyPackets(this.state, parseRulesOf(this.#config), this.#config.telemetry, n);
    return this.actionsWritten();
  }

  advance(timePs: number, from: number): number {
    const { actions, trace, marks, memory } = this.state;
    const { qps } = memory.sizes;
    const end = qps + marks.windowCount;
    this.state.clearOutput();
    let at = from >>> 0;
    for (; at < end && actions.hasRoom && (trace.hasRoom || at >= qps); at++) {
      if (at < qps) this.state.advance(at, timePs);
      else marks.flush(at - qps, timePs);
    }
    return at < end ? at : NONE;
  }

  actionsWritten(): number {
    return this.state.actions.written;
  }

  traceWritten(): number {
    return this.state.trace.written;
  }

  traceLost(): number {
    return this.state.trace.lost;
  }

  nextDeadline(qp: number): number {
    return this.state.qps.models.get(qp)?.nextDeadlinePs() ?? Infinity;
  }

  applyEvent(kind: number, qp: number, timePs: number, value: number): number {
    this.state.clearOutput();
    return applySingle(this.state, { kind, qp, timePs, value });
  }

  maySend(qp: number, inFlightBytes: number): number {
    const model = this.state.qps.models.get(qp);
    return model instanceof AckController && !model.maySend(inFlightBytes) ? 0 : 1;
  }

  pullTarget(qp: number, backlogBytes: number, senders: number): number {
    const model = this.state.qps.models.get(qp);
    return model instanceof AckController ? model.pullTarget(backlogBytes, senders) : NaN;
  }

  findFlow(endpoint: number, peerQpn: number): number {
    return asU32(this.state.qps.flows.findByPeer(endpoint, this.#addressArgument(), peerQpn & QPN_MASK));
  }

  findLocal(endpoint: number, localQpn: number): number {
    return asU32(this.state.qps.flows.findByLocal(endpoint, localQpn & QPN_MASK));
  }

  /** Always 0: a Map has no slots to probe. */
  flowProbes(): number {
    return 1;
  }

  stateAddress(qp: number): number {
    return this.state.qps.stateAddress(qp);
  }

  #addressArgument(): Uint8Array {
    return this.state.memory.address(ADDRESS_ARGUMENT);
  }
}
