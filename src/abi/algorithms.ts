/**
 * Algorithms: their numbers, and the traits that host and engine must know.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */
export const ALGORITHM_DCQCN = 0;
export const ALGORITHM_HPCC = 1;
export const ALGORITHM_HPCC_PINT = 2;
export const ALGORITHM_TIMELY = 3;
export const ALGORITHM_DCTCP = 4;
export const ALGORITHM_SWIFT = 5;
export const ALGORITHM_HPCC_PP = 6;
export const ALGORITHM_NSCC = 7;
export const ALGORITHM_RCCC = 8;
/** The first number for custom algorithms (custom-layout.ts); all numbers from here on are custom. */
export const ALGORITHM_CUSTOM = 9;
/** Entries of the table in memory. */
export const ALGORITHM_COUNT = 16;

// ---- Traits: bits.
/**
 * The algorithm's timers are separate events, applied before its rate is read; its QPs are paced only while
 * rate-limited.
 */
export const TIMED = 1;
/** The algorithm reacts to acknowledgements. Others treat an ECN mark echoed by an ACK as a CNP. */
export const READS_ACKS = 2;
/** Signals stretch or shorten the running gap between packets. */
export const PACES = 4;
/** A QP keeps records of hops. */
export const KEEPS_HOPS = 8;
/**
 * Usual acknowledgements have a branch-free step, after which the algorithm sets the gap
 * (assembly/algorithms/hpcc/fast-acks.ts).
 */
export const FAST_ACKS = 16;
/** The algorithm reacts to IOAM traces of Fast CNPs and ACK frames. */
export const READS_TRACES = 32;
/** Acknowledgements carry PINT's power. */
export const READS_POWER = 64;
/** The algorithm reacts to congestion marks. */
export const READS_MARKS = 128;
/** The algorithm reacts to CNPs and Fast CNPs. */
export const READS_CNPS = 256;
/** The algorithm's receiver grants credit: a packet may leave while credit is left (assembly/rp/window.ts). */
export const READS_CREDIT = 512;

export const DCQCN_TRAITS = TIMED | READS_MARKS | READS_CNPS;
export const HPCC_TRAITS = READS_ACKS | PACES | KEEPS_HOPS | FAST_ACKS;
export const HPCC_PINT_TRAITS = READS_ACKS | PACES | READS_POWER;
export const TIMELY_TRAITS = READS_ACKS;
export const DCTCP_TRAITS = READS_ACKS | READS_MARKS;
export const SWIFT_TRAITS = READS_ACKS;
export const NSCC_TRAITS = READS_ACKS | READS_MARKS;
export const RCCC_TRAITS = READS_ACKS | READS_CREDIT;
export const HPCC_PP_TRAITS = READS_ACKS | PACES | KEEPS_HOPS | READS_TRACES | READS_MARKS | READS_CNPS;
