/** Stacks with the layers around RoCE: VLAN tags, extension headers and options, checksums, tunnels, MAC control. */
import { LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_RAW } from '../../../src/capture/link-types.js';
import type { LayerSpec } from '../../../src/packet/index.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { type AlignedOption, type OptionField, OptionsHeader } from '../../../src/wire/ip/ipv6-options.js';
import type { Ipv4 } from '../../../src/wire/ip/ipv4.js';
import { Bth } from '../../../src/wire/roce/bth.js';
import { DESTINATION_V6, ETHERNET, SOURCE_V6, type Stack, ipv4For, ipv6For, bytesOf, roceFor,
  udpFor } from './roce-stacks.js';

const CUSTOMER = { tpid: 0x8100, priority: 5, dropEligible: true, vlanId: 0xabc };
const SERVICE = { tpid: 0x88a8, priority: 6, dropEligible: false, vlanId: 0x123 };
const CNP: Stack = [
  { kind: 'udp' },
  { kind: 'bth', value: { opcode: Bth.OPCODE_CNP, destQpn: 0xabcdef, becn: true } },
  { kind: 'cnp-reserved' },
  { kind: 'icrc' },
];
const ORIGINAL_DESTINATION = parseIpAddress('2001:db8:2::20');
const ADDRESSES = { source: SOURCE_V6, destination: DESTINATION_V6 };
const SEGMENTS = ['2001:db8:5::3', '2001:db8:5::2', '2001:db8:5::1'].map((text) => parseIpAddress(text));

export const VLAN_STACKS: readonly Stack[] = [
  [CUSTOMER],
  [{ ...CUSTOMER, priority: 0, dropEligible: false, vlanId: 0 }],
  [SERVICE],
  [SERVICE, CUSTOMER],
  [CUSTOMER, { ...CUSTOMER, vlanId: 7 }],
].flatMap((tags) =>
  [ipv4For(3), ipv6For(5)].map((ip) =>
    [
      { kind: 'ethernet', value: { ...macs(), tags } },
      ip,
      udpFor(8),
      ...roceFor(0x04, 3),
    ] as const
  )
);

/** Fast CNPs: option 1 at 8n+6 and compact, option 2 with a trace of two nodes that each recorded two words. */
export const FAST_CNP_STACKS: readonly Stack[] = [
  options({ type: 0x9e, data: ORIGINAL_DESTINATION, align: { x: 8, y: 6 } }),
  options({ type: 0x9e, data: ORIGINAL_DESTINATION }),
  options({
    type: 0x9e,
    data: Uint8Array.of(0, 0, 0, 7, 0x10, 0, 0xa0, 0, 0, 0, ...bytesOf(16), ...ORIGINAL_DESTINATION),
    align: { x: 4, y: 0 },
  }),
].map((fields) => [ETHERNET, ipv6For(6), { kind: 'destination-options', value: { options: fields } }, ...CNP]);

