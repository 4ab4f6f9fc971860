/**
 * Algorithms: their numbers, and what either side must know of each.
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
/** The first of those that users bring (custom-layout.ts); theirs are this one and all behind it. */
export const ALGORITHM_CUSTOM = 9;
/** Entries of the table in memory. */
export const ALGORITHM_COUNT = 16;

// ---- Traits: bits.
/** Its timers are separate events: they are applied before its rate is read, and it is paced only while it is limited. */
export const TIMED = 1;
/** It reacts to acknowledgements; one that doesn't takes a mark that an ACK echoes for a CNP. */
export const READS_ACKS = 2;
/** Signals stretch or shorten the running gap between packets. */
export const PACES = 4;
/** A QP keeps records of hops. */
export const KEEPS_HOPS = 8;
/** Usual acknowledgements have a step without branches, after which the gap is the algorithm's (assembly/algorithms/hpcc/fast-acks.ts). */
export const FAST_ACKS = 16;
/** IOAM traces of Fast CNPs and of ACK frames are signals. */
export const READS_TRACES = 32;
/** An acknowledgement carries the power of PINT. */
export const READS_POWER = 64;
/** It reacts to congestion marks. */
export const READS_MARKS = 128;
/** It reacts to CNPs and Fast CNPs. */
export const READS_CNPS = 256;
/** Its receiver grants credit: a packet may leave while there is some (assembly/rp/window.ts). */
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
