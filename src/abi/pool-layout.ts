/**
 * The size of pools of lossy classes.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

/** Capacity: 1: there are pools. Region: where. */
export const SIM_CAPACITY_POOLS = 28;
