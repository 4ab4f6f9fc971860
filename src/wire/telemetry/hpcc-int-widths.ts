/**
 * Widths and positions of the fields of a hop record in HPCC's INT header, separate from the codec (`hpcc-int-hop.ts`),
 * since the engine needs only these.
 */

/** Width of the line rate code, bits (source of all widths: reference simulator, int-header). */
export const HPCC_INT_LINE_RATE_BITS = 3;
/** Width of the time in nanoseconds, bits: it wraps around after 16.78 ms. */
export const HPCC_INT_TIME_BITS = 24;
/** Width of the bytes sent, bits, in units of 128 x multi. */
export const HPCC_INT_TX_BITS = 20;
/** Width of the queue, bits, in units of 80 x multi. */
export const HPCC_INT_QUEUE_BITS = 17;

/** Offset of the time, bits from the least significant one of the record; the line rate is at 0. */
export const HPCC_INT_TIME_SHIFT = HPCC_INT_LINE_RATE_BITS;
/** Offset of the bytes sent, bits from the least significant one of the record. */
export const HPCC_INT_TX_SHIFT = HPCC_INT_TIME_SHIFT + HPCC_INT_TIME_BITS;
