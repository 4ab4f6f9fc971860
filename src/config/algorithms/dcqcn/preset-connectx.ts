/**
 * DCQCN as NVIDIA (Mellanox) ConnectX-4 and later run it, with the shipped settings.
 *
 * From the first CNP on three periodic processes run: alpha each dce_tcp_rtt, a cut check each
 * rate_reduce_monitor_period, an increase each rpg_time_reset and each rpg_byte_reset. Alpha is an integer of 2^-10:
 *
 *   alpha   up: min(1023, floor(G alpha / 1024) + 1024 - G); down: floor(G alpha / 1024), G = dce_tcp_g
 *   cut     R_C -= min(R_C alpha >> rpg_gd, R_C (100 - rpg_min_dec_fac) / 100), at least rpg_min_rate
 *   target  R_T = R_C at a cut if clamp_tgt_rate, or B > 0, or T > 0 and clamp_tgt_rate_after_time_inc
 *   stages  hyper when min(T, B) > rpg_threshold, additive when max(T, B) >= rpg_threshold
 *
 * Cited below: [NV] DOCA 3.4, "DCQCN CC Parameters", which has names, units, ranges and defaults; [ISK] google/isekai,
 * rdma_roce_cc_dcqcn, an open model of the adapter, for the order of operations. With the floor division alpha grows
 * to 820/1024 at most once it has decayed. What real adapters do beyond these two sources is unknown.
 */
import { checkLineRate } from '../algorithm.js';
import { buildPreset, type DcqcnParameters, type DcqcnDefaults, type PresetOptions } from '../dcqcn.js';
import { mbps, us } from '../../../units.js';
import { checkMember, oneOf } from '../../field-rules.js';

/** Bytes per unit of rpg_byte_reset. */
export type ByteResetUnitBytes = 1 | 64;

/** rpg_byte_reset as shipped [NV]. */
const CONNECTX_BYTE_RESET = 32767;

/**
 * The unit of rpg_byte_reset is stated in two ways: 64 bytes [ISK], one byte [mstconfig help]. 64 is the default: it
 * makes the shipped value 2 MB, which takes 168 us at 100 Gb/s, the order of the 300 us timer, and a test
 * equipment vendor's DCQCN parameter set also has 2 MB; 32 KB would pass in 2.6 us and make the timer pointless.
 */
export const DEFAULT_BYTE_RESET_UNIT_BYTES: ByteResetUnitBytes = 64;

/** Options of `dcqcnConnectx`: line rate, the adapter's unit, and overrides of any field. */
export interface ConnectxOptions extends PresetOptions {
  /** Bytes per unit of rpg_byte_reset, 64 or 1. Default 64. */
  readonly byteResetUnitBytes?: ByteResetUnitBytes;
}

const DEFAULTS: Omit<DcqcnDefaults, 'byteCounterBytes'> = {
  numbers: 'alpha-q10',
  /** rpg_min_rate 1 Mb/s [NV]. */
  minRateBps: mbps(1),
  /** dce_tcp_g 1019 is the part of alpha that remains [NV, ISK]: the gain is the rest. */
  alphaGain: 1 - 1019 / 1024,
  /** initial_alpha_value [NV]. */
  initialAlpha: 1023 / 1024,
  alphaUpdate: 'per-period',
  /** dce_tcp_rtt 1 us [NV]. */
  alphaPeriodPs: us(1),
  cutTrigger: 'per-period',
  /** rate_reduce_monitor_period 4 us [NV]. */
  cutPeriodPs: us(4),
  cutOffsetPs: 0,
  cutAlphaOrder: 'cut-first',
  /** rpg_gd 11 on an alpha of 10 bits [NV]: 2^10 / 2^11. */
  cutScale: 0.5,
  /** rpg_min_dec_fac 50 % [NV]. */
  minDecreaseFactor: 50 / 100,
  /** rate_to_set_on_first_cnp 0, no change [NV]. */
  rateOnFirstCnpBps: 0,
  rateOnFirstCnpFraction: 1,
  /** The first CNP initialises the state and clears both CNP flags [ISK]. */
  firstCnpCuts: false,
  /** clamp_tgt_rate 0 [NV]. */
  clampTargetRate: false,
  /** clamp_tgt_rate_after_time_inc 1 [NV]. */
  clampTargetRateAfterTimeIncrease: true,
  /** rpg_time_reset 300 us [NV]. */
  increasePeriodPs: us(300),
  /** [ISK]. */
  increaseTimerStart: 'first-cnp',
  /** rpg_threshold 1 [NV]. */
  fastRecoverySteps: 1,
  stages: 'time-and-bytes',
  /** rpg_ai_rate 5 Mb/s [NV]. */
  aiRateBps: mbps(5),
  /** rpg_hai_rate 50 Mb/s [NV]. */
  haiRateBps: mbps(50),
  /** [ISK]. */
  hyperThreshold: 'above',
  /** [ISK]. */
  hyperFactor: 'constant',
  hyperHalvesPeriods: false,
  targetReduction: false,
  /** rpg_max_rate: the limiter is removed when the rate is back at this value [NV]. */
  limiterRelease: 'at-max-rate',
  /** From R_C = maximum - 1 b/s, the rounded-down average with R_T = maximum is R_C again: it never reaches the maximum. */
  releaseGapBps: 1,
  simultaneous: 'timers-first',
};

const UNIT_RULE = oneOf(64, 1);

/**
 * ConnectX-4 and later with NVIDIA's shipped settings.
 *
 * @param options `lineRateBps`, the unit of rpg_byte_reset, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = dcqcnConnectx({ lineRateBps: gbps(100) });
 */
export function dcqcnConnectx(options: ConnectxOptions): DcqcnParameters {
  checkLineRate(options, 'dcqcnConnectx');
  const { byteResetUnitBytes = DEFAULT_BYTE_RESET_UNIT_BYTES, ...rest } = options;
  checkMember(byteResetUnitBytes, UNIT_RULE, 'dcqcnConnectx', 'byteResetUnitBytes');
  const defaults = { ...DEFAULTS, byteCounterBytes: CONNECTX_BYTE_RESET * byteResetUnitBytes };
  return buildPreset('dcqcnConnectx', defaults, rest);
}
