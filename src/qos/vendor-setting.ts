/** Names of the settings that configure the subject of a finding on SONiC and on NVIDIA's adapters. */
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
