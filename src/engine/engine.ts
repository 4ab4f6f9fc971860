/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The public engine: endpoints and QPs; input as packet events or raw frames; actions as output; views of the state,
 * counters and snapshots.
 *
 * Created by `createEngine` or `createEngineSync`. Times are integer picoseconds (0..2^53-1), rates bits per second,
 * sizes bytes.
 */
import * as code from '../abi/codes.js';
import { ADDRESS_ARGUMENT, ENDPOINT_CAPACITY_MAX, DESCRIBED_ENDPOINT, DESCRIBED_LOCAL_QPN, QPN_MAX, QP_BYTES,
  QP_NEXT_SEND, QP_RATE, REGION_END, REGION_QPS, REGION_QP_FLAGS } from '../abi/layout.js';
import type { CnpFields } from '../wire/roce/cnp.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { Actions, type CnpAction, cnpFieldsOf, type QpFlow } from './actions.js';
import { addAddresses, addressBytes, openQp, type QpOptions, QpView } from './qps.js';
import type { Backend } from '../abi/engine-abi.js';
import * as fail from './engine-errors.js';
import { hopsNeeded, readsAcks } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { EventBatch, lossCode, type FastCnpFields, type LossFound } from './event-batch.js';
import { regionAddress, type MemoryViews } from './memory-views.js';
import { PacketBatch } from './packet-batch.js';
import type { AckFields, AckRecords, NackFields } from './ack-records.js';
import type { EngineParts } from './parts.js';
import { RateTrace } from './rate-trace.js';
import { setUpBackend } from './set-up.js';
import { checkSnapshot, damagedState, decodeSnapshot, encodeSnapshot } from './snapshot.js';
import { hashState } from './state-hash.js';
import { readStats, type Stats } from './stats.js';

/**
 * An engine for many QPs: takes batches of events or frames, and returns actions. Created by `createEngine` or
 * `createEngineSync`.
 */
export class Engine implements Disposable {
  /** The complete settings, including defaults. */
  readonly config: EngineConfig;
  /** The batch of packet events, reused for every call of `applyEvents`. */
  readonly events: EventBatch;
  /** The batch of raw frames, reused for every call of `applyPackets`. */
  readonly packets: PacketBatch;
  /** Actions of the last call, valid until the next one. */
  readonly actions: Actions;
  /** The explained rate changes of the last call if the option `trace` is set, valid until the next call. */
  readonly trace: RateTrace;
  #running: Backend | undefined;
  readonly #views: MemoryViews;
  readonly #parts: EngineParts;
  /** Capacity in QPs, cached for calls that take one event. */
  readonly #qps: number;
  readonly #firstFlags: number;
  readonly #firstState: number;
  #endpoints = 0;

