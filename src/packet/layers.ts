/**
 * The table of layers. The entry of each kind has its title, the types of its fields, the functions that read and write it,
 * and how omitted fields follow from its neighbours. JSON, trees, defaults and types derive from it.
 */
import { FragmentHeader, RoutingHeader, Ipv6 } from '../wire/ip/ipv6.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { OptionsHeader } from '../wire/ip/ipv6-options.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import { Udp } from '../wire/ip/udp.js';
import { Arn, type ArnFields } from '../wire/arn/arn.js';
import { RoceFcIcmp } from '../wire/discovery/roce-fc.js';
import { Ethernet } from '../wire/link/ethernet.js';
import { Erf, LinuxSll, LinuxSll2, Loopback, Ppi } from '../wire/link/capture-headers.js';
import { Pause, Pfc } from '../wire/link/mac-control.js';
import { Arista, CiscoMetadata, ETag, Snap, Vlan, VnTag } from '../wire/link/tags.js';
import { Erspan2, Erspan3, MellanoxMirror } from '../wire/tunnel/erspan.js';
import { Geneve, Nsh, Vxlan } from '../wire/tunnel/overlays.js';
import { Gre } from '../wire/tunnel/gre.js';
import { ControlWord, Mpls } from '../wire/tunnel/mpls.js';
import { Aeth, AtomicAckEth, AtomicEth, Deth, Ieth, ImmediateData, Rdeth, Reth,
  Xrceth } from '../wire/roce/extended-headers.js';
import { Bth } from '../wire/roce/bth.js';
import { Cnp } from '../wire/roce/cnp.js';
import { Grh } from '../wire/roce/roce-v1.js';
import { Icrc } from '../wire/roce/icrc.js';
import type { FieldsOf } from '../wire/header/define-header.js';
import { type LayerCodec, BYTES, typedTail } from './layer-codec.js';
import type { LayerKind } from './layer-kinds.js';
import { type Neighbours, bytesBehind, etherTypeBefore, portBefore, protocolInIpv4,
  protocolInIpv6 } from './neighbours.js';
import { MRC_LAYERS, UET_LAYERS } from './multipath-layers.js';

/** The invariant CRC at the end of a RoCEv2 packet. */
export interface IcrcTrailer {
  /** 32 bits; least significant byte first on the wire. */
  readonly icrc: number;
}

/** UDP header in a stack: `'computed'` requests the correct checksum; the default is 0, as in RoCEv2 (Annex A17). */
export interface UdpSpec extends Partial<Omit<FieldsOf<typeof Udp>, 'checksum'>> {
  /** 0..65535; 0 = none (default); `computed`: over pseudo-header and payload (RFC 768). */
  readonly checksum?: number | 'computed';
}

/** The value of an omitted field: a constant, or computed from the neighbouring layers. */
type Follow = number | boolean | Uint8Array
  | ((neighbours: Neighbours, value: { readonly options?: Uint8Array }) => unknown);

interface LayerEntry {
  /** Name of the layer in trees. */
  readonly title: string;
  readonly codec: LayerCodec<object, never>;
  /** Fields that a stack may omit, in addition to those with a default in the codec. */
  readonly follows?: Readonly<Record<string, Follow>>;
}

const DEFAULT_HOP_LIMIT = 64;
/** First of the dynamic ports, where RoCEv2 senders begin (rdma-core, verbs.h). */
const DEFAULT_SOURCE_PORT = 0xc000;
const NO_BYTES: Uint8Array = new Uint8Array(0);
const CNP_RESERVED: Uint8Array = new Uint8Array(Cnp.RESERVED_BYTES);

/** Fields that are numbers. */
function numbers<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, 'number'>> {
  return Object.fromEntries(names.map((name) => [name, 'number'])) as Record<Name, 'number'>;
}

const OPTIONS: LayerCodec<OptionsHeader> = {
  forms: { nextHeader: 'number', options: 'options' },
  read: OptionsHeader.read,
  write: OptionsHeader.write,
};

