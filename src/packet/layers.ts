/**
 * Layers as values: for each kind the value object of its codec, and the pair of functions that read and write it.
 */
import { type Ipv4Fields, type Ipv4Header, buildIpv4, parseIpv4 } from '../wire/ip/ipv4.js';
import { type Ipv6Header, buildIpv6, parseIpv6 } from '../wire/ip/ipv6.js';
import { type FragmentHeader, buildFragmentHeader, parseFragmentHeader } from '../wire/ip/fragment-header.js';
import { type OptionsHeader, buildOptionsList, parseOptionsHeader } from '../wire/ip/options-header.js';
import { type RoutingHeader, buildRoutingHeader, parseRoutingHeader } from '../wire/ip/routing-header.js';
import { type SegmentRoutingHeader, buildSegmentRouting, parseSegmentRouting } from '../wire/ip/segment-routing.js';
import { type UdpHeader, buildUdp, parseUdp } from '../wire/ip/udp.js';
import { type Arn, buildArn, parseArn } from '../wire/arn/arn.js';
import { type RoceFcIcmp, buildRoceFcIcmp, parseRoceFcIcmp } from '../wire/discovery/roce-fc-icmp.js';
import { type EthernetHeader, buildEthernet, parseEthernet } from '../wire/link/ethernet.js';
import { type LinuxSll, buildLinuxSll, parseLinuxSll } from '../wire/link/linux-sll.js';
import { type LinuxSll2, buildLinuxSll2, parseLinuxSll2 } from '../wire/link/linux-sll2.js';
import { type Pause, buildPause, parsePause } from '../wire/link/pause.js';
import { type Pfc, buildPfc, parsePfc } from '../wire/link/pfc.js';
import { requireLength } from '../wire/bytes.js';
import { type Aeth, buildAeth, parseAeth } from '../wire/roce/aeth.js';
import { type AtomicAckEth, buildAtomicAckEth, parseAtomicAckEth } from '../wire/roce/atomic-ack-eth.js';
import { type AtomicEth, buildAtomicEth, parseAtomicEth } from '../wire/roce/atomic-eth.js';
import { type Bth, buildBth, parseBth } from '../wire/roce/bth.js';
import { type Deth, buildDeth, parseDeth } from '../wire/roce/deth.js';
import { type Grh, buildGrh, parseGrh } from '../wire/roce/grh.js';
import { ICRC_BYTES, readIcrc, writeIcrc } from '../wire/roce/icrc.js';
import { type Ieth, buildIeth, parseIeth } from '../wire/roce/ieth.js';
import { type ImmediateData, buildImmediateData, parseImmediateData } from '../wire/roce/immediate-data.js';
import { type Rdeth, buildRdeth, parseRdeth } from '../wire/roce/rdeth.js';
import { type Reth, buildReth, parseReth } from '../wire/roce/reth.js';
import { type Xrceth, buildXrceth, parseXrceth } from '../wire/roce/xrceth.js';
import type { LayerKind } from './layer-kinds.js';

/** Bytes that have no fields of their own. */
export interface Bytes {
  readonly bytes: Uint8Array;
}

/** The invariant CRC at the end of a RoCEv2 packet. */
export interface IcrcTrailer {
  /** 32 bits; on the wire least significant byte first. */
  readonly icrc: number;
}

/** The value object of each kind of layer. */
export interface LayerValues {
  readonly ethernet: EthernetHeader;
  readonly 'linux-sll': LinuxSll;
  readonly 'linux-sll2': LinuxSll2;
  readonly pause: Pause;
  readonly pfc: Pfc;
  readonly grh: Grh;
  readonly ipv4: Ipv4Header;
  readonly ipv6: Ipv6Header;
  readonly 'hop-by-hop': OptionsHeader;
  readonly 'destination-options': OptionsHeader;
  readonly routing: RoutingHeader;
  readonly 'segment-routing': SegmentRoutingHeader;
  readonly fragment: FragmentHeader;
  readonly udp: UdpHeader;
  readonly bth: Bth;
  readonly rdeth: Rdeth;
  readonly deth: Deth;
  readonly xrceth: Xrceth;
  readonly reth: Reth;
  readonly 'atomic-eth': AtomicEth;
  readonly aeth: Aeth;
  readonly 'atomic-ack-eth': AtomicAckEth;
  readonly immdt: ImmediateData;
  readonly ieth: Ieth;
  readonly 'cnp-reserved': Bytes;
  readonly payload: Bytes;
  readonly pad: Bytes;
  readonly icrc: IcrcTrailer;
  readonly trailer: Bytes;
  readonly undecoded: Bytes;
  readonly arn: Arn;
  readonly 'roce-fc-icmp': RoceFcIcmp;
}

