/**
 * A provider edge (PE) of a WAN that carries RoCEv2 (draft-hu-rtgwg-rocev2-fcn-00, sections 4.2.1 and 4.2.2).
 *
 *   ingress   an IP packet from the data centre becomes: outer IPv6 (source = END.CON SID of this PE) | [SRH] | the packet
 *   END.CON   receives the Fast CNPs that WAN nodes (wan-node.ts) send to that source: decapsulate, look up the inner
 *             destination, forward. The SID has 128 bits and is announced by IGP; it is the same as End.DT6 (RFC 8986,
 *             section 4.6), except that it also serves as a source address
 *
 * Section 4.2.1: "the ingress PE MUST use the normal mode", so a configuration with compatibility mode is rejected; that
 * mode exists for other tunnels (encapsulation.ts).
 *
 * Checks of END.CON, in this order; the first that fails decides:
 *   1 destination is a local END.CON SID; otherwise the packet is ignored, to be forwarded as usual
 *   2 headers well formed | 3 no segments left | 4 next header 41 | 5 inner packet whole
 *   6 sources allowed | 7 inner packet is a Fast CNP, if `accept` requires it | 8 ECN (RFC 6040) | 9 inner hop limit
 * The draft leaves these open, so they are options: 6 (default: all sources), 7 (default: any IPv6 packet, as in the
 * draft's action; `fast-cnp` keeps other packets out of the data centre), 9 (default: decremented, as by a router). The
 * caller selects the VRF for the lookup by the matching SID. State: the counters, which `endConReceive` updates;
 * received = forwarded + ignored + all rejected.
 */
import { type FieldRule, type FieldRules, checkFields, checkTogether, orValue, wholeIn,
  oneOf } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import { requireRecord, requireBytes, requirePlace, sameBytes } from '../wire/bytes.js';
import type { ViewOf } from '../wire/header/define-header.js';
import { IP_ADDRESS_BYTES, prefixContains, type IpPrefix } from '../wire/ip/ip-address.js';
import { walkExtensionHeaders, Ipv6 } from '../wire/ip/ipv6.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import { resolveOptionTypes, type FastCnpOptionTypes } from '../wire/roce/fast-cnp-option.js';
import { FastCnp } from '../wire/roce/fast-cnp.js';
import { createEcnTunnelCounters, type EcnTunnelCounters } from './ecn.js';
import { type TunnelHeader, encapsulate, encapsulateInto, isUnicastAddress, decapsulate, segmentsLeftOf,
  NEXT_HEADER_IPV6 } from './encapsulation.js';

const IPV6_HOP_LIMIT = Ipv6.offsetOf('hopLimit');

/** Settings of an ingress PE. */
export interface IngressPeSettings extends Omit<TunnelHeader, 'source'> {
  /** 16 bytes: this PE's END.CON SID, the outer source address of its packets. */
  readonly endConSid: Uint8Array;
}

/** Validated settings, from `configureIngressPe`. */
export interface IngressPe {
  /** The outer header for its packets. */
  readonly header: TunnelHeader;
}

const ADDRESS: FieldRule = { allowed: '16 bytes, unicast', accepts: isUnicastAddress };
const DSCP_ALLOWED = "{ model: 'uniform' } or { model: 'pipe', dscp: 0..63 }";
const DSCP: FieldRule = { allowed: DSCP_ALLOWED, accepts: isDscp };
const MODE_RULE = "'normal': the ingress PE MUST use it (draft-hu-rtgwg-rocev2-fcn-00, section 4.2.1)";

const INGRESS_RULES: FieldRules<IngressPeSettings> = {
  endConSid: ADDRESS,
  destination: ADDRESS,
  segments: {
    allowed: `at most ${SegmentRouting.SEGMENTS_MAX - 1} addresses, 16 bytes each, or nothing`,
    accepts: isSegmentList,
  },
  hopLimit: orValue(undefined, wholeIn(1, 255)),
  flowLabel: orValue(undefined, wholeIn(0, 0xfffff)),
  dscp: orValue(undefined, DSCP),
  ecnMode: orValue(undefined, { allowed: MODE_RULE, accepts: (value) => value === 'normal' }),
};

/**
 * Validates the settings of an ingress PE and copies its addresses.
 * @throws RoceError `invalid-config` naming the field, and for `ecnMode: 'compatibility'` the rule.
 */
export function configureIngressPe(settings: IngressPeSettings): IngressPe {
  checkFields<IngressPeSettings>(settings, INGRESS_RULES, 'ingressPe');
  checkTogether(settings, [{
    fields: ['endConSid', 'destination'],
    problem: 'must differ from the destination',
    holds: ({ endConSid, destination }) => endConSid.some((byte, index) => byte !== destination[index]),
  }], 'ingressPe');
  const { endConSid, destination, segments, ...rest } = settings;
  const copies = { source: endConSid.slice(), destination: destination.slice() };
  const header = { ...rest, ...copies, ...(segments && { segments: segments.map((segment) => segment.slice()) }) };
  return Object.freeze({ header: Object.freeze(header) });
}

