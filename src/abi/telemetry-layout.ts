/**
 * How engine.wasm knows where an IOAM trace holds what HPCC++ needs: slots of f64 at TELEMETRY_ADDRESS (layout.ts), and the
 * table of known ports.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

/** 1 = traces are read. */
export const TELEMETRY_ENABLED = 0;
/** TELEMETRY_ANY_NAMESPACE, or the one whose traces are read. */
export const TELEMETRY_NAMESPACE = 1;
/** Unit of a timestamp's fraction, ps, and the first value that is none. */
export const TELEMETRY_FRACTION_PS = 2;
export const TELEMETRY_FRACTION_END = 3;
/** Trace-type bit of the queue, and its unit in bytes. */
export const TELEMETRY_QUEUE_BIT = 4;
export const TELEMETRY_QUEUE_UNIT = 5;
/** Trace-type bit of the field, first bit in it, bits, unit; four slots each. The bit is TELEMETRY_NO_FIELD for none. */
export const TELEMETRY_TX = 6;
export const TELEMETRY_RATE = 10;
/** Schema of opaque snapshots that are read. */
export const TELEMETRY_SCHEMA = 14;
/** Rate of a port that neither field nor table states, bits per second; 0 = such a hop is left out. */
export const TELEMETRY_DEFAULT_RATE = 15;
/** Address and number of the known ports. */
export const TELEMETRY_PORTS = 16;
export const TELEMETRY_PORT_COUNT = 17;
/** 1 = the trace of an acknowledgement is the echo of the forward path's. */
export const TELEMETRY_ECHOES = 18;

export const TELEMETRY_ANY_NAMESPACE = -1;
export const TELEMETRY_NO_FIELD = -1;
export const PLACE_BIT = 0;
export const PLACE_FROM = 1;
export const PLACE_BITS = 2;
export const PLACE_UNIT = 3;

/** A known port, 24 bytes: u32 port, u32 node (so that the two are one ordered u64) | f64 line rate | f64 queue unit, 0 = the common one. */
export const PORT_BYTES = 24;
export const PORT_EGRESS = 0;
export const PORT_NODE = 4;
export const PORT_LINE_RATE = 8;
export const PORT_QUEUE_UNIT = 16;
/** Egress of an entry for all ports of a node. */
export const PORT_ANY = 0xffffffff;

/** Seconds are kept modulo 4096, since picoseconds since the epoch are beyond 2^53. */
export const TRACE_SECONDS = 4096;
export const TRACE_SPAN_PS = 4096000000000000;
export const TRACE_SECOND_PS = 1000000000000;
/** More than this times the line rate is not believed: the counter has been restarted. */
export const TRACE_RATE_SLACK = 2;
