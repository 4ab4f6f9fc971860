/** Ultra Ethernet packets: descriptions, trimmed packets, options, stacks with omitted fields. */
import { describe as suite, expect, it } from 'vitest';
import { build, describe, dissect, type DissectOptions, type LayerSpec,
  type UetOptions } from '../../src/packet/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { toHex } from '../wire/support/hex.js';

const PAYLOAD = new Uint8Array(100).fill(7);
const IP_BYTES = 20;
const UDP_BYTES = 8;
const source = parseIpAddress('10.0.0.1');
const destination = parseIpAddress('10.0.0.2');
const RAW_IP: DissectOptions = { linkType: 101 };

const ip = (dscp = 0): LayerSpec => ({ kind: 'ipv4', value: { source, destination, dscp, ecn: 2 } });
const request: LayerSpec = { kind: 'uet-request', value: { psn: 100, spdcid: 3, dpdcid: 4 } };
const write: LayerSpec = {
  kind: 'uet-ses-standard',
  value: { sesOperation: 1, messageId: 7, requestLength: PAYLOAD.length },
};
const payload: LayerSpec = { kind: 'payload', value: { bytes: PAYLOAD } };
const packet = (...layers: readonly LayerSpec[]): Uint8Array => build([ip(), { kind: 'udp' }, ...layers]);
const line = (...layers: readonly LayerSpec[]): string =>
  describe(dissect(packet(...layers), RAW_IP)).replace('10.0.0.1 > 10.0.0.2  ', '').replace(/ {2}DSCP.*/, '');

suite('omitted fields', () => {
  it('follow from the layers around them: port, lengths, types and next headers', () => {
    const { layers } = dissect(packet(request, write, payload), RAW_IP);
    expect(layers.map(({ kind }) => kind)).toEqual(['ipv4', 'udp', 'uet-request', 'uet-ses-standard', 'payload']);
    expect(layers[1]!.value).toMatchObject({ destinationPort: 4793, length: UDP_BYTES + 12 + 44 + PAYLOAD.length });
    expect(layers[2]!.value).toMatchObject({ pdsType: 2, pdsNextHeader: 3 });
  });

  it('turn an ACK with selective acknowledgements into an ACK_CC', () => {
    const ack: LayerSpec = {
      kind: 'uet-ack',
      value: { pdsNextHeader: 0, cumulativePsn: 9, ackPsnOffset: 3, spdcid: 4, dpdcid: 3 },
    };
    expect(line(ack, { kind: 'uet-sack' }, {
      kind: 'uet-nscc-state',
      value: { serviceTime: 100, windowPenalty: 64, rcvdBytes256: 2 },
    })).toBe('UET ACK_CC PDC 4 > 3 cumulative PSN 9, about PSN 12, ' +
      'NSCC: service time 12800 ns, received 512 bytes, window penalty 64');
  });

  it('must be stated if another header hides them', () => {
    expect(() => packet(request, { kind: 'uet-request-cc' }, write)).toThrow(/pdsNextHeader.*State the field/);
  });
});