interface LayerCodec<Value> {
  /** @throws RoceError `invalid-packet` when the bytes from `start` to `end` are no such layer. */
  readonly parse: (bytes: Uint8Array, start: number, end: number) => Value;
  /** @throws RoceError `invalid-argument` naming a field out of range. */
  readonly build: (value: Value) => Uint8Array;
}

/** Bytes as they are. */
const BYTES: LayerCodec<Bytes> = {
  parse: (bytes, start, end) => ({ bytes: bytes.slice(start, end) }),
  build: ({ bytes }) => {
    requireLength('bytes', bytes, bytes instanceof Uint8Array ? bytes.length : 0);
    return bytes;
  },
};

const ICRC: LayerCodec<IcrcTrailer> = {
  parse: (bytes, start) => ({ icrc: readIcrc(bytes, start) }),
  build: ({ icrc }) => {
    const bytes = new Uint8Array(ICRC_BYTES);
    writeIcrc(bytes, 0, icrc);
    return bytes;
  },
};

/** Messages take all bytes up to the end of their carrier. */
const ARN: LayerCodec<Arn> = {
  parse: (bytes, start, end) => parseArn(bytes.subarray(start, end)),
  build: (arn) => buildArn(arn),
};

const ROCE_FC_ICMP: LayerCodec<RoceFcIcmp> = {
  parse: (bytes, start, end) => parseRoceFcIcmp(bytes.subarray(start, end)),
  build: (message) => buildRoceFcIcmp(message),
};

/** The codec of each kind of layer. */
export const LAYER_CODECS: { readonly [Kind in LayerKind]: LayerCodec<LayerValues[Kind]> } = {
  ethernet: { parse: parseEthernet, build: buildEthernet },
  'linux-sll': { parse: parseLinuxSll, build: buildLinuxSll },
  'linux-sll2': { parse: parseLinuxSll2, build: buildLinuxSll2 },
  pause: { parse: parsePause, build: buildPause },
  pfc: { parse: parsePfc, build: buildPfc },
  grh: { parse: parseGrh, build: buildGrh },
  ipv4: { parse: parseIpv4, build: (header: Ipv4Fields) => buildIpv4(header) },
  ipv6: { parse: parseIpv6, build: buildIpv6 },
  'hop-by-hop': { parse: parseOptionsHeader, build: buildOptionsList },
  'destination-options': { parse: parseOptionsHeader, build: buildOptionsList },
  routing: { parse: parseRoutingHeader, build: buildRoutingHeader },
  'segment-routing': { parse: parseSegmentRouting, build: buildSegmentRouting },
  fragment: { parse: parseFragmentHeader, build: buildFragmentHeader },
  udp: { parse: parseUdp, build: buildUdp },
  bth: { parse: parseBth, build: buildBth },
  rdeth: { parse: parseRdeth, build: buildRdeth },
  deth: { parse: parseDeth, build: buildDeth },
  xrceth: { parse: parseXrceth, build: buildXrceth },
  reth: { parse: parseReth, build: buildReth },
  'atomic-eth': { parse: parseAtomicEth, build: buildAtomicEth },
  aeth: { parse: parseAeth, build: buildAeth },
  'atomic-ack-eth': { parse: parseAtomicAckEth, build: buildAtomicAckEth },
  immdt: { parse: parseImmediateData, build: buildImmediateData },
  ieth: { parse: parseIeth, build: buildIeth },
  'cnp-reserved': BYTES,
  payload: BYTES,
  pad: BYTES,
  icrc: ICRC,
  trailer: BYTES,
  undecoded: BYTES,
  arn: ARN,
  'roce-fc-icmp': ROCE_FC_ICMP,
};

/** One layer of a packet. */
export interface LayerOf<Kind extends LayerKind> {
  readonly kind: Kind;
  /** First byte, from the start of the frame. */
  readonly offset: number;
  readonly lenBytes: number;
  readonly value: LayerValues[Kind];
}

/** One layer of a packet, told apart by `kind`. */
export type Layer = { readonly [Kind in LayerKind]: LayerOf<Kind> }[LayerKind];
