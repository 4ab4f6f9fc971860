/**
 * The reusable batch of packet events, written directly into linear memory: 16 bytes each, no allocation.
 *
 * `engine.applyEvents()` consumes the added events and leaves the batch empty.
 */
import { LOSS_FAST, LOSS_TIMEOUT } from '../abi/ack-layout.js';
import { EVENT_ACK, EVENT_CNP, EVENT_CREDIT, EVENT_FAST_CNP, EVENT_LOSS, EVENT_MARKED, EVENT_NACK, EVENT_SENT,
  EVENT_TOUCH } from '../abi/codes.js';
import { EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_VALUE_MAX, FAST_CNP_DEST_QPN, FAST_CNP_EVENT_BYTES,
  FAST_CNP_ORIGINAL_DESTINATION, FAST_CNP_SOURCE, FAST_CNP_TELEMETRY, QPN_MAX, REGION_EVENTS,
  REGION_FAST_CNP_EVENTS } from '../abi/layout.js';
import { RoceError } from '../errors.js';
import { addressBytes } from './qps.js';
import { checkEventTime, checkObject, checkWhole, disposed, fullBatch, invalid } from './engine-errors.js';
import type { AckFields, AckRecords, ExactAckTelemetry, NackFields } from './ack-records.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** Fields of a Fast CNP, for callers that parse the packet themselves. */
export interface FastCnpFields {
  /** Number of the local NIC port that received it. */
  readonly endpoint: number;
  /** IPv6 source address, that of the notifying switch or of the receiver, text or 16 bytes. */
  readonly source: string | Uint8Array;
  /** Destination address of the congested data packet, from the option, text or 16 bytes. */
  readonly originalDestination: string | Uint8Array;
  /**
   * Destination QP of the BTH, 24 bits: the peer's, as `peerQpn` of `openQp`. A Fast CNP carries the same one as the
   * congested data packet.
   */
  readonly destQpn: number;
  /** Hops on the congested packet's path up to the switch, for QPs under HPCC++; default none. */
  readonly telemetry?: ExactAckTelemetry;
}

/** How a loss was detected: by a NAK or selective acknowledgement, or by a timeout. */
export type LossFound = 'fast' | 'timeout';

/** @internal The LOSS_* code. @throws RoceError `invalid-argument` */
export function lossCode(found: LossFound): number {
  if (found !== 'fast' && found !== 'timeout') throw invalid('found', found, ['fast', 'timeout']);
  return found === 'timeout' ? LOSS_TIMEOUT : LOSS_FAST;
}

/** A limit below every length, so that adding fails. */
const DISPOSED = -1;

/**
 * Packet events to be applied: `engine.events`. Every method that adds throws RoceError `capacity` when the batch is
 * full, and `invalid-argument` for a QP, a time or a value that is not a whole number. A time out of range does not
 * throw: the engine counts it.
 */
export class EventBatch {
  /** Number of events that the batch holds between two `applyEvents`. */
  readonly capacity: number;
  #u32: Uint32Array;
  #f64: Float64Array;
  #u8: Uint8Array;
  readonly #first: number;
  readonly #firstFastCnp: number;
  #length = 0;
  /** Same as `capacity`, or DISPOSED once the engine is disposed, so that adding an event checks a single number. */
  #limit: number;
  #acks: AckRecords | undefined;
  #fastCnps = 0;
  #ackCount = 0;

  /** @internal Use `engine.events`. @param acks writes acknowledgements; undefined if no parameter set reads them. */
  constructor(views: MemoryViews, capacity: number, acks?: AckRecords) {
    this.#acks = acks;
    this.capacity = capacity;
    this.#limit = capacity;
    this.#u32 = views.u32;
    this.#f64 = views.f64;
    this.#u8 = views.u8;
    this.#first = regionAddress(views, REGION_EVENTS);
    this.#firstFastCnp = regionAddress(views, REGION_FAST_CNP_EVENTS);
  }

