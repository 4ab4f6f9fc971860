/**
 * The register of Ethernet's CRC-32: polynomial 0x04C11DB7, reflected (IEEE 802.3, section 3.2.9).
 *
 * Uses slicing: table k has the effect of a byte on the register k bytes later, so 16 bytes, read as four words, are
 * processed per step. Short inputs are processed byte by byte.
 */

const POLYNOMIAL_REFLECTED = 0xedb88320;
const SLICES = 16;
/** For shorter inputs, a view on the words costs more than it saves. */
const LONG_RUN_BYTES = 64;

let crcTables: Int32Array | undefined;

function makeCrcTables(): Int32Array {
  const tables = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let register = byte;
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ (register & 1 ? POLYNOMIAL_REFLECTED : 0);
    tables[byte] = register;
  }
  for (let i = 256; i < tables.length; i++) {
    const before = tables[i - 256];
    tables[i] = (before >>> 8) ^ tables[before & 255];
  }
  return tables;
}

/**
 * Updates the register with bytes.
 *
 * @param start first byte; the caller has checked both bounds.
 * @param end offset after the last byte.
 * @returns the register, 32 bits signed, without the initial and final complement.
 */
export function updateCrc32(register: number, bytes: Uint8Array, start: number, end: number): number {
  const t = (crcTables ??= makeCrcTables());
  let crc = register;
  let at = start;
  if (end - start >= LONG_RUN_BYTES) {
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (; at + SLICES <= end; at += SLICES) {
      const a = crc ^ words.getInt32(at, true);
      const b = words.getInt32(at + 4, true);
      const c = words.getInt32(at + 8, true);
      const d = words.getInt32(at + 12, true);
      crc = t[3840 + (a & 255)] ^ t[3584 + ((a >>> 8) & 255)] ^ t[3328 + ((a >>> 16) & 255)] ^ t[3072 + (a >>> 24)] ^
        t[2816 + (b & 255)] ^ t[2560 + ((b >>> 8) & 255)] ^ t[2304 + ((b >>> 16) & 255)] ^ t[2048 + (b >>> 24)] ^
        t[1792 + (c & 255)] ^ t[1536 + ((c >>> 8) & 255)] ^ t[1280 + ((c >>> 16) & 255)] ^ t[1024 + (c >>> 24)] ^
        t[768 + (d & 255)] ^ t[512 + ((d >>> 8) & 255)] ^ t[256 + ((d >>> 16) & 255)] ^ t[d >>> 24];
    }
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]) & 255];
  return crc;
}
