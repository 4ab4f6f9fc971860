import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UetControlType, UetOperation, UetType, isUetCompareSwap, uetAtomicName, uetAtomicTypeName, uetNackName,
  uetResponseName, uetReturnName } from '../../src/wire/uet/codes.js';
import * as pds from '../../src/wire/uet/pds.js';
import * as ses from '../../src/wire/uet/ses.js';
import type { HeaderLayout } from '../../src/wire/header/define-header.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

interface AnyHeader extends HeaderLayout {
  readonly read: (bytes: Uint8Array, offset?: number) => object;
  readonly write: (value: never) => Uint8Array;
}

/** Lengths of the headers (docs/specs/uet-formats.md). */
const BYTES: Readonly<Record<string, number>> = {
  UetRequest: 12,
  UetRequestCc: 4,
  UetAck: 12,
  UetSack: 12,
  UetNsccState: 8,
  UetCreditState: 8,
  UetNack: 16,
  UetControl: 16,
  UetRudi: 8,
  UetUud: 4,
  UetSecurity: 12,
  UetSecuritySource: 16,
  UetEntropy: 4,
  UetSesStandard: 44,
  UetSesContinued: 44,
  UetSesMedium: 32,
  UetSesSmall: 20,
  UetSesResponse: 12,
  UetSesResponseData: 20,
  UetSesResponseDataSmall: 12,
  UetAtomic: 4,
  UetCompareSwap: 32,
  UetRendezvous: 24,
};
const SIGNED = ['clearPsnOffset', 'ackPsnOffset', 'sackPsnOffset'];
const HEADERS = Object.entries({ ...pds, ...ses }) as unknown as readonly [string, AnyHeader][];

it('every header has a length', () => {
  expect(HEADERS.map(([name]) => name).sort()).toEqual(Object.keys(BYTES).sort());
});

describe.each(HEADERS)('%s', (name, header) => {
  const { lenBytes, read, write } = header;
  it('has the length and the bits that its layout states', () => {
    expect(lenBytes).toBe(BYTES[name]);
    expectLayout(header, read, {
      notInValue: SIGNED.filter((field) => header.fields.some(({ name: own }) => own === field)),
    });
  });

  it('is rebuilt from its value, for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: lenBytes, maxLength: lenBytes }), (bytes) => {
      expect(toHex(write(read(bytes) as never))).toBe(toHex(bytes));
    }));
  });

  it('is rejected if truncated', () => {
    for (let length = 0; length < lenBytes; length++) expect(() => read(new Uint8Array(length))).toThrow(/bytes/);
  });
});

describe('signed offsets', () => {
  const bytes = fromHex('10180005fffe00000009000a');

  it('are negative from 0x8000', () => {
    expect(pds.UetRequest.read(fromHex('1180fffe0000000500030004'))).toMatchObject({
      pdsType: UetType.RUD_REQUEST,
      pdsNextHeader: 3,
      clearPsnOffset: -2,
      psn: 5,
      spdcid: 3,
      dpdcid: 4,
    });
    expect(new pds.UetRequest.View(fromHex('118080000000000500030004')).clearPsnOffset).toBe(-32_768);
    expect(pds.UetRequest.read(bytes).clearPsnOffset).toBe(5);
  });

  it.each([-32_769, 32_768, 1.5])('of %d are rejected', (clearPsnOffset) => {
    expect(() => pds.UetRequest.write({ psn: 1, spdcid: 1, dpdcid: 1, clearPsnOffset })).toThrow(
      /uetRequest.clearPsnOffset must be (a whole number )?between -32,768 and 32,767/,
    );
  });
});

it('a request that opens its PDC holds 4 bits about the PDC, and 12 bits of offset', () => {
  expect(pds.UetRequest.synOf({ dpdcid: 0x8123 })).toEqual({ pdcInfo: 8, psnOffset: 0x123 });
});

describe('names', () => {
  it('of types, control types and operations', () => {
    expect([0, 1, 2, 14, 15].map(UetType.nameOf)).toEqual([undefined, 'TSS', 'RUD_REQ', 'ROD_CC_REQ', undefined]);
    expect([0, 6, 9, 10].map(UetControlType.nameOf)).toEqual(['NOOP', 'PROBE', 'NEGOTIATION', undefined]);
    expect([0, 1, 9, 15, 16].map(UetOperation.nameOf)).toEqual([
      'NO_OP',
      'WRITE',
      'TAGGED_SEND',
      'MSG_ERROR',
      undefined,
    ]);
  });

  it('of NACKs, whose codes MRC shares', () => {
    expect([0, 1, 2, 6, 7, 0x0a, 0x0b, 0x0c, 0x0d, 0x19, 0x1a, 0x1b, 0xfc, 0xfd, 0xff].map(uetNackName)).toEqual([
      undefined,
      'TRIMMED',
      'TRIMMED_LASTHOP',
      'NO_BITMAP',
      'NO_PKT_BUFFER',
      'NO_RESOURCE',
      'PSN_OOR_WINDOW',
      undefined,
      'ROD_OOO',
      'UNEXP_EVENT',
      'RCVR_INFER_LOSS',
      undefined,
      undefined,
      'EXP_NACK_NORMAL',
      'EXP_NACK_FATAL',
    ]);
  });

  it('of responses, return codes and atomic operations', () => {
    expect([0, 3, 4].map(uetResponseName)).toEqual(['DEFAULT_RESPONSE', 'NO_RESPONSE', undefined]);
    expect([0, 1, 0x1c, 0x24, 0x25].map(uetReturnName)).toEqual(['NULL', 'OK', 'BAD_MKEY', 'DROPPED', undefined]);
    expect([0, 0x0d, 0x14, 0x15].map(uetAtomicName)).toEqual(['MIN', 'CSWAP', 'INVAL', undefined]);
    expect([7, 0x11, 0x12].map(uetAtomicTypeName)).toEqual(['UINT64', 'FP16', undefined]);
    expect([0x0c, 0x0d, 0x13, 0x14].map(isUetCompareSwap)).toEqual([false, true, true, false]);
  });

  it('of numbers out of range are rejected', () => {
    expect(() => UetType.nameOf(32)).toThrow(/type must be/);
    expect(() => uetNackName(256)).toThrow(/code must be/);
  });
});
