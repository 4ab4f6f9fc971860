/**
 * Congestion control of an emulated sender: connects a QP of the engine with events on the wire.
 *
 *   CNP, Fast CNP   the engine reads them from frames directly
 *   ACK, NAK        number, mark echoed as BECN, time since the packet was sent, the hops in the echoed IOAM trace
 *   loss            detected by a NAK or a timeout, handled by the scenario's `lossReaction`
 *   gap, window     those of the algorithm, with the rules of the simulator
 *                   (`test/model/standard/congestion-control.ts`)
 *
 * Known deviation: traces use nanoseconds and Mb/s, while the simulator's telemetry uses picoseconds and bits per
 * second.
 */
import { PACES, READS_ACKS } from '../../abi/algorithms.js';
import { factsOf } from '../../config/algorithms/registry.js';
import type { ExactAckTelemetry, ExactHop } from '../../engine/ack-records.js';
import type { Engine } from '../../engine/engine.js';
import { RoceError } from '../../errors.js';
import { windowInUse } from '../../reference/algorithms/rate-numbers.js';
import { HOP_TRACE_TYPE } from '../../switching/hop-trace.js';
import { BPS_PER_MBPS, NS_PER_SECOND, PS_PER_NS, PS_PER_SECOND } from '../../units.js';
import { ALL_ONES_32 } from '../../wire/bytes.js';
import { IoamNodeCursor, traceTypeAt } from '../../wire/telemetry/ioam-trace-data.js';
import { IoamTraceHeader, IoamTraceType } from '../../wire/telemetry/ioam-trace.js';
import type { FlowSettings, HostsSettings } from './settings.js';

const PSNS = 2 ** 24;
const BITS_PS = 8e12;

const FEWEST = 64;
const MOST = 2 ** 16;

/** Contents of an ACK or NAK. */
interface Acknowledged {
  readonly timePs: number;
  /** The next packet that the receiver expects. */
  readonly expected: number;
  /** The next packet to be sent. */
  readonly next: number;
  /** Number of packets newly acknowledged. */
  readonly ackedPackets: number;
  readonly isMarked: boolean;
  readonly telemetry: ExactAckTelemetry | undefined;
}

const U32 = 2 ** 32;
const NOT_AVAILABLE = ALL_ONES_32;
const FLAGS = IoamTraceHeader.offsetOf('flags');
/** The overflow flag, in the byte that it shares with NodeLen. */
const OVERFLOW_MASK = IoamTraceHeader.FLAG_OVERFLOW >> 1;
const cursor = new IoamNodeCursor();

export class CongestionControl {
  readonly qp: number;
  readonly #engine: Engine;
  readonly #flow: FlowSettings;
  readonly #mtuBytes: number;
  readonly #pacing: boolean;
  readonly #readsAcks: boolean;
  readonly #readsHops: boolean;
  /** Whether rate changes also move the next send time that is already set. */
  readonly #movesNextSend: boolean;
  readonly #sentTimes: SentTimes | undefined;

