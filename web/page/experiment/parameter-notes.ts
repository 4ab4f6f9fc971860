/** Vendors' names of parameters and sources of preset values, for the form. */
import type { AlgorithmFacts, ParameterFacts } from '../../protocol/run-protocol.js';

/** NVIDIA's names (DOCA 3.4, "DCQCN CC Parameters"), and those of the DCQCN paper. */
const DCQCN_NAMES: Readonly<Record<string, string>> = {
  maxRateBps: 'rpg_max_rate',
  minRateBps: 'rpg_min_rate',
  alphaGain: 'g; 1 − dce_tcp_g / 1,024',
  initialAlpha: 'initial_alpha_value',
  alphaPeriodPs: 'dce_tcp_rtt',
  cutPeriodPs: 'rate_reduce_monitor_period',
  cutScale: 'rpg_gd',
  minDecreaseFactor: 'rpg_min_dec_fac',
  rateOnFirstCnpBps: 'rate_to_set_on_first_cnp',
  clampTargetRate: 'clamp_tgt_rate',
  clampTargetRateAfterTimeIncrease: 'clamp_tgt_rate_after_time_inc',
  increasePeriodPs: 'rpg_time_reset',
  byteCounterBytes: 'rpg_byte_reset',
  fastRecoverySteps: 'rpg_threshold',
  aiRateBps: 'rpg_ai_rate',
  haiRateBps: 'rpg_hai_rate',
};

const SOURCES: Readonly<Record<string, string>> = {
  'dcqcn-sigcomm15': 'Zhu et al., SIGCOMM 2015, section 3',
  'dcqcn-ns3': "ns-3 simulator of HPCC's authors, 9f4be2a",
  'dcqcn-connectx': 'NVIDIA DOCA 3.4, DCQCN CC Parameters',
  'dcqcn-irdma': "module parameters of Intel's irdma driver 1.14",
  'hpcc-sigcomm19': 'Li et al., SIGCOMM 2019',
  'hpcc-ns3': "ns-3 simulator of HPCC's authors, 9f4be2a",
  'hpcc-pp-draft': 'draft-miao-ccwg-hpcc',
  'hpcc-pp-fast-cnp': 'draft-miao-ccwg-hpcc, fed by Fast CNPs',
  'hpcc-pint-ns3': "ns-3 simulator of HPCC's authors, 9f4be2a",
  'timely-ns3': "ns-3 simulator of HPCC's authors, 9f4be2a",
  'timely-sigcomm15': 'Mittal et al., SIGCOMM 2015',
  'dctcp-ns3': "ns-3 simulator of HPCC's authors, 9f4be2a",
  'swift-sigcomm20': 'Kumar et al., SIGCOMM 2020',
  'nscc-uet': 'uet-htsim, 40ccb052',
  'nscc-mrc': 'OCP MRC 1.0',
  'rccc-uet': 'uet-htsim, 40ccb052',
  none: 'no congestion control: DCQCN with a rate that cannot fall',
};

/** Parameters shown first, in this order; the others are under "all parameters". */
const MAIN: readonly string[] = [
  'alphaGain',
  'alphaPeriodPs',
  'cutPeriodPs',
  'minDecreaseFactor',
  'increasePeriodPs',
  'byteCounterBytes',
  'fastRecoverySteps',
  'aiRateBps',
  'haiRateBps',
  'minRateBps',
  'eta',
  'maxStages',
  'additiveIncreaseBps',
  'tLowPs',
  'tHighPs',
  'beta',
  'delta',
  'baseTargetPs',
  'maxMdf',
  'utilizationTarget',
];

export const vendorName = (algorithm: string, parameter: string): string =>
  algorithm === 'dcqcn' ? DCQCN_NAMES[parameter] ?? '' : '';
export const sourceOf = (preset: string): string => SOURCES[preset] ?? '';
/** The parameters that are shown first, in their order, and the others. */
export function parametersByPlace({ parameters }: Pick<AlgorithmFacts, 'parameters'>): {
  readonly main: readonly ParameterFacts[];
  readonly others: readonly ParameterFacts[];
} {
  return {
    main: MAIN.flatMap((main) => parameters.filter(({ name }) => name === main)),
    others: parameters.filter(({ name }) => !MAIN.includes(name)),
  };
}

/** Vendors' names for settings of hosts and switches. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  'hosts.cnpIntervalUs': 'min_time_between_cnps',
  'switches.ecn.kminKB': 'SONiC green_min_threshold',
  'switches.ecn.kmaxKB': 'SONiC green_max_threshold',
  'switches.ecn.pmax': 'SONiC green_drop_probability',
  'switches.headroomBytes': 'SONiC xoff',
  'switches.watchdog.detectionUs': 'SONiC detection_time',
  'switches.watchdog.restorationUs': 'SONiC restoration_time',
  'switches.watchdog.pollUs': 'SONiC POLL_INTERVAL',
};

export const vendorSetting = (path: string): string => SETTING_NAMES[path] ?? '';
