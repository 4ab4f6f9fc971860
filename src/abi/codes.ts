/**
 * The numeric vocabulary that host and engine.wasm share.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Display names are in
 * `names.ts`.
 */

// ---- Packet event kinds: top four bits of an event's second word, the value in the other 28 (layout.ts).
/** A data packet left this QP; value = its length on the wire in bytes. */
export const EVENT_SENT = 0;
/** A CNP for this QP arrived. */
export const EVENT_CNP = 1;
/** A Fast CNP arrived; qp word = endpoint, value = index of its FastCnpEvent record. */
export const EVENT_FAST_CNP = 2;
/** A CE-marked data packet arrived at this QP; value = its P_Key. */
export const EVENT_MARKED = 3;
/** Only time has passed: apply what is due for this QP up to and including this instant. */
export const EVENT_TOUCH = 4;
/** An acknowledgement arrived; value = index of its AckEvent record (ack-layout.ts). */
export const EVENT_ACK = 5;
/** A packet of this QP was lost; value = LOSS_*. */
export const EVENT_LOSS = 6;
/**
 * A NACK arrived: a switch trimmed a packet of this QP; value = index of its AckEvent record, with the NACK fields
 * (ack-layout.ts).
 */
export const EVENT_NACK = 7;
/**
 * Credit arrived from the receiver of this QP's data; value = index of its AckEvent record, with the credit field
 * (ack-layout.ts).
 */
export const EVENT_CREDIT = 8;

// ---- Class of a frame (wire parser).
export const CLASS_OTHER = 0;
export const CLASS_DATA = 1;
export const CLASS_ACK = 2;
export const CLASS_NAK = 3;
export const CLASS_CNP = 4;
export const CLASS_FAST_CNP_1 = 5;
export const CLASS_FAST_CNP_2 = 6;
export const CLASS_ROCE_V1 = 7;
export const CLASS_PFC = 8;
/** A reader must not take it for a valid RoCEv2, RoCEv1 or PFC packet. */
export const CLASS_MALFORMED = 9;
/** The capture's snap length ended before the frame's class could be known. */
export const CLASS_CUT = 10;
/** Well formed, but must be dropped silently by a rule of the parse mode. */
export const CLASS_DISCARD = 11;
export const CLASS_COUNT = 12;

// ---- Why a frame is malformed, cut or discarded.
export const WHY_NONE = 0;
/** The frame ends inside the Ethernet header, its tags, or the MAC control frame. */
export const WHY_LINK_SHORT = 1;
/** The frame ends inside the IP header. */
export const WHY_IP_SHORT = 2;
/** The version nibble disagrees with the EtherType, or is neither 4 nor 6. */
export const WHY_IP_VERSION = 3;
/** The IPv4 header length (IHL) is below 5 words, or exceeds the datagram. */
export const WHY_IHL = 4;
/** The IP length is larger than the frame, or too small for the headers that follow. */
export const WHY_IP_LENGTH = 5;
/** An IPv6 extension header extends beyond the datagram. */
export const WHY_EXTENSION_LENGTH = 6;
/** An option extends beyond its extension header. */
export const WHY_OPTION_LENGTH = 7;
/** The UDP length is larger than the IP payload, or too small for BTH and ICRC. */
export const WHY_UDP_LENGTH = 8;
/** There is no space for a BTH (12 bytes) and an ICRC (4). */
export const WHY_BTH_SHORT = 9;
/** An acknowledgement has no AETH. */
export const WHY_AETH_SHORT = 10;
/** A Fast CNP option whose length fits neither option 1 nor option 2. */
export const WHY_FAST_CNP_OPTION = 11;
/** Discarded: an extension header in strict Annex A17 mode (CA17-16, CA17-24). */
export const WHY_EXTENSION_HEADER = 16;
/** Discarded: IPv4 options, flags or fragment offset that violate CA17-3, CA17-7 or CA17-8 in strict mode. */
export const WHY_IPV4_FIELDS = 17;
/** Discarded: an unknown IPv6 option whose action bits request it (RFC 8200, section 4.2). */
export const WHY_UNKNOWN_OPTION = 18;
/** Discarded: destination QP 0 (CA17-33). */
export const WHY_QP_ZERO = 19;
/** Discarded: the first fragment of a RoCEv2 datagram. */
export const WHY_FRAGMENT = 20;
/** Discarded: an opcode of the CNP class other than CNP, or of a reserved or manufacturer-specific transport. */
export const WHY_OPCODE = 21;

// ---- ICRC verdicts.
export const ICRC_NOT_CHECKED = 0;
export const ICRC_RIGHT = 1;
export const ICRC_WRONG = 2;
/** Nothing to check: not RoCEv2, or the capture ends before it. */
export const ICRC_ABSENT = 3;

