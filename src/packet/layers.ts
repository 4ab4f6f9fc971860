/**
 * The table of layers. The entry of each kind has its title, the types of its fields, the functions that read and write it,
 * and how omitted fields follow from its neighbours. JSON, trees, defaults and types derive from it.
 */
import { FRAGMENT } from '../wire/ip/fragment-header.js';
import { IPV4, IPV4_BYTES, IPV4_FLAG_DF, buildIpv4, parseIpv4 } from '../wire/ip/ipv4.js';
import { IPV6 } from '../wire/ip/ipv6.js';
import { type OptionsHeader, buildOptionsList, parseOptionsHeader } from '../wire/ip/options-header.js';
import { ROUTING, buildRoutingHeader, parseRoutingHeader } from '../wire/ip/routing-header.js';
import { buildSegmentRouting, parseSegmentRouting } from '../wire/ip/segment-routing.js';
import { type UdpFields, UDP, UDP_BYTES, buildUdp, parseUdp } from '../wire/ip/udp.js';
import { type Arn, type ArnFields, buildArn, parseArn } from '../wire/arn/arn.js';
import { type RoceFcIcmp, buildRoceFcIcmp, parseRoceFcIcmp } from '../wire/discovery/roce-fc-icmp.js';
import { buildEthernet, parseEthernet } from '../wire/link/ethernet.js';
import { SLL } from '../wire/link/linux-sll.js';
import { SLL2 } from '../wire/link/linux-sll2.js';
import { PAUSE } from '../wire/link/pause.js';
import { buildPfc, parsePfc } from '../wire/link/pfc.js';
import { ERF } from '../wire/link/erf.js';
import { LOOPBACK } from '../wire/link/loopback.js';
import { PPI } from '../wire/link/ppi.js';
import { ARISTA, CISCO_METADATA, ETAG, SNAP, VLAN, VN_TAG } from '../wire/link/tags.js';
import { ERSPAN_2, ERSPAN_3, MELLANOX_MIRROR } from '../wire/tunnel/erspan.js';
import { GENEVE } from '../wire/tunnel/geneve.js';
import { buildGre, parseGre } from '../wire/tunnel/gre.js';
import { CONTROL_WORD, MPLS } from '../wire/tunnel/mpls.js';
import { NSH } from '../wire/tunnel/nsh.js';
import { VXLAN } from '../wire/tunnel/vxlan.js';
import { AETH } from '../wire/roce/aeth.js';
import { ATOMIC_ACK_ETH } from '../wire/roce/atomic-ack-eth.js';
import { ATOMIC_ETH } from '../wire/roce/atomic-eth.js';
import { BTH } from '../wire/roce/bth.js';
import { CNP_RESERVED_BYTES } from '../wire/roce/cnp.js';
import { DETH } from '../wire/roce/deth.js';
import { GRH } from '../wire/roce/grh.js';
import { ICRC_BYTES, readIcrc, writeIcrc } from '../wire/roce/icrc.js';
import { IETH } from '../wire/roce/ieth.js';
import { IMMEDIATE_DATA } from '../wire/roce/immediate-data.js';
import { RDETH } from '../wire/roce/rdeth.js';
import { RETH } from '../wire/roce/reth.js';
import { XRCETH } from '../wire/roce/xrceth.js';
import type { LayerCodec } from './layer-codec.js';
import type { LayerKind } from './layer-kinds.js';
import { type Neighbours, bytesBehind, etherTypeBefore, portBefore, protocolInIpv4,
  protocolInIpv6 } from './neighbours.js';
import { MRC_LAYERS } from './mrc-layers.js';
import { BYTES } from './plain-bytes.js';
import { typedTail } from './typed-tail.js';

/** The invariant CRC at the end of a RoCEv2 packet. */
export interface IcrcTrailer {
  /** 32 bits; on the wire least significant byte first. */
  readonly icrc: number;
}

/** UDP as users write it: `'computed'` requests the correct checksum; the default is 0, as in RoCEv2 (Annex A17). */
export interface UdpSpec extends Partial<Omit<UdpFields, 'checksum'>> {
  /** 0..65535, 0 = none (default), or `computed`: over pseudo-header and payload (RFC 768). */
  readonly checksum?: number | 'computed';
}

