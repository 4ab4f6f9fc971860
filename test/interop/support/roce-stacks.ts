/** Stacks of RoCE layers in which each field has a unique value, so that swapped fields are detected. */
import type { LayerSpec } from '../../../src/packet/index.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { Bth, type ExtendedHeaderKind, Opcode } from '../../../src/wire/roce/bth.js';

export type Stack = readonly LayerSpec[];

export const ETHERNET: LayerSpec = {
  kind: 'ethernet',
  value: { destination: Uint8Array.of(2, 0, 0, 0x11, 0x22, 0x33), source: Uint8Array.of(2, 0xa, 0xb, 0xc, 0xd, 0xe) },
};
export const SOURCE_V6 = parseIpAddress('2001:db8:a002::3ef');
export const DESTINATION_V6 = parseIpAddress('2001:db8:ffff:1:203:405:607:809');

/** An integer of this many bits that depends on the seed and the name; its top bit is set. */
export function numberFor(seed: number, name: string, bits: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return (hash >>> (32 - bits) | 2 ** (bits - 1)) >>> 0;
}

/** As `numberFor`, of 64 bits. */
export function wideNumberFor(seed: number, name: string): bigint {
  return (BigInt(numberFor(seed, name, 32)) << 32n) | BigInt(numberFor(seed, `${name}, low`, 32));
}

export function ipv4For(seed: number): LayerSpec {
  const source = parseIpAddress(`10.20.${seed & 0xff}.197`);
  const destination = parseIpAddress(`198.51.100.${(seed * 7) & 0xff}`);
  const identification = numberFor(seed, 'identification', 16);
  return {
    kind: 'ipv4',
    value: { source, destination, dscp: seed & 0x3f, ecn: seed & 3, identification, ttl: 1 + (seed & 0x7f) },
  };
}

export function ipv6For(seed: number): LayerSpec {
  const flowLabel = numberFor(seed, 'flowLabel', 20);
  const addresses = { source: SOURCE_V6, destination: DESTINATION_V6 };
  return {
    kind: 'ipv6',
    value: { ...addresses, dscp: seed & 0x3f, ecn: seed & 3, flowLabel, hopLimit: 1 + (seed & 0x7f) },
  };
}

export function udpFor(seed: number): LayerSpec {
  // Every fourth UDP header has a checksum.
  return {
    kind: 'udp',
    value: { sourcePort: numberFor(seed, 'sourcePort', 16), ...(seed % 4 === 0 && { checksum: 'computed' }) },
  };
}

/** The layers from the BTH to the ICRC. */
export function roceFor(opcode: number, seed: number): Stack {
  const payloadBytes = opcode === Bth.OPCODE_CNP || isBare(opcode) ? 0 : 8 + (seed % 5);
  const padCount = (4 - (payloadBytes % 4)) % 4;
  return [
    { kind: 'bth', value: bthFor(opcode, seed, padCount) },
    ...Opcode.extendedHeadersOf(opcode).map((kind) => extendedHeaderFor(kind, seed)),
    ...(opcode === Bth.OPCODE_CNP ? [{ kind: 'cnp-reserved' } as const] : []),
    ...(payloadBytes === 0 ? [] : [{ kind: 'payload', value: { bytes: bytesOf(payloadBytes) } } as const]),
    ...(padCount === 0 ? [] : [{ kind: 'pad', value: { bytes: new Uint8Array(padCount) } } as const]),
    { kind: 'icrc' },
  ];
}

/** Bytes that no heuristic dissector recognises. */
export function bytesOf(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => 0xa5 ^ (index * 29));
}

/** Every defined opcode, over IPv4 and over IPv6. */
export const OPCODE_STACKS: readonly Stack[] = Array.from({ length: 256 }, (_, opcode) => opcode)
  .filter((opcode) => Opcode.isDefined(opcode))
  .flatMap((opcode) => [
    [ETHERNET, ipv4For(opcode), udpFor(opcode), ...roceFor(opcode, opcode)],
    [ETHERNET, ipv6For(opcode), udpFor(opcode + 1), ...roceFor(opcode, opcode + 1)],
  ]);

