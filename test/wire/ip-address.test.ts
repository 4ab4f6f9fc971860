import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { formatIpAddress, formatIpv6Address, isIpv4Mapped, parseIpAddress, parsePrefix,
  prefixContains } from '../../src/wire/ip/ip-address.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('parseIpAddress', () => {
  it.each([
    ['192.0.2.1', '00000000000000000000ffffc0000201'],
    ['0.0.0.0', '00000000000000000000ffff00000000'],
    ['255.255.255.255', '00000000000000000000ffffffffffff'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['1::', '00010000000000000000000000000000'],
    ['2001:db8::1', '20010db8000000000000000000000001'],
    ['2001:DB8:0:0:8:800:200C:417A', '20010db80000000000080800200c417a'],
    ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['64:ff9b::192.0.2.33', '0064ff9b0000000000000000c0000221'],
    ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
    ['::2:3:4:5:6:7:8', '00000002000300040005000600070008'],
    ['1:2:3:4:5:6:192.0.2.1', '000100020003000400050006c0000201'],
  ])('reads %s', (text, expected) => {
    expect(hex(parseIpAddress(text))).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.',
    '0x1.2.3.4',
    ' 1.2.3.4',
    '1.2.3.4 ',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '::1.2.3',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:1.2.3.4',
    '2001:db8::1/64',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '-1.2.3.4',
    '1:-2::',
    '::1 ',
    '1e1.2.3.4',
  ])('rejects %j with the position of the error', (text) => {
    expect(() => parseIpAddress(text, 'peer')).toThrow(RoceError);
    expect(() => parseIpAddress(text, 'peer')).toThrow(/^peer[ :]/);
  });

  it('rejects values that are not strings', () => {
    expect(() => parseIpAddress(undefined as unknown as string)).toThrow(RoceError);
    expect(() => parsePrefix(7 as unknown as string)).toThrow(RoceError);
  });
});

describe('formatIpAddress', () => {
  it.each([
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['2001:DB8::ABCD', '2001:db8::abcd'],
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('writes %s as %s', (text, expected) => {
    expect(formatIpAddress(parseIpAddress(text))).toBe(expected);
  });

  it('is the inverse of its reader', () => {
    for (let seed = 1; seed < 300; seed++) {
      const bytes = Uint8Array.from({ length: 16 },
        (_, i) => ((seed >> (i % 8)) & 1 ? (seed * 31 + i * 17) & 0xff : 0));
      expect(hex(parseIpAddress(formatIpAddress(bytes)))).toBe(hex(bytes));
    }
  });

  it('writes at an offset, and rejects too few bytes', () => {
    const bytes = new Uint8Array(20);
    bytes[19] = 7;
    expect(formatIpAddress(bytes, 4)).toBe('::7');
    expect(() => formatIpAddress(bytes, 5)).toThrow(RoceError);
    expect(() => formatIpv6Address(bytes, -1)).toThrow(RoceError);
  });

  it('keeps the mapped prefix where IPv6 text is requested', () => {
    expect(formatIpv6Address(parseIpAddress('192.0.2.1'))).toBe('::ffff:192.0.2.1');
    expect(formatIpv6Address(parseIpAddress('2001:db8::1'))).toBe('2001:db8::1');
    expect(isIpv4Mapped(parseIpAddress('2001:db8::1'))).toBe(false);
    expect(isIpv4Mapped(parseIpAddress('10.0.0.1'))).toBe(true);
  });
});

describe('parsePrefix', () => {
  it.each([
    ['2001:db8::/32', 32],
    ['::/0', 0],
    ['10.0.0.0/8', 104],
    ['0.0.0.0/0', 96],
    ['192.0.2.1', 128],
    ['2001:db8::1', 128],
    ['2001:db8:8000::/33', 33],
  ])('reads %s as %i bits', (text, lengthBits) => {
    expect(parsePrefix(text).lengthBits).toBe(lengthBits);
  });

  it.each([
    '2001:db8::/129',
    '10.0.0.0/33',
    '10.0.0.1/8',
    '2001:db8::1/32',
    '::/',
    '::/01',
    '::/-1',
    '::/1.5',
    '/8',
    '::/8/8',
    '2001:db8:8000::/32',
  ])('rejects %s', (text) => {
    expect(() => parsePrefix(text, 'accessList[0].prefix')).toThrow(/accessList\[0\]\.prefix/);
  });

  it('contains the addresses that share its leading bits, and no others', () => {
    const prefix = parsePrefix('2001:db8:8000::/33');
    expect(prefixContains(prefix, parseIpAddress('2001:db8:8000::1'))).toBe(true);
    expect(prefixContains(prefix, parseIpAddress('2001:db8:ffff::1'))).toBe(true);
    expect(prefixContains(prefix, parseIpAddress('2001:db8:7fff::1'))).toBe(false);
    expect(prefixContains(parsePrefix('10.0.0.0/8'), parseIpAddress('10.255.0.1'))).toBe(true);
    expect(prefixContains(parsePrefix('10.0.0.0/8'), parseIpAddress('11.0.0.1'))).toBe(false);
    expect(prefixContains(parsePrefix('::/0'), parseIpAddress('11.0.0.1'))).toBe(true);
    expect(prefixContains(parsePrefix('0.0.0.0/0'), parseIpAddress('::1'))).toBe(false);
  });
});
