import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeaderLayout } from '../../src/wire/header/define-header.js';
import { Eeth, Erth, Meth, MrcBth, MrcCcState, MrcOpcode, Neth, Peth, Seth, Tseth, UsidCarrier, mrcDscpMap, mrcEntropy,
  mrcEntropyFields } from '../../src/wire/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { rejectionOf } from '../support/rejection.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

interface AnyHeader extends HeaderLayout {
  readonly read: (bytes: Uint8Array, offset?: number) => object;
  readonly write: (value: never) => Uint8Array;
}

const HEADERS: Readonly<Record<string, AnyHeader>> = {
  bth: MrcBth,
  meth: Meth,
  tseth: Tseth,
  seth: Seth,
  'cc-state': MrcCcState,
  neth: Neth,
  peth: Peth,
  erth: Erth,
  eeth: Eeth,
};
/** Fields that differ between value and wire format. */
const NOT_IN_VALUE: Readonly<Record<string, readonly string[]>> = { seth: ['ackPsnOffset', 'sackOffset'] };
const BYTES: Readonly<Record<string, number>> = {
  bth: 12,
  meth: 4,
  tseth: 4,
  seth: 28,
  'cc-state': 8,
  neth: 20,
  peth: 16,
  erth: 16,
  eeth: 36,
};

describe.each(Object.entries(HEADERS))('%s of MRC', (name, header) => {
  const { lenBytes, read, write } = header;
  it('has the length and the bits of its layout', () => {
    expect(lenBytes).toBe(BYTES[name]);
    expectLayout(header, read, { notInValue: NOT_IN_VALUE[name] ?? [] });
  });

  it('is rebuilt from its value, for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: lenBytes, maxLength: lenBytes }), (bytes) => {
      expect(toHex(write(read(bytes) as never))).toBe(toHex(bytes));
    }));
  });

  it('is rejected if truncated', () => {
    for (let length = 0; length < lenBytes; length++) {
      expect(() => read(new Uint8Array(length))).toThrow(/bytes/);
    }
  });
});

describe('ticks between two timestamps', () => {
  it.each([[0, 0, 0], [5, 12, 7], [0xffff, 0, 1], [0xfff0, 0x10, 0x20], [1, 0, 0xffff]])('from %i to %i: %i',
    (earlier, later, ticks) => {
      expect(Tseth.ticksBetween(earlier, later)).toBe(ticks);
    });

  it('wrap after 8.39 ms', () => {
    const at = (us: number): number => Math.floor(us * 1000 / Tseth.TICK_NS) & 0xffff;
    expect(Tseth.ticksBetween(at(8380), at(8400)) * Tseth.TICK_NS).toBeCloseTo(20_000, -3);
  });

  it('have 16 bits', () => {
    expect(() => Tseth.ticksBetween(0, 0x10000)).toThrow(/later/);
    expect(() => Tseth.ticksBetween(-1, 0)).toThrow(/earlier/);
  });
});

