/**
 * The parameters of NSCC, the sender's congestion control of Ultra Ethernet and of MRC: a window driven by queueing delay and marks.
 *
 *   A = floor(baseRtt / 1e12 floor(line rate / 8)) / 150000,  B = target / 12 µs, payload P
 *   alpha = proportionalGain P A B / target,  fi = fairGain P A,  eta = fixedGain P A,  fi_scale = fastGain A
 *   largest window = floor(maxWindowBdps bandwidth-delay products)
 *
 * Names in brackets are those of the Ultra Ethernet specification. What each does: assembly/algorithms/nscc/transitions.ts. Limits: validate.ts.
 */

/** A loss that no NACK reported: handled as a trimmed packet, or only taken from the window. */
export type NsccInferredLoss = 'as-trimmed' | 'reduce';
/** A packet trimmed by the last switch: taken from the window, or left to the receiver's credit. */
export type NsccLastHopTrims = 'reduce' | 'leave';
/** Whether a NACK measures a round trip. */
export type NsccNackRtt = 'measure' | 'ignore';
/** The sum of increases: 32 bits, as the reference program has it, or as it is. */
export type NsccIncreaseSum = 'u32' | 'exact';

/** Everything that the sender of NSCC can be set to; the presets `nsccUet` and `nsccMrc` fill it in. */
export interface NsccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'nscc';
  /** Rate of the port, bits per second: gives the bandwidth-delay product and caps the rate that is reported. */
  readonly maxRateBps: number;
  /** A full packet as the window counts it, and the least window, bytes [mtu]. */
  readonly packetBytes: number;
  /** Payload of a full packet, bytes [mss]. */
  readonly payloadBytes: number;
  /** Base round trip of the network, before a shorter one was measured, picoseconds [base_rtt]. */
  readonly baseRttPs: number;
  /** Queueing delay that the algorithm aims at, picoseconds [target_Qdelay]. */
  readonly targetDelayPs: number;
  /** Window of a new QP, bytes; 0 = the largest. */
  readonly initialWindowBytes: number;
  /** Largest window, bandwidth-delay products [max_cwnd]. */
  readonly maxWindowBdps: number;
  /** Proportional increase [alpha]. */
  readonly proportionalGain: number;
  /** Fair increase [fi]. */
  readonly fairGain: number;
  /** Increase per round trip [eta]. */
  readonly fixedGain: number;
  /** Fast increase [fi_scale]. */
  readonly fastGain: number;
  /** Queueing delay below which there is none, picoseconds. */
  readonly fastDelayPs: number;
  /** Multiplicative decrease [gamma]. */
  readonly decreaseGain: number;
  /** Largest part of the window that a decrease takes, 0 to 1 [max_md_jump]. */
  readonly maxDecrease: number;
  /** Weight of a sample in the average delay, above 0 to 1. */
  readonly delayWeight: number;
  /** Increases become window after this many packets, or a base round trip [adjust_bytes]. */
  readonly fulfilPackets: number;
  /** Whether there is quick adapt [disable_qa]. */
  readonly quickAdapt: boolean;
  /** Quick adapt where less than the largest window / 2^gate was achieved [qa_gate]. */
  readonly adaptGate: number;
  /** Delays above this many targets let quick adapt act; 0 = no delay does [qa_threshold]. */
  readonly adaptTargets: number;
  /** What a loss does that was found otherwise than by a NACK. */
  readonly inferredLoss: NsccInferredLoss;
  /** What a NACK for a packet trimmed on the last hop does. */
  readonly lastHopTrims: NsccLastHopTrims;
  /** Whether a NACK measures a round trip. */
  readonly nackRtt: NsccNackRtt;
  /** Bits of the sum of increases. */
  readonly increaseSum: NsccIncreaseSum;
}
