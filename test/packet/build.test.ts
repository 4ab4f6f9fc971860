import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { build, completeStack, dissect, type LayerSpec } from '../../src/packet/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { computeIpv4Checksum } from '../../src/wire/ip/ipv4.js';
import { computeUdpChecksum } from '../../src/wire/ip/udp.js';
import { FAST_CNP_ICRC, FAST_CNP_WITHOUT_ICRC, V1, V2, V3, fromHex, toHex } from '../wire/support/hex.js';

const IPV6 = { source: parseIpAddress('2001:db8::1'), destination: parseIpAddress('2001:db8::2') };
const IPV4 = { source: parseIpAddress('10.0.0.1'), destination: parseIpAddress('10.0.0.2') };
const MACS = { source: fromHex('020000000001'), destination: fromHex('020000000002') };
const CNP: LayerSpec = { kind: 'bth', value: { opcode: 0x81, destQpn: 0x118 } };

const WORKED_OUT = ['etherType', 'totalLength', 'payloadLength', 'nextHeader', 'protocol', 'length', 'icrc', 'destinationPort'];

/** The layers of a packet with everything taken out that can be worked out. */
function bare(layers: readonly LayerSpec[]): LayerSpec[] {
  return layers.map((layer) => {
    const leftOut = layer.kind === 'ipv4' ? [...WORKED_OUT, 'checksum'] : WORKED_OUT;
    const kept = Object.entries(layer.value ?? {}).filter(([field]) => !leftOut.includes(field));
    return { kind: layer.kind, value: Object.fromEntries(kept) } as unknown as LayerSpec;
  });
}

function refusal(stack: readonly LayerSpec[]): RoceError {
  try {
    build(stack);
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('build', () => {
  it.each([
    ['V1, a CNP of a ConnectX-4 Lx', V1, 228], ['V2, UC SEND only over IPv4', V2, 228], ['V3, UC SEND only over IPv6', V3, 229],
  ])('works out lengths, numbers, checksum and ICRC of %s', (_, packet, linkType) => {
    expect(toHex(build(bare(dissect(packet, { linkType }).layers)))).toBe(toHex(packet));
  });

  it.each(['literal', 'omit', 'normalise'] as const)('covers extension headers by the ICRC as the policy %s says', (icrcPolicy) => {
    const whole = fromHex(toHex(FAST_CNP_WITHOUT_ICRC) + FAST_CNP_ICRC[icrcPolicy]);
    const { layers } = dissect(whole, { linkType: 229, icrcPolicy });
    expect(toHex(build(bare(layers), { icrcPolicy }))).toBe(toHex(whole));
  });

  it('gives IPv4 and UDP their checksums when it is asked to', () => {
    const packet = build(completeStack([{ kind: 'ipv4', value: IPV4 }, { kind: 'udp', value: { checksum: 'computed' } }, CNP]));
    expect((packet[10]! << 8) | packet[11]!).toBe(computeIpv4Checksum(packet));
    expect((packet[26]! << 8) | packet[27]!).toBe(computeUdpChecksum(IPV4.source, IPV4.destination, packet.subarray(20)));
    expect(dissect(packet, { linkType: 228 })).toMatchObject({ class: 'cnp', icrc: 'right' });
  });

  it('counts in lengths what stands before a trailer', () => {
    const frame = build([...completeStack([{ kind: 'ethernet', value: MACS }, { kind: 'ipv6', value: IPV6 }, { kind: 'udp' }, CNP]), { kind: 'trailer', value: { octets: new Uint8Array(6) } }]);
    const { layers } = dissect(frame);
    expect(layers.find(({ kind }) => kind === 'ipv6')).toMatchObject({ value: { payloadLength: 40, nextHeader: 17 } });
    expect(layers.at(-1)).toMatchObject({ kind: 'trailer', lenBytes: 6 });
  });

  it('writes wrong values as they are given', () => {
    const frame = build([{ kind: 'ipv6', value: { ...IPV6, payloadLength: 9999, nextHeader: 99 } }, { kind: 'udp', value: { length: 3, destinationPort: 1 } }]);
    expect(toHex(frame.subarray(4, 7))).toBe('270f63');
    expect(toHex(frame.subarray(44, 46))).toBe('0003');
  });

  it.each([
    [[{ kind: 'ipv6', value: { ...IPV6, hopLimit: 256 } }, { kind: 'udp', value: { destinationPort: 1 } }], 'layers[0] ipv6, ipv6.hopLimit'],
    [[{ kind: 'ethernet', value: MACS }, CNP], 'layers[0] ethernet, etherType'],
    [[{ kind: 'udp' }], 'layers[0] udp, destinationPort'],
    [[CNP, { kind: 'icrc' }], 'layers[1] icrc'],
    [[{ kind: 'udp', value: { destinationPort: 1, checksum: 'computed' } }], 'layers[0] udp'],
    [[{ kind: 'payload' }], 'layers[0] payload, octets'],
    [[{ kind: 'nonsense' }], 'layers[0] nonsense'],
  ])('refuses a stack that does not hold together: %#', (stack, where) => {
    expect(refusal(stack as LayerSpec[])).toMatchObject({ code: 'INVALID_ARGUMENT', where });
  });
});

describe('completeStack', () => {
  const data = (length: number): LayerSpec[] => [
    { kind: 'ipv4', value: IPV4 }, { kind: 'udp' }, { kind: 'bth', value: { opcode: 0x04, destQpn: 5 } },
    { kind: 'payload', value: { octets: new Uint8Array(length).fill(1) } },
  ];

  it.each([[1, 3], [2, 2], [3, 1], [4, 0], [5, 3]])('pads %i octets of payload by %i and adds the ICRC', (length, padCount) => {
    const packet = dissect(build(completeStack(data(length))), { linkType: 228 });
    expect(packet).toMatchObject({ class: 'data', icrc: 'right' });
    expect(packet.layers.find(({ kind }) => kind === 'bth')).toMatchObject({ value: { padCount } });
    expect(packet.layers.filter(({ kind }) => kind === 'pad')).toHaveLength(padCount === 0 ? 0 : 1);
  });

  it('adds nothing to a stack that has its ICRC, and nothing to one without a BTH', () => {
    const complete = completeStack(data(4));
    expect(completeStack(complete)).toEqual(complete);
    const plain: LayerSpec[] = [{ kind: 'ipv4', value: IPV4 }, { kind: 'udp', value: { destinationPort: 53 } }];
    expect(completeStack(plain)).toEqual(plain);
  });
});
