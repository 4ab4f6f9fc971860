/** Random stacks of layers: each is a packet that a dissection recovers, layer by layer and value by value. */
import fc from 'fast-check';
import type { LayerKind, LayerSpec } from '../../../src/packet/index.js';
import { OptionsHeader } from '../../../src/wire/ip/ipv6-options.js';
import { type MrcHeaderKind, MrcOpcode } from '../../../src/wire/mrc/bth.js';
import { Bth, type ExtendedHeaderKind, Opcode } from '../../../src/wire/roce/bth.js';
import { ARN_PORT } from './packets.js';
import { otherLink, tagged, tunnelled } from './random-carriers.js';
import { UET_PROTOCOL, nativeUetPacket, uetPacket } from './random-uet-stacks.js';

export interface RandomStack {
  readonly linkType: number;
  readonly stack: readonly LayerSpec[];
}

const LINK_LAYERS = { 1: 'ethernet', 113: 'linux-sll', 276: 'linux-sll2' } as const;
const KNOWN_PROTOCOLS = [0, 1, 4, 17, 41, 43, 44, 47, 58, 60, 137, 143, UET_PROTOCOL];
/** Types that a random EtherType must not have: TPIDs, and those that select another layer. */
const KNOWN_ETHER_TYPES = [
  ...[0x8100, 0x88a8, 0x9100, 0x0800, 0x86dd, 0x8808, 0x8915],
  ...[0x8847, 0x8848, 0x894f, 0x6558, 0x893f, 0x8926, 0x8909, 0xd28b],
];
const TUNNEL_PORTS = [4754, 4789, 4790, 6081, 6635, 8472];

const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const some = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
const wide = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const mapped = bytes(4).map((quad) => Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...quad]));
/** Addresses in 2000::/3, which are never IPv4-mapped. */
const address = bytes(16).map((random) => random.map((byte, index) => (index === 0 ? 0x20 | (byte & 0x1f) : byte)));
const layer = (kind: LayerKind, value: fc.Arbitrary<object>): fc.Arbitrary<LayerSpec> =>
  value.map((fields) => ({ kind, value: fields }) as unknown as LayerSpec);
const plain = (kind: 'payload' | 'trailer', min: number, max: number) =>
  layer(kind, fc.record({ bytes: some(min, max) }));
const maybe = (one: fc.Arbitrary<LayerSpec>) =>
  fc.option(one, { nil: undefined }).map((found) => (found ? [found] : []));

const ethernet = (etherType?: fc.Arbitrary<number>) =>
  layer('ethernet', fc.record({
    source: bytes(6),
    destination: bytes(6),
    tags: fc.array(fc.record({
      tpid: fc.constantFrom(0x8100, 0x88a8, 0x9100),
      priority: bits(3),
      dropEligible: fc.boolean(),
      vlanId: bits(12),
    }), { maxLength: 4 }),
    ...(etherType ? { etherType } : {}),
  }));
const sll = layer('linux-sll',
  fc.record({ packetType: bits(16), arphrdType: bits(16), addressLength: bits(16), address: bytes(8) }));
const sll2 = layer('linux-sll2', fc.record({
  reserved16: bits(16),
  interfaceIndex: bits(32),
  arphrdType: bits(16),
  packetType: bits(8),
  addressLength: bits(8),
  address: bytes(8),
}));

const ipv4 = (more: object = {}) =>
  layer('ipv4', fc.record({
    source: mapped,
    destination: mapped,
    dscp: bits(6),
    ecn: bits(2),
    identification: bits(16),
    flags: fc.constantFrom(0, 2, 4, 6),
    ttl: bits(8),
    options: fc.constantFrom(0, 4, 8, 40).chain(bytes),
    ...more,
  }));
const ipv6 = (more: object = {}) =>
  layer('ipv6', fc.record({
    source: address,
    destination: address,
    dscp: bits(6),
    ecn: bits(2),
    flowLabel: bits(20),
    hopLimit: bits(8),
    ...more,
  }));

