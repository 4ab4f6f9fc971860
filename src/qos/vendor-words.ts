/** Names of settings on SONiC and on NVIDIA's adapters, and SONiC's names and advice in the linter's texts. */
import { checkField, checkRecord, oneOf } from '../config/field-rules.js';
import { LINT_RULE_NAMES, type LintRule } from './lint-rules.js';

const RULE = oneOf(...LINT_RULE_NAMES);
const VENDOR = oneOf('sonic', 'nvidia');

/** Names of a setting, by vendor. */
interface VendorNames {
  readonly sonic: string;
  readonly nvidia: string;
}

const MAPS: VendorNames = { sonic: 'PORT_QOS_MAP dscp_to_tc_map, DSCP_TO_TC_MAP', nvidia: 'mlnx_qos --dscp2prio' };
const MARKING: VendorNames = {
  sonic: 'none: the host marks',
  nvidia: 'traffic_class of rdma_cm (TCLASS), cma_roce_tos; cnp_dscp and cnp_802p_prio (CNP_DSCP_P1, CNP_802P_PRIO_P1)',
};
const GROUPS: VendorNames = { sonic: 'TC_TO_PRIORITY_GROUP_MAP', nvidia: 'mlnx_qos --prio2buffer' };
const QUEUES: VendorNames = { sonic: 'TC_TO_QUEUE_MAP', nvidia: 'mlnx_qos --prio_tc' };
const PFC: VendorNames = { sonic: 'PORT_QOS_MAP pfc_enable', nvidia: 'mlnx_qos --pfc' };
const BUFFERS: VendorNames = {
  sonic: 'BUFFER_PG, BUFFER_PROFILE xoff, xon, dynamic_th',
  nvidia: 'mlnx_qos --buffer_size, --cable_len',
};
const WRED: VendorNames = {
  sonic: 'QUEUE wred_profile, WRED_PROFILE ecn, wred_green_enable, green_min_threshold, green_max_threshold',
  nvidia: 'none: switches mark',
};
const SCHEDULER: VendorNames = { sonic: 'QUEUE scheduler, SCHEDULER type, weight', nvidia: 'mlnx_qos --tsa, --tcbw' };

const NAMES: Readonly<Record<LintRule, VendorNames>> = {
  'trust-differs': { sonic: 'PORT_QOS_MAP dscp_to_tc_map or dot1p_to_tc_map', nvidia: 'mlnx_qos --trust' },
  'trusted-field-missing': { sonic: 'PORT_QOS_MAP dscp_to_tc_map or dot1p_to_tc_map', nvidia: 'mlnx_qos --trust' },
  'marking-misplaced': MARKING,
  'marking-unexpected': MARKING,
  'priority-differs': MAPS,
  'lossless-group-shared': GROUPS,
  'group-shared': GROUPS,
  'group-differs': GROUPS,
  'traffic-class-shared': QUEUES,
  'traffic-class-differs': QUEUES,
  'pause-missing': PFC,
  'pause-one-sided': PFC,
  'pause-other-priority': PFC,
  'pause-not-in-profile': PFC,
  'pause-without-buffer': BUFFERS,
  'pause-without-xoff': BUFFERS,
  'pause-without-headroom': BUFFERS,
  'global-pause-with-pfc': { sonic: 'PORT_QOS_MAP pfc_enable', nvidia: 'ethtool --pause' },
  'cnp-paused': PFC,
  'ecn-off': WRED,
  'ecn-not-in-profile': WRED,
  'ecn-inverted': WRED,
  'ecn-step': WRED,
  'ecn-starts-above-xoff': WRED,
  'ecn-ends-above-xoff': WRED,
  'reaction-point-off': { sonic: 'none: the host reacts', nvidia: 'ecn/roce_rp/enable/PRIORITY' },
  'notification-point-off': { sonic: 'none: the host notifies', nvidia: 'ecn/roce_np/enable/PRIORITY' },
  'cnp-shares-traffic-class': QUEUES,
  'cnp-not-strict': SCHEDULER,
  'cnp-not-highest': SCHEDULER,
  'ets-sum': SCHEDULER,
  'recovery-too-weak': { sonic: 'none: the host retransmits', nvidia: 'the transport of the adapter and its firmware' },
};

/** The vendor whose names are used. */
export type SettingVendor = 'sonic' | 'nvidia';

const PLAIN: VendorWords = {
  trafficClass: 'traffic class',
  class: 'class',
  ecnMin: 'ECN minimum',
  ecnMax: 'ECN maximum',
  xoff: 'xoff',
  xoffThreshold: 'xoff threshold',
  headroom: 'headroom',
  advice: {},
};
const DSCP_MAP = 'Correct the entry of DSCP_TO_TC_MAP (or DOT1P_TO_TC_MAP) that PORT_QOS_MAP names.';
const GROUP_MAP =
  'Give RoCE a separate priority group in TC_TO_PRIORITY_GROUP_MAP, and name the map in tc_to_pg_map of PORT_QOS_MAP.';
const QUEUE_MAP = 'Give RoCE a separate queue in TC_TO_QUEUE_MAP, and name the map in tc_to_queue_map of PORT_QOS_MAP.';
const CNP_QUEUE_MAP = 'Give CNPs a separate queue in TC_TO_QUEUE_MAP, or they wait behind the congestion.';
const BOTH_ENDS_PAUSE =
  'Add the RoCE priority to pfc_enable of PORT_QOS_MAP, and enable PFC at the other end of the link too.';
