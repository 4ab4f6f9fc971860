/**
 * Rules for a single SONiC switch: headroom, shared headroom pool and watchdog, with SONiC's names and the source of
 * each.
 */
import type { LintSeverity } from '../lint-rules.js';
import type { LintFacts } from '../lint-sentences.js';
import { sonicFacts, type SonicFigures } from './sonic-sentences.js';

interface SonicRuleText {
  /** Severity of the rule's findings. */
  readonly severity: LintSeverity;
  /** Tables and fields that determine it. */
  readonly setting: string;
  /** How to fix a finding of this rule. */
  readonly advice: string;
  /** Where the facts are documented. */
  readonly source: string;
}

const YANG_WATCHDOG = 'sonic-buildimage, sonic-pfcwd.yang';
const ORCH_WATCHDOG = 'sonic-swss, orchagent/pfcwdorch.cpp';

const RULES = {
  'qos-tables-missing': {
    severity: 'error',
    setting: 'PORT_QOS_MAP, QUEUE, BUFFER_PG',
    advice:
      'Write the QoS tables with "config qos reload", or lint the file that has them (one per ASIC on some platforms).',
    source: 'sonic-utilities, config/main.py, config qos reload',
  },
  'headroom-below-cable': {
    severity: 'error',
    setting: 'BUFFER_PROFILE xoff, CABLE_LENGTH, PORT speed',
    advice: 'Raise xoff and what holds it (size, or xoff of BUFFER_POOL), or correct CABLE_LENGTH: the group drops.',
    source: 'IEEE 802.1Q, annex O; sonic-net/SONiC #480',
  },
  'headroom-below-limit': {
    severity: 'warning',
    setting: 'BUFFER_PROFILE xoff, CABLE_LENGTH, PORT speed',
    advice: 'Raise xoff, or check with the data sheets of both ends that they are faster than the standards demand.',
    source: 'IEEE 802.1Q, annex O and 36.1.3.3; IEEE 802.3, 31B.3.7',
  },
  'headroom-not-reserved': {
    severity: 'warning',
    setting: 'BUFFER_PROFILE size, BUFFER_POOL xoff',
    advice: 'Without a shared headroom pool set size to xon + xoff; otherwise set xoff of BUFFER_POOL.',
    source: 'sonic-swss, cfgmgr/buffer_headroom_mellanox.lua',
  },
  'headroom-pool-too-small': {
    severity: 'warning',
    setting: 'BUFFER_POOL xoff',
    advice: 'Raise xoff of BUFFER_POOL: all priority groups share it, and it does not hold the headroom of one.',
    source: 'sonic-swss #368',
  },
  'pause-stops-other-queue': {
    severity: 'warning',
    setting: 'MAP_PFC_PRIORITY_TO_QUEUE, TC_TO_QUEUE_MAP',
    advice: 'Map each priority of pfc_enable to the queue of its traffic class.',
    source: 'sonic-buildimage, sonic-yang-models/doc/Configuration.md',
  },
  'watchdog-missing': {
    severity: 'warning',
    setting: 'PFC_WD',
    advice: 'Start it with "pfcwd start", or "pfcwd start_default".',
    source: 'sonic-utilities, pfcwd/main.py',
  },
  'watchdog-other-priority': {
    severity: 'warning',
    setting: 'PORT_QOS_MAP pfcwd_sw_enable, pfc_enable',
    advice: 'Let pfcwd_sw_enable have the priorities of pfc_enable.',
    source: 'sonic-swss #2171; edge-core/sonic-buildimage #697',
  },
  'watchdog-slow-poll': {
    severity: 'warning',
    setting: 'PFC_WD POLL_INTERVAL, detection_time, restoration_time',
    advice: 'Set POLL_INTERVAL of PFC_WD|GLOBAL to at most detection_time and restoration_time ("pfcwd interval").',
    source: YANG_WATCHDOG,
  },
  'watchdog-rejected': {
    severity: 'warning',
    setting: 'PFC_WD detection_time, restoration_time, POLL_INTERVAL',
    advice: 'Set times in the range: orchagent rejects the others, and the watchdog does not start.',
    source: `${ORCH_WATCHDOG}; ${YANG_WATCHDOG}`,
  },
  'watchdog-alert-only': {
    severity: 'info',
    setting: 'PFC_WD action',
    advice: 'Use drop or forward where a storm has to end: alert only logs it.',
    source: ORCH_WATCHDOG,
  },
  'watchdog-without-restoration': {
    severity: 'info',
    setting: 'PFC_WD restoration_time',
    advice: 'Set restoration_time; "pfcwd start" writes twice detection_time.',
    source: 'sonic-utilities, pfcwd/main.py',
  },
  'big-red-switch': {
    severity: 'error',
    setting: 'PFC_WD BIG_RED_SWITCH',
    advice: 'Disable it with "pfcwd big_red_switch disable" when the incident is over.',
    source: ORCH_WATCHDOG,
  },
} as const satisfies Record<string, SonicRuleText>;

/** Id of a rule for a SONiC switch. */
export type SonicRule = keyof typeof RULES;

/** All rules, in the order of the report. */
export const SONIC_RULES: Readonly<Record<SonicRule, SonicRuleText>> = Object.freeze(RULES);

/** A finding of a rule. */
export interface SonicFindingOf<Rule extends SonicRule> extends SonicRuleText, LintFacts {
  /** The violated rule. */
  readonly rule: Rule;
  /** The figures that the sentences are made from, by name, with units. */
  readonly figures: SonicFigures<Rule>;
}

/** A finding at a port of a SONiC switch. */
export type SonicFinding = { [Rule in SonicRule]: SonicFindingOf<Rule> }[SonicRule];

/** Makes a finding; its severity and advice come from the rule. */
export function findSonic<Rule extends SonicRule>(rule: Rule, figures: SonicFigures<Rule>): SonicFindingOf<Rule> {
  return { rule, ...SONIC_RULES[rule], figures, ...sonicFacts(rule, figures) };
}