suite('the line of a packet', () => {
  it.each<[string, readonly LayerSpec[]]>([
    ['UET RUD_REQ PDC 3 > 4 PSN 100, WRITE message 7, 100 bytes', [request, write, payload]],
    ['UET RUD_REQ PDC 3, SYN, PSN 100 (5 after the first), asks for an ACK, retransmitted', [{
      kind: 'uet-request',
      value: { psn: 100, spdcid: 3, dpdcid: 0x1005, syn: true, ackRequest: true, retransmission: true },
    }]],
    ['UET RUD_REQ PDC 3 > 4 PSN 100, SEND message 7 from byte 4096, 100 bytes', [request, {
      kind: 'uet-ses-continued',
      value: { sesOperation: 5, messageId: 7, payloadLength: 100, messageOffset: 4096, requestLength: 9000 },
    }, payload]],
    ['UET RUD_REQ PDC 3 > 4 PSN 100, FETCHING_ATOMIC CSWAP message 7', [
      request,
      {
        kind: 'uet-ses-standard',
        value: { sesOperation: 4, messageId: 7, requestLength: 8 },
      },
      { kind: 'uet-atomic', value: { atomicOperation: 0x0d, atomicType: 7 } },
      {
        kind: 'uet-compare-swap',
        value: { compareValue: new Uint8Array(16), swapValue: new Uint8Array(16) },
      },
    ]],
    ['UET ACK PDC 4 > 3 cumulative PSN 9, response to probe 0xbeef, asks to close, marked, RESPONSE OK', [{
      kind: 'uet-ack',
      value: {
        cumulativePsn: 9,
        ackPsnOffset: 0xbeef - 0x10000,
        spdcid: 4,
        dpdcid: 3,
        probeResponse: true,
        targetRequest: 2,
        marked: true,
      },
    }, { kind: 'uet-ses-response', value: { messageId: 7 } }]],
    ['UET NACK PDC 4 > 3 PSN 100, TRIMMED_LASTHOP', [{
      kind: 'uet-nack',
      value: { nackCode: 2, nackPsn: 100, spdcid: 4, dpdcid: 3 },
    }]],
    ['UET NACK packet 100, code 0x0c, marked', [{
      kind: 'uet-nack',
      value: { nackCode: 0x0c, nackPsn: 100, rudi: true, marked: true },
    }]],
    ['UET CP PROBE PDC 3 > 4 PSN 101', [{
      kind: 'uet-control',
      value: { controlType: 6, psn: 101, spdcid: 3, dpdcid: 4 },
    }]],
    ['UET TSS domain 0x00abcd, encrypted, 100 bytes', [{
      kind: 'uet-security',
      value: { secureDomain: 0xabcd, securityCounter: 1n },
    }, payload]],
    ['UET type 31', [{ kind: 'uet-request', value: { psn: 1, spdcid: 3, dpdcid: 4, pdsType: 31 } }]],
  ])('%s', (words, layers) => {
    expect(line(...layers)).toBe(words);
  });
});

suite('the payload', () => {
  it('has the length in the request, and bytes after it, such as a CRC, are a trailer', () => {
    const crc: LayerSpec = { kind: 'trailer', value: { bytes: Uint8Array.of(1, 2, 3, 4) } };
    const bytes = build([
      ip(),
      { kind: 'udp', value: { length: UDP_BYTES + 12 + 44 + PAYLOAD.length + 4 } },
      request,
      write,
      payload,
      crc,
    ]);
    bytes[3] = bytes.length;
    const read = dissect(bytes, RAW_IP);
    expect(read.layers.at(-1)).toMatchObject({ kind: 'trailer', lenBytes: 4 });
    expect(read.uet?.payloadBytes).toBe(PAYLOAD.length);
  });

  it('is empty in a READ request, and takes all bytes in a first packet', () => {
    const read: LayerSpec = { kind: 'uet-ses-standard', value: { sesOperation: 2, messageId: 7, requestLength: 100 } };
    expect(dissect(packet(request, read), RAW_IP).uet?.payloadBytes).toBe(0);
    const first: LayerSpec = {
      kind: 'uet-ses-standard',
      value: { sesOperation: 1, messageId: 7, endOfMessage: false, requestLength: 8192 },
    };
    expect(dissect(packet(request, first, payload), RAW_IP).uet?.payloadBytes).toBe(PAYLOAD.length);
  });
});

