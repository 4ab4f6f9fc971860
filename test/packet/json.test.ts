import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { build, completeStack, dissect, layersFromJson, packetToJson, type Json } from '../../src/packet/index.js';
import { toHex } from '../wire/support/hex.js';
import { ETHERNET, HOST_B, SAMPLES, SAMPLE_NAMES, UDP, V6, bth, completeSample,
  destinationOptions } from './support/packets.js';

type JsonPacket = Readonly<Record<string, Json>> & { readonly layers: readonly Readonly<Record<string, Json>>[] };

function jsonOf(name: string): JsonPacket {
  return JSON.parse(
    JSON.stringify(packetToJson(dissect(build(completeSample(name)), SAMPLES[name]!.options))),
  ) as JsonPacket;
}

function rejection(json: unknown): RoceError {
  try {
    layersFromJson(json);
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not rejected');
}

describe('a packet as JSON', () => {
  it.each(SAMPLE_NAMES)('%s round-trips to the same bytes, in full and in short form', (name) => {
    const bytes = build(completeSample(name));
    const { layers } = jsonOf(name);
    expect(toHex(build(layersFromJson(layers)))).toBe(toHex(bytes));
    const withoutPlaces = layers.map((layer) =>
      Object.fromEntries(Object.entries(layer).filter(([field]) => !['offset', 'lenBytes'].includes(field)))
    );
    expect(toHex(build(layersFromJson(withoutPlaces)))).toBe(toHex(bytes));
  });

  it('has addresses as text, bytes as hex digits, 64-bit numbers as text, and the contents of known options', () => {
    expect(jsonOf('Fast CNP, option 2')).toMatchObject({
      class: 'fast-cnp-2',
      why: 'none',
      destQpn: 0x118,
      icrc: 'right',
      originalDestination: '2001:db8::b',
      capturedBytes: 134,
      originalBytes: 134,
      ip: { version: 6, source: '2001:db8:ffff::1', destination: '2001:db8::a', dscp: 0, ecn: 0 },
    });
    const [ethernet, ipv6, options] = jsonOf('Fast CNP, option 2').layers;
    expect(ethernet).toEqual({
      kind: 'ethernet',
      offset: 0,
      lenBytes: 14,
      destination: '02:00:00:00:00:02',
      source: '02:00:00:00:00:01',
      tags: [],
      etherType: 0x86dd,
    });
    expect(ipv6).toMatchObject({ source: '2001:db8:ffff::1', destination: '2001:db8::a' });
    expect(options).toMatchObject({
      options: [{ kind: 'padn', data: '' }, {
        kind: 'option',
        type: 0x9e,
        contents: {
          kind: 'fast-cnp-2',
          originalDestination: '2001:db8::b',
          trace: { nodes: [{ nodeId: 7, queueDepth: 1024 }] },
        },
      }],
    });
    expect(jsonOf('RC ATOMIC compare and swap').layers[4]).toMatchObject({
      virtualAddress: '8192',
      compare: '18446744073709551615',
    });
    expect(jsonOf('RoCEv1').layers[1]).toMatchObject({ sourceGid: '2001:db8::a' });
    expect(jsonOf('ARN').layers.at(-1)).toMatchObject({
      flow: { source: '10.0.0.1', destination: '10.0.0.2', protocol: 17 },
    });
  });

  it('shows the contents of options of the types used for dissecting the packet', () => {
    const optionTypes = { optionType1: 0x92, optionType2: 0x96 };
    const packet = dissect(
      build(completeStack([ETHERNET, V6, destinationOptions({ type: 0x92, data: HOST_B }), UDP, bth(0x81)])),
      { optionTypes },
    );
    expect(JSON.stringify(packetToJson(packet))).not.toContain('contents');
    expect(JSON.stringify(packetToJson(packet, optionTypes))).toContain(
      '"contents":{"kind":"fast-cnp-1","originalDestination":"2001:db8::b"}',
    );
  });

  it('reports the same error as the packet', () => {
    const frame = build(completeSample('CNP')).subarray(0, 50);
    expect(packetToJson(dissect(frame, { originalBytes: 94 }))).toMatchObject({
      class: 'cut',
      trouble: { layer: 'ipv6', offset: 14, required: 40, actual: 36, reason: 'ip-short', isCut: true },
      capturedBytes: 50,
      originalBytes: 94,
    });
  });
});

describe('layers from JSON', () => {
  const bytesOf = (...layers: Json[]): string => toHex(build(layersFromJson(layers)));

  it('places options without a kind at their alignment, with padding, and leaves others unchanged', () => {
    const ip = { kind: 'ipv6', source: '::1', destination: '::2', nextHeader: 60 };
    expect(bytesOf(ip, {
      kind: 'destination-options',
      nextHeader: 17,
      options: [{ type: 0x9e, data: '20010db8000000000000000000000077' }],
    }).slice(80))
      .toBe('1102010200009e1020010db8000000000000000000000077');
    expect(bytesOf(ip, { kind: 'hop-by-hop', nextHeader: 17, options: [] }).slice(80)).toBe('1100010400000000');
    expect(bytesOf(ip, {
      kind: 'destination-options',
      nextHeader: 17,
      options: [{ kind: 'option', type: 0x31, data: '00000000' }],
    }).slice(80)).toBe('1100310400000000');
  });

  it('accepts 64-bit numbers as text in two notations, and as numbers if exact', () => {
    const reth = (virtualAddress: Json): string =>
      bytesOf({ kind: 'reth', virtualAddress, rKey: 0, dmaLength: 0 }).slice(0, 16);
    expect(['0xFFffffffffffffff', '18446744073709551615', 4096, '4096'].map(reth)).toEqual([
      'f'.repeat(16),
      'f'.repeat(16),
      '0000000000001000',
      '0000000000001000',
    ]);
  });

  it('accepts hardware addresses in both notations, and IPv4 addresses in IPv6 fields as mapped ones', () => {
    expect(bytesOf({ kind: 'ethernet', source: '02-00-00-00-00-0A', destination: '02:00:00:00:00:0b', etherType: 1 }))
      .toBe('02000000000b02000000000a0001');
    expect(
      bytesOf({ kind: 'grh', payloadLength: 0, sourceGid: '10.0.0.1', destinationGid: '::ffff:10.0.0.2' }).slice(16),
    ).toBe('00000000000000000000ffff0a00000100000000000000000000ffff0a000002');
  });

  it.each<[unknown, object]>([
    [{}, { where: 'layers', allowed: 'a list of layers' }],
    [[null], { where: 'layers[0]', allowed: 'an object' }],
    [[{ kind: 'none' }], { where: 'layers[0].kind' }],
    [[{}], { where: 'layers[0].kind', got: undefined }],
    [[{ kind: 'udp' }, { kind: 'bth', opcode: 129, destQPN: 5 }], {
      where: 'layers[1]',
      got: 'destQPN',
      allowed: expect.arrayContaining(['destQpn']) as string[],
    }],
    [[{ kind: 'bth', opcode: 129, destQpn: 5, becn: 1 }], {
      where: 'layers[0].becn',
      got: 1,
      allowed: 'true or false',
    }],
    [[{ kind: 'bth', opcode: '0x81', destQpn: 5 }], { where: 'layers[0].opcode', got: '0x81', allowed: 'a number' }],
    [[{ kind: 'udp', length: 'computed' }], { where: 'layers[0].length', got: 'computed', allowed: 'a number' }],
    [[{ kind: 'ethernet', source: 5, destination: '02:00:00:00:00:01' }], {
      where: 'layers[0].source',
      allowed: 'bytes or an address, as text',
    }],
    [[{ kind: 'ethernet', source: '02:00:00:00:00:0g', destination: '02:00:00:00:00:01' }], {
      where: 'layers[0].source',
    }],
    [[{ kind: 'ethernet', source: '02:00:00:00:00:01', destination: '02:00:00:00:00:01', tags: 7 }], {
      where: 'layers[0].tags',
      allowed: 'a list',
    }],
    [[{ kind: 'ipv6', source: '::1', destination: '2001::g' }], { where: 'layers[0].destination' }],
    [[{ kind: 'ipv4', source: '1.1.1.1', destination: '1.1.1.1', options: 'xy' }], { where: 'layers[0].options' }],
    [[{ kind: 'payload', bytes: 'abc' }], { where: 'layers[0].bytes', allowed: 'hex digits, two for each byte' }],
    [[{ kind: 'payload', bytes: 12 }], { where: 'layers[0].bytes' }],
    [[{ kind: 'reth', virtualAddress: '12x', rKey: 0, dmaLength: 0 }], { where: 'layers[0].virtualAddress' }],
    [[{ kind: 'reth', virtualAddress: 2 ** 53, rKey: 0, dmaLength: 0 }], { where: 'layers[0].virtualAddress' }],
    [[{ kind: 'atomic-ack-eth', original: true }], { where: 'layers[0].original' }],
    [[{ kind: 'segment-routing', segments: '::1' }], { where: 'layers[0].segments', allowed: 'a list' }],
    [[{ kind: 'segment-routing', segments: ['::1', '::x'] }], { where: 'layers[0].segments[1]' }],
    [[{ kind: 'arn', type: 1, flow: null }], { where: 'layers[0].flow', allowed: 'an object' }],
    [[{ kind: 'hop-by-hop' }], { where: 'layers[0].options', allowed: 'a list of options' }],
    [[{ kind: 'hop-by-hop', options: [3] }], { where: 'layers[0].options[0]', allowed: 'an object' }],
    [[{ kind: 'hop-by-hop', options: [{ type: 5 }] }], { where: 'layers[0].options[0].data' }],
    [[{ kind: 'hop-by-hop', options: [{ kind: 'pad2', data: '' }] }], { where: 'layers[0].options[0].kind' }],
    [[{ kind: 'hop-by-hop', options: [{ type: 1, data: '' }] }], {
      where: 'layers[0], optionsHeader.options.type',
      got: 1,
    }],
  ])('rejects %j with the position of the error', (json, details) => {
    expect(rejection(json)).toMatchObject({ code: 'invalid-argument', ...details });
  });
});