/** Every kind of layer: its codec, and the fields that are computed from the neighbouring layers. */
export const LAYERS = {
  ethernet: {
    title: 'Ethernet II',
    codec: {
      forms: { destination: 'bytes', source: 'bytes', tags: 'list', etherType: 'number' },
      read: Ethernet.read,
      write: Ethernet.write,
    },
    follows: { tags: () => [], etherType: etherTypeBefore },
  },
  'linux-sll': { title: 'Linux cooked capture', codec: LinuxSll, follows: { protocolType: etherTypeBefore } },
  'linux-sll2': {
    title: 'Linux cooked capture, version 2',
    codec: LinuxSll2,
    follows: { protocolType: etherTypeBefore },
  },
  pause: { title: 'MAC control, PAUSE', codec: Pause },
  pfc: {
    title: 'MAC control, priority-based flow control',
    codec: { forms: { classEnableVector: 'number', pauseQuanta: 'list' }, read: Pfc.read, write: Pfc.write },
  },
  grh: { title: 'Global Route Header', codec: Grh, follows: { payloadLength: bytesBehind } },
  ipv4: {
    title: 'Internet Protocol version 4',
    codec: { forms: { ...Ipv4.forms, options: 'bytes' }, read: Ipv4.read, write: Ipv4.write },
    follows: {
      dscp: 0,
      ecn: 0,
      identification: 0,
      flags: Ipv4.FLAG_DF,
      fragmentOffset: 0,
      ttl: DEFAULT_HOP_LIMIT,
      options: NO_BYTES,
      totalLength: ({ restBytes }, { options = NO_BYTES }) => Ipv4.lenBytes + options.length + restBytes,
      protocol: protocolInIpv4,
    },
  },
  ipv6: {
    title: 'Internet Protocol version 6',
    codec: Ipv6,
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
    codec: { forms: { ...RoutingHeader.forms, data: 'bytes' }, read: RoutingHeader.read, write: RoutingHeader.write },
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
      read: SegmentRouting.read,
      write: SegmentRouting.write,
    },
    follows: { nextHeader: protocolInIpv6 },
  },
  fragment: { title: 'IPv6 Fragment header', codec: FragmentHeader, follows: { nextHeader: protocolInIpv6 } },
  udp: {
    title: 'User Datagram Protocol',
    codec: { forms: { ...Udp.forms, checksum: 'checksum' }, read: Udp.read, write: buildUdpSpec },
    follows: {
      sourcePort: DEFAULT_SOURCE_PORT,
      length: ({ restBytes }) => Udp.lenBytes + restBytes,
      destinationPort: portBefore,
    },
  },
  bth: { title: 'Base Transport Header', codec: Bth, follows: { padCount: ({ padBytes }) => padBytes } },
  rdeth: { title: 'Reliable Datagram Extended Transport Header', codec: Rdeth },
  deth: { title: 'Datagram Extended Transport Header', codec: Deth },
  xrceth: { title: 'XRC Extended Transport Header', codec: Xrceth },
  reth: { title: 'RDMA Extended Transport Header', codec: Reth },
  'atomic-eth': { title: 'Atomic Extended Transport Header', codec: AtomicEth },
  aeth: { title: 'ACK Extended Transport Header', codec: Aeth },
  'atomic-ack-eth': { title: 'Atomic ACK Extended Transport Header', codec: AtomicAckEth },
  immdt: { title: 'Immediate Data', codec: ImmediateData },
  ieth: { title: 'Invalidate Extended Transport Header', codec: Ieth },
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
      read: (bytes, start): IcrcTrailer => ({ icrc: Icrc.read(bytes, start) }),
      write: buildIcrc,
    },
    // Computed later, when the rest of the packet is complete.
    follows: { icrc: 0 },
  },
  trailer: { title: 'Trailer', codec: BYTES },
  undecoded: { title: 'Bytes that could not be decoded', codec: BYTES },
  // ARN messages extend to the end of the enclosing layer.
  arn: {
    title: 'Adaptive Routing Notification',
    codec: {
      forms: {
        ...numbers('type', 'version', 'reserved4', 'metric', 'pathId', 'priorityId', 'compressionTime'),
        flow: 'object',
      },
      read: (bytes, start, end): Arn => Arn.read(bytes.subarray(start, end)),
      write: (message: ArnFields) => Arn.write(message),
    },
  },
  'roce-fc-icmp': {
    title: 'ICMP, lossless discovery',
    codec: {
      forms: {
        ...numbers('type', 'code', 'checksum', 'idNumber', 'flags', 'outboundHopCount', 'returnHopCount'),
        data: 'bytes',
      },
      read: (bytes, start, end): RoceFcIcmp => RoceFcIcmp.read(bytes.subarray(start, end)),
      write: RoceFcIcmp.write,
    },
    // The ICMPv6 checksum covers the addresses.
    follows: { pseudoHeader: ({ pseudoHeader }) => (pseudoHeader?.version === 6 ? pseudoHeader : undefined) },
  },
  loopback: { title: 'BSD loopback', codec: Loopback },
  ppi: { title: 'Per-Packet Information', codec: Ppi },
  erf: { title: 'Endace ERF', codec: Erf },
  vlan: { title: 'VLAN tag', codec: Vlan, follows: { etherType: etherTypeBefore } },
  etag: { title: 'E-TAG (802.1BR)', codec: ETag, follows: { etherType: etherTypeBefore } },
  'vn-tag': { title: 'VN-tag', codec: VnTag, follows: { etherType: etherTypeBefore } },
  'cisco-metadata': {
    title: 'Cisco metadata',
    codec: typedTail(CiscoMetadata, 'ciscoMetadata'),
    follows: { metadataVersion: 1, etherType: etherTypeBefore },
  },
  arista: {
    title: 'Arista timestamp',
    codec: typedTail(Arista, 'arista'),
    follows: { subtype: 1, etherType: etherTypeBefore },
  },
  snap: { title: 'LLC with SNAP', codec: Snap, follows: { etherType: etherTypeBefore } },
  mpls: { title: 'MPLS label', codec: Mpls, follows: { bottomOfStack: ({ next }) => next !== 'mpls' } },
  'control-word': { title: 'Pseudowire control word', codec: ControlWord },
  vxlan: { title: 'VXLAN', codec: Vxlan },
  geneve: { title: 'GENEVE', codec: Geneve, follows: { protocolType: etherTypeBefore } },
  nsh: { title: 'Network Service Header', codec: Nsh },
  gre: {
    title: 'Generic Routing Encapsulation',
    codec: {
      forms: numbers('flags', 'protocolType', 'checksum', 'reserved16', 'key', 'sequenceNumber'),
      read: Gre.read,
      write: Gre.write,
    },
    follows: { flags: 0, protocolType: etherTypeBefore },
  },
  'erspan-2': { title: 'ERSPAN type II', codec: Erspan2 },
  'erspan-3': { title: 'ERSPAN type III', codec: Erspan3 },
  'mellanox-mirror': { title: 'Mellanox mirror header', codec: MellanoxMirror },
  ...MRC_LAYERS,
  ...UET_LAYERS,
} as const satisfies Readonly<Record<LayerKind, LayerEntry>>;

