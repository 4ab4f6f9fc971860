/**
 * The region of load balancing under fidelity `standard`, shared by host and sim.wasm: byte offsets and codes, little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. The host works out where each table
 * is and writes it into the header; a network whose switches all choose by the hash has no region, and reads none of it.
 */

// ---- Which of several equal next hops a data packet takes.
export const BALANCING_RULE_ECMP = 0;
export const BALANCING_RULE_RANDOM = 1;
export const BALANCING_RULE_ROUND_ROBIN = 2;
export const BALANCING_RULE_FLOWLET = 3;
export const BALANCING_RULE_DRILL = 4;
export const BALANCING_RULE_CONGA = 5;
export const BALANCING_RULE_LEAST_QUEUE = 6;

// ---- Header. Times f64, picoseconds; all else u32; places are bytes from the region's begin.
export const BALANCING_GAP = 0;
export const BALANCING_TAU = 8;
export const BALANCING_AGEING = 16;
/** Whether any switch chooses by another rule than the hash. */
export const BALANCING_ANY = 24;
/** Whether any host changes its UDP source port on a Fast CNP. */
export const BALANCING_DETOURS = 28;
/** DRILL's d and m. */
export const BALANCING_SAMPLES = 32;
export const BALANCING_MEMORY = 36;
/** Flowlets that a switch remembers. */
export const BALANCING_FLOWLETS = 40;
/** CONGA: leaves, and ports towards spines of the leaf that has most. */
export const BALANCING_LEAVES = 44;
export const BALANCING_UPLINKS = 48;
export const BALANCING_NODES_AT = 52;
/** As long as the groups: of each group its turns and what DRILL remembers. */
export const BALANCING_GROUPS_AT = 56;
export const BALANCING_FLOWLETS_AT = 64;
/** CONGA's estimates, by port. */
export const BALANCING_PORTS_AT = 68;
/** By leaf, other leaf and uplink: what leaves know of their paths in both directions. */
export const BALANCING_TO_LEAF_AT = 72;
export const BALANCING_FROM_LEAF_AT = 76;
/** By leaf and other leaf: which path was reported last. */
export const BALANCING_FEEDBACK_AT = 80;
/** By flow: how often it has taken another UDP source port; 4 bytes each. By node: does it? 4 bytes each. */
export const BALANCING_FLOWS_AT = 84;
export const BALANCING_HOSTS_AT = 88;
export const BALANCING_HEADER_BYTES = 96;

// ---- Node, 32 bytes: BALANCING_RULE_* | table of its flowlets | number among the leaves, or SIM_NONE | 4 free | state of its generator.
export const BALANCER_BYTES = 32;
export const BALANCER_RULE = 0;
export const BALANCER_TABLE = 4;
export const BALANCER_LEAF = 8;
export const BALANCER_RANDOM = 16;

/** Last packet i64 | port u32 | 4 free. */
export const FLOWLET_ENTRY_BYTES = 16;
/** Estimate u32 | number among the uplinks u32 | ticks done i64. */
export const ESTIMATE_BYTES = 16;
/** Congestion u8 | known u8 | changed u8 | 5 free | when i64. */
export const CONGA_ENTRY_BYTES = 16;
/** Behind a packet under CONGA: path of data, congestion that it has met, path that is reported (255: none), its congestion; u8 each. */
export const CONGA_PART_BYTES = 8;

/** Flowlets of a switch at most: the size of LetFlow's table. */
export const FLOWLETS_MAX = 65536;
/** Uplinks of a leaf at most: 255 means none. */
export const UPLINKS_MAX = 255;
/** The first UDP source port of flows that are given none; behind 65,535 it comes again. */
export const FIRST_SOURCE_PORT = 10000;
