/** UDP ports and IP protocols that announce a tunnel, for checks without a walk. */
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { UdpPort } from '../wire/ip/udp.js';
import { GENEVE_PORT, VXLAN_GPE_PORT, VXLAN_LINUX_PORT, VXLAN_PORT } from '../wire/tunnel/overlays.js';
import { GRE_UDP_PORT } from '../wire/tunnel/gre.js';
import { MPLS_UDP_PORT, PROTOCOL_MPLS } from '../wire/tunnel/mpls.js';

/** Next header of an IPv4 packet (RFC 2003). */
export const PROTOCOL_IPV4 = 4;
/** Next header of an IPv6 packet (RFC 2473). */
export const PROTOCOL_IPV6 = 41;
/** Next header of an Ethernet frame (RFC 8986, section 10.1). */
export const PROTOCOL_ETHERNET = 143;

/** UDP destination ports of tunnels. */
export const TUNNEL_PORTS: readonly number[] = [
  GRE_UDP_PORT,
  VXLAN_PORT,
  VXLAN_GPE_PORT,
  GENEVE_PORT,
  MPLS_UDP_PORT,
  VXLAN_LINUX_PORT,
];
const TUNNEL_PROTOCOLS: readonly number[] = [
  PROTOCOL_IPV4,
  PROTOCOL_IPV6,
  IpProtocol.GRE,
  PROTOCOL_MPLS,
  PROTOCOL_ETHERNET,
];

/** Whether a UDP port announces a tunnel. */
export function isTunnelPort(port: number): boolean {
  return port !== UdpPort.ROCE_V2 && TUNNEL_PORTS.includes(port);
}

/** Whether an IP protocol, or IPv6 next header, announces a tunnel. */
export function isTunnelProtocol(protocol: number): boolean {
  return TUNNEL_PROTOCOLS.includes(protocol);
}
