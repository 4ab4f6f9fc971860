/**
 * Custom algorithms, written by users: the linear memory that their handlers see, shared by host, kernel and user
 * modules. Byte offsets, little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- The record of a QP. Handlers get the address of the rate; a guard precedes it.
/** f64 [bit/s]: 0 < rate <= line rate. */
export const CUSTOM_RATE = 0;
/** f64; 0 = no window. */
export const CUSTOM_WINDOW = 8;
/** f64 [ps]: earliest time of the next packet. */
export const CUSTOM_NEXT_SEND = 16;
/** f64 [ps] each; Infinity = not running. */
export const CUSTOM_TIMERS = 24;
export const CUSTOM_TIMER_COUNT = 4;
/** f64 [bit/s]; read-only, like the following fields up to the flags. */
export const CUSTOM_LINE_RATE = 56;
/** f64 [ps]: time of the previous event. */
export const CUSTOM_LAST_EVENT = 64;
/** u32 [bytes]: length of the last packet sent. */
export const CUSTOM_LAST_LENGTH = 72;
/** u32; bits CUSTOM_PACED and CUSTOM_RATE_SET. */
export const CUSTOM_FLAGS = 76;
/** u32; 1 + index into the algorithm's reasons, 0 = none. */
export const CUSTOM_REASON = 80;
/** u32; 1 = PSNs of 24 bits, 0 = sequence numbers of 32 bits. Read-only. */
export const CUSTOM_SEQUENCE = 84;
/** f64 [ps] each: when each timer was set. Used only by the kernel. */
export const CUSTOM_TIMERS_SET = 88;
/** f64 [ps]; when a timer handler is called: timers up to this time expire now. Read-only. */
export const CUSTOM_UNTIL = 128;
/** f64 each, as declared by the algorithm. */
export const CUSTOM_STATE = 136;
export const CUSTOM_STATE_BYTES_MAX = 1024;
/** Bytes of the guard before the record, and of the one after its state. */
export const CUSTOM_GUARD_BYTES = 16;
/** The first half of a guard, u32; the second is its complement. */
export const CUSTOM_GUARD = 0x5afe_c0de;

/** Packets are paced at the QP's rate; else they leave immediately. */
export const CUSTOM_PACED = 1;
/**
 * The handler has set the rate, even to the same value; the kernel clears the bit before each call. A changed rate
 * counts as set.
 */
export const CUSTOM_RATE_SET = 2;

// ---- The parameter set, after its common head: indices of the handlers in the function table, u16 each, 0 = none.
export const CUSTOM_HANDLERS = 24;
export const HANDLER_OPEN = 0;
export const HANDLER_SENT = 1;
export const HANDLER_ACK = 2;
export const HANDLER_CNP = 3;
export const HANDLER_FAST_CNP = 4;
export const HANDLER_LOSS = 5;
export const HANDLER_TIMER = 6;
export const HANDLER_NACK = 7;
export const HANDLER_COUNT = 8;
/** u8: how a new rate affects the gap, CUSTOM_GAP_*. */
export const CUSTOM_PACING = 40;
/** u8; unit of the send gap: 0 = picoseconds, 1 = whole nanoseconds as in the ns-3 reference simulator. */
export const CUSTOM_SEND_GAP = 41;
/** u8 [ps]; timers due at least this long before a packet event precede it. */
export const CUSTOM_TIE_GAP = 42;
/** u8; 1 = PSNs of 24 bits, 0 = sequence numbers of 32 bits. */
export const CUSTOM_SEQUENCE_MODE = 43;
/** u16; bytes of state. */
export const CUSTOM_STATE_BYTES = 44;
/** The algorithm's own parameters, f64 each, as passed to handlers. */
export const CUSTOM_PARAMETERS = 48;
export const CUSTOM_PARAMETER_COUNT_MAX = 34;

/** A new rate applies from the next gap on. */
export const CUSTOM_GAP_NEXT_PACKET = 0;
/** A new rate stretches or shortens the running gap. */
export const CUSTOM_GAP_RUNNING = 1;
/** The handler for sent packets sets the time of the next one. */
export const CUSTOM_GAP_OWN = 2;

// ---- What a handler returns.
export const HANDLED_USED = 0;
export const HANDLED_NOT_USED = 1;
export const HANDLED_NO_SIGNAL = 2;

// ---- The current call; the host names it if it ends in a trap.
export const CUSTOM_CALL_ADDRESS = 10240;
/** u32 HANDLER_*; HANDLER_COUNT = none. */
export const CALL_HANDLER = 0;
/** u32: the QP. */
export const CALL_QP = 4;
/** u32 FAULT_*; 0 = the handler itself trapped. */
export const CALL_FAULT = 8;
/** f64 [ps]: time of the event. */
export const CALL_TIME = 16;
/** f64: the invalid value. */
export const CALL_VALUE = 24;

export const FAULT_RATE = 1;
export const FAULT_WINDOW = 2;
export const FAULT_NEXT_SEND = 3;
export const FAULT_TIMER = 4;
/** Timers expire endlessly. */
export const FAULT_TIMER_BUDGET = 5;
/** A guard was overwritten. */
export const FAULT_GUARD = 6;
/** A handler returned a value other than HANDLED_*. */
export const FAULT_RESULT = 7;
/** A read-only field was written. */
export const FAULT_READ_ONLY = 8;

/** Maximum number of timer expiries before one event. */
export const CUSTOM_TIMER_BUDGET = 1_048_576;

// ---- Static data of modules: their first region of memory, allocated only if there are modules.
export const MODULE_REGION = 16384;
/** Bytes of one module. */
export const MODULE_REGION_BYTES = 65536;
