/** Acknowledgements as the engine reads them: AckEvent records in linear memory, one per ACK event of a batch. */
import * as layout from '../abi/ack-layout.js';
import { REGION_ACK_EVENTS } from '../abi/layout.js';
import { RoceError } from '../errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** What one hop reported, in full precision. */
export interface ExactHop {
  /** When the packet left the hop, picoseconds; any origin, the same for all packets. */
  readonly timePs: number;
  /** Bytes that the port had sent by then. */
  readonly txBytes: number;
  /** Bytes in the port's queue. */
  readonly qlenBytes: number;
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Identity of the hop, 32 bits; default 0. */
  readonly hopId?: number;
  /** Its egress port, where `hopId` names a node only, 32 bits; default 0. Read by HPCC++. */
  readonly portId?: number;
}

/** The raw fields of one 64-bit hop record of the reference simulator (`HpccIntHop` of roce-cc/wire). */
export interface Int64Hop {
  readonly lineRateCode: number;
  readonly time: number;
  readonly bytes: number;
  readonly qlen: number;
}

/** Hops in full precision. */
export interface ExactAckTelemetry {
  readonly kind: 'exact';
  readonly hops: readonly ExactHop[];
  readonly pathId?: number;
  /** Are hops of the path missing here? Default false. HPCC++ then may lower a rate, not raise it. */
  readonly partial?: boolean;
}

/** What the acknowledged packet gathered on its way. */
export type AckTelemetry =
  | ExactAckTelemetry
  | { readonly kind: 'int64'; readonly hopCount: number; readonly hops: readonly Int64Hop[] };

/** An acknowledgement. What an algorithm does not read may be left out. */
export interface AckFields {
  /** First sequence number not yet acknowledged; its low 32 bits count. An InfiniBand ACK names the last one received: PSN + 1. */
  readonly ackSeq: number;
  /** Next sequence number to be sent. */
  readonly sndNxt: number;
  /** Was the acknowledged packet marked? Default false. Read by DCTCP. */
  readonly ecnEcho?: boolean;
  /** When the acknowledged packet left, picoseconds. Read by TIMELY and Swift. */
  readonly sentTimePs?: number;
  /** Part of the round trip that the hosts took, picoseconds; default 0. Read by Swift. */
  readonly hostDelayPs?: number;
  /** Nodes on the path for Swift's target; default 0. */
  readonly pathHops?: number;
  /** Packets newly acknowledged; default 1. Read by Swift. */
  readonly ackedPackets?: number;
  /** Read by HPCC and HPCC++. */
  readonly telemetry?: AckTelemetry;
  /** Encoded utilisation. Read by HPCC-PINT. */
  readonly pintPower?: number;
}

/** Writes AckEvent records. */
export class AckRecords {
  readonly #view: DataView;
  readonly #first: number;
  readonly #bytes: number;
  readonly #hops: number;

  /** @param hops that a record has room for; -1 = the engine has no algorithm that reads acknowledgements. */
  constructor(views: MemoryViews, hops: number) {
    this.#view = new DataView(views.buffer);
    this.#first = regionAddress(views, REGION_ACK_EVENTS);
    this.#bytes = hops < 0 ? 0 : layout.ACK_HOPS + hops * layout.ACK_HOP_BYTES;
    this.#hops = hops;
  }

