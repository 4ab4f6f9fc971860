/** Values that a layer takes from the layers around it. */
import { RoceError } from '../errors.js';
import { NEXT_HEADER_DESTINATION_OPTIONS, NEXT_HEADER_FRAGMENT, NEXT_HEADER_HOP_BY_HOP, NEXT_HEADER_NONE,
  NEXT_HEADER_ROUTING } from '../wire/ip/extension-header.js';
import { PROTOCOL_UDP, ROCE_V2_PORT } from '../wire/ip/udp.js';
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_VLAN } from '../wire/link/ethernet.js';
import { ETHERTYPE_MAC_CONTROL } from '../wire/link/mac-control.js';
import { ETHERTYPE_ARISTA, ETHERTYPE_CISCO_METADATA, ETHERTYPE_ETAG, ETHERTYPE_VN_TAG } from '../wire/link/tags.js';
import { ETHERTYPE_ROCE_V1 } from '../wire/roce/grh.js';
import { ETHERTYPE_ERSPAN_2, ETHERTYPE_ERSPAN_3, ETHERTYPE_MELLANOX_MIRROR } from '../wire/tunnel/erspan.js';
import { GENEVE_PORT } from '../wire/tunnel/geneve.js';
import { ETHERTYPE_BRIDGED_ETHERNET, GRE_UDP_PORT, PROTOCOL_GRE } from '../wire/tunnel/gre.js';
import { ETHERTYPE_MPLS, MPLS_UDP_PORT, PROTOCOL_MPLS } from '../wire/tunnel/mpls.js';
import { ETHERTYPE_NSH } from '../wire/tunnel/nsh.js';
import { VXLAN_PORT } from '../wire/tunnel/vxlan.js';
import type { LayerKind } from './layer-kinds.js';
import { PROTOCOL_ETHERNET, PROTOCOL_IPV4, PROTOCOL_IPV6 } from './tunnel-numbers.js';

/** The addresses that checksums of UDP and ICMPv6 cover (RFC 8200, section 8.1). */
export interface PseudoHeader {
  readonly version: 4 | 6;
  /** 16 bytes. */
  readonly source: Uint8Array;
  /** 16 bytes; while segments are left, the last segment instead of the IP header's destination. */
  readonly destination: Uint8Array;
}

/** What a layer needs from the others. */
export interface Neighbours {
  /** Kind of the next layer. */
  readonly next: LayerKind | undefined;
  /** Bytes after it that its length fields cover: up to the first trailer. */
  readonly restBytes: number;
  /** Bytes of the following `pad` layer. */
  readonly padBytes: number;
  /** Of the innermost preceding IP header. */
  readonly pseudoHeader: PseudoHeader | undefined;
}

const ETHER_TYPES: Partial<Record<LayerKind, number>> = {
  ipv4: ETHERTYPE_IPV4,
  ipv6: ETHERTYPE_IPV6,
  grh: ETHERTYPE_ROCE_V1,
  pause: ETHERTYPE_MAC_CONTROL,
  pfc: ETHERTYPE_MAC_CONTROL,
  vlan: ETHERTYPE_VLAN,
  etag: ETHERTYPE_ETAG,
  'vn-tag': ETHERTYPE_VN_TAG,
  'cisco-metadata': ETHERTYPE_CISCO_METADATA,
  arista: ETHERTYPE_ARISTA,
  mpls: ETHERTYPE_MPLS,
  nsh: ETHERTYPE_NSH,
  ethernet: ETHERTYPE_BRIDGED_ETHERNET,
  'erspan-2': ETHERTYPE_ERSPAN_2,
  'erspan-3': ETHERTYPE_ERSPAN_3,
  'mellanox-mirror': ETHERTYPE_MELLANOX_MIRROR,
};

const PROTOCOLS: Partial<Record<LayerKind, number>> = {
  'hop-by-hop': NEXT_HEADER_HOP_BY_HOP,
  routing: NEXT_HEADER_ROUTING,
  'segment-routing': NEXT_HEADER_ROUTING,
  fragment: NEXT_HEADER_FRAGMENT,
  'destination-options': NEXT_HEADER_DESTINATION_OPTIONS,
  udp: PROTOCOL_UDP,
  ipv4: PROTOCOL_IPV4,
  ipv6: PROTOCOL_IPV6,
  gre: PROTOCOL_GRE,
  mpls: PROTOCOL_MPLS,
  ethernet: PROTOCOL_ETHERNET,
};
const UDP_PORTS: Partial<Record<LayerKind, number>> = {
  bth: ROCE_V2_PORT,
  'mrc-bth': ROCE_V2_PORT,
  vxlan: VXLAN_PORT,
  geneve: GENEVE_PORT,
  mpls: MPLS_UDP_PORT,
  gre: GRE_UDP_PORT,
};
const ICMP: Partial<Record<LayerKind, number>> = { 'roce-fc-icmp': 1 };
const ICMPV6: Partial<Record<LayerKind, number>> = { 'roce-fc-icmp': 58 };

/** An EtherType, or before LLC the length of what follows (IEEE 802.3, section 3.2.6). */
export function etherTypeBefore({ next, restBytes }: Neighbours): number {
  if (next === 'snap') return restBytes;
  return numberOf(next, ETHER_TYPES, 'etherType');
}

export function protocolInIpv4({ next }: Neighbours): number {
  return next === undefined ? NEXT_HEADER_NONE : numberOf(next, { ...PROTOCOLS, ...ICMP }, 'protocol or nextHeader');
}

export function protocolInIpv6({ next }: Neighbours): number {
  return next === undefined ? NEXT_HEADER_NONE : numberOf(next, { ...PROTOCOLS, ...ICMPV6 }, 'protocol or nextHeader');
}

export function portBefore({ next }: Neighbours): number {
  return numberOf(next, UDP_PORTS, 'destinationPort');
}

export function bytesBehind({ restBytes }: Neighbours): number {
  return restBytes;
}

/** The number by which a field announces the next layer. */
function numberOf(next: LayerKind | undefined, numbers: Partial<Record<LayerKind, number>>, field: string): number {
  const number = next && numbers[next];
  if (number !== undefined) return number;
  const problem = next === undefined ?
    'does not follow from the stack, which ends here' :
    `does not follow from the next layer, ${next}`;
  throw new RoceError('invalid-argument', { where: field, problem, hint: 'State the field' });
}
