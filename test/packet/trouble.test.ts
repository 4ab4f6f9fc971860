import { describe, expect, it } from 'vitest';
import { build, dissect, type Layer, type LayerSpec, type Packet } from '../../src/packet/index.js';
import { toHex } from '../wire/support/hex.js';
import { ARN_PORT, ETHERNET, HOST_A, HOST_B, MACS, QUAD_A, QUAD_B, SAMPLES, SAMPLE_NAMES, UDP, V4, V6, bth,
  completeSample, destinationOptions, payload } from './support/packets.js';

/** Layers are in the order of the frame, and each captured byte is in exactly one. */
function expectCovered({ layers }: Packet, bytes: Uint8Array): void {
  let at = 0;
  for (const { offset, lenBytes } of layers) {
    expect(offset).toBe(at);
    expect(lenBytes).toBeGreaterThan(0);
    at += lenBytes;
  }
  expect(at).toBe(bytes.length);
  expect(toHex(build(layers))).toBe(toHex(bytes));
}

/** The name of a layer; it is generic if the bytes that distinguish, for example, PAUSE from PFC are missing. */
function nameOf({ kind, offset }: Layer, length: number): string {
  if (kind === 'pause' && length < offset + 2) return 'pfc';
  if (kind === 'segment-routing' && length < offset + 3) return 'routing';
  return kind === 'roce-fc-icmp' && length === offset ? 'payload' : kind;
}

/** The layer of the whole packet that contains byte `length`; undefined if no length field reveals the truncation. */
function layerAt(layers: readonly Layer[], length: number): Layer | undefined {
  const layer = layers.find(({ offset, lenBytes }) => offset <= length && length < offset + lenBytes);
  const isBounded = layer?.kind !== 'trailer' &&
    !(layer?.kind === 'payload' && layers[layers.indexOf(layer) - 1]?.kind === 'ethernet');
  return isBounded ? layer : undefined;
}

describe.each(SAMPLE_NAMES)('%s', (name) => {
  const { options = {} } = SAMPLES[name]!;
  const whole = build(completeSample(name));
  const { layers } = dissect(whole, options);

  it('is read without errors', () => {
    const packet = dissect(whole, options);
    expect(packet.trouble).toBeUndefined();
    expectCovered(packet, whole);
  });

  it('names the truncated layer, its offset and its remaining bytes if the capture truncates it anywhere', () => {
    for (let length = 0; length < whole.length; length++) {
      const packet = dissect(whole.subarray(0, length), { ...options, originalBytes: whole.length });
      expectCovered(packet, whole.subarray(0, length));
      const layer = layerAt(layers, length);
      if (!layer) {
        expect(packet.trouble, `${length} bytes`).toBeUndefined();
        continue;
      }
      const { offset, lenBytes } = layer;
      const kind = nameOf(layer, length);
      const actual = length - offset;
      expect(packet.trouble, `${length} bytes`).toMatchObject({ layer: kind, offset, actual, isCut: true });
      expect(packet.trouble!.required).toBeGreaterThan(actual);
      expect(packet.trouble!.required).toBeLessThanOrEqual(lenBytes);
      expect(packet.trouble!.message).toBe(
        `${kind} at offset ${offset}: the capture ends inside it, required ${
          packet.trouble!.required
        }, actual ${actual}`,
      );
      if (packet.class === 'cut') expect(packet.why).not.toBe('none');
    }
  });

  it('names a layer that claims more bytes than the packet has if it is truncated on the wire', () => {
    for (let length = 0; length < whole.length; length++) {
      const packet = dissect(whole.subarray(0, length), options);
      expectCovered(packet, whole.subarray(0, length));
      if (!layerAt(layers, length)) continue;
      const { trouble } = packet;
      expect(trouble, `${length} bytes`).toMatchObject({ isCut: false });
      const claimer = layers.find(({ offset }) => offset === trouble!.offset);
      expect(claimer && nameOf(claimer, length), `${length} bytes`).toBe(trouble!.layer);
      expect(trouble!.required).toBeGreaterThan(trouble!.actual);
      expect(trouble!.message).toContain(`${trouble!.layer} at offset ${trouble!.offset}: too few bytes`);
      expect(packet.class).not.toBe('cut');
    }
  });
});

