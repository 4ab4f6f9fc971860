import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeaderLayout } from '../../src/wire/header/layout.js';
import * as mrc from '../../src/wire/mrc/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { rejectionOf } from '../support/rejection.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

interface Codec {
  readonly layout: HeaderLayout;
  readonly parse: (bytes: Uint8Array, offset?: number) => object;
  readonly build: (value: never) => Uint8Array;
  /** Fields that the value shows in another form than the wire. */
  readonly notInValue?: readonly string[];
}

const CODECS: Readonly<Record<string, Codec>> = {
  bth: { layout: mrc.MRC_BTH_LAYOUT, parse: mrc.parseMrcBth, build: mrc.buildMrcBth },
  meth: { layout: mrc.METH_LAYOUT, parse: mrc.parseMeth, build: mrc.buildMeth },
  tseth: { layout: mrc.TSETH_LAYOUT, parse: mrc.parseTseth, build: mrc.buildTseth },
  seth: {
    layout: mrc.SETH_LAYOUT,
    parse: mrc.parseSeth,
    build: mrc.buildSeth,
    notInValue: ['ackPsnOffset', 'sackOffset'],
  },
  'cc-state': { layout: mrc.MRC_CC_STATE_LAYOUT, parse: mrc.parseMrcCcState, build: mrc.buildMrcCcState },
  neth: { layout: mrc.NETH_LAYOUT, parse: mrc.parseNeth, build: mrc.buildNeth },
  peth: { layout: mrc.PETH_LAYOUT, parse: mrc.parsePeth, build: mrc.buildPeth },
  erth: { layout: mrc.ERTH_LAYOUT, parse: mrc.parseErth, build: mrc.buildErth },
  eeth: { layout: mrc.EETH_LAYOUT, parse: mrc.parseEeth, build: mrc.buildEeth },
};
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

describe.each(Object.entries(CODECS))('%s of MRC', (name, { layout, parse, build, notInValue = [] }) => {
  it('has the length and the bits that its layout says', () => {
    expect(layout.bytes).toBe(BYTES[name]);
    expectLayout(layout, parse, { notInValue });
  });

  it('is rebuilt from its value, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: layout.bytes, maxLength: layout.bytes }), (bytes) => {
      expect(toHex(build(parse(bytes) as never))).toBe(toHex(bytes));
    }));
  });

  it('is rejected when the bytes end inside it', () => {
    for (let length = 0; length < layout.bytes; length++) {
      expect(() => parse(new Uint8Array(length))).toThrow(/bytes/);
    }
  });
});

describe('a SACK', () => {
  it('names the packets that arrived and those that did not', () => {
    // PSNs 0 to 11 were sent, 5 and 8 were lost.
    const seth = mrc.parseSeth(mrc.buildSeth({ cumulativePsn: 4, ackPsnOffset: 3, sackOffset: 1, bitmap: 0x76n }));
    expect(mrc.readSackMap(seth)).toEqual({ causePsn: 7, basePsn: 5, received: [6, 7, 9, 10, 11], missing: [5, 8] });
  });

  it('has signed offsets, across the wrap of the PSN', () => {
    const seth = mrc.buildSeth({ cumulativePsn: 2, ackPsnOffset: -4, sackOffset: -3, bitmap: 0b1001n });
    expect(toHex(seth)).toBe('0000fffc00000000000000000000000200' + '00fffd0000000000000009');
    expect(mrc.readSackMap(mrc.parseSeth(seth))).toEqual({
      causePsn: 0xfffffe,
      basePsn: 0xffffff,
      received: [0xffffff, 2],
      missing: [0, 1],
    });
  });

  it('has the number of the probe instead of an offset when it answers one', () => {
    const seth = mrc.buildSeth({ cumulativePsn: 1, probeResponse: true, probeId: 0xbeef, bitmap: 0n });
    expect(mrc.parseSeth(seth)).toMatchObject({ probeResponse: true, probeId: 0xbeef });
    expect(mrc.parseSeth(seth)).not.toHaveProperty('ackPsnOffset');
    expect(mrc.readSackMap(mrc.parseSeth(seth)).causePsn).toBeUndefined();
  });

  it('is rejected with both of them, or one out of range', () => {
    const rest = { cumulativePsn: 1, bitmap: 0n };
    expect(rejectionOf(() => mrc.buildSeth({ ...rest, probeId: 1 })).where).toBe('seth.probeId');
    expect(rejectionOf(() => mrc.buildSeth({ ...rest, probeResponse: true, ackPsnOffset: 1 })).where).toBe(
      'seth.ackPsnOffset',
    );
    expect(rejectionOf(() => mrc.buildSeth({ ...rest, sackOffset: 0x8000 })).where).toBe('seth.sackOffset');
    expect(rejectionOf(() => mrc.buildSeth({ ...rest, ackPsnOffset: -0x8001 })).where).toBe('seth.ackPsnOffset');
  });
});

describe('opcodes of MRC', () => {
  it('are twelve of 0xc0..0xdf, all others of which are reserved', () => {
    const named = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => mrc.mrcOpcodeName(opcode));
    expect(named).toEqual([0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xd1, 0xd8, 0xd9, 0xdc, 0xdd, 0xde]);
    expect(mrc.mrcPacketKind(0xc0)).toBe('reserved');
    expect(mrc.mrcPacketKind(0xbf)).toBeUndefined();
    expect(mrc.mrcPacketKind(0xe0)).toBeUndefined();
  });

  it('determine the headers behind the BTH', () => {
    expect(mrc.mrcHeadersOf(mrc.MRC_OPCODE_WRITE_MIDDLE, false)).toEqual(['meth', 'reth']);
    expect(mrc.mrcHeadersOf(mrc.MRC_OPCODE_WRITE_ONLY_IMMEDIATE, true)).toEqual(['meth', 'tseth', 'reth', 'immdt']);
    expect(mrc.mrcHeadersOf(mrc.MRC_OPCODE_SACK, true)).toEqual(['seth', 'cc-state']);
    expect(mrc.mrcHeadersOf(0x0a, true)).toEqual([]);
  });
});

