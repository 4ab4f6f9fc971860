/** Acknowledgements as the engine reads them: AckEvent records in linear memory, one per ACK event of a batch. */
import { ackEventBytes } from '../abi/ack-event-bytes.js';
import * as layout from '../abi/ack-layout.js';
import { REGION_ACK_EVENTS } from '../abi/layout.js';
import { HPCC_INT_LINE_RATE_BITS, HPCC_INT_QUEUE_BITS, HPCC_INT_TIME_BITS,
  HPCC_INT_TX_BITS } from '../wire/telemetry/hpcc-int-hop.js';
import { checkObject, checkWhole, invalid } from './engine-errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

const HOP_COUNT_BITS = 16;
/** Maximum sizes of a record. */
const COUNTED_HOPS_MAX = 255;
/** The pull number whose bytes are still exact. */
const PULL_NUMBER_MAX = Math.floor(Number.MAX_SAFE_INTEGER / layout.PULL_QUANTUM_BYTES);
/** The allowed range of `hops`, for errors. */
const EXACT_HOP = 'a record { timePs, txBytes, qlenBytes, lineRateBps }';
const INT64_HOP = 'a record { lineRateCode, time, bytes, qlen }';

/** Report of one hop, in full precision. */
export interface ExactHop {
  /** When the packet left the hop, picoseconds; any origin, the same for all packets. */
  readonly timePs: number;
  /** Bytes that the port had sent by then. */
  readonly txBytes: number;
  /** Bytes in the port's queue. */
  readonly qlenBytes: number;
  /** Rate of the port, bits per second: 1 to 2^53 - 1, or 0 = not known, so that the hop does not count. */
  readonly lineRateBps: number;
  /** Identity of the hop, 32 bits; default 0. */
  readonly hopId?: number;
  /** Its egress port, where `hopId` names a node only, 32 bits; default 0. Read by HPCC++. */
  readonly portId?: number;
}

/**
 * The raw fields of one 64-bit hop record of the reference simulator. `HpccIntUnits.encode` and `HpccIntHop.read` of roce-cc/wire give
 * them as lineRateCode, timeNs, txUnits and queueUnits, in this order; examples/reference-traces.mjs feeds an engine so.
 */
export interface Int64Hop {
  /** 3 bits. */
  readonly lineRateCode: number;
  /** 24 bits. */
  readonly time: number;
  /** 20 bits. */
  readonly bytes: number;
  /** 17 bits. */
  readonly qlen: number;
}

/** Hops in full precision. */
export interface ExactAckTelemetry {
  /** Records with exact counters. */
  readonly kind: 'exact';
  /** One record per hop, from the sender on. */
  readonly hops: readonly ExactHop[];
  /** Identity of the path; another one than before resets what is kept of its hops. Default 0. */
  readonly pathId?: number;
  /** Whether hops of the path are missing here. Default false. HPCC++ then may lower a rate, not raise it. */
  readonly partial?: boolean;
}

/** Records of the reference simulator's packets. */
export interface Int64AckTelemetry {
  /** Records packed into 64 bits, as the ns-3 reference simulator has them. */
  readonly kind: 'int64';
  /** nhop, 16 bits: more than 5 if records were overwritten. */
  readonly hopCount: number;
  /** The slots as the packet holds them: at least the first `hopCount`, at most 5. */
  readonly hops: readonly Int64Hop[];
}

/** Telemetry that the acknowledged packet gathered on its way. */
export type AckTelemetry = ExactAckTelemetry | Int64AckTelemetry;

/** An acknowledgement. What an algorithm does not read may be left out. */
export interface AckFields {
  /** First sequence number not yet acknowledged; its low 32 bits count. An InfiniBand ACK names the last one received: PSN + 1. */
  readonly ackSeq: number;
  /** Next sequence number to be sent. */
  readonly sndNxt: number;
  /** Whether the acknowledged packet was marked. Default false. Read by DCTCP and NSCC. */
  readonly ecnEcho?: boolean;
  /** When the acknowledged packet left, picoseconds. Read by TIMELY, Swift and NSCC. */
  readonly sentTimePs?: number;
  /** Part of the round trip that the hosts took, picoseconds; default 0. Read by Swift. */
  readonly hostDelayPs?: number;
  /** Nodes on the path for Swift's target; default 0. */
  readonly pathHops?: number;
  /** Packets newly acknowledged; default 1. Read by Swift. */
  readonly ackedPackets?: number;
  /** Payload newly acknowledged, bytes; default NaN, not known. Read by NSCC and custom algorithms. */
  readonly ackedBytes?: number;
  /** Read by HPCC and HPCC++. */
  readonly telemetry?: AckTelemetry;
  /** Encoded utilisation. Read by HPCC-PINT. */
  readonly pintPower?: number;
}

/** A NACK: the receiver got a packet of which a switch left the headers only. */
export interface NackFields {
  /** Payload that was cut off, bytes. */
  readonly trimmedBytes: number;
  /** When the trimmed packet left, picoseconds. */
  readonly sentTimePs?: number;
  /** Whether the last switch on the path trimmed it. Default false. */
  readonly lastHop?: boolean;
}