  constructor(engine: Engine, qp: number, flow: FlowSettings, { parameterSets, shape, pacing }: HostsSettings) {
    const { traits, telemetry } = factsOf(parameterSets[flow.parameterSet]);
    this.qp = qp;
    this.#engine = engine;
    this.#flow = flow;
    this.#mtuBytes = shape.mtuBytes;
    this.#pacing = pacing;
    this.#readsAcks = (traits & READS_ACKS) !== 0;
    this.#readsHops = telemetry !== undefined;
    this.#movesNextSend = pacing && (traits & PACES) !== 0;
    if (this.#readsAcks && telemetry === undefined) this.#sentTimes = new SentTimes();
  }

  /** Current rate, bits per second. */
  get rateBps(): number {
    return this.#engine.rateBps(this.qp);
  }

  /** Whether another packet may be sent with this many in flight. */
  allows(inFlight: number): boolean {
    const inFlightBytes = inFlight * this.#mtuBytes;
    const { windowMode, windowBytes, lineRateBps } = this.#flow;
    const hasOther = windowMode !== 'none' && windowBytes > 0 && this.#engine.windowBytes(this.qp) === 0;
    if (!hasOther) return this.#engine.maySend(this.qp, inFlightBytes);
    return inFlightBytes < windowInUse(windowMode, 'whole-bps', windowBytes, Math.trunc(this.rateBps), lineRateBps);
  }

  /** Records a sent packet. @param lenBytes with its FCS. @returns when the next one may be sent. */
  sent(packet: number, lenBytes: number, timePs: number, inFlight: number): number {
    this.#sentTimes?.note(packet, timePs, inFlight);
    const nextPs = this.#engine.sent(timePs, this.qp, lenBytes);
    const { lineRateBps } = this.#flow;
    // Gaps count from the start of a transmission, as in the simulator.
    return this.#pacing ? Math.max(nextPs, timePs) : timePs + Math.ceil((lenBytes * BITS_PS) / lineRateBps);
  }

  acknowledged({ timePs, expected, next, ackedPackets, isMarked, telemetry }: Acknowledged): void {
    if (!this.#readsAcks) return;
    const { events } = this.#engine;
    events.ack(timePs, this.qp, {
      ackSeq: expected % PSNS,
      sndNxt: next % PSNS,
      ecnEcho: isMarked,
      sentTimePs: this.#sentTimes?.of(expected - 1) ?? NaN,
      pathHops: this.#flow.pathHops,
      ackedPackets,
      ackedBytes: ackedPackets * this.#mtuBytes,
      ...(this.#readsHops && telemetry !== undefined && { telemetry }),
    });
    this.#engine.applyEvents();
  }

  lost(found: 'fast' | 'timeout', timePs: number): void {
    const { lossReaction } = this.#flow;
    if (lossReaction === 'none' || (lossReaction === 'algorithm' && !this.#readsAcks)) return;
    if (lossReaction === 'cnp') this.#engine.events.cnp(timePs, this.qp);
    else this.#engine.events.loss(timePs, this.qp, found);
    this.#engine.applyEvents();
  }

  /**
   * Next send time after an ACK, loss or notification: not before its arrival, unless the packet is overdue.
   *
   * @param nextSendPs next send time so far.
   */
  moved(nextSendPs: number, timePs: number): number {
    if (!this.#movesNextSend) return nextSendPs;
    return Math.max(this.#engine.nextSendPs(this.qp), Math.min(nextSendPs, timePs));
  }
}

/** Send times of a QP's packets in flight, for algorithms that use round trips; a full table keeps the newest. */
class SentTimes {
  #timesPs = new Float64Array(FEWEST).fill(NaN);
  #packets = new Float64Array(FEWEST).fill(-1);

  /** @param inFlight packets in flight, including this one. */
  note(packet: number, timePs: number, inFlight: number): void {
    while (inFlight > this.#timesPs.length && this.#timesPs.length < MOST) this.#grow();
    const at = packet % this.#timesPs.length;
    this.#timesPs[at] = timePs;
    this.#packets[at] = packet;
  }

  /** When a packet was last sent, picoseconds; NaN if the time is no longer stored. */
  of(packet: number): number {
    const at = packet % this.#timesPs.length;
    return this.#packets[at] === packet ? this.#timesPs[at] : NaN;
  }

  #grow(): void {
    const [timesPs, packets] = [this.#timesPs, this.#packets];
    this.#timesPs = new Float64Array(2 * timesPs.length).fill(NaN);
    this.#packets = new Float64Array(2 * timesPs.length).fill(-1);
    for (const [at, packet] of packets.entries()) {
      if (packet >= 0) this.note(packet, timesPs[at], 0);
    }
  }
}

/**
 * Reads the trace's hops, from the sender on; undefined if it has another format, is malformed, or has impossible
 * values.
 */
export function tracedTelemetry(bytes: Uint8Array, traceOffset: number, traceBytes: number): ExactAckTelemetry
  | undefined {
  if (traceBytes < IoamTraceHeader.lenBytes || traceTypeAt(bytes, traceOffset) !== HOP_TRACE_TYPE) return undefined;
  try {
    cursor.moveTo(bytes, traceOffset, traceBytes, 'pre-allocated');
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
  const hops: ExactHop[] = [];
  while (cursor.next()) {
    const hop = hopHere();
    if (hop === undefined) return undefined;
    hops.push(hop);
  }
  return { kind: 'exact', hops: hops.reverse(), partial: (bytes[traceOffset + FLAGS] & OVERFLOW_MASK) !== 0 };
}

function hopHere(): ExactHop | undefined {
  const qlenBytes = cursor.word(IoamTraceType.BIT_QUEUE_DEPTH);
  const nanoseconds = cursor.word(IoamTraceType.BIT_TIMESTAMP_FRACTION);
  const txBytes = cursor.word(IoamTraceType.BIT_NAMESPACE_DATA_WIDE) * U32 +
    cursor.word(IoamTraceType.BIT_NAMESPACE_DATA_WIDE, 1);
  const timePs = cursor.word(IoamTraceType.BIT_TIMESTAMP_SECONDS) * PS_PER_SECOND + nanoseconds * PS_PER_NS;
  const areNumbers = qlenBytes !== NOT_AVAILABLE && nanoseconds < NS_PER_SECOND && Number.isSafeInteger(txBytes) &&
    Number.isSafeInteger(timePs);
  if (!areNumbers) return undefined;
  const lineRateBps = cursor.word(IoamTraceType.BIT_NAMESPACE_DATA) * BPS_PER_MBPS;
  return { timePs, txBytes, qlenBytes, lineRateBps, hopId: cursor.nodeId, portId: cursor.egressInterface };
}