  /**
   * Writes record `index`.
   * @throws RoceError `INVALID_ARGUMENT` for a number out of range or more hops than a record holds, `UNSUPPORTED` when no
   * profile of this engine reads acknowledgements.
   */
  write(index: number, ack: AckFields): void {
    if (this.#bytes === 0) throw noAcks();
    const { ackSeq, sndNxt, ecnEcho = false, sentTimePs = NaN, hostDelayPs = 0, pathHops = 0, ackedPackets = 1 } = ack;
    const { pintPower = layout.ACK_NO_POWER, telemetry } = ack;
    const view = this.#view;
    const at = this.#first + index * this.#bytes;
    this.#writeTelemetry(at, telemetry);
    view.setUint32(at + layout.ACK_SEQ, checked('ackSeq', ackSeq), true);
    view.setUint32(at + layout.ACK_SND_NXT, checked('sndNxt', sndNxt), true);
    view.setFloat64(at + layout.ACK_SENT_TIME, Number.isNaN(sentTimePs) ? sentTimePs : finite('sentTimePs', sentTimePs), true);
    view.setFloat64(at + layout.ACK_HOST_DELAY, finite('hostDelayPs', hostDelayPs), true);
    view.setFloat64(at + layout.ACK_ACKED_PACKETS, finite('ackedPackets', ackedPackets), true);
    view.setUint32(at + layout.ACK_PATH_HOPS, checked('pathHops', pathHops), true);
    view.setUint32(at + layout.ACK_PINT_POWER, checked('pintPower', pintPower), true);
    view.setUint8(at + layout.ACK_ECN_ECHO, ecnEcho ? 1 : 0);
  }

  #writeTelemetry(at: number, telemetry: AckTelemetry | undefined): void {
    const view = this.#view;
    const hops = telemetry?.hops ?? [];
    if (hops.length > this.#hops) {
      throw new RoceError('INVALID_ARGUMENT', 'more hops than this engine takes', {
        got: hops.length, allowed: `at most ${this.#hops}`, where: 'ack.telemetry.hops',
      });
    }
    const isExact = telemetry?.kind === 'exact';
    view.setUint8(at + layout.ACK_TELEMETRY, telemetry === undefined ? layout.TELEMETRY_NONE : isExact ? layout.TELEMETRY_EXACT : layout.TELEMETRY_INT64);
    view.setUint8(at + layout.ACK_HOP_COUNT, telemetry?.kind === 'int64' ? Math.min(telemetry.hopCount, 255) : hops.length);
    view.setUint8(at + layout.ACK_PARTIAL, isExact && telemetry.partial === true ? 1 : 0);
    view.setUint32(at + layout.ACK_PATH_ID, isExact ? checked('telemetry.pathId', telemetry.pathId ?? 0) : 0, true);
    for (let i = 0; i < hops.length; i++) this.#writeHop(at + layout.ACK_HOPS + i * layout.ACK_HOP_BYTES, hops[i]);
  }

  #writeHop(at: number, hop: ExactHop | Int64Hop | undefined): void {
    const view = this.#view;
    if (hop === undefined) return;
    if ('lineRateCode' in hop) {
      view.setUint32(at + layout.RAW_HOP_LINE_RATE, checked('hop.lineRateCode', hop.lineRateCode), true);
      view.setUint32(at + layout.RAW_HOP_TIME, checked('hop.time', hop.time), true);
      view.setUint32(at + layout.RAW_HOP_BYTES, checked('hop.bytes', hop.bytes), true);
      view.setUint32(at + layout.RAW_HOP_QLEN, checked('hop.qlen', hop.qlen), true);
      return;
    }
    view.setFloat64(at + layout.HOP_TIME, finite('hop.timePs', hop.timePs), true);
    view.setFloat64(at + layout.HOP_TX_BYTES, finite('hop.txBytes', hop.txBytes), true);
    view.setFloat64(at + layout.HOP_QLEN_BYTES, finite('hop.qlenBytes', hop.qlenBytes), true);
    view.setFloat64(at + layout.HOP_LINE_RATE, finite('hop.lineRateBps', hop.lineRateBps), true);
    view.setUint32(at + layout.HOP_ID, checked('hop.hopId', hop.hopId ?? 0), true);
    view.setUint32(at + layout.HOP_PORT, checked('hop.portId', hop.portId ?? 0), true);
  }
}

/** Whole and not negative; sequence numbers may be larger than 32 bits, of which the low ones count. */
function checked(field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value % 2 ** 32;
  const allowed = 'a whole number, 0..2^53 - 1';
  throw new RoceError('INVALID_ARGUMENT', 'field out of range', { got: value, allowed, where: `ack.${field}` });
}

/** A number that no sum of such numbers makes inexact beyond use: 0 to 2^53 - 1. */
function finite(field: string, value: number): number {
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value;
  throw new RoceError('INVALID_ARGUMENT', 'field out of range', { got: value, allowed: '0..2^53 - 1', where: `ack.${field}` });
}

function noAcks(): RoceError {
  return new RoceError('UNSUPPORTED', 'this engine takes no acknowledgements', {
    got: 'an ACK event',
    allowed: 'engines with a profile of an algorithm that reads them (hpcc, hpcc-pp, hpcc-pint, timely, dctcp, swift)',
    where: 'events.ack',
  });
}