/** Writes AckEvent records. */
export class AckRecords {
  readonly #view: DataView;
  readonly #first: number;
  readonly #bytes: number;
  readonly #hops: number;

  /** @param hops maximum hops of a record. */
  constructor(views: MemoryViews, hops: number) {
    this.#view = new DataView(views.buffer);
    this.#first = regionAddress(views, REGION_ACK_EVENTS);
    this.#bytes = ackEventBytes(hops);
    this.#hops = hops;
  }

  /**
   * Writes record `index`.
   * @throws RoceError `invalid-argument` for what is not a record of fields, a number out of range, telemetry of another kind, more hops than a record holds or
   * fewer than `hopCount` says.
   */
  write(index: number, ack: AckFields): void {
    checkObject(ack, 'ack', 'a record { ackSeq, sndNxt, … }');
    const { ackSeq, sndNxt, ecnEcho = false, sentTimePs = NaN, hostDelayPs = 0, pathHops = 0, ackedPackets = 1 } = ack;
    const { ackedBytes = NaN, pintPower = layout.ACK_NO_POWER, telemetry } = ack;
    const view = this.#view;
    const at = this.#first + index * this.#bytes;
    this.#writeTelemetry(at, telemetry);
    view.setUint32(at + layout.ACK_SEQ, checked('ackSeq', ackSeq), true);
    view.setUint32(at + layout.ACK_SND_NXT, checked('sndNxt', sndNxt), true);
    view.setFloat64(at + layout.ACK_SENT_TIME, finiteOrNaN('sentTimePs', sentTimePs), true);
    view.setFloat64(at + layout.ACK_HOST_DELAY, finite('hostDelayPs', hostDelayPs), true);
    view.setFloat64(at + layout.ACK_ACKED_PACKETS, finite('ackedPackets', ackedPackets), true);
    view.setFloat64(at + layout.ACK_ACKED_BYTES, finiteOrNaN('ackedBytes', ackedBytes), true);
    view.setUint32(at + layout.ACK_PATH_HOPS, checked('pathHops', pathHops), true);
    view.setUint32(at + layout.ACK_PINT_POWER, checked('pintPower', pintPower), true);
    view.setUint8(at + layout.ACK_ECN_ECHO, ecnEcho ? 1 : 0);
  }

  /**
   * Writes record `index` of a NACK.
   * @throws RoceError `invalid-argument` for what is not a record of fields, or a number out of range.
   */
  writeNack(index: number, nack: NackFields): void {
    checkObject(nack, 'nack', 'a record { trimmedBytes, … }');
    const { trimmedBytes, sentTimePs = NaN, lastHop = false } = nack;
    checkWhole(trimmedBytes, 0, Number.MAX_SAFE_INTEGER, 'nack.trimmedBytes');
    if (!Number.isNaN(sentTimePs)) checkWhole(sentTimePs, 0, Number.MAX_SAFE_INTEGER, 'nack.sentTimePs');
    if (typeof lastHop !== 'boolean') throw invalid('nack.lastHop', lastHop, [true, false]);
    const view = this.#view;
    const at = this.#first + index * this.#bytes;
    view.setFloat64(at + layout.ACK_SENT_TIME, sentTimePs, true);
    view.setFloat64(at + layout.NACK_TRIMMED_BYTES, trimmedBytes, true);
    view.setUint8(at + layout.NACK_LAST_HOP, lastHop ? 1 : 0);
  }

  /**
   * Writes record `index` of credit.
   * @throws RoceError `invalid-argument` for a number out of range.
   */
  writeCredit(index: number, pullNumber: number): void {
    checkWhole(pullNumber, 0, PULL_NUMBER_MAX, 'pullNumber');
    this.#view.setFloat64(this.#first + index * this.#bytes + layout.CREDIT_PULL_NUMBER, pullNumber, true);
  }

