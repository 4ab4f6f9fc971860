/** Counters of one direction of MRC data and of the control packets that belong to it. */
import { Tseth } from '../../wire/mrc/request-headers.js';
import { UNKNOWN, psnsAhead, psnAfter } from '../psn/psn.js';
import type { MrcQueuePair } from './summary.js';

/** Maximum number of entropy values counted separately. */
const ENTROPIES_MAX = 4096;
const MARK_SKIP_ONCE = 1;
const MARK_ALWAYS_SKIP = 2;

/** Maximum number of missing PSNs kept. */
const MISSING_MAX = 65_536;
/** A jump further ahead than this is a new sequence, not a gap. */
const JUMP_MAX = 65_536;

/** Maximum number of sent packets, and of round trips, that are kept. */
const RECENT_MAX = 8192;
const SAMPLES_MAX = 4096;

/** Fields of a data packet. */
interface MrcDataPacket {
  readonly psn: number;
  readonly entropy: number | undefined;
  readonly lenBytes: number;
  readonly isRetransmission: boolean;
  readonly isMarked: boolean;
  readonly isTrimmed: boolean;
  readonly isLastHop: boolean;
  /** Capture time; NaN if unknown. */
  readonly timePs: number;
  /** Timestamp in the packet's TSETH, in ticks; undefined without a TSETH. */
  readonly timestamp: number | undefined;
}

/** Fields of a SACK. */
interface MrcSackPacket {
  readonly cumulativePsn: number;
  readonly mark: number;
  readonly holes: readonly number[];
  /** PSN of the packet that caused the SACK; undefined in a response to a probe. */
  readonly causePsn: number | undefined;
  readonly entropy: number;
  readonly timePs: number;
  readonly timestamp: number | undefined;
}

/** A captured data packet. */
interface SentPacket {
  readonly entropy: number;
  /** Capture time on the capture's timeline; NaN if unknown. */
  readonly timePs: number;
  /** Timestamp in the packet's TSETH, in ticks; undefined without a TSETH. */
  readonly timestamp: number | undefined;
}

