// IP layer: IPv4, IPv6, its extension headers and options, UDP.

export { EXTENSION_CONTENTS, EXTENSION_HEADER_LAYOUT, EXTENSION_MAX_BYTES, EXTENSION_UNIT_BYTES,
  NEXT_HEADER_DESTINATION_OPTIONS, NEXT_HEADER_FRAGMENT, NEXT_HEADER_HOP_BY_HOP, NEXT_HEADER_NONE, NEXT_HEADER_ROUTING,
  type ExtensionChain, type ExtensionHeader, ExtensionHeaderView, type RawExtensionFields, type RawExtensionHeader,
  buildExtensionHeader, buildExtensionHeaderInto, parseExtensionHeader } from './extension-header.js';
export { FRAGMENT_BYTES, FRAGMENT_HEADER_LAYOUT, FRAGMENT_UNIT_BYTES, type FragmentHeader, type FragmentHeaderFields,
  FragmentHeaderView, buildFragmentHeader, buildFragmentHeaderInto, parseFragmentHeader } from './fragment-header.js';
export { PROTOCOL_ICMPV6 } from './icmp-checksum.js';
export * from './icmpv6-parameter-problem.js';
export { IP_ADDRESS_BYTES, type IpPrefix, formatIpAddress, formatIpv6Address, isIpv4Mapped, parseIpAddress, parsePrefix,
  prefixContains } from './ip-address.js';
export { IPV4_BYTES, IPV4_FLAG_DF, IPV4_FLAG_MF, IPV4_LAYOUT, type Ipv4Fields, type Ipv4Header, Ipv4View, buildIpv4,
  buildIpv4Into, computeIpv4Checksum, parseIpv4 } from './ipv4.js';
export { OPTION_ACTION_DISCARD, OPTION_ACTION_DISCARD_AND_TELL, OPTION_ACTION_DISCARD_AND_TELL_UNICAST,
  OPTION_ACTION_MASK, OPTION_ACTION_SKIP, OPTION_CHANGE_MASK, OPTION_DATA, OPTION_DATA_MAX_BYTES, OPTION_LAYOUT,
  OPTION_PAD1, OPTION_PADN, type Ipv6Option, buildOptionsHeader } from './ipv6-options.js';
export { IPV6_BYTES, IPV6_LAYOUT, type Ipv6Header, Ipv6View, buildIpv6, buildIpv6Into, parseIpv6 } from './ipv6.js';
export * from './options-header.js';
export { ROUTING_DATA, ROUTING_HEADER_LAYOUT, type RoutingHeader, type RoutingHeaderFields, RoutingHeaderView,
  buildRoutingHeader, buildRoutingHeaderInto, parseRoutingHeader } from './routing-header.js';
export * from './segment-routing.js';
export { PROTOCOL_UDP, ROCE_V2_PORT, UDP_BYTES, UDP_LAYOUT, type UdpFields, type UdpHeader, UdpView, buildUdp,
  buildUdpInto, computeUdpChecksum, parseUdp } from './udp.js';
