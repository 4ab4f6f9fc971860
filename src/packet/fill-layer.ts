/**
 * What a layer's value is when the parts that follow from its neighbours, and its defaults, are filled in.
 */
import { RoceError } from '../errors.js';
import { NEXT_HEADER_DESTINATION_OPTIONS, NEXT_HEADER_FRAGMENT, NEXT_HEADER_HOP_BY_HOP, NEXT_HEADER_NONE,
  NEXT_HEADER_ROUTING } from '../wire/ip/extension-header.js';
import { IPV4_BYTES, IPV4_FLAG_DF, type Ipv4Fields } from '../wire/ip/ipv4.js';
import { PROTOCOL_UDP, ROCE_V2_PORT, UDP_BYTES } from '../wire/ip/udp.js';
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../wire/link/ethernet.js';
import { ETHERTYPE_MAC_CONTROL } from '../wire/link/mac-control.js';
import { CNP_RESERVED_BYTES } from '../wire/roce/cnp.js';
import { ETHERTYPE_ROCE_V1 } from '../wire/roce/grh.js';
import type { LayerKind } from './layer-kinds.js';
import type { PseudoHeader } from './pseudo-header.js';
import type { LayerSpec, LayerSpecValues } from './stack.js';

/** What a layer has to know of the others. */
export interface Neighbours {
  readonly next: LayerSpec | undefined;
  /** Bytes behind it that its length fields count: up to the first trailer. */
  readonly restBytes: number;
  /** Bytes of the `pad` layer behind it. */
  readonly padBytes: number;
  /** Of the innermost IP header before it. */
  readonly pseudoHeader: PseudoHeader | undefined;
}

const DEFAULT_HOP_LIMIT = 64;
/** First of the dynamic ports, where RoCEv2 senders begin (rdma-core, verbs.h). */
const DEFAULT_SOURCE_PORT = 0xc000;
const NO_BYTES = new Uint8Array(0);

const ETHER_TYPES: Partial<Record<LayerKind, number>> = {
  ipv4: ETHERTYPE_IPV4,
  ipv6: ETHERTYPE_IPV6,
  grh: ETHERTYPE_ROCE_V1,
  pause: ETHERTYPE_MAC_CONTROL,
  pfc: ETHERTYPE_MAC_CONTROL,
};

const PROTOCOLS: Partial<Record<LayerKind, number>> = {
  'hop-by-hop': NEXT_HEADER_HOP_BY_HOP,
  routing: NEXT_HEADER_ROUTING,
  'segment-routing': NEXT_HEADER_ROUTING,
  fragment: NEXT_HEADER_FRAGMENT,
  'destination-options': NEXT_HEADER_DESTINATION_OPTIONS,
  udp: PROTOCOL_UDP,
  ipv4: 4,
  ipv6: 41,
};
const PROTOCOL_ICMP = 1;
const PROTOCOL_ICMPV6 = 58;
/** Next header of a GRH: an InfiniBand transport header (IBTA volume 1, section 8.3). */
const NEXT_HEADER_BTH = 0x1b;

type Fill<Kind extends LayerKind> = (value: LayerSpecValues[Kind], neighbours: Neighbours) => unknown;

const FILL: { readonly [Kind in LayerKind]?: Fill<Kind> } = {
  ethernet: (value, { next }) => ({ tags: [], ...value, etherType: value.etherType ?? etherTypeBefore(next) }),
  'linux-sll': (value, { next }) => ({ ...value, protocolType: value.protocolType ?? etherTypeBefore(next) }),
  'linux-sll2': (value, { next }) => ({ ...value, protocolType: value.protocolType ?? etherTypeBefore(next) }),
  grh: (value, { restBytes }) => ({ nextHeader: NEXT_HEADER_BTH, payloadLength: restBytes, ...value }),
  ipv4: fillIpv4,
  ipv6: (value, { next, restBytes }) => ({
    dscp: 0,
    ecn: 0,
    flowLabel: 0,
    hopLimit: DEFAULT_HOP_LIMIT,
    payloadLength: restBytes,
    ...value,
    nextHeader: value.nextHeader ?? protocolBefore(next, 6),
  }),
  'hop-by-hop': fillNextHeader,
  'destination-options': fillNextHeader,
  routing: fillNextHeader,
  'segment-routing': fillNextHeader,
  fragment: fillNextHeader,
  udp: ({ checksum = 0, ...value }, { next, restBytes }) => ({
    sourcePort: DEFAULT_SOURCE_PORT,
    length: UDP_BYTES + restBytes,
    ...value,
    destinationPort: value.destinationPort ?? portBefore(next),
    checksum: checksum === 'computed' ? 0 : checksum,
  }),
  bth: (value, { padBytes }) => ({ padCount: padBytes, ...value }),
  'cnp-reserved': ({ bytes = new Uint8Array(CNP_RESERVED_BYTES) }) => ({ bytes }),
  // Written over when the rest of the packet is there.
  icrc: ({ icrc = 0 }) => ({ icrc }),
  'roce-fc-icmp': fillDiscovery,
};

/** The value with everything in it that its codec needs. */
export function fillLayer(layer: LayerSpec, neighbours: Neighbours): unknown {
  const fill = FILL[layer.kind] as Fill<LayerKind> | undefined;
  const value = layer.value ?? {};
  return fill ? fill(value, neighbours) : value;
}

function fillIpv4(value: LayerSpecValues['ipv4'], { next, restBytes }: Neighbours): Ipv4Fields {
  const { options = NO_BYTES } = value;
  return {
    dscp: 0,
    ecn: 0,
    identification: 0,
    flags: IPV4_FLAG_DF,
    fragmentOffset: 0,
    ttl: DEFAULT_HOP_LIMIT,
    totalLength: IPV4_BYTES + options.length + restBytes,
    ...value,
    options,
    protocol: value.protocol ?? protocolBefore(next, 4),
  };
}

function fillNextHeader<Value extends { readonly nextHeader?: number }>(value: Value, { next }: Neighbours): Value {
  return { ...value, nextHeader: value.nextHeader ?? protocolBefore(next, 6) };
}

/** The ICMPv6 checksum covers the addresses. */
function fillDiscovery(value: LayerSpecValues['roce-fc-icmp'],
  { pseudoHeader }: Neighbours): LayerSpecValues['roce-fc-icmp'] {
  return pseudoHeader?.version === 6 ? { pseudoHeader, ...value } : value;
}

function etherTypeBefore(next: LayerSpec | undefined): number {
  return given(next && ETHER_TYPES[next.kind], 'etherType', next);
}

function protocolBefore(next: LayerSpec | undefined, version: 4 | 6): number {
  if (next === undefined) return NEXT_HEADER_NONE;
  if (next.kind === 'roce-fc-icmp') return version === 4 ? PROTOCOL_ICMP : PROTOCOL_ICMPV6;
  return given(PROTOCOLS[next.kind], 'protocol or nextHeader', next);
}

function portBefore(next: LayerSpec | undefined): number {
  return given(next?.kind === 'bth' ? ROCE_V2_PORT : undefined, 'destinationPort', next);
}

function given(value: number | undefined, field: string, next: LayerSpec | undefined): number {
  if (value !== undefined) return value;
  const got = next === undefined ? 'no layer behind it' : `a layer ${next.kind} behind it`;
  throw new RoceError('invalid-argument', `${field} does not follow from the stack`, {
    got,
    allowed: 'its value',
    where: field,
  });
}