/** Each kind of padding, unknown options, both options headers, fragments, routing headers. */
export const EXTENSION_STACKS: readonly Stack[] = [
  ...[
    [{ kind: 'pad1' }, { kind: 'pad1' }, { kind: 'padn', data: new Uint8Array(0) }, { kind: 'pad1' }, { kind: 'pad1' }],
    [{ kind: 'padn', data: new Uint8Array(12) }],
    options({ type: 0x1e, data: bytesOf(5) }, { type: 0x3e, data: bytesOf(3) }, { type: 0xfe, data: bytesOf(30) }),
  ].flatMap((fields) =>
    (['hop-by-hop', 'destination-options'] as const).map((kind): Stack => [
      ETHERNET,
      ipv6For(20),
      { kind, value: { options: fields as OptionField[] } },
      udpFor(4),
      ...roceFor(0x11, 21),
    ])
  ),
  [ETHERNET, ipv6For(22), { kind: 'hop-by-hop', value: { options: options({ type: 0x1e, data: bytesOf(4) }) } }, {
    kind: 'destination-options',
    value: { options: options({ type: 0x9e, data: ORIGINAL_DESTINATION }) },
  }, ...CNP],
  fragment(0, true),
  fragment(0x155, true),
  fragment(0x1fff, false),
  ...[2, 1, 0].map((segmentsLeft): Stack => [
    ETHERNET,
    { kind: 'ipv6', value: { ...ADDRESSES, destination: SEGMENTS[segmentsLeft]! } },
    { kind: 'segment-routing', value: { segments: SEGMENTS, segmentsLeft, flags: 0, tag: 0xbeef } },
    { kind: 'udp', value: { checksum: 'computed' } },
    ...roceFor(0x04, 4),
  ]),
  [
    ETHERNET,
    ipv6For(24),
    { kind: 'segment-routing', value: { segments: [SEGMENTS[0]!], segmentsLeft: 0 } },
    ipv6For(25),
    { kind: 'destination-options', value: { options: options({ type: 0x9e, data: ORIGINAL_DESTINATION }) } },
    ...CNP,
  ],
  [
    ETHERNET,
    ipv6For(26),
    { kind: 'routing', value: { routingType: 253, segmentsLeft: 0, data: bytesOf(12) } },
    ...CNP,
  ],
];

/** Correct checksums over even and odd lengths, wrong ones, none; IPv4 with options, with flags, a later fragment. */
export const CHECKSUM_STACKS: readonly Stack[] = [
  ...[0, 1, 2, 5, 64, 255].flatMap((bytes) =>
    [ipv4For(30 + bytes), ipv6For(31 + bytes)].map((ip): Stack => [
      ETHERNET,
      ip,
      { kind: 'udp', value: { sourcePort: 9, destinationPort: 9, checksum: 'computed' } },
      ...payload(bytes),
    ])
  ),
  ...[ipv4For(40), ipv6For(41)].map((
    ip,
  ): Stack => [ETHERNET, ip, { kind: 'udp', value: { checksum: 0x1234 } }, ...roceFor(0x04, 5)]),
  [ETHERNET, ipv4With({ checksum: 0x4321 }), udpFor(1), ...roceFor(0x04, 6)],
  [ETHERNET, ipv4With({ options: Uint8Array.of(0x94, 4, 0, 0, 1, 1, 1, 0), flags: 0 }), udpFor(4), ...roceFor(0x11, 7)],
  [ETHERNET, ipv4With({ flags: 4, ttl: 255, dscp: 63, ecn: 3 }), udpFor(4), ...roceFor(0x11, 7)],
  [ETHERNET, ipv4With({ flags: 1, fragmentOffset: 0x1abc, protocol: 17 }), ...payload(40)],
];

export const TUNNEL_STACKS: readonly Stack[] = [
  [ETHERNET, ipv6For(50), ipv6For(51), ...CNP],
  [ETHERNET, ipv4For(52), ipv6For(53), ...CNP],
  [ETHERNET, ipv6For(54), ipv4For(55), ...CNP],
  [ETHERNET, ipv4For(56), ipv4For(57), udpFor(4), ...roceFor(0x0a, 8)],
];

const TO_MAC_CONTROL = Uint8Array.of(1, 0x80, 0xc2, 0, 0, 1);
export const MAC_CONTROL_STACKS: readonly Stack[] = [
  [control(), { kind: 'pause', value: { pauseQuanta: 0xfedc } }, {
    kind: 'trailer',
    value: { bytes: new Uint8Array(42) },
  }],
  ...[0xff, 0x01, 0x80, 0x5a, 0].map((classEnableVector): Stack => [
    control(),
    { kind: 'pfc', value: { classEnableVector, pauseQuanta: [1, 0x203, 0x405, 0x607, 0x809, 0xa0b, 0xfffe, 0xffff] } },
    { kind: 'trailer', value: { bytes: new Uint8Array(26) } },
  ]),
];

