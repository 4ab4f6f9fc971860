/** IP layer: IPv4, IPv6, its extension headers and options, UDP. */
export { EXTENSION_CONTENTS, EXTENSION_HEADER_LAYOUT, EXTENSION_MAX_BYTES, EXTENSION_UNIT_BYTES, ExtensionHeaderView,
  NEXT_HEADER_DESTINATION_OPTIONS, NEXT_HEADER_FRAGMENT, NEXT_HEADER_HOP_BY_HOP, NEXT_HEADER_NONE, NEXT_HEADER_ROUTING,
  buildExtensionHeader, buildExtensionHeaderInto, parseExtensionHeader } from './extension-header.js';
export type { ExtensionChain, ExtensionHeader, RawExtensionFields, RawExtensionHeader } from './extension-header.js';
export { FRAGMENT_BYTES, FRAGMENT_HEADER_LAYOUT, FRAGMENT_UNIT_BYTES, FragmentHeaderView, buildFragmentHeader,
  buildFragmentHeaderInto, parseFragmentHeader } from './fragment-header.js';
export type { FragmentHeader, FragmentHeaderFields } from './fragment-header.js';
export { PROTOCOL_ICMPV6 } from './icmp-checksum.js';
export { CODE_ERRONEOUS_HEADER_FIELD, CODE_UNRECOGNIZED_NEXT_HEADER, CODE_UNRECOGNIZED_OPTION, ICMPV6_ERROR_MAX_BYTES,
  ICMPV6_PARAMETER_PROBLEM, PARAMETER_PROBLEM_BYTES, PARAMETER_PROBLEM_LAYOUT, ParameterProblemView,
  buildParameterProblem, buildParameterProblemFor, buildParameterProblemInto, computeIcmpv6Checksum,
  parseParameterProblem, unrecognizedOptionType } from './icmpv6-parameter-problem.js';
export type { ParameterProblem, ParameterProblemOptions } from './icmpv6-parameter-problem.js';
export { IP_ADDRESS_BYTES, formatIpAddress, formatIpv6Address, isIpv4Mapped, parseIpAddress, parsePrefix,
  prefixContains } from './ip-address.js';
export type { IpPrefix } from './ip-address.js';
export { IPV4_BYTES, IPV4_FLAG_DF, IPV4_FLAG_MF, IPV4_LAYOUT, Ipv4View, buildIpv4, buildIpv4Into, computeIpv4Checksum,
  parseIpv4 } from './ipv4.js';
export type { Ipv4Fields, Ipv4Header } from './ipv4.js';
export { OPTION_ACTION_DISCARD, OPTION_ACTION_DISCARD_AND_TELL, OPTION_ACTION_DISCARD_AND_TELL_UNICAST,
  OPTION_ACTION_MASK, OPTION_ACTION_SKIP, OPTION_CHANGE_MASK, OPTION_DATA, OPTION_DATA_MAX_BYTES, OPTION_LAYOUT,
  OPTION_PAD1, OPTION_PADN, buildOptionsHeader } from './ipv6-options.js';
export type { Ipv6Option } from './ipv6-options.js';
export { IPV6_BYTES, IPV6_LAYOUT, Ipv6View, buildIpv6, buildIpv6Into, parseIpv6 } from './ipv6.js';
export type { Ipv6Header } from './ipv6.js';
export { OptionsHeaderView, buildOptionsList, buildOptionsListInto, layOutOptions,
  parseOptionsHeader } from './options-header.js';
export type { AlignedOption, OptionAlignment, OptionField, OptionsHeader } from './options-header.js';
export { ROUTING_DATA, ROUTING_HEADER_LAYOUT, RoutingHeaderView, buildRoutingHeader, buildRoutingHeaderInto,
  parseRoutingHeader } from './routing-header.js';
export type { RoutingHeader, RoutingHeaderFields } from './routing-header.js';
export { ROUTING_TYPE_SEGMENT_ROUTING, SEGMENT_ROUTING_LAYOUT, SRH_FIXED_BYTES, SRH_SEGMENTS_MAX, SegmentRoutingView,
  advanceSegment, buildSegmentRouting, buildSegmentRoutingInto, currentSegment,
  parseSegmentRouting } from './segment-routing.js';
export type { SegmentAdvance, SegmentRoutingFields, SegmentRoutingHeader } from './segment-routing.js';
export { PROTOCOL_UDP, ROCE_V2_PORT, UDP_BYTES, UDP_LAYOUT, UdpView, buildUdp, buildUdpInto, computeUdpChecksum,
  parseUdp } from './udp.js';
export type { UdpFields, UdpHeader } from './udp.js';