const option = fc.record({
  type: fc.oneof(fc.constantFrom(0x9e, 0x31, 0x11), fc.integer({ min: 2, max: 255 })),
  data: some(0, 40),
  x: fc.constantFrom(1, 2, 4, 8),
  y: bits(3),
});
const options = fc.array(option, { maxLength: 3 }).map((list) => ({
  options: OptionsHeader.layOut(list.map(({ type, data, x, y }) => ({ type, data, align: { x, y: y % x } }))),
}));
const routing = layer('routing', fc.record({
  routingType: bits(8).filter((type) => type !== 4),
  segmentsLeft: bits(8),
  data: fc.constantFrom(4, 12, 20).chain(bytes),
}));
const segmentRouting = layer('segment-routing',
  fc.array(address, { minLength: 1, maxLength: 4 }).chain((segments) =>
    fc.record({
      segments: fc.constant(segments),
      segmentsLeft: fc.integer({ min: 0, max: segments.length }),
      flags: bits(8),
      tag: bits(16),
      tlvs: fc.constantFrom(0, 8).chain(bytes),
    })
  ));
const extensions = fc.tuple(maybe(layer('hop-by-hop', options)),
  fc.array(fc.oneof(layer('destination-options', options), routing, segmentRouting), { maxLength: 2 })).map((lists) =>
    lists.flat()
  );

const EXTENDED: Readonly<Record<ExtendedHeaderKind, fc.Arbitrary<LayerSpec>>> = {
  rdeth: layer('rdeth', fc.record({ reserved8: bits(8), eeContext: bits(24) })),
  deth: layer('deth', fc.record({ qKey: bits(32), reserved8: bits(8), sourceQpn: bits(24) })),
  xrceth: layer('xrceth', fc.record({ reserved8: bits(8), sharedReceiveQueue: bits(24) })),
  reth: layer('reth', fc.record({ virtualAddress: wide, rKey: bits(32), dmaLength: bits(32) })),
  'atomic-eth': layer('atomic-eth',
    fc.record({ virtualAddress: wide, rKey: bits(32), swapOrAdd: wide, compare: wide })),
  aeth: layer('aeth', fc.record({ syndrome: bits(8), msn: bits(24) })),
  'atomic-ack-eth': layer('atomic-ack-eth', fc.record({ original: wide })),
  immdt: layer('immdt', fc.record({ immediateData: bits(32) })),
  ieth: layer('ieth', fc.record({ rKey: bits(32) })),
};

const bth = (opcode: number) =>
  layer('bth', fc.record({
    opcode: fc.constant(opcode),
    solicitedEvent: fc.boolean(),
    migrationRequest: fc.boolean(),
    transportVersion: bits(4),
    pKey: bits(16),
    fecn: fc.boolean(),
    becn: fc.boolean(),
    reserved6: bits(6),
    destQpn: bits(24),
    ackRequest: fc.boolean(),
    reserved7: bits(7),
    psn: bits(24),
  }));
const pad = fc.integer({ min: 1, max: 3 }).chain((length) => layer('pad', fc.record({ bytes: bytes(length) })));
/** BTH and the headers of its opcode, up to the ICRC; all opcodes equally often, except that half are CNP. */
const transportOf = (opcodes: fc.Arbitrary<number>) =>
  fc.oneof(fc.constant(Bth.OPCODE_CNP), opcodes).chain((opcode) =>
    fc.tuple(bth(opcode).map((one) => [one]), fc.tuple(...Opcode.extendedHeadersOf(opcode).map((kind) =>
      EXTENDED[kind]
    )), opcode === Bth.OPCODE_CNP ?
      layer('cnp-reserved', fc.record({ bytes: bytes(16) })).map((one) => [one]) :
      fc.constant([]), maybe(plain('payload', 1, 40)), maybe(pad)).map((lists) => lists.flat())
  );

const transport = transportOf(bits(8));
/** Excludes the opcodes 0xc0..0xdf, which are MRC over UDP. */
const transportOverUdp = transportOf(bits(8).filter((opcode) => opcode >> 5 !== 6));

const mrcBth = (opcode: number, hasTimestamp: boolean) =>
  layer('mrc-bth', fc.record({
    opcode: fc.constant(opcode),
    solicitedEvent: fc.boolean(),
    migrationRequest: fc.boolean(),
    transportVersion: bits(4),
    pKey: bits(16),
    variant8: bits(8),
    destQpn: bits(24),
    ackRequest: fc.boolean(),
    reserved1: bits(1),
    retransmission: fc.boolean(),
    hasTimestamp: fc.constant(hasTimestamp),
    reserved4: bits(4),
    psn: bits(24),
  }));