/** Every syndrome of an AETH. */
export const SYNDROME_STACKS: readonly Stack[] = Array.from({ length: 256 }, (_, syndrome) => [
  ETHERNET,
  ipv4For(syndrome),
  udpFor(syndrome),
  { kind: 'bth', value: bthFor(0x11, syndrome, 0) },
  { kind: 'aeth', value: { syndrome, msn: numberFor(syndrome, 'msn', 24) } },
  { kind: 'icrc' },
]);

/** CNPs as in the draft, and with BECN 0, FECN 1 and reserved bits set. */
export const CNP_STACKS: readonly Stack[] = [
  { becn: true },
  {},
  { fecn: true, pKey: 0x7fff },
  { becn: true, reserved6: 0x3f, reserved7: 0x7f, destQpn: 0xffffff, psn: 0xffffff },
].flatMap((fields) =>
  [ipv4For(9), ipv6For(10)].map((ip) =>
    [
      ETHERNET,
      ip,
      udpFor(12),
      { kind: 'bth', value: { opcode: Bth.OPCODE_CNP, destQpn: 0x118, ...fields } },
      { kind: 'cnp-reserved' },
      { kind: 'icrc' },
    ] as const
  )
);

/** READ requests and acknowledgements carry no payload. */
function isBare(opcode: number): boolean {
  const operation = opcode & 0x1f;
  return operation === 0x0c || (operation >= 0x11 && operation <= 0x15);
}

function bthFor(opcode: number, seed: number, padCount: number) {
  return {
    opcode,
    padCount,
    solicitedEvent: (seed & 1) === 1,
    migrationRequest: (seed & 2) === 2,
    ackRequest: (seed & 4) === 4,
    fecn: (seed & 8) === 8,
    becn: (seed & 16) === 16,
    transportVersion: 0,
    reserved6: numberFor(seed, 'reserved6', 6),
    reserved7: numberFor(seed, 'reserved7', 7),
    pKey: numberFor(seed, 'pKey', 16),
    destQpn: numberFor(seed, 'destQpn', 24),
    psn: numberFor(seed, 'psn', 24),
  };
}

function extendedHeaderFor(kind: ExtendedHeaderKind, seed: number): LayerSpec {
  const u24 = (name: string) => numberFor(seed, name, 24);
  const u32 = (name: string) => numberFor(seed, name, 32);
  const u64 = (name: string) => wideNumberFor(seed, name);
  const reserved8 = numberFor(seed, `${kind} reserved8`, 8);
  const layers: { readonly [Kind in ExtendedHeaderKind]: Extract<LayerSpec, { kind: Kind }> } = {
    rdeth: { kind: 'rdeth', value: { reserved8, eeContext: u24('eeContext') } },
    deth: { kind: 'deth', value: { reserved8, qKey: u32('qKey'), sourceQpn: u24('sourceQpn') } },
    xrceth: { kind: 'xrceth', value: { reserved8, sharedReceiveQueue: u24('sharedReceiveQueue') } },
    reth: {
      kind: 'reth',
      value: { virtualAddress: u64('virtualAddress'), rKey: u32('rKey'), dmaLength: u32('dmaLength') },
    },
    'atomic-eth': {
      kind: 'atomic-eth',
      value: {
        virtualAddress: u64('virtualAddress'),
        rKey: u32('rKey'),
        swapOrAdd: u64('swapOrAdd'),
        compare: u64('compare'),
      },
    },
    aeth: { kind: 'aeth', value: { syndrome: numberFor(seed, 'syndrome', 6), msn: u24('msn') } },
    'atomic-ack-eth': { kind: 'atomic-ack-eth', value: { original: u64('original') } },
    immdt: { kind: 'immdt', value: { immediateData: u32('immediateData') } },
    ieth: { kind: 'ieth', value: { rKey: u32('ieth.rKey') } },
  };
  return layers[kind];
}