describe('a SACK', () => {
  it('identifies the packets that arrived and those that did not', () => {
    // The requester sent PSNs 0 to 11; 5 and 8 were lost.
    const seth = Seth.read(Seth.write({ cumulativePsn: 4, ackPsnOffset: 3, sackOffset: 1, bitmap: 0x76n }));
    expect(Seth.readSackMap(seth)).toEqual({ causePsn: 7, basePsn: 5, received: [6, 7, 9, 10, 11], missing: [5, 8] });
  });

  it('has signed offsets, across the wrap of the PSN', () => {
    const seth = Seth.write({ cumulativePsn: 2, ackPsnOffset: -4, sackOffset: -3, bitmap: 0b1001n });
    expect(toHex(seth)).toBe('0000fffc00000000000000000000000200' + '00fffd0000000000000009');
    expect(Seth.readSackMap(Seth.read(seth))).toEqual({
      causePsn: 0xfffffe,
      basePsn: 0xffffff,
      received: [0xffffff, 2],
      missing: [0, 1],
    });
  });

  it('has the number of the probe instead of an offset if it acknowledges a probe', () => {
    const seth = Seth.write({ cumulativePsn: 1, probeResponse: true, probeId: 0xbeef, bitmap: 0n });
    expect(Seth.read(seth)).toMatchObject({ probeResponse: true, probeId: 0xbeef });
    expect(Seth.read(seth)).not.toHaveProperty('ackPsnOffset');
    expect(Seth.readSackMap(Seth.read(seth)).causePsn).toBeUndefined();
  });

  it('is rejected with both of them, or one out of range', () => {
    const rest = { cumulativePsn: 1, bitmap: 0n };
    expect(rejectionOf(() => Seth.write({ ...rest, probeId: 1 })).where).toBe('seth.probeId');
    expect(rejectionOf(() => Seth.write({ ...rest, probeResponse: true, ackPsnOffset: 1 })).where).toBe(
      'seth.ackPsnOffset',
    );
    expect(rejectionOf(() => Seth.write({ ...rest, sackOffset: 0x8000 })).where).toBe('seth.sackOffset');
    expect(rejectionOf(() => Seth.write({ ...rest, ackPsnOffset: -0x8001 })).where).toBe('seth.ackPsnOffset');
  });
});

describe('opcodes of MRC', () => {
  it('are twelve of 0xc0..0xdf, all others of which are reserved', () => {
    const named = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => MrcOpcode.nameOf(opcode));
    expect(named).toEqual([0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xd1, 0xd8, 0xd9, 0xdc, 0xdd, 0xde]);
    expect(MrcOpcode.kindOf(0xc0)).toBe('reserved');
    expect(MrcOpcode.kindOf(0xbf)).toBeUndefined();
    expect(MrcOpcode.kindOf(0xe0)).toBeUndefined();
  });

  it('determine the headers after the BTH', () => {
    expect(MrcOpcode.headersOf(MrcOpcode.WRITE_MIDDLE, false)).toEqual(['meth', 'reth']);
    expect(MrcOpcode.headersOf(MrcOpcode.WRITE_ONLY_IMMEDIATE, true)).toEqual(['meth', 'tseth', 'reth', 'immdt']);
    expect(MrcOpcode.headersOf(MrcOpcode.SACK, true)).toEqual(['seth', 'cc-state']);
    expect(MrcOpcode.headersOf(0x0a, true)).toEqual([]);
  });
});

describe('the entropy value', () => {
  it('is converted to the flow label and the source port, in one of two orders, and back', () => {
    expect(mrcEntropy(0x31234, 0x5678)).toBe(0x12345678);
    expect(mrcEntropy(0x31234, 0x5678, 'source-port-high')).toBe(0x56781234);
    for (const order of ['flow-label-high', 'source-port-high'] as const) {
      fc.assert(fc.property(fc.integer({ min: 0, max: 0xffffffff }), (entropy) => {
        const { flowLabel, sourcePort } = mrcEntropyFields(entropy, order);
        expect(mrcEntropy(flowLabel, sourcePort, order)).toBe(entropy);
      }));
    }
    expect(rejectionOf(() => mrcEntropy(0, 0, 'other' as never)).where).toBe('order');
  });
});

describe('DSCPs of MRC', () => {
  it('have names, whose numbers are configurable', () => {
    expect([...mrcDscpMap()].map(([dscp, name]) => `${dscp} ${name}`)).toEqual([
      '46 CONTROL',
      '0 NO_TRIM',
      '4 TRIMMABLE',
      '8 TRIMMABLE_RETX',
      '12 TRIMMED',
      '16 TRIMMED_LASTHOP',
    ]);
    const map = mrcDscpMap({ trimmed: 11, trimmedLastHop: 'none' });
    expect([map.get(11), map.get(12), map.get(16)]).toEqual(['TRIMMED', undefined, undefined]);
  });

  it('are rejected beyond six bits, under unknown names, and if two share a number', () => {
    expect(rejectionOf(() => mrcDscpMap({ trimmed: 64 })).where).toBe('dscps.trimmed');
    expect(rejectionOf(() => mrcDscpMap({ trimmed: 4 })).where).toBe('dscps.trimmed');
    expect(rejectionOf(() => mrcDscpMap({ trimed: 4 } as never)).where).toBe('dscps');
  });
});

