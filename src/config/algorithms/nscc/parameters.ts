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
/** The sum of increases: truncated to 32 bits as in the reference program, or exact. */
export type NsccIncreaseSum = 'u32' | 'exact';

/** All parameters of NSCC's sender; the presets `nsccUet` and `nsccMrc` fill them in. */
export interface NsccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'nscc';
  /** Rate of the port, bits per second: determines the bandwidth-delay product, and limits the reported rate. */
  readonly maxRateBps: number;
  /** Size of a full packet as the window counts it, and the minimum window, bytes [mtu]. */
  readonly packetBytes: number;
  /** Payload of a full packet, bytes [mss]. */
  readonly payloadBytes: number;
  /** Base round trip until a shorter one is measured, picoseconds [base_rtt]. */
  readonly baseRttPs: number;
  /** Target queueing delay, picoseconds [target_Qdelay]. */
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
  /** Queueing delays below this count as none, picoseconds. */
  readonly fastDelayPs: number;
  /** Multiplicative decrease [gamma]. */
  readonly decreaseGain: number;
  /** Maximum share by which a decrease reduces the window, 0 to 1 [max_md_jump]. */
  readonly maxDecrease: number;
  /** Weight of a sample in the average delay, above 0 to 1. */
  readonly delayWeight: number;
  /** Increases are added to the window after this many packets, or a base round trip [adjust_bytes]. */
  readonly fulfilPackets: number;
  /** Whether quick adapt is enabled [disable_qa]. */
  readonly quickAdapt: boolean;
  /** Quick adapt acts if less than the largest window / 2^gate was achieved [qa_gate]. */
  readonly adaptGate: number;
  /** Quick adapt may act on delays above this many targets; 0 = on no delay [qa_threshold]. */
  readonly adaptTargets: number;
  /** Reaction to a loss that was not reported by a NACK. */
  readonly inferredLoss: NsccInferredLoss;
  /** Reaction to a NACK of a packet trimmed at the last hop. */
  readonly lastHopTrims: NsccLastHopTrims;
  /** Whether a NACK measures a round trip. */
  readonly nackRtt: NsccNackRtt;
  /** Precision of the sum of increases. */
  readonly increaseSum: NsccIncreaseSum;
}