/** Dissects a stack with a wrong field, and checks that its layers cover the frame. */
function broken(stack: readonly LayerSpec[]): Packet {
  const frame = build(stack);
  const packet = dissect(frame, { arnPort: ARN_PORT });
  expectCovered(packet, frame);
  return packet;
}

describe('trouble', () => {
  const cnp = [bth(0x81), { kind: 'cnp-reserved' }, { kind: 'icrc' }] as const satisfies readonly LayerSpec[];
  const ipv4 = (value: object): LayerSpec => ({
    kind: 'ipv4',
    value: { source: QUAD_A, destination: QUAD_B, ...value },
  });
  const ipv6 = (value: object): LayerSpec => ({
    kind: 'ipv6',
    value: { source: HOST_A, destination: HOST_B, ...value },
  });

  it.each<[string, readonly LayerSpec[], object, string]>([
    ['an IPv4 total length of 0', [ETHERNET, ipv4({ totalLength: 0 }), UDP, ...cnp], {
      class: 'malformed',
      why: 'ip-length',
    }, 'ipv4 at offset 14: too few bytes, required 20, actual 0'],
    ['an IPv4 total length beyond the frame', [ETHERNET, ipv4({ totalLength: 61 }), UDP, ...cnp], {
      class: 'malformed',
      why: 'ip-length',
    }, 'ipv4 at offset 14: too few bytes, required 61, actual 60'],
    ['an IPv6 payload length beyond the frame', [ETHERNET, ipv6({ payloadLength: 41 }), UDP, ...cnp], {
      class: 'malformed',
      why: 'ip-length',
    }, 'ipv6 at offset 14: too few bytes, required 41, actual 40'],
    [
      'IPv6 behind the EtherType of IPv4',
      [{ kind: 'ethernet', value: { ...MACS, etherType: 0x0800 } }, V6, UDP, ...cnp],
      { class: 'malformed', why: 'ip-version' },
      'ipv4 at offset 14: another IP version, required 4, actual 6',
    ],
    ['a UDP length below its own header', [ETHERNET, V6, { kind: 'udp', value: { length: 7 } }, ...cnp], {
      class: 'malformed',
      why: 'udp-length',
    }, 'udp at offset 54: too few bytes, required 8, actual 7'],
    ['a UDP length beyond the datagram', [ETHERNET, V6, { kind: 'udp', value: { length: 41 } }, ...cnp], {
      class: 'malformed',
      why: 'udp-length',
    }, 'udp at offset 54: too few bytes, required 41, actual 40'],
    ['a UDP length without space for BTH and ICRC', [ETHERNET, V6, { kind: 'udp', value: { length: 23 } }, ...cnp], {
      class: 'malformed',
      why: 'bth-short',
    }, 'bth at offset 62: too few bytes, required 16, actual 15'],
    ['an acknowledgement without AETH', [ETHERNET, V6, UDP, bth(0x11), { kind: 'icrc' }], {
      class: 'malformed',
      why: 'aeth-short',
    }, 'aeth at offset 74: too few bytes, required 4, actual 0'],
    ['an RDMA WRITE without RETH', [ETHERNET, V6, UDP, bth(0x0a), payload(12), { kind: 'icrc' }], {
      class: 'data',
      why: 'none',
    }, 'reth at offset 74: too few bytes, required 16, actual 12'],
    [
      'an option that reaches beyond its header',
      [ETHERNET, ipv6({ nextHeader: 60 }), {
        kind: 'payload',
        value: { bytes: Uint8Array.from([17, 0, 0x9e, 5, 0, 0, 0, 0]) },
      }],
      { class: 'malformed', why: 'option-length' },
      'destination-options at offset 56: too few bytes, required 7, actual 6',
    ],
    [
      'an extension header beyond the datagram',
      [ETHERNET, ipv6({ nextHeader: 60 }), {
        kind: 'payload',
        value: { bytes: Uint8Array.from([17, 1, 1, 4, 0, 0, 0, 0]) },
      }],
      { class: 'malformed', why: 'extension-length' },
      'destination-options at offset 54: too few bytes, required 16, actual 8',
    ],
    ['an inner header of another version', [ETHERNET, ipv6({ nextHeader: 4 }), V6, UDP, ...cnp], {
      class: 'malformed',
      why: 'ip-version',
    }, 'ipv4 at offset 54: another IP version, required 4, actual 6'],
    [
      'an ARN message that ends inside its flow',
      [ETHERNET, V4, { kind: 'udp', value: { destinationPort: ARN_PORT } }, {
        kind: 'payload',
        value: { bytes: Uint8Array.from([1, 0, 0, 0x80, 4, 10, 0, 0]) },
      }],
      { class: 'other', why: 'none' },
      'arn at offset 42: too few bytes, required 20, actual 8',
    ],
  ])('of %s', (_, stack, summary, message) => {
    const packet = broken(stack);
    expect(packet).toMatchObject({ ...summary, trouble: { isCut: false, message } });
    expect(packet.layers.at(-1)!.kind === 'undecoded' || packet.trouble!.actual === 0).toBe(true);
  });

  it('of an IPv4 header length of 4 words, and of one beyond the total length', () => {
    const frame = build([ETHERNET, V4, UDP, ...cnp]);
    frame[14] = 0x44;
    expect(dissect(frame)).toMatchObject({
      class: 'malformed',
      why: 'ihl',
      trouble: { layer: 'ipv4', offset: 14, required: 20, actual: 16 },
    });
    frame[14] = 0x4f;
    frame[17] = 40;
    expect(dissect(frame)).toMatchObject({
      class: 'malformed',
      why: 'ihl',
      trouble: { layer: 'ipv4', offset: 14, required: 60, actual: 40 },
    });
  });

  it('is absent if only the class indicates the error', () => {
    const twoOptions = destinationOptions({ type: 0x9e, data: HOST_B, align: { x: 8, y: 6 } }, {
      type: 0x9e,
      data: HOST_B,
      align: { x: 8, y: 6 },
    });
    const packet = dissect(build([ETHERNET, V6, twoOptions, UDP, ...cnp]));
    expect(packet).toMatchObject({ class: 'malformed', why: 'fast-cnp-option' });
    expect(packet.trouble).toBeUndefined();
    expect(packet.layers.at(-1)!.kind).toBe('icrc');
  });

  it('of parameters of unknown length in an ARN message is reported by its codec', () => {
    const packet = broken([ETHERNET, V4, { kind: 'udp', value: { destinationPort: ARN_PORT } }, {
      kind: 'payload',
      value: { bytes: Uint8Array.from([1, 0, 0, 0x08, 1, 2, 3, 4]) },
    }]);
    expect(packet).toMatchObject({ class: 'other', trouble: { layer: 'arn', offset: 42, isCut: false } });
    expect(packet.trouble!.message).toContain('parameters of unknown size');
    expect(packet.layers.at(-1)).toMatchObject({ kind: 'undecoded', offset: 42, lenBytes: 8 });
  });

  it('is that of the first malformed layer', () => {
    const frame = build([
      ETHERNET,
      V6,
      { kind: 'segment-routing', value: { segments: [HOST_B], nextHeader: 17 } },
      payload(3),
    ]);
    expect(dissect(frame).trouble).toMatchObject({ layer: 'udp', offset: 78 });
    frame[58] = 9; // The last entry is beyond the list.
    expect(dissect(frame).trouble).toMatchObject({ layer: 'segment-routing', offset: 54 });
  });
});