/**
 * The packet that the PE sends into the WAN for a packet from the data centre.
 * @throws RoceError `invalid-packet` unless it is a complete IP packet.
 */
export function ingressEncapsulate(pe: IngressPe, packet: Uint8Array): Uint8Array {
  requireRecord('pe', pe);
  return encapsulate(packet, pe.header);
}

/** Like `ingressEncapsulate`, into `target`. @returns the offset after the packet. */
export function ingressEncapsulateInto(target: Uint8Array, offset: number, pe: IngressPe, packet: Uint8Array): number {
  requireRecord('pe', pe);
  return encapsulateInto(target, offset, packet, pe.header);
}

/** Settings of an endpoint. */
export interface EndConSettings extends FastCnpOptionTypes {
  /** END.CON SIDs of this PE, 16 bytes each. */
  readonly localSids: readonly Uint8Array[];
  /** Accepted inner packets: `any` (default), every IPv6 packet; `fast-cnp`, Fast CNPs only. */
  readonly accept?: 'any' | 'fast-cnp';
  /**
   * Prefixes of the WAN's nodes; if given, both outer and inner source must be in one of them. The border of the data
   * centre must admit Fast CNPs from the same prefixes: by default it MUST drop Fast CNPs from outside the domain
   * (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5).
   */
  readonly allowedSources?: readonly IpPrefix[];
  /** `decrement` (default): requires an inner hop limit above 1 and decrements it; `keep`: another node does this. */
  readonly hopLimit?: 'decrement' | 'keep';
}

/** Validated settings, from `configureEndCon`. */
export type EndCon = Required<Omit<EndConSettings, 'allowedSources'>> & Pick<EndConSettings, 'allowedSources'>;

/** Why a packet to a local SID is dropped. */
export type EndConRejection = (typeof END_CON_REJECTIONS)[number];

/** All reasons, in the order of the checks. */
export const END_CON_REJECTIONS = [
  'malformed',
  'segments-left',
  'next-header',
  'outer-source',
  'inner-source',
  'not-a-fast-cnp',
  'ecn',
  'hop-limit',
] as const;

/** Counters of an endpoint. */
export interface EndConCounters {
  /** Packets received. */
  received: number;
  /** Packets forwarded. */
  forwarded: number;
  /** Packets to other destinations. */
  ignored: number;
  /** Packets rejected, by reason. */
  readonly rejected: Record<EndConRejection, number>;
  /** Packets that reached check 8, by ECN. */
  readonly ecn: EcnTunnelCounters;
}

/** The result for a packet. */
export type EndConResult = {
  /** The inner packet is forwarded. */
  readonly action: 'forward';
  /** The inner packet. */
  readonly packet: Uint8Array;
  /** 16 bytes: the address to look up in the routing table. */
  readonly innerDestination: Uint8Array;
  /** 16 bytes: the local SID that matched. */
  readonly sid: Uint8Array;
} | {
  /** The packet is not for this node. */
  readonly action: 'ignore';
  /** Its destination is not an END.CON SID of this node. */
  readonly reason: 'not-local';
} | {
  /** The packet is dropped. */
  readonly action: 'drop';
  /** Reason of the drop. */
  readonly reason: EndConRejection;
};

const END_CON_RULES: FieldRules<EndConSettings> = {
  localSids: { allowed: 'at least one unicast address, 16 bytes each', accepts: isSidList },
  accept: orValue(undefined, oneOf('any', 'fast-cnp')),
  allowedSources: { allowed: 'a list of prefixes, or nothing', accepts: isPrefixList },
  hopLimit: orValue(undefined, oneOf('decrement', 'keep')),
  optionType1: { allowed: 'an option type', accepts: () => true },
  optionType2: { allowed: 'an option type', accepts: () => true },
};

/**
 * Validates the settings of an endpoint, fills in the defaults and copies its SIDs.
 * @throws RoceError `invalid-config` naming the field.
 */
export function configureEndCon(settings: EndConSettings): EndCon {
  checkFields<EndConSettings>(settings, END_CON_RULES, 'endCon');
  const { localSids, accept = 'any', allowedSources, hopLimit = 'decrement' } = settings;
  return Object.freeze({
    localSids: localSids.map((sid) => sid.slice()),
    accept,
    hopLimit,
    ...checkedOptionTypes(settings),
    ...(allowedSources && { allowedSources: [...allowedSources] }),
  });
}

/** @returns counters at zero. */
export function createEndConCounters(): EndConCounters {
  const rejected = Object.fromEntries(END_CON_REJECTIONS.map((reason) => [reason, 0])) as Record<
    EndConRejection,
    number
  >;
  return { received: 0, forwarded: 0, ignored: 0, rejected, ecn: createEcnTunnelCounters() };
}

/**
 * Processes a packet from the WAN at the PE. Never throws, whatever the bytes.
 *
 * @param bytes from the outer IPv6 header on.
 * @param counters updated by the packet.
 */
