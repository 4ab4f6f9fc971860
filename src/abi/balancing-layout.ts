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
export const BALANCING_RULE_ADAPTIVE = 7;
export const BALANCING_RULE_WCMP = 8;
export const BALANCING_RULE_WEIGHTED_RANDOM = 9;

// ---- Which UDP source port a data packet of a host has.
export const SELECTION_RULE_FLOW = 0;
export const SELECTION_RULE_OBLIVIOUS = 1;
export const SELECTION_RULE_BITMAP = 2;
export const SELECTION_RULE_REPS = 3;

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
/** As long as the groups: of each group its turns and what DRILL remembers, or the sum of its weights and the weights. */
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
/** Whether any host chooses the UDP source port of each data packet. */
export const BALANCING_SELECTS = 92;
/** By node: how it chooses them; SELECTOR_BYTES each. By flow: its entropies; FLOW_ENTROPIES_BYTES and what `bitmap` keeps. */
export const BALANCING_SELECTORS_AT = 96;
export const BALANCING_ENTROPIES_AT = 100;
/** Bytes of a flow's entropies. */
export const BALANCING_ENTROPIES_BYTES = 104;
/** REPS: packets with new entropies after freezing; how long that lasts. */
export const BALANCING_EXPLORE = 108;
export const BALANCING_FREEZE = 112;
/** Queue classes: age beyond which they are computed again; their thresholds at 100 Gb/s, f64 each, and the number of these. */
export const BALANCING_REFRESH = 120;
export const BALANCING_THRESHOLDS = 128;
export const BALANCING_THRESHOLD_COUNT = 184;
/** By port: its queue class. */
export const BALANCING_CLASSES_AT = 188;
export const BALANCING_HEADER_BYTES = 192;

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
/** When it was computed i64 | class u32 | 4 free. */
export const QUEUE_CLASS_BYTES = 16;
/** Congestion u8 | known u8 | changed u8 | 5 free | when i64. */
export const CONGA_ENTRY_BYTES = 16;
/**
 * Behind a packet: CONGA's path of data, congestion that it has met, path that is reported (255: none), its congestion, u8 each;
 * UDP source port where hosts choose those of packets, or 0: that of the flow, u16; 2 free.
 */
export const BALANCING_PART_BYTES = 8;
export const PART_SOURCE_PORT = 4;

// ---- Selector of a host, 32 bytes: SELECTION_RULE_* | entropies of a flow | 8 free | state of its generator.
export const SELECTOR_BYTES = 32;
export const SELECTOR_RULE = 0;
export const SELECTOR_ENTROPIES = 4;
export const SELECTOR_RANDOM = 16;

/** Entropies of a flow. Behind them under `bitmap`: those of the last packets sent, u16 each, then the penalty of each, u8. */
export const FLOW_ENTROPIES_BYTES = 48;
/** Packets whose entropy is remembered, by their number modulo this. */
export const SENT_ENTROPIES = 1024;

/** Flowlets of a switch at most: the size of LetFlow's table. */
export const FLOWLETS_MAX = 65536;
/** UDP source ports of packets, by entropy: the dynamic ports, of which there are 16,384. */
export const FIRST_ENTROPY_PORT = 49152;
export const ENTROPY_PORTS = 16384;
/** Uplinks of a leaf at most: 255 means none. */
export const UPLINKS_MAX = 255;
/** The first UDP source port of flows that are given none; behind 65,535 it comes again. */
export const FIRST_SOURCE_PORT = 10000;
