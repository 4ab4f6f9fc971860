/**
 * Routes, u32 each. A group is given by the index of its first word in the region of groups.
 *
 *   column   by node: start of its column, in words from the first entry; SIM_NONE: unreachable
 *   direct   by node: the group of the link from its switch; SIM_NONE: none
 *   entries  by column, then by switch (SimNode.routeRow): a group; SIM_NONE: no path; SIM_DIRECT: the group in
 *            `direct`
 */

/** Entry: the destination is a host of this switch. */
export const SIM_DIRECT = 0xfffffffe;
/** Words per node before the entries. */
export const ROUTE_WORDS_PER_NODE = 2;
