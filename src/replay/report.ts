/**
 * What a replay found: plain data.
 *
 * Times are picoseconds, rates bits per second, lengths bytes on the wire. Instants count from the first frame that
 * has a time.
 */
import type { ClassName, OutcomeName } from '../abi/names.js';
import type { EngineConfig } from '../config/engine-config.js';

/**
 * Names the shape of a report; a change that breaks readers gives it another number.
 *
 * @example
 * if (report.schema !== REPLAY_SCHEMA) throw new Error('a report of another version');
 */
export const REPLAY_SCHEMA = 'roce-cc-replay/1';

/**
 * A stretch of the capture that the engine's clock of 2.5 h holds. Each begins with the engine as new: every QP at its first
 * rate, nothing notified. Counters are sums over all epochs.
 */
export interface CaptureEpoch {
  /** Its first frame, since the first frame that has a time; negative where the capture's times jump back. */
  readonly startPs: number;
  /** Frames whose times lie in it. */
  readonly frames: number;
}

/** What stood in the file. */
export interface CaptureSummary {
  /** Frames replayed, those of link types that are not read among them. */
  readonly frames: number;
  /** Sum of the lengths on the wire. */
  readonly bytes: number;
  /** Sum of the bytes that the file has of the frames. */
  readonly capturedBytes: number;
  /** Frames per link-layer header type of the file. */
  readonly linkTypes: readonly LinkTypeCount[];
  /** From the earliest to the latest frame, picoseconds. */
  readonly durationPs: number;
  /** Time of the first frame that has one; undefined when none has. */
  readonly start: {
    /** Whole seconds since 1970-01-01 UTC. */
    readonly epochSeconds: number;
    /** Picoseconds within that second, 0..10^12 - 1. */
    readonly picoseconds: number;
  } | undefined;
  /** Frames without a time of their own: they take that of the frame before. */
  readonly untimedFrames: number;
  /** One, unless frames lie more than 1 s before or 2.5 h after the first. */
  readonly epochs: readonly CaptureEpoch[];
  /** Frames whose times are in none of the epochs, of which there are at most 1,000. */
  readonly offClockFrames: number;
  /** Did the replay end before the frames did, because of `limitFrames`? */
  readonly limited: boolean;
}

/** Frames of one link-layer header type. */
export interface LinkTypeCount {
  /** LINKTYPE_* number (tcpdump.org): 1 Ethernet, 101 raw IP, 113 and 276 Linux cooked, … */
  readonly linkType: number;
  /** The same in words. */
  readonly name: string;
  /** Frames of it. */
  readonly frames: number;
  /** Frames of other link types are counted, and not looked into. */
  readonly supported: boolean;
}

/** Frames of one class, and what became of them: frames = handled + ignored + rejected. */
export interface ClassSummary {
  /** Frames of the class that the engine was given. */
  readonly frames: number;
  /** Sum of their lengths on the wire. */
  readonly bytes: number;
  /** Frames that the engine took for one of its QPs. */
  readonly handled: number;
  /** Well-formed frames without a consequence: of other protocols or hosts, or such as a second copy. */
  readonly ignored: number;
  /** Frames that the engine rejected; `Totals.outcomes` has the reasons. */
  readonly rejected: number;
}

/** Fast CNPs from one source address. */
export interface FastCnpSource {
  /** IPv6 source address. */
  readonly address: string;
  /** `receiver`: the source is the original destination itself; `network`: a switch. */
  readonly origin: 'receiver' | 'network';
  /** Fast CNPs from it, accepted or not. */
  readonly seen: number;
  /** Fast CNPs from it that the engine acted upon. */
  readonly accepted: number;
  /** By outcome, without the accepted ones. */
  readonly rejected: Readonly<Partial<Record<OutcomeName, number>>>;
}

/** Option types of what looks like Fast CNPs, and are not those that the engine was given. */
export interface OtherOptionType {
  /** By its length, option 1 or option 2. */
  readonly option: 1 | 2;
  /** 0x80..0x9f. */
  readonly type: number;
  /** Frames with such an option. */
  readonly frames: number;
}