describe('fields with ambiguous positions in the specification', () => {
  it('are read in the configured order', () => {
    expect(MrcBth.readByte1(0xb2)).toEqual({
      solicitedEvent: true,
      migrationRequest: false,
      padCount: 3,
      transportVersion: 2,
    });
    expect(MrcBth.readByte1(0x80, 'm-first')).toMatchObject({ solicitedEvent: false, migrationRequest: true });
    const eeth = Eeth.read(Eeth.write({ operationAlternative: 1 }));
    expect(Eeth.operationOf(eeth)).toEqual({ operation: 0, isAmbiguous: true });
    expect(Eeth.operationOf(eeth, 'bits-5-4')).toEqual({ operation: 1, isAmbiguous: false });
  });
});

describe('a carrier of uSIDs', () => {
  const text = 'fcbb:bbbb:1103:2205:1109:d000::';

  it('consists of a block and up to six uSIDs', () => {
    const carrier = { block: 0xfcbbbbbb, usids: [0x1103, 0x2205, 0x1109, 0xd000] };
    expect(UsidCarrier.read(parseIpAddress(text))).toEqual(carrier);
    expect(UsidCarrier.write(carrier)).toEqual(parseIpAddress(text));
    expect(rejectionOf(() => UsidCarrier.write({ block: 1, usids: [1, 2, 3, 4, 5, 6, 7] })).where).toBe(
      'carrier.usids',
    );
    expect(rejectionOf(() => UsidCarrier.write({ block: 1, usids: [0] })).where).toBe('carrier.usids[0]');
  });

  it('is shifted at each switch, until no uSID follows the active one', () => {
    const after = UsidCarrier.shift(parseIpAddress(text));
    expect(after).toEqual(parseIpAddress('fcbb:bbbb:2205:1109:d000::'));
    const last = UsidCarrier.shift(UsidCarrier.shift(after));
    expect(last).toEqual(parseIpAddress('fcbb:bbbb:d000::'));
    expect(rejectionOf(() => UsidCarrier.shift(last)).where).toBe('address');
  });
});

describe('reasons of a NACK', () => {
  it('have names, except unknown ones', () => {
    expect([0x01, 0x02, 0x06, 0x07, 0x0a, 0x0b, 0x19, 0x42].map(Neth.reasonOf)).toEqual([
      'TRIMMED',
      'TRIMMED_LASTHOP',
      'NO_BITMAP',
      'NO_PKT_BUFFER',
      'NO_RESOURCE',
      'PSN_OOR_WINDOW',
      'UNEXP_EVENT',
      undefined,
    ]);
  });
});

describe('a known header', () => {
  it('has the bytes of the specification', () => {
    expect(toHex(MrcBth.write({ opcode: 0xca, destQpn: 0xa1b2, retransmission: true, hasTimestamp: true, psn: 5 })))
      .toBe('ca00ffff0000a1b230000005');
    expect(toHex(Tseth.write({ timestamp: 0x1234 }))).toBe('12340001');
    expect(Tseth.read(fromHex('ffff8001'))).toMatchObject({ timestamp: 0xffff, resolution: 1, formType: 1 });
    expect(toHex(Seth.write({ cumulativePsn: 4, mark: 1, ackPsnOffset: 3, bitmap: 0n }).subarray(0, 4))).toBe(
      '00200003',
    );
    expect(toHex(Erth.write({ operation: 1 }))).toBe('00010000000000000000000000000001');
    expect(toHex(Eeth.write({ operation: 1 }).subarray(0, 2))).toBe('0004');
  });
});
