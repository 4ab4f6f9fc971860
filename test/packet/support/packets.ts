/** One well-formed packet for each path through the dissector, as stacks without any optional field. */
import { completeStack, type DissectOptions, type LayerSpec } from '../../../src/packet/index.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { type AlignedOption, OptionsHeader } from '../../../src/wire/ip/ipv6-options.js';
import { fromHex } from '../../wire/support/hex.js';

export const HOST_A = parseIpAddress('2001:db8::a');
export const HOST_B = parseIpAddress('2001:db8::b');
export const SWITCH = parseIpAddress('2001:db8:ffff::1');
export const QUAD_A = parseIpAddress('10.0.0.1');
export const QUAD_B = parseIpAddress('10.0.0.2');
export const MACS = { source: fromHex('020000000001'), destination: fromHex('020000000002') };
export const ARN_PORT = 4788;

export const ETHERNET: LayerSpec = { kind: 'ethernet', value: MACS };
export const V6: LayerSpec = { kind: 'ipv6', value: { source: HOST_A, destination: HOST_B, dscp: 26, ecn: 2 } };
export const V4: LayerSpec = { kind: 'ipv4', value: { source: QUAD_A, destination: QUAD_B, dscp: 26, ecn: 2 } };
export const UDP: LayerSpec = { kind: 'udp' };
export const bth = (opcode: number): LayerSpec => ({ kind: 'bth', value: { opcode, destQpn: 0x118, psn: 7 } });
export const bytes = (length: number, value = 0xa5): Uint8Array => new Uint8Array(length).fill(value);
export const payload = (length: number): LayerSpec => ({ kind: 'payload', value: { bytes: bytes(length) } });
export const destinationOptions = (...options: AlignedOption[]): LayerSpec => ({
  kind: 'destination-options',
  value: { options: OptionsHeader.layOut(options) },
});
export const hopByHop = (...options: AlignedOption[]): LayerSpec => ({
  kind: 'hop-by-hop',
  value: { options: OptionsHeader.layOut(options) },
});

export const OPTION_1: AlignedOption = { type: 0x9e, data: HOST_B, align: { x: 8, y: 6 } };
/** Reserved, IOAM Option-Type 0, namespace 1, two words for each node, hop limit with node id, and queue depth; one node. */
const TRACE = fromHex('0000 0001 1000 820000 00 3f000007 00000400');
export const OPTION_2: AlignedOption = {
  type: 0x9e,
  data: Uint8Array.from([...TRACE, ...HOST_B]),
  align: { x: 4, y: 0 },
};
export const IOAM: AlignedOption = { type: 0x31, data: TRACE, align: { x: 4, y: 0 } };

const SLL: LayerSpec = {
  kind: 'linux-sll',
  value: { packetType: 0, arphrdType: 1, addressLength: 6, address: fromHex('0200000000010000') },
};
const SLL2: LayerSpec = {
  kind: 'linux-sll2',
  value: { interfaceIndex: 3, arphrdType: 1, packetType: 4, addressLength: 6, address: fromHex('0200000000010000') },
};
const AETH: LayerSpec = { kind: 'aeth', value: { syndrome: 0x1f, msn: 3 } };
const NAK: LayerSpec = { kind: 'aeth', value: { syndrome: 0x60, msn: 3 } };
const RETH: LayerSpec = { kind: 'reth', value: { virtualAddress: 0x1000n, rKey: 5, dmaLength: 8 } };
const DETH: LayerSpec = { kind: 'deth', value: { qKey: 1, sourceQpn: 2 } };
const RDETH: LayerSpec = { kind: 'rdeth', value: { eeContext: 6 } };
const ATOMIC: LayerSpec = {
  kind: 'atomic-eth',
  value: { virtualAddress: 0x2000n, rKey: 5, swapOrAdd: 1n, compare: 2n ** 64n - 1n },
};
const IMMEDIATE: LayerSpec = { kind: 'immdt', value: { immediateData: 9 } };
const discovery: LayerSpec = {
  kind: 'roce-fc-icmp',
  value: { code: 2, idNumber: 77, flags: 0, outboundHopCount: 3, returnHopCount: 3, data: fromHex('0102') },
};
const tag = (tpid: number, vlanId: number) => ({ tpid, priority: 3, dropEligible: false, vlanId });

