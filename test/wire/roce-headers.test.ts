import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import type { HeaderView, HeaderLayout } from '../../src/wire/header/define-header.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { Ethernet, EtherType } from '../../src/wire/link/ethernet.js';
import { Aeth, AtomicAckEth, AtomicEth, Deth, ExtendedHeaders, type ExtendedHeadersFields, Ieth, ImmediateData, Rdeth,
  Reth, Xrceth } from '../../src/wire/roce/extended-headers.js';
import { Bth, Opcode } from '../../src/wire/roce/bth.js';
import { Grh } from '../../src/wire/roce/roce-v1.js';
import { readCapture } from './support/frames.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const data = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const bits64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const U64_LIMIT = 2n ** 64n;

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

interface Codec<T extends object> {
  readonly layer: string;
  /** The prefix of its fields in errors. */
  readonly prefix: string;
  readonly header: HeaderLayout & {
    readonly View: new(bytes: Uint8Array, offset?: number) => HeaderView;
    readonly read: (bytes: Uint8Array, offset?: number) => T;
    readonly write: (value: T) => Uint8Array;
    readonly writeInto: (target: Uint8Array, offset: number, value: T) => number;
  };
  readonly values: fc.Arbitrary<T>;
  /** A header from the capture corpus or written by hand, and its value. */
  readonly example: readonly [hex: string, value: T];
  /** A value for each field that is too large. */
  readonly tooLarge: Readonly<Record<string, unknown>>;
  readonly repair?: (bytes: Uint8Array) => void;
}

function describeCodec<T extends object>(codec: Codec<T>): void {
  const { layer, prefix, header, values, tooLarge, repair = () => undefined } = codec;
  const { lenBytes, View, read, write, writeInto } = header;
  const [hex, value] = codec.example;
  const bytes = fromHex(hex);

  describe(layer, () => {
    it('matches the layout, bit by bit', () => {
      expectLayout(header, read, { repair });
    });

    it('reads and writes a known header, at any offset', () => {
      expect(read(bytes)).toEqual(value);
      expect(toHex(write(value))).toBe(hex.replaceAll(' ', ''));
      const target = new Uint8Array(bytes.length + 5).fill(0xee);
      expect(writeInto(target, 3, value)).toBe(3 + bytes.length);
      expect(toHex(target)).toBe(`eeeeee${toHex(bytes)}eeee`);
      expect(read(target, 3)).toEqual(value);
    });

    it('is the inverse of its reader for all values and all bytes', () => {
      fc.assert(fc.property(values, (any) => {
        expect(read(write(any))).toEqual(any);
      }));
      fc.assert(fc.property(data(lenBytes), (any) => {
        repair(any);
        expect(write(read(any))).toEqual(any);
      }));
    });

    it('has a view that does not copy, with the same values and the end of the header', () => {
      const shifted = new Uint8Array(bytes.length + 2);
      shifted.set(bytes, 2);
      const view = new View(shifted, 2);
      expect(view).toMatchObject(value);
      expect(view.payloadOffset).toBe(2 + bytes.length);
      shifted.set(write(value).map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte)), 2);
      expect(view).not.toMatchObject(value);
    });

    it('names layer, offset, required and actual bytes if truncated', () => {
      for (let length = 0; length < lenBytes; length++) {
        const shifted = new Uint8Array(5 + length);
        shifted.set(bytes.subarray(0, length), 5);
        const error = thrownBy(() => read(shifted, 5));
        expect(error).toBeInstanceOf(RoceError);
        expect(error).toMatchObject({
          code: 'invalid-packet',
          available: length,
          required: lenBytes,
          ...{ layer, offset: 5 },
        });
      }
    });

    it('accepts every field at its maximum and rejects one more, by name', () => {
      for (const [name, bad] of Object.entries(tooLarge)) {
        const isNumber = typeof bad === 'number' || typeof bad === 'bigint';
        const attempts = isNumber ? [bad, typeof bad === 'bigint' ? -1n : -1, '1', null] : [bad];
        for (const attempt of attempts) {
          const error = thrownBy(() => write({ ...value, [name]: attempt }));
          expect(error, `${name} ${String(attempt)}`).toBeInstanceOf(RoceError);
          expect(error).toMatchObject({ code: 'invalid-argument', where: `${prefix}.${name}` });
        }
        if (!isNumber) continue;
        const largest = typeof bad === 'bigint' ? bad - 1n : bad - 1;
        expect(read(write({ ...value, [name]: largest }))).toMatchObject({ [name]: largest });
      }
    });

    it('rejects a target that is too short without changing it', () => {
      const target = new Uint8Array(lenBytes);
      for (const offset of [1, -1, 0.5, NaN]) {
        expect(thrownBy(() => writeInto(target, offset, value))).toMatchObject({ code: 'invalid-argument' });
      }
      expect(target).toEqual(new Uint8Array(lenBytes));
    });
  });
}

