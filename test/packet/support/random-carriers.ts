/** Random headers around a packet: tags of a link, and tunnels over IP and UDP, nested. */
import fc from 'fast-check';
import type { LayerKind, LayerSpec } from '../../../src/packet/index.js';

type Layers = fc.Arbitrary<LayerSpec[]>;

const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const layer = (kind: LayerKind, value: fc.Arbitrary<object>): fc.Arbitrary<LayerSpec> =>
  value.map((fields) => ({ kind, value: fields }) as unknown as LayerSpec);
const one = (kind: LayerKind, fields: Record<string, fc.Arbitrary<unknown>> = {}): Layers =>
  layer(kind, fc.record(fields)).map((only) => [only]);
const join = (...parts: Layers[]): Layers => fc.tuple(...parts).map((lists) => lists.flat());
const none: Layers = fc.constant([]);
const port = (destinationPort: number): Layers =>
  one('udp', { sourcePort: fc.integer({ min: 0xc000, max: 0xffff }), destinationPort: fc.constant(destinationPort) });

const mapped = bytes(4).map((quad) => Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...quad]));
const address = bytes(16).map((random) => random.map((byte, index) => (index === 0 ? 0x20 | (byte & 0x1f) : byte)));
const common = { dscp: bits(6), ecn: bits(2) };
const ipv4: Layers = one('ipv4', {
  source: mapped,
  destination: mapped,
  ttl: fc.integer({ min: 1, max: 255 }),
  ...common,
});
const ipv6: Layers = one('ipv6', {
  source: address,
  destination: address,
  flowLabel: bits(20),
  hopLimit: fc.integer({ min: 1, max: 255 }),
  ...common,
});
const segments: Layers = fc.array(address, { minLength: 1, maxLength: 3 }).chain((list) =>
  one('segment-routing', {
    segments: fc.constant(list),
    segmentsLeft: fc.integer({ min: 0, max: list.length - 1 }),
    flags: fc.constant(0),
    tag: bits(16),
    tlvs: fc.constant(new Uint8Array(0)),
  })
);
const overIp: Layers = fc.oneof(ipv4, ipv6, join(ipv6, segments));

/** An Ethernet header whose first nibble is not mistaken for an IP version by heuristics. */
const ethernetOf = (tpids: number[], maxLength: number): Layers =>
  one('ethernet', {
    source: bytes(6),
    // The addresses are local at either offset, since tshark guesses by registered vendors.
    destination: bytes(6).map((mac) => Uint8Array.from([2, mac[1]!, (mac[2]! & 0xfc) | 2, ...mac.subarray(3)])),
    tags: fc.array(
      fc.record({ tpid: fc.constantFrom(...tpids), priority: bits(3), dropEligible: fc.boolean(), vlanId: bits(12) }),
      { maxLength },
    ),
  });
const ethernet = ethernetOf([0x8100, 0x88a8], 3);
const label = (bottomOfStack: boolean): Layers =>
  one('mpls', {
    label: fc.integer({ min: 16, max: 0xfffff }),
    trafficClass: bits(3),
    bottomOfStack: fc.constant(bottomOfStack),
    ttl: fc.integer({ min: 1, max: 255 }),
  });
const labels: Layers = fc.integer({ min: 0, max: 3 }).chain((count) =>
  join(...Array.from({ length: count }, () => label(false)), label(true))
);

/** Tags between Ethernet and IP, each ending in the EtherType of what follows. */
const tag: Layers = fc.oneof(
  one('etag', { priority: bits(3), ingressChannelBase: bits(12), group: bits(2), channelBase: bits(12) }),
  one('vn-tag', { direction: fc.boolean(), destinationInterface: bits(14), sourceInterface: bits(12) }),
  one('cisco-metadata', {
    optionCount: fc.constant(1),
    data: fc.tuple(bits(8), bits(8)).map(([high, low]) => Uint8Array.from([0, 1, high, low])),
  }),
  fc.constantFrom([0x0010, 8], [0x0110, 8], [0x0020, 6], [0x0120, 6]).chain(([version, lenBytes]) =>
    one('arista', { timestampVersion: fc.constant(version), data: bytes(lenBytes!) })
  ),
);
const tags: Layers = fc.oneof(none, tag, join(tag, one('vlan', { priority: bits(3), vlanId: bits(12) })));
/** tshark reads a length after a customer tag, but not after a service tag. */
const snap: Layers = join(ethernetOf([0x8100], 1), one('snap'));

const nested = (make: (inner: Layers) => Layers) => make;
const gre = (flags: fc.Arbitrary<number>, fields: Record<string, fc.Arbitrary<unknown>> = {}): Layers =>
  flags.chain((value) =>
    one('gre', {
      flags: fc.constant(value),
      ...((value & 0x8000) !== 0 ? { checksum: bits(16) } : {}),
      ...((value & 0x2000) !== 0 ? { key: bits(32) } : {}),
      ...((value & 0x1000) !== 0 ? { sequenceNumber: bits(32) } : {}),
      ...fields,
    })
  );
