/**
 * Overhead of buffers that are divided into cells: each packet takes whole cells, so small packets fill a buffer faster
 * than their bytes arrive.
 */

/** Shortest frame (IEEE 802.3, 4A.4.2). */
const FRAME_MIN_BYTES = 64;
/** Preamble, start of frame and interpacket gap: 7 + 1 + 12 bytes (IEEE 802.3, 3.1 and 4A.4.2). */
export const WIRE_OVERHEAD_BYTES = 20;

/** Bytes of the whole cells that a packet occupies. */
export function bytesOfCells(packetBytes: number, cellBytes: number): number {
  return Math.ceil(packetBytes / cellBytes) * cellBytes;
}

/** Maximum bytes of cells that are filled while the wire carries `wireBytes`, with packets of the worst length. */
export function worstBytesOfCells(wireBytes: number, cellBytes: number, mtuBytes: number): number {
  const straddling = Math.max(1, Math.ceil((FRAME_MIN_BYTES - 1) / cellBytes)) * cellBytes + 1;
  const lengths = straddling <= mtuBytes ? [FRAME_MIN_BYTES, straddling] : [FRAME_MIN_BYTES];
  return Math.max(
    ...lengths.map((length) => Math.ceil(wireBytes / (length + WIRE_OVERHEAD_BYTES)) * bytesOfCells(length, cellBytes)),
  );
}
