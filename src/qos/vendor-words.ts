/** What a vendor calls the resources and thresholds of a port, and its advice, for the linter's texts. */
import type { LintRule } from './lint-rules.js';
import { SONIC_ADVICE } from './sonic/sonic-advice.js';
import type { SettingVendor } from './vendor-setting.js';

/** Names in the linter's texts. */
export interface VendorWords {
  /** The egress queue: `traffic class`, `queue`. */
  readonly trafficClass: string;
  /** The same in short. */
  readonly class: string;
  /** The threshold from which ECN marks. */
  readonly ecnMin: string;
  /** The threshold from which ECN marks all packets. */
  readonly ecnMax: string;
  /** The fill level at which a pause is sent. */
  readonly xoff: string;
  /** The setting of it. */
  readonly xoffThreshold: string;
  /** The space above it. */
  readonly headroom: string;
  /** How to fix what a rule finds, where the vendor's names say more than the rule's own advice. */
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
  // SONiC's xoff is the headroom.
  xoff: 'the limit of dynamic_th or static_th',
  xoffThreshold: 'limit (dynamic_th or static_th of BUFFER_PROFILE)',
  headroom: 'headroom (xoff of BUFFER_PROFILE)',
  advice: SONIC_ADVICE,
};

/** The words of a vendor; undefined: those of this library. */
export function wordsOf(vendor: SettingVendor | undefined): VendorWords {
  return vendor === 'sonic' ? SONIC : PLAIN;
}