/** All Fast CNPs. */
export interface FastCnpSummary {
  /** Fast CNPs in the capture, accepted or not. */
  readonly seen: number;
  /** Fast CNPs that the engine acted upon. */
  readonly accepted: number;
  /** Those not accepted, by outcome. */
  readonly rejected: Readonly<Partial<Record<OutcomeName, number>>>;
  /** The busiest first, at most 100. */
  readonly sources: readonly FastCnpSource[];
  /** What would be Fast CNPs too with `fastCnp.optionType1` and `optionType2` of these; not among `seen`. */
  readonly otherOptionTypes: readonly OtherOptionType[];
}

/**
 * RoCEv2 frames from one address to a QPN at another, as the frames say: no flow list is needed. CNPs of a connection
 * stand in the stream of the opposite direction.
 */
export interface StreamSummary {
  /** IP address of the sender. */
  readonly source: string;
  /** IP address of the receiver. */
  readonly destination: string;
  /** Destination QP in the BTH, 24 bits. */
  readonly destQpn: number;
  /** All frames of the stream. */
  readonly frames: number;
  /** Sum of their lengths on the wire. */
  readonly bytes: number;
  /** Frames with a data opcode: no acknowledgements, no CNPs. */
  readonly dataFrames: number;
  /** CE-marked data frames. */
  readonly markedFrames: number;
  /** CNPs (opcode 0x81, without an option). */
  readonly cnps: number;
  /** Fast CNPs, options 1 and 2. */
  readonly fastCnps: number;
  /** Times that the PSN jumped ahead; of reliable and unreliable connections, and XRC. */
  readonly psnGaps: number;
  /** PSNs left out in these. */
  readonly psnsMissing: number;
  /** Frames whose PSN was behind one seen before: sent again, or overtaken. */
  readonly psnsRepeated: number;
}

/** PAUSE frames (IEEE 802.3x) of one sender, or its PFC frames for one priority. */
export interface PauseSummary {
  /** `pause`: all traffic; `pfc`: one priority (IEEE 802.1Qbb). */
  readonly kind: 'pause' | 'pfc';
  /** MAC address. */
  readonly source: string;
  /** PFC only. */
  readonly priority: number | undefined;
  /** Frames that ask to stop. */
  readonly pauses: number;
  /** Frames that let go on: their time is 0. */
  readonly resumes: number;
}

/** CNPs or Fast CNPs that led to no QP of the flow list. */
export interface UnresolvedNotifications {
  /** Which of the two they were. */
  readonly kind: 'cnp' | 'fast-cnp';
  /** Whom they were sent to. */
  readonly destination: string;
  /** Destination QP in the BTH, 24 bits. */
  readonly destQpn: number;
  /** Fast CNPs only: the address in the option. */
  readonly originalDestination: string | undefined;
  /** How many of them. */
  readonly count: number;
}

/** One end of a connection. */
export interface FlowEnd {
  /** IP address, in canonical form. */
  readonly address: string;
  /** QP number there, 1..2^24 - 1. */
  readonly qpn: number;
}

/** Mean rate in equal slices of time from the first frame on. */
export interface RateLine {
  /** Length of each slice, picoseconds. */
  readonly sliceDurationPs: number;
  /** Mean rate in each slice, bits per second. */
  readonly meanRatesBps: readonly number[];
}

/** One direction of a connection: data from the sender's QP, notifications to it. */
export interface FlowSummary {
  /** Name in the flow list. */
  readonly flow: string;
  /** Where the data come from; the rate is that of this QP. */
  readonly sender: FlowEnd;
  /** Where the data go. */
  readonly receiver: FlowEnd;
  /** True when the list names only the opposite direction, and this one was notified nevertheless. */
  readonly reverse: boolean;
  /** Data frames of this direction that led to a QP of the connection. */
  readonly dataFrames: number;
  /** Sum of their lengths on the wire. */
  readonly dataBytes: number;
  /** CE-marked data frames. */
  readonly markedFrames: number;
  /** CNPs that the notification point would have sent. */
  readonly cnpsDue: number;
  /** CNPs in the capture. */
  readonly cnpsSeen: number;
  /** CNPs that changed the state of the reaction point. */
  readonly cnpsHandled: number;
  /** Fast CNPs in the capture that name this QP; those rejected before the lookup are not among them. */
  readonly fastCnpsSeen: number;
  /** Those of them that the engine acted upon. */
  readonly fastCnpsAccepted: number;
  /** The lowest rate after any event of the QP. */
  readonly lowestRateBps: number;
  /** The rate at the end of the capture. */
  readonly rateBps: number;
  /** Undefined when the rate never changed. */
  readonly rateLine: RateLine | undefined;
}