  /** @internal Use `createEngine`. */
  constructor(backend: Backend, config: EngineConfig, parts: EngineParts) {
    this.config = config;
    this.#parts = parts;
    const { views, custom } = setUpBackend(backend, config, parts);
    this.#views = views;
    this.#running = custom && parts.guardedBackend ? parts.guardedBackend(backend, custom) : backend;
    this.#qps = config.capacity.qps;
    this.#firstFlags = regionAddress(this.#views, REGION_QP_FLAGS);
    this.#firstState = regionAddress(this.#views, REGION_QPS);
    this.events = new EventBatch(this.#views, config.capacity.events, this.#ackRecords());
    this.packets = new PacketBatch(this.#views, config.capacity.packets, config.capacity.frameBytes);
    this.actions = new Actions(this.#views);
    const textOf = custom && ((qp: number, reason: number) => parts.reasonText?.(custom, qp, reason));
    this.trace = new RateTrace(views, parts.RateChangeReader && new parts.RateChangeReader(views, textOf));
  }

  /**
   * Adds a local NIC port with its addresses (IPv4 or IPv6, text or 16 bytes). Raw frames belong to the endpoint that
   * has their source or destination address.
   *
   * @returns the endpoint's number, from 0.
   * @throws RoceError `capacity`; `invalid-argument` if another endpoint has the address.
   */
  addEndpoint(addresses: readonly (string | Uint8Array)[] = []): number {
    this.#views.use();
    if (!Array.isArray(addresses)) throw fail.invalid('addresses', addresses, 'a list of addresses');
    const endpoint = this.#endpoints;
    if (endpoint === this.config.capacity.endpoints) throw fail.noRoom('endpoints', this.config.capacity.endpoints);
    const { abi } = this.#backend;
    addAddresses(addresses, endpoint, { abi, u8: this.#views.u8, capacity: this.config.capacity.addresses });
    this.#endpoints++;
    return endpoint;
  }

  /**
   * Opens a QP at line rate, without a limiter.
   *
   * @returns the QP's number: the lowest free one.
   * @throws RoceError `capacity`, `duplicate-qp`, `invalid-argument`.
   */
  openQp(options: QpOptions): number {
    this.#views.use();
    const { abi } = this.#backend;
    return openQp(options, { abi, config: this.config, endpoints: this.#endpoints, u8: this.#views.u8 });
  }

  /** Closes a QP; its number may be reused. @throws RoceError `unknown-qp` */
  closeQp(qp: number): void {
    this.#open(qp);
    this.#backend.abi.closeQp(qp);
  }

  /** Applies the events of `events` in order and empties it; returns the number of actions. */
  applyEvents(): number {
    this.#views.use();
    const actions = this.#backend.abi.applyEvents(this.events.length);
    this.events.clear();
    return this.#readActions(actions);
  }

  /** Parses and applies the frames of `packets` in order and empties it; returns the number of actions. */
  applyPackets(): number {
    this.#views.use();
    const actions = this.#backend.abi.applyPackets(this.packets.length);
    this.packets.finish();
    return this.#readActions(actions);
  }

  /**
   * Applies everything that is due up to and including `timePs`, for all QPs. It stops early when there are more
   * actions than the ring holds, or more rate changes than half of the trace.
   *
   * @param from where to continue: the value returned by the previous call.
   * @returns where to continue after reading actions and trace, or undefined when all is done.
   */
  advance(timePs: number, from = 0): number | undefined {
    this.#views.use();
    fail.checkTime(timePs);
    fail.checkWhole(from, 0, code.NONE - 1, 'from');
    const next = this.#backend.abi.advance(timePs, from) >>> 0;
    this.#readActions(this.#backend.abi.actionsWritten());
    return next === code.NONE ? undefined : next;
  }

  /** When the rate of this QP can next change without an event, picoseconds; Infinity if it cannot. */
  nextDeadlinePs(qp: number): number {
    this.#open(qp);
    return this.#backend.abi.nextDeadline(qp);
  }

  /**
   * Applies one event: a data packet of `lenBytes` (0..2^28-1, on the wire) was sent. A new rate is also in `actions`.
   * Events waiting in `events` are not applied by this method, nor by the other single-event methods.
   *
   * @returns when the next packet may be sent, picoseconds; 0 means immediately, as for a QP without a rate limiter.
   * @throws RoceError `unknown-qp`; `invalid-argument` for a value out of range, or a time before the QP's last event
   * unless the option is `lateEvents: 'clamp'`. Only the counters have changed then.
   */
  sent(timePs: number, qp: number, lenBytes: number): number {
    this.#openAt(qp, timePs);
    fail.checkWhole(lenBytes, 0, 2 ** 28 - 1, 'lenBytes');
    this.#one(code.EVENT_SENT, timePs, qp, lenBytes);
    return this.#field(qp, QP_NEXT_SEND);
  }

  /** Applies one event: a CNP arrived. @returns the new rate, bits per second. @throws RoceError as `sent`. */
  cnp(timePs: number, qp: number): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_CNP, timePs, qp, 0);
    return this.#field(qp, QP_RATE);
  }

  /**
   * Applies one event: an acknowledgement arrived. It may change when the next packet may be sent: see `nextSendPs`.
   *
   * @returns the new rate, bits per second.
   * @throws RoceError as `sent`, and as `events.ack`.
   */
  ack(timePs: number, qp: number, fields: AckFields): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_ACK, timePs, qp, this.events.putAck(fields));
    return this.#field(qp, QP_RATE);
  }

  /**
   * Applies one event: a Fast CNP arrived.
   *
   * @returns the QP concerned, or undefined if none reacted: `actions` then has the reason. Fast CNPs are rejected
   * unless the options enable and allow them.
   * @throws RoceError `invalid-argument` for a field or a time, as `sent` and `events.fastCnp`.
   */
  fastCnp(timePs: number, fields: FastCnpFields): number | undefined {
    this.#views.use();
    fail.checkEventTime(timePs);
    const record = this.events.putFastCnp(fields);
    fail.checkEndpoint(fields.endpoint, this.#endpoints, 'fastCnp.endpoint');
    const outcome = this.#apply(code.EVENT_FAST_CNP, timePs, fields.endpoint, record);
    if (outcome === code.OUTCOME_FAST_CNP_ACCEPTED) return this.actions.qp(this.actions.length - 1);
    if (outcome !== code.OUTCOME_BAD_TIME && outcome !== code.OUTCOME_TIME_BACKWARDS) return undefined;
    const qp = this.findFlow(fields.endpoint, fields.originalDestination, fields.destQpn) ?? code.NONE;
    throw fail.rejected(outcome, timePs, qp, this.qp(qp).lastEventPs);
  }

  /**
   * Applies one event: a packet was lost, as detected by NAK or selective acknowledgement (`fast`) or by a timeout.
   *
   * @returns the new rate, bits per second.
   * @throws RoceError as `sent`.
   */
  loss(timePs: number, qp: number, found: LossFound = 'fast'): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_LOSS, timePs, qp, lossCode(found));
    return this.#field(qp, QP_RATE);
  }

  /**
   * Applies one event: a NACK arrived, because a switch had trimmed a packet.
   *
   * @returns the new rate, bits per second.
   * @throws RoceError as `sent`, and as `events.nack`.
   */
  nack(timePs: number, qp: number, fields: NackFields): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_NACK, timePs, qp, this.events.putNack(fields));
    return this.#field(qp, QP_RATE);
  }

