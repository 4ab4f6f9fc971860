/**
 * Records of QPs under an agent outside the simulation, in linear memory, shared by host and sim.wasm: byte offsets,
 * little-endian. They are there only where a plan has agents.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- Of each flow that leads a QP, 96 bytes.
export const AGENT_BYTES = 96;
/** f64 and u32, by the host: rate in bits per second, and bytes that may be in flight; 0 = as the algorithm has it. */
export const AGENT_RATE = 0;
export const AGENT_WINDOW = 8;
/** u32, by `simObserve`: bytes that may be in flight now, at most 2^32 - 1; 0 = unlimited. */
export const AGENT_WINDOW_NOW = 12;
// What its sender sees, since the start.
/** u32: packets retransmitted. */
export const AGENT_RETRANSMITTED = 36;
/** f64: payload that has left, retransmissions included. */
export const AGENT_SENT_BYTES = 40;
/** f64, by `simObserve`: payload that is acknowledged, and payload in flight. */
export const AGENT_ACKED_BYTES = 48;
export const AGENT_IN_FLIGHT = 56;
/** f64, picoseconds: sum of the round trips of ACKs; the shortest since the host last wrote Infinity. */
export const AGENT_RTT_SUM = 64;
export const AGENT_RTT_MIN = 72;
/** u32 each: ACKs and NAKs, those of marked packets, CNPs and Fast CNPs. */
export const AGENT_ACKS = 80;
export const AGENT_MARKED_ACKS = 84;
export const AGENT_CNPS = 88;
