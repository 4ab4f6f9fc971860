/** Where an IOAM trace holds what HPCC++ needs: slots at TELEMETRY_ADDRESS (layout.ts), and the table of known ports. */
import { defineRecord, defineSlots, f64, u32 } from './define-record.js';

export const TELEMETRY_ANY_NAMESPACE = -1;
export const TELEMETRY_NO_FIELD = -1;

/** Slots of a number within a field of a trace. */
export const PLACE_BIT = 0;
export const PLACE_FROM = 1;
export const PLACE_BITS = 2;
export const PLACE_UNIT = 3;

/** Egress of an entry for all ports of a node. */
export const PORT_ANY = 0xffffffff;

/** Seconds are kept modulo 4096, since picoseconds since the epoch are beyond 2^53. */
export const TRACE_SECONDS = 4096;
export const TRACE_SPAN_PS = 4096000000000000;
export const TRACE_SECOND_PS = 1000000000000;
/** More than this times the line rate is not believed: the counter has been restarted. */
export const TRACE_RATE_SLACK = 2;

export const TELEMETRY = /* @__PURE__ */ defineSlots('TELEMETRY', f64, {
  /** 1 = traces are read. */
  enabled: 1,
  /** TELEMETRY_ANY_NAMESPACE, or the one whose traces are read. */
  namespace: 1,
  /** Unit of a timestamp's fraction. */
  fractionPs: 1,
  /** The first value of the fraction that is none. */
  fractionEnd: 1,
  /** Trace-type bit of the queue. */
  queueBit: 1,
  queueUnitBytes: 1,
  /** Bytes sent: trace-type bit of the field or TELEMETRY_NO_FIELD, first bit in it, bits, unit. */
  tx: 4,
  /** Line rate: the same. */
  rate: 4,
  /** Schema of opaque snapshots that are read. */
  schema: 1,
  /** Rate of a port that neither field nor table states; 0 = such a hop is left out. */
  defaultRateBps: 1,
  /** Address of the known ports. */
  ports: 1,
  portCount: 1,
  /** 1 = the trace of an acknowledgement is the echo of the forward path's. */
  echoes: 1,
});

/** A known port. */
export const KNOWN_PORT = /* @__PURE__ */ defineRecord('KnownPort', 24, {
  egress: u32,
  /** With the port one ordered u64. */
  node: u32,
  lineRateBps: f64,
  /** 0: the common one. */
  queueUnitBytes: f64,
}, { adjacent: [['egress', 'node']] });
