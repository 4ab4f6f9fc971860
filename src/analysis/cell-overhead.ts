/**
 * Packets in a buffer of cells: each takes whole cells, so small packets fill a buffer faster than they arrive.
 *
 * The worst packets are the smallest one, and the smallest one that begins a further cell. On the wire each has another 20 bytes
 * of preamble and gap, which no buffer stores.
 */

/** Shortest frame (IEEE 802.3, 4A.4.2). */
const FRAME_MIN_BYTES = 64;
/** Preamble, start of frame and interpacket gap: 7 + 1 + 12 bytes (IEEE 802.3, 3.1 and 4A.4.2). */
export const WIRE_OVERHEAD_BYTES = 20;

/** Bytes of whole cells that hold a packet. */
export function bytesOfCells(packetBytes: number, cellBytes: number): number {
  return Math.ceil(packetBytes / cellBytes) * cellBytes;
}

/** The most bytes of cells that a wire fills while it carries `wireBytes`, with packets of the worst length. */
export function worstBytesOfCells(wireBytes: number, cellBytes: number, mtuBytes: number): number {
  const straddling = Math.max(1, Math.ceil((FRAME_MIN_BYTES - 1) / cellBytes)) * cellBytes + 1;
  const lengths = straddling <= mtuBytes ? [FRAME_MIN_BYTES, straddling] : [FRAME_MIN_BYTES];
  return Math.max(
    ...lengths.map((length) => Math.ceil(wireBytes / (length + WIRE_OVERHEAD_BYTES)) * bytesOfCells(length, cellBytes)),
  );
}
