/** Lossless discovery: its IP option, its ICMP message, the QoS data that both carry. */
export { DSCP_COUNT, DSCP_MAP_BYTES, PRIORITY_MAX, hashDscpMap, readDscpMap, writeDscpMap } from './dscp-map.js';
export type { DscpMap } from './dscp-map.js';
export { fitQosData } from './fit-qos-data.js';
export { QOS_DATA_BYTES, QOS_DATA_LAYOUT, QOS_DATA_VERSION, QOS_KIND_APPLY, QOS_KIND_CHECK, QOS_KIND_REFUSED,
  QOS_KIND_STATE, QOS_KIND_TAKEN, QOS_PART_CLASSES, QOS_PART_CLASSES_BYTES, QOS_TRUST_BOTH, QOS_TRUST_DSCP,
  QOS_TRUST_PCP, QOS_TRUST_PORT, QosDataView, buildQosData, buildQosDataInto, parseQosData,
  qosDataBytes } from './qos-data.js';
export type { QosClasses, QosData } from './qos-data.js';
export { PRIORITY_COUNT, QOS_PART_DSCP_MAP, QOS_PART_DSCP_MAP_HASH, QOS_PART_ETS_SHARES, QOS_PART_FIRST_UNKNOWN,
  QOS_PART_LENGTH, QOS_PART_MTU, QOS_PART_PFC_LEVELS, QOS_PART_REFUSAL, QOS_PART_TYPE, QOS_PART_VALUE,
  QOS_REFUSAL_CONTRADICTION, QOS_REFUSAL_ECN, QOS_REFUSAL_MTU, QOS_REFUSAL_NOT_ALLOWED, QOS_REFUSAL_NO_ROCE,
  QOS_REFUSAL_PFC_LEVELS, QOS_REFUSAL_TRUST, qosPartsBytes, readQosParts, writeQosParts } from './qos-parts.js';
export type { QosParts, QosUnknownPart } from './qos-parts.js';
export { buildReplyPacket, parseReplyPacket } from './reply-packets.js';
export type { DiscoveryIcmpTypes, ReplyPacket, ReplyPacketFields } from './reply-packets.js';
export { DISCOVERY_HOP_LIMIT } from './ip-packets.js';
export { buildRequestPacket, forwardRequestPacket, parseRequestPacket } from './request-packets.js';
export type { DiscoveryOptionTypes, RequestPacket, RequestPacketFields } from './request-packets.js';
export { ROCE_FC_DEFAULT_ICMPV6_TYPE, ROCE_FC_DEFAULT_ICMP_TYPE, ROCE_FC_FINAL_DESTINATION, ROCE_FC_ICMP_BYTES,
  ROCE_FC_ICMP_LAYOUT, ROCE_FC_NOT_SUPPORTED, ROCE_FC_PARTIALLY_SUPPORTED, ROCE_FC_SUPPORTED, ROCE_FC_TRANSIT,
  RoceFcIcmpView, buildRoceFcIcmp, buildRoceFcIcmpInto, isFinalDestination, parseRoceFcIcmp } from './roce-fc-icmp.js';
export type { RoceFcIcmp, RoceFcIcmpFields, RoceFcReply } from './roce-fc-icmp.js';
export { ROCE_FC6_DEFAULT_OPTION_TYPE, ROCE_FC6_OPTION_BYTES, ROCE_FC6_OPTION_LAYOUT, ROCE_FC6_OPTION_PLACE,
  RoceFc6OptionView, buildRoceFc6Option, buildRoceFc6OptionInto, parseRoceFc6Option } from './roce-fc-ipv6-option.js';
export type { RoceFc6Option, RoceFc6OptionFields } from './roce-fc-ipv6-option.js';
export { ROCE_FC_DATA_MAX_BYTES, ROCE_FC_DEFAULT_OPTION_TYPE, ROCE_FC_FLAGS_OPTION_BYTES, ROCE_FC_FLAGS_OPTION_LAYOUT,
  ROCE_FC_IPV4_DATA_BYTES, ROCE_FC_OPTION_BYTES, ROCE_FC_OPTION_FLAGS_BYTES, ROCE_FC_OPTION_LAYOUT, ROCE_FC_REQUEST,
  RoceFcFlagsOptionView, RoceFcOptionView, buildRoceFcOption, buildRoceFcOptionInto, parseRoceFcOption,
  roceFcOptionBytes } from './roce-fc-option.js';
export type { RoceFcHead, RoceFcOption, RoceFcOptionFields, RoceFcRequest } from './roce-fc-option.js';