/** CE marks and CNPs. */
export interface NotificationSummary {
  /** CE-marked data frames: those of listed flows, or of all streams when no flow is listed. */
  readonly markedFrames: number;
  /** CNPs that the notification points would have sent for them. */
  readonly cnpsDue: number;
  /** CE-marked frames without a CNP of their own: within the least time between two. */
  readonly marksSuppressed: number;
  /** CNPs in the capture. */
  readonly cnpsSeen: number;
  /** CNPs that changed the state of a reaction point. */
  readonly cnpsHandled: number;
}

/** Frames by what became of them: in = handled + ignored + rejected + unsupportedLink. */
export interface Totals {
  /** Frames replayed. */
  readonly in: number;
  /** Frames that the engine took for one of its QPs. */
  readonly handled: number;
  /** Well-formed frames without a consequence: of other protocols or hosts, or such as a second copy. */
  readonly ignored: number;
  /** Frames that the engine rejected. */
  readonly rejected: number;
  /** Frames of a link type that is not read. */
  readonly unsupportedLink: number;
  /** Frames by outcome; outcomes without frames are left out. */
  readonly outcomes: Readonly<Partial<Record<OutcomeName, number>>>;
  /** Late events that were moved up to their QP's last one. */
  readonly lateClamped: number;
}

/** How long it took. */
export interface Timing {
  /** With reading the frames. */
  readonly wallSeconds: number;
  /** Time within the engine alone. */
  readonly engineSeconds: number;
  /** Frames divided by `wallSeconds`; 0 when no time was measured. */
  readonly framesPerSecond: number;
  /** Frames divided by `engineSeconds`; 0 when no time was measured. */
  readonly engineFramesPerSecond: number;
}

/** What a replay found. */
export interface ReplayReport {
  /** Shape of the report. */
  readonly schema: typeof REPLAY_SCHEMA;
  /** What stood in the file. */
  readonly capture: CaptureSummary;
  /** How the engine was set, defaults filled in. */
  readonly config: Pick<EngineConfig, 'backend' | 'notificationPoint' | 'fastCnp' | 'parser' | 'lateEvents'> & {
    /** Of the reaction point of every QP. */
    readonly parameters: EngineConfig['parameterSets'][number];
  };
  /** By class of frame, all classes. */
  readonly classes: Readonly<Record<ClassName, ClassSummary>>;
  /** CE marks and CNPs. */
  readonly notifications: NotificationSummary;
  /** Fast CNPs, by source and by what became of them. */
  readonly fastCnps: FastCnpSummary;
  /** In the order of the flow list; empty without one. */
  readonly flows: readonly FlowSummary[];
  /** The most frequent first, at most 100. */
  readonly unresolved: readonly UnresolvedNotifications[];
  /** Notifications beyond those listed in `unresolved`. */
  readonly unresolvedElsewhere: number;
  /** In order of appearance, at most 10,000. */
  readonly streams: readonly StreamSummary[];
  /** RoCEv2 frames of further streams. */
  readonly streamsElsewhere: number;
  /** PAUSE and PFC frames per sender and priority, in order of appearance, at most 1,000. */
  readonly pauses: readonly PauseSummary[];
  /** All frames by what became of them. */
  readonly totals: Totals;
  /** How long the replay took. */
  readonly timing: Timing;
  /** Why the replay ended early or is incomplete; undefined when all is well. */
  readonly error: unknown;
}
