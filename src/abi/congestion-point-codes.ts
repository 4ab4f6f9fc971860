/**
 * The numeric vocabulary of the congestion point, shared by the TypeScript model and the wasm code. Its record:
 * records/congestion-point.ts.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- The sender's ability to process a Fast CNP, as far as the switch knows (Fast CNP draft, section 4).
export const CAPABILITY_UNKNOWN = 0;
export const CAPABILITY_ABLE = 1;
export const CAPABILITY_UNABLE = 2;

// ---- A decision: two flags, and a reason from bit 8 on.
/** Set the ECN field of the data packet to CE (binary 11). */
export const CP_MARK_CE = 1;
/** Send a Fast CNP to the packet's sender. */
export const CP_SEND_FAST_CNP = 2;
export const CP_REASON_SHIFT = 8;

// ---- Reasons for the flags.
/** The marking profile did not select the packet. */
export const CP_NOT_CONGESTED = 0;
/** A Fast CNP is sent. */
export const CP_FAST_CNP = 1;
/** No Fast CNP: the feature is off. */
export const CP_DISABLED = 2;
/** No Fast CNP: the draft defines none for IPv4. */
export const CP_IPV4 = 3;
/** No Fast CNP: the sender is known not to process Fast CNPs. */
export const CP_SENDER_UNABLE = 4;
/** No Fast CNP: the flow's token bucket is empty. */
export const CP_FLOW_LIMITED = 5;
/** No Fast CNP: the port's token bucket is empty. */
export const CP_PORT_LIMITED = 6;
/** No Fast CNP was due, and the packet cannot be marked: it is Not-ECT. */
export const CP_NOT_ECT = 7;
/** Rejected: time, port, flow, queue or capability is out of range. */
export const CP_BAD_ARGUMENT = 8;

// ---- Switches of the configuration, bits of CongestionPoint.switches.
export const CP_SWITCH_ENABLED = 1;
export const CP_SWITCH_MARK_WHEN_UNKNOWN = 2;
export const CP_SWITCH_MARK_WHEN_LIMITED = 4;