// ---- Bytes that the ICRC covers if IPv6 extension headers precede the UDP header (no document specifies this).
/** Every byte of the datagram, extension headers included as sent. */
export const ICRC_LITERAL = 0;
/** Extension headers excluded, base header as sent. */
export const ICRC_OMIT = 1;
/** Extension headers excluded, base header as if there were none. */
export const ICRC_NORMALISE = 2;

// ---- Link types of a packet descriptor.
export const LINK_ETHERNET = 0;
export const LINK_RAW_IP = 1;
/** Not a packet that the engine reads: class `other`. */
export const LINK_OTHER = 2;

// ---- Parse modes.
export const PARSE_STRICT_A17 = 0;
export const PARSE_FAST_CNP_DOMAIN = 1;

// ---- Outcome of an event or frame: exactly one each, so in = handled + ignored + rejected.
export const OUTCOME_SENT = 0;
export const OUTCOME_RECEIVED = 1;
export const OUTCOME_CNP_DUE = 2;
export const OUTCOME_CNP_SUPPRESSED = 3;
export const OUTCOME_CNP_HANDLED = 4;
export const OUTCOME_FAST_CNP_ACCEPTED = 5;
export const OUTCOME_TOUCHED = 6;
export const OUTCOME_ACK_APPLIED = 7;
export const OUTCOME_LOSS_APPLIED = 8;
export const OUTCOME_CREDIT_APPLIED = 9;
/** The first outcome that counts as ignored. */
export const FIRST_IGNORED = 16;
export const OUTCOME_NOT_ROCE_V2 = 16;
export const OUTCOME_PFC = 17;
export const OUTCOME_ROCE_V1 = 18;
export const OUTCOME_ACK = 19;
export const OUTCOME_NAK = 20;
/** A RoCEv2 frame between addresses that no endpoint of this engine has. */
export const OUTCOME_NOT_LOCAL = 21;
/** A CNP about congestion that a Fast CNP reported within the duplicates window. */
export const OUTCOME_CNP_DUPLICATE = 22;
/** A CNP or Fast CNP for a QP whose algorithm does not use them. */
export const OUTCOME_CNP_NOT_USED = 23;
/** An ACK for a QP whose algorithm does not use ACKs, or by its settings not this one (within a round trip). */
export const OUTCOME_ACK_NOT_USED = 24;
/** An ACK without the fields that the QP's algorithm reads. */
export const OUTCOME_ACK_NO_SIGNAL = 25;
/** A loss for a QP whose algorithm does not use losses. */
export const OUTCOME_LOSS_NOT_USED = 26;
/** Credit for a QP whose algorithm does not use credit, or credit with a pull number no higher than the last one. */
export const OUTCOME_CREDIT_NOT_USED = 27;
/** The first outcome that counts as rejected. */
export const FIRST_REJECTED = 32;
export const OUTCOME_MALFORMED = 32;
export const OUTCOME_CUT = 33;
export const OUTCOME_DISCARDED = 34;
export const OUTCOME_ICRC_WRONG = 35;
export const OUTCOME_UNKNOWN_QP = 36;
export const OUTCOME_UNKNOWN_KIND = 37;
export const OUTCOME_BAD_TIME = 38;
export const OUTCOME_TIME_BACKWARDS = 39;
export const OUTCOME_BAD_DESCRIPTOR = 40;
export const OUTCOME_FAST_CNP_DISABLED = 41;
export const OUTCOME_FAST_CNP_DENIED = 42;
export const OUTCOME_FAST_CNP_OPTION = 43;
export const OUTCOME_FAST_CNP_UNKNOWN_FLOW = 44;
export const OUTCOME_FAST_CNP_DUPLICATE = 45;

// ---- Actions: what the engine reports to its host.
/** The rate of a QP has changed; value = rate in bits per second, reason = CAUSE_*. */
export const ACTION_RATE = 0;
/** A CNP is due for this QP; value = P_Key of the marked packet. */
export const ACTION_CNP = 1;
/** A Fast CNP was accepted for this QP; reason = ORIGIN_*, value = index of its event or frame in the batch. */
export const ACTION_FAST_CNP_ACCEPTED = 2;
/** A Fast CNP was rejected; reason = OUTCOME_*, value = index of its event or frame in the batch. */
export const ACTION_FAST_CNP_REJECTED = 3;

// ---- Features that need memory per QP, bits of CAPACITY_FEATURES.
/** The notification point coalesces CNPs by destination address: one record per peer. */
export const FEATURE_PEERS = 1;
/** Some parameter set checks for cuts periodically: one time per QP. */
export const FEATURE_CUT_TIMES = 2;
/** Some parameter set uses an algorithm that reads acknowledgements: a record per event. */
export const FEATURE_ACKS = 8;
/** Trailing coalescing windows: the QP and P_Key of the CNP that is due at the end. */
export const FEATURE_TRAILING = 4;

// ---- Why a rate changed.
export const CAUSE_TIME = 0;
export const CAUSE_BYTES = 1;
export const CAUSE_CNP = 2;
export const CAUSE_FAST_CNP = 3;
export const CAUSE_ACK = 4;
export const CAUSE_LOSS = 5;

