/** Builds a little-endian pcap with nanoseconds in memory. */

const MAGIC_NANOSECONDS = 0xa1b23c4d;
const RECORD_HEADER_BYTES = 16;
const SNAP_LENGTH = 16 * 2 ** 20;

export interface TestFrame {
  readonly bytes: Uint8Array;
  /** Seconds and nanoseconds since 1970. */
  readonly at: readonly [number, number];
  readonly originalBytes?: number;
}

export function pcap(linkType: number, frames: readonly TestFrame[]): Uint8Array {
  return Buffer.concat([pcapHeader(linkType), ...frames.map(pcapRecord)]);
}

export function pcapHeader(linkType: number): Uint8Array {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(MAGIC_NANOSECONDS, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(SNAP_LENGTH, 16);
  header.writeUInt32LE(linkType, 20);
  return header;
}

export function pcapRecord({ bytes, at: [seconds, nanoseconds], originalBytes = bytes.length }: TestFrame): Uint8Array {
  const header = Buffer.alloc(RECORD_HEADER_BYTES);
  header.writeUInt32LE(seconds, 0);
  header.writeUInt32LE(nanoseconds, 4);
  header.writeUInt32LE(bytes.length, 8);
  header.writeUInt32LE(originalBytes, 12);
  return Buffer.concat([header, bytes]);
}
