import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { RoutingHeader } from '../../src/wire/ip/ipv6.js';
import { SegmentRouting } from '../../src/wire/ip/segment-routing.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });

/** A path of three segments, 2001:db8::1, ::2 and ::3, of which the second is active, with a PadN TLV of 8 bytes. */
const SRH = fromHex(`
  29 07 04 01 02 00 abcd
  20010db8000000000000000000000003 20010db8000000000000000000000002 20010db8000000000000000000000001
  0406000000000000`);
const PATH = [parseIpAddress('2001:db8::3'), parseIpAddress('2001:db8::2'), parseIpAddress('2001:db8::1')];

const withByte = (at: number, value: number) => {
  const bytes = SRH.slice();
  bytes[at] = value;
  return bytes;
};

describe('Segment Routing Header', () => {
  it('has the last segment of the path first', () => {
    const header = SegmentRouting.read(SRH);
    expect(header).toEqual({
      nextHeader: 41,
      headerExtLen: 7,
      segmentsLeft: 1,
      lastEntry: 2,
      flags: 0,
      tag: 0xabcd,
      segments: PATH,
      tlvs: fromHex('0406000000000000'),
    });
    expect(toHex(SegmentRouting.write(header))).toBe(toHex(SRH));
  });

  const headers = fc.integer({ min: 1, max: 6 }).chain((count) =>
    fc.record({
      nextHeader: bits(8),
      segmentsLeft: fc.nat(count),
      flags: bits(8),
      tag: bits(16),
      segments: fc.array(bytes(16), { minLength: count, maxLength: count }),
      tlvs: fc.nat(3).chain((units) => bytes(8 * units)),
    })
  );

  it('is the inverse of its reader, both ways', () => {
    fc.assert(fc.property(headers, (fields) => {
      const bytes = SegmentRouting.write(fields);
      const header = SegmentRouting.read(bytes);
      const headerExtLen = fields.segments.length * 2 + fields.tlvs.length / 8;
      expect(header).toEqual({ ...fields, headerExtLen, lastEntry: fields.segments.length - 1 });
      expect(toHex(SegmentRouting.write(header))).toBe(toHex(bytes));
    }));
  });

  it('has the first segment of the path active, and no flags, tag or TLVs, unless stated otherwise', () => {
    const header = SegmentRouting.read(SegmentRouting.write({ nextHeader: 17, segments: PATH }));
    expect(header).toMatchObject({ segmentsLeft: 2, lastEntry: 2, flags: 0, tag: 0, headerExtLen: 6 });
    expect(header.tlvs).toHaveLength(0);
    expect(SegmentRouting.current(header)).toEqual(PATH[2]);
  });

  it('advances segment by segment to the end, and leaves its input unchanged', () => {
    let header = SegmentRouting.read(SegmentRouting.write({ nextHeader: 17, segments: PATH }));
    for (const expected of [PATH[1], PATH[0]]) {
      const before = structuredClone(header);
      const { header: next, destination } = SegmentRouting.advance(header);
      expect(header).toEqual(before);
      expect(destination).toEqual(expected);
      expect(SegmentRouting.current(next)).toEqual(expected);
      expect(next).toEqual({ ...header, segmentsLeft: header.segmentsLeft - 1 });
      header = next;
    }
    expect(() => SegmentRouting.advance(header)).toThrow(/^srh\.segmentsLeft must be between 1 and 3 \(got 0\)\.$/);
    expect(() => SegmentRouting.advance({ ...header, segmentsLeft: 4 })).toThrow(/srh\.segmentsLeft/);
  });

  it('may be reduced, with the first segment only in the IPv6 header', () => {
    const reduced = SegmentRouting.read(withByte(3, 3));
    expect(SegmentRouting.current(reduced)).toBeUndefined();
    expect(SegmentRouting.advance(reduced).destination).toEqual(PATH[2]);
  });

  it('has a view that does not copy', () => {
    const bytes = Uint8Array.from([0xee, ...SRH]);
    const view = new SegmentRouting.View(bytes, 1);
    bytes[1 + 8 + 16] = 0xfd;
    expect(view.segment(1)[0]).toBe(0xfd);
    expect(toHex(view.tlvs)).toBe('0406000000000000');
    expect(view.payloadOffset).toBe(bytes.length);
  });

  it('is rejected with another routing type', () => {
    expect(() => SegmentRouting.read(withByte(2, 0))).toThrow(/another routing type \(got 0\); allowed: 4/);
  });

  it('is rejected if its last entry exceeds its length', () => {
    expect(SegmentRouting.read(withByte(4, 1)).segments).toHaveLength(2);
    expect(() => SegmentRouting.read(withByte(4, 3))).toThrow(
      /^segment routing header at offset 0 has a last entry beyond its length \(got 3\); allowed: between 0 and 2\.$/,
    );
    const bare = fromHex('2900040000000000');
    expect(() => SegmentRouting.read(bare)).toThrow(/beyond its length \(got 0\); allowed: in a header with room/);
  });

  it('is rejected with more segments left than a reduced list can have', () => {
    expect(() => SegmentRouting.read(withByte(3, 4))).toThrow(
      /^segment routing header at offset 0 has too many segments left \(got 4\); allowed: between 0 and 3\.$/,
    );
  });

  it('is rejected if truncated at any length', () => {
    for (let length = 0; length < SRH.length; length++) {
      const attempt = () => SegmentRouting.read(SRH.subarray(0, length));
      expect(attempt).toThrow(RoceError);
      expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-packet', available: length }));
    }
  });

  it('fails only with a RoceError, for any change of one byte of the fixed part', () => {
    fc.assert(fc.property(fc.nat(7), bits(8), (at, value) => {
      const bytes = withByte(at, value);
      try {
        SegmentRouting.read(bytes);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid-packet' });
        return;
      }
      const built = SegmentRouting.write(SegmentRouting.read(bytes));
      expect(toHex(built)).toBe(toHex(bytes.subarray(0, built.length)));
      expect(built).toHaveLength((bytes[1]! + 1) * 8);
    }));
  });

  it.each([
    ['srh.segments', { segments: [] }],
    ['srh.segments', { segments: [new Uint8Array(4)] }],
    ['srh.segments', { segments: Array.from({ length: 128 }, () => new Uint8Array(16)) }],
    ['srh.segmentsLeft', { segmentsLeft: 4 }],
    ['srh.lastEntry', { lastEntry: 1 }],
    ['srh.headerExtLen', { headerExtLen: 7 }],
    ['srh', { tlvs: new Uint8Array(4) }],
    ['srh.flags', { flags: 256 }],
    ['srh.tag', { tag: 65536 }],
    ['srh.nextHeader', { nextHeader: -1 }],
  ])('names %s when it is out of range', (where, change) => {
    expect(() => SegmentRouting.write({ nextHeader: 41, segments: PATH, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where }),
    );
  });

  it('holds up to 127 segments, and rejects a target that is too short', () => {
    const segments = Array.from({ length: SegmentRouting.SEGMENTS_MAX }, () => new Uint8Array(16));
    expect(SegmentRouting.write({ nextHeader: 41, segments })).toHaveLength(8 + 127 * 16);
    const target = new Uint8Array(65).fill(0xee);
    expect(SegmentRouting.writeInto(target, 1, SegmentRouting.read(SRH.subarray()))).toBe(65);
    expect(toHex(target)).toBe(`ee${toHex(SRH)}`);
    expect(() => SegmentRouting.writeInto(target, 2, SegmentRouting.read(SRH))).toThrow(/needs .* available/);
  });

  it('has the stated layout', () => {
    const repair = (fixed: Uint8Array) => {
      fixed[2] = 4;
      fixed[4] = fixed[4]! % 8;
      fixed[3] = fixed[3]! % (fixed[4] + 2);
      fixed[1] = 2 * (fixed[4] + 1) + (fixed[1]! % 3);
    };
    const parse = (fixed: Uint8Array) => SegmentRouting.read(Uint8Array.from([...fixed, ...new Uint8Array(144)]));
    expectLayout(SegmentRouting, parse, { repair, notInValue: ['routingType'] });
  });
});

