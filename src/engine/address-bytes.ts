/** Converts addresses passed by callers to the 16 bytes that the engine compares. */
import { IP_ADDRESS_BYTES, parseIpAddress } from '../wire/ip/ip-address.js';
import { invalid } from './engine-errors.js';

/** Returns the 16 bytes of an address. @throws RoceError `invalid-argument`. */
export function addressBytes(address: unknown, where: string): Uint8Array {
  if (typeof address === 'string') return parseIpAddress(address, where);
  if (address instanceof Uint8Array && address.length === IP_ADDRESS_BYTES) return address;
  throw invalid(where, address, 'an IP address as text, or a Uint8Array of 16 bytes');
}