describe('the entropy value', () => {
  it('is the flow label and the source port, in one of two orders, and back', () => {
    expect(mrc.mrcEntropy(0x31234, 0x5678)).toBe(0x12345678);
    expect(mrc.mrcEntropy(0x31234, 0x5678, 'source-port-high')).toBe(0x56781234);
    for (const order of ['flow-label-high', 'source-port-high'] as const) {
      fc.assert(fc.property(fc.integer({ min: 0, max: 0xffffffff }), (entropy) => {
        const { flowLabel, sourcePort } = mrc.mrcEntropyFields(entropy, order);
        expect(mrc.mrcEntropy(flowLabel, sourcePort, order)).toBe(entropy);
      }));
    }
    expect(rejectionOf(() => mrc.mrcEntropy(0, 0, 'other' as never)).where).toBe('order');
  });
});

describe('DSCPs of MRC', () => {
  it('have names that an operator gives numbers', () => {
    expect([...mrc.mrcDscpMap()].map(([dscp, name]) => `${dscp} ${name}`)).toEqual([
      '46 CONTROL',
      '0 NO_TRIM',
      '4 TRIMMABLE',
      '8 TRIMMABLE_RETX',
      '12 TRIMMED',
      '16 TRIMMED_LASTHOP',
    ]);
    const map = mrc.mrcDscpMap({ trimmed: 11, trimmedLastHop: 'none' });
    expect([map.get(11), map.get(12), map.get(16)]).toEqual(['TRIMMED', undefined, undefined]);
  });

  it('are rejected beyond six bits, under another name, and when two share a number', () => {
    expect(rejectionOf(() => mrc.mrcDscpMap({ trimmed: 64 })).where).toBe('dscps.trimmed');
    expect(rejectionOf(() => mrc.mrcDscpMap({ trimmed: 4 })).where).toBe('dscps.trimmed');
    expect(rejectionOf(() => mrc.mrcDscpMap({ trimed: 4 } as never)).where).toBe('dscps');
  });
});

describe('fields that readers of the specification place differently', () => {
  it('are read in the order that the caller says', () => {
    expect(mrc.readMrcByte1(0xb2)).toEqual({
      solicitedEvent: true,
      migrationRequest: false,
      padCount: 3,
      transportVersion: 2,
    });
    expect(mrc.readMrcByte1(0x80, 'm-first')).toMatchObject({ solicitedEvent: false, migrationRequest: true });
    const eeth = mrc.parseEeth(mrc.buildEeth({ operationAlternative: 1 }));
    expect(mrc.mrcEethOperation(eeth)).toEqual({ operation: 0, isAmbiguous: true });
    expect(mrc.mrcEethOperation(eeth, 'bits-5-4')).toEqual({ operation: 1, isAmbiguous: false });
  });
});

describe('a carrier of uSIDs', () => {
  const text = 'fcbb:bbbb:1103:2205:1109:d000::';

  it('is a block and up to six of them', () => {
    const carrier = { block: 0xfcbbbbbb, usids: [0x1103, 0x2205, 0x1109, 0xd000] };
    expect(mrc.parseUsids(parseIpAddress(text))).toEqual(carrier);
    expect(mrc.buildUsids(carrier)).toEqual(parseIpAddress(text));
    expect(rejectionOf(() => mrc.buildUsids({ block: 1, usids: [1, 2, 3, 4, 5, 6, 7] })).where).toBe('carrier.usids');
    expect(rejectionOf(() => mrc.buildUsids({ block: 1, usids: [0] })).where).toBe('carrier.usids[0]');
  });

  it('is shifted at each switch, until no uSID is behind the active one', () => {
    const after = mrc.shiftUsids(parseIpAddress(text));
    expect(after).toEqual(parseIpAddress('fcbb:bbbb:2205:1109:d000::'));
    const last = mrc.shiftUsids(mrc.shiftUsids(after));
    expect(last).toEqual(parseIpAddress('fcbb:bbbb:d000::'));
    expect(rejectionOf(() => mrc.shiftUsids(last)).where).toBe('address');
  });
});

describe('reasons of a NACK', () => {
  it('have names, but for unknown ones', () => {
    expect([0x01, 0x02, 0x06, 0x07, 0x0a, 0x0b, 0x19, 0x42].map(mrc.mrcNackReason)).toEqual([
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
    expect(toHex(mrc.buildMrcBth({ opcode: 0xca, destQpn: 0xa1b2, retransmission: true, hasTimestamp: true, psn: 5 })))
      .toBe('ca00ffff0000a1b230000005');
    expect(toHex(mrc.buildTseth({ timestamp: 0x1234 }))).toBe('12340001');
    expect(mrc.parseTseth(fromHex('ffff8001'))).toMatchObject({ timestamp: 0xffff, resolution: 1, formType: 1 });
    expect(toHex(mrc.buildSeth({ cumulativePsn: 4, mark: 1, ackPsnOffset: 3, bitmap: 0n }).subarray(0, 4))).toBe(
      '00200003',
    );
    expect(toHex(mrc.buildErth({ operation: 1 }))).toBe('00010000000000000000000000000001');
    expect(toHex(mrc.buildEeth({ operation: 1 }).subarray(0, 2))).toBe('0004');
  });
});