describeCodec({
  layer: 'aeth',
  prefix: 'aeth',
  header: Aeth,
  values: fc.record({ syndrome: bits(8), msn: bits(24) }),
  example: ['60b67d2a', { syndrome: 0x60, msn: 0xb67d2a }],
  tooLarge: { syndrome: 2 ** 8, msn: 2 ** 24 },
});

describeCodec({
  layer: 'reth',
  prefix: 'reth',
  header: Reth,
  values: fc.record({ virtualAddress: bits64, rKey: bits(32), dmaLength: bits(32) }),
  example: [
    '0fbf2745cb793000 ae3aa765 00000010',
    { virtualAddress: 0x0fbf2745cb793000n, rKey: 0xae3aa765, dmaLength: 16 },
  ],
  tooLarge: { virtualAddress: U64_LIMIT, rKey: 2 ** 32, dmaLength: 2 ** 32 },
});

describeCodec({
  layer: 'deth',
  prefix: 'deth',
  header: Deth,
  values: fc.record({ qKey: bits(32), reserved8: bits(8), sourceQpn: bits(24) }),
  example: ['80010000 000d06cf', { qKey: Deth.QKEY_GSI, reserved8: 0, sourceQpn: 0x0d06cf }],
  tooLarge: { qKey: 2 ** 32, reserved8: 2 ** 8, sourceQpn: 2 ** 24 },
});

describeCodec({
  layer: 'rdeth',
  prefix: 'rdeth',
  header: Rdeth,
  values: fc.record({ reserved8: bits(8), eeContext: bits(24) }),
  example: ['a537f790', { reserved8: 0xa5, eeContext: 0x37f790 }],
  tooLarge: { reserved8: 2 ** 8, eeContext: 2 ** 24 },
});

describeCodec({
  layer: 'xrceth',
  prefix: 'xrceth',
  header: Xrceth,
  values: fc.record({ reserved8: bits(8), sharedReceiveQueue: bits(24) }),
  example: ['5a01e2f3', { reserved8: 0x5a, sharedReceiveQueue: 0x01e2f3 }],
  tooLarge: { reserved8: 2 ** 8, sharedReceiveQueue: 2 ** 24 },
});

describeCodec({
  layer: 'atomic-eth',
  prefix: 'atomicEth',
  header: AtomicEth,
  values: fc.record({ virtualAddress: bits64, rKey: bits(32), swapOrAdd: bits64, compare: bits64 }),
  example: [
    'bb83a1eeaee9bd60 4933ce0b 0c850901024da1a3 f907c6d201be528f',
    {
      virtualAddress: 0xbb83a1eeaee9bd60n,
      rKey: 0x4933ce0b,
      swapOrAdd: 0x0c850901024da1a3n,
      compare: 0xf907c6d201be528fn,
    },
  ],
  tooLarge: { virtualAddress: U64_LIMIT, rKey: 2 ** 32, swapOrAdd: U64_LIMIT, compare: U64_LIMIT },
});

describeCodec({
  layer: 'atomic-ack-eth',
  prefix: 'atomicAckEth',
  header: AtomicAckEth,
  values: fc.record({ original: bits64 }),
  example: ['9da4935855c5086c', { original: 0x9da4935855c5086cn }],
  tooLarge: { original: U64_LIMIT },
});

