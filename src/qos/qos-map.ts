/**
 * The QoS settings of one port, as plain data: they determine a frame's priority, ingress buffer and egress queue.
 *
 *   DSCP 0..63 or PCP 0..7  ->  priority 0..7  ->  priority group 0..7  (ingress buffer: xoff, xon, shared buffer)
 *                                              ->  traffic class 0..7   (egress queue: scheduler, ECN)
 *
 * Source: RoCE network proposal (Q. Song, Mellanox), slides "Traffic Classification", "Host Ingress QoS Model" and
 * "Switch Priority Classification". A port trusts the PCP or the DSCP; the slides have no third mode.
 *
 * Pause is set per direction, because the semi-lossless configuration uses only one: a port *sends* pauses to protect
 * its own buffer, and *honours* those of its peer by not transmitting.
 */

/** Priorities, priority groups and traffic classes of a port: 8 each (IEEE 802.1Q, 3-bit PCP). */
export const PRIORITY_COUNT = 8;
/** Values of the 6-bit DSCP (RFC 2474, section 3). */
export const DSCP_COUNT = 64;
/** A DSCP's three most significant bits are its default priority: DSCP >> 3. */
export const DSCP_CLASS_SHIFT = 3;

/** The header field by which a port classifies frames. */
export type TrustMode = 'pcp' | 'dscp';

/** The maps between a frame's marking and the port's resources. */
export interface QosMap {
  /** The field that determines the priority. */
  readonly trust: TrustMode;
  /** Priority of a frame without the trusted field: untagged under trust PCP, not IP under trust DSCP; 0..7. */
  readonly defaultPriority: number;
  /** 64 priorities, indexed by DSCP. */
  readonly dscpToPriority: readonly number[];
  /** 8 priorities, indexed by PCP. */
  readonly pcpToPriority: readonly number[];
  /** 8 priority groups, indexed by priority; used where frames enter. */
  readonly priorityToGroup: readonly number[];
  /** 8 traffic classes, indexed by priority; used where frames leave. */
  readonly priorityToTrafficClass: readonly number[];
}

/** An ingress buffer that drops when full. */
export interface LossyGroup {
  /** Marks a group that drops packets when its buffer is full. */
  readonly kind: 'lossy';
  /** Bytes that no other group can use. */
  readonly reservedBytes: number;
  /** Share of the free shared buffer that the group may use: limit = alpha * free; >= 0. */
  readonly alpha: number;
}

/** An ingress buffer that pauses the transmitter before it is full. */
export interface LosslessGroup {
  /** Marks a group that PFC keeps from dropping. */
  readonly kind: 'lossless';
  /** Reserved buffer, bytes. */
  readonly reservedBytes: number;
  /** Share of the free shared buffer that the group may use: limit = alpha * free. */
  readonly alpha: number;
  /** Fill level at which the pause is sent; 0 if none is set. */
  readonly xoffBytes: number;
  /** Fill level at which the transmitter may resume, <= xoffBytes. */
  readonly xonBytes: number;
  /** Space above xoff for data in flight until the pause takes effect; 0 if none is set. */
  readonly headroomBytes: number;
}

/** The ingress buffer of one priority group of a port. */
export type BufferGroup = LossyGroup | LosslessGroup;

/** ECN of an egress queue: no marks up to minBytes, rising to `probability` at maxBytes, every packet above. */
export interface EcnMarking {
  /** Queue length above which packets are marked, bytes. */
  readonly minBytes: number;
  /** Queue length above which every packet is marked, bytes. */
  readonly maxBytes: number;
  /** Marking probability at maxBytes, 0..1. */
  readonly probability: number;
}

/**
 * Strict: served before all ETS classes and before strict classes with lower numbers. ETS: gets a share of the rest.
 */
export type Scheduler = {
  /** Served before all others. */
  readonly kind: 'strict';
} | {
  /** Enhanced transmission selection: served by weight. */
  readonly kind: 'ets';
  /** Share of the port, percent. */
  readonly weightPercent: number;
};

/** An egress queue. */
export interface TrafficClassQos {
  /** How the queue is served. */
  readonly scheduler: Scheduler;
  /** ECN marking; null if ECN is off for this class. */
  readonly ecn: EcnMarking | null;
}

/** Priority flow control (IEEE 802.1Qbb) of a port, per direction. */
export interface PfcSettings {
  /** Priorities for which this port sends pauses to its peer, ascending. */
  readonly sendPriorities: readonly number[];
  /** Priorities that this port stops transmitting when its peer pauses them, ascending. */
  readonly honourPriorities: readonly number[];
}

/** Global pause (IEEE 802.3, annex 31B) of a port, per direction: all priorities at once. */
export interface GlobalPause {
  /** Whether the port sends pause frames. */
  readonly send: boolean;
  /** Whether it honours received pauses. */
  readonly honour: boolean;
}

/** All QoS settings of one port. */
export interface PortQos extends QosMap {
  /** Priorities for which PFC is on, per direction. */
  readonly pfc: PfcSettings;
  /** Pause frames of the whole port (IEEE 802.3, annex 31B). */
  readonly globalPause: GlobalPause;
  /** 8 ingress buffers, indexed by priority group. */
  readonly groups: readonly BufferGroup[];
  /** 8 egress queues, indexed by traffic class. */
  readonly trafficClasses: readonly TrafficClassQos[];
}

/** @returns `count` entries, each made from its index. */
export function fillMap<T>(count: number, entryOf: (index: number) => T): readonly T[] {
  return Object.freeze(Array.from({ length: count }, (_, index) => entryOf(index)));
}

/** The default map DSCP -> priority: the three most significant bits (slide "Switch Priority Classification"). */
export const DEFAULT_DSCP_TO_PRIORITY = fillMap(DSCP_COUNT, (dscp) => dscp >> DSCP_CLASS_SHIFT);
/** The default maps PCP -> priority and priority -> traffic class: identity (same slide). */
export const IDENTITY_MAP = fillMap(PRIORITY_COUNT, (index) => index);
/** The default map priority -> priority group: all to 0 (same slide), which isolates no traffic. */
export const ALL_TO_GROUP_0 = fillMap(PRIORITY_COUNT, () => 0);

/** A lossy group without reserved bytes; alpha 1 is our choice, as the slides give no numbers. */
export const LOSSY_GROUP: LossyGroup = Object.freeze({ kind: 'lossy', reservedBytes: 0, alpha: 1 });

/**
 * A port without configuration.
 *
 * Maps: slide "Switch Priority Classification". Trust: the slides name no default; PCP is the factory setting of NVIDIA
 * NICs (mlnx_qos, "Trust state: pcp"). Default priority 0: IEEE 802.1Q, section 6.9.3. Scheduler: strict, the default
 * transmission selection of IEEE 802.1Q, section 8.6.8. No pause, no ECN, all buffers lossy.
 */
export const QOS_DEFAULTS: PortQos = Object.freeze({
  trust: 'pcp',
  defaultPriority: 0,
  dscpToPriority: DEFAULT_DSCP_TO_PRIORITY,
  pcpToPriority: IDENTITY_MAP,
  priorityToGroup: ALL_TO_GROUP_0,
  priorityToTrafficClass: IDENTITY_MAP,
  pfc: Object.freeze({ sendPriorities: Object.freeze([]), honourPriorities: Object.freeze([]) }),
  globalPause: Object.freeze({ send: false, honour: false }),
  groups: fillMap(PRIORITY_COUNT, () => LOSSY_GROUP),
  trafficClasses: fillMap(PRIORITY_COUNT,
    () => Object.freeze({ scheduler: Object.freeze({ kind: 'strict' }), ecn: null })),
});
