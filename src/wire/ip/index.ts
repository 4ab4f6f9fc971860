// IP layer: IPv4, IPv6, its extension headers and options, UDP.

export { ExtensionHeader, type ExtensionChain, type LocatedExtensionHeader, FragmentHeader,
  RoutingHeader } from './extension-header.js';
export { ParameterProblem, type ParameterProblemOptions } from './icmpv6-parameter-problem.js';
export { IP_ADDRESS_BYTES, type IpPrefix, formatIpAddress, formatIpv6Address, isIpv4Mapped, parseIpAddress, parsePrefix,
  prefixContains } from './ip-address.js';
export { IpProtocol } from './ip-protocol.js';
export { Ipv4 } from './ipv4.js';
export { Ipv6Option, type LocatedIpv6Option, type AlignedOption, type OptionAlignment, type OptionField,
  OptionsHeader } from './ipv6-options.js';
export { Ipv6 } from './ipv6.js';
export { type SegmentAdvance, SegmentRouting, type SegmentRoutingFields } from './segment-routing.js';
export { UdpPort, Udp } from './udp.js';