describeCodec({
  layer: 'immdt',
  prefix: 'immdt',
  header: ImmediateData,
  values: fc.record({ immediateData: bits(32) }),
  example: ['a658cc6f', { immediateData: 0xa658cc6f }],
  tooLarge: { immediateData: 2 ** 32 },
});

describeCodec({
  layer: 'ieth',
  prefix: 'ieth',
  header: Ieth,
  values: fc.record({ rKey: bits(32) }),
  example: ['f34743a6', { rKey: 0xf34743a6 }],
  tooLarge: { rKey: 2 ** 32 },
});

describeCodec({
  layer: 'grh',
  prefix: 'grh',
  header: Grh,
  values: fc.record({
    ipVersion: fc.constant(6),
    trafficClass: bits(8),
    flowLabel: bits(20),
    payloadLength: bits(16),
    nextHeader: bits(8),
    hopLimit: bits(8),
    sourceGid: data(16),
    destinationGid: data(16),
  }),
  example: [
    '60100000 0020 1b 40 20010db8a0020000 00000000000003ef 20010db8a0070000 0000000000000532',
    {
      ipVersion: 6,
      trafficClass: 1,
      flowLabel: 0,
      payloadLength: 32,
      nextHeader: Grh.NEXT_HEADER_BTH,
      hopLimit: 64,
      sourceGid: parseIpAddress('2001:db8:a002::3ef'),
      destinationGid: parseIpAddress('2001:db8:a007::532'),
    },
  ],
  tooLarge: {
    ipVersion: 7,
    trafficClass: 2 ** 8,
    flowLabel: 2 ** 20,
    payloadLength: 2 ** 16,
    nextHeader: 2 ** 8,
    hopLimit: 2 ** 8,
    sourceGid: new Uint8Array(15),
    destinationGid: new Uint8Array(17),
  },
  repair: (bytes) => {
    bytes[0] = 0x60 | (bytes[0]! & 15);
  },
});

describe('a header without its optional fields', () => {
  it('has reserved bits of 0', () => {
    expect(Deth.read(Deth.write({ qKey: 1, sourceQpn: 2 })).reserved8).toBe(0);
    expect(Rdeth.read(Rdeth.write({ eeContext: 1 })).reserved8).toBe(0);
    expect(Xrceth.read(Xrceth.write({ sharedReceiveQueue: 1 })).reserved8).toBe(0);
  });

  it('has the next header of a BTH in a GRH', () => {
    const gids = { sourceGid: new Uint8Array(16).fill(1), destinationGid: new Uint8Array(16).fill(2) };
    expect(Grh.read(Grh.write({ payloadLength: 32, ...gids }))).toEqual({
      ipVersion: 6,
      trafficClass: 0,
      flowLabel: 0,
      payloadLength: 32,
      nextHeader: 0x1b,
      hopLimit: 64,
      ...gids,
    });
  });
});

describe('a GRH', () => {
  it('of another IP version is rejected', () => {
    const bytes = new Uint8Array(Grh.lenBytes);
    for (const version of [0, 4, 5, 7, 15]) {
      bytes[0] = version << 4;
      expect(thrownBy(() => Grh.read(bytes))).toMatchObject({
        code: 'invalid-packet',
        got: version,
        allowed: 6,
        where: 'grh at offset 0',
      });
    }
  });
});

