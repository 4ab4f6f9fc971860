import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import {
  LAYER_CODECS, build, completeStack, dissect, dissectionRules, type LayerKind, type LayerSpec, type Packet,
} from '../../src/packet/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { layOutOptions } from '../../src/wire/ip/options-header.js';
import { V1, V3, fromHex, toHex } from '../wire/support/hex.js';

const SOURCE = parseIpAddress('2001:db8::1');
const DESTINATION = parseIpAddress('2001:db8::2');
const IPV4 = { source: parseIpAddress('10.0.0.1'), destination: parseIpAddress('10.0.0.2') };
const MACS = { source: fromHex('020000000001'), destination: fromHex('020000000002') };
const ETHERNET: LayerSpec = { kind: 'ethernet', value: MACS };
const IP: LayerSpec = { kind: 'ipv6', value: { source: SOURCE, destination: DESTINATION } };
const UDP: LayerSpec = { kind: 'udp' };
const bth = (opcode: number): LayerSpec => ({ kind: 'bth', value: { opcode, destQpn: 0x118, psn: 7 } });
const payload = (length: number): LayerSpec => ({ kind: 'payload', value: { octets: new Uint8Array(length).fill(0xa5) } });
const RETH: LayerSpec = { kind: 'reth', value: { virtualAddress: 0x1000n, rKey: 5, dmaLength: 8 } };

/** One well-formed packet of each way through the dissector. */
const PACKETS: Readonly<Record<string, readonly LayerSpec[]>> = {
  'RC WRITE only': [ETHERNET, IP, UDP, bth(0x0a), RETH, payload(8)],
  'RC ACKNOWLEDGE': [ETHERNET, IP, UDP, bth(0x11), { kind: 'aeth', value: { syndrome: 0x1f, msn: 3 } }],
  'UD SEND only with immediate': [
    ETHERNET, { kind: 'ipv4', value: IPV4 }, UDP, bth(0x65), { kind: 'deth', value: { qKey: 1, reserved8: 0, sourceQpn: 2 } },
    { kind: 'immdt', value: { immediateData: 9 } }, payload(5),
  ],
  CNP: [ETHERNET, IP, UDP, bth(0x81)],
  'Fast CNP, option 1': [
    ETHERNET, IP,
    { kind: 'destination-options', value: { options: layOutOptions([{ type: 0x9e, data: DESTINATION, align: { x: 8, y: 6 } }]) } },
    UDP, bth(0x81),
  ],
  'SRv6 tunnel': [
    ETHERNET, IP, { kind: 'segment-routing', value: { segments: [DESTINATION] } },
    { kind: 'ipv6', value: { source: DESTINATION, destination: SOURCE } }, UDP, bth(0x04), payload(4),
  ],
  PFC: [ETHERNET, { kind: 'pfc', value: { classEnableVector: 8, pauseQuanta: [0, 0, 0, 65535, 0, 0, 0, 0] } }],
};

const frameOf = (name: string): Uint8Array => build(completeStack(PACKETS[name]!));
const kinds = ({ layers }: Packet): LayerKind[] => layers.map(({ kind }) => kind);

