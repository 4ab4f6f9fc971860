/**
 * Records of what PFC can do wrong, in linear memory, shared by host and sim.wasm: byte offsets, little-endian. They are there only
 * where a plan has hazards.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Times are picoseconds; counts
 * that can pass 2^32 are f64.
 */

// ---- Of the network as a whole, 64 bytes: f64 each but the last three.
export const HAZARD_NETWORK_BYTES = 64;
/** Time between two checks of pauses; 0: none. */
export const HAZARD_CHECK_INTERVAL = 0;
/** With a deadlock, the run ends when nothing was delivered for this long; 0: it continues. */
export const HAZARD_QUIET = 8;
/** u32: deadlocks with a record. */
export const HAZARD_DEADLOCK_RECORDS = 20;

// ---- Port, 128 bytes.
export const HAZARD_PORT_BYTES = 128;
/** u32 each, of a host that receives slowly: receive buffer, thresholds of pause and resume, does it pause? */
export const HAZARD_PORT_CAPACITY = 20;
export const HAZARD_PORT_XOFF = 24;
export const HAZARD_PORT_XON = 28;
export const HAZARD_PORT_PAUSES = 32;
/** u32: most bytes that its receive buffer held. */
export const HAZARD_PORT_MOST_HELD = 36;
/** f64: rate of its receive path; 0: that of its link. */
export const HAZARD_PORT_RATE = 40;
/** f64: chance that a bit, and that a frame, which leaves here is received wrong. */
export const HAZARD_PORT_BIT_ERRORS = 48;
export const HAZARD_PORT_FRAME_ERRORS = 56;
/** f64 each: queues that the watchdog took for stormed and gave back; packets that it dropped; time that queues were so. */
export const HAZARD_PORT_STORMS = 64;
export const HAZARD_PORT_RESTORED = 72;
export const HAZARD_PORT_WATCHDOG_DROPS = 80;
export const HAZARD_PORT_STORMED = 88;
/** u32: packets that found a receive buffer full. */
export const HAZARD_PORT_RECEIVE_DROPS = 96;

// ---- Class of a port, 32 bytes.
export const HAZARD_CLASS_BYTES = 32;

// ---- Flow, 48 bytes.
export const HAZARD_FLOW_BYTES = 48;
/** f64: how long it was held although its path was free. */
export const HAZARD_FLOW_HELD = 0;
/** u32: the port where it was held longest, and the one at which what held it began; SIM_NONE: a cycle of ports. */
export const HAZARD_FLOW_HELD_AT = 24;
export const HAZARD_FLOW_ROOT = 28;

// ---- Node, 48 bytes: what its watchdog goes by.
export const HAZARD_NODE_BYTES = 48;
/** f64 each; detection 0: it has none. */
export const HAZARD_NODE_DETECTION = 0;
export const HAZARD_NODE_RESTORATION = 8;
export const HAZARD_NODE_POLL = 16;
/** u32: 1: packets of a stormed queue are dropped; 0: they are sent. */
export const HAZARD_NODE_DROPS = 24;

// ---- Storm, 32 bytes: port u32 | classes u32, a bit each | from f64 | until f64, Infinity: for ever | between frames f64.
export const HAZARD_STORM_BYTES = 32;

// ---- Deadlock, 288 bytes: formed f64 | found f64 | resolved f64, -1: not | ports in its cycle u32, 4 free | port * 8 + class u32 each.
export const HAZARD_DEADLOCK_BYTES = 288;
export const HAZARD_DEADLOCK_PORTS = 32;
/** Ports of a cycle that a record names, and deadlocks with a record. */
export const HAZARD_DEADLOCK_NAMED = 64;
export const HAZARD_DEADLOCKS_KEPT = 8;