describe('the syndrome of an AETH', () => {
  const kindOf = (syndrome: number) => {
    if (syndrome < 0x20) return 'ack';
    if (syndrome < 0x40) return 'rnr-nak';
    return syndrome >= 0x60 && syndrome < 0x80 ? 'nak' : 'reserved';
  };
  const CREDITS = [
    0,
    1,
    2,
    3,
    4,
    6,
    8,
    12,
    16,
    24,
    32,
    48,
    64,
    96,
    128,
    192,
    256,
    384,
    512,
    768,
    1024,
    1536,
    2048,
    3072,
    4096,
    6144,
    8192,
    12288,
    16384,
    24576,
    32768,
    undefined,
  ];
  const RNR_MS = [
    655.36,
    0.01,
    0.02,
    0.03,
    0.04,
    0.06,
    0.08,
    0.12,
    0.16,
    0.24,
    0.32,
    0.48,
    0.64,
    0.96,
    1.28,
    1.92,
    2.56,
    3.84,
    5.12,
    7.68,
    10.24,
    15.36,
    20.48,
    30.72,
    40.96,
    61.44,
    81.92,
    122.88,
    163.84,
    245.76,
    327.68,
    491.52,
  ];
  const NAKS = [
    'psn-sequence-error',
    'invalid-request',
    'remote-access-error',
    'remote-operational-error',
    'invalid-rd-request',
  ];

  it.each(Array.from({ length: 256 }, (_, syndrome) => syndrome))('%i has exactly one meaning', (syndrome) => {
    const kind = kindOf(syndrome);
    const code = syndrome % 32;
    expect(Aeth.kind(syndrome)).toBe(kind);
    expect(Aeth.code(syndrome)).toBe(code);
    expect(Aeth.credits(syndrome)).toBe(kind === 'ack' ? CREDITS[code] : undefined);
    expect(Aeth.rnrTimerUs(syndrome)).toBe(kind === 'rnr-nak' ? Math.round(RNR_MS[code]! * 1000) : undefined);
    expect(Aeth.nakName(syndrome)).toBe(kind === 'nak' ? NAKS[code] : undefined);
  });

  it('has constants for its meanings', () => {
    expect(Aeth.nakName(Aeth.NAK_PSN_SEQUENCE_ERROR)).toBe('psn-sequence-error');
    expect(Aeth.nakName(Aeth.NAK_INVALID_REQUEST)).toBe('invalid-request');
    expect(Aeth.nakName(Aeth.NAK_REMOTE_ACCESS_ERROR)).toBe('remote-access-error');
    expect(Aeth.nakName(Aeth.NAK_REMOTE_OPERATIONAL_ERROR)).toBe('remote-operational-error');
    expect(Aeth.nakName(Aeth.NAK_INVALID_RD_REQUEST)).toBe('invalid-rd-request');
    expect(Aeth.kind(Aeth.SYNDROME_RNR_NAK)).toBe('rnr-nak');
    expect(Aeth.kind(Aeth.SYNDROME_NAK)).toBe('nak');
    expect(Aeth.credits(Aeth.SYNDROME_ACK | Aeth.CREDIT_CODE_INVALID)).toBeUndefined();
  });
});

/** Bytes after a BTH, and their values. */
const CHAINS: readonly (readonly [opcode: number, hex: string, headers: ExtendedHeadersFields])[] = [
  [0x4a, '0037f790 80010000 000d06cf 0a958c71e51fc000 52cc6a87 00000010', {
    rdeth: { reserved8: 0, eeContext: 0x37f790 },
    deth: { qKey: 0x80010000, reserved8: 0, sourceQpn: 0x0d06cf },
    reth: { virtualAddress: 0x0a958c71e51fc000n, rKey: 0x52cc6a87, dmaLength: 16 },
  }],
  [0x65, '6a246962 000bf114 a658cc6f', {
    deth: { qKey: 0x6a246962, reserved8: 0, sourceQpn: 0x0bf114 },
    immediateData: { immediateData: 0xa658cc6f },
  }],
  [0x12, '003dc810 9da4935855c5086c', {
    aeth: { syndrome: 0, msn: 0x3dc810 },
    atomicAckEth: { original: 0x9da4935855c5086cn },
  }],
  [0xb7, '00000007 f34743a6', {
    xrceth: { reserved8: 0, sharedReceiveQueue: 7 },
    ieth: { rKey: 0xf34743a6 },
  }],
  [0x14, '955e80478683095a 2609ecde c9380cc316df240c 75b69f133a90c891', {
    atomicEth: {
      virtualAddress: 0x955e80478683095an,
      rKey: 0x2609ecde,
      swapOrAdd: 0xc9380cc316df240cn,
      compare: 0x75b69f133a90c891n,
    },
  }],
  [0x0e, '', {}],
  [0x81, '', {}],
];
const DEFINED = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => Opcode.isDefined(opcode));
const UNDEFINED = [0x15, 0x1c, 0x2c, 0x56, 0x60, 0x80, 0x82, 0xb5, 0xc0, 0xff];
const SIZES: Record<string, number> = {
  rdeth: 4,
  deth: 8,
  xrceth: 4,
  reth: 16,
  'atomic-eth': 28,
  aeth: 4,
  'atomic-ack-eth': 8,
  immdt: 4,
  ieth: 4,
};

