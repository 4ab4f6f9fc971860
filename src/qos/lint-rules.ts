/**
 * The linter's rules in the order of its report, with severity, advice and the documents that they are based on.
 *
 * error: RoCE works badly or not at all; warning: it works until conditions change; info: worth knowing.
 */
import { checkField, oneOf } from '../config/field-rules.js';

/** Severity of a finding. */
export type LintSeverity = 'error' | 'warning' | 'info';

interface RuleText {
  readonly severity: LintSeverity;
  /** How to fix a finding of this rule. */
  readonly advice: string;
}

const RULES = {
  'trust-differs': {
    severity: 'warning',
    advice: 'Let every port trust the same field; DSCP is recommended, as it needs no VLAN tag and survives routing.',
  },
  'trusted-field-missing': {
    severity: 'error',
    advice: 'Trust the field that the frames carry (DSCP for untagged ones), or send them with a VLAN tag.',
  },
  'marking-misplaced': {
    severity: 'error',
    advice: 'Correct the marking at the host; the traffic class byte (TCLASS) is DSCP * 4, 104 for DSCP 26.',
  },
  'marking-unexpected': {
    severity: 'warning',
    advice: 'The maps happen to give the right priority; mark as agreed, or change the intent.',
  },
  'priority-differs': { severity: 'error', advice: "Correct the port's map to priorities for this DSCP or PCP." },
  'lossless-group-shared': {
    severity: 'error',
    advice:
      'Give RoCE a separate priority group: by default all priorities are in group 0, and the others become lossless, or pause RoCE.',
  },
  'group-shared': {
    severity: 'warning',
    advice:
      'Give RoCE a separate priority group: by default all priorities are in group 0, and any of them can fill its buffer.',
  },
  'group-differs': { severity: 'warning', advice: "Correct the port's map from priorities to priority groups." },
  'traffic-class-shared': {
    severity: 'warning',
    advice: 'Give RoCE a separate traffic class, without traffic under another congestion control, or under none.',
  },
  'traffic-class-differs': {
    severity: 'warning',
    advice: "Correct the port's map from priorities to traffic classes.",
  },
  'pause-missing': { severity: 'error', advice: 'Enable PFC for the RoCE priority at both ends of the link.' },
  'pause-one-sided': {
    severity: 'error',
    advice: 'Enable PFC for the RoCE priority at this end too: one end alone does not protect the buffer.',
  },
  'pause-other-priority': {
    severity: 'error',
    advice: 'Enable PFC for the priority that RoCE is in, at both ends of the link.',
  },
  'pause-not-in-profile': {
    severity: 'warning',
    advice: 'Turn pause off on this link, or choose a profile that has it: pauses spread congestion.',
  },
  'pause-without-buffer': {
    severity: 'error',
    advice: 'Make the priority group lossless, with xoff, xon and headroom.',
  },
  'pause-without-xoff': {
    severity: 'error',
    advice: 'Set xoff above Kmax, with at least one control loop between them.',
  },
  'pause-without-headroom': {
    severity: 'error',
    advice: 'Reserve headroom above xoff for data in flight until the pause takes effect, or the lossless group drops.',
  },
  'global-pause-with-pfc': {
    severity: 'error',
    advice: 'Turn global pause off: it stops all priorities, and ports support only one of the two at a time.',
  },
  'cnp-paused': {
    severity: 'warning',
    advice: 'Keep CNPs lossy and without PFC: a paused CNP prolongs the congestion that it reports.',
  },
  'ecn-off': { severity: 'error', advice: 'Enable ECN for the traffic class that RoCE leaves by.' },
  'ecn-not-in-profile': { severity: 'info', advice: 'Turn ECN off for the class, or choose a profile that uses it.' },
  'ecn-inverted': { severity: 'error', advice: 'Set the minimum below the maximum.' },
  'ecn-step': {
    severity: 'warning',
    advice: 'Raise the maximum: a pure step marks all flows at once, which suits DCTCP; DCQCN expects a ramp.',
  },
  'ecn-starts-above-xoff': {
    severity: 'error',
    advice: 'Lower the ECN thresholds or raise xoff: Kmin < Kmax < xoff, so that ECN acts before PFC.',
  },
  'ecn-ends-above-xoff': {
    severity: 'warning',
    advice: 'Lower Kmax or raise xoff: Kmin < Kmax < xoff, with at least one control loop between Kmax and xoff.',
  },
  'reaction-point-off': {
    severity: 'error',
    advice: 'Enable the reaction point (roce_rp) for the priority: switches mark, but the sender never slows down.',
  },
  'notification-point-off': {
    severity: 'error',
    advice:
      'Enable the notification point (roce_np) for the priority: switches mark, but the sender is never notified.',
  },
  'cnp-shares-traffic-class': {
    severity: 'error',
    advice: 'Give CNPs a separate traffic class, or they queue behind the congestion.',
  },
  'cnp-not-strict': { severity: 'warning', advice: 'Schedule the class of the CNPs strictly.' },
  'cnp-not-highest': {
    severity: 'warning',
    advice: 'Move the CNPs to the highest strict class, or make the higher ones ETS.',
  },
  'ets-sum': { severity: 'error', advice: 'Let the weights of the ETS classes sum to 100.' },
  'recovery-too-weak': {
    severity: 'warning',
    advice: 'Turn selective repeat on: where drops are normal, go-back-N resends everything behind each of them.',
  },
} as const satisfies Record<string, RuleText>;

