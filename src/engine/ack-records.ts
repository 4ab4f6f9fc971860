/** Writes acknowledgements for the engine: AckEvent records in linear memory, one per ACK event of a batch. */
import { ackEventBytes } from '../abi/ack-layout.js';
import * as layout from '../abi/ack-layout.js';
import { REGION_ACK_EVENTS } from '../abi/layout.js';
import { HPCC_INT_LINE_RATE_BITS, HPCC_INT_QUEUE_BITS, HPCC_INT_TIME_BITS,
  HPCC_INT_TX_BITS } from '../wire/telemetry/hpcc-int-hop.js';
import { checkObject, checkWhole, invalid } from './engine-errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

const HOP_COUNT_BITS = 16;
/** Largest hop count that a record's byte can hold. */
const COUNTED_HOPS_MAX = 255;
/** Largest pull number whose bytes are still exact. */
const PULL_NUMBER_MAX = Math.floor(Number.MAX_SAFE_INTEGER / layout.PULL_QUANTUM_BYTES);
/** Descriptions of the allowed records, for errors. */
const EXACT_HOP = 'a record { timePs, txBytes, qlenBytes, lineRateBps }';
const INT64_HOP = 'a record { lineRateCode, time, bytes, qlen }';

/** Telemetry of one hop, in full precision. */
export interface ExactHop {
  /** When the packet left the hop, picoseconds; from any origin that is the same for all packets. */
  readonly timePs: number;
  /** Bytes that the port had sent by then. */
  readonly txBytes: number;
  /** Bytes in the port's queue. */
  readonly qlenBytes: number;
  /** Rate of the port, bits per second: 1 to 2^53 - 1, or 0 if unknown, which excludes the hop. */
  readonly lineRateBps: number;
  /** Identity of the hop, 32 bits; default 0. */
  readonly hopId?: number;
  /** Egress port of the hop if `hopId` identifies only a node, 32 bits; default 0. Read by HPCC++. */
  readonly portId?: number;
}

/**
 * The raw fields of one 64-bit hop record of the reference simulator. `HpccIntUnits.encode` and `HpccIntHop.read` of
 * roce-cc/wire return them as lineRateCode, timeNs, txUnits and queueUnits, in this order;
 * examples/reference-traces.mjs passes them to an engine.
 */
export interface Int64Hop {
  /** Code of the line rate, 3 bits. */
  readonly lineRateCode: number;
  /** Time, 24 bits. */
  readonly time: number;
  /** Bytes sent, 20 bits. */
  readonly bytes: number;
  /** Queue length, 17 bits. */
  readonly qlen: number;
}

/** Telemetry with hops in full precision. */
export interface ExactAckTelemetry {
  /** Marks telemetry with exact counters. */
  readonly kind: 'exact';
  /** One record per hop, in path order from the sender. */
  readonly hops: readonly ExactHop[];
  /** Identity of the path; a change resets the stored state of its hops. Default 0. */
  readonly pathId?: number;
  /** Whether hops of the path are missing here. Default false. If true, HPCC++ may lower a rate but not raise it. */
  readonly partial?: boolean;
}

/** Records as in the packets of the reference simulator. */
export interface Int64AckTelemetry {
  /** Records packed into 64 bits, as in the ns-3 reference simulator. */
  readonly kind: 'int64';
  /** nhop, 16 bits; above 5 if records were overwritten. */
  readonly hopCount: number;
  /** The slots of the packet: at least the first `hopCount`, at most 5. */
  readonly hops: readonly Int64Hop[];
}

/** Telemetry that the acknowledged packet collected on its path. */
export type AckTelemetry = ExactAckTelemetry | Int64AckTelemetry;

/** An acknowledgement. Fields that the algorithm does not read may be omitted. */
export interface AckFields {
  /**
   * First sequence number not yet acknowledged; only its low 32 bits count. An InfiniBand ACK names the last one
   * received, so pass PSN + 1.
   */
  readonly ackSeq: number;
  /** Next sequence number to be sent. */
  readonly sndNxt: number;
  /** Whether the acknowledged packet was CE-marked. Default false. Read by DCTCP and NSCC. */
  readonly ecnEcho?: boolean;
  /** When the acknowledged packet was sent, picoseconds. Read by TIMELY, Swift and NSCC. */
  readonly sentTimePs?: number;
  /** Part of the round trip spent in the hosts, picoseconds; default 0. Read by Swift. */
  readonly hostDelayPs?: number;
  /** Number of hops on the path, for Swift's target delay; default 0. */
  readonly pathHops?: number;
  /** Packets newly acknowledged; default 1. Read by Swift. */
  readonly ackedPackets?: number;
  /** Payload newly acknowledged, bytes; default NaN, unknown. Read by NSCC and custom algorithms. */
  readonly ackedBytes?: number;
  /** Telemetry from the path. Read by HPCC and HPCC++. */
  readonly telemetry?: AckTelemetry;
  /** Utilisation, encoded. Read by HPCC-PINT. */
  readonly pintPower?: number;
  /** Penalty on the window that the receiver demands, 0 to 127: `rcv_cwnd_pen` of a SACK of MRC. Read by NSCC, instead of `pintPower`. */
  readonly windowPenalty?: number;
  /** Whether the window from before the penalties returns, with a penalty of 0: `restore_cwnd` of such a SACK. Default false. Read by NSCC. */
  readonly restoreWindow?: boolean;
}

