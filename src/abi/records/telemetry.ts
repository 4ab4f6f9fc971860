/**
 * Where an IOAM trace holds the fields that HPCC++ needs: slots at TELEMETRY_ADDRESS (layout.ts), and the table of
 * known ports.
 */
import { defineRecord, defineSlots, f64, u32 } from './define-record.js';

export const TELEMETRY_ANY_NAMESPACE = -1;
export const TELEMETRY_NO_FIELD = -1;

/** Slots that describe a number within a field of a trace: trace-type bit, first bit, number of bits, unit. */
export const PLACE_BIT = 0;
export const PLACE_FROM = 1;
export const PLACE_BITS = 2;
export const PLACE_UNIT = 3;

/** Egress of a table entry for all ports of a node. */
export const PORT_ANY = 0xffffffff;

/** Seconds are kept modulo 4096, since picoseconds since the epoch are beyond 2^53. */
export const TRACE_SECONDS = 4096;
export const TRACE_SPAN_PS = 4096000000000000;
export const TRACE_SECOND_PS = 1000000000000;
/** A byte counter that grows faster than this times the line rate has been restarted, so it is ignored. */
export const TRACE_RATE_SLACK = 2;

export const TELEMETRY = /* @__PURE__ */ defineSlots('TELEMETRY', f64, {
  /** 1 = traces are read. */
  enabled: 1,
  /** TELEMETRY_ANY_NAMESPACE, or the only namespace whose traces are read. */
  namespace: 1,
  /** Unit of a timestamp's fraction. */
  fractionPs: 1,
  /** The smallest invalid value of the fraction. */
  fractionEnd: 1,
  /** Trace-type bit of the queue. */
  queueBit: 1,
  queueUnitBytes: 1,
  /** Bytes sent: trace-type bit of the field or TELEMETRY_NO_FIELD; first bit in it; number of bits; unit. */
  tx: 4,
  /** Line rate: the same four numbers. */
  rate: 4,
  /** Schema of the opaque snapshots that are read. */
  schema: 1,
  /** Rate of a port that neither a field nor the table gives; 0 = such a hop is ignored. */
  defaultRateBps: 1,
  /** Address of the known ports. */
  ports: 1,
  portCount: 1,
  /** 1 = the trace of an acknowledgement echoes the trace of the forward path. */
  echoes: 1,
});

/** Line rate and queue unit of a known port. */
export const KNOWN_PORT = /* @__PURE__ */ defineRecord('KnownPort', 24, {
  egress: u32,
  /** Together with `egress` a sorted u64. */
  node: u32,
  lineRateBps: f64,
  /** 0: the common unit. */
  queueUnitBytes: f64,
}, { adjacent: [['egress', 'node']] });