const LIMITS =
  'Lower green_min_threshold and green_max_threshold, or raise dynamic_th (static_th): ECN has to act before PFC.';
/** Advice by rule; rules without an entry have no SONiC-specific advice. */
export const SONIC_ADVICE: Readonly<Partial<Record<LintRule, string>>> = Object.freeze({
  'trust-differs': 'Set dscp_to_tc_map of PORT_QOS_MAP: DSCP needs no VLAN tag and survives routing.',
  'trusted-field-missing':
    'Set dscp_to_tc_map of PORT_QOS_MAP instead of dot1p_to_tc_map, or send frames with a VLAN tag.',
  'priority-differs': DSCP_MAP,
  'lossless-group-shared': GROUP_MAP,
  'group-shared': GROUP_MAP,
  'group-differs': 'Correct TC_TO_PRIORITY_GROUP_MAP.',
  'traffic-class-shared': QUEUE_MAP,
  'traffic-class-differs': 'Correct TC_TO_QUEUE_MAP.',
  'pause-missing': BOTH_ENDS_PAUSE,
  'pause-one-sided': BOTH_ENDS_PAUSE,
  'pause-other-priority': BOTH_ENDS_PAUSE,
  'pause-not-in-profile': 'Take the RoCE priority out of pfc_enable of PORT_QOS_MAP, or choose a profile that has PFC.',
  'pause-without-buffer':
    'Give the priority group a BUFFER_PROFILE with xoff in BUFFER_PG; in the traditional buffer model buffermgrd makes it ' +
    'where PORT has a speed and CABLE_LENGTH a length.',
  'pause-without-xoff':
    'Set dynamic_th (or static_th) of the BUFFER_PROFILE, so that the pause is sent above green_max_threshold.',
  'pause-without-headroom': 'Set xoff of the BUFFER_PROFILE: "roce-cc headroom" computes it from speed and cable.',
  'cnp-paused':
    'Take the priority of the CNPs out of pfc_enable, and give their priority group a BUFFER_PROFILE without xoff.',
  'ecn-off': 'Name a WRED_PROFILE with ecn ecn_all and wred_green_enable true in wred_profile of QUEUE.',
  'ecn-not-in-profile': 'Take wred_profile out of QUEUE, or choose a profile that uses ECN.',
  'ecn-inverted': 'Set green_min_threshold below green_max_threshold.',
  'ecn-step':
    'Raise green_max_threshold: a pure step marks all flows at once, which suits DCTCP; DCQCN expects a ramp.',
  'ecn-starts-above-xoff': LIMITS,
  'ecn-ends-above-xoff': LIMITS,
  'cnp-shares-traffic-class': CNP_QUEUE_MAP,
  'cnp-not-strict': 'Name a SCHEDULER of type STRICT in scheduler of the QUEUE of the CNPs.',
  'cnp-not-highest': 'Move the CNPs to the highest STRICT queue, or make the SCHEDULER of the higher ones DWRR.',
});
const SONIC: VendorWords = {
  trafficClass: 'queue',
  class: 'queue',
  ecnMin: 'green_min_threshold',
  ecnMax: 'green_max_threshold',
  // In SONiC, xoff is the headroom, so the pause threshold has another name.
  xoff: 'the limit of dynamic_th or static_th',
  xoffThreshold: 'limit (dynamic_th or static_th of BUFFER_PROFILE)',
  headroom: 'headroom (xoff of BUFFER_PROFILE)',
  advice: SONIC_ADVICE,
};

/**
 * Names the settings of a vendor that configure the subject of a finding: `PORT_QOS_MAP pfc_enable` or `mlnx_qos
 * --pfc`.
 *
 * @returns the names, or a phrase that begins with `none` if the vendor's device does not configure it.
 * @throws RoceError `invalid-config` for an invalid finding.
 */
export function vendorSettingOf(finding: { readonly rule: LintRule }, vendor: SettingVendor): string {
  const { rule } = checkRecord(finding, 'finding');
  checkField(rule, RULE, 'finding.rule');
  checkField(vendor, VENDOR, 'vendor');
  return NAMES[rule as LintRule][vendor];
}

/** Names in the linter's texts. */
export interface VendorWords {
  /** The egress queue: `traffic class`, `queue`. */
  readonly trafficClass: string;
  /** Short name of it. */
  readonly class: string;
  /** The threshold above which ECN marks. */
  readonly ecnMin: string;
  /** The threshold above which ECN marks all packets. */
  readonly ecnMax: string;
  /** The fill level at which a pause is sent. */
  readonly xoff: string;
  /** The setting of xoff. */
  readonly xoffThreshold: string;
  /** The space above xoff. */
  readonly headroom: string;
  /** How to fix findings, for rules where the vendor's names say more than the rule's own advice. */
  readonly advice: Readonly<Partial<Record<LintRule, string>>>;
}

/** The names of a vendor; without one, those of this library. */
export function wordsOf(vendor: SettingVendor | undefined): VendorWords {
  return vendor === 'sonic' ? SONIC : PLAIN;
}
