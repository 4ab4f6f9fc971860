/**
 * Settings for parsing raw packets.
 *
 * Sources: IBTA Annex A17 (CA17-16, CA17-24: IPv6 packets whose next header is not UDP are silently dropped;
 * section A17.3.3: ICRC); draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4 (CNPs with a destination options header).
 */

import { checkFields, checkRecord, oneOf, type FieldRules } from './field-rules.js';

/** Settings for parsing raw frames. */
export interface ParserSettings {
  /**
   * `fast-cnp-domain`: IPv6 extension headers are parsed. `strict-a17`: packets with extension headers, IPv4 options or
   * fragments are discarded, as by a plain RoCEv2 adapter.
   */
  readonly mode: 'fast-cnp-domain' | 'strict-a17';
  /** `check`: packets with a wrong ICRC are rejected. */
  readonly icrc: 'ignore' | 'check';
  /** Bytes that the ICRC covers if extension headers precede UDP. No document specifies this; see docs/reference/sources.md. */
  readonly icrcWithExtensionHeaders: 'literal' | 'omit' | 'normalise';
}

/** Defaults: Fast CNPs are parsed, and the ICRC is not checked. */
export const DEFAULT_PARSER: ParserSettings = Object.freeze({
  /**
   * Whether Fast CNPs have an effect is a separate setting, off by default. Parsing them anyway allows rejections to be
   * counted with their reason.
   */
  mode: 'fast-cnp-domain',
  /** Captured packets are often truncated, or were captured before hardware offload filled in the ICRC. */
  icrc: 'ignore',
  /** The literal meaning of Annex A17, section A17.3.3: every byte of the datagram. */
  icrcWithExtensionHeaders: 'literal',
});

const RULES: FieldRules<ParserSettings> = {
  mode: oneOf('fast-cnp-domain', 'strict-a17'),
  icrc: oneOf('ignore', 'check'),
  icrcWithExtensionHeaders: oneOf('literal', 'omit', 'normalise'),
};

/**
 * Fills in the defaults and checks the settings.
 *
 * @param options settings that differ from `DEFAULT_PARSER`.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function parser(options: Partial<ParserSettings> = {}, name = 'parser'): ParserSettings {
  checkRecord(options, name);
  return validateParser({ ...DEFAULT_PARSER, ...options }, name);
}

/**
 * Checks complete settings and returns a frozen copy.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function validateParser(settings: unknown, name = 'parser'): ParserSettings {
  return Object.freeze({ ...checkFields<ParserSettings>(settings, RULES, name) });
}