  #writeTelemetry(at: number, telemetry: AckTelemetry | undefined): void {
    const view = this.#view;
    view.setUint8(at + layout.ACK_TELEMETRY, layout.TELEMETRY_NONE);
    view.setUint8(at + layout.ACK_HOP_COUNT, 0);
    view.setUint8(at + layout.ACK_PARTIAL, 0);
    view.setUint32(at + layout.ACK_PATH_ID, 0, true);
    if (telemetry === undefined) return;
    requireTelemetry(telemetry);
    if (telemetry.kind === 'exact') this.#writeExact(at, telemetry);
    else this.#writeInt64(at, telemetry);
  }

  #writeExact(at: number, { hops, pathId = 0, partial = false }: ExactAckTelemetry): void {
    const view = this.#view;
    requireHops(hops.length, 0, this.#hops);
    view.setUint8(at + layout.ACK_TELEMETRY, layout.TELEMETRY_EXACT);
    view.setUint8(at + layout.ACK_HOP_COUNT, hops.length);
    view.setUint8(at + layout.ACK_PARTIAL, partial ? 1 : 0);
    view.setUint32(at + layout.ACK_PATH_ID, checked('telemetry.pathId', pathId), true);
    for (const [index, hop] of hops.entries()) {
      checkObject(hop, 'ack.telemetry.hops', EXACT_HOP);
      this.#writeExactHop(at + layout.ACK_HOPS + index * layout.ACK_HOP_BYTES, hop);
    }
  }

  #writeInt64(at: number, { hops, hopCount }: Int64AckTelemetry): void {
    const view = this.#view;
    const passed = inBits('telemetry.hopCount', hopCount, HOP_COUNT_BITS);
    requireHops(hops.length, Math.min(passed, layout.INT64_HOPS_MAX), Math.min(this.#hops, layout.INT64_HOPS_MAX));
    view.setUint8(at + layout.ACK_TELEMETRY, layout.TELEMETRY_INT64);
    // All counts beyond the slots mean the same: records are missing.
    view.setUint8(at + layout.ACK_HOP_COUNT, Math.min(passed, COUNTED_HOPS_MAX));
    for (const [index, hop] of hops.entries()) {
      checkObject(hop, 'ack.telemetry.hops', INT64_HOP);
      const hopAt = at + layout.ACK_HOPS + index * layout.ACK_HOP_BYTES;
      view.setUint32(hopAt + layout.RAW_HOP_LINE_RATE,
        inBits('hop.lineRateCode', hop.lineRateCode, HPCC_INT_LINE_RATE_BITS), true);
      view.setUint32(hopAt + layout.RAW_HOP_TIME, inBits('hop.time', hop.time, HPCC_INT_TIME_BITS), true);
      view.setUint32(hopAt + layout.RAW_HOP_BYTES, inBits('hop.bytes', hop.bytes, HPCC_INT_TX_BITS), true);
      view.setUint32(hopAt + layout.RAW_HOP_QLEN, inBits('hop.qlen', hop.qlen, HPCC_INT_QUEUE_BITS), true);
    }
  }

  #writeExactHop(at: number, hop: ExactHop): void {
    const view = this.#view;
    view.setFloat64(at + layout.HOP_TIME, finite('hop.timePs', hop.timePs), true);
    view.setFloat64(at + layout.HOP_TX_BYTES, finite('hop.txBytes', hop.txBytes), true);
    view.setFloat64(at + layout.HOP_QLEN_BYTES, finite('hop.qlenBytes', hop.qlenBytes), true);
    view.setFloat64(at + layout.HOP_LINE_RATE, lineRate(hop.lineRateBps), true);
    view.setUint32(at + layout.HOP_ID, checked('hop.hopId', hop.hopId ?? 0), true);
    view.setUint32(at + layout.HOP_PORT, checked('hop.portId', hop.portId ?? 0), true);
  }
}

/** Whole and not negative; sequence numbers may be larger than 32 bits, of which the low ones count. */
function checked(field: string, value: number): number {
  checkWhole(value, 0, Number.MAX_SAFE_INTEGER, `ack.${field}`);
  return value % 2 ** 32;
}

/** Whole, not negative, and no longer than its field. */
function inBits(field: string, value: number, bits: number): number {
  checkWhole(value, 0, 2 ** bits - 1, `ack.${field}`);
  return value;
}

/** Callers without types: an unknown kind must not pass as an ACK without telemetry. */
function requireTelemetry(telemetry: unknown): void {
  const where = 'ack.telemetry';
  checkObject(telemetry, where, "a record { kind: 'exact', hops } or { kind: 'int64', hopCount, hops }");
  const { kind, hops } = telemetry as { kind?: unknown; hops?: unknown };
  if (kind !== 'exact' && kind !== 'int64') throw invalid(`${where}.kind`, kind, ['exact', 'int64']);
  if (!Array.isArray(hops)) throw invalid(`${where}.hops`, hops, 'a list of hops');
}

/** At least the hops that hopCount states, at most the record's maximum. */
function requireHops(got: number, min: number, max: number): void {
  if (got < min || got > max) throw invalid('ack.telemetry.hops', got, { min, max }, { what: 'the number of hops' });
}

/** A number that no sum of such numbers makes inexact beyond use: 0 to 2^53 - 1. */
function finite(field: string, value: number): number {
  const max = Number.MAX_SAFE_INTEGER;
  if (typeof value === 'number' && value >= 0 && value <= max) return value;
  throw invalid(`ack.${field}`, value, { min: 0, max });
}

/** The same, or NaN: not known. */
function finiteOrNaN(field: string, value: number): number {
  return Number.isNaN(value) ? value : finite(field, value);
}

/** A rate below 1 b/s would make the utilisation infinite, which smoothing never forgets. */
function lineRate(value: number): number {
  const max = Number.MAX_SAFE_INTEGER;
  if (value === 0 || (typeof value === 'number' && value >= 1 && value <= max)) return value;
  throw invalid('ack.hop.lineRateBps', value, [0, { min: 1, max }]);
}
