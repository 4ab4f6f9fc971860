/** Names for the numbers of a packet in `describe` and the tree, so that readers need not look them up. */
import type { WHY_NAMES } from '../abi/names.js';
import { requireChoice, requireField } from '../wire/bytes.js';
import { UdpPort } from '../wire/ip/udp.js';
import { EtherType } from '../wire/link/ethernet.js';
import { Neth } from '../wire/mrc/response-headers.js';
import { MrcOpcode } from '../wire/mrc/bth.js';
import { UET_PORT, UetControlType, UetOperation, UetType, uetAtomicName, uetAtomicTypeName, uetNackName,
  uetResponseName, uetReturnName } from '../wire/uet/codes.js';
import { Aeth } from '../wire/roce/extended-headers.js';
import { Opcode } from '../wire/roce/bth.js';
import { IoamOption } from '../wire/telemetry/ioam-option.js';
import { GENEVE_PORT, VXLAN_GPE_PORT, VXLAN_LINUX_PORT, VXLAN_PORT } from '../wire/tunnel/overlays.js';
import { GRE_UDP_PORT } from '../wire/tunnel/gre.js';
import { MPLS_UDP_PORT } from '../wire/tunnel/mpls.js';
import { LAYER_NAMES, type LayerKind } from './layer-kinds.js';
import { UNREAD_NAMES, type UnreadField } from './walk-codes.js';
import { LAYERS } from './layers.js';

/** ECN code points by number (RFC 3168, section 5). */
export const ECN_WORDS = ['Not-ECT', 'ECT(1)', 'ECT(0)', 'CE'] as const;

/** Names of headers that carry packets. */
export const TUNNEL_WORDS: Partial<Record<LayerKind, string>> = {
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  mpls: 'MPLS',
  vxlan: 'VXLAN',
  geneve: 'GENEVE',
  gre: 'GRE',
  'erspan-2': 'ERSPAN type II',
  'erspan-3': 'ERSPAN type III',
  'mellanox-mirror': "Mellanox's mirror header",
};

/** EtherTypes common in lossless networks. */
export const ETHER_TYPE_WORDS: ReadonlyMap<number, string> = new Map([
  [EtherType.IPV4, 'IPv4'],
  [EtherType.IPV6, 'IPv6'],
  [EtherType.MAC_CONTROL, 'MAC control'],
  [EtherType.ROCE_V1, 'RoCEv1'],
  [0x0806, 'ARP'],
  [0x8100, 'VLAN'],
  [0x8847, 'MPLS'],
  [0x8863, 'PPPoE discovery'],
  [0x8864, 'PPPoE'],
  [0x88e5, 'MACsec'],
  [0x88e7, 'provider backbone bridge (802.1ah)'],
  [0x6558, 'Ethernet'],
  [0x88be, 'ERSPAN'],
  [0x22eb, 'ERSPAN type III'],
  [0x22f3, 'TRILL'],
  [0x8809, 'slow protocols (LACP)'],
  [0x88cc, 'LLDP'],
  [0x88f7, 'PTP'],
]);
/** IPv4 protocols and IPv6 next headers. */
export const PROTOCOL_WORDS: ReadonlyMap<number, string> = new Map([
  [0, 'Hop-by-Hop Options'],
  [1, 'ICMP'],
  [2, 'IGMP'],
  [4, 'IPv4'],
  [6, 'TCP'],
  [17, 'UDP'],
  [27, 'InfiniBand transport'],
  [41, 'IPv6'],
  [43, 'Routing'],
  [44, 'Fragment'],
  [47, 'GRE'],
  [50, 'ESP'],
  [51, 'AH'],
  [58, 'ICMPv6'],
  [59, 'none'],
  [60, 'Destination Options'],
  [89, 'OSPF'],
  [97, 'EtherIP'],
  [132, 'SCTP'],
  [137, 'MPLS'],
  [143, 'Ethernet'],
]);

/** Names of known options. */
export const OPTION_WORDS = {
  ioam: 'IOAM',
  'fast-cnp-1': 'Fast CNP option 1',
  'fast-cnp-2': 'Fast CNP option 2',
} as const;