describe('dissect', () => {
  it('gives the stack of a packet with offsets', () => {
    const packet = dissect(frameOf('Fast CNP, option 1'));
    expect(packet.layers.map(({ kind, offset, lenBytes }) => [kind, offset, lenBytes])).toEqual([
      ['ethernet', 0, 14], ['ipv6', 14, 40], ['destination-options', 54, 24], ['udp', 78, 8], ['bth', 86, 12],
      ['cnp-reserved', 98, 16], ['icrc', 114, 4],
    ]);
    expect(packet).toMatchObject({ class: 'fastCnp1', why: 'none', destQpn: 0x118, icrc: 'right', ip: { version: 6, source: SOURCE } });
    expect(packet.trouble).toBeUndefined();
  });

  it('reads a frame of a ConnectX-4 Lx under every link type that can carry it', () => {
    const ethernet = Uint8Array.from([...MACS.destination, ...MACS.source, 0x08, 0x00, ...V1]);
    const sll = Uint8Array.from([0, 0, 0, 1, 0, 6, ...MACS.source, 0, 0, 0x08, 0x00, ...V1]);
    const sll2 = Uint8Array.from([0x08, 0x00, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6, ...MACS.source, 0, 0, ...V1]);
    for (const [linkType, bytes] of [[1, ethernet], [101, V1], [228, V1], [113, sll], [276, sll2]] as const) {
      const packet = dissect(bytes, { linkType });
      expect(packet, `link type ${linkType}`).toMatchObject({ class: 'cnp', icrc: 'right', destQpn: 0x118 });
      expect(toHex(build(packet.layers)), `link type ${linkType}`).toBe(toHex(bytes));
    }
    expect(dissect(V3, { linkType: 229 })).toMatchObject({ class: 'data', icrc: 'right' });
  });

  it.each(Object.keys(PACKETS))('says layer, offset, required and actual octets wherever %s ends too soon', (name) => {
    const whole = frameOf(name);
    const at = dissect(whole).layers;
    for (let length = 0; length < whole.length; length++) {
      const part = whole.subarray(0, length);
      const cut = dissect(part, { originalBytes: whole.length });
      const short = dissect(part);
      for (const packet of [cut, short]) {
        expect(packet.layers.reduce((sum, { lenBytes }) => sum + lenBytes, 0)).toBe(length);
        expect(toHex(build(packet.layers))).toBe(toHex(part));
      }
      const isWhole = at.every(({ offset, lenBytes, kind }) => offset + lenBytes <= length || kind === 'trailer');
      if (isWhole) continue;
      expect(cut.trouble, `${length} octets`).toMatchObject({ isCut: true });
      const { offset, required, actual } = cut.trouble!;
      expect(offset + actual, `${length} octets`).toBe(length);
      expect(required).toBeGreaterThan(actual);
      expect(short.trouble, `${length} octets`).toMatchObject({ isCut: false });
    }
  });

  it('walks tunnels to the inner packet, and classes the outer one', () => {
    const packet = dissect(frameOf('SRv6 tunnel'));
    expect(packet.class).toBe('other');
    expect(kinds(packet)).toEqual(['ethernet', 'ipv6', 'segment-routing', 'ipv6', 'udp', 'bth', 'payload', 'icrc']);
  });

  it('takes later fragments for what they are: octets from the middle of a datagram', () => {
    const fragment = (fragmentOffset: number): LayerSpec => ({ kind: 'fragment', value: { fragmentOffset, moreFragments: true, identification: 1, nextHeader: 17 } });
    const later = build([ETHERNET, IP, fragment(185), payload(40)]);
    expect(kinds(dissect(later))).toEqual(['ethernet', 'ipv6', 'fragment', 'payload']);
    expect(dissect(later).class).toBe('other');
    const first = build([ETHERNET, IP, fragment(0), { kind: 'udp', value: { destinationPort: 4791 } }, payload(40)]);
    expect(dissect(first)).toMatchObject({ class: 'discard', why: 'fragment' });
    const ipv4 = build([ETHERNET, { kind: 'ipv4', value: { ...IPV4, fragmentOffset: 3, flags: 0, protocol: 17 } }, payload(40)]);
    expect(kinds(dissect(ipv4))).toEqual(['ethernet', 'ipv4', 'payload']);
  });

  it('walks more headers than it has room for at first', () => {
    const options: LayerSpec = { kind: 'destination-options', value: { options: [{ kind: 'padn', data: new Uint8Array(4) }] } };
    const packet = dissect(build(completeStack([ETHERNET, IP, ...Array.from({ length: 100 }, () => options), UDP, bth(0x81)])));
    expect(packet.layers).toHaveLength(2 + 100 + 4);
    expect(packet.class).toBe('cnp');
  });

  it('reads ARN messages at the port that it is told, and only there', () => {
    const frame = build([ETHERNET, IP, { kind: 'udp', value: { destinationPort: 4790 } }, { kind: 'arn', value: { type: 1, priorityId: 3, compressionTime: 50 } }]);
    expect(kinds(dissect(frame))).toEqual(['ethernet', 'ipv6', 'udp', 'payload']);
    const packet = dissect(frame, { arnPort: 4790 });
    expect(packet.layers.at(-1)).toMatchObject({ kind: 'arn', value: { type: 1, priorityId: 3, compressionTime: 50 } });
  });

  it('keeps what contradicts itself as undecoded octets, and says why', () => {
    const frame = build([ETHERNET, IP, { kind: 'segment-routing', value: { segments: [DESTINATION], nextHeader: 17 } }, payload(8)]);
    frame[14 + 40 + 4] = 9; // last entry beyond the list
    const packet = dissect(frame);
    expect(kinds(packet)).toContain('undecoded');
    expect(packet.trouble).toMatchObject({ layer: 'segment-routing', offset: 54 });
    expect(toHex(build(packet.layers))).toBe(toHex(frame));
  });

  it('takes other option types, and a strict receiver drops what it does not know', () => {
    const options = { options: layOutOptions([{ type: 0x92, data: DESTINATION, align: { x: 8, y: 6 } }]) };
    const frame = build(completeStack([ETHERNET, IP, { kind: 'destination-options', value: options }, UDP, bth(0x81)]));
    expect(dissect(frame)).toMatchObject({ class: 'discard', why: 'unknownOption' });
    expect(dissect(frame, { optionTypes: { optionType1: 0x92, optionType2: 0x96 } })).toMatchObject({ class: 'fastCnp1' });
    expect(dissect(frame, { mode: 'strict-a17' })).toMatchObject({ class: 'discard', why: 'extensionHeader' });
  });

  it.each([
    [{ linkType: 247 }, 'linkType'], [{ optionTypes: { optionType1: 1 } }, 'optionTypes.optionType1'], [{ arnPort: 65536 }, 'arnPort'],
    [{ mode: 'lax' as 'strict-a17' }, 'mode'], [{ icrcPolicy: 'all' as 'omit' }, 'icrcPolicy'], [{ discoveryIcmpType: -1 }, 'discoveryIcmpType'],
  ])('refuses the options %j by name', (options, where) => {
    expect(() => dissectionRules(options)).toThrow(RoceError);
    expect(() => dissectionRules(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', where }) as Error);
  });

  it('has a codec for every kind of layer', () => {
    expect(Object.keys(LAYER_CODECS)).toHaveLength(32);
  });
});
