/**
 * Routes of the simulator, in linear memory, shared by host and sim.wasm: u32 each. Group = first word of a group in the region of groups.
 *
 *   column   by node: where its column begins, in words from the first entry; SIM_NONE: no path leads to it
 *   direct   by node: the group of its link at its switch; SIM_NONE: it has none
 *   entries  by column, then by switch (NODE_ROUTE_ROW): a group, SIM_NONE: no path, SIM_DIRECT: the destination's direct one
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

export const SIM_DIRECT = 0xfffffffe;
/** In front of the entries, words for each node. */
export const ROUTE_WORDS_PER_NODE = 2;
/** u32 in the record of a switch: its place in each column. */
export const NODE_ROUTE_ROW = 32;
