/** The kinds of layers that a dissection distinguishes: numbers in `Dissection`, names in `Packet`. */
import { invalidArgument } from '../wire/bytes.js';

/** No layer. */
export const LAYER_NONE = 0;
/** Ethernet II with its VLAN tags. */
export const LAYER_ETHERNET = 1;
/** Linux cooked capture (link type 113). */
export const LAYER_LINUX_SLL = 2;
/** Linux cooked capture, version 2 (link type 276). */
export const LAYER_LINUX_SLL2 = 3;
/** MAC control PAUSE, starting at its opcode. */
export const LAYER_PAUSE = 4;
/** MAC control PFC, starting at its opcode. */
export const LAYER_PFC = 5;
/** Global route header of RoCEv1. */
export const LAYER_GRH = 6;
/** IPv4 header with its options. */
export const LAYER_IPV4 = 7;
/** IPv6 header without extension headers. */
export const LAYER_IPV6 = 8;
/** IPv6 Hop-by-Hop Options header. */
export const LAYER_HOP_BY_HOP = 9;
/** IPv6 Destination Options header. */
export const LAYER_DESTINATION_OPTIONS = 10;
/** IPv6 Routing header of any type but 4. */
export const LAYER_ROUTING = 11;
/** IPv6 Fragment header. */
export const LAYER_FRAGMENT = 12;
/** UDP header. */
export const LAYER_UDP = 13;
/** InfiniBand base transport header. */
export const LAYER_BTH = 14;
/** Reliable datagram extended header. */
export const LAYER_RDETH = 15;
/** Datagram extended header. */
export const LAYER_DETH = 16;
/** XRC extended header. */
export const LAYER_XRCETH = 17;
/** RDMA extended header. */
export const LAYER_RETH = 18;
/** Atomic extended header. */
export const LAYER_ATOMIC_ETH = 19;
/** Acknowledge extended header. */
export const LAYER_AETH = 20;
/** Atomic acknowledge extended header. */
export const LAYER_ATOMIC_ACK_ETH = 21;
/** Immediate data. */
export const LAYER_IMMDT = 22;
/** Invalidate extended header. */
export const LAYER_IETH = 23;
/** The 16 reserved bytes of a CNP. */
export const LAYER_CNP_RESERVED = 24;
/** Payload of the innermost known header. */
export const LAYER_PAYLOAD = 25;
/** PadCnt bytes after the payload. */
export const LAYER_PAD = 26;
/** Invariant CRC, the last four bytes of a RoCEv2 packet. */
export const LAYER_ICRC = 27;
/** Bytes after the end that a length field gives: Ethernet padding, stray bytes. */
export const LAYER_TRAILER = 28;
/** All bytes from the layer in trouble on. */
export const LAYER_UNDECODED = 29;
/** Adaptive routing notification in UDP. */
export const LAYER_ARN = 30;
/** ICMP message of lossless discovery. */
export const LAYER_ROCE_FC_ICMP = 31;
/** IPv6 Routing header of type 4 (RFC 8754). */
export const LAYER_SEGMENT_ROUTING = 32;
/** BSD loopback header (link types 0 and 108). */
export const LAYER_LOOPBACK = 33;
/** Per-Packet Information header (link type 192). */
export const LAYER_PPI = 34;
/** Endace ERF header (link type 197). */
export const LAYER_ERF = 35;
/** VLAN tag after a Linux cooked header or another tag. */
export const LAYER_VLAN = 36;
/** E-TAG of IEEE 802.1BR. */
export const LAYER_ETAG = 37;
/** VN-tag of Cisco. */
export const LAYER_VN_TAG = 38;
/** Cisco metadata (CMD). */
export const LAYER_CISCO_METADATA = 39;
/** Arista timestamp header. */
export const LAYER_ARISTA = 40;
/** LLC with SNAP. */
export const LAYER_SNAP = 41;
/** MPLS label stack entry. */
export const LAYER_MPLS = 42;
/** Control word of an Ethernet pseudowire. */
export const LAYER_CONTROL_WORD = 43;
/** VXLAN, VXLAN-GPE. */
export const LAYER_VXLAN = 44;
/** GENEVE with its options. */
export const LAYER_GENEVE = 45;
/** Network Service Header. */
export const LAYER_NSH = 46;
/** GRE with its optional words. */
export const LAYER_GRE = 47;
/** ERSPAN type II. */
export const LAYER_ERSPAN_2 = 48;
/** ERSPAN type III with its subheader. */
export const LAYER_ERSPAN_3 = 49;
/** Mellanox mirror header. */
export const LAYER_MELLANOX_MIRROR = 50;
/** BTH of an MRC packet. */
export const LAYER_MRC_BTH = 51;
/** MRC message extended header. */
export const LAYER_METH = 52;
/** MRC timestamp extended header. */
export const LAYER_TSETH = 53;
/** MRC SACK extended header. */
export const LAYER_SETH = 54;
/** MRC congestion control state of a SACK. */
export const LAYER_MRC_CC_STATE = 55;
/** MRC congestion control state of an unknown form. */
export const LAYER_MRC_CC_UNKNOWN = 56;
/** MRC NACK extended header. */
export const LAYER_NETH = 57;
/** MRC probe extended header. */
export const LAYER_PETH = 58;
/** MRC endpoint request header. */
export const LAYER_ERTH = 59;
/** MRC endpoint response header. */
export const LAYER_EETH = 60;
/** Header of Ultra Ethernet's RUD and ROD requests. */
export const LAYER_UET_REQUEST = 61;
/** Congestion control state of an Ultra Ethernet request. */
export const LAYER_UET_REQUEST_CC = 62;
/** Header of Ultra Ethernet ACKs. */
export const LAYER_UET_ACK = 63;
/** Selective acknowledgements of an Ultra Ethernet ACK. */
export const LAYER_UET_SACK = 64;
/** State of NSCC in an Ultra Ethernet ACK. */
export const LAYER_UET_NSCC_STATE = 65;
/** State of credit-based congestion control in an Ultra Ethernet ACK. */
export const LAYER_UET_CREDIT_STATE = 66;
/** Congestion control state of Ultra Ethernet of an unknown form. */
export const LAYER_UET_CC_UNKNOWN = 67;
/** Header of Ultra Ethernet NACKs. */
export const LAYER_UET_NACK = 68;
/** Header of Ultra Ethernet control packets. */
export const LAYER_UET_CONTROL = 69;
/** Header of Ultra Ethernet's RUDI requests and responses. */
export const LAYER_UET_RUDI = 70;
/** Header of Ultra Ethernet's UUD requests. */
export const LAYER_UET_UUD = 71;
/** Transport security header of Ultra Ethernet. */
export const LAYER_UET_SECURITY = 72;
/** Transport security header of Ultra Ethernet with the number of its source. */
export const LAYER_UET_SECURITY_SOURCE = 73;
/** Entropy header of Ultra Ethernet directly over IP. */
export const LAYER_UET_ENTROPY = 74;
/** Standard request of Ultra Ethernet, first packet of its message. */
export const LAYER_UET_SES_STANDARD = 75;
/** Standard request of Ultra Ethernet, further packet of its message. */
export const LAYER_UET_SES_CONTINUED = 76;
/** Medium request of Ultra Ethernet. */
export const LAYER_UET_SES_MEDIUM = 77;
/** Small request of Ultra Ethernet. */
export const LAYER_UET_SES_SMALL = 78;
/** Response of Ultra Ethernet without data. */
export const LAYER_UET_SES_RESPONSE = 79;
/** Response of Ultra Ethernet with data. */
export const LAYER_UET_SES_RESPONSE_DATA = 80;
/** Response of Ultra Ethernet with data to a small request. */
export const LAYER_UET_SES_RESPONSE_DATA_SMALL = 81;
/** Atomic extension of an Ultra Ethernet request. */
export const LAYER_UET_ATOMIC = 82;
/** Operands of an Ultra Ethernet compare-and-swap. */
export const LAYER_UET_COMPARE_SWAP = 83;
/** Rendezvous extension of an Ultra Ethernet request. */
export const LAYER_UET_RENDEZVOUS = 84;
/** Number of kinds, including `LAYER_NONE`. */
export const LAYER_KIND_COUNT = 85;

