// Lossless discovery: its IP option, its ICMP message, and the QoS data in both.

export { DscpMap, QosParts, type QosUnknownPart } from './qos-parts.js';
export { fitQosData, type QosClasses, QosData } from './qos-data.js';
export { type DiscoveryIcmpTypes, ReplyPacket, type ReplyPacketFields, DISCOVERY_HOP_LIMIT, type DiscoveryOptionTypes,
  RequestPacket, type RequestPacketFields } from './packets.js';
export { RoceFcIcmp, type RoceFcIcmpFields, type RoceFcReply } from './roce-fc-icmp.js';
export { RoceFc6Option, RoceFcFlagsOption, type RoceFcHead, RoceFcOption, type RoceFcOptionFields,
  type RoceFcRequest } from './roce-fc-option.js';