  /** Number of events added since the last `applyEvents`. */
  get length(): number {
    if (this.#limit === DISPOSED) throw disposed();
    return this.#length;
  }

  /** Whether the batch is full. */
  get isFull(): boolean {
    return this.length === this.capacity;
  }

  /** A data packet of `lenBytes` (0..2^28-1, on the wire) was sent by `qp` at `timePs`. */
  sent(timePs: number, qp: number, lenBytes: number): void {
    this.#add(timePs, qp, EVENT_SENT, lenBytes);
  }

  /** A CNP for `qp` arrived. */
  cnp(timePs: number, qp: number): void {
    this.#add(timePs, qp, EVENT_CNP, 0);
  }

  /** A CE-marked data packet for `qp` arrived; its P_Key is copied into the CNP. */
  marked(timePs: number, qp: number, pKey = 0xffff): void {
    this.#add(timePs, qp, EVENT_MARKED, pKey);
  }

  /** Advances `qp` to `timePs`: everything due up to and including it is applied. */
  touch(timePs: number, qp: number): void {
    this.#add(timePs, qp, EVENT_TOUCH, 0);
  }

  /**
   * A Fast CNP arrived.
   * @throws RoceError `invalid-argument` for a field out of range, `capacity` when the batch is full; errors of its
   * telemetry as for `ack`.
   */
  fastCnp(timePs: number, fields: FastCnpFields): void {
    const record = this.putFastCnp(fields);
    this.#add(timePs, fields.endpoint, EVENT_FAST_CNP, record);
    this.#fastCnps++;
    if (fields.telemetry) this.#ackCount++;
  }

  /**
   * An acknowledgement for `qp` arrived.
   * @throws RoceError `invalid-argument` for a field out of range, `unsupported` if no parameter set of this engine
   * reads acknowledgements, `capacity` when the batch is full.
   */
  ack(timePs: number, qp: number, fields: AckFields): void {
    this.#add(timePs, qp, EVENT_ACK, this.putAck(fields));
    this.#ackCount++;
  }

  /** A packet of `qp` was lost: detected by a NAK or selective acknowledgement (`fast`), or by a timeout. */
  loss(timePs: number, qp: number, found: LossFound = 'fast'): void {
    this.#add(timePs, qp, EVENT_LOSS, lossCode(found));
  }

  /**
   * A NACK for `qp` arrived: a switch trimmed a packet. Algorithms other than NSCC treat it as a `fast` loss.
   * @throws RoceError as `ack`.
   */
  nack(timePs: number, qp: number, fields: NackFields): void {
    this.#add(timePs, qp, EVENT_NACK, this.putNack(fields));
    this.#ackCount++;
  }

  /**
   * Credit for `qp` arrived: its receiver's cumulative pull number, quanta of 256 bytes, whole, 0 to 2^45 - 1. Read by RCCC.
   * @throws RoceError as `ack`.
   */
  credit(timePs: number, qp: number, pullNumber: number): void {
    this.#add(timePs, qp, EVENT_CREDIT, this.putCredit(pullNumber));
    this.#ackCount++;
  }

  /** @internal Appends the record of an ACK, and returns its index. */
  putAck(fields: AckFields): number {
    if (this.isFull) throw fullBatch('event', this.capacity);
    this.#ackRecords().write(this.#ackCount, fields);
    return this.#ackCount;
  }

  /** @internal Appends the record of a NACK, and returns its index. */
  putNack(fields: NackFields): number {
    if (this.isFull) throw fullBatch('event', this.capacity);
    this.#ackRecords().writeNack(this.#ackCount, fields);
    return this.#ackCount;
  }

  /** @internal Appends the record of credit, and returns its index. */
  putCredit(pullNumber: number): number {
    if (this.isFull) throw fullBatch('event', this.capacity);
    this.#ackRecords().writeCredit(this.#ackCount, pullNumber);
    return this.#ackCount;
  }

  /** @internal Appends the record of a Fast CNP, and returns its index. */
  putFastCnp(fields: FastCnpFields): number {
    if (this.isFull) throw fullBatch('event', this.capacity);
    const { source, originalDestination, destQpn, telemetry } = checkedFastCnp(fields);
    if (telemetry) this.#ackRecords().write(this.#ackCount, { ackSeq: 0, sndNxt: 0, telemetry });
    const at = this.#firstFastCnp + this.#fastCnps * FAST_CNP_EVENT_BYTES;
    this.#u8.set(source, at + FAST_CNP_SOURCE);
    this.#u8.set(originalDestination, at + FAST_CNP_ORIGINAL_DESTINATION);
    this.#u32[(at + FAST_CNP_DEST_QPN) >>> 2] = destQpn;
    this.#u32[(at + FAST_CNP_TELEMETRY) >>> 2] = telemetry ? this.#ackCount + 1 : 0;
    return this.#fastCnps;
  }

  /** Discards all events that have not been applied. */
  clear(): void {
    if (this.#limit === DISPOSED) throw disposed();
    this.#ackCount = 0;
    this.#length = 0;
    this.#fastCnps = 0;
  }

  /** @internal Called when the engine is disposed. */
  dispose(): void {
    this.#limit = DISPOSED;
    this.#acks = undefined;
    this.#u32 = new Uint32Array();
    this.#f64 = new Float64Array();
    this.#u8 = new Uint8Array();
  }

  #ackRecords(): AckRecords {
    if (this.#acks) return this.#acks;
    throw this.#limit === DISPOSED ? disposed() : noAcks();
  }

  #add(timePs: number, qp: number, kind: number, value: number): void {
    if (this.#length >= this.#limit) throw this.isFull ? fullBatch('event', this.capacity) : disposed();
    checkEventTime(timePs);
    if (typeof value !== 'number' || value >>> 0 !== value || value > EVENT_VALUE_MAX) throw badValue(value);
    if (typeof qp !== 'number' || qp >>> 0 !== qp) throw badQp(qp);
    const at = this.#first + this.#length * EVENT_BYTES;
    const word = at >>> 2;
    this.#f64[at >>> 3] = timePs;
    this.#u32[word + 2] = qp;
    this.#u32[word + 3] = (kind << EVENT_KIND_SHIFT) | value;
    this.#length++;
  }
}

type CheckedFastCnp = FastCnpFields & { readonly source: Uint8Array; readonly originalDestination: Uint8Array };

/** Checks the fields at run time for untyped callers, and converts addresses to bytes. */
function checkedFastCnp(fields: FastCnpFields): CheckedFastCnp {
  checkObject(fields, 'fastCnp', 'a record { endpoint, source, originalDestination, destQpn }');
  const source = addressBytes(fields.source, 'fastCnp.source');
  const originalDestination = addressBytes(fields.originalDestination, 'fastCnp.originalDestination');
  checkWhole(fields.destQpn, 0, QPN_MAX, 'fastCnp.destQpn');
  return { ...fields, source, originalDestination };
}

function badQp(qp: number): RoceError {
  return invalid('qp', qp, 'a number returned by openQp or addEndpoint', { what: 'the number of the QP or endpoint' });
}

function badValue(value: number): RoceError {
  return invalid('lenBytes or pKey', value, { min: 0, max: EVENT_VALUE_MAX, multipleOf: 1 }, {
    what: 'the event value',
  });
}

function noAcks(): RoceError {
  const hint = 'HPCC, HPCC++, HPCC-PINT, TIMELY, DCTCP, Swift, NSCC and RCCC read them';
  const problem = 'needs a parameter set of an algorithm that reads acknowledgements';
  return new RoceError('unsupported', { what: 'an ACK event', problem, where: 'events.ack', hint });
}
