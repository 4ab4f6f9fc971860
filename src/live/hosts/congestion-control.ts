/**
 * Congestion control of an emulated sender: connects a QP of the engine with events on the wire.
 *
 *   CNP, Fast CNP   the engine reads them from frames directly
 *   ACK, NAK        number, mark echoed as BECN, time since the packet was sent, the echoed trace
 *   loss            detected by a NAK or a timeout, handled by the scenario's `lossReaction`
 *   gap, window     those of the algorithm, with the rules of the simulator
 *                   (`test/model/standard/congestion-control.ts`)
 *
 * Known deviation: traces use nanoseconds and Mb/s, while the simulator's telemetry uses picoseconds and bits per
 * second.
 */
import { PACES, READS_ACKS } from '../../abi/algorithms.js';
import { factsOf } from '../../config/algorithms/registry.js';
import type { ExactAckTelemetry } from '../../engine/ack-records.js';
import type { Engine } from '../../engine/engine.js';
import { windowInUse } from '../../reference/algorithms/rate-numbers.js';
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
