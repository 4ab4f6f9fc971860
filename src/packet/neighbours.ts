/** Values that a layer derives from its neighbours. */
import { RoceError } from '../errors.js';
import { EtherType } from '../wire/link/ethernet.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { UdpPort } from '../wire/ip/udp.js';
import { UET_PORT, UetNextHeader, UetType } from '../wire/uet/codes.js';
import { ETHERTYPE_ERSPAN_2, ETHERTYPE_ERSPAN_3, ETHERTYPE_MELLANOX_MIRROR } from '../wire/tunnel/erspan.js';
import { ETHERTYPE_NSH, GENEVE_PORT, VXLAN_PORT } from '../wire/tunnel/overlays.js';
import { GRE_UDP_PORT } from '../wire/tunnel/gre.js';
import { ETHERTYPE_MPLS, MPLS_UDP_PORT, PROTOCOL_MPLS } from '../wire/tunnel/mpls.js';
import type { LayerKind } from './layer-kinds.js';
import { PROTOCOL_ETHERNET, PROTOCOL_IPV4, PROTOCOL_IPV6 } from './tunnel-numbers.js';

/** The addresses covered by UDP and ICMPv6 checksums (RFC 8200, section 8.1). */
export interface PseudoHeader {
  readonly version: 4 | 6;
  /** Source address, 16 bytes. */
  readonly source: Uint8Array;
  /** 16 bytes; while segments are left, the last segment, not the IP header's destination. */
  readonly destination: Uint8Array;
}

/** What a layer needs to know about the other layers. */
export interface Neighbours {
  /** Kind of the next layer. */
  readonly next: LayerKind | undefined;
  /** Bytes after it that its length fields cover: up to the first trailer. */
  readonly restBytes: number;
  /** Bytes of the following `pad` layer. */
  readonly padBytes: number;
  /** From the innermost IP header before the layer. */
  readonly pseudoHeader: PseudoHeader | undefined;
}

const ETHER_TYPES: Partial<Record<LayerKind, number>> = {
  ipv4: EtherType.IPV4,
  ipv6: EtherType.IPV6,
  grh: EtherType.ROCE_V1,
  pause: EtherType.MAC_CONTROL,
  pfc: EtherType.MAC_CONTROL,
  vlan: EtherType.VLAN,
  etag: EtherType.ETAG,
  'vn-tag': EtherType.VN_TAG,
  'cisco-metadata': EtherType.CISCO_METADATA,
  arista: EtherType.ARISTA,
  mpls: ETHERTYPE_MPLS,
  nsh: ETHERTYPE_NSH,
  ethernet: EtherType.BRIDGED_ETHERNET,
  'erspan-2': ETHERTYPE_ERSPAN_2,
  'erspan-3': ETHERTYPE_ERSPAN_3,
  'mellanox-mirror': ETHERTYPE_MELLANOX_MIRROR,
};

const PROTOCOLS: Partial<Record<LayerKind, number>> = {
  'hop-by-hop': IpProtocol.HOP_BY_HOP,
  routing: IpProtocol.ROUTING,
  'segment-routing': IpProtocol.ROUTING,
  fragment: IpProtocol.FRAGMENT,
  'destination-options': IpProtocol.DESTINATION_OPTIONS,
  udp: IpProtocol.UDP,
  ipv4: PROTOCOL_IPV4,
  ipv6: PROTOCOL_IPV6,
  gre: IpProtocol.GRE,
  mpls: PROTOCOL_MPLS,
  ethernet: PROTOCOL_ETHERNET,
};
const UDP_PORTS: Partial<Record<LayerKind, number>> = {
  bth: UdpPort.ROCE_V2,
  'mrc-bth': UdpPort.ROCE_V2,
  'uet-request': UET_PORT,
  'uet-ack': UET_PORT,
  'uet-nack': UET_PORT,
  'uet-control': UET_PORT,
  'uet-rudi': UET_PORT,
  'uet-uud': UET_PORT,
  'uet-security': UET_PORT,
  'uet-security-source': UET_PORT,
  vxlan: VXLAN_PORT,
  geneve: GENEVE_PORT,
  mpls: MPLS_UDP_PORT,
  gre: GRE_UDP_PORT,
};
/** What the header of Ultra Ethernet's packet delivery announces; a header between the two hides it. */
const PDS_NEXT_HEADERS: Partial<Record<LayerKind, number>> = {
  payload: UetNextHeader.NONE,
  trailer: UetNextHeader.NONE,
  'uet-ses-small': UetNextHeader.REQUEST_SMALL,
  'uet-ses-medium': UetNextHeader.REQUEST_MEDIUM,
  'uet-ses-standard': UetNextHeader.REQUEST_STANDARD,
  'uet-ses-continued': UetNextHeader.REQUEST_STANDARD,
  'uet-ses-response': UetNextHeader.RESPONSE,
  'uet-ses-response-data': UetNextHeader.RESPONSE_DATA,
  'uet-ses-response-data-small': UetNextHeader.RESPONSE_DATA_SMALL,
};
const ICMP: Partial<Record<LayerKind, number>> = { 'roce-fc-icmp': 1 };
const ICMPV6: Partial<Record<LayerKind, number>> = { 'roce-fc-icmp': 58 };

/** The EtherType of the next layer, or before LLC the length of the rest (IEEE 802.3, section 3.2.6). */
export function etherTypeBefore({ next, restBytes }: Neighbours): number {
  if (next === 'snap') return restBytes;
  return numberOf(next, ETHER_TYPES, 'etherType');
}

export function protocolInIpv4({ next }: Neighbours): number {
  return next === undefined ? IpProtocol.NONE : numberOf(next, { ...PROTOCOLS, ...ICMP }, 'protocol or nextHeader');
}

export function protocolInIpv6({ next }: Neighbours): number {
  return next === undefined ? IpProtocol.NONE : numberOf(next, { ...PROTOCOLS, ...ICMPV6 }, 'protocol or nextHeader');
}

export function portBefore({ next }: Neighbours): number {
  return numberOf(next, UDP_PORTS, 'destinationPort');
}

export function pdsNextHeaderBefore({ next }: Neighbours): number {
  return next === undefined ? UetNextHeader.NONE : numberOf(next, PDS_NEXT_HEADERS, 'pdsNextHeader');
}

/** The type of a RUD request: with congestion control state if that follows. */
export function requestTypeBefore({ next }: Neighbours): number {
  return next === 'uet-request-cc' ? UetType.RUD_CC_REQUEST : UetType.RUD_REQUEST;
}

/** The type of an ACK: with congestion control state if selective acknowledgements follow. */
export function ackTypeBefore({ next }: Neighbours): number {
  return next === 'uet-sack' ? UetType.ACK_CC : UetType.ACK;
}

/** The type of a NACK: with congestion control state if that follows. */
export function nackTypeBefore({ next }: Neighbours): number {
  return next === 'uet-cc-unknown' ? UetType.NACK_CCX : UetType.NACK;
}

export function bytesBehind({ restBytes }: Neighbours): number {
  return restBytes;
}

/** The number by which a field announces the next layer. */
function numberOf(next: LayerKind | undefined, numbers: Partial<Record<LayerKind, number>>, field: string): number {
  const number = next && numbers[next];
  if (number !== undefined) return number;
  const problem = next === undefined ?
    'cannot be derived, since the stack ends here' :
    `cannot be derived from the next layer, ${next}`;
  throw new RoceError('invalid-argument', { where: field, problem, hint: 'State the field' });
}