export interface SamplePacket {
  readonly stack: readonly LayerSpec[];
  readonly options?: DissectOptions;
}

/** Samples by the names in test titles. */
export const SAMPLES: Readonly<Record<string, SamplePacket>> = {
  'RC RDMA WRITE only': { stack: [ETHERNET, V6, UDP, bth(0x0a), RETH, payload(7)] },
  'RC RDMA READ request': { stack: [ETHERNET, V4, UDP, bth(0x0c), RETH] },
  'RC ACKNOWLEDGE': { stack: [ETHERNET, V6, UDP, bth(0x11), AETH] },
  'RC NAK': { stack: [ETHERNET, V4, UDP, bth(0x11), NAK] },
  'RC ATOMIC ACKNOWLEDGE': {
    stack: [ETHERNET, V6, UDP, bth(0x12), AETH, { kind: 'atomic-ack-eth', value: { original: 1n } }],
  },
  'RC ATOMIC compare and swap': { stack: [ETHERNET, V6, UDP, bth(0x13), ATOMIC] },
  'RC SEND only with invalidate': {
    stack: [ETHERNET, V6, UDP, bth(0x17), { kind: 'ieth', value: { rKey: 5 } }, payload(4)],
  },
  'UD SEND only with immediate': { stack: [ETHERNET, V4, UDP, bth(0x65), DETH, IMMEDIATE, payload(5)] },
  'RD RDMA WRITE only': { stack: [ETHERNET, V6, UDP, bth(0x4a), RDETH, DETH, RETH, payload(4)] },
  'XRC SEND only': {
    stack: [ETHERNET, V6, UDP, bth(0xa4), { kind: 'xrceth', value: { sharedReceiveQueue: 8 } }, payload(4)],
  },
  'RC SEND only behind two VLAN tags': {
    stack: [
      { kind: 'ethernet', value: { ...MACS, tags: [tag(0x88a8, 5), tag(0x8100, 7)] } },
      V4,
      UDP,
      bth(0x04),
      payload(4),
    ],
  },
  'RC SEND only behind IPv4 options': {
    stack: [
      ETHERNET,
      { kind: 'ipv4', value: { source: QUAD_A, destination: QUAD_B, options: bytes(8, 1) } },
      UDP,
      bth(0x04),
      payload(4),
    ],
  },
  CNP: { stack: [ETHERNET, V6, UDP, bth(0x81)] },
  'CNP over raw IP': { stack: [V4, UDP, bth(0x81)], options: { linkType: 101 } },
  'CNP over IPv4 alone': { stack: [V4, UDP, bth(0x81)], options: { linkType: 228 } },
  'CNP over IPv6 alone': { stack: [V6, UDP, bth(0x81)], options: { linkType: 229 } },
  'CNP in a cooked capture': { stack: [SLL, V4, UDP, bth(0x81)], options: { linkType: 113 } },
  'CNP in a cooked capture of version 2': { stack: [SLL2, V6, UDP, bth(0x81)], options: { linkType: 276 } },
  'Fast CNP, option 1': {
    stack: [
      ETHERNET,
      { kind: 'ipv6', value: { source: SWITCH, destination: HOST_A } },
      destinationOptions(OPTION_1),
      UDP,
      bth(0x81),
    ],
  },
  'Fast CNP, option 2': {
    stack: [
      ETHERNET,
      { kind: 'ipv6', value: { source: SWITCH, destination: HOST_A } },
      destinationOptions(OPTION_2),
      UDP,
      bth(0x81),
    ],
  },
  'data with an IOAM trace': { stack: [ETHERNET, V6, hopByHop(IOAM), UDP, bth(0x04), payload(4)] },
  'IPv6 in SRv6': {
    stack: [
      ETHERNET,
      { kind: 'ipv6', value: { source: SWITCH, destination: HOST_B } },
      { kind: 'segment-routing', value: { segments: [HOST_B, SWITCH] } },
      V6,
      UDP,
      bth(0x04),
      payload(4),
    ],
  },
  'IPv4 in IPv6': {
    stack: [ETHERNET, { kind: 'ipv6', value: { source: SWITCH, destination: HOST_B } }, V4, UDP, bth(0x81)],
  },
  'another routing header': {
    stack: [
      ETHERNET,
      V6,
      { kind: 'routing', value: { routingType: 2, segmentsLeft: 1, data: bytes(20, 0) } },
      UDP,
      bth(0x81),
    ],
  },
  'first IPv6 fragment': {
    stack: [ETHERNET, V6, { kind: 'fragment', value: { fragmentOffset: 0, moreFragments: true, identification: 9 } }, {
      kind: 'udp',
      value: { destinationPort: 4791 },
    }, payload(24)],
  },
  'later IPv6 fragment': {
    stack: [ETHERNET, V6, {
      kind: 'fragment',
      value: { fragmentOffset: 185, moreFragments: false, identification: 9, nextHeader: 17 },
    }, payload(24)],
  },
  'later IPv4 fragment': {
    stack: [ETHERNET, {
      kind: 'ipv4',
      value: { source: QUAD_A, destination: QUAD_B, fragmentOffset: 185, flags: 0, protocol: 17 },
    }, payload(24)],
  },
  RoCEv1: {
    stack: [ETHERNET, { kind: 'grh', value: { sourceGid: HOST_A, destinationGid: HOST_B } }, bth(0x04), payload(4), {
      kind: 'icrc',
      value: { icrc: 0x11223344 },
    }],
  },
  PFC: {
    stack: [ETHERNET, { kind: 'pfc', value: { classEnableVector: 0x18, pauseQuanta: [0, 0, 0, 65535, 0, 0, 0, 0] } }, {
      kind: 'trailer',
      value: { bytes: bytes(26, 0) },
    }],
  },
  PAUSE: {
    stack: [ETHERNET, { kind: 'pause', value: { pauseQuanta: 512 } }, {
      kind: 'trailer',
      value: { bytes: bytes(42, 0) },
    }],
  },
  ARN: {
    stack: [ETHERNET, V4, { kind: 'udp', value: { destinationPort: ARN_PORT } }, {
      kind: 'arn',
      value: {
        type: 1,
        metric: 9,
        flow: { source: QUAD_A, destination: QUAD_B, protocol: 17, sourcePort: 50000, destinationPort: 4791 },
        priorityId: 3,
        compressionTime: 50,
      },
    }],
    options: { arnPort: ARN_PORT },
  },
  'lossless discovery over IPv4': { stack: [ETHERNET, V4, discovery] },
  'lossless discovery over IPv6': { stack: [ETHERNET, V6, discovery] },
  'other UDP': {
    stack: [ETHERNET, V4, { kind: 'udp', value: { sourcePort: 40000, destinationPort: 53 } }, payload(12)],
  },
  TCP: {
    stack: [ETHERNET, { kind: 'ipv6', value: { source: HOST_A, destination: HOST_B, nextHeader: 6 } }, payload(20)],
  },
  LLDP: { stack: [{ kind: 'ethernet', value: { ...MACS, etherType: 0x88cc } }, payload(46)] },
};

export const SAMPLE_NAMES: readonly string[] = Object.keys(SAMPLES);

/** The sample's stack, completed if it is a RoCEv2 packet; the others are complete. */
export function completeSample(name: string): readonly LayerSpec[] {
  return completeStack(SAMPLES[name]!.stack);
}