/** UDP ports of tunnels, and of other protocols common in RoCE networks. */
const PORT_WORDS: ReadonlyMap<number, string> = new Map([
  [53, 'DNS'],
  [67, 'DHCP'],
  [68, 'DHCP'],
  [319, 'PTP'],
  [320, 'PTP'],
  [2152, 'GTP-U'],
  [3784, 'BFD'],
  [GRE_UDP_PORT, 'GRE'],
  [VXLAN_PORT, 'VXLAN'],
  [VXLAN_GPE_PORT, 'VXLAN-GPE'],
  [UdpPort.ROCE_V2, 'RoCEv2'],
  [UET_PORT, 'Ultra Ethernet'],
  [UdpPort.MRC, 'MRC'],
  [5353, 'mDNS'],
  [GENEVE_PORT, 'GENEVE'],
  [6343, 'sFlow'],
  [MPLS_UDP_PORT, 'MPLS'],
  [VXLAN_LINUX_PORT, 'VXLAN'],
]);

/** Marks of an MRC SACK. */
const MARK_WORDS = ['none', 'skip once', 'always skip', 'reserved'];

/** Headers that Ultra Ethernet's packet delivery announces. */
const PDS_NEXT_HEADER_WORDS = [
  'none',
  'small request',
  'medium request',
  'standard request',
  'response',
  'response with data',
  'small response with data',
];

const U32_MAX = 0xffffffff;

/** A number's notation and name. */
interface NumberForm {
  readonly hexDigits?: number;
  readonly meaning?: (value: number) => string | undefined;
}

/** Notation of numeric fields, by name; fields not listed are decimal without a name. */
export const NUMBER_FORMS: Readonly<Record<string, NumberForm>> = {
  etherType: { hexDigits: 4, meaning: (value) => ETHER_TYPE_WORDS.get(value) },
  protocolType: { hexDigits: 4, meaning: (value) => ETHER_TYPE_WORDS.get(value) },
  tpid: { hexDigits: 4 },
  nextHeader: { meaning: (value) => PROTOCOL_WORDS.get(value) },
  protocol: { meaning: (value) => PROTOCOL_WORDS.get(value) },
  ecn: { meaning: (value) => ECN_WORDS[value] },
  flowLabel: { hexDigits: 5 },
  identification: { hexDigits: 4 },
  checksum: { hexDigits: 4 },
  destinationPort: { meaning: (value) => PORT_WORDS.get(value) },
  opcode: { hexDigits: 2, meaning: (value) => Opcode.nameOf(value) ?? MrcOpcode.nameOf(value) },
  pKey: { hexDigits: 4 },
  qKey: { hexDigits: 8 },
  rKey: { hexDigits: 8 },
  virtualAddress: { hexDigits: 16 },
  swapOrAdd: { hexDigits: 16 },
  compare: { hexDigits: 16 },
  original: { hexDigits: 16 },
  destQpn: { hexDigits: 6 },
  sourceQpn: { hexDigits: 6 },
  syndrome: { hexDigits: 2, meaning: Aeth.kind },
  immediateData: { hexDigits: 8 },
  icrc: { hexDigits: 8 },
  classEnableVector: { hexDigits: 4 },
  traceType: { hexDigits: 6 },
  entropy: { hexDigits: 8 },
  spdcid: { hexDigits: 4 },
  dpdcid: { hexDigits: 4 },
  bitmap: { hexDigits: 16 },
  portStatus: { hexDigits: 8 },
  probeId: { hexDigits: 4 },
  reason: { hexDigits: 2, meaning: Neth.reasonOf },
  mark: { meaning: (value) => MARK_WORDS[value] },
  pdsType: { meaning: UetType.nameOf },
  pdsNextHeader: { meaning: (value) => PDS_NEXT_HEADER_WORDS[value] },
  controlType: { meaning: UetControlType.nameOf },
  nackCode: { hexDigits: 2, meaning: uetNackName },
  sesOperation: { hexDigits: 2, meaning: UetOperation.nameOf },
  response: { meaning: uetResponseName },
  returnCode: { hexDigits: 2, meaning: uetReturnName },
  atomicOperation: { hexDigits: 2, meaning: uetAtomicName },
  atomicType: { hexDigits: 2, meaning: uetAtomicTypeName },
  matchBits: { hexDigits: 16 },
  memoryKey: { hexDigits: 16 },
  headerData: { hexDigits: 16 },
  uetEntropy: { hexDigits: 4 },
  secureDomain: { hexDigits: 6 },
  securitySource: { hexDigits: 8 },
  securityCounter: { hexDigits: 16 },
  probeOpaque: { hexDigits: 4 },
  ioamOptionType: { meaning: (value) => IoamOption.TYPE_NAMES[value] },
};