suite('a trimmed packet', () => {
  /** A packet as trimmed by a switch: DSCP 12, the first `kept` bytes, lengths corrected or not. */
  function trimmed(kept: number, correctsLengths: boolean, dscp = 12): Uint8Array {
    const whole = packet(request, write, payload);
    whole[1] = (dscp << 2) | 2;
    const bytes = whole.slice(0, kept);
    if (correctsLengths) {
      bytes[3] = kept;
      bytes[IP_BYTES + 5] = kept - IP_BYTES;
    }
    return bytes;
  }

  it.each([true, false])('is read up to its end, with lengths corrected: %s', (correctsLengths) => {
    for (let kept = IP_BYTES + UDP_BYTES + 2; kept < 150; kept++) {
      const read = dissect(trimmed(kept, correctsLengths), RAW_IP);
      expect(read.trouble, `${kept} bytes`).toBeUndefined();
      expect(read.uet).toMatchObject({ typeName: 'RUD_REQ', isTrimmed: true, dscpName: 'TRIMMED' });
      expect(read.uet?.payloadBytes).toBe(kept < 84 ? undefined : kept - 84);
      expect(toHex(build(read.layers))).toBe(toHex(trimmed(kept, correctsLengths)));
    }
  });

  it('is reported with the hop', () => {
    expect(describe(dissect(trimmed(90, true), RAW_IP))).toBe(
      '10.0.0.1 > 10.0.0.2  UET RUD_REQ PDC 3 > 4 PSN 100, WRITE message 7, 6 bytes, trimmed  ' +
        'DSCP 12 TRIMMED ECT(0)  90 bytes',
    );
    expect(describe(dissect(trimmed(90, true, 16), RAW_IP))).toContain(
      ', trimmed at the last hop  DSCP 16 TRIMMED_LASTHOP',
    );
  });

  it('is malformed under another DSCP', () => {
    const other = { ...RAW_IP, uet: { dscps: { trimmed: 11 } } };
    expect(dissect(trimmed(90, false), other)).toMatchObject({ class: 'malformed', why: 'ip-length' });
    expect(dissect(trimmed(90, false, 11), other).uet).toMatchObject({ isTrimmed: true });
  });
});

suite('options', () => {
  const otherPort = (destinationPort: number): Uint8Array =>
    build([ip(), { kind: 'udp', value: { destinationPort } }, request, write, payload]);

  it('add a port', () => {
    expect(dissect(otherPort(49_150), RAW_IP).uet).toBeUndefined();
    expect(dissect(otherPort(49_150), { ...RAW_IP, uet: { port: 49_150 } }).uet?.typeName).toBe('RUD_REQ');
    expect(dissect(otherPort(4793), { ...RAW_IP, uet: { port: 49_150 } }).uet?.typeName).toBe('RUD_REQ');
  });

  it('disable Ultra Ethernet', () => {
    const read = dissect(otherPort(4793), { ...RAW_IP, uet: false });
    expect(read.uet).toBeUndefined();
    expect(read.unread).toEqual({ field: 'udp-port', number: 4793 });
  });

  it('set an IP protocol for packets without UDP, whole or trimmed', () => {
    const native = build([
      { kind: 'ipv4', value: { source, destination, dscp: 12, protocol: 253 } },
      {
        kind: 'uet-entropy',
        value: { uetEntropy: 0xc0de },
      },
      request,
      write,
      payload,
    ]);
    expect(dissect(native, RAW_IP).unread).toEqual({ field: 'ip-protocol', number: 253 });
    const options = { ...RAW_IP, uet: { ipProtocol: 253 } };
    expect(dissect(native, options).uet).toMatchObject({ typeName: 'RUD_REQ', payloadBytes: PAYLOAD.length });
    const cut = dissect(native.slice(0, 60), options);
    expect(cut).toMatchObject({ class: 'malformed', uet: { isTrimmed: true, typeName: 'RUD_REQ' } });
    expect(cut.trouble).toBeUndefined();
  });

  it.each<[string, UetOptions, RegExp]>([
    ['a port', { port: 0 }, /uet\.port/],
    ['a protocol', { ipProtocol: 256 }, /uet\.ipProtocol/],
    ['DSCPs', { dscps: { trimmed: 64 } }, /trimmed/],
  ])('are rejected out of range: %s', (_name, uet, message) => {
    expect(() => dissect(new Uint8Array(60), { uet })).toThrow(message);
  });
});

it('a wrong UDP length is an error, unless the packet is trimmed', () => {
  const bytes = build([ip(), { kind: 'udp', value: { length: 500 } }, request, write, payload]);
  expect(dissect(bytes, RAW_IP).trouble).toMatchObject({ layer: 'udp', reason: 'udp-length' });
});
