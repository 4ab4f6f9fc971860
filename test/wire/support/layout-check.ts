/** Checks a header's codec against the layout that its file declares, bit by bit. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FieldLayout, HeaderLayout } from '../../../src/wire/header/define-header.js';

export interface LayoutCheckOptions {
  /** Sets the fields of random bytes that the parser checks (a version, a length, a magic number). */
  readonly repair?: (bytes: Uint8Array) => void;
  /** Fields that the value object doesn't have: fixed or implied ones. */
  readonly notInValue?: readonly string[];
}

/**
 * Checks that the fields cover the fixed part without gap or overlap, and that each property parsed from random bytes
 * equals the bits of its field. Only flat values are compared; the codec's test checks lists after the fixed part.
 */
export function expectLayout(layout: HeaderLayout, parse: (bytes: Uint8Array) => object,
  { repair = () => undefined, notInValue = [] }: LayoutCheckOptions = {}): void {
  expectGapless(layout);
  const bytes = fc.uint8Array({ minLength: layout.lenBytes, maxLength: layout.lenBytes });
  fc.assert(fc.property(bytes, (bytes) => {
    repair(bytes);
    const value = parse(bytes) as Record<string, unknown>;
    for (const field of layout.fields) {
      if (notInValue.includes(field.name)) continue;
      expect(value, field.name).toHaveProperty(field.name);
      expect(plain(value[field.name], field), `${layout.title}.${field.name}`).toBe(readBits(bytes, field));
    }
  }), { numRuns: 50 });
}

function expectGapless(layout: HeaderLayout): void {
  let bit = 0;
  for (const field of layout.fields) {
    expect(field.offset * 8 + (field.bit ?? 0), `${layout.title}: start of ${field.name}`).toBe(bit);
    bit += field.bits;
  }
  expect(bit, `${layout.title}: bits in all`).toBe(layout.lenBytes * 8);
}

function readBits(bytes: Uint8Array, field: FieldLayout): bigint {
  let value = 0n;
  const first = field.offset * 8 + (field.bit ?? 0);
  for (let bit = first; bit < first + field.bits; bit++) {
    value = (value << 1n) | BigInt((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1);
  }
  return value;
}

/** A property as the number in its bits; for an IPv4-mapped address, the last four bytes. */
function plain(value: unknown, field: FieldLayout): bigint {
  if (value instanceof Uint8Array) {
    return value.slice(-field.bits / 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }
  return BigInt(value as number | bigint | boolean);
}
