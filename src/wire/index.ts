/**
 * `roce-cc/wire`: builders and readers of the headers that RoCEv2 congestion control meets, one file per header. Each
 * has a block of offsets, a view that reads in place, and `parse` and `build`, which are inverses.
 */
export {
  IP_ADDRESS_BYTES, formatIpAddress, formatIpv6Address, isIpv4Mapped, parseIpAddress, parsePrefix, prefixContains,
} from './ip/ip-address.js';
export type { IpPrefix } from './ip/ip-address.js';
export {
  ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN, EthernetView, buildEthernet,
  buildEthernetInto, parseEthernet,
} from './link/ethernet.js';
export type { EthernetHeader, VlanTag } from './link/ethernet.js';
export {
  IPV4_FLAG_DF, IPV4_FLAG_MF, Ipv4View, buildIpv4, buildIpv4Into, computeIpv4Checksum, parseIpv4,
} from './ip/ipv4.js';
export type { Ipv4Fields, Ipv4Header } from './ip/ipv4.js';
export { Ipv6View, buildIpv6, buildIpv6Into, parseIpv6 } from './ip/ipv6.js';
export type { Ipv6Header } from './ip/ipv6.js';
export { ROCE_V2_PORT, UdpView, buildUdp, buildUdpInto, computeUdpChecksum, parseUdp } from './ip/udp.js';
export type { UdpFields, UdpHeader } from './ip/udp.js';
export { BthView, OPCODE_CNP, PKEY_DEFAULT, buildBth, buildBthInto, parseBth } from './roce/bth.js';
export type { Bth, BthFields } from './roce/bth.js';
export { ICRC_BYTES, computeIcrc, isIcrcRight, readIcrc, writeIcrc } from './roce/icrc.js';
export type { IcrcPolicy } from './roce/icrc.js';
export type { EthernetLink, LinkKind, LinkLayer } from './roce/roce-frame.js';
export { CNP_RESERVED_BYTES, buildCnp, buildCnpInto, cnpDefaults, parseCnp } from './roce/cnp.js';
export type { Cnp, CnpFields, ReadOptions } from './roce/cnp.js';
export { FAST_CNP_2_TRACE_MAX_BYTES, FAST_CNP_OPTION_TYPE } from './roce/fast-cnp-option.js';
export type {
  FastCnpEncoding, FastCnpOption, FastCnpOptionTypes, IoamTrace, ReceivedFastCnpOption,
} from './roce/fast-cnp-option.js';
export { buildFastCnp, buildFastCnpInto, parseFastCnp } from './roce/fast-cnp.js';
export type { FastCnp, FastCnpFields, FastCnpForm, FastCnpReadOptions } from './roce/fast-cnp.js';
export { buildFastCnpForDataPacket, fastCnpFieldsFor } from './roce/fast-cnp-for-data-packet.js';
export type { FastCnpAnswer, OversizeTracePolicy } from './roce/fast-cnp-for-data-packet.js';