// ---- Who sent a Fast CNP (Fast CNP draft, section 4).
/** Source address = original destination address. */
export const ORIGIN_RECEIVER = 0;
/** A network element on the path: its source address hints at the detour. */
export const ORIGIN_NETWORK = 1;

// ---- QP flags, low four bits of the QP's one-byte entry; the parameter set is in the high four.
export const QP_OPEN = 1;
/** A rate limiter is active: at least one CNP arrived since the QP was at line rate. */
export const QP_LIMITED = 2;
/** A CNP arrived in the current alpha period. */
export const QP_ALPHA_CNP = 4;
/** A CNP arrived since the last cut check. */
export const QP_CUT_PENDING = 8;
export const QP_PARAMETER_SET_SHIFT = 4;
export const PARAMETER_SET_COUNT = 16;

// ---- Scopes within which the notification point coalesces CNPs.
export const SCOPE_QP = 0;
export const SCOPE_DESTINATION = 1;
export const SCOPE_PORT = 2;

// ---- Modes of the coalescing window.
/** Marks within the window after a CNP are dropped. */
export const WINDOW_SUPPRESS = 0;
/** Marks within the window cause one CNP at its end. */
export const WINDOW_TRAILING = 1;

// ---- How to handle an event that is older than its QP's last one.
export const LATE_REJECT = 0;
export const LATE_CLAMP = 1;

// ---- Number formats of DCQCN.
/** IEEE doubles throughout. */
export const NUMBERS_FLOAT64 = 0;
/** Rates are whole bits per second, truncated after each operation. */
export const NUMBERS_WHOLE_BPS = 1;
/** Like NUMBERS_WHOLE_BPS, and alpha is a 10-bit integer. */
export const NUMBERS_ALPHA_Q10 = 2;

// ---- Switches of DCQCN, bits of DcqcnParameterSet.switches.
export const DCQCN_CUT_ON_CNP = 1;
export const DCQCN_ALPHA_ON_CNP = 2;
export const DCQCN_ALPHA_FIRST = 4;
export const DCQCN_CLAMP_TARGET = 8;
export const DCQCN_CLAMP_TARGET_AFTER_TIME = 16;
export const DCQCN_FIRST_CNP_CUTS = 32;
export const DCQCN_INCREASE_FROM_FIRST_CNP = 64;
export const DCQCN_TIME_STAGE_ONLY = 128;
export const DCQCN_HYPER_ABOVE = 256;
export const DCQCN_HYPER_BY_STAGE = 512;
export const DCQCN_HYPER_HALVES_PERIODS = 1024;
export const DCQCN_TARGET_REDUCTION = 2048;
/** Set by the engine: use the fast path (assembly/algorithms/dcqcn/fast-path.ts). */
export const DCQCN_FAST_PATH = 4096;

/** No QP, no endpoint, not found. */
export const NONE = 0xffffffff;
/** `openQp` failed: no free QP; (endpoint, peer, peer QPN) in use; (endpoint, local QPN) in use. */
export const OPEN_FULL = 0xfffffffe;
export const OPEN_DUPLICATE_FLOW = 0xfffffffd;
export const OPEN_DUPLICATE_LOCAL = 0xfffffffc;
/** The parameter set's algorithm is not part of this build of the engine. */
export const OPEN_UNSUPPORTED = 0xfffffffb;
/** Smaller values of alpha are set to 0, which no later state can depend on. 2^-64. */
export const ALPHA_FLOOR = 5.421010862427522e-20;
/** Maximum of stage counters. */
export const STAGE_MAX = 65535;
/** Maximum of DCQCN's byte-counter stage, which is stored in one byte; beyond every F. */
export const BYTE_STAGE_MAX = 255;
/** The largest time and the largest exact integer: 2^53 - 1 picoseconds, 2.5 hours. */
export const TIME_MAX_PS = 9007199254740991.0;

// ---- Congestion point: the sender's ability to process a Fast CNP, as far as the switch knows (Fast CNP draft, section 4).
export const CAPABILITY_UNKNOWN = 0;
export const CAPABILITY_ABLE = 1;
export const CAPABILITY_UNABLE = 2;

// ---- Decision of a congestion point: two flags, and a reason from bit 8 on.
/** Set the ECN field of the data packet to CE (binary 11). */
export const CP_MARK_CE = 1;
/** Send a Fast CNP to the packet's sender. */
export const CP_SEND_FAST_CNP = 2;
export const CP_REASON_SHIFT = 8;

// ---- Reasons for the flags of a decision.
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

// ---- Switches of a congestion point's configuration, bits of CongestionPoint.switches.
export const CP_SWITCH_ENABLED = 1;
export const CP_SWITCH_MARK_WHEN_UNKNOWN = 2;
export const CP_SWITCH_MARK_WHEN_LIMITED = 4;