describe('routing header of any type', () => {
  const headers = fc.nat(20).chain((units) =>
    fc.tuple(bits(8), bits(8), bits(8), bytes(4 + 8 * units))
      .map(([next, type, left, data]) => Uint8Array.from([next, units, type, left, ...data]))
  );

  it('is the inverse of its reader, both ways', () => {
    fc.assert(fc.property(headers, (bytes) => {
      const header = RoutingHeader.read(bytes);
      expect(toHex(RoutingHeader.write(header))).toBe(toHex(bytes));
      expect(RoutingHeader.read(RoutingHeader.write(header))).toEqual(header);
    }));
  });

  it('reads an SRH like any other', () => {
    expect(RoutingHeader.read(SRH)).toMatchObject({ nextHeader: 41, headerExtLen: 7, routingType: 4, segmentsLeft: 1 });
    expect(toHex(new RoutingHeader.View(SRH).data)).toBe(toHex(SRH.subarray(4)));
  });

  it('is rejected if truncated at any length', () => {
    for (let length = 0; length < SRH.length; length++) {
      expect(() => RoutingHeader.read(SRH.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'invalid-packet', layer: 'routing header' }),
      );
    }
  });

  it.each([
    ['routingHeader.routingType', { routingType: 256 }],
    ['routingHeader.segmentsLeft', { segmentsLeft: 256 }],
    ['routingHeader.nextHeader', { nextHeader: 256 }],
    ['routingHeader.headerExtLen', { headerExtLen: 1 }],
    ['routingHeader.data', { data: new Uint8Array(5) }],
  ])('names %s when it is out of range', (where, change) => {
    const fields = { nextHeader: 17, routingType: 0, segmentsLeft: 0, data: new Uint8Array(4) };
    expect(() => RoutingHeader.write({ ...fields, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where }),
    );
    expect(() => RoutingHeader.writeInto(new Uint8Array(8), 1, fields)).toThrow(/needs .* available/);
  });

  it('has the stated layout', () => {
    const parse = (head: Uint8Array) => RoutingHeader.read(Uint8Array.from([...head, ...new Uint8Array(2044)]));
    expectLayout(RoutingHeader, parse);
  });
});
