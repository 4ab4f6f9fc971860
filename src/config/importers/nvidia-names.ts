/**
 * NVIDIA's congestion-control settings: names in the three sources, unit, range and shipped default.
 *
 * Sources: NVIDIA DOCA 3.4 "DCQCN CC Parameters" and Mellanox "DCQCN Parameters" v19 for names, units, ranges and
 * defaults; mstflint's layout of these settings for field widths where the pages give no range; mlxconfig queries for
 * the defaults of the notification point; the Linux mlx5 driver for the debugfs names. A comment marks each range that
 * is narrower than the source's.
 */

import { PERIOD_MAX_PS } from '../algorithms/algorithm.js';
import type { LeftOutReason } from './notes.js';

/** Names, range and default of a setting. */
export interface NvidiaSetting {
  /** Name in `mlxconfig query`, without the port's suffix `_P1`. */
  readonly mlxconfig: string;
  /** File in `ecn/roce_rp` or `ecn/roce_np` of a network device. */
  readonly sysfs: string;
  /** File in `cc_params` of the debug file system. */
  readonly debugfs: string;
  readonly unit: string;
  readonly low: number;
  /** Largest value; `line` is the port's rate in Mb/s. */
  readonly high: number | 'line';
  /** Shipped default. */
  readonly byDefault: number;
}

/** Longest period that this library supports, whole microseconds; NVIDIA's own limit is 2^32 - 1. */
const PERIOD_MAX_US = Math.floor(PERIOD_MAX_PS / 1e6);
/** Width of the field in mstflint's layout: 17 bits. */
const MAX_17_BITS = 2 ** 17 - 1;

function setting(names: readonly [mlxconfig: string, sysfs: string, debugfs: string], low: number,
  high: number | 'line', byDefault: number, unit = ''): NvidiaSetting {
  const [mlxconfig, sysfs, debugfs] = names;
  return { mlxconfig, sysfs, debugfs, unit, low, high, byDefault };
}

/** Settings of the reaction point and the notification point, by the key that the importers use. */
export const NVIDIA_SETTINGS = {
  clampTgtRate: setting(['CLAMP_TGT_RATE', 'clamp_tgt_rate', 'rp_clamp_tgt_rate'], 0, 1, 0),
  clampTgtRateAfterTimeInc: setting([
    'CLAMP_TGT_RATE_AFTER_TIME_INC',
    'clamp_tgt_rate_after_time_inc',
    'rp_clamp_tgt_rate_ati',
  ], 0, 1, 1),
  timeReset: setting(['RPG_TIME_RESET', 'rpg_time_reset', 'rp_time_reset'], 1, MAX_17_BITS, 300, 'us'),
  /** 15 bits in mstflint's layout; 0 = no byte counter. */
  byteReset: setting(['RPG_BYTE_RESET', 'rpg_byte_reset', 'rp_byte_reset'], 0, 2 ** 15 - 1, 32767, 'units'),
  /** 5 bits in mstflint's layout. */
  threshold: setting(['RPG_THRESHOLD', 'rpg_threshold', 'rp_threshold'], 0, 31, 1),
  /** 0 = the port's rate. */
  maxRate: setting(['RPG_MAX_RATE', 'rpg_max_rate', 'rp_max_rate'], 0, 'line', 0, 'Mb/s'),
  aiRate: setting(['RPG_AI_RATE', 'rpg_ai_rate', 'rp_ai_rate'], 0, MAX_17_BITS, 5, 'Mb/s'),
  haiRate: setting(['RPG_HAI_RATE', 'rpg_hai_rate', 'rp_hai_rate'], 0, MAX_17_BITS, 50, 'Mb/s'),
  gd: setting(['RPG_GD', 'rpg_gd', 'rp_gd'], 10, 11, 11),
  minDecFac: setting(['RPG_MIN_DEC_FAC', 'rpg_min_dec_fac', 'rp_min_dec_fac'], 0, 100, 50, '%'),
  minRate: setting(['RPG_MIN_RATE', 'rpg_min_rate', 'rp_min_rate'], 1, 'line', 1, 'Mb/s'),
  rateOnFirstCnp: setting(['RATE_TO_SET_ON_FIRST_CNP', 'rate_to_set_on_first_cnp', 'rp_rate_to_set_on_first_cnp'], 0,
    'line', 0, 'Mb/s'),
  alphaG: setting(['DCE_TCP_G', 'dce_tcp_g', 'rp_dce_tcp_g'], 0, 1023, 1019, '/ 1024'),
  alphaPeriod: setting(['DCE_TCP_RTT', 'dce_tcp_rtt', 'rp_dce_tcp_rtt'], 1, MAX_17_BITS, 1, 'us'),
  monitorPeriod: setting(['RATE_REDUCE_MONITOR_PERIOD', 'rate_reduce_monitor_period', 'rp_rate_reduce_monitor_period'],
    1, PERIOD_MAX_US, 4, 'us'),
  initialAlpha: setting(['INITIAL_ALPHA_VALUE', 'initial_alpha_value', 'rp_initial_alpha_value'], 1, 1023, 1023,
    '/ 1024'),
  /** 4 on newer adapters, 0 on ConnectX-4. */
  minTimeBetweenCnps: setting(['MIN_TIME_BETWEEN_CNPS', 'min_time_between_cnps', 'np_min_time_between_cnps'], 0,
    PERIOD_MAX_US, 4, 'us'),
  cnpDscp: setting(['CNP_DSCP', 'cnp_dscp', 'np_cnp_dscp'], 0, 63, 48),
  cnpPriority: setting(['CNP_802P_PRIO', 'cnp_802p_prio', 'np_cnp_prio'], 0, 7, 6),
} as const;

