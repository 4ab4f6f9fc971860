import { ICRC_LITERAL, PARSE_FAST_CNP_DOMAIN, PARSE_STRICT_A17 } from '../../../src/abi/codes.js';
import type { ParseRules } from '../../../src/reference/parse-frame.js';

/** The rules within a Fast CNP domain: both option types are 0x9e, and the ICRC covers every byte. */
export const DOMAIN_RULES: ParseRules = {
  mode: PARSE_FAST_CNP_DOMAIN,
  optionType1: 0x9e,
  optionType2: 0x9e,
  checksIcrc: true,
  icrcPolicy: ICRC_LITERAL,
};

export const STRICT_RULES: ParseRules = { ...DOMAIN_RULES, mode: PARSE_STRICT_A17 };

/** The option types of the capture `alt_types`. */
export const SPLIT_TYPE_RULES: ParseRules = { ...DOMAIN_RULES, optionType1: 0x92, optionType2: 0x96 };