describe('the extended headers of a packet', () => {
  it.each(CHAINS)('of opcode %i are read and written in wire order', (opcode, hex, headers) => {
    const bytes = fromHex(hex);
    expect(ExtendedHeaders.read(bytes, 0, opcode)).toEqual(headers);
    expect(toHex(ExtendedHeaders.write(opcode, headers))).toBe(toHex(bytes));
    expect(ExtendedHeaders.lenBytesOf(opcode)).toBe(bytes.length);
  });

  it('have the total length of their parts, and are absent for an undefined opcode', () => {
    for (const opcode of DEFINED) {
      const total = Opcode.extendedHeadersOf(opcode).reduce((sum, kind) => sum + SIZES[kind]!, 0);
      expect(ExtendedHeaders.lenBytesOf(opcode)).toBe(total);
    }
    for (const opcode of UNDEFINED) expect(ExtendedHeaders.lenBytesOf(opcode)).toBe(0);
  });

  it('are rebuilt byte for byte, for every opcode', () => {
    fc.assert(fc.property(fc.constantFrom(...DEFINED), data(64), (opcode, bytes) => {
      const length = ExtendedHeaders.lenBytesOf(opcode);
      const headers = ExtendedHeaders.read(bytes, 3, opcode, 3 + length);
      expect(ExtendedHeaders.write(opcode, headers)).toEqual(bytes.slice(3, 3 + length));
      const target = new Uint8Array(length + 2);
      expect(ExtendedHeaders.writeInto(target, 1, opcode, headers)).toBe(1 + length);
      expect(target.slice(1, 1 + length)).toEqual(bytes.slice(3, 3 + length));
    }));
  });

  it('name the header that is truncated, by the end of the bytes or of the packet', () => {
    for (const opcode of DEFINED) {
      for (let length = 0; length < ExtendedHeaders.lenBytesOf(opcode); length++) {
        const { layer, start } = headerAt(opcode, length);
        const cut = thrownBy(() => ExtendedHeaders.read(new Uint8Array(2 + length), 2, opcode));
        const ended = thrownBy(() => ExtendedHeaders.read(new Uint8Array(80), 2, opcode, 2 + length));
        for (const error of [cut, ended]) {
          expect(error).toBeInstanceOf(RoceError);
          expect(error).toMatchObject({
            code: 'invalid-packet',
            available: length - start,
            required: SIZES[layer],
            ...{ layer, offset: 2 + start },
          });
        }
      }
    }
  });

  it('are unknown for an undefined opcode', () => {
    for (const opcode of UNDEFINED) {
      const where = 'extended headers at offset 4';
      const read = thrownBy(() => ExtendedHeaders.read(new Uint8Array(80), 4, opcode));
      expect(read).toMatchObject({ code: 'invalid-packet', got: opcode, where });
      const written = thrownBy(() => ExtendedHeaders.write(opcode, {}));
      expect(written).toMatchObject({ code: 'invalid-argument', got: opcode, where: 'opcode' });
    }
  });

  it('are rejected if one is missing or null', () => {
    for (const [opcode, , headers] of CHAINS) {
      for (const key of Object.keys(headers)) {
        for (const none of [undefined, null]) {
          const incomplete = { ...headers, [key]: none } as unknown as ExtendedHeadersFields;
          expect(thrownBy(() => ExtendedHeaders.write(opcode, incomplete))).toMatchObject({
            code: 'invalid-argument',
            got: none,
            where: key,
          });
        }
      }
    }
  });

  it('are rejected with one that the opcode does not carry', () => {
    const every = Object.assign({}, ...CHAINS.map(([, , headers]) => headers)) as Record<string, object>;
    expect(Object.keys(every)).toHaveLength(9);
    for (const [opcode, , headers] of CHAINS) {
      for (const key of Object.keys(every).filter((name) => !(name in headers))) {
        const error = thrownBy(() => ExtendedHeaders.write(opcode, { ...headers, [key]: every[key] }));
        expect(error).toMatchObject({ code: 'invalid-argument', got: every[key], where: key });
      }
    }
  });

  it('are rejected if the target is too short', () => {
    const headers = { aeth: { syndrome: 0, msn: 0 }, atomicAckEth: { original: 0n } };
    const target = new Uint8Array(12);
    const error = thrownBy(() => ExtendedHeaders.writeInto(target, 1, 0x12, headers));
    expect(error).toMatchObject({ code: 'invalid-argument', where: 'extended headers' });
    expect(ExtendedHeaders.writeInto(target, 0, 0x12, headers)).toBe(12);
  });
});

