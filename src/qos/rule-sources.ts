/** Documents that the linter's rules are based on. */
import { checkField, oneOf } from '../config/field-rules.js';
import { LINT_RULE_NAMES, type LintRule } from './lint-rules.js';

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