  /**
   * Applies one event: credit arrived, the receiver's cumulative pull number in quanta of 256 bytes (RCCC). Then
   * `maySend` tells whether there is credit.
   *
   * @returns whether it was new: false for a number no higher than the last one, and for an algorithm without credit.
   * @throws RoceError as `sent`, and as `events.credit`.
   */
  credit(timePs: number, qp: number, pullNumber: number): boolean {
    this.#openAt(qp, timePs);
    return this.#one(code.EVENT_CREDIT, timePs, qp, this.events.putCredit(pullNumber)) === code.OUTCOME_CREDIT_APPLIED;
  }

  /**
   * Applies one event: a CE-marked packet with this P_Key (0..2^16-1) arrived.
   *
   * @returns whether a CNP must be sent now.
   * @throws RoceError as `sent`.
   */
  marked(timePs: number, qp: number, pKey = 0xffff): boolean {
    this.#openAt(qp, timePs);
    fail.checkWhole(pKey, 0, 0xffff, 'pKey');
    return this.#one(code.EVENT_MARKED, timePs, qp, pKey) === code.OUTCOME_CNP_DUE;
  }

  /**
   * Advances this QP to `timePs` without any other event. @returns the new rate, bits per second. @throws RoceError as
   * `sent`.
   */
  touch(timePs: number, qp: number): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_TOUCH, timePs, qp, 0);
    return this.#field(qp, QP_RATE);
  }

  /** Current rate (R_C) as of the QP's last event, bits per second. */
  rateBps(qp: number): number {
    this.#open(qp);
    return this.#field(qp, QP_RATE);
  }

  /**
   * When this QP may send its next packet, picoseconds; 0 means immediately. A window may delay it further: `maySend`.
   */
  nextSendPs(qp: number): number {
    this.#open(qp);
    return this.#field(qp, QP_NEXT_SEND);
  }

  /**
   * Current window of the QP's algorithm: most payload bytes that may be unacknowledged; 0 if there is no window
   * (DCQCN, TIMELY and DCTCP have none). It need not be a whole number; `maySend` applies it.
   */
  windowBytes(qp: number): number {
    return this.qp(qp).windowBytes;
  }

  /**
   * Whether the QP's window allows another packet. Under RCCC: if it has credit, whatever is in flight. Otherwise:
   * always if there is no window, else if `inFlightBytes` is below the window rounded down to whole bytes, at least 1.
   * So the last packet may exceed the window by less than its length, and with nothing in flight one packet may always
   * be sent. The simulator's senders follow the same rule. Source: the ns-3 simulator of HPCC's authors.
   *
   * @param inFlightBytes payload bytes sent but not yet acknowledged, whole, 0..2^53-1: the next sequence number in
   * bytes minus the first unacknowledged one. Headers do not count.
   * @throws RoceError `unknown-qp`, `invalid-argument`.
   */
  maySend(qp: number, inFlightBytes: number): boolean {
    this.#open(qp);
    fail.checkWhole(inFlightBytes, 0, Number.MAX_SAFE_INTEGER, 'inFlightBytes');
    return (this.#backend.abi.maySend?.(qp, inFlightBytes) ?? 1) !== 0;
  }

  /**
   * The pull number that a QP under RCCC requests from its receiver; its next data packet carries it.
   *
   * @param backlogBytes bytes on the wire still to be sent, including retransmissions, whole, 0..2^53-1.
   * @param senders number of QPs waiting for the same port, including this one, 0..2^32-1.
   * @returns quanta of 256 bytes, comparable with the pull numbers granted; negative if a new QP's credit exceeds its
   * backlog.
   * @throws RoceError `unknown-qp`, `invalid-argument`; `unsupported` for an algorithm without credit.
   */
  pullTarget(qp: number, backlogBytes: number, senders = 1): number {
    this.#open(qp);
    fail.checkWhole(backlogBytes, 0, Number.MAX_SAFE_INTEGER, 'backlogBytes');
    fail.checkWhole(senders, 0, code.NONE, 'senders');
    const target = this.#backend.abi.pullTarget?.(qp, backlogBytes, senders) ?? NaN;
    if (Number.isNaN(target)) throw fail.noCredit(qp);
    return target;
  }

  /** A live view of this QP's state. */
  qp(qp: number): QpView {
    this.#open(qp);
    return new QpView(this.config, this.#backend.abi, this.#views, qp, this.#parts);
  }

  /** Whether a QP with this number is open. */
  isOpen(qp: number): boolean {
    const { u8 } = this.#views;
    if (typeof qp !== 'number' || qp >>> 0 !== qp || qp >= this.#qps) return false;
    return ((u8[this.#firstFlags + qp] ?? 0) & code.QP_OPEN) !== 0;
  }

  /** Numbers of all open QPs, ascending. */
  openQps(): Generator<number> {
    this.#views.use();
    return this.#openNumbers();
  }

  *#openNumbers(): Generator<number, undefined> {
    for (let qp = 0; qp < this.config.capacity.qps; qp++) if (this.isOpen(qp)) yield qp;
  }

  /** Addresses and QPNs with which this QP was opened. */
  flowOf(qp: number): QpFlow {
    this.#open(qp);
    const peerQpn = this.#backend.abi.describeQp(qp);
    const word = (offset: number): number => this.#views.u32[(ADDRESS_ARGUMENT + offset) >>> 2] ?? 0;
    const peerAddress = this.#views.u8.slice(ADDRESS_ARGUMENT, ADDRESS_ARGUMENT + IP_ADDRESS_BYTES);
    return { endpoint: word(DESCRIBED_ENDPOINT), localQpn: word(DESCRIBED_LOCAL_QPN), peerAddress, peerQpn };
  }

  /** Input of `Cnp.write` of roce-cc/wire for a CNP action, as configured; `source` is the local address. */
  cnpFields(action: CnpAction, source: string | Uint8Array): CnpFields {
    fail.checkObject(action, 'action', 'a CNP action');
    const { cnp } = this.config.notificationPoint;
    return cnpFieldsOf(action, this.flowOf(action.qp), cnp, addressBytes(source, 'source'));
  }

  /** Finds a QP by its peer, as for a Fast CNP; undefined if there is none. */
  findFlow(endpoint: number, peerAddress: string | Uint8Array, peerQpn: number): number | undefined {
    this.#putFlow(endpoint, peerAddress, peerQpn);
    return found(this.#backend.abi.findFlow(endpoint, peerQpn));
  }

  /** Finds a QP by its local QPN, as for a CNP; undefined if there is none. */
  findLocal(endpoint: number, localQpn: number): number | undefined {
    this.#views.use();
    fail.checkWhole(endpoint, 0, ENDPOINT_CAPACITY_MAX, 'endpoint');
    fail.checkWhole(localQpn, 0, QPN_MAX, 'localQpn');
    return found(this.#backend.abi.findLocal(endpoint, localQpn));
  }

  /** Number of groups of 16 hash slots inspected to look up this flow: 1 or slightly more, for any keys. */
  flowProbes(endpoint: number, peerAddress: string | Uint8Array, peerQpn: number): number {
    this.#putFlow(endpoint, peerAddress, peerQpn);
    return this.#backend.abi.flowProbes(endpoint, peerQpn);
  }

  /** Returns all counters. */
  stats(): Stats {
    this.#views.use();
    return readStats(this.#views);
  }

  /** Bytes of memory used by QPs and tables, without batches and settings. */
  get stateBytes(): number {
    return regionAddress(this.#views, REGION_END) - regionAddress(this.#views, REGION_QPS);
  }

  /** Hash of the state of all open QPs, 16 hexadecimal digits, equal on every backend and machine. */
  stateHash(): string {
    this.#views.use();
    return hashState(this.#backend.abi, this.#views, this.config.capacity.qps);
  }

  /** The complete state of this engine, without events and frames that have not been applied. */
  snapshot(): Uint8Array {
    this.#views.use();
    const header = { build: this.#backend.build, config: this.config, endpoints: this.#endpoints };
    return encodeSnapshot({ header, state: this.#backend.save() });
  }

  /**
   * Restores a snapshot of an engine with the same build and configuration. This engine may have more capacity: QPs and
   * endpoints keep their numbers, so a full engine can move to a larger one.
   *
   * @throws RoceError `snapshot-mismatch` naming the settings that differ; the engine is unchanged then.
   * @example
   * const larger = createEngineSync({ ...options, capacity: { qps: 100_000 } });
   * larger.restore(engine.snapshot());
   */
  restore(snapshot: Uint8Array): void {
    this.#views.use();
    const { header, state } = decodeSnapshot(snapshot);
    checkSnapshot(header, this.#backend.build, this.config);
    const { endpoints } = header;
    const isKnown = endpoints >= 0 && endpoints <= this.config.capacity.endpoints;
    if (!isKnown || !this.#backend.load(state, this.config.parameterSets.length, endpoints)) {
      throw damagedState();
    }
    this.#endpoints = endpoints;
    this.events.clear();
    this.packets.clear();
    this.actions.setLength(0);
    this.trace.setLength(0, 0);
  }

  /**
   * Releases the memory. May be called repeatedly; all other methods of the engine, its batches, lists and views throw
   * afterwards.
   */
  dispose(): void {
    this.#running = undefined;
    this.#views.dispose();
    this.events.dispose();
  }

  /** Same as `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  get #backend(): Backend {
    if (this.#running === undefined) throw fail.disposed();
    return this.#running;
  }

  /** Undefined if no parameter set reads acknowledgements. */
  #ackRecords(): AckRecords | undefined {
    const { algorithms, AckRecords: Records } = this.#parts;
    const { parameterSets } = this.config;
    if (!Records || !parameterSets.some((set) => readsAcks(set, algorithms))) return undefined;
    return new Records(this.#views, hopsNeeded(parameterSets, algorithms));
  }

  #open(qp: number): void {
    if (!this.isOpen(qp)) throw fail.unknownQp(qp);
  }

  #readActions(actions: number): number {
    const { abi } = this.#backend;
    this.actions.setLength(actions);
    if (this.config.traceRecords > 0) this.trace.setLength(abi.traceWritten?.() ?? 0, abi.traceLost?.() ?? 0);
    return actions;
  }

  /** Checks that the QP is open and that the event time is valid. */
  #openAt(qp: number, timePs: number): void {
    this.#open(qp);
    fail.checkEventTime(timePs);
  }

  /** Applies one event and returns its outcome. */
  #apply(kind: number, timePs: number, qp: number, value: number): number {
    const outcome = this.#backend.abi.applyEvent(kind, qp, timePs, value);
    this.#readActions(this.#backend.abi.actionsWritten());
    return outcome;
  }

  /** As `#apply`, but throws if the event is rejected. */
  #one(kind: number, timePs: number, qp: number, value: number): number {
    const outcome = this.#apply(kind, timePs, qp, value);
    if (outcome >= code.FIRST_REJECTED) throw fail.rejected(outcome, timePs, qp, this.qp(qp).lastEventPs);
    return outcome;
  }

  #field(qp: number, field: number): number {
    return this.#views.f64[(this.#firstState + qp * QP_BYTES + field) >>> 3] ?? NaN;
  }

  #putFlow(endpoint: number, peerAddress: string | Uint8Array, peerQpn: number): void {
    this.#views.use();
    fail.checkWhole(endpoint, 0, ENDPOINT_CAPACITY_MAX, 'endpoint');
    fail.checkWhole(peerQpn, 0, QPN_MAX, 'peerQpn');
    this.#views.u8.set(addressBytes(peerAddress, 'peerAddress'), ADDRESS_ARGUMENT);
  }
}

function found(qp: number): number | undefined {
  return qp >>> 0 === code.NONE ? undefined : qp;
}