/** The header that contains the byte at `length`, and its offset. */
function headerAt(opcode: number, length: number): { layer: string; start: number } {
  let start = 0;
  for (const layer of Opcode.extendedHeadersOf(opcode)) {
    if (length < start + SIZES[layer]!) return { layer, start };
    start += SIZES[layer]!;
  }
  throw new Error('beyond the headers');
}

describe('the captures of the corpus', () => {
  const frames = readCapture('mixed');
  const roce = frames.flatMap(({ truth, bytes }) => {
    const payload = /\/pay(\d+)/.exec(truth.kind!)?.[1];
    if (!['data', 'ack', 'nak'].includes(truth.class!) || payload === undefined) return [];
    const ip = new Ethernet.View(bytes).payloadOffset;
    const isIpv6 = truth.ip_version === '6';
    if ((isIpv6 ? bytes[ip + 6] : bytes[ip + 9]) !== 17) return [];
    const udp = ip + (isIpv6 ? 40 : (bytes[ip]! & 15) * 4);
    const icrcOffset = udp + ((bytes[udp + 4]! << 8) | bytes[udp + 5]!) - 4;
    const bth = Bth.read(bytes, udp + 8);
    return [{ truth, bytes, payload: Number(payload), bth, at: udp + 8 + Bth.lenBytes, icrcOffset }];
  });

  it('have exactly the payload after the extended headers', () => {
    expect(new Set(roce.map(({ bth }) => bth.opcode)).size).toBeGreaterThan(35);
    for (const { truth, bytes, payload, bth, at, icrcOffset } of roce) {
      const headers = ExtendedHeaders.read(bytes, at, bth.opcode, icrcOffset);
      const length = ExtendedHeaders.lenBytesOf(bth.opcode);
      expect(icrcOffset - at - bth.padCount - length, truth.kind).toBe(payload);
      expect(ExtendedHeaders.write(bth.opcode, headers)).toEqual(bytes.slice(at, at + length));
      if (truth.kind!.includes('write_only') && payload > 0) expect(headers.reth?.dmaLength).toBe(payload);
    }
  });

  it('have NAKs according to the syndrome, and ACKs otherwise', () => {
    const acknowledgements = roce.filter(({ truth }) => truth.class !== 'data');
    expect(acknowledgements.length).toBeGreaterThan(100);
    for (const { truth, bytes, bth, at } of acknowledgements) {
      const kind = Aeth.kind(ExtendedHeaders.read(bytes, at, bth.opcode).aeth!.syndrome);
      expect(kind === 'ack' ? 'ack' : 'nak', truth.kind).toBe(truth.class);
    }
  });

  it('have a GRH before the BTH in RoCEv1', () => {
    const v1 = frames.filter(({ truth }) => truth.class === 'roce_v1');
    expect(v1.length).toBeGreaterThan(10);
    for (const { bytes } of v1) {
      const link = new Ethernet.View(bytes);
      expect(link.etherType).toBe(EtherType.ROCE_V1);
      const header = Grh.read(bytes, link.payloadOffset);
      expect(header.nextHeader).toBe(Grh.NEXT_HEADER_BTH);
      expect(header.payloadLength).toBe(bytes.length - link.payloadOffset - Grh.lenBytes);
    }
  });
});
