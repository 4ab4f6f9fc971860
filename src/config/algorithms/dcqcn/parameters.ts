/**
 * The parameters of DCQCN's reaction point, every published variant as a switch of one state machine.
 *
 * State: rate R_C, target R_T, alpha, time stage T, byte stage B. One QP goes through these states:
 *
 *   unlimited --first CNP--> limited --rate back at the maximum--> unlimited
 *
 * First CNP    alpha = initialAlpha; R_C = R_T = the rate on first CNP; timers start; a cut, if firstCnpCuts.
 * Cut          R_T = R_C if the clamp rule says so; R_C = R_C (1 - alpha cutScale), at least minDecreaseFactor R_C
 *              and minRateBps; T = B = 0; byte count = 0; the increase timer restarts.
 * Alpha        up: alpha = (1 - g) alpha + g; down: alpha = (1 - g) alpha.
 * Increase     one step each increasePeriodPs (then T += 1) and each byteCounterBytes sent (then B += 1).
 *              With hi = max(T, B), lo = min(T, B) before the step, F = fastRecoverySteps:
 *              hi < F  fast recovery: R_T stays;
 *              lo >= F (or > F, see hyperThreshold)  hyper increase: R_T += haiRateBps (times lo - F + 1, see hyperFactor);
 *              else    additive increase: R_T += aiRateBps;
 *              R_T at most the maximum rate; then R_C = (R_C + R_T) / 2.
 *
 * Sources: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3;
 * NVIDIA "DCQCN CC parameters" (WinOF and DOCA documentation) for the names in brackets. Where sources disagree, and which
 * field chooses: docs/reference/sources.md. Limits of each field: validate.ts.
 */
export interface DcqcnParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'dcqcn';

  /**
   * `float64`: IEEE doubles. `whole-bps`: rates truncated to whole bits per second after each operation, halves
   * truncated before they are added (the ns-3 reference simulator). `alpha-q10`: whole bits per second, and alpha an
   * integer of 2^-10 with floor division (ConnectX).
   */
  readonly numbers: 'float64' | 'whole-bps' | 'alpha-q10';

  /** Rate without a limiter, and the cap of R_C and R_T, bits per second [rpg_max_rate]. */
  readonly maxRateBps: number;
  /** Floor of R_C, bits per second [rpg_min_rate]. */
  readonly minRateBps: number;

  /** g, the gain of alpha; 0..1; a multiple of 1/1024 under `alpha-q10` [dce_tcp_g gives 1 - g, see the importer]. */
  readonly alphaGain: number;
  /** Alpha at the first CNP, 0..1; under `alpha-q10` a multiple of 1/1024 below 1 [initial_alpha_value]. */
  readonly initialAlpha: number;
  /**
   * `on-cnp`: up at each CNP, which restarts the alpha timer; down at each expiry. `per-period`: once each
   * alphaPeriodPs from the first CNP on, up if a CNP came in that period, else down.
   */
  readonly alphaUpdate: 'on-cnp' | 'per-period';
  /** Period of the alpha timer, picoseconds [dce_tcp_rtt]. */
  readonly alphaPeriodPs: number;

  /**
   * `on-cnp`: a cut at each CNP. `per-period`: a check each cutPeriodPs from the first CNP on; a cut if a CNP came
   * since the last check.
   */
  readonly cutTrigger: 'on-cnp' | 'per-period';
  /** Period of the cut checks, picoseconds [rate_reduce_monitor_period]. Without effect under `on-cnp`. */
  readonly cutPeriodPs: number;
  /** Delay of the first cut check, picoseconds (1000 in the ns-3 reference, so that alpha is updated first). */
  readonly cutOffsetPs: number;
  /** If alpha and cuts are both `on-cnp`: whether alpha is updated before or after the cut that it scales. */
  readonly cutAlphaOrder: 'cut-first' | 'alpha-first';
  /** Factor of alpha in a cut: 1/2 [rpg_gd = 11] or 1 [rpg_gd = 10]. */
  readonly cutScale: 0.5 | 1;
  /** A cut leaves at least this part of the rate, 0..1 [rpg_min_dec_fac, percent]. */
  readonly minDecreaseFactor: number;

  /** R_C and R_T at the first CNP, bits per second; 0 = as the next field says [rate_to_set_on_first_cnp]. */
  readonly rateOnFirstCnpBps: number;
  /** R_C and R_T at the first CNP as a part of R_C, 0..1; 1 = unchanged. */
  readonly rateOnFirstCnpFraction: number;
  /** Whether the first CNP cuts too (at once, or at the first check). */
  readonly firstCnpCuts: boolean;

  /** R_T = R_C at every cut [clamp_tgt_rate]. Cuts with B > 0 do this always. */
  readonly clampTargetRate: boolean;
  /** R_T = R_C at a cut with T > 0 [clamp_tgt_rate_after_time_inc]. */
  readonly clampTargetRateAfterTimeIncrease: boolean;

  /** Period of the increase timer, picoseconds [rpg_time_reset]. */
  readonly increasePeriodPs: number;
  /** When the increase timer first starts. Each cut restarts it. */
  readonly increaseTimerStart: 'first-cnp' | 'first-cut';
  /** Bytes between two increase steps; 0 = no byte counter [rpg_byte_reset]. */
  readonly byteCounterBytes: number;
  /** F, steps of fast recovery, 0..253 [rpg_threshold]. */
  readonly fastRecoverySteps: number;
  /** Stages that choose the kind of increase. `time`: hi = lo = T (simulators without a byte counter). */
  readonly stages: 'time-and-bytes' | 'time';
  /** R_AI, bits per second [rpg_ai_rate]. */
  readonly aiRateBps: number;
  /** R_HAI, bits per second [rpg_hai_rate]. */
  readonly haiRateBps: number;
  /** Hyper increase from lo >= F on (`at`), or lo > F (`above`). */
  readonly hyperThreshold: 'at' | 'above';
  /** R_HAI as it is, or times (lo - F + 1). */
  readonly hyperFactor: 'constant' | 'stage';
  /** In hyper increase the timer and the byte counter run with half their periods. */
  readonly hyperHalvesPeriods: boolean;
  /** A rule kept from QCN: on the first step of either counter after a cut, R_T /= 8 if R_T > 10 R_C. */
  readonly targetReduction: boolean;

  /** Whether the limiter is removed when R_C is back at the maximum rate and no cut is pending. */
  readonly limiterRelease: 'at-max-rate' | 'never';
  /** The limiter is removed once R_C is within this distance of the maximum rate, bits per second. */
  readonly releaseGapBps: number;

  /** Whether timers expire before or after a packet event of the same instant. */
  readonly simultaneous: 'timers-first' | 'event-first';
}
