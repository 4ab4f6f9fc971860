/**
 * Addresses as the reference models use them: 16 bytes; an IPv4 address in its IPv4-mapped form.
 */
import { RoceError } from '../../errors.js';

export const ADDRESS_BYTES = 16;

/** An address as a key of a Map: 32 hexadecimal digits. Throws `invalid-argument` unless it has 16 bytes. */
export function addressKey(address: Uint8Array): string {
  requireAddress(address);
  return Array.from(address, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Throws `invalid-argument` unless the address has 16 bytes. */
export function requireAddress(address: Uint8Array): void {
  if (address.length === ADDRESS_BYTES) return;
  throw new RoceError('invalid-argument', 'address of a wrong length', {
    got: address.length,
    allowed: '16 bytes, IPv4 as IPv4-mapped',
    where: 'address',
  });
}