const greFlags = fc.constantFrom(0, 0x8000, 0x2000, 0x1000, 0x3000, 0xa000, 0xb000);

/** Tunnels that carry an IP packet, without the outer IP header. */
const carriesIp = nested((inner) =>
  fc.oneof(inner, join(gre(greFlags), inner), join(labels, inner), join(port(6635), labels, inner),
    join(port(6081), geneve(), inner), join(port(4790), inner.chain((stack) =>
      join(one('vxlan', {
        flags: fc.constant(0x0c),
        nextProtocol: fc.constant(stack[0]!.kind === 'ipv4' ? 1 : 2),
        vni: bits(24),
      }), fc.constant(stack))
    )))
);

/** Tunnels that carry an Ethernet frame, without the outer IP header. */
const carriesEthernet = nested((inner) =>
  fc.oneof(inner, join(gre(greFlags), inner), join(gre(fc.constant(0), { protocolType: fc.constant(0x88be) }), inner),
    join(gre(fc.constant(0x1000)), one('erspan-2', { vlanId: bits(12), sessionId: bits(10), index: bits(20) }), inner),
    join(gre(fc.constant(0x1000)), erspan3, inner),
    join(gre(fc.constant(0)), one('mellanox-mirror', { metadata: bytes(22) }), inner),
    join(port(4789), one('vxlan', { vni: bits(24) }), inner), join(port(6081), geneve(), inner),
    join(port(4790), one('vxlan', { flags: fc.constant(0x0c), nextProtocol: fc.constant(4), vni: bits(24) }),
      one('nsh', { nextProtocol: fc.constant(3), servicePath: bits(24), contexts: fc.constant(new Uint8Array(0)) }),
      inner), join(port(6635), labels, one('control-word', { sequenceNumber: bits(16) }), inner))
);
const erspan3: Layers = fc.boolean().chain((hasSubheader) =>
  one('erspan-3', {
    vlanId: bits(12),
    sessionId: bits(10),
    timestamp: bits(32),
    hasSubheader: fc.constant(hasSubheader),
    subheader: bytes(hasSubheader ? 8 : 0),
  })
);
function geneve(): Layers {
  return one('geneve', {
    vni: bits(24),
    options: fc.constantFrom(new Uint8Array(0), Uint8Array.from([1, 2, 3, 1, 5, 6, 7, 8])),
  });
}

/** @param packet begins with an IP header. @returns it in at most `depth` tunnels, also beginning with an IP header. */
export function tunnelled(packet: Layers, depth: number): Layers {
  if (depth === 0) return packet;
  const inner = tunnelled(packet, depth - 1);
  return fc.oneof({ weight: 1, arbitrary: packet }, { weight: 3, arbitrary: join(overIp, carriesIp(inner)) }, {
    weight: 4,
    arbitrary: join(overIp, carriesEthernet(join(ethernet, tags, inner))),
  });
}

/** @param packet begins with an IP header. @returns an Ethernet frame with tags, LLC or labels before it. */
export function tagged(packet: Layers): Layers {
  return fc.oneof(join(ethernet, packet), join(ethernet, tags, packet), join(snap, packet),
    join(ethernet, labels, packet), join(ethernet, labels, one('control-word'), ethernet, packet));
}

/** Link headers other than Ethernet, with their link types, before an IP packet of one version. */
export function otherLink(packet: Layers): fc.Arbitrary<{ linkType: number; stack: LayerSpec[] }> {
  return packet.chain((stack) => {
    const isIpv4 = stack[0]!.kind === 'ipv4';
    const loopback = fc.constantFrom(...(isIpv4 ? [2, 0x02000000] : [10, 24, 28, 30, 0x1e000000]));
    const ppi = {
      flags: bits(8),
      lengthBytes: fc.constant(Uint8Array.of(8, 0)),
      fields: fc.constant(new Uint8Array(0)),
    };
    const erf = { timestamp: bytes(8), flags: bits(8), wireLength: bits(16) };
    const sll = { packetType: bits(16), arphrdType: bits(16), addressLength: bits(16), address: bytes(8) };
    const behind = (linkType: number, header: Layers) =>
      join(header, fc.constant(stack)).map((whole) => ({ linkType, stack: whole }));
    return fc.oneof(behind(0, one('loopback', { family: loopback })),
      behind(108, one('loopback', { family: loopback })), behind(12, none), behind(14, none),
      behind(192, join(one('ppi', { ...ppi, linkTypeBytes: fc.constant(Uint8Array.of(1, 0, 0, 0)) }), ethernet)),
      behind(192, one('ppi', { ...ppi, linkTypeBytes: fc.constant(Uint8Array.of(101, 0, 0, 0)) })),
      behind(197, join(one('erf', { ...erf, recordType: fc.constant(2), more: bytes(2) }), ethernet)),
      behind(197, one('erf', { ...erf, recordType: fc.constant(isIpv4 ? 22 : 23), more: bytes(0) })),
      behind(113, join(one('linux-sll', sll), one('vlan', { priority: bits(3), vlanId: bits(12) }))));
  });
}
