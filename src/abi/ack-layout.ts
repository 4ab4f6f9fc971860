/**
 * Records of acknowledgements, and QP state of algorithms other than DCQCN, shared by host and engine.wasm: byte
 * offsets, little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so its constants are plain integers.
 */
// ---- AckEvent: what an acknowledgement reports to its sender, followed by the hops, ACK_HOP_BYTES each.
export const ACK_SEQ = 0;
export const ACK_SND_NXT = 4;
/** f64 [ps]; NaN = unknown. */
export const ACK_SENT_TIME = 8;
/** f64 [ps]: delay within the receiver. */
export const ACK_HOST_DELAY = 16;
/** f64: number of newly acknowledged packets. */
export const ACK_ACKED_PACKETS = 24;
/** u32; 0 = none. */
export const ACK_PATH_ID = 32;
/** u32; number of switches and hosts on the path, as Swift counts them. */
export const ACK_PATH_HOPS = 36;
/** u32; ACK_NO_POWER = none. */
export const ACK_PINT_POWER = 40;
/** u8; 1 = the acknowledged packet was ECN-marked. */
export const ACK_ECN_ECHO = 44;
/** u8: kind of telemetry, TELEMETRY_*. */
export const ACK_TELEMETRY = 45;
/** u8; number of hops on the path: more than there are records if slots were overwritten. */
export const ACK_HOP_COUNT = 46;
/** u8; 1 = hops of the path are missing here: with such a record HPCC++ may lower a rate, but not raise it. */
export const ACK_PARTIAL = 47;
/** f64 [bytes]: payload; NaN = unknown. */
export const ACK_ACKED_BYTES = 48;
export const ACK_HOPS = 56;
export const ACK_NO_POWER = 0xffffffff;

// ---- The same record for NSCC, which reads no PINT power.
/** u32; ACK_PENALTY_GIVEN: what the receiver says of the window, 7 bits of penalty and ACK_RESTORES_WINDOW. Anything else: nothing. */
export const ACK_PENALTY = 40;
/** Upper half of ACK_PENALTY. */
export const ACK_PENALTY_GIVEN = 0x10000;
export const ACK_RESTORES_WINDOW = 0x80;
export const ACK_PENALTY_MAX = 127;

// ---- The same record of a NACK, which is about one packet that a switch trimmed: ACK_SENT_TIME is that packet's.
/** f64 [bytes]: payload that was cut off. */
export const NACK_TRIMMED_BYTES = 48;
/** u8; 1 = the last switch on the path trimmed the packet. */
export const NACK_LAST_HOP = 47;

// ---- The same record for credit.
/** f64 [quanta of PULL_QUANTUM_BYTES]: cumulative pull number. */
export const CREDIT_PULL_NUMBER = 48;
/** Bytes granted per unit of the pull number. */
export const PULL_QUANTUM_BYTES = 256;

/** A record with its hops is padded to whole cache lines, so that each record begins at a cache line. */
export const ACK_EVENT_ALIGNMENT = 64;

// ---- One hop of an AckEvent, 40 bytes. Exact: f64 time [ps], txBytes, qlenBytes, lineRateBps | u32 hop id, u32 port.
export const ACK_HOP_BYTES = 40;
export const HOP_TIME = 0;
export const HOP_TX_BYTES = 8;
export const HOP_QLEN_BYTES = 16;
export const HOP_LINE_RATE = 24;
export const HOP_ID = 32;
/** Egress port of a hop recorded by an IOAM trace; else 0. */
export const HOP_PORT = 36;
/** txBytes of a hop that does not report them. */
export const HOP_NO_TX_BYTES = -1;
// ---- One hop of a 64-bit record of the reference simulator, as raw fields: u32 each.
export const RAW_HOP_LINE_RATE = 0;
export const RAW_HOP_TIME = 4;
export const RAW_HOP_BYTES = 8;
export const RAW_HOP_QLEN = 12;

export const TELEMETRY_NONE = 0;
export const TELEMETRY_EXACT = 1;
export const TELEMETRY_INT64 = 2;
/** Exact hops read from an IOAM trace; times are modulo TRACE_SPAN_PS. */
export const TELEMETRY_TRACE = 3;
/** Exact hops from a trace without seconds; times are modulo TRACE_SECOND_PS. */
export const TELEMETRY_TRACE_SECOND = 4;
/** Maximum number of hops of each kind. */
export const EXACT_HOPS_MAX = 16;
export const INT64_HOPS_MAX = 5;

// ---- Effect of an ACK: the result of a controller's `ack`.
export const ACK_FIRST = 0;
export const ACK_UPDATE = 1;
export const ACK_FAST = 2;
export const ACK_NEW_PATH = 3;
export const ACK_SKIPPED = 4;
export const ACK_NO_SIGNAL = 5;
export const ACK_RESULT_MASK = 7;
/**
 * Added to the result by the HPCC variants if the transition set the rate (even to the same value), which also moves
 * the gap.
 */
export const ACK_RATE_SET = 8;

// ---- How a loss was detected: the value of a loss event.
export const LOSS_FAST = 0;
export const LOSS_TIMEOUT = 1;

// ---- Hops of a QP.
/** Bytes per hop in the memory of a QP that keeps hops. */
export const KEPT_HOP_BYTES = 48;
/** HPCC stores the records of its hops first, without gaps: f64 time, txBytes, qlen | u32 hop id, u32 stage. */
export const HOP_RECORD_BYTES = 32;
/** After space for all records: the state of each hop, used only with multiRate: f64 utilization, committed. */
export const HOP_STEP_BYTES = 16;

// ---- HPCC++ keeps hops by identity, in the same 48 bytes: f64 time, txBytes, qlen, when seen | u32 kind, free, hop
// id, port. After the last hop come its timers: f64 next full update, held until, next recovery, target |
// u32 recovery steps.
/** Maximum hops of a QP under HPCC++; the timers take the space of one more. */
export const PLUS_HOPS = 15;
export const PLUS_HOP_SEEN = 24;
export const PLUS_HOP_KIND = 32;
export const PLUS_HOP_ID = 40;
export const PLUS_HOP_PORT = 44;
export const PLUS_NEXT_FULL = 0;
export const PLUS_HELD_UNTIL = 8;
export const PLUS_NEXT_RECOVERY = 16;
export const PLUS_TARGET = 24;
export const PLUS_RECOVERY_STEPS = 32;
/** Base of the identity of hops that have none; their index in the list is added. */
export const PLUS_PLACE_ID = 0xffffff00;

/** Bytes of an AckEvent record with space for this many hops; the engine's own is in assembly/memory/map.ts. */
export function ackEventBytes(hops: number): number {
  return Math.ceil((ACK_HOPS + hops * ACK_HOP_BYTES) / ACK_EVENT_ALIGNMENT) * ACK_EVENT_ALIGNMENT;
}