/** RoCEv1 packets; `build` does not compute their ICRC, which covers the GRH. */
export const ROCE_V1_STACKS: readonly Stack[] = [0x04, 0x0a, 0x0c, 0x10, 0x11, 0x12, 0x64].map((opcode) => [
  ETHERNET,
  {
    kind: 'grh',
    value: {
      ipVersion: 6,
      trafficClass: 0xa6,
      flowLabel: 0xabcde,
      hopLimit: 63,
      sourceGid: SOURCE_V6,
      destinationGid: DESTINATION_V6,
    },
  },
  ...roceFor(opcode, 4).slice(0, -1),
  { kind: 'icrc', value: { icrc: 0x01020384 + opcode } },
]);

/** Link types whose frames have no Ethernet header, with a few stacks each. */
export const LINK_STACKS: readonly [linkType: number, stacks: readonly Stack[]][] = [
  [LINK_TYPE_LINUX_SLL, behind(...[0, 1, 2, 3, 4].map(sll))],
  [LINK_TYPE_LINUX_SLL2, behind(...[0, 1, 2, 3, 4].map(sll2))],
  [LINK_TYPE_RAW, behind()],
  [LINK_TYPE_IPV4, behind().filter(([ip]) => ip?.kind === 'ipv4')],
  [LINK_TYPE_IPV6, behind().filter(([ip]) => ip?.kind === 'ipv6')],
];

/** Packets of both IP versions, after each of these link headers if any are given. */
function behind(...links: readonly LayerSpec[]): Stack[] {
  const packets: Stack[] = [[ipv4For(70), udpFor(72), ...roceFor(0x0b, 70)], [ipv6For(71), ...CNP], [
    ipv4For(73),
    ...CNP,
  ]];
  return links.length === 0 ? packets : links.flatMap((link) => packets.map((packet) => [link, ...packet]));
}

function sll(packetType: number): LayerSpec {
  return {
    kind: 'linux-sll',
    value: { packetType, arphrdType: 1, addressLength: 6, address: Uint8Array.of(2, 3, 4, 5, 6, packetType, 0, 0) },
  };
}

function sll2(packetType: number): LayerSpec {
  const address = Uint8Array.of(2, 3, 4, 5, 6, packetType, 0, 0);
  return {
    kind: 'linux-sll2',
    value: { packetType, arphrdType: 772, addressLength: 6, address, interfaceIndex: 0xfedcba98 },
  };
}

function control(): LayerSpec {
  return { kind: 'ethernet', value: { ...macs(), destination: TO_MAC_CONTROL } };
}

function macs() {
  if (ETHERNET.kind !== 'ethernet' || !ETHERNET.value) throw new Error('no Ethernet header');
  return ETHERNET.value;
}

function options(...list: AlignedOption[]): OptionField[] {
  return OptionsHeader.layOut(list);
}

function payload(bytes: number): Stack {
  return bytes === 0 ? [] : [{ kind: 'payload', value: { bytes: bytesOf(bytes) } }];
}

function ipv4With(fields: Partial<Ipv4>): LayerSpec {
  const layer = ipv4For(60);
  if (layer.kind !== 'ipv4' || !layer.value) throw new Error('no IPv4 header');
  return { kind: 'ipv4', value: { ...layer.value, ...fields } };
}

/** A fragment of a datagram; the first fragment begins with the UDP header of the whole datagram. */
function fragment(fragmentOffset: number, moreFragments: boolean): Stack {
  const value = { fragmentOffset, moreFragments, identification: 0xfedcba98, nextHeader: 17 };
  const udp: Stack = [{ kind: 'udp', value: { destinationPort: 4791, length: 1200 } }];
  return [ETHERNET, ipv6For(23), { kind: 'fragment', value }, ...(fragmentOffset === 0 ? udp : []), ...payload(48)];
}
