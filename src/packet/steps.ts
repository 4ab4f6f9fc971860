/** Steps of a walk: each reads headers from an offset, and sets the next step. */

/** The walk ends. */
export const STEP_END = 0;
/** A link header; the number is the link type. */
export const STEP_LINK = 1;
/** An Ethernet header. */
export const STEP_ETHERNET = 2;
/** The contents announced by an EtherType, which is the number. */
export const STEP_ETHER_TYPE = 3;
/** An IP header; the number is the version that the preceding header states. */
export const STEP_IP = 4;
