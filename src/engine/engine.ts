/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The engine as its users see it: endpoints and QPs, two doors in (packet events, raw frames), actions out, views on
 * state, counters, snapshots.
 *
 * Made by `createEngine` or `createEngineSync`. Numbers: times integer picoseconds (0..2^53-1), rates bits per second,
 * sizes bytes.
 */
import * as code from '../abi/codes.js';
import { ADDRESS_ARGUMENT, ENDPOINT_CAPACITY_MAX, DESCRIBED_ENDPOINT, DESCRIBED_LOCAL_QPN, QPN_MAX, QP_BYTES,
  QP_NEXT_SEND, QP_RATE, REGION_END, REGION_QPS, REGION_QP_FLAGS } from '../abi/layout.js';
import type { CnpFields } from '../wire/roce/cnp.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { Actions, type CnpAction } from './actions.js';
import { addAddresses } from './add-addresses.js';
import { addressBytes } from './address-bytes.js';
import { cnpFieldsOf, type QpFlow } from './cnp-fields.js';
import type { Backend } from '../abi/backend.js';
import * as fail from './engine-errors.js';
import { hopsNeeded, readsAcks } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import { EventBatch, lossCode, type FastCnpFields, type LossFound } from './event-batch.js';
import { regionAddress, type MemoryViews } from './memory-views.js';
import { openQp, type QpOptions } from './open-qp.js';
import { PacketBatch } from './packet-batch.js';
import type { AckFields, AckRecords, NackFields } from './ack-records.js';
import type { EngineParts } from './parts.js';
import { RateTrace } from './rate-trace.js';
import { QpView } from './qp-view.js';
import { setUpBackend } from './set-up.js';
import { checkSnapshot, damagedState, decodeSnapshot, encodeSnapshot } from './snapshot.js';
import { hashState } from './state-hash.js';
import { readStats, type Stats } from './stats.js';

/** One engine: endpoints and QPs in, batches applied, actions out. Made by `createEngine` or `createEngineSync`. */
export class Engine implements Disposable {
  /** The settings in full, defaults included. */
  readonly config: EngineConfig;
  /** The reusable batch of packet events. */
  readonly events: EventBatch;
  /** The reusable batch of raw frames. */
  readonly packets: PacketBatch;
  /** Actions of the last call: readable until the next one. */
  readonly actions: Actions;
  /** The rate changes of the last call, explained, where the options say `trace`: readable until the next one. */
  readonly trace: RateTrace;
  #running: Backend | undefined;
  readonly #views: MemoryViews;
  readonly #parts: EngineParts;
  /** Read at every call for one event. */
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
   * Adds a local NIC port with its addresses (IPv4 or IPv6, text or 16 bytes); raw frames are sent or received by the
   * endpoint that has their address.
   *
   * @returns its number, counted from 0.
   * @throws RoceError `capacity`, `invalid-argument` (an address that another endpoint has).
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
   * @returns its number: the lowest free one.
   * @throws RoceError `capacity`, `duplicate-qp`, `invalid-argument`.
   */
  openQp(options: QpOptions): number {
    this.#views.use();
    const { abi } = this.#backend;
    return openQp(options, { abi, config: this.config, endpoints: this.#endpoints, u8: this.#views.u8 });
  }

  /** Closes a QP; its number may be given to another one. @throws RoceError `unknown-qp` */
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
   * Applies everything that is due up to and including `timePs`, for all QPs. When there are more actions than the
   * ring holds, or more rate changes than half of the trace, it stops early.
   *
   * @param from where to continue: what the last call returned.
   * @returns where to continue once actions and trace are read, or undefined when all is done.
   */
  advance(timePs: number, from = 0): number | undefined {
    this.#views.use();
    fail.checkTime(timePs);
    fail.checkWhole(from, 0, code.NONE - 1, 'from');
    const next = this.#backend.abi.advance(timePs, from) >>> 0;
    this.#readActions(this.#backend.abi.actionsWritten());
    return next === code.NONE ? undefined : next;
  }

  /** When the rate of this QP can next change without an event, picoseconds; Infinity when it can't. */
  nextDeadlinePs(qp: number): number {
    this.#open(qp);
    return this.#backend.abi.nextDeadline(qp);
  }

  /**
   * One event at once: a data packet of `lenBytes` (0..2^28-1, on the wire) left. A new rate is in `actions` too. Events that wait in
   * `events` are not applied by this call, nor by the others that take one event.
   *
   * @returns when the next packet may leave, picoseconds; 0 = at once, as for a QP without a rate limiter.
   * @throws RoceError `unknown-qp`; `invalid-argument` for a value out of range, and a time before the QP's last event unless
   * the options say `lateEvents: 'clamp'`. Nothing has changed then but the counters.
   */
  sent(timePs: number, qp: number, lenBytes: number): number {
    this.#openAt(qp, timePs);
    fail.checkWhole(lenBytes, 0, 2 ** 28 - 1, 'lenBytes');
    this.#one(code.EVENT_SENT, timePs, qp, lenBytes);
    return this.#field(qp, QP_NEXT_SEND);
  }

  /** One event at once: a CNP arrived. @returns the rate now, bits per second. @throws RoceError as `sent`. */
  cnp(timePs: number, qp: number): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_CNP, timePs, qp, 0);
    return this.#field(qp, QP_RATE);
  }

