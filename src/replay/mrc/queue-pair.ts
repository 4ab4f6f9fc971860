/** Counters of one direction of MRC data and of the control packets that belong to it. */
import { UNKNOWN, psnsAhead } from '../psn/psn.js';
import { PsnTrack } from './psn-track.js';
import { SentPackets } from './sent-packets.js';
import type { MrcQueuePair } from './summary.js';

/** Maximum number of entropy values counted separately. */
const ENTROPIES_MAX = 4096;
const MARK_SKIP_ONCE = 1;
const MARK_ALWAYS_SKIP = 2;

/** Fields of a data packet. */
export interface MrcDataPacket {
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
export interface MrcSackPacket {
  readonly cumulativePsn: number;
  readonly mark: number;
  readonly holes: readonly number[];
  /** PSN of the packet that caused the SACK; undefined in a response to a probe. */
  readonly causePsn: number | undefined;
  readonly entropy: number;
  readonly timePs: number;
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
