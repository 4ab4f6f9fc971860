/**
 * How raw packets are read.
 *
 * Sources: IBTA Annex A17 (CA17-16, CA17-24: what is not UDP directly behind the IPv6 header is dropped without a word;
 * section A17.3.3: ICRC); draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4 (CNPs with a destination options header).
 */

import { checkFields, checkRecord, oneOf, type FieldRules } from './field-rules.js';

/** How to read raw frames. */
export interface ParserSettings {
  /**
   * `fast-cnp-domain`: IPv6 extension headers are read. `strict-a17`: packets with extension headers, IPv4 options or
   * fragments are discarded, as a plain RoCEv2 adapter does.
   */
  readonly mode: 'fast-cnp-domain' | 'strict-a17';
  /** `check`: packets with a wrong ICRC are rejected. */
  readonly icrc: 'ignore' | 'check';
  /** Which bytes the ICRC covers when extension headers precede UDP, which no document specifies; see docs/reference/sources.md. */
  readonly icrcWithExtensionHeaders: 'literal' | 'omit' | 'normalise';
}

/** Fast CNPs are read, and the ICRC is not checked. */
export const DEFAULT_PARSER: ParserSettings = Object.freeze({
  /**
   * What a Fast CNP may do is decided by its own switch, which is off by default; reading it lets rejections be counted
   * with their reason instead of vanishing.
   */
  mode: 'fast-cnp-domain',
  /** Captures are often cut short, or taken where offload has not yet filled the ICRC in. */
  icrc: 'ignore',
  /** The literal reading of Annex A17, section A17.3.3: every byte of the datagram. */
  icrcWithExtensionHeaders: 'literal',
});

const RULES: FieldRules<ParserSettings> = {
  mode: oneOf('fast-cnp-domain', 'strict-a17'),
  icrc: oneOf('ignore', 'check'),
  icrcWithExtensionHeaders: oneOf('literal', 'omit', 'normalise'),
};

/**
 * Completes settings with the defaults and checks them.
 *
 * @param options what shall differ from `DEFAULT_PARSER`.
 * @param name what errors call the object: `where` is `${name}.${field}`.
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
