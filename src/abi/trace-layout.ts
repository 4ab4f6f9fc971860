/**
 * The trace of rate changes, shared by host and engine.wasm: record layout, reasons, inputs. Little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. For the meaning of the
 * inputs see src/engine/rate-changes.ts.
 */

// ---- Record, 96 bytes: time f64 [ps] | qp u32 | reason u8, cause u8, detail u8, hop u8 | from f64, to f64 [b/s] | 8 inputs f64.
export const TRACE_BYTES = 96;
export const TRACE_TIME = 0;
export const TRACE_QP = 8;
/** Reason of the change, TRACE_* below. */
export const TRACE_REASON = 12;
/** Cause of the change, CAUSE_* of codes.ts. */
export const TRACE_CAUSE = 13;
/** Further details, TRACE_DETAIL_* bits. */
export const TRACE_DETAIL = 14;
/** Index of a hop on the path, or TRACE_NO_HOP. */
export const TRACE_HOP = 15;
export const TRACE_FROM = 16;
export const TRACE_TO = 24;
export const TRACE_INPUTS = 32;
export const TRACE_INPUT_BYTES = 64;
export const TRACE_NO_HOP = 255;

// ---- Reasons. Algorithms without explanations use TRACE_OTHER.
export const TRACE_OTHER = 0;
// DCQCN inputs: alpha (of a cut), target, time stage, byte stage.
export const TRACE_FIRST_CNP = 1;
export const TRACE_CUT = 2;
/** The three phases of increase steps, in order. */
export const TRACE_FAST_RECOVERY = 3;
export const TRACE_ADDITIVE = 4;
export const TRACE_HYPER = 5;
export const TRACE_RELEASE = 6;
// HPCC and HPCC++ inputs: u, u' of the hop, queue, tx rate, line rate, tau, reference, stage.
export const TRACE_HPCC_MULTIPLICATIVE = 7;
export const TRACE_HPCC_ADDITIVE = 8;
export const TRACE_HPCC_KEPT = 9;
// HPCC-PINT inputs: u, power, reference, stage.
export const TRACE_PINT_MULTIPLICATIVE = 10;
export const TRACE_PINT_ADDITIVE = 11;
// TIMELY inputs: round trip, its smoothed difference, gradient, stage.
export const TRACE_TIMELY_LOW_RTT = 12;
export const TRACE_TIMELY_HIGH_RTT = 13;
export const TRACE_TIMELY_GRADIENT = 14;
// DCTCP inputs: alpha, F.
export const TRACE_DCTCP_CUT = 15;
export const TRACE_DCTCP_INCREASE = 16;
// Swift inputs: round trip, delay, target, window.
export const TRACE_SWIFT_INCREASE = 17;
export const TRACE_SWIFT_DECREASE = 18;
export const TRACE_SWIFT_ROUND_TRIP = 19;
export const TRACE_SWIFT_LOSS = 20;
export const TRACE_SWIFT_TIMEOUT = 21;
// HPCC++ without new telemetry; inputs: target, step.
export const TRACE_RECOVERY_HALFWAY = 22;
export const TRACE_RECOVERY_ADDITIVE = 23;
// NSCC inputs: delay, average delay, target, window before, base round trip.
export const TRACE_NSCC_ROUND_TRIP = 25;
export const TRACE_NSCC_INCREASE = 26;
export const TRACE_NSCC_FAST_INCREASE = 27;
export const TRACE_NSCC_DECREASE = 28;
export const TRACE_NSCC_QUICK_ADAPT = 29;
export const TRACE_NSCC_LOSS = 30;
export const TRACE_NSCC_TIMEOUT = 31;
// A custom algorithm: 1 + index into its reasons.
export const TRACE_CUSTOM = 24;

/**
 * HPCC, HPCC-PINT: the ACK began a round trip, so the step was committed. HPCC++: the step was committed. DCTCP: the
 * ACK ended a batch.
 */
export const TRACE_DETAIL_FULL = 1;
/** HPCC, HPCC++: reference and target are windows in bytes, not rates. */
export const TRACE_DETAIL_WINDOW = 2;

/** u32 at REGIONS_ADDRESS: start of the ring of trace records. */
export const REGION_TRACE = 20;
/** Counter of trace records that did not fit. */
export const COUNTER_TRACE_LOST = 79;
