/**
 * Widths and places of the fields in a hop's record of HPCC's INT header (`hpcc-int-hop.ts`), apart from its codec: the
 * engine needs them, and nothing else of it.
 */

/** Widths of the fields. */
export const HPCC_INT_LINE_RATE_BITS = 3;
export const HPCC_INT_TIME_BITS = 24;
export const HPCC_INT_TX_BITS = 20;
export const HPCC_INT_QUEUE_BITS = 17;

/** Where the fields begin, from the least significant bit of the number. */
export const HPCC_INT_TIME_SHIFT = HPCC_INT_LINE_RATE_BITS;
export const HPCC_INT_TX_SHIFT = HPCC_INT_TIME_SHIFT + HPCC_INT_TIME_BITS;
export const HPCC_INT_QUEUE_SHIFT = HPCC_INT_TX_SHIFT + HPCC_INT_TX_BITS;
