/**
 * Addresses in the reference models: 16 bytes; IPv4 addresses are IPv4-mapped.
 */
import { RoceError, type RoceErrorCode } from '../../errors.js';

export const ADDRESS_BYTES = 16;

/** An address as a key of a Map: 32 hexadecimal digits. Throws `invalid-argument` unless it has 16 bytes. */
export function addressKey(address: Uint8Array): string {
  requireAddress(address);
  return Array.from(address, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Throws `invalid-argument`, or the given code, unless the address has 16 bytes. */
export function requireAddress(address: Uint8Array, where = 'address', code: RoceErrorCode = 'invalid-argument'): void {
  if (address.length === ADDRESS_BYTES) return;
  const what = 'number of bytes of an address';
  throw new RoceError(code, { what, got: address.length, allowed: ADDRESS_BYTES, where });
}