/** Rejection reasons in words. */
export const WHY_WORDS: Readonly<Record<keyof typeof WHY_NAMES, string>> = {
  none: '',
  'link-short': 'the frame ends inside the link header',
  'ip-short': 'the frame ends inside the IP header',
  'ip-version': 'the IP version does not match the link header',
  ihl: 'the IPv4 header length is impossible',
  'ip-length': 'the IP length does not fit the frame',
  'extension-length': 'an extension header reaches beyond the datagram',
  'option-length': 'an option reaches beyond its header',
  'udp-length': 'the UDP length does not fit the datagram',
  'bth-short': 'no room for BTH and ICRC',
  'aeth-short': 'an acknowledgement without AETH',
  'fast-cnp-option': 'the Fast CNP option fits neither form, or there are several',
  'extension-header': 'Annex A17 allows no extension headers (CA17-16)',
  'ipv4-fields': 'IPv4 options or flags against Annex A17 (CA17-3, CA17-7)',
  'unknown-option': 'an unknown option requires a discard',
  'qp-zero': 'destination QP 0 (CA17-33)',
  fragment: 'a fragment',
  opcode: 'a reserved opcode',
};

/** The field that announces an unread part, with its number. */
const FIELD_WORDS: Readonly<Record<UnreadField, (number: number) => string>> = {
  'ether-type': (number) => named(`EtherType 0x${number.toString(16).padStart(4, '0')}`, ETHER_TYPE_WORDS.get(number)),
  'ip-protocol': (number) => named(`IP protocol ${number}`, PROTOCOL_WORDS.get(number)),
  'udp-port': (number) => named(`UDP port ${number}`, PORT_WORDS.get(number)),
  llc: (number) => `802.2 LLC, DSAP 0x${number.toString(16).padStart(2, '0')}`,
  fragment: (number) => `fragments of ${PROTOCOL_WORDS.get(number) ?? `IP protocol ${number}`}`,
  routing: (number) => `packets after a Routing header of type ${number}`,
  link: (number) => `link header with an unknown type ${number}`,
  mpls: (number) => `MPLS payload that begins with 0x${number.toString(16).padStart(2, '0')}`,
};

/**
 * Describes an unread part: `EtherType 0x88cc (LLDP)`, `UDP port 53 (DNS)`.
 *
 * @param field of `Packet.unread`, or the kind of a layer, described by its title.
 * @param number value of the field; ignored for a layer.
 */
export function unreadWords(field: UnreadField | LayerKind, number: number): string {
  requireChoice('field', field,
    [...UNREAD_NAMES, ...LAYER_NAMES].filter((name) => name !== 'nothing' && name !== 'none'));
  requireField('number', number, U32_MAX);
  if (Object.hasOwn(FIELD_WORDS, field)) return FIELD_WORDS[field as UnreadField](number);
  return LAYERS[field as LayerKind].title;
}

/** The common name of a header that carries packets: `VXLAN`, `ERSPAN type II`, `IPv6`. */
export function tunnelWords(kind: LayerKind): string {
  requireChoice('kind', kind, LAYER_NAMES.slice(1));
  return TUNNEL_WORDS[kind] ?? LAYERS[kind].title;
}

function named(field: string, name: string | undefined): string {
  return name === undefined ? field : `${field} (${name})`;
}

/** A number in hexadecimal with at least this many digits. */
export function hex(value: number | bigint, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