type Entries = typeof LAYERS;

/** The value object of each kind of layer. */
export type LayerValues = { readonly [Kind in LayerKind]: ReturnType<Entries[Kind]['codec']['read']> };

type WriteFields<Kind extends LayerKind> = Parameters<Entries[Kind]['codec']['write']>[0];
type Followed<Kind extends LayerKind> = Entries[Kind] extends { readonly follows: infer Follows } ? keyof Follows :
  never;

/** The value of each kind of layer in a stack: fields that can be computed from other layers may be omitted. */
export type LayerSpecValues = {
  readonly [Kind in LayerKind]: Omit<WriteFields<Kind>, Followed<Kind>> & Partial<WriteFields<Kind>>;
};

/** The same entries, typed so that the compiler checks that their forms name every field. */
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
  /** Its length in bytes, without its payload. */
  readonly lenBytes: number;
  /** Its fields, copied. */
  readonly value: LayerValues[Kind];
}

/** One layer of a packet, distinguished by `kind`. */
export type Layer = { readonly [Kind in LayerKind]: LayerOf<Kind> }[LayerKind];

/** One layer of a stack. `value` may be omitted if all of its fields have defaults. */
export type LayerSpec = {
  readonly [Kind in LayerKind]: {
    /** Kind of layer, one of `LAYER_NAMES`. */
    readonly kind: Kind;
    /** Its fields; those that can be computed from other layers may be omitted. */
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

/** A checksum to be computed is 0 until the rest of the packet is complete. */
function buildUdpSpec(
  { checksum = 0, ...header }: UdpSpec & Pick<FieldsOf<typeof Udp>, 'sourcePort' | 'length'>,
): Uint8Array {
  return Udp.write({ ...header, checksum: checksum === 'computed' ? 0 : checksum });
}

function buildIcrc({ icrc }: IcrcTrailer): Uint8Array {
  const bytes = new Uint8Array(Icrc.lenBytes);
  Icrc.write(bytes, 0, icrc);
  return bytes;
}