export type NvidiaKey = keyof typeof NVIDIA_SETTINGS;

/** Every key, in the table's order. */
export const NVIDIA_KEYS = Object.freeze(Object.keys(NVIDIA_SETTINGS)) as readonly NvidiaKey[];

/** A known setting that the model ignores. */
export interface UnusedSetting {
  /** Why the model ignores it. */
  readonly reason: LeftOutReason;
  /** The value that matches the model's behavior; any other causes a warning. */
  readonly expected?: number;
}

/** mlxconfig settings that the model ignores, without the port's suffix. */
export const MLXCONFIG_UNUSED: Readonly<Record<string, UnusedSetting>> = {
  ROCE_CC_ALGORITHM: { reason: 'ecn-is-the-model', expected: 0 },
  ROCE_CC_CNP_MODERATION: { reason: 'undocumented-values', expected: 0 },
  ROCE_CC_SHAPER_COALESCE: { reason: 'limiters-per-qp', expected: 0 },
  ROCE_CC_CONGESTION_CONTROL_EXT: { reason: 'packet-steering' },
  ROCE_CC_STEERING_EXT: { reason: 'packet-steering' },
  ROCE_CC_RTT_TIMESTAMP_FORMAT: { reason: 'rtt-probes' },
  ROCE_CC_LEGACY_DCQCN: { reason: 'newer-algorithm', expected: 1 },
  USER_PROGRAMMABLE_CC: { reason: 'programmed-algorithm', expected: 0 },
  CNP_DSCP_MODE: { reason: 'dscp-of-setting', expected: 0 },
  CNP_RES_PRIO_MODE: { reason: 'priority-of-setting', expected: 0 },
};

/**
 * mlxconfig's mask of priorities with congestion control, bit p for priority p, 255 by default; without the port's suffix.
 * Sources: Mellanox, DOC-2790; mlxconfig queries for the default.
 */
export const PRIORITY_MASK = 'ROCE_CC_PRIO_MASK';

/** Files of `cc_params` that the model ignores. */
export const DEBUGFS_UNUSED: Readonly<Record<string, UnusedSetting>> = {
  np_cnp_prio_mode: { reason: 'priority-of-file', expected: 0 },
  rtt_resp_dscp: { reason: 'rtt-probes' },
  rtt_resp_dscp_valid: { reason: 'rtt-probes' },
};

/** Prefixes of the mlxconfig names that belong to RoCE congestion control. */
export const MLXCONFIG_FAMILIES: readonly string[] = [
  'RPG_',
  'DCE_TCP_',
  'CLAMP_TGT_RATE',
  'RATE_REDUCE_',
  'RATE_TO_SET_',
  'INITIAL_ALPHA_',
  'MIN_TIME_BETWEEN_CNPS',
  'CNP_',
  'ROCE_CC_',
  'USER_PROGRAMMABLE_CC',
];
