/** Dissection options in numeric form; `dissectionRules` fills in the defaults and checks every value. */
import { ICRC_LITERAL, ICRC_NORMALISE, ICRC_OMIT, PARSE_FAST_CNP_DOMAIN, PARSE_STRICT_A17 } from '../abi/codes.js';
import { LINK_TYPE_ERF, LINK_TYPE_ETHERNET, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_LOOP, LINK_TYPE_NULL, LINK_TYPE_PPI, RAW_LINK_TYPES } from '../capture/link-types.js';
import { RoceError } from '../errors.js';
import { requireChoice, requireField, requireRecord } from '../wire/bytes.js';
import { FAST_CNP_OPTION_TYPE, type FastCnpOptionTypes } from '../wire/roce/fast-cnp-option.js';
import type { IcrcPolicy } from '../wire/roce/icrc.js';
import { type MrcReader, mrcReader } from './walk-mrc.js';
import type { MrcOptions, UetOptions } from './multipath-settings.js';
import { type UetReader, uetReader } from './walk-uet.js';

/** Options of `dissect` and `dissectInto`. */
export interface DissectOptions {
  /**
   * Link type of the capture: 1 Ethernet (default), 0 and 108 BSD loopback, 12, 14 and 101 raw IP, 113 and 276 Linux cooked,
   * 192 PPI, 197 ERF, 228 IPv4, 229 IPv6.
   */
  readonly linkType?: number;
  /**
   * `fast-cnp-domain` (default) accepts extension headers; `strict-a17` classifies as discarded what an Annex A17
   * receiver silently drops (CA17-24).
   */
  readonly mode?: 'strict-a17' | 'fast-cnp-domain';
  /**
   * The packet that determines the class: `inside` (default) the innermost packet of a tunnel; `outside` the outermost
   * one, as seen by an endpoint that does not terminate the tunnel.
   */
  readonly tunnels?: 'inside' | 'outside';
  /** IPv6 option types of Fast CNP options 1 and 2, 2..255; by default both 0x9e, distinguished by length. */
  readonly optionTypes?: FastCnpOptionTypes;
  /** Whether to verify the ICRC. Default true. */
  readonly checkIcrc?: boolean;
  /** What the ICRC covers in packets with extension headers; default `literal`. */
  readonly icrcPolicy?: IcrcPolicy;
  /**
   * UDP destination port of ARN messages, 1..65535; 0 (default): none. The drafts do not specify how ARN is carried
   * (draft-wh-rtgwg-adaptive-routing-arn).
   */
  readonly arnPort?: number;
  /** How to read MRC packets (opcodes 0xc0..0xdf); `false`: as reserved RoCEv2 opcodes. */
  readonly mrc?: MrcOptions | false;
  /** How to read Ultra Ethernet packets (UDP port 4793); `false`: as an unknown port. */
  readonly uet?: UetOptions | false;
  /** ICMP type of lossless discovery, over IPv4; 256 = none. Default 253 (RFC 4727, section 2.3). */
  readonly discoveryIcmpType?: number;
  /** ICMPv6 type of lossless discovery; 256 = none. Default 200 (RFC 4443, section 2.1). */
  readonly discoveryIcmpv6Type?: number;
}

/** `DissectOptions` with defaults filled in, validated. */
export interface DissectionRules {
  /** Link type of the capture: 0, 1, 12, 14, 101, 108, 113, 192, 197, 228, 229 or 276. */
  readonly linkType: number;
  /** PARSE_STRICT_A17 or PARSE_FAST_CNP_DOMAIN. */
  readonly mode: number;
  /** Whether the innermost packet of a tunnel determines the class, not the outermost one. */
  readonly readsTunnels: boolean;
  /** IPv6 option type of Fast CNP option 1, 2..255. */
  readonly optionType1: number;
  /** IPv6 option type of Fast CNP option 2, 2..255. */
  readonly optionType2: number;
  /** Whether to verify the ICRC. */
  readonly checksIcrc: boolean;
  /** ICRC_LITERAL, ICRC_OMIT or ICRC_NORMALISE. */
  readonly icrcPolicy: number;
  /** UDP destination port of ARN messages, 0..65535; 0 = none. */
  readonly arnPort: number;
  /** Reader of MRC packets; if undefined or absent, they are not read. */
  readonly mrc?: MrcReader | undefined;
  /** Reader of Ultra Ethernet packets; if undefined or absent, they are not read. */
  readonly uet?: UetReader | undefined;
  /** ICMP type of lossless discovery over IPv4, 0..256; 256 = none. */
  readonly discoveryIcmpType: number;
  /** ICMPv6 type of lossless discovery, 0..256; 256 = none. */
  readonly discoveryIcmpv6Type: number;
}

