/**
 * The parameters of Swift's sender: a window controlled by delay, scaled by path length and by the window itself.
 *
 *   target = base + hops hopScale + max(0, min(a / sqrt(cwnd) + b, fsRange)),
 *            a = fsRange / (1 / sqrt(fsMin) - 1 / sqrt(fsMax)),  b = -a / sqrt(fsMax)
 *   delay < target   cwnd += ai acked / cwnd   (ai acked below 1)
 *   else, once per round trip   cwnd = cwnd max(1 - beta (delay - target) / delay, 1 - maxMdf)
 *
 * Windows are in packets and may be fractions; below a window of 1, packets are paced.
 *
 * Source: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter", SIGCOMM 2020,
 * section 3 and algorithm 1, its names in brackets. Limits: validate.ts.
 */
export interface SwiftParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'swift';
  /** Rate of the port: caps the rate that is reported, bits per second. */
  readonly maxRateBps: number;
  /** Bytes of a full packet, the unit of the window. */
  readonly packetBytes: number;
  /** Target delay of the shortest path without queues and without scaling, picoseconds [base_target]. */
  readonly baseTargetPs: number;
  /** Added to the target per hop, picoseconds [h-bar]. */
  readonly hopScalePs: number;
  /** Most that flow scaling adds to the target, picoseconds [fs_range]; 0 = no flow scaling. */
  readonly flowScaleRangePs: number;
  /** Up to this window flow scaling adds its full range to the target, packets [fs_min_cwnd]. */
  readonly flowScaleMinCwnd: number;
  /** From this window on flow scaling adds nothing to the target, packets [fs_max_cwnd]. */
  readonly flowScaleMaxCwnd: number;
  /** Additive step per round trip, packets [ai]. */
  readonly aiPackets: number;
  /** Depth of a decrease, above 0 to 1 [beta]. */
  readonly decreaseBeta: number;
  /** Largest part of the window that one decrease removes, above 0, below 1 [max_mdf]. */
  readonly maxDecrease: number;
  /** Smallest congestion window, packets [min_cwnd]. */
  readonly minCwnd: number;
  /** Largest congestion window, packets [max_cwnd]. */
  readonly maxCwnd: number;
  /** Congestion window of a new QP, packets. */
  readonly initialCwnd: number;
  /** Number of consecutive retransmission timeouts that resets the window to minCwnd [RETX_RESET_THRESHOLD]. */
  readonly timeoutsToReset: number;
}
