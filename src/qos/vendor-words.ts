/** A vendor's names for the resources and thresholds of a port, and its advice, used in the linter's texts. */
import type { LintRule } from './lint-rules.js';
import { SONIC_ADVICE } from './sonic/sonic-advice.js';
import type { SettingVendor } from './vendor-setting.js';

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

/** The names of a vendor; without one, those of this library. */
export function wordsOf(vendor: SettingVendor | undefined): VendorWords {
  return vendor === 'sonic' ? SONIC : PLAIN;
}