export function endConReceive(endCon: EndCon, counters: EndConCounters, bytes: Uint8Array): EndConResult {
  requireRecord('endCon', endCon);
  requireRecord('counters', counters);
  requireRecord('endCon', endCon);
  requireRecord('counters', counters);
  requireRecord('counters.rejected', counters.rejected);
  requirePlace(bytes, 0);
  const result = judge(endCon, counters.ecn, bytes);
  counters.received++;
  if (result.action === 'forward') counters.forwarded++;
  else if (result.action === 'ignore') counters.ignored++;
  else counters.rejected[result.reason]++;
  return result;
}

function judge(endCon: EndCon, ecn: EcnTunnelCounters, bytes: Uint8Array): EndConResult {
  // A packet of another IP version belongs to another node; an empty packet to none.
  if (bytes.length > 0 && bytes[0] >> 4 !== 6) return { action: 'ignore', reason: 'not-local' };
  try {
    const outer = new Ipv6.View(bytes, 0);
    const sid = endCon.localSids.find((local) => sameBytes(local, outer.destination));
    if (!sid) return { action: 'ignore', reason: 'not-local' };
    const reason = rejectionOf(endCon, bytes, outer);
    return reason ? { action: 'drop', reason } : takeOut(endCon, ecn, bytes, sid);
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-packet') return { action: 'drop', reason: 'malformed' };
    throw error;
  }
}

/** Runs checks 2 to 7. @throws RoceError `invalid-packet` if the packet is malformed. */
function rejectionOf(endCon: EndCon, bytes: Uint8Array, outer: ViewOf<typeof Ipv6>): EndConRejection | undefined {
  const endOffset = outer.payloadOffset + outer.payloadLength;
  const chain = walkExtensionHeaders(bytes, outer.nextHeader, outer.payloadOffset, endOffset);
  if (segmentsLeftOf(bytes, chain.headers) !== 0) return 'segments-left';
  if (chain.upperProtocol !== NEXT_HEADER_IPV6) return 'next-header';
  const inner = new Ipv6.View(bytes, chain.upperOffset);
  requireBytes('ip packet', bytes, inner.offset, Ipv6.lenBytes + inner.payloadLength, endOffset);
  if (!isAllowed(endCon, outer.source)) return 'outer-source';
  if (!isAllowed(endCon, inner.source)) return 'inner-source';
  if (endCon.accept === 'fast-cnp' && !isFastCnp(endCon, bytes, inner.offset)) return 'not-a-fast-cnp';
  return undefined;
}

/** Runs checks 8 and 9, and decapsulates. */
function takeOut(endCon: EndCon, counters: EcnTunnelCounters, bytes: Uint8Array, sid: Uint8Array): EndConResult {
  const exit = decapsulate(bytes, { counters });
  if (exit.action === 'drop') return { action: 'drop', reason: 'ecn' };
  const { packet } = exit;
  if (endCon.hopLimit === 'decrement') {
    if (packet[IPV6_HOP_LIMIT] <= 1) return { action: 'drop', reason: 'hop-limit' };
    packet[IPV6_HOP_LIMIT] -= 1;
  }
  return {
    action: 'forward',
    packet,
    innerDestination: new Ipv6.View(packet, 0).destination.slice(),
    sid: sid.slice(),
  };
}

function isAllowed({ allowedSources }: EndCon, source: Uint8Array): boolean {
  return allowedSources === undefined || allowedSources.some((prefix) => prefixContains(prefix, source));
}

/** Checks the format only: the sender in the data centre checks the ICRC. */
function isFastCnp({ optionType1, optionType2 }: EndCon, bytes: Uint8Array, offset: number): boolean {
  try {
    FastCnp.read(bytes, { optionType1, optionType2, offset });
    return true;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-packet') return false;
    throw error;
  }
}

function checkedOptionTypes(types: FastCnpOptionTypes): Required<FastCnpOptionTypes> {
  try {
    return resolveOptionTypes(types);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`endCon.${error.where}`, 'invalid-config');
  }
}

function isSidList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isUnicastAddress);
}

function isPrefixList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isPrefix));
}

function isPrefix(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('address' in value) || !('lengthBits' in value)) return false;
  const { address, lengthBits } = value;
  if (!(address instanceof Uint8Array) || address.length !== IP_ADDRESS_BYTES) return false;
  return Number.isInteger(lengthBits) && (lengthBits as number) >= 0 && (lengthBits as number) <= 8 * IP_ADDRESS_BYTES;
}

function isSegmentList(value: unknown): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && value.length < SegmentRouting.SEGMENTS_MAX && value.every(isUnicastAddress);
}

function isDscp(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('model' in value)) return false;
  if (value.model === 'uniform') return true;
  const dscp = 'dscp' in value ? value.dscp : undefined;
  return value.model === 'pipe' && Number.isInteger(dscp) && (dscp as number) >= 0 && (dscp as number) <= 63;
}
