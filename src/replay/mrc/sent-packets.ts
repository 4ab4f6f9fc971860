/**
 * Captured data packets of one queue pair by PSN. Finds the packet that a SACK or NACK names, and measures the round
 * trip of packets sent once.
 *
 * Round trip  from the capture of a packet to that of the SACK with its PSN and entropy value, and with its timestamp
 *             if it has one. A PSN that came more than once is left out, because the SACK may be about either copy
 *             (Karn and Partridge 1987)
 * Bounded     the newest RECENT_MAX PSNs, and the newest SAMPLES_MAX round trips for the median
 */
import { Tseth } from '../../wire/mrc/request-headers.js';

const RECENT_MAX = 8192;
const SAMPLES_MAX = 4096;

/** A captured data packet. */
export interface SentPacket {
  readonly entropy: number;
  /** Capture time on the capture's timeline; NaN if unknown. */
  readonly timePs: number;
  /** Timestamp in the packet's TSETH, in ticks; undefined without a TSETH. */
  readonly timestamp: number | undefined;
}

export class SentPackets {
  /** Packets that repeat an earlier PSN but are not marked as retransmissions. */
  repeatsWithoutRtx = 0;
  /** Number of round trips measured. */
  rttSamples = 0;
  readonly #recent = new Map<number, SentPacket & { readonly isRepeated: boolean }>();
  readonly #rttsPs: number[] = [];
  #rttMinPs = Infinity;

  /** Shortest round trip; undefined if none was measured. */
  get rttMinPs(): number | undefined {
    return this.rttSamples === 0 ? undefined : this.#rttMinPs;
  }

  /** Median of the newest round trips; the lower of the two middle ones if their number is even. */
  get rttMedianPs(): number | undefined {
    const sorted = [...this.#rttsPs].sort((a, b) => a - b);
    return sorted[(sorted.length - 1) >> 1];
  }

  add(psn: number, packet: SentPacket, isRetransmission: boolean): void {
    const isRepeated = this.#recent.delete(psn);
    if (isRepeated && !isRetransmission) this.repeatsWithoutRtx++;
    // The first copy of a retransmission may not have been captured.
    this.#recent.set(psn, { ...packet, isRepeated: isRepeated || isRetransmission });
    if (this.#recent.size <= RECENT_MAX) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }

  /** Whether the newest packet of this PSN has the entropy value. */
  has(psn: number, entropy: number): boolean {
    return this.#recent.get(psn)?.entropy === entropy;
  }

  /** Applies a SACK caused by a packet: `timePs` is its capture time, `timestamp` the one that it echoes. */
  acknowledge(psn: number, { entropy, timePs, timestamp = 0 }: SentPacket): void {
    const sent = this.#recent.get(psn);
    if (sent === undefined || sent.isRepeated || sent.entropy !== entropy) return;
    if (sent.timestamp !== undefined && Tseth.ticksBetween(sent.timestamp, timestamp) !== 0) return;
    const rttPs = timePs - sent.timePs;
    // In a merged capture, frames may be out of order and times unknown.
    if (!(rttPs >= 0)) return;
    this.#rttMinPs = Math.min(this.#rttMinPs, rttPs);
    this.#rttsPs[this.rttSamples++ % SAMPLES_MAX] = rttPs;
  }
}