export class QueuePairTally {
  requesterQpn: number | undefined;
  probes = 0;
  readonly #counts = {
    dataFrames: 0,
    dataBytes: 0,
    retransmissions: 0,
    markedFrames: 0,
    trimmed: 0,
    trimmedAtLastHop: 0,
    sprayedFrames: 0,
    sacks: 0,
    sacksWithHoles: 0,
    mostHoles: 0,
    skipOnce: 0,
    alwaysSkip: 0,
    acks: 0,
    naks: 0,
  };
  readonly #psns = new PsnTrack();
  readonly #entropies = new Map<number, number>();
  readonly #sent = new SentPackets();
  readonly #nacks: Record<string, number> = {};
  #lastEntropy: number | undefined;
  #newestPsn = UNKNOWN;
  #openHoles: readonly number[] = [];

  constructor(readonly source: string, readonly destination: string, readonly destQpn: number | undefined) {}

  get summary(): MrcQueuePair {
    const { source, destination, destQpn, requesterQpn, probes } = this;
    return {
      source,
      destination,
      destQpn,
      requesterQpn,
      ...this.#counts,
      entropies: this.#entropies.size,
      busiestEntropyFrames: Math.max(0, ...this.#entropies.values()),
      outOfOrderFrames: this.#psns.outOfOrder,
      reorderingDepth: this.#psns.reorderingDepth,
      missingPsns: this.#psns.missing,
      openHoles: this.#openHoles,
      nacks: { ...this.#nacks },
      probes,
      rttMinPs: this.#sent.rttMinPs,
      rttMedianPs: this.#sent.rttMedianPs,
      rttSamples: this.#sent.rttSamples,
      repeatsWithoutRtx: this.#sent.repeatsWithoutRtx,
    };
  }

  /** Whether a data packet was sent with this PSN and entropy value. */
  sent(psn: number, entropy: number): boolean {
    return this.#sent.has(psn, entropy);
  }

  addData(packet: MrcDataPacket): void {
    const { psn, entropy = 0, lenBytes, isRetransmission, isMarked, isTrimmed, isLastHop, timePs, timestamp } = packet;
    const counts = this.#counts;
    counts.dataFrames++;
    counts.dataBytes += lenBytes;
    if (isRetransmission) counts.retransmissions++;
    if (isMarked) counts.markedFrames++;
    if (isTrimmed) {
      if (isLastHop) counts.trimmedAtLastHop++;
      else counts.trimmed++;
    } else this.#psns.add(psn, isRetransmission);
    if (packet.entropy === undefined) return;
    this.#noteEntropy(entropy);
    this.#sent.add(psn, { entropy, timePs, timestamp }, isRetransmission);
  }

  addSack(sack: MrcSackPacket): void {
    const { cumulativePsn, mark, holes, causePsn } = sack;
    if (causePsn !== undefined) this.#sent.acknowledge(causePsn, sack);
    const counts = this.#counts;
    counts.sacks++;
    if (mark === MARK_SKIP_ONCE) counts.skipOnce++;
    if (mark === MARK_ALWAYS_SKIP) counts.alwaysSkip++;
    if (holes.length > 0) counts.sacksWithHoles++;
    counts.mostHoles = Math.max(counts.mostHoles, holes.length);
    if (this.#newestPsn !== UNKNOWN && psnsAhead(cumulativePsn, this.#newestPsn) < 0) return;
    this.#newestPsn = cumulativePsn;
    this.#openHoles = holes;
  }

  /** Counts an ACK of a message, or a NAK. */
  addAck(isNak: boolean): void {
    if (isNak) this.#counts.naks++;
    else this.#counts.acks++;
  }

  addNack(reason: string): void {
    this.#nacks[reason] = (this.#nacks[reason] ?? 0) + 1;
  }

  #noteEntropy(entropy: number): void {
    if (this.#lastEntropy !== undefined && this.#lastEntropy !== entropy) this.#counts.sprayedFrames++;
    this.#lastEntropy = entropy;
    const frames = this.#entropies.get(entropy);
    if (frames !== undefined || this.#entropies.size < ENTROPIES_MAX) this.#entropies.set(entropy, (frames ?? 0) + 1);
  }
}

/**
 * Tracks the PSNs of one stream of MRC data as they arrive: which are missing, and how far packets are out of order.
 *
 * Packets take different paths, so a gap is not a loss. Memory is bounded: missing PSNs beyond MISSING_MAX are only
 * counted.
 */
class PsnTrack {
  /** The highest PSN so far, modulo 2^24; -1 before the first. */
  highest = UNKNOWN;
  /** Packets that arrived after one with a higher PSN, excluding retransmissions. */
  outOfOrder = 0;
  /** Maximum distance in PSNs between the highest PSN and a packet that arrived late without being retransmitted. */
  reorderingDepth = 0;
  readonly #missing = new Set<number>();
  #missingElsewhere = 0;

  /** Number of PSNs below the highest one that did not arrive. */
  get missing(): number {
    return this.#missing.size + this.#missingElsewhere;
  }

  /** Records a packet that arrived whole. */
  add(psn: number, isRetransmission: boolean): void {
    if (this.highest === UNKNOWN) {
      this.highest = psn;
      return;
    }
    const ahead = psnsAhead(psn, this.highest);
    if (ahead > 0) this.#advance(psn, ahead);
    else this.#fill(psn, -ahead, isRetransmission);
  }

  #advance(psn: number, ahead: number): void {
    for (let step = 1; step < ahead && ahead <= JUMP_MAX; step++) {
      if (this.#missing.size < MISSING_MAX) this.#missing.add(psnAfter(this.highest, step));
      else this.#missingElsewhere++;
    }
    this.highest = psn;
  }

  #fill(psn: number, depth: number, isRetransmission: boolean): void {
    const wasMissing = this.#missing.delete(psn);
    if (isRetransmission || !wasMissing) return;
    this.outOfOrder++;
    if (depth > this.reorderingDepth) this.reorderingDepth = depth;
  }
}

/**
 * Captured data packets of one queue pair by PSN. Finds the packet that a SACK or NACK names, and measures the round
 * trip of packets sent once.
 *
 * Round trip  from the capture of a packet to that of the SACK with its PSN and entropy value, and with its timestamp
 *             if it has one. A PSN that came more than once is left out, because the SACK may be about either copy
 *             (Karn and Partridge 1987)
 * Bounded     the newest RECENT_MAX PSNs, and the newest SAMPLES_MAX round trips for the median
 */
class SentPackets {
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
