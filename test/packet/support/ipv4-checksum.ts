/** Verifies the checksum of an IPv4 header by its sum (RFC 1071). */

/** Whether the 16-bit words of the header at `offset` add up to all ones. */
export function isIpv4ChecksumRight(bytes: Uint8Array, offset: number): boolean {
  const headerBytes = (bytes[offset]! & 15) * 4;
  let sum = 0;
  for (let at = offset; at < offset + headerBytes; at += 2) sum += (bytes[at]! << 8) | bytes[at + 1]!;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum === 0xffff;
}
