/**
 * The ingress PE of a WAN that carries RoCEv2 (draft-hu-rtgwg-rocev2-fcn-00, sections 4.2.1 and 4.2.2).
 *
 *   in    an IP packet from the data centre
 *   out   outer IPv6 (source = END.CON SID of this PE) | [SRH] | the packet
 *
 * The source tells WAN nodes where to send a Fast CNP (wan-node.ts), which then reaches `endConReceive` (end-con.ts).
 * Section 4.2.1: "the ingress PE MUST use the normal mode", so a configuration with compatibility mode is rejected; that
 * mode exists for other tunnels (encapsulation.ts).
 */
import { requireRecord } from '../wire/bytes.js';
import { type FieldRule, type FieldRules, checkFields, checkTogether, orValue,
  wholeIn } from '../config/field-rules.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import { type TunnelHeader, encapsulate, encapsulateInto, isUnicastAddress } from './encapsulation.js';

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

const RULES: FieldRules<IngressPeSettings> = {
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
  checkFields<IngressPeSettings>(settings, RULES, 'ingressPe');
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
