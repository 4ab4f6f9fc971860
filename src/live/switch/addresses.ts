/** Compares IP addresses in frames with addresses of 16 bytes (IPv4 as IPv4-mapped). */

export const ADDRESS_BYTES = 16;
const IPV4_BYTES = 4;

/** @param version IP version of the address at `at`. */
export function sameAddress(address: Uint8Array, bytes: Uint8Array, at: number, version: 4 | 6): boolean {
  const compared = version === 6 ? ADDRESS_BYTES : IPV4_BYTES;
  if (version === 4 && !isMapped(address)) return false;
  for (let index = 0; index < compared; index += 1) {
    if (address[ADDRESS_BYTES - compared + index] !== bytes[at + index]) return false;
  }
  return true;
}

/** Whether the address is in ::ffff:0:0/96. */
function isMapped(address: Uint8Array): boolean {
  for (let index = 0; index < 10; index += 1) if (address[index] !== 0) return false;
  return address[10] === 0xff && address[11] === 0xff;
}
