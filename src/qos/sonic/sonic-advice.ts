/** How to fix the linter's findings on a SONiC switch, by table and field. */
import type { LintRule } from '../lint-rules.js';

const DSCP_MAP = 'Correct the entry of DSCP_TO_TC_MAP (or DOT1P_TO_TC_MAP) that PORT_QOS_MAP names.';
const GROUP_MAP =
  'Give RoCE a separate priority group in TC_TO_PRIORITY_GROUP_MAP, and name the map in tc_to_pg_map of PORT_QOS_MAP.';
const QUEUE_MAP = 'Give RoCE a separate queue in TC_TO_QUEUE_MAP, and name the map in tc_to_queue_map of PORT_QOS_MAP.';
const CNP_QUEUE_MAP = 'Give CNPs a separate queue in TC_TO_QUEUE_MAP, or they wait behind the congestion.';
const PFC = 'Add the RoCE priority to pfc_enable of PORT_QOS_MAP, and enable PFC at the other end of the link too.';
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
  'pause-missing': PFC,
  'pause-one-sided': PFC,
  'pause-other-priority': PFC,
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
