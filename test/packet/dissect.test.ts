import { describe, expect, it } from 'vitest';
import { ICRC_LITERAL, PARSE_FAST_CNP_DOMAIN } from '../../src/abi/codes.js';
import { RoceError } from '../../src/errors.js';
import { LAYER_CODECS, build, completeStack, createDissector, dissect, dissectionRules, type LayerKind, type LayerSpec,
  type Packet } from '../../src/packet/index.js';
import { mrcSettings, uetSettings } from '../../src/packet/multipath-settings.js';
import { FAST_CNP_ICRC, FAST_CNP_WITHOUT_ICRC, V1, V3, fromHex, toHex } from '../wire/support/hex.js';
import { ARN_PORT, ETHERNET, HOST_A, HOST_B, MACS, OPTION_2, QUAD_A, QUAD_B, SAMPLES, SAMPLE_NAMES, SWITCH, UDP, V4, V6,
  bth, completeSample, destinationOptions, payload } from './support/packets.js';

const frameOf = (name: string): Uint8Array => build(completeSample(name));

const kinds = ({ layers }: Packet): LayerKind[] => layers.map(({ kind }) => kind);

describe('dissect', () => {
  it('returns the stack of a packet with offsets', () => {
    const packet = dissect(frameOf('Fast CNP, option 1'));
    expect(packet.layers.map(({ kind, offset, lenBytes }) => [kind, offset, lenBytes])).toEqual([
      ['ethernet', 0, 14],
      ['ipv6', 14, 40],
      ['destination-options', 54, 24],
      ['udp', 78, 8],
      ['bth', 86, 12],
      ['cnp-reserved', 98, 16],
      ['icrc', 114, 4],
    ]);
    expect(packet).toMatchObject({
      class: 'fast-cnp-1',
      why: 'none',
      destQpn: 0x118,
      icrc: 'right',
      originalDestination: HOST_B,
      ip: { version: 6, source: SWITCH, destination: HOST_A },
    });
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

  it('parses tunnels up to the inner packet and classifies it, unless configured to stop at the outer packet', () => {
    const packet = dissect(frameOf('IPv6 in SRv6'));
    expect(packet).toMatchObject({ class: 'data', tunnel: { kind: 'ipv6', depth: 1, outer: { version: 6 } } });
    expect(dissect(frameOf('IPv6 in SRv6'), { tunnels: 'outside' }).class).toBe('other');
    expect(kinds(packet)).toEqual(['ethernet', 'ipv6', 'segment-routing', 'ipv6', 'udp', 'bth', 'payload', 'icrc']);
  });

  it('treats later fragments as bytes from the middle of a datagram', () => {
    for (
      const [name, layers] of [['later IPv6 fragment', ['ethernet', 'ipv6', 'fragment', 'payload']], [
        'later IPv4 fragment',
        ['ethernet', 'ipv4', 'payload'],
      ]] as const
    ) {
      const packet = dissect(frameOf(name));
      expect(packet.class).toBe('other');
      expect(kinds(packet)).toEqual(layers);
    }
  });

  it('rejects first fragments to the RoCEv2 port, and keeps their UDP header', () => {
    const ipv4 = build([ETHERNET, { kind: 'ipv4', value: { source: QUAD_A, destination: QUAD_B, flags: 1 } }, {
      kind: 'udp',
      value: { destinationPort: 4791 },
    }, payload(40)]);
    for (const frame of [ipv4, frameOf('first IPv6 fragment')]) {
      const packet = dissect(frame);
      expect(packet).toMatchObject({ class: 'discard', why: 'fragment' });
      expect(kinds(packet).slice(-2)).toEqual(['udp', 'payload']);
    }
  });

  it('parses more headers than its initial capacity', () => {
    const options: LayerSpec = {
      kind: 'destination-options',
      value: { options: [{ kind: 'padn', data: new Uint8Array(4) }] },
    };
    const packet = dissect(
      build(completeStack([ETHERNET, V6, ...Array.from({ length: 100 }, () => options), UDP, bth(0x81)])),
    );
    expect(packet.layers).toHaveLength(2 + 100 + 4);
    expect(packet.class).toBe('cnp');
  });

  it('reads ARN messages only at the configured port', () => {
    const frame = frameOf('ARN');
    expect(kinds(dissect(frame))).toEqual(['ethernet', 'ipv4', 'udp', 'payload']);
    const packet = dissect(frame, { arnPort: ARN_PORT });
    expect(packet.layers.at(-1)).toMatchObject({ kind: 'arn', value: { type: 1, priorityId: 3, compressionTime: 50 } });
  });

  it('treats bytes after an ARN message as a trailer', () => {
    const messages = [[1, 0, 9, 0], [1, 0, 9, 0x40, 0, 0, 0, 5], [
      1,
      0,
      0,
      0x90,
      4,
      ...QUAD_A.slice(12),
      ...QUAD_B.slice(12),
      17,
      1,
      2,
      3,
      4,
      0,
      0,
      0,
      0,
      0,
      7,
    ], [4, 0, 0, 0x80, 6, ...HOST_A, ...HOST_B, 17, 1, 2, 3, 4, 0, 0]];
    for (const message of messages) {
      const frame = build([ETHERNET, V4, { kind: 'udp', value: { destinationPort: ARN_PORT } }, {
        kind: 'payload',
        value: { bytes: Uint8Array.from([...message, 0xaa, 0xbb]) },
      }]);
      const packet = dissect(frame, { arnPort: ARN_PORT });
      expect(packet.trouble).toBeUndefined();
      expect(packet.layers.slice(-2)).toMatchObject([{ kind: 'arn', lenBytes: message.length }, {
        kind: 'trailer',
        lenBytes: 2,
      }]);
      expect(toHex(build(packet.layers))).toBe(toHex(frame));
    }
  });

  it('reads lossless discovery under the configured ICMP types', () => {
    const [v4, v6] = [frameOf('lossless discovery over IPv4'), frameOf('lossless discovery over IPv6')];
    expect(kinds(dissect(v4)).at(-1)).toBe('roce-fc-icmp');
    expect(kinds(dissect(v4, { discoveryIcmpType: 254 })).at(-1)).toBe('payload');
    expect(kinds(dissect(v4, { discoveryIcmpType: 256 })).at(-1)).toBe('payload');
    expect(kinds(dissect(v6)).at(-1)).toBe('roce-fc-icmp');
    expect(kinds(dissect(v6, { discoveryIcmpv6Type: 201 })).at(-1)).toBe('payload');
    v6[54] = 201;
    expect(kinds(dissect(v6, { discoveryIcmpv6Type: 201 })).at(-1)).toBe('roce-fc-icmp');
  });

  it('parses more than two VLAN tags, and from outside classifies the frame like the engine, which stops there', () => {
    const tagged = (count: number, tunnels?: 'outside'): Packet =>
      dissect(build(completeStack([
        {
          kind: 'ethernet',
          value: {
            ...MACS,
            tags: Array.from({ length: count }, () => ({ tpid: 0x8100, priority: 0, dropEligible: false, vlanId: 1 })),
          },
        },
        V6,
        UDP,
        bth(0x81),
      ])), tunnels === undefined ? {} : { tunnels });
    expect(tagged(2)).toMatchObject({ class: 'cnp', destQpn: 0x118 });
    expect(tagged(9)).toMatchObject({ class: 'cnp', destQpn: 0x118 });
    expect(tagged(2, 'outside').class).toBe('cnp');
    expect(tagged(3, 'outside').class).toBe('other');
    expect(tagged(9, 'outside').destQpn).toBeUndefined();
    expect(kinds(tagged(9))).toEqual(['ethernet', 'ipv6', 'udp', 'bth', 'cnp-reserved', 'icrc']);
  });

  it('parses up to 64 headers in a tunnel, and treats the rest as payload', () => {
    const nested = (count: number): Packet =>
      dissect(
        build([ETHERNET, ...Array.from({ length: count }, () => V4), { kind: 'udp', value: { destinationPort: 53 } }]),
      );
    expect(kinds(nested(65)).at(-1)).toBe('udp');
    expect(kinds(nested(66)).slice(-2)).toEqual(['ipv4', 'payload']);
    expect(kinds(nested(3000)).filter((kind) => kind === 'ipv4')).toHaveLength(65);
  });

  it('keeps an inconsistent layer as undecoded bytes, with the reason', () => {
    const frame = build([
      ETHERNET,
      V6,
      { kind: 'segment-routing', value: { segments: [HOST_B], nextHeader: 17 } },
      payload(8),
    ]);
    frame[14 + 40 + 4] = 9; // The last entry is beyond the list.
    const packet = dissect(frame);
    expect(kinds(packet)).toContain('undecoded');
    expect(packet.trouble).toMatchObject({ layer: 'segment-routing', offset: 54 });
    expect(toHex(build(packet.layers))).toBe(toHex(frame));
  });

  it('accepts other option types for the two options', () => {
    const optionTypes = { optionType1: 0x92, optionType2: 0x96 };
    const withOption = (type: number, data: Uint8Array): Uint8Array =>
      build(completeStack([ETHERNET, V6, destinationOptions({ type, data }), UDP, bth(0x81)]));
    expect(dissect(withOption(0x92, HOST_B))).toMatchObject({ class: 'discard', why: 'unknown-option' });
    expect(dissect(withOption(0x92, HOST_B), { optionTypes })).toMatchObject({
      class: 'fast-cnp-1',
      originalDestination: HOST_B,
    });
    expect(dissect(withOption(0x96, OPTION_2.data), { optionTypes })).toMatchObject({
      class: 'fast-cnp-2',
      originalDestination: HOST_B,
    });
    expect(dissect(withOption(0x96, HOST_B), { optionTypes })).toMatchObject({
      class: 'malformed',
      why: 'fast-cnp-option',
    });
    expect(dissect(withOption(0x9e, HOST_B), { optionTypes })).toMatchObject({
      class: 'discard',
      why: 'unknown-option',
    });
  });

  it('drops in strict mode the packets that an Annex A17 receiver drops', () => {
    const strict = { mode: 'strict-a17' } as const;
    expect(dissect(frameOf('Fast CNP, option 1'), strict)).toMatchObject({ class: 'discard', why: 'extension-header' });
    expect(dissect(frameOf('RC SEND only behind IPv4 options'), strict)).toMatchObject({
      class: 'discard',
      why: 'ipv4-fields',
    });
    expect(dissect(frameOf('CNP'), strict)).toMatchObject({ class: 'cnp' });
  });

  it('compares the ICRC under the configured policy, unless disabled', () => {
    const icrcOf = (icrcPolicy: 'literal' | 'omit' | 'normalise', checkIcrc = true) =>
      dissect(fromHex(toHex(FAST_CNP_WITHOUT_ICRC) + FAST_CNP_ICRC.omit), { linkType: 229, icrcPolicy, checkIcrc })
        .icrc;
    expect([icrcOf('omit'), icrcOf('literal'), icrcOf('normalise'), icrcOf('omit', false)]).toEqual([
      'right',
      'wrong',
      'wrong',
      undefined,
    ]);
  });

  it('treats a frame as whole if its length on the wire is below the captured length', () => {
    const frame = frameOf('CNP');
    expect(dissect(frame, { originalBytes: 3 })).toEqual(dissect(frame));
  });

  it('keeps no views of its input, not even of a Buffer', () => {
    for (const name of SAMPLE_NAMES) {
      const { options = {} } = SAMPLES[name]!;
      const frame = frameOf(name);
      const buffer = Buffer.from(frame);
      const packet = dissect(buffer, options);
      buffer.fill(0xee);
      expect(packet, name).toEqual(dissect(frame, options));
    }
  });

  it('gives the same results with a reused dissector', () => {
    const frames = SAMPLE_NAMES.filter((name) => SAMPLES[name]!.options?.linkType === undefined).map(frameOf);
    const parts = frames.flatMap((frame) => [frame, frame.subarray(0, 60), frame.subarray(0, 97)]);
    const again = createDissector({ arnPort: ARN_PORT });
    for (const before of parts) {
      for (const frame of parts) {
        again(before);
        expect(again(frame)).toEqual(createDissector({ arnPort: ARN_PORT })(frame));
      }
    }
  });

  it.each([
    [{ linkType: 247 }, 'linkType'],
    [{ optionTypes: { optionType1: 1 } }, 'optionTypes.optionType1'],
    [{ arnPort: 65536 }, 'arnPort'],
    [{ mode: 'lax' as 'strict-a17' }, 'mode'],
    [{ icrcPolicy: 'all' as 'omit' }, 'icrcPolicy'],
    [{ discoveryIcmpType: -1 }, 'discoveryIcmpType'],
    [{ linkType: 1.5 }, 'linkType'],
    [{ optionTypes: { optionType2: 256 } }, 'optionTypes.optionType2'],
    [{ discoveryIcmpv6Type: 257 }, 'discoveryIcmpv6Type'],
  ])('rejects the options %j by name', (options, where) => {
    expect(() => dissectionRules(options)).toThrow(RoceError);
    expect(() => dissectionRules(options)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where }) as Error,
    );
  });

  it('has defaults for every option', () => {
    expect(dissectionRules()).toEqual({
      linkType: 1,
      mode: PARSE_FAST_CNP_DOMAIN,
      readsTunnels: true,
      optionType1: 0x9e,
      optionType2: 0x9e,
      checksIcrc: true,
      icrcPolicy: ICRC_LITERAL,
      arnPort: 0,
      mrc: expect.objectContaining({ settings: mrcSettings() }) as object,
      uet: expect.objectContaining({ settings: uetSettings() }) as object,
      discoveryIcmpType: 253,
      discoveryIcmpv6Type: 200,
    });
  });

  it('has a codec for every kind of layer', () => {
    expect(Object.keys(LAYER_CODECS)).toHaveLength(84);
  });
});
