/**
 * `roce-cc/wire`: all headers relevant to RoCEv2 congestion control, one object per header. Each object has the same
 * shape: `Bth.lenBytes`, `Bth.fields` (the layout as data), `Bth.read(bytes, offset)`, `Bth.write(fields)`, its
 * inverse, `Bth.writeInto(target, offset, fields)`, which allocates nothing, and `new Bth.View(bytes, offset)`, which
 * reads in place; plus constants and functions of the format. The type `Bth` is the value. Whole packets are in
 * `roce-cc/packet`.
 *
 * @packageDocumentation
 */
export type { FieldsOf, Header, ValueOf, ViewOf, FieldLayout, HeaderLayout } from './header/define-header.js';
export { LAYOUT_CHAPTERS, type LayoutChapter } from './layouts.js';

// Link layer: Ethernet, VLAN tags, Linux cooked headers, MAC control (PAUSE, PFC).
export { EtherType, Ethernet, VlanTag } from './link/ethernet.js';
export { LinuxSll, LinuxSll2 } from './link/capture-headers.js';
export { MacControl, Pause, Pfc } from './link/mac-control.js';

// IP layer: IPv4, IPv6, its extension headers and options, UDP.
export { ExtensionHeader, type ExtensionChain, type LocatedExtensionHeader, FragmentHeader, RoutingHeader,
  Ipv6 } from './ip/ipv6.js';
export { ParameterProblem, type ParameterProblemOptions } from './ip/icmpv6-parameter-problem.js';
export { IP_ADDRESS_BYTES, type IpPrefix, formatIpAddress, formatIpv6Address, isIpv4Mapped, parseIpAddress, parsePrefix,
  prefixContains } from './ip/ip-address.js';
export { IpProtocol } from './ip/ip-protocol.js';
export { Ipv4 } from './ip/ipv4.js';
export { Ipv6Option, type LocatedIpv6Option, type AlignedOption, type OptionAlignment, type OptionField,
  OptionsHeader } from './ip/ipv6-options.js';
export { type SegmentAdvance, SegmentRouting, type SegmentRoutingFields } from './ip/segment-routing.js';
export { UdpPort, Udp } from './ip/udp.js';

// InfiniBand transport over Ethernet: BTH and extended headers, ICRC, CNP, Fast CNP, RoCEv1.
export { Aeth, type AethKind, type NakName, AtomicAckEth, AtomicEth, Deth, ExtendedHeaders, type ExtendedHeadersFields,
  Ieth, ImmediateData, Rdeth, Reth, Xrceth } from './roce/extended-headers.js';
export { Bth, type ExtendedHeaderKind, Opcode, type TransportName } from './roce/bth.js';
export { Cnp, type CnpFields, type ReadOptions } from './roce/cnp.js';
export { type FastCnpAnswer, type OversizeTracePolicy, fastCnpFieldsFor, fastCnpFor, FastCnp, type FastCnpFields,
  type FastCnpForm, type FastCnpReadOptions } from './roce/fast-cnp.js';
export { type FastCnpEncoding, FastCnpOption1, FastCnpOption1Compact, FastCnpOption2, type FastCnpOption,
  type FastCnpOptionTypes, type IoamTrace, type ReceivedFastCnpOption } from './roce/fast-cnp-option.js';
export { Grh } from './roce/roce-v1.js';
export { Icrc, type IcrcPolicy } from './roce/icrc.js';

// Multipath Reliable Connection, MRC: BTH and extended headers, entropy values, DSCPs, source routes of uSIDs.
export { MrcBth, type MrcByte1, type MrcByte1Order, type MrcHeaderKind, MrcOpcode,
  type MrcPacketKind } from './mrc/bth.js';
export { MrcCcState, type SackMap, Seth, type SethFields, Eeth, type EethFields, type MrcEethOperation,
  type MrcEethPlace, type MrcNackReason, Neth } from './mrc/response-headers.js';
export { MRC_DSCPS, type MrcDscpMap, type MrcDscpName, type MrcDscps, mrcDscpMap, type MrcEntropyFields,
  type MrcEvOrder, mrcEntropy, mrcEntropyFields, UsidCarrier } from './mrc/ip-fields.js';
export { Erth, Meth, Peth, Tseth } from './mrc/request-headers.js';

// Ultra Ethernet Transport (UET): headers of packet delivery, transport security and semantics, and their numbers.
export { UET_PORT, UetControlType, UetNextHeader, UetOperation, UetType, type UetTypeName, isUetCompareSwap,
  uetAtomicName, uetAtomicTypeName, uetNackName, uetResponseName, uetReturnName } from './uet/codes.js';
export { UetAck, UetControl, UetCreditState, UetEntropy, UetNack, UetNsccState, UetRequest, UetRequestCc, UetRudi,
  UetSack, UetSecurity, UetSecuritySource, type UetSyn, UetUud } from './uet/pds.js';
export { UetAtomic, UetCompareSwap, UetRendezvous, UetSesContinued, UetSesMedium, UetSesResponse, UetSesResponseData,
  UetSesResponseDataSmall, UetSesSmall, UetSesStandard } from './uet/ses.js';

// In-band telemetry: IOAM traces, the HPCC INT header, INT-MD.
export { HpccIntHop, type HpccIntByteOrder, type HpccIntDelta, type HpccIntSample,
  HpccIntUnits } from './telemetry/hpcc-int-hop.js';
export { HpccInt } from './telemetry/hpcc-int.js';
export { IntMdHop } from './telemetry/int-md-hop.js';
export { IntMd, type IntMdFields, type IntMdPushOutcome, type IntMdPushed, type IntMdStackOptions,
  IntMdHeader } from './telemetry/int-md.js';
export { IoamNodeCursor } from './telemetry/ioam-trace-data.js';
export { type IoamFieldName, IoamNode, type IoamOpaqueSnapshot } from './telemetry/ioam-node.js';
export { IoamOption } from './telemetry/ioam-option.js';
export { IoamTraceType, IoamTraceHeader } from './telemetry/ioam-trace.js';
export { IOAM_TRACE_IPV6_MAX_BYTES, type IoamPushOutcome, type IoamPushed, pushIncrementalIoamNode, pushIoamNode,
  IoamTraceData, type IoamTraceDataFields, type IoamTraceKind } from './telemetry/ioam-trace-data.js';

// Adaptive routing notifications.
export { type ArnBitOrder, type ArnFlowFormat, type ArnFlowPadding, type ArnFormat, ParaType, arnFormatDefaults,
  type CompressionTimeFormat, type CompressionTimeUnit, compressionTimeOf,
  compressionTimePs } from './arn/arn-format.js';
export { Arn, type ArnFields, type ArnTypeName, FiveTuple } from './arn/arn.js';

// Lossless discovery: its IP option, its ICMP message, and the QoS data in both.
export { DscpMap, QosParts, type QosUnknownPart } from './discovery/qos-parts.js';
export { fitQosData, type QosClasses, QosData } from './discovery/qos-data.js';
export { type DiscoveryIcmpTypes, ReplyPacket, type ReplyPacketFields, DISCOVERY_HOP_LIMIT, type DiscoveryOptionTypes,
  RequestPacket, type RequestPacketFields } from './discovery/packets.js';
export { RoceFcIcmp, type RoceFcIcmpFields, type RoceFcReply, RoceFc6Option, RoceFcFlagsOption, type RoceFcHead,
  RoceFcOption, type RoceFcOptionFields, type RoceFcRequest } from './discovery/roce-fc.js';
export type { EthernetLink, LinkKind, LinkLayer } from './roce/roce-frame.js';
