/** Sets Congestion Experienced in an IP header in place (RFC 3168, section 5); the ICRC does not cover it. */

/** @param at offset of the IP header. IPv4's checksum is updated incrementally (RFC 1624, equation 3). */
export function markCe(bytes: Uint8Array, at: number): void {
  if (bytes[at] >> 4 === 6) {
    bytes[at + 1] |= 0x30;
    return;
  }
  const before = (bytes[at] << 8) | bytes[at + 1];
  bytes[at + 1] |= 3;
  const after = (bytes[at] << 8) | bytes[at + 1];
  const checksum = (bytes[at + 10] << 8) | bytes[at + 11];
  let sum = (~checksum & 0xffff) + (~before & 0xffff) + after;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  bytes[at + 10] = (~sum >> 8) & 0xff;
  bytes[at + 11] = ~sum & 0xff;
}
