// Lossless discovery: its IP option, its ICMP message, the QoS data that both carry.

export { DSCP_COUNT, DSCP_MAP_BYTES, PRIORITY_MAX, type DscpMap, hashDscpMap, readDscpMap,
  writeDscpMap } from './dscp-map.js';
export { fitQosData } from './fit-qos-data.js';
export * from './qos-data.js';
export { PRIORITY_COUNT, QOS_PART_DSCP_MAP, QOS_PART_DSCP_MAP_HASH, QOS_PART_ETS_SHARES, QOS_PART_FIRST_UNKNOWN,
  QOS_PART_LENGTH, QOS_PART_MTU, QOS_PART_PFC_LEVELS, QOS_PART_REJECTION, QOS_PART_TYPE, QOS_PART_VALUE,
  QOS_REJECTION_CONTRADICTION, QOS_REJECTION_ECN, QOS_REJECTION_MTU, QOS_REJECTION_NOT_ALLOWED, QOS_REJECTION_NO_ROCE,
  QOS_REJECTION_PFC_LEVELS, QOS_REJECTION_TRUST, type QosParts, type QosUnknownPart, qosPartsBytes, readQosParts,
  writeQosParts } from './qos-parts.js';
export * from './reply-packets.js';
export { DISCOVERY_HOP_LIMIT } from './ip-packets.js';
export * from './request-packets.js';
export * from './roce-fc-icmp.js';
export { ROCE_FC6_DEFAULT_OPTION_TYPE, ROCE_FC6_OPTION_BYTES, ROCE_FC6_OPTION_LAYOUT, ROCE_FC6_OPTION_PLACE,
  type RoceFc6Option, type RoceFc6OptionFields, RoceFc6OptionView, buildRoceFc6Option, buildRoceFc6OptionInto,
  parseRoceFc6Option } from './roce-fc-ipv6-option.js';
export { ROCE_FC_DATA_MAX_BYTES, ROCE_FC_DEFAULT_OPTION_TYPE, ROCE_FC_FLAGS_OPTION_BYTES, ROCE_FC_FLAGS_OPTION_LAYOUT,
  ROCE_FC_IPV4_DATA_BYTES, ROCE_FC_OPTION_BYTES, ROCE_FC_OPTION_FLAGS_BYTES, ROCE_FC_OPTION_LAYOUT, ROCE_FC_REQUEST,
  RoceFcFlagsOptionView, type RoceFcHead, type RoceFcOption, type RoceFcOptionFields, RoceFcOptionView,
  type RoceFcRequest, buildRoceFcOption, buildRoceFcOptionInto, parseRoceFcOption,
  roceFcOptionBytes } from './roce-fc-option.js';