  /**
   * One event at once: an acknowledgement arrived. The gap after the last packet may have moved: `nextSendPs`.
   *
   * @returns the rate now, bits per second.
   * @throws RoceError as `sent`, and as `events.ack`.
   */
  ack(timePs: number, qp: number, fields: AckFields): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_ACK, timePs, qp, this.events.putAck(fields));
    return this.#field(qp, QP_RATE);
  }

  /**
   * One event at once: a Fast CNP arrived.
   *
   * @returns the QP that it concerned, or undefined where none reacted: `actions` then has the reason. Fast CNPs are rejected unless
   * the options enable and allow them.
   * @throws RoceError `invalid-argument` for a field or a time as of `sent`; as `events.fastCnp`.
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
   * One event at once: a packet was lost, as NAK or selective acknowledgement (`fast`) or a timeout tell.
   *
   * @returns the rate now, bits per second.
   * @throws RoceError as `sent`.
   */
  loss(timePs: number, qp: number, found: LossFound = 'fast'): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_LOSS, timePs, qp, lossCode(found));
    return this.#field(qp, QP_RATE);
  }

  /**
   * One event at once: a NACK arrived, as a switch had trimmed a packet.
   *
   * @returns the rate now, bits per second.
   * @throws RoceError as `sent`, and as `events.nack`.
   */
  nack(timePs: number, qp: number, fields: NackFields): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_NACK, timePs, qp, this.events.putNack(fields));
    return this.#field(qp, QP_RATE);
  }

  /**
   * One event at once: credit arrived, the receiver's cumulative pull number in quanta of 256 bytes (RCCC). `maySend` then says whether
   * there is credit.
   *
   * @returns whether it was news: not for a number no higher than the last one, nor for an algorithm without credit.
   * @throws RoceError as `sent`, and as `events.credit`.
   */
  credit(timePs: number, qp: number, pullNumber: number): boolean {
    this.#openAt(qp, timePs);
    return this.#one(code.EVENT_CREDIT, timePs, qp, this.events.putCredit(pullNumber)) === code.OUTCOME_CREDIT_APPLIED;
  }

  /**
   * One event at once: a CE-marked packet with this P_Key (0..2^16-1) arrived.
   *
   * @returns whether a CNP is to be sent now.
   * @throws RoceError as `sent`.
   */
  marked(timePs: number, qp: number, pKey = 0xffff): boolean {
    this.#openAt(qp, timePs);
    fail.checkWhole(pKey, 0, 0xffff, 'pKey');
    return this.#one(code.EVENT_MARKED, timePs, qp, pKey) === code.OUTCOME_CNP_DUE;
  }

  /** Only time passed for this QP. @returns the rate now, bits per second. @throws RoceError as `sent`. */
  touch(timePs: number, qp: number): number {
    this.#openAt(qp, timePs);
    this.#one(code.EVENT_TOUCH, timePs, qp, 0);
    return this.#field(qp, QP_RATE);
  }

  /** R_C as of its last event, bits per second. */
  rateBps(qp: number): number {
    this.#open(qp);
    return this.#field(qp, QP_RATE);
  }

  /** When this QP may send its next packet, picoseconds; 0 = at once. A window may hold it back longer: `maySend`. */
  nextSendPs(qp: number): number {
    this.#open(qp);
    return this.#field(qp, QP_NEXT_SEND);
  }

  /**
   * Most payload bytes that may be unacknowledged, as the QP's algorithm has it now; 0 = no window (DCQCN, TIMELY, DCTCP have none). It
   * is no whole number in general; `maySend` has the rule.
   */
  windowBytes(qp: number): number {
    return this.qp(qp).windowBytes;
  }

  /**
   * Whether the QP's window lets another packet leave: under RCCC while it has credit, whatever is in flight; else always where there is no window, else while `inFlightBytes` is below the
   * window in whole bytes, which are at least 1. So the last packet may exceed the window by less than its length, and
   * with nothing in flight one packet may always leave. The simulator's own senders follow the same rule. Source: the ns-3 simulator
   * of HPCC's authors.
   *
   * @param inFlightBytes payload bytes that have left and are not acknowledged yet, whole, 0..2^53-1: in sequence numbers of bytes, next
   * to be sent less first unacknowledged. Headers do not count.
   * @throws RoceError `unknown-qp`, `invalid-argument`.
   */
  maySend(qp: number, inFlightBytes: number): boolean {
    this.#open(qp);
    fail.checkWhole(inFlightBytes, 0, Number.MAX_SAFE_INTEGER, 'inFlightBytes');
    return (this.#backend.abi.maySend?.(qp, inFlightBytes) ?? 1) !== 0;
  }

  /**
   * The pull number that a QP under RCCC asks its receiver for; its next data packet carries it.
   *
   * @param backlogBytes bytes on the wire still to be sent, packets to be retransmitted included, whole, 0..2^53-1.
   * @param senders QPs that wait for the same port, this one included, 0..2^32-1.
   * @returns quanta of 256 bytes, to be compared with the pull numbers granted; below 0 where a new QP's credit exceeds its backlog.
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

  /** A live view on the state of this QP. */
  qp(qp: number): QpView {
    this.#open(qp);
    return new QpView(this.config, this.#backend.abi, this.#views, qp, this.#parts);
  }

  /** Whether this is the number of an open QP. */
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

  /** Addresses and QPNs that this QP was opened with. */
  flowOf(qp: number): QpFlow {
    this.#open(qp);
    const peerQpn = this.#backend.abi.describeQp(qp);
    const word = (offset: number): number => this.#views.u32[(ADDRESS_ARGUMENT + offset) >>> 2] ?? 0;
    const peerAddress = this.#views.u8.slice(ADDRESS_ARGUMENT, ADDRESS_ARGUMENT + IP_ADDRESS_BYTES);
    return { endpoint: word(DESCRIBED_ENDPOINT), localQpn: word(DESCRIBED_LOCAL_QPN), peerAddress, peerQpn };
  }

  /** Input of `Cnp.write` of roce-cc/wire for a CNP action, as configured; `source`: the local address. */
  cnpFields(action: CnpAction, source: string | Uint8Array): CnpFields {
    fail.checkObject(action, 'action', 'a CNP action');
    const { cnp } = this.config.notificationPoint;
    return cnpFieldsOf(action, this.flowOf(action.qp), cnp, addressBytes(source, 'source'));
  }

  /** The QP with this peer, as a Fast CNP finds it; undefined when there is none. */
  findFlow(endpoint: number, peerAddress: string | Uint8Array, peerQpn: number): number | undefined {
    this.#putFlow(endpoint, peerAddress, peerQpn);
    return found(this.#backend.abi.findFlow(endpoint, peerQpn));
  }

  /** The QP with this local QPN, as a CNP finds it; undefined when there is none. */
  findLocal(endpoint: number, localQpn: number): number | undefined {
    this.#views.use();
    fail.checkWhole(endpoint, 0, ENDPOINT_CAPACITY_MAX, 'endpoint');
    fail.checkWhole(localQpn, 0, QPN_MAX, 'localQpn');
    return found(this.#backend.abi.findLocal(endpoint, localQpn));
  }

  /** Groups of 16 slots that a lookup of this flow inspects: 1 or little more, for any keys. */
  flowProbes(endpoint: number, peerAddress: string | Uint8Array, peerQpn: number): number {
    this.#putFlow(endpoint, peerAddress, peerQpn);
    return this.#backend.abi.flowProbes(endpoint, peerQpn);
  }

  /** All counters. */
  stats(): Stats {
    this.#views.use();
    return readStats(this.#views);
  }

  /** Bytes of memory that QPs and tables take, batches and settings apart. */
  get stateBytes(): number {
    return regionAddress(this.#views, REGION_END) - regionAddress(this.#views, REGION_QPS);
  }

  /** Fingerprint of the state of all open QPs, 16 hexadecimal digits, equal on every backend and machine. */
  stateHash(): string {
    this.#views.use();
    return hashState(this.#backend.abi, this.#views, this.config.capacity.qps);
  }

  /** Everything this engine knows; events and frames not yet applied are not part of it. */
  snapshot(): Uint8Array {
    this.#views.use();
    const header = { build: this.#backend.build, config: this.config, endpoints: this.#endpoints };
    return encodeSnapshot({ header, state: this.#backend.save() });
  }

  /**
   * Goes back to a snapshot of an engine with the same build and configuration. The capacity of this engine may be larger:
   * QPs and endpoints keep their numbers, so that the state of an engine that is full moves to a larger one.
   *
   * @throws RoceError `snapshot-mismatch`, naming the settings that differ; nothing has changed then.
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
   * Lets go of the memory. May be called again; every other method of the engine, its batches, lists and views throws
   * from then on.
   */
  dispose(): void {
    this.#running = undefined;
    this.#views.dispose();
    this.events.dispose();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  get #backend(): Backend {
    if (this.#running === undefined) throw fail.disposed();
    return this.#running;
  }

  /** Undefined where no parameter set reads acknowledgements. */
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

  /** An open QP, and the time of an event of it. */
  #openAt(qp: number, timePs: number): void {
    this.#open(qp);
    fail.checkEventTime(timePs);
  }

  /** Applies one event; its outcome. */
  #apply(kind: number, timePs: number, qp: number, value: number): number {
    const outcome = this.#backend.abi.applyEvent(kind, qp, timePs, value);
    this.#readActions(this.#backend.abi.actionsWritten());
    return outcome;
  }

  /** The same of an event that concerns one QP and can be applied, or the call throws. */
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