/** A NACK: the receiver got a packet that a switch had trimmed to its headers. */
export interface NackFields {
  /** Payload removed, bytes. */
  readonly trimmedBytes: number;
  /** When the trimmed packet was sent, picoseconds. */
  readonly sentTimePs?: number;
  /** Whether the last switch on the path trimmed the packet. Default false. */
  readonly lastHop?: boolean;
}

/** The word that HPCC-PINT and NSCC read, each as its own. */
function powerOrPenalty({ pintPower = layout.ACK_NO_POWER, windowPenalty, restoreWindow }: AckFields): number {
  if (windowPenalty === undefined && restoreWindow === undefined) return checked('pintPower', pintPower);
  const penalty = windowPenalty ?? 0;
  checkWhole(penalty, 0, layout.ACK_PENALTY_MAX, 'ack.windowPenalty');
  return layout.ACK_PENALTY_GIVEN | penalty | (restoreWindow === true ? layout.ACK_RESTORES_WINDOW : 0);
}

/** Writes AckEvent records. */
export class AckRecords {
  readonly #view: DataView;
  readonly #first: number;
  readonly #bytes: number;
  readonly #hops: number;

  /** @param hops maximum number of hops in a record. */
  constructor(views: MemoryViews, hops: number) {
    this.#view = new DataView(views.buffer);
    this.#first = regionAddress(views, REGION_ACK_EVENTS);
    this.#bytes = ackEventBytes(hops);
    this.#hops = hops;
  }

  /**
   * Writes record `index`.
   * @throws RoceError `invalid-argument` if `ack` is not an object, a number is out of range, the telemetry has an
   * unknown kind, or its hops are more than a record holds or fewer than `hopCount`.
   */
  write(index: number, ack: AckFields): void {
    checkObject(ack, 'ack', 'a record { ackSeq, sndNxt, … }');
    const { ackSeq, sndNxt, ecnEcho = false, sentTimePs = NaN, hostDelayPs = 0, pathHops = 0, ackedPackets = 1 } = ack;
    const { ackedBytes = NaN, telemetry } = ack;
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
    view.setUint32(at + layout.ACK_PINT_POWER, powerOrPenalty(ack), true);
    view.setUint8(at + layout.ACK_ECN_ECHO, ecnEcho ? 1 : 0);
  }

  /**
   * Writes record `index` of a NACK.
   * @throws RoceError `invalid-argument` if `nack` is not an object, or a number is out of range.
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
    // Larger counts are equivalent: they only mean that records are missing.
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

/** Checks a whole number that is not negative; of sequence numbers above 32 bits, only the low 32 bits count. */
function checked(field: string, value: number): number {
  checkWhole(value, 0, Number.MAX_SAFE_INTEGER, `ack.${field}`);
  return value % 2 ** 32;
}

/** Checks a whole number of at most `bits` bits. */
function inBits(field: string, value: number, bits: number): number {
  checkWhole(value, 0, 2 ** bits - 1, `ack.${field}`);
  return value;
}

/** Checks at run time, so that untyped callers cannot pass an unknown kind as an ACK without telemetry. */
function requireTelemetry(telemetry: unknown): void {
  const where = 'ack.telemetry';
  checkObject(telemetry, where, "a record { kind: 'exact', hops } or { kind: 'int64', hopCount, hops }");
  const { kind, hops } = telemetry as { kind?: unknown; hops?: unknown };
  if (kind !== 'exact' && kind !== 'int64') throw invalid(`${where}.kind`, kind, ['exact', 'int64']);
  if (!Array.isArray(hops)) throw invalid(`${where}.hops`, hops, 'a list of hops');
}

/** Checks that there are at least the hops in hopCount, and at most the maximum of a record. */
function requireHops(got: number, min: number, max: number): void {
  if (got < min || got > max) throw invalid('ack.telemetry.hops', got, { min, max }, { what: 'the number of hops' });
}

/** Checks a number from 0 to 2^53 - 1, so that sums stay precise enough. */
function finite(field: string, value: number): number {
  const max = Number.MAX_SAFE_INTEGER;
  if (typeof value === 'number' && value >= 0 && value <= max) return value;
  throw invalid(`ack.${field}`, value, { min: 0, max });
}

/** As `finite`, but also accepts NaN for unknown. */
function finiteOrNaN(field: string, value: number): number {
  return Number.isNaN(value) ? value : finite(field, value);
}

/** Rejects rates below 1 b/s: they would make the utilisation infinite, from which smoothing never recovers. */
function lineRate(value: number): number {
  const max = Number.MAX_SAFE_INTEGER;
  if (value === 0 || (typeof value === 'number' && value >= 1 && value <= max)) return value;
  throw invalid('ack.hop.lineRateBps', value, [0, { min: 1, max }]);
}