/** The value of an omitted field: a default, or one that follows from the layers around it. */
type Follow = number | boolean | Uint8Array
  | ((neighbours: Neighbours, value: { readonly options?: Uint8Array }) => unknown);

interface LayerEntry {
  /** Title in trees. */
  readonly title: string;
  readonly codec: LayerCodec<object, never>;
  /** Fields that a stack may omit, in addition to those with a default in the codec. */
  readonly follows?: Readonly<Record<string, Follow>>;
}

const DEFAULT_HOP_LIMIT = 64;
/** First of the dynamic ports, where RoCEv2 senders begin (rdma-core, verbs.h). */
const DEFAULT_SOURCE_PORT = 0xc000;
const NO_BYTES: Uint8Array = new Uint8Array(0);
const CNP_RESERVED: Uint8Array = new Uint8Array(CNP_RESERVED_BYTES);

/** Fields that are numbers. */
function numbers<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, 'number'>> {
  return Object.fromEntries(names.map((name) => [name, 'number'])) as Record<Name, 'number'>;
}

const OPTIONS: LayerCodec<OptionsHeader> = {
  forms: { nextHeader: 'number', options: 'options' },
  parse: parseOptionsHeader,
  build: buildOptionsList,
};

/** Every kind of layer: its codec, and the fields that follow from the layers around it. */
export const LAYERS = {
  ethernet: {
    title: 'Ethernet II',
    codec: {
      forms: { destination: 'bytes', source: 'bytes', tags: 'list', etherType: 'number' },
      parse: parseEthernet,
      build: buildEthernet,
    },
    follows: { tags: () => [], etherType: etherTypeBefore },
  },
  'linux-sll': { title: 'Linux cooked capture', codec: SLL, follows: { protocolType: etherTypeBefore } },
  'linux-sll2': { title: 'Linux cooked capture, version 2', codec: SLL2, follows: { protocolType: etherTypeBefore } },
  pause: { title: 'MAC control, PAUSE', codec: PAUSE },
  pfc: {
    title: 'MAC control, priority-based flow control',
    codec: { forms: { classEnableVector: 'number', pauseQuanta: 'list' }, parse: parsePfc, build: buildPfc },
  },
  grh: { title: 'Global Route Header', codec: GRH, follows: { payloadLength: bytesBehind } },
  ipv4: {
    title: 'Internet Protocol version 4',
    codec: { forms: { ...IPV4.forms, options: 'bytes' }, parse: parseIpv4, build: buildIpv4 },
    follows: {
      dscp: 0,
      ecn: 0,
      identification: 0,
      flags: IPV4_FLAG_DF,
      fragmentOffset: 0,
      ttl: DEFAULT_HOP_LIMIT,
      options: NO_BYTES,
      totalLength: ({ restBytes }, { options = NO_BYTES }) => IPV4_BYTES + options.length + restBytes,
      protocol: protocolInIpv4,
    },
  },
  ipv6: {
    title: 'Internet Protocol version 6',
    codec: IPV6,
    follows: {
      dscp: 0,
      ecn: 0,
      flowLabel: 0,
      hopLimit: DEFAULT_HOP_LIMIT,
      payloadLength: bytesBehind,
      nextHeader: protocolInIpv6,
    },
  },
  'hop-by-hop': { title: 'IPv6 Hop-by-Hop Options', codec: OPTIONS, follows: { nextHeader: protocolInIpv6 } },
  'destination-options': { title: 'IPv6 Destination Options', codec: OPTIONS, follows: { nextHeader: protocolInIpv6 } },
  routing: {
    title: 'IPv6 Routing header',
    codec: { forms: { ...ROUTING.forms, data: 'bytes' }, parse: parseRoutingHeader, build: buildRoutingHeader },
    follows: { nextHeader: protocolInIpv6 },
  },
  'segment-routing': {
    title: 'IPv6 Segment Routing header',
    codec: {
      forms: {
        ...numbers('nextHeader', 'headerExtLen', 'segmentsLeft', 'lastEntry', 'flags', 'tag'),
        segments: 'list',
        tlvs: 'bytes',
      },
      parse: parseSegmentRouting,
      build: buildSegmentRouting,
    },
    follows: { nextHeader: protocolInIpv6 },
  },
  fragment: { title: 'IPv6 Fragment header', codec: FRAGMENT, follows: { nextHeader: protocolInIpv6 } },
  udp: {
    title: 'User Datagram Protocol',
    codec: { forms: { ...UDP.forms, checksum: 'checksum' }, parse: parseUdp, build: buildUdpSpec },
    follows: {
      sourcePort: DEFAULT_SOURCE_PORT,
      length: ({ restBytes }) => UDP_BYTES + restBytes,
      destinationPort: portBefore,
    },
  },
  bth: { title: 'Base Transport Header', codec: BTH, follows: { padCount: ({ padBytes }) => padBytes } },
  rdeth: { title: 'Reliable Datagram Extended Transport Header', codec: RDETH },
  deth: { title: 'Datagram Extended Transport Header', codec: DETH },
  xrceth: { title: 'XRC Extended Transport Header', codec: XRCETH },
  reth: { title: 'RDMA Extended Transport Header', codec: RETH },
  'atomic-eth': { title: 'Atomic Extended Transport Header', codec: ATOMIC_ETH },
  aeth: { title: 'ACK Extended Transport Header', codec: AETH },
  'atomic-ack-eth': { title: 'Atomic ACK Extended Transport Header', codec: ATOMIC_ACK_ETH },
  immdt: { title: 'Immediate Data', codec: IMMEDIATE_DATA },
  ieth: { title: 'Invalidate Extended Transport Header', codec: IETH },
  'cnp-reserved': {
    title: 'CNP, reserved bytes',
    codec: BYTES,
    follows: { bytes: CNP_RESERVED },
  },
  payload: { title: 'Payload', codec: BYTES },
  pad: { title: 'Pad bytes', codec: BYTES },
  icrc: {
    title: 'Invariant CRC',
    codec: {
      forms: { icrc: 'number' },
      parse: (bytes, start): IcrcTrailer => ({ icrc: readIcrc(bytes, start) }),
      build: buildIcrc,
    },
    // Overwritten once the rest of the packet is complete.
    follows: { icrc: 0 },
  },
  trailer: { title: 'Trailer', codec: BYTES },
  undecoded: { title: 'Bytes that could not be decoded', codec: BYTES },
  // Messages extend to the end of their carrier.
  arn: {
    title: 'Adaptive Routing Notification',
    codec: {
      forms: {
        ...numbers('type', 'version', 'reserved4', 'metric', 'pathId', 'priorityId', 'compressionTime'),
        flow: 'object',
      },
      parse: (bytes, start, end): Arn => parseArn(bytes.subarray(start, end)),
      build: (message: ArnFields) => buildArn(message),
    },
  },
  'roce-fc-icmp': {
    title: 'ICMP, lossless discovery',
    codec: {
      forms: {
        ...numbers('type', 'code', 'checksum', 'idNumber', 'flags', 'outboundHopCount', 'returnHopCount'),
        data: 'bytes',
      },
      parse: (bytes, start, end): RoceFcIcmp => parseRoceFcIcmp(bytes.subarray(start, end)),
      build: buildRoceFcIcmp,
    },
    // The ICMPv6 checksum covers the addresses.
    follows: { pseudoHeader: ({ pseudoHeader }) => (pseudoHeader?.version === 6 ? pseudoHeader : undefined) },
  },
  loopback: { title: 'BSD loopback', codec: LOOPBACK },
  ppi: { title: 'Per-Packet Information', codec: PPI },
  erf: { title: 'Endace ERF', codec: ERF },
  vlan: { title: 'VLAN tag', codec: VLAN, follows: { etherType: etherTypeBefore } },
  etag: { title: 'E-TAG (802.1BR)', codec: ETAG, follows: { etherType: etherTypeBefore } },
  'vn-tag': { title: 'VN-tag', codec: VN_TAG, follows: { etherType: etherTypeBefore } },
  'cisco-metadata': {
    title: 'Cisco metadata',
    codec: typedTail(CISCO_METADATA, 'ciscoMetadata'),
    follows: { metadataVersion: 1, etherType: etherTypeBefore },
  },
  arista: {
    title: 'Arista timestamp',
    codec: typedTail(ARISTA, 'arista'),
    follows: { subtype: 1, etherType: etherTypeBefore },
  },
  snap: { title: 'LLC with SNAP', codec: SNAP, follows: { etherType: etherTypeBefore } },
  mpls: { title: 'MPLS label', codec: MPLS, follows: { bottomOfStack: ({ next }) => next !== 'mpls' } },
  'control-word': { title: 'Pseudowire control word', codec: CONTROL_WORD },
  vxlan: { title: 'VXLAN', codec: VXLAN },
  geneve: { title: 'GENEVE', codec: GENEVE, follows: { protocolType: etherTypeBefore } },
  nsh: { title: 'Network Service Header', codec: NSH },
  gre: {
    title: 'Generic Routing Encapsulation',
    codec: {
      forms: numbers('flags', 'protocolType', 'checksum', 'reserved16', 'key', 'sequenceNumber'),
      parse: parseGre,
      build: buildGre,
    },
    follows: { flags: 0, protocolType: etherTypeBefore },
  },
  'erspan-2': { title: 'ERSPAN type II', codec: ERSPAN_2 },
  'erspan-3': { title: 'ERSPAN type III', codec: ERSPAN_3 },
  'mellanox-mirror': { title: 'Mellanox mirror header', codec: MELLANOX_MIRROR },
  ...MRC_LAYERS,
} as const satisfies Readonly<Record<LayerKind, LayerEntry>>;