/** Names of the kinds, by number. */
export const LAYER_NAMES = [
  'none',
  'ethernet',
  'linux-sll',
  'linux-sll2',
  'pause',
  'pfc',
  'grh',
  'ipv4',
  'ipv6',
  'hop-by-hop',
  'destination-options',
  'routing',
  'fragment',
  'udp',
  'bth',
  'rdeth',
  'deth',
  'xrceth',
  'reth',
  'atomic-eth',
  'aeth',
  'atomic-ack-eth',
  'immdt',
  'ieth',
  'cnp-reserved',
  'payload',
  'pad',
  'icrc',
  'trailer',
  'undecoded',
  'arn',
  'roce-fc-icmp',
  'segment-routing',
  'loopback',
  'ppi',
  'erf',
  'vlan',
  'etag',
  'vn-tag',
  'cisco-metadata',
  'arista',
  'snap',
  'mpls',
  'control-word',
  'vxlan',
  'geneve',
  'nsh',
  'gre',
  'erspan-2',
  'erspan-3',
  'mellanox-mirror',
  'mrc-bth',
  'meth',
  'tseth',
  'seth',
  'mrc-cc-state',
  'mrc-cc-unknown',
  'neth',
  'peth',
  'erth',
  'eeth',
  'uet-request',
  'uet-request-cc',
  'uet-ack',
  'uet-sack',
  'uet-nscc-state',
  'uet-credit-state',
  'uet-cc-unknown',
  'uet-nack',
  'uet-control',
  'uet-rudi',
  'uet-uud',
  'uet-security',
  'uet-security-source',
  'uet-entropy',
  'uet-ses-standard',
  'uet-ses-continued',
  'uet-ses-medium',
  'uet-ses-small',
  'uet-ses-response',
  'uet-ses-response-data',
  'uet-ses-response-data-small',
  'uet-atomic',
  'uet-compare-swap',
  'uet-rendezvous',
] as const;

/** Name of a kind of layer. */
export type LayerKind = Exclude<(typeof LAYER_NAMES)[number], 'none'>;

/** @returns the name of a kind's number. */
export function layerName(kind: number): LayerKind {
  if (typeof kind !== 'number') throw invalidArgument('kind', kind, { min: 0 });
  return LAYER_NAMES[kind] as LayerKind;
}
