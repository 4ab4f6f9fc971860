import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { LinuxSll, LinuxSll2 } from '../../src/wire/link/capture-headers.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });

/** The header in a capture on an Ethernet device, and in one on the loopback device. */
const SLL = fromHex('0004 0001 0006 0211227a89e0 5a5a 86dd');
const SLL2 = fromHex('0800 0000 00000001 0304 00 06 000000000000 0000');

describe('Linux cooked header', () => {
  it('reports the content of the bytes', () => {
    expect(LinuxSll.read(SLL)).toEqual({
      packetType: LinuxSll.FROM_US,
      arphrdType: 1,
      addressLength: 6,
      address: fromHex('0211227a89e05a5a'),
      protocolType: 0x86dd,
    });
  });

  it('is the inverse of its reader, both ways', () => {
    const headers = fc.record({
      packetType: bits(16),
      arphrdType: bits(16),
      addressLength: bits(16),
      address: bytes(8),
      protocolType: bits(16),
    });
    fc.assert(fc.property(bytes(16), (bytes) => {
      expect(LinuxSll.write(LinuxSll.read(bytes))).toEqual(bytes);
    }));
    fc.assert(fc.property(headers, (value) => {
      expect(LinuxSll.read(LinuxSll.write(value))).toEqual(value);
    }));
  });

  it('has the stated layout', () => {
    expectLayout(LinuxSll, LinuxSll.read);
  });

  it.each([
    ['packetType', 0x10000],
    ['arphrdType', -1],
    ['addressLength', 0x10000],
    ['protocolType', 1.5],
    ['address', new Uint8Array(6)],
  ])('names the field %s when it is out of range', (name, value) => {
    expect(() => LinuxSll.write({ ...LinuxSll.read(SLL), [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: `sll.${name}` }),
    );
  });
});

describe('Linux cooked header, version 2', () => {
  it('reports the content of the bytes, the protocol first', () => {
    expect(LinuxSll2.read(SLL2)).toEqual({
      protocolType: 0x0800,
      reserved16: 0,
      interfaceIndex: 1,
      arphrdType: 772,
      packetType: 0,
      addressLength: 6,
      address: new Uint8Array(8),
    });
  });

  it('is the inverse of its reader, both ways', () => {
    const headers = fc.record({
      protocolType: bits(16),
      reserved16: bits(16),
      interfaceIndex: bits(32),
      arphrdType: bits(16),
      packetType: bits(8),
      addressLength: bits(8),
      address: bytes(8),
    });
    fc.assert(fc.property(bytes(20), (bytes) => {
      expect(LinuxSll2.write(LinuxSll2.read(bytes))).toEqual(bytes);
    }));
    fc.assert(fc.property(headers, (value) => {
      expect(LinuxSll2.read(LinuxSll2.write(value))).toEqual(value);
    }));
  });

  it('has the stated layout', () => {
    expectLayout(LinuxSll2, LinuxSll2.read);
  });

  it('sends reserved bytes as 0 unless stated otherwise', () => {
    const { reserved16, ...fields } = LinuxSll2.read(SLL2);
    expect(reserved16).toBe(0);
    expect(toHex(LinuxSll2.write(fields))).toBe(toHex(SLL2));
  });

  it.each([
    ['protocolType', 0x10000],
    ['reserved16', -1],
    ['interfaceIndex', 2 ** 32],
    ['arphrdType', 0x10000],
    ['packetType', 256],
    ['addressLength', 256],
    ['address', new Uint8Array(9)],
  ])('names the field %s when it is out of range', (name, value) => {
    expect(() => LinuxSll2.write({ ...LinuxSll2.read(SLL2), [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: `sll2.${name}` }),
    );
  });
});

describe('both cooked headers', () => {
  it('are rejected if truncated', () => {
    for (
      const [layer, bytes, parse] of [
        ['linux sll header', SLL, LinuxSll.read],
        ['linux sll2 header', SLL2, LinuxSll2.read],
      ] as const
    ) {
      for (let length = 0; length < bytes.length; length++) {
        const shifted = Uint8Array.from([9, 9, ...bytes.subarray(0, length)]);
        expect(() => parse(shifted, 2)).toThrow(RoceError);
        expect(() => parse(shifted, 2)).toThrow(
          expect.objectContaining({ code: 'invalid-packet', available: length, layer, offset: 2 }),
        );
      }
    }
  });

  it('have views that do not copy, with the offset of the packet', () => {
    const bytes = Uint8Array.from([...SLL, ...SLL2]);
    const first = new LinuxSll.View(bytes);
    const second = new LinuxSll2.View(bytes, first.payloadOffset);
    expect(second.payloadOffset).toBe(36);
    bytes[6] = 0xaa;
    bytes[28] = 0xbb;
    expect([first.address[0], second.address[0]]).toEqual([0xaa, 0xbb]);
  });

  it('are rejected if the target is too short', () => {
    const target = new Uint8Array(21).fill(0xee);
    expect(LinuxSll.writeInto(target, 5, LinuxSll.read(SLL))).toBe(21);
    expect(toHex(target)).toBe(`eeeeeeeeee${toHex(SLL)}`);
    expect(() => LinuxSll.writeInto(target, 6, LinuxSll.read(SLL))).toThrow(/needs .* available/);
    expect(LinuxSll2.writeInto(target, 1, LinuxSll2.read(SLL2))).toBe(21);
    expect(() => LinuxSll2.writeInto(target, 2, LinuxSll2.read(SLL2))).toThrow(/needs .* available/);
  });
});