type Entries = typeof LAYERS;

/** The value object of each kind of layer. */
export type LayerValues = { readonly [Kind in LayerKind]: ReturnType<Entries[Kind]['codec']['parse']> };

type BuildFields<Kind extends LayerKind> = Parameters<Entries[Kind]['codec']['build']>[0];
type Followed<Kind extends LayerKind> = Entries[Kind] extends { readonly follows: infer Follows } ? keyof Follows :
  never;

/** The value of each kind of layer as users write it: fields that follow from the other layers may be left out. */
export type LayerSpecValues = {
  readonly [Kind in LayerKind]: Omit<BuildFields<Kind>, Followed<Kind>> & Partial<BuildFields<Kind>>;
};

/** The same entries; here the compiler checks that their forms name every field. */
const ENTRIES: { readonly [Kind in LayerKind]: LayerEntry & { readonly codec: LayerCodec<LayerValues[Kind]> } } =
  LAYERS;

/** The codec of each kind of layer. */
export type LayerCodecs = { readonly [Kind in LayerKind]: LayerCodec<LayerValues[Kind]> };

/** The codec of each kind of layer. */
export const LAYER_CODECS: LayerCodecs = Object.fromEntries(
  Object.entries(ENTRIES).map(([kind, { codec }]) => [kind, codec]),
) as unknown as LayerCodecs;