const LINK_TYPES: readonly number[] = [
  LINK_TYPE_ETHERNET,
  ...RAW_LINK_TYPES,
  LINK_TYPE_NULL,
  LINK_TYPE_LOOP,
  LINK_TYPE_LINUX_SLL,
  LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_PPI,
  LINK_TYPE_ERF,
  LINK_TYPE_IPV4,
  LINK_TYPE_IPV6,
];
const MODES = { 'strict-a17': PARSE_STRICT_A17, 'fast-cnp-domain': PARSE_FAST_CNP_DOMAIN } as const;
const POLICIES = { literal: ICRC_LITERAL, omit: ICRC_OMIT, normalise: ICRC_NORMALISE } as const;
/** An ICMP type that no message can have. */
const NO_ICMP_TYPE = 256;

/** Rules that dissect RoCE only. */
export const NO_DISCOVERY = { arnPort: 0, discoveryIcmpType: NO_ICMP_TYPE, discoveryIcmpv6Type: NO_ICMP_TYPE } as const;

/** Whether the dissector supports frames of this link type. */
export function isDissected(linkType: number): boolean {
  return LINK_TYPES.includes(linkType);
}

/**
 * Checks options and fills in the defaults.
 * @throws RoceError `invalid-argument` naming the option.
 */
export function dissectionRules(options: DissectOptions = {}): DissectionRules {
  requireRecord('options', options);
  const {
    linkType = LINK_TYPE_ETHERNET,
    mode = 'fast-cnp-domain',
    icrcPolicy = 'literal',
    checkIcrc = true,
    tunnels = 'inside',
  } = options;
  const { optionType1 = FAST_CNP_OPTION_TYPE, optionType2 = FAST_CNP_OPTION_TYPE } = options.optionTypes ?? {};
  const { arnPort = 0, discoveryIcmpType = 253, discoveryIcmpv6Type = 200 } = options;
  if (!isDissected(linkType)) {
    throw new RoceError('invalid-argument', { where: 'linkType', got: linkType, allowed: LINK_TYPES });
  }
  requireChoice('mode', mode, Object.keys(MODES));
  requireChoice('tunnels', tunnels, ['inside', 'outside']);
  requireChoice('icrcPolicy', icrcPolicy, Object.keys(POLICIES));
  requireOptionType('optionTypes.optionType1', optionType1);
  requireOptionType('optionTypes.optionType2', optionType2);
  requireField('arnPort', arnPort, 0xffff);
  requireField('discoveryIcmpType', discoveryIcmpType, NO_ICMP_TYPE);
  requireField('discoveryIcmpv6Type', discoveryIcmpv6Type, NO_ICMP_TYPE);
  return {
    linkType,
    mode: MODES[mode],
    readsTunnels: tunnels === 'inside',
    optionType1,
    optionType2,
    checksIcrc: checkIcrc,
    icrcPolicy: POLICIES[icrcPolicy],
    arnPort,
    ...multipathReaders(options),
    discoveryIcmpType,
    discoveryIcmpv6Type,
  };
}

function multipathReaders({ mrc, uet }: DissectOptions): Pick<DissectionRules, 'mrc' | 'uet'> {
  return { mrc: mrc === false ? undefined : mrcReader(mrc), uet: uet === false ? undefined : uetReader(uet) };
}

/** 0 and 1 are padding. */
function requireOptionType(where: string, type: number): void {
  requireField(where, type, 0xff, 2);
}

/** Dissection rules for captures with several link types; created at the first frame of each link type. */
export class LinkRules {
  readonly #rules = new Map<number, DissectionRules>();
  readonly #options: DissectOptions;

  /** @param options for all link types; default: no ICRC check. */
  constructor(options: DissectOptions = { checkIcrc: false }) {
    this.#options = options;
  }

  /** The rules of a link type. @throws RoceError `invalid-argument` for a link type that is not dissected. */
  of(linkType: number): DissectionRules {
    let rules = this.#rules.get(linkType);
    if (rules === undefined) {
      rules = dissectionRules({ ...this.#options, linkType });
      this.#rules.set(linkType, rules);
    }
    return rules;
  }
}