const stamp = { timestamp: bits(16), resolution: bits(1), reserved11: bits(11), formType: bits(4) };
const cids = { spdcid: bits(16), dpdcid: bits(16) };
const sethFields = {
  type: bits(4),
  mrcNextHeader: bits(5),
  mark: bits(2),
  reserved3: bits(3),
  reserved1: bits(1),
  entropy: bits(32),
  ...cids,
  reserved8: bits(8),
  cumulativePsn: bits(24),
  ccFlags: bits(4),
  maxPsnRange: bits(8),
  sackOffset: fc.integer({ min: -0x8000, max: 0x7fff }),
  bitmap: wide,
};
const sack = (ccType: fc.Arbitrary<number>) =>
  fc.oneof(layer('seth', fc.record({ ...sethFields, ccType, ackPsnOffset: fc.integer({ min: -0x8000, max: 0x7fff }) })),
    layer('seth', fc.record({ ...sethFields, ccType, probeResponse: fc.constant(true), probeId: bits(16) })));
const one = (kind: LayerKind, fields: Parameters<typeof fc.record>[0]) => layer(kind, fc.record(fields));
const MRC_HEADERS: Readonly<Record<Exclude<MrcHeaderKind, 'seth' | 'cc-state'>, fc.Arbitrary<LayerSpec>>> = {
  meth: one('meth', { rqmsn: bits(16), msn: bits(16) }),
  tseth: one('tseth', stamp),
  reth: EXTENDED.reth,
  immdt: EXTENDED.immdt,
  aeth: EXTENDED.aeth,
  neth: one('neth', {
    type: bits(4),
    mrcNextHeader: bits(5),
    reserved7: bits(7),
    reason: bits(8),
    vendorCode: bits(8),
    entropy: bits(32),
    ...cids,
    reserved8: bits(8),
    nackPsn: bits(24),
    ccType: bits(4),
    ccFlags: bits(4),
    reservedB8: bits(8),
    timestamp: bits(16),
  }),
  peth: one('peth', {
    reserved16: bits(16),
    reserved8: bits(8),
    vendorCode: bits(8),
    probeId: bits(16),
    reservedB16: bits(16),
    ...cids,
    ...stamp,
  }),
  erth: one('erth', {
    type: bits(4),
    mrcNextHeader: bits(5),
    reserved5: bits(5),
    operation: bits(2),
    reserved8: bits(8),
    vendorCode: bits(8),
    portStatus: bits(32),
    reserved32: bits(32),
    ...stamp,
  }),
  eeth: one('eeth', {
    type: bits(4),
    mrcNextHeader: bits(5),
    reserved1: bits(1),
    operationAlternative: bits(2),
    operation: bits(2),
    reserved2: bits(2),
    reserved16: bits(16),
    reserved: bytes(24),
    timestamp: bits(16),
    reservedTail: bytes(6),
  }),
};
const ccState = one('mrc-cc-state', {
  timestamp: bits(16),
  reserved1: bits(1),
  outOfOrder: bits(15),
  restoreWindow: fc.boolean(),
  windowPenalty: bits(7),
  rcvdBytes256: bits(24),
});
const sackWithState = fc.oneof(fc.tuple(sack(fc.constant(0)), ccState),
  fc.tuple(sack(fc.integer({ min: 1, max: 15 })), one('mrc-cc-unknown', { bytes: bytes(8) })));
const OPCODE_SACK = 0xdc;
/** BTH of MRC and the headers of its opcode, up to the ICRC; also with payload that the opcode does not allow. */
const mrcTransport = fc.tuple(
  fc.oneof(fc.constantFrom(0xc6, 0xc9, 0xca, 0xd1, 0xd8, 0xd9, OPCODE_SACK, 0xdd, 0xde), bits(5).map((low) =>
    0xc0 | low
  )),
  fc.boolean(),
).chain(([opcode, hasTimestamp]) =>
  fc.tuple(mrcBth(opcode, hasTimestamp).map((head) => [head]), opcode === OPCODE_SACK ?
    sackWithState :
    fc.tuple(...MrcOpcode.headersOf(opcode, hasTimestamp).map((kind) => MRC_HEADERS[kind as keyof typeof MRC_HEADERS])),
    maybe(plain('payload', 1, 40)), maybe(pad)).map((lists) => lists.flat())
);

