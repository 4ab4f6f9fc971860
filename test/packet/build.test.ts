import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { build, completeStack, dissect, type LayerSpec } from '../../src/packet/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { computeIcmpChecksum } from '../../src/wire/internet-checksum.js';
import { Ipv4 } from '../../src/wire/ip/ipv4.js';
import { Udp } from '../../src/wire/ip/udp.js';
import { FAST_CNP_ICRC, FAST_CNP_WITHOUT_ICRC, V1, V2, V3, fromHex, toHex } from '../wire/support/hex.js';

const IPV6 = { source: parseIpAddress('2001:db8::1'), destination: parseIpAddress('2001:db8::2') };
const IPV4 = { source: parseIpAddress('10.0.0.1'), destination: parseIpAddress('10.0.0.2') };
const MACS = { source: fromHex('020000000001'), destination: fromHex('020000000002') };
const CNP: LayerSpec = { kind: 'bth', value: { opcode: 0x81, destQpn: 0x118 } };

const WORKED_OUT = [
  'etherType',
  'totalLength',
  'payloadLength',
  'nextHeader',
  'protocol',
  'length',
  'icrc',
  'destinationPort',
];

/** The layers of a packet without values that can be computed. */
function bare(layers: readonly LayerSpec[]): LayerSpec[] {
  return layers.map((layer) => {
    const leftOut = layer.kind === 'ipv4' ? [...WORKED_OUT, 'checksum'] : WORKED_OUT;
    const kept = Object.entries(layer.value ?? {}).filter(([field]) => !leftOut.includes(field));
    return { kind: layer.kind, value: Object.fromEntries(kept) } as unknown as LayerSpec;
  });
}