/** Id of a rule. */
export type LintRule = keyof typeof RULES;

/** All rules with their severity and advice, in the order of the report. */
export const LINT_RULES: Readonly<Record<LintRule, RuleText>> = Object.freeze(RULES);

/** The ids of {@link LINT_RULES}, in the order of the report. */
export const LINT_RULE_NAMES = Object.freeze(Object.keys(RULES) as LintRule[]);

const CLASSIFICATION = 'RoCE network proposal, slides "Traffic Classification", "Recommended Classification"';
const MAPS = 'RoCE network proposal, slide "Switch Priority Classification"';
const PROFILES = 'RoCE network proposal, slides "Lossless Configuration" to "Lossy-2 Configuration"';
const PFC = 'IEEE 802.1Q, clause 36 (802.1Qbb); IBTA annex A17, A17.9.1';
const HEADROOM = 'IEEE 802.1Q, annex O (802.1Qbb)';
const DCQCN = 'DCQCN (SIGCOMM 2015), sections 3 and 4';

const SOURCES: Readonly<Record<LintRule, string>> = {
  'trust-differs': CLASSIFICATION,
  'trusted-field-missing': CLASSIFICATION,
  'marking-misplaced': CLASSIFICATION,
  'marking-unexpected': CLASSIFICATION,
  'priority-differs': CLASSIFICATION,
  'lossless-group-shared': MAPS,
  'group-shared': MAPS,
  'group-differs': MAPS,
  'traffic-class-shared': MAPS,
  'traffic-class-differs': MAPS,
  'pause-missing': PFC,
  'pause-one-sided': PFC,
  'pause-other-priority': PFC,
  'pause-not-in-profile': PROFILES,
  'pause-without-buffer': HEADROOM,
  'pause-without-xoff': HEADROOM,
  'pause-without-headroom': HEADROOM,
  'global-pause-with-pfc': PFC,
  'cnp-paused': CLASSIFICATION,
  'ecn-off': PROFILES,
  'ecn-not-in-profile': PROFILES,
  'ecn-inverted': DCQCN,
  'ecn-step': DCQCN,
  'ecn-starts-above-xoff': DCQCN,
  'ecn-ends-above-xoff': DCQCN,
  'reaction-point-off': DCQCN,
  'notification-point-off': DCQCN,
  'cnp-shares-traffic-class': CLASSIFICATION,
  'cnp-not-strict': CLASSIFICATION,
  'cnp-not-highest': CLASSIFICATION,
  'ets-sum': 'IEEE 802.1Q, clause 37',
  'recovery-too-weak': PROFILES,
};

/**
 * The document that a rule is based on.
 * @throws RoceError `invalid-config` for an unknown rule.
 */
export function ruleSourceOf(rule: LintRule): string {
  checkField(rule, oneOf(...LINT_RULE_NAMES), 'rule');
  return SOURCES[rule];
}