const udp = (destinationPort?: fc.Arbitrary<number>) =>
  layer('udp', fc.record({
    sourcePort: bits(16),
    checksum: fc.constantFrom(0, 'computed' as const),
    ...(destinationPort ? { destinationPort } : {}),
  }));
const otherPort = bits(16).filter((port) =>
  port !== 4791 && port !== 4971 && port !== 4793 && port !== ARN_PORT && !TUNNEL_PORTS.includes(port)
);
const mrc = fc.tuple(fc.oneof(udp(), udp(fc.constant(4971))), mrcTransport).map((
  [head, body],
) => [head, ...body, { kind: 'icrc' } as LayerSpec]);
const uet = fc.tuple(udp(fc.constant(4793)), uetPacket).map(([head, body]) => [head, ...body]);
const roce = fc.tuple(udp(), transportOverUdp).map(([head, body]) => [head, ...body, { kind: 'icrc' } as LayerSpec]);
const flow = (ends: fc.Arbitrary<Uint8Array>) =>
  fc.record({ source: ends, destination: ends, protocol: bits(8), sourcePort: bits(16), destinationPort: bits(16) });
const arn = fc.tuple(udp(fc.constant(ARN_PORT)), layer('arn', fc.record({
  type: bits(8),
  version: bits(4),
  reserved4: bits(4),
  metric: bits(8),
  flow: fc.oneof(flow(mapped), flow(address)),
  pathId: bits(32),
  priorityId: bits(32),
  compressionTime: bits(32),
}, { requiredKeys: ['type', 'version', 'reserved4', 'metric'] })));
const discovery = layer('roce-fc-icmp', fc.record({
  code: bits(8),
  idNumber: bits(16),
  flags: bits(16),
  outboundHopCount: bits(16),
  returnHopCount: bits(16),
  data: some(0, 64),
})).map((one) => [one]);
const datagram = fc.oneof({ weight: 6, arbitrary: roce }, { weight: 2, arbitrary: mrc }, { weight: 2, arbitrary: uet },
  arn, discovery, fc.tuple(udp(otherPort), plain('payload', 1, 30)).map((lists) => lists.flat()));

const protocol = bits(8).filter((number) => !KNOWN_PROTOCOLS.includes(number));
const fragment = (fragmentOffset: fc.Arbitrary<number>, more: object) =>
  layer('fragment', fc.record({
    reserved8: bits(8),
    fragmentOffset,
    reserved2: bits(2),
    moreFragments: fc.boolean(),
    identification: bits(32),
    ...more,
  }));
const withIpv6 = fc.tuple(ipv6(), extensions, datagram).map((lists) => lists.flat());
const withIpv4 = fc.tuple(ipv4(), datagram).map((lists) => lists.flat());
const fragments = fc.oneof(
  fc.tuple(ipv6(), fragment(fc.constant(0), {}), udp(fc.constant(4791)), plain('payload', 1, 40)),
  fc.tuple(ipv6(), fragment(fc.integer({ min: 1, max: 0x1fff }), { nextHeader: bits(8) }), plain('payload', 1, 40)),
  fc.tuple(ipv4({ fragmentOffset: fc.integer({ min: 1, max: 0x1fff }), protocol: bits(8) }), plain('payload', 1, 40)),
);
const native = fc.tuple(ipv4({ protocol: fc.constant(UET_PROTOCOL) }), nativeUetPacket).map(([head, body]) => [
  head,
  ...body,
]);
const strange = fc.oneof(native, fc.tuple(ipv6({ nextHeader: protocol }), plain('payload', 1, 40)),
  fc.tuple(ipv4({ protocol }), plain('payload', 1, 40)));
const tunnel = fc.tuple(fc.oneof(ipv4().map((one) => [one]), fc.tuple(ipv6(), extensions).map((lists) => lists.flat())),
  fc.oneof(withIpv4, withIpv6)).map((lists) => lists.flat());
