/**
 * Routes: u32 each. Group = first word of a group in the region of groups.
 *
 *   column   by node: where its column begins, in words from the first entry; SIM_NONE: no path leads to it
 *   direct   by node: the group of its link at its switch; SIM_NONE: it has none
 *   entries  by column, then by switch (SimNode.routeRow): a group, SIM_NONE: no path, SIM_DIRECT: the destination's direct one
 */

/** An entry: the destination is a host of this switch. */
export const SIM_DIRECT = 0xfffffffe;
/** Before the entries, words for each node. */
export const ROUTE_WORDS_PER_NODE = 2;
