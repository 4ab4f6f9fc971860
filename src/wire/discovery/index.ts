// Lossless discovery: its IP option, its ICMP message, and the QoS data in both.

export { DscpMap } from './dscp-map.js';
export { fitQosData } from './fit-qos-data.js';
export { type QosClasses, QosData } from './qos-data.js';
export { QosParts, type QosUnknownPart } from './qos-parts.js';
export { type DiscoveryIcmpTypes, ReplyPacket, type ReplyPacketFields } from './reply-packets.js';
export { DISCOVERY_HOP_LIMIT } from './ip-packets.js';
export { type DiscoveryOptionTypes, RequestPacket, type RequestPacketFields } from './request-packets.js';
export { RoceFcIcmp, type RoceFcIcmpFields, type RoceFcReply } from './roce-fc-icmp.js';
export { RoceFc6Option } from './roce-fc-ipv6-option.js';
export { RoceFcFlagsOption, type RoceFcHead, RoceFcOption, type RoceFcOptionFields,
  type RoceFcRequest } from './roce-fc-option.js';