const packet = fc.oneof({ weight: 3, arbitrary: withIpv4 }, { weight: 4, arbitrary: withIpv6 }, fragments, strange,
  tunnel);

const link = fc.constantFrom(1, 1, 113, 276).chain((linkType) =>
  fc.tuple(fc.constant(linkType),
    { ethernet: ethernet(), 'linux-sll': sll, 'linux-sll2': sll2 }[LINK_LAYERS[linkType as keyof typeof LINK_LAYERS]])
);
const overLink = fc.tuple(link, packet, maybe(plain('trailer', 1, 9))).map(([[linkType, head], body, rest]) => ({
  linkType,
  stack: [head, ...body, ...rest],
}));
const overIp = fc.tuple(packet, maybe(plain('trailer', 1, 9))).map(([body, rest]) => ({
  linkType: 101,
  stack: [...body, ...rest],
}));
const quanta = bits(16);
const ownLayer = fc.oneof(
  layer('pfc',
    fc.record({ classEnableVector: bits(16), pauseQuanta: fc.array(quanta, { minLength: 8, maxLength: 8 }) })).map((
      one,
    ) => [one]),
  layer('pause', fc.record({ pauseQuanta: quanta })).map((one) => [one]),
  fc.tuple(layer('grh', fc.record({
    ipVersion: fc.constant(6),
    trafficClass: bits(8),
    flowLabel: bits(20),
    hopLimit: bits(8),
    nextHeader: bits(8),
    sourceGid: bytes(16),
    destinationGid: bytes(16),
  })), transport, layer('icrc', fc.record({ icrc: bits(32) }))).map((lists) => lists.flat()),
);
const overEthernet = fc.tuple(ethernet(), ownLayer, maybe(plain('trailer', 1, 30))).map(([head, body, rest]) => ({
  linkType: 1,
  stack: [head, ...body, ...rest],
}));
const unknown = fc.tuple(ethernet(bits(16).filter((type) => type >= 0x600 && !KNOWN_ETHER_TYPES.includes(type))),
  plain('payload', 1, 60)).map((stack) => ({ linkType: 1, stack }));

const carried = fc.tuple(tagged(tunnelled(fc.oneof(withIpv4, withIpv6), 3)), maybe(plain('trailer', 1, 9))).map((
  lists,
) => ({
  linkType: 1,
  stack: lists.flat(),
}));

const meaningful = fc.constantFrom(0x00, 0x04, 0x06, 0x0a, 0x0c, 0x10, 0x11, 0x81);
const dynamicUdp = layer('udp', fc.record({ sourcePort: fc.integer({ min: 0xc000, max: 0xffff }) }));
const plainRoce = (ip: fc.Arbitrary<LayerSpec>) =>
  fc.tuple(ip, dynamicUdp, meaningful.chain((opcode) =>
    fc.tuple(bth(opcode).map((one) => [one]), fc.tuple(...Opcode.extendedHeadersOf(opcode).map((kind) =>
      EXTENDED[kind]
    )), fc.constant<LayerSpec[]>(opcode === Bth.OPCODE_CNP ? [{ kind: 'cnp-reserved' }] : [{
      kind: 'payload',
      value: { bytes: new Uint8Array(16) },
    }]))
  )).map(([head, datagram, body]): LayerSpec[] => [head, datagram, ...body.flat(), { kind: 'icrc' }]);

/** RoCEv2 over Ethernet, inside of up to three tunnels. */
export const randomNesting: fc.Arbitrary<LayerSpec[]> = tagged(
  tunnelled(
    fc.oneof(plainRoce(ipv4({ options: fc.constant(new Uint8Array(0)), flags: fc.constant(2) })), plainRoce(ipv6())),
    3,
  ),
);

/** Every kind of layer, most often packets of RoCEv2. */
export const randomStack: fc.Arbitrary<RandomStack> = fc.oneof({ weight: 6, arbitrary: overLink }, {
  weight: 2,
  arbitrary: overIp,
}, overEthernet, unknown, { weight: 4, arbitrary: carried }, {
  weight: 2,
  arbitrary: otherLink(fc.oneof(withIpv4, withIpv6)),
});