/** One layer of a packet. */
export interface LayerOf<Kind extends LayerKind> {
  /** Kind of layer, one of `LAYER_NAMES`. */
  readonly kind: Kind;
  /** First byte, from the start of the frame. */
  readonly offset: number;
  /** Its length, without its payload, bytes. */
  readonly lenBytes: number;
  /** Its fields, copied. */
  readonly value: LayerValues[Kind];
}

/** One layer of a packet, distinguished by `kind`. */
export type Layer = { readonly [Kind in LayerKind]: LayerOf<Kind> }[LayerKind];

/** One layer of a stack. `value` may be left out if all of its fields have defaults. */
export type LayerSpec = {
  readonly [Kind in LayerKind]: {
    /** Kind of layer, one of `LAYER_NAMES`. */
    readonly kind: Kind;
    /** Its fields; those that follow from the other layers may be left out. */
    readonly value?: LayerSpecValues[Kind];
  };
}[LayerKind];

/** @returns the value with all fields that its codec needs. */
export function fillLayer({ kind, value = {} }: LayerSpec, neighbours: Neighbours): unknown {
  const { follows = {} } = ENTRIES[kind];
  const filled: Record<string, unknown> = { ...value };
  for (const [field, follow] of Object.entries(follows)) {
    filled[field] ??= typeof follow === 'function' ? follow(neighbours, value as { options?: Uint8Array }) : follow;
  }
  return filled;
}

/** A checksum to compute is 0 until the rest of the packet is complete. */
function buildUdpSpec({ checksum = 0, ...header }: UdpSpec & Pick<UdpFields, 'sourcePort' | 'length'>): Uint8Array {
  return buildUdp({ ...header, checksum: checksum === 'computed' ? 0 : checksum });
}

function buildIcrc({ icrc }: IcrcTrailer): Uint8Array {
  const bytes = new Uint8Array(ICRC_BYTES);
  writeIcrc(bytes, 0, icrc);
  return bytes;
}
