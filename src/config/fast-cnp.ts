/**
 * Acceptance of Fast CNPs: CNPs that a switch sends, recognised by an IPv6 destination option.
 *
 * Source: draft-xiao-rtgwg-rocev2-fast-cnp-01. Section 5 requires that the feature is off by default, and an access list
 * of source addresses; section 4 requires action bits 10 and change bit 0 in both option types, and leaves the
 * numbers to IANA.
 */

import { RoceError } from '../errors.js';
import { us } from '../units.js';
import { parsePrefix, type IpPrefix } from '../wire/ip/ip-address.js';
import { checkFields, checkRecord, flag, oneOf, reject, wholeIn, type FieldRule,
  type FieldRules } from './field-rules.js';
import { PERIOD_MAX_PS } from './algorithms/algorithm.js';

/** Treatment of Fast CNPs from the sources of one prefix. */
export interface AccessRule {
  /** A prefix such as `2001:db8::/32`, or a single address. */
  readonly prefix: string;
  /** Treatment of Fast CNPs from these sources. */
  readonly action: 'allow' | 'deny';
}

/** Whether Fast CNPs are accepted, and from whom. */
export interface FastCnpSettings {
  /** Whether Fast CNPs are accepted at all. */
  readonly enabled: boolean;
  /** Rules on the source address; the longest matching prefix decides. */
  readonly accessList: readonly AccessRule[];
  /** Action for sources that match no rule. */
  readonly defaultAction: 'allow' | 'deny';
  /** A CNP this soon after another one about the same congestion is a duplicate, whole picoseconds; 0 = never. */
  readonly duplicateWindowPs: number;
  /** Option type of option 1, which holds the original destination address. */
  readonly optionType1: number;
  /** Option type of option 2, which also holds IOAM trace data; may equal option 1's, as their lengths differ. */
  readonly optionType2: number;
}

/** Defaults: Fast CNPs are rejected, as the draft requires (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5). */
export const DEFAULT_FAST_CNP: FastCnpSettings = Object.freeze({
  /** Draft, section 5: off by default. */
  enabled: false,
  accessList: Object.freeze([]),
  /** Draft, section 5: only sources in the access list are allowed. */
  defaultAction: 'deny',
  /**
   * Not in the draft. Its section 4 lets a switch also mark the packet if it doesn't know the sender's ability. The
   * receiver's CNP for that mark comes within one CNP interval (50 us, SIGCOMM 2015, section 3.1) and must not cut twice.
   */
  duplicateWindowPs: us(50),
  /** The experimental number with action bits 10 and change bit 0 (RFC 4727), until IANA assigns TBD1. */
  optionType1: 0x9e,
  /** The same experimental number, until IANA assigns TBD2. */
  optionType2: 0x9e,
});

/** Top three bits of an option type: action if unknown (2), may change en route (1). RFC 8200, section 4.2. */
const OPTION_BITS_MASK = 0xe0;
/** Action 10, change 0: draft, section 4. */
const OPTION_BITS = 0x80;

const OPTION_TYPE_RULE: FieldRule = {
  // Action bits 10, change bit 0.
  allowed: { min: 0x80, max: 0x9f, multipleOf: 1 },
  accepts: (value) =>
    Number.isInteger(value) && (Number(value) & OPTION_BITS_MASK) === OPTION_BITS && Number(value) <= 0xff,
};

const RULES: FieldRules<FastCnpSettings> = {
  enabled: flag(),
  accessList: { allowed: 'a list of { prefix, action }', accepts: Array.isArray },
  defaultAction: oneOf('allow', 'deny'),
  duplicateWindowPs: wholeIn(0, PERIOD_MAX_PS, 'picoseconds'),
  optionType1: OPTION_TYPE_RULE,
  optionType2: OPTION_TYPE_RULE,
};

const ACCESS_RULES: FieldRules<AccessRule> = {
  // Fast CNPs are IPv6 only (draft, section 3): an IPv4 prefix could never match.
  prefix: {
    allowed: 'an IPv6 address or prefix such as 2001:db8::/32',
    accepts: (value) => typeof value === 'string' && value.includes(':'),
  },
  action: oneOf('allow', 'deny'),
};

/**
 * Fills in the defaults and checks the settings.
 *
 * @param options settings that differ from `DEFAULT_FAST_CNP`.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function fastCnp(options: Partial<FastCnpSettings> = {}, name = 'fastCnp'): FastCnpSettings {
  checkRecord(options, name);
  return validateFastCnp({ ...DEFAULT_FAST_CNP, ...options }, name);
}

/**
 * Checks complete settings and returns a frozen copy.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function validateFastCnp(settings: unknown, name = 'fastCnp'): FastCnpSettings {
  const checked = checkFields<FastCnpSettings>(settings, RULES, name);
  const seen = new Map<string, number>();
  const accessList = checked.accessList.map((rule, i) => {
    const where = `${name}.accessList[${i}]`;
    checkFields<AccessRule>(rule, ACCESS_RULES, where);
    const prefix = readPrefix(rule.prefix, `${where}.prefix`);
    const key = `${prefix.address.join('.')}/${prefix.lengthBits}`;
    const first = seen.get(key);
    if (first !== undefined) {
      reject({ problem: `duplicates accessList[${first}].prefix`, got: rule.prefix, where: `${where}.prefix` });
    }
    seen.set(key, i);
    return Object.freeze({ ...rule });
  });
  return Object.freeze({ ...checked, accessList: Object.freeze(accessList) });
}

function readPrefix(text: string, where: string): IpPrefix {
  try {
    return parsePrefix(text, where);
  } catch (error) {
    if (error instanceof RoceError) throw error.at(where, 'invalid-config');
    throw error;
  }
}