function rejection(stack: readonly LayerSpec[]): RoceError {
  try {
    build(stack);
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not rejected');
}

describe('build', () => {
  it.each([
    ['V1, a CNP of a ConnectX-4 Lx', V1, 228],
    ['V2, UC SEND only over IPv4', V2, 228],
    ['V3, UC SEND only over IPv6', V3, 229],
  ])('computes lengths, numbers, checksum and ICRC of %s', (_, packet, linkType) => {
    expect(toHex(build(bare(dissect(packet, { linkType }).layers)))).toBe(toHex(packet));
  });

  it.each(['literal', 'omit', 'normalise'] as const)('covers extension headers with the ICRC under the policy %s',
    (icrcPolicy) => {
      const whole = fromHex(toHex(FAST_CNP_WITHOUT_ICRC) + FAST_CNP_ICRC[icrcPolicy]);
      const { layers } = dissect(whole, { linkType: 229, icrcPolicy });
      expect(toHex(build(bare(layers), { icrcPolicy }))).toBe(toHex(whole));
    });

  it('computes the checksums of IPv4 and UDP on request', () => {
    const packet = build(
      completeStack([{ kind: 'ipv4', value: IPV4 }, { kind: 'udp', value: { checksum: 'computed' } }, CNP]),
    );
    expect((packet[10]! << 8) | packet[11]!).toBe(Ipv4.computeChecksum(packet));
    expect((packet[26]! << 8) | packet[27]!).toBe(
      Udp.computeChecksum(IPV4.source, IPV4.destination, packet.subarray(20)),
    );
    expect(dissect(packet, { linkType: 228 })).toMatchObject({ class: 'cnp', icrc: 'right' });
  });

  it('counts only bytes before a trailer in lengths', () => {
    const frame = build([
      ...completeStack([{ kind: 'ethernet', value: MACS }, { kind: 'ipv6', value: IPV6 }, { kind: 'udp' }, CNP]),
      { kind: 'trailer', value: { bytes: new Uint8Array(6) } },
    ]);
    const { layers } = dissect(frame);
    expect(layers.find(({ kind }) => kind === 'ipv6')).toMatchObject({ value: { payloadLength: 40, nextHeader: 17 } });
    expect(layers.at(-1)).toMatchObject({ kind: 'trailer', lenBytes: 6 });
  });

  it('fills in the defaults of each layer', () => {
    const stack = completeStack([
      { kind: 'ethernet', value: MACS },
      { kind: 'ipv6', value: IPV6 },
      { kind: 'ipv4', value: IPV4 },
      { kind: 'udp' },
      CNP,
    ]);
    const [ethernet, ipv6, ipv4, udp, bth, reserved] = dissect(build(stack)).layers.map(({ value }) => value);
    expect(ethernet).toEqual({ ...MACS, tags: [], etherType: 0x86dd });
    expect(ipv6).toEqual({ ...IPV6, dscp: 0, ecn: 0, flowLabel: 0, hopLimit: 64, payloadLength: 60, nextHeader: 4 });
    expect(ipv4).toMatchObject({
      ...IPV4,
      dscp: 0,
      ecn: 0,
      totalLength: 60,
      identification: 0,
      flags: 2,
      fragmentOffset: 0,
      ttl: 64,
      protocol: 17,
      options: new Uint8Array(0),
    });
    expect(udp).toEqual({ sourcePort: 49152, destinationPort: 4791, length: 40, checksum: 0 });
    expect(bth).toEqual({
      opcode: 0x81,
      solicitedEvent: false,
      migrationRequest: false,
      padCount: 0,
      transportVersion: 0,
      pKey: 0xffff,
      fecn: false,
      becn: false,
      reserved6: 0,
      destQpn: 0x118,
      ackRequest: false,
      reserved7: 0,
      psn: 0,
    });
    expect(reserved).toEqual({ bytes: new Uint8Array(16) });
  });

  const SRH: LayerSpec = { kind: 'segment-routing', value: { segments: [IPV6.destination] } };
  const FRAGMENT: LayerSpec = {
    kind: 'fragment',
    value: { fragmentOffset: 0, moreFragments: true, identification: 1 },
  };
  const PAD: LayerSpec = {
    kind: 'destination-options',
    value: { options: [{ kind: 'padn', data: new Uint8Array(4) }] },
  };
  const OTHER_UDP: LayerSpec = { kind: 'udp', value: { destinationPort: 53 } };
  const DISCOVERY: LayerSpec = {
    kind: 'roce-fc-icmp',
    value: { code: 0, idNumber: 1, flags: 1, outboundHopCount: 2, returnHopCount: 2, data: fromHex('0102') },
  };

  it.each<[number, readonly LayerSpec[]]>([
    [59, []],
    [17, [OTHER_UDP]],
    [0, [{ kind: 'hop-by-hop', value: { options: [{ kind: 'padn', data: new Uint8Array(4) }] } }]],
    [60, [PAD]],
    [43, [SRH]],
    [43, [{ kind: 'routing', value: { routingType: 2, segmentsLeft: 0, data: new Uint8Array(4) } }]],
    [44, [FRAGMENT]],
    [4, [{ kind: 'ipv4', value: IPV4 }]],
    [41, [{ kind: 'ipv6', value: IPV6 }]],
    [58, [DISCOVERY]],
  ])('writes next header %i before %j, after IPv6 and after its extension headers', (number, next) => {
    expect(build([{ kind: 'ipv6', value: IPV6 }, ...next])[6]).toBe(number);
    for (const extension of [PAD, SRH, FRAGMENT]) {
      expect(build([{ kind: 'ipv6', value: IPV6 }, extension, ...next])[40]).toBe(number);
    }
  });

  it('writes protocol 1 before discovery over IPv4, and EtherTypes and cooked protocol types by the next layer', () => {
    expect(build([{ kind: 'ipv4', value: IPV4 }, DISCOVERY])[9]).toBe(1);
    const sll: LayerSpec = {
      kind: 'linux-sll',
      value: { packetType: 0, arphrdType: 1, addressLength: 6, address: new Uint8Array(8) },
    };
    const sll2: LayerSpec = {
      kind: 'linux-sll2',
      value: { interfaceIndex: 1, packetType: 0, arphrdType: 1, addressLength: 6, address: new Uint8Array(8) },
    };
    const behind: readonly [string, LayerSpec][] = [
      ['0800', { kind: 'ipv4', value: IPV4 }],
      ['86dd', { kind: 'ipv6', value: IPV6 }],
      ['8808', { kind: 'pause', value: { pauseQuanta: 1 } }],
      ['8808', { kind: 'pfc', value: { classEnableVector: 0, pauseQuanta: [0, 0, 0, 0, 0, 0, 0, 0] } }],
      ['8915', { kind: 'grh', value: { sourceGid: IPV6.source, destinationGid: IPV6.source } }],
    ];
    for (const [etherType, layer] of behind) {
      expect(toHex(build([{ kind: 'ethernet', value: MACS }, layer]).subarray(12, 14))).toBe(etherType);
      expect(toHex(build([sll, layer]).subarray(14, 16))).toBe(etherType);
      expect(toHex(build([sll2, layer]).subarray(0, 2))).toBe(etherType);
    }
  });

  it('sets the payload length of a GRH, and the next header of a BTH', () => {
    const grh: LayerSpec = { kind: 'grh', value: { sourceGid: IPV6.source, destinationGid: IPV6.source } };
    const bytes = build([grh, { kind: 'bth', value: { opcode: 4, destQpn: 1 } }, { kind: 'icrc', value: { icrc: 1 } }]);
    expect(toHex(bytes.subarray(4, 7))).toBe('00101b');
  });

  it('sets the pad count of the BTH to the bytes of a pad layer, unless given another number', () => {
    const padded = (value: object): Uint8Array =>
      build([{ kind: 'bth', value: { opcode: 4, destQpn: 1, ...value } }, {
        kind: 'payload',
        value: { bytes: new Uint8Array(2) },
      }, { kind: 'pad', value: { bytes: new Uint8Array(2) } }]);
    expect(padded({})[1]).toBe(0x20);
    expect(padded({ padCount: 1 })[1]).toBe(0x10);
  });

  it.each([[0, 1], [1, 0]])('covers the last segment with checksums of UDP and ICMPv6 if segments are left: %i',
    (segmentsLeft, last) => {
      const segments = [parseIpAddress('2001:db8::99'), IPV6.destination];
      const routed: LayerSpec[] = [{ kind: 'ipv6', value: IPV6 }, {
        kind: 'segment-routing',
        value: { segments, segmentsLeft },
      }];
      const covered = segments[last]!;
      const udp = build([...routed, { kind: 'udp', value: { destinationPort: 53, checksum: 'computed' } }, {
        kind: 'payload',
        value: { bytes: fromHex('010203') },
      }]).subarray(80);
      expect((udp[6]! << 8) | udp[7]!).toBe(Udp.computeChecksum(IPV6.source, covered, udp));
      const icmp = build([...routed, DISCOVERY]).subarray(80);
      expect((icmp[2]! << 8) | icmp[3]!).toBe(
        computeIcmpChecksum(icmp, 0, icmp.length, { source: IPV6.source, destination: covered }),
      );
    });

  it('computes the ICMP checksum of discovery over IPv4 without addresses', () => {
    const icmp = build([{ kind: 'ipv4', value: IPV4 }, DISCOVERY]).subarray(20);
    expect(icmp[0]).toBe(253);
    expect((icmp[2]! << 8) | icmp[3]!).toBe(computeIcmpChecksum(icmp, 0, icmp.length));
  });

  it('computes the same checksum and ICRC of a packet with and without a tunnel', () => {
    const inner = completeStack([{ kind: 'ipv4', value: IPV4 }, { kind: 'udp', value: { checksum: 'computed' } }, CNP]);
    for (
      const outer of [[{ kind: 'ipv6', value: IPV6 }], [{ kind: 'ipv6', value: IPV6 }, SRH], [{
        kind: 'ipv4',
        value: IPV4,
      }]] as LayerSpec[][]
    ) {
      const whole = build([...outer, ...inner]);
      expect(toHex(whole.subarray(-60))).toBe(toHex(build(inner)));
    }
  });

  it('leaves a complete packet unchanged even if every computable field is wrong', () => {
    const stack: LayerSpec[] = [
      { kind: 'ethernet', value: { ...MACS, etherType: 0x1234 } },
      { kind: 'ipv4', value: { ...IPV4, totalLength: 1, protocol: 2, checksum: 3 } },
      { kind: 'ipv6', value: { ...IPV6, payloadLength: 4, nextHeader: 5 } },
      { kind: 'destination-options', value: { nextHeader: 6, options: [{ kind: 'padn', data: new Uint8Array(4) }] } },
      { kind: 'fragment', value: { nextHeader: 7, fragmentOffset: 0, moreFragments: false, identification: 1 } },
      { kind: 'udp', value: { length: 8, destinationPort: 9, checksum: 10 } },
      { kind: 'bth', value: { opcode: 4, destQpn: 1, padCount: 3 } },
      {
        kind: 'roce-fc-icmp',
        value: {
          code: 0,
          idNumber: 1,
          flags: 1,
          outboundHopCount: 2,
          returnHopCount: 2,
          data: new Uint8Array(0),
          checksum: 11,
        },
      },
      { kind: 'icrc', value: { icrc: 12 } },
    ];
    const bytes = build(stack);
    const at = (offset: number, length: number): string => toHex(bytes.subarray(offset, offset + length));
    expect([
      at(12, 2),
      at(16, 2),
      at(23, 1),
      at(24, 2),
      at(38, 2),
      at(40, 1),
      at(74, 1),
      at(82, 1),
      at(92, 2),
      at(94, 2),
      at(96, 2),
      at(99, 1),
      at(112, 2),
      at(122, 4),
    ])
      .toEqual([
        '1234',
        '0001',
        '02',
        '0003',
        '0004',
        '05',
        '06',
        '07',
        '0009',
        '0008',
        '000a',
        '30',
        '000b',
        '0c000000',
      ]);
  });

  it('writes wrong values as given', () => {
    const frame = build([{ kind: 'ipv6', value: { ...IPV6, payloadLength: 9999, nextHeader: 99 } }, {
      kind: 'udp',
      value: { length: 3, destinationPort: 1 },
    }]);
    expect(toHex(frame.subarray(4, 7))).toBe('270f63');
    expect(toHex(frame.subarray(44, 46))).toBe('0003');
  });

  it.each([
    [
      [{ kind: 'ipv6', value: { ...IPV6, hopLimit: 256 } }, { kind: 'udp', value: { destinationPort: 1 } }],
      'layers[0] ipv6, ipv6.hopLimit',
    ],
    [[{ kind: 'ethernet', value: MACS }, CNP], 'layers[0] ethernet, etherType'],
    [[{ kind: 'udp' }], 'layers[0] udp, destinationPort'],
    [[CNP, { kind: 'icrc' }], 'layers[1] icrc'],
    [[{ kind: 'udp', value: { destinationPort: 1, checksum: 'computed' } }], 'layers[0] udp'],
    [[{ kind: 'payload' }], 'layers[0] payload, bytes'],
    [[{ kind: 'nonsense' }], 'layers[0] nonsense'],
    [
      [{ kind: 'ipv6', value: IPV6 }, { kind: 'payload', value: { bytes: new Uint8Array(1) } }],
      'layers[0] ipv6, protocol or nextHeader',
    ],
    [[{ kind: 'ipv4' }], 'layers[0] ipv4, ipv4.source'],
    [[{ kind: 'ipv4', value: IPV4 }, { kind: 'ipv6', value: { ...IPV6, dscp: 64 } }], 'layers[1] ipv6, ipv6.dscp'],
    [
      [{ kind: 'ethernet', value: { ...MACS, source: new Uint8Array(5), etherType: 1 } }],
      'layers[0] ethernet, ethernet.source',
    ],
    [[{
      kind: 'linux-sll',
      value: { packetType: 65536, arphrdType: 1, addressLength: 6, address: new Uint8Array(8), protocolType: 1 },
    }], 'layers[0] linux-sll, sll.packetType'],
    [[{
      kind: 'linux-sll2',
      value: {
        packetType: 256,
        interfaceIndex: 1,
        arphrdType: 1,
        addressLength: 6,
        address: new Uint8Array(8),
        protocolType: 1,
      },
    }], 'layers[0] linux-sll2, sll2.packetType'],
    [[{ kind: 'pfc', value: { classEnableVector: 0, pauseQuanta: [1] } }], 'layers[0] pfc, pfc.pauseQuanta'],
    [[{ kind: 'pause', value: { pauseQuanta: -1 } }], 'layers[0] pause, pause.pauseQuanta'],
    [[{
      kind: 'grh',
      value: { trafficClass: 0, flowLabel: 2 ** 20, hopLimit: 1, sourceGid: IPV6.source, destinationGid: IPV6.source },
    }], 'layers[0] grh, grh.flowLabel'],
    [[{ kind: 'destination-options', value: { options: [] } }], 'layers[0] destination-options, optionsHeader'],
    [
      [{ kind: 'routing', value: { routingType: 0, segmentsLeft: 256, data: new Uint8Array(4) } }],
      'layers[0] routing, routingHeader.segmentsLeft',
    ],
    [[{ kind: 'segment-routing', value: { segments: [] } }], 'layers[0] segment-routing, srh.segments'],
    [
      [{ kind: 'fragment', value: { fragmentOffset: 8192, moreFragments: true, identification: 0 } }],
      'layers[0] fragment, fragment.fragmentOffset',
    ],
    [[{ kind: 'bth', value: { opcode: 4, destQpn: 2 ** 24 } }], 'layers[0] bth, bth.destQpn'],
    [[CNP, { kind: 'pad', value: { bytes: new Uint8Array(4) } }], 'layers[0] bth, bth.padCount'],
    [[{ kind: 'aeth', value: { syndrome: 256, msn: 0 } }], 'layers[0] aeth, aeth.syndrome'],
    [[{ kind: 'reth', value: { virtualAddress: -1n, rKey: 0, dmaLength: 0 } }], 'layers[0] reth, reth.virtualAddress'],
    [[{ kind: 'icrc', value: { icrc: 2 ** 32 } }], 'layers[0] icrc, icrc'],
    [[{ kind: 'arn', value: { type: 1, metric: 256 } }], 'layers[0] arn, arn.metric'],
    [[{
      kind: 'roce-fc-icmp',
      value: { code: 256, idNumber: 0, flags: 0, outboundHopCount: 0, returnHopCount: 0, data: new Uint8Array(0) },
    }], 'layers[0] roce-fc-icmp, roceFcIcmp.code'],
    [[{ kind: 'udp', value: { destinationPort: 4791 } }, CNP, { kind: 'icrc' }], 'layers[2] icrc'],
    [
      [{ kind: 'grh', value: { sourceGid: IPV6.source, destinationGid: IPV6.source } }, CNP, { kind: 'icrc' }],
      'layers[2] icrc',
    ],
  ])('rejects an inconsistent stack, case %#', (stack, where) => {
    expect(rejection(stack as LayerSpec[])).toMatchObject({ code: 'invalid-argument', where });
  });
});

describe('completeStack', () => {
  const data = (length: number): LayerSpec[] => [
    { kind: 'ipv4', value: IPV4 },
    { kind: 'udp' },
    { kind: 'bth', value: { opcode: 0x04, destQpn: 5 } },
    { kind: 'payload', value: { bytes: new Uint8Array(length).fill(1) } },
  ];

  it.each([[1, 3], [2, 2], [3, 1], [4, 0], [5, 3]])('pads %i bytes of payload by %i and adds the ICRC',
    (length, padCount) => {
      const packet = dissect(build(completeStack(data(length))), { linkType: 228 });
      expect(packet).toMatchObject({ class: 'data', icrc: 'right' });
      expect(packet.layers.find(({ kind }) => kind === 'bth')).toMatchObject({ value: { padCount } });
      expect(packet.layers.filter(({ kind }) => kind === 'pad')).toHaveLength(padCount === 0 ? 0 : 1);
    });

  it('adds the reserved bytes of a CNP, and puts the ICRC before a trailer', () => {
    const trailer: LayerSpec = { kind: 'trailer', value: { bytes: new Uint8Array(2) } };
    expect(completeStack([{ kind: 'udp' }, CNP, trailer])).toEqual([{ kind: 'udp' }, CNP, { kind: 'cnp-reserved' }, {
      kind: 'icrc',
    }, trailer]);
    const own: LayerSpec = { kind: 'cnp-reserved', value: { bytes: new Uint8Array(3) } };
    expect(completeStack([CNP, own])).toEqual([CNP, own, { kind: 'icrc' }]);
  });

  it('adds no padding to a stack that has padding, or states its length', () => {
    const [ip, udp, bth, payload] = data(3);
    const pad: LayerSpec = { kind: 'pad', value: { bytes: new Uint8Array(2) } };
    expect(completeStack([bth!, payload!, pad])).toEqual([bth, payload, pad, { kind: 'icrc' }]);
    const told: LayerSpec = { kind: 'bth', value: { opcode: 4, destQpn: 5, padCount: 0 } };
    expect(completeStack([ip!, udp!, told, payload!])).toEqual([ip, udp, told, payload, { kind: 'icrc' }]);
  });

  it('adds nothing to bytes that could not be decoded', () => {
    const stack: LayerSpec[] = [CNP, { kind: 'undecoded', value: { bytes: new Uint8Array(3) } }];
    expect(completeStack(stack)).toEqual(stack);
  });

  it('adds nothing to a stack that has its ICRC, or to one without a BTH', () => {
    const complete = completeStack(data(4));
    expect(completeStack(complete)).toEqual(complete);
    const plain: LayerSpec[] = [{ kind: 'ipv4', value: IPV4 }, { kind: 'udp', value: { destinationPort: 53 } }];
    expect(completeStack(plain)).toEqual(plain);
  });
});
