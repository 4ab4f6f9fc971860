/**
 * Results of a replay, as plain data.
 *
 * Times are picoseconds, rates bits per second, lengths bytes on the wire. Instants count from the first frame that
 * has a time.
 */
import type { ClassName, OutcomeName } from '../abi/names.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { LayerKind, UnreadField } from '../packet/index.js';
import type { IcrcSummary } from './icrc-tally.js';
import type { MrcSummary } from './mrc/summary.js';
import type { PsnSummary } from './psn/psn.js';
import type { ReplayFinding, MarkKind, MarkSummary } from './stream-marks.js';

/**
 * Version of the report's format; changes with every incompatible change.
 *
 * @example
 * if (report.schema !== REPLAY_SCHEMA) throw new Error('a report of another version');
 */
export const REPLAY_SCHEMA = 'roce-cc-replay/1';

/**
 * Part of the capture that fits the engine's clock of 2.5 h. Each epoch begins with a new engine: every QP at its
 * initial rate, without notifications. Counters are sums over all epochs.
 */
export interface CaptureEpoch {
  /** Its start, counted from the first frame that has a time; negative if the capture's times jump back. */
  readonly startPs: number;
  /** Frames in this epoch. */
  readonly frames: number;
}

/** Summary of the capture file. */
export interface CaptureSummary {
  /** Frames replayed, including those of unsupported link types. */
  readonly frames: number;
  /** Bytes of all frames on the wire. */
  readonly bytes: number;
  /** Captured bytes of all frames. */
  readonly capturedBytes: number;
  /** Frames per link-layer header type of the file. */
  readonly linkTypes: readonly LinkTypeCount[];
  /** Time from the earliest to the latest frame, picoseconds. */
  readonly durationPs: number;
  /** Time of the first frame that has one; undefined when none has. */
  readonly start: {
    /** Whole seconds since 1970-01-01 UTC. */
    readonly epochSeconds: number;
    /** Picoseconds within that second, 0..10^12 - 1. */
    readonly picoseconds: number;
  } | undefined;
  /** Frames without a time; each takes the time of the previous frame. */
  readonly untimedFrames: number;
  /** A single epoch, unless frames are more than 1 s before or 2.5 h after the first. */
  readonly epochs: readonly CaptureEpoch[];
  /** Frames with times outside all epochs, of which there are at most 1,000. */
  readonly offClockFrames: number;
  /** Whether `limitFrames` ended the replay before the end of the capture. */
  readonly limited: boolean;
}

/** Frames of one link-layer header type. */
export interface LinkTypeCount {
  /** LINKTYPE_* number (tcpdump.org): 1 Ethernet, 101 raw IP, 113 and 276 Linux cooked, … */
  readonly linkType: number;
  /** Name of the link type. */
  readonly name: string;
  /** Number of frames. */
  readonly frames: number;
  /** Whether frames of this link type are parsed; others are only counted. */
  readonly supported: boolean;
}

/** Frames of one class, by outcome: frames = handled + ignored + rejected. */
export interface ClassSummary {
  /** Frames of the class passed to the engine. */
  readonly frames: number;
  /** Bytes of the frames on the wire. */
  readonly bytes: number;
  /** Frames that the engine matched to one of its QPs. */
  readonly handled: number;
  /** Well-formed frames without effect: other protocols or hosts, or duplicates. */
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
  /** Number of Fast CNPs from this source, accepted or not. */
  readonly seen: number;
  /** Number of Fast CNPs from this source that the engine applied. */
  readonly accepted: number;
  /** Rejected Fast CNPs, by outcome. */
  readonly rejected: Readonly<Partial<Record<OutcomeName, number>>>;
}

/** Tunnelled frames, by the kind of header that carries the packet. */
export interface TunnelKindSummary {
  /** The header that carries the packet: `vxlan`, `erspan-2`, the IP header for IP in IP, and so on. */
  readonly kind: LayerKind;
  /** Frames with this header. */
  readonly frames: number;
}

/** Summary of tunnelled frames. All other sections are about their inner packets. */
export interface TunnelSummary {
  /** Number of tunnelled frames. */
  readonly frames: number;
  /** Kinds of tunnels, the most frequent first. */
  readonly kinds: readonly TunnelKindSummary[];
  /**
   * Frames whose outer ECN field is CE while the inner one is not: decapsulation marks or drops them (RFC 6040, section
   * 4.2). The outer field of a mirrored frame belongs to the copy and does not count.
   */
  readonly outerMarkedOnly: number;
  /** Of these, frames that decapsulation drops because the inner field is Not-ECT. */
  readonly dropped: number;
}

/** Frames of class `other`, by kind. */
export interface OtherKind {
  /** The header field whose value is not supported, or the innermost layer if everything was parsed. */
  readonly field: UnreadField | LayerKind;
  /** Value of the field: EtherType, IP protocol, UDP destination port and so on; 0 for a layer. */
  readonly number: number;
  /** Number of frames of this kind. */
  readonly frames: number;
  /** Number of the first such frame, from 1. */
  readonly firstFrame: number;
}

/** An unknown option type in frames that resemble Fast CNPs. */
export interface OtherOptionType {
  /** Option 1 or option 2, recognised by its length. */
  readonly option: 1 | 2;
  /** Type number, 0x80..0x9f. */
  readonly type: number;
  /** Number of frames with such an option. */
  readonly frames: number;
}

/** Summary of all Fast CNPs. */
export interface FastCnpSummary {
  /** Fast CNPs in the capture, accepted or not. */
  readonly seen: number;
  /** Fast CNPs that the engine applied. */
  readonly accepted: number;
  /** Fast CNPs that were not accepted, by outcome. */
  readonly rejected: Readonly<Partial<Record<OutcomeName, number>>>;
  /** Sources, the busiest first, at most 100. */
  readonly sources: readonly FastCnpSource[];
  /**
   * Option types to set as `fastCnp.optionType1` and `optionType2` to read these frames as Fast CNPs; not included in
   * `seen`.
   */
  readonly otherOptionTypes: readonly OtherOptionType[];
}

/**
 * RoCEv2 frames from one address to a QPN at another, derived from the frames without a flow list. CNPs of a connection
 * belong to the stream of the opposite direction.
 */
export interface StreamSummary {
  /** IP address of the sender. */
  readonly source: string;
  /** IP address of the receiver. */
  readonly destination: string;
  /** Destination QP in the BTH, 24 bits: the receiver's. */
  readonly destQpn: number;
  /** All frames of the stream. */
  readonly frames: number;
  /** Bytes of the frames on the wire. */
  readonly bytes: number;
  /** Frames with a data opcode, so neither acknowledgements nor CNPs. */
  readonly dataFrames: number;
  /** CE-marked data frames. */
  readonly markedFrames: number;
  /** CNPs (opcode 0x81, without an option). */
  readonly cnps: number;
  /** Fast CNPs, options 1 and 2. */
  readonly fastCnps: number;
  /** Forward jumps of the PSN that are not explained by a READ; for RC, UC and XRC. */
  readonly psnGaps: number;
  /** PSNs missing in the gaps, including those that came later. */
  readonly psnsMissing: number;
  /** Frames with a PSN below one seen before: retransmitted, or reordered. */
  readonly psnsRepeated: number;
  /** Missing PSNs that came later: retransmitted, or reordered. */
  readonly psnsRecovered: number;
  /** PSNs of SEND, WRITE, READ and atomic requests. */
  readonly requests: PsnSummary;
  /** PSNs of READ and atomic responses, which are those of the peer's requests. */
  readonly responses: PsnSummary;
  /** ECN, DSCPs and priorities, by kind of frames; kinds without frames are left out. */
  readonly marks: Readonly<Partial<Record<MarkKind, MarkSummary>>>;
}

/** One end of a connection. */
export interface FlowEnd {
  /** IP address, in canonical form. */
  readonly address: string;
  /** QP number at this address, 1..2^24 - 1. */
  readonly qpn: number;
}

/** Evidence for a connection: only `cm` is stated by its ends, the others are inferred. */
export type ConnectionSource = 'cm' | 'acknowledgements' | 'responses' | 'cnps';

/** Two queue pairs that form a connection. */
export interface Connection {
  /** End that requested the connection, or whose packets came first. */
  readonly a: FlowEnd;
  /** End that received the request, or whose packets came second. */
  readonly b: FlowEnd;
  /** Evidence from which it was recognised. */
  readonly from: ConnectionSource;
  /** Whether it is inferred from the traffic rather than stated by its ends. */
  readonly inferred: boolean;
  /** Number of frames that support it; 2 for `cm`: REQ and REP. */
  readonly evidence: number;
}

/** Why no connection was found for a stream that carries data. */
export type UnpairedReason = 'no-reply' | 'several-candidates' | 'contradictions' | 'reused-qp';

/** A stream of data whose sender's queue pair is not known. */
export interface UnpairedStream {
  /** Position of the stream in `ReplayReport.streams`. */
  readonly stream: number;
  /** Why: no packet of the opposite direction shows the queue pair, or several queue pairs fit. */
  readonly reason: UnpairedReason;
  /** Number of queue pairs that fit. */
  readonly candidates: number;
}

/** Counts of connection management messages in the capture. */
export interface CmCounts {
  /** REQ: a connection is requested. */
  readonly requests: number;
  /** REP: the request is accepted. */
  readonly replies: number;
  /** RTU: both ends are ready. */
  readonly readyToUse: number;
  /** REJ: the connection is rejected, or its setup fails. */
  readonly rejections: number;
  /** Requests beyond the first 10,000, which are not tracked. */
  readonly elsewhere: number;
}

/** Frames that share a name. */
export interface UetCount {
  /** Name in the specification; `type 15` or `code 0x0c` for an unknown number. */
  readonly name: string;
  /** Number of frames. */
  readonly frames: number;
}

/** Ultra Ethernet packets of a capture. */
export interface UetSummary {
  /** All frames, trimmed ones included. */
  readonly frames: number;
  /** By the type of packet delivery, the most frequent first. */
  readonly types: readonly UetCount[];
  /** Frames whose DSCP says that a switch trimmed them. */
  readonly trimmed: number;
  /** Requests and control packets that are retransmissions. */
  readonly retransmitted: number;
  /** NACKs by code, the most frequent first. */
  readonly nacks: readonly UetCount[];
}

/** PAUSE frames (IEEE 802.3x) of one sender, or its PFC frames for one priority. */
export interface PauseSummary {
  /** `pause`: all traffic; `pfc`: one priority (IEEE 802.1Qbb). */
  readonly kind: 'pause' | 'pfc';
  /** Source MAC address. */
  readonly source: string;
  /** Priority; PFC only. */
  readonly priority: number | undefined;
  /** Frames that request a pause. */
  readonly pauses: number;
  /** Frames that end a pause, with a pause time of 0. */
  readonly resumes: number;
}

/** CNPs or Fast CNPs that match no QP of the flow list. */
export interface UnresolvedNotifications {
  /** Kind of notification. */
  readonly kind: 'cnp' | 'fast-cnp';
  /** Destination address. */
  readonly destination: string;
  /** Destination QP in the BTH, 24 bits: the data sender's for a CNP, the data receiver's for a Fast CNP. */
  readonly destQpn: number;
  /** Address in the option; Fast CNPs only. */
  readonly originalDestination: string | undefined;
  /** Number of notifications. */
  readonly count: number;
}

/** Mean rate in equal slices of time, starting at the first frame. */
export interface RateLine {
  /** Length of each slice, picoseconds. */
  readonly sliceDurationPs: number;
  /** Mean rate in each slice, bits per second. */
  readonly meanRatesBps: readonly number[];
}

/** One direction of a connection: data from the sender's QP, and notifications to it. */
export interface FlowSummary {
  /** Name in the flow list. */
  readonly flow: string;
  /** Sender of the data, whose QP the rate belongs to. */
  readonly sender: FlowEnd;
  /** Receiver of the data, to which the flow's frames are addressed. */
  readonly receiver: FlowEnd;
  /** Whether the list names only the opposite direction, but this one was notified. */
  readonly reverse: boolean;
  /** Data frames of this direction that matched a QP of the connection. */
  readonly dataFrames: number;
  /** Bytes of the data frames on the wire. */
  readonly dataBytes: number;
  /** CE-marked data frames. */
  readonly markedFrames: number;
  /** CNPs that the notification point would have sent. */
  readonly cnpsDue: number;
  /** CNPs in the capture. */
  readonly cnpsSeen: number;
  /** CNPs that changed the state of the reaction point. */
  readonly cnpsHandled: number;
  /** Fast CNPs in the capture for this QP, except those rejected before the QP lookup. */
  readonly fastCnpsSeen: number;
  /** Fast CNPs that the engine applied. */
  readonly fastCnpsAccepted: number;
  /** The lowest rate after any of the QP's events. */
  readonly lowestRateBps: number;
  /** The rate at the end of the capture. */
  readonly rateBps: number;
  /** Rate over time; undefined when the rate never changed. */
  readonly rateLine: RateLine | undefined;
}

/** CE marks and CNPs. */
export interface NotificationSummary {
  /** CE-marked data frames of listed flows, or of all streams if no flow is listed. */
  readonly markedFrames: number;
  /** CNPs that the notification points would have sent for these frames. */
  readonly cnpsDue: number;
  /** CE-marked frames that caused no CNP, because the minimum time between CNPs had not passed. */
  readonly marksSuppressed: number;
  /** CNPs in the capture. */
  readonly cnpsSeen: number;
  /** CNPs that changed the state of a reaction point. */
  readonly cnpsHandled: number;
}

/** Frames by outcome: in = handled + ignored + rejected + unsupportedLink. */
export interface Totals {
  /** Frames replayed. */
  readonly in: number;
  /** Frames that the engine matched to one of its QPs. */
  readonly handled: number;
  /** Well-formed frames without effect: other protocols or hosts, or duplicates. */
  readonly ignored: number;
  /** Frames that the engine rejected. */
  readonly rejected: number;
  /** Frames of unsupported link types. */
  readonly unsupportedLink: number;
  /** Frames by outcome; outcomes without frames are left out. */
  readonly outcomes: Readonly<Partial<Record<OutcomeName, number>>>;
  /** Late events that were moved up to the time of their QP's last event. */
  readonly lateClamped: number;
}

/** Speed of the replay. */
export interface Timing {
  /** Total time, including reading the frames. */
  readonly wallSeconds: number;
  /** Time spent in the engine only. */
  readonly engineSeconds: number;
  /** Frames divided by `wallSeconds`; 0 when no time was measured. */
  readonly framesPerSecond: number;
  /** Frames divided by `engineSeconds`; 0 when no time was measured. */
  readonly engineFramesPerSecond: number;
}

/** Results of a replay. */
export interface ReplayReport {
  /** Format of the report. */
  readonly schema: typeof REPLAY_SCHEMA;
  /** Summary of the capture file. */
  readonly capture: CaptureSummary;
  /** The engine's configuration, with defaults filled in. */
  readonly config: Pick<EngineConfig, 'backend' | 'notificationPoint' | 'fastCnp' | 'parser' | 'lateEvents'> & {
    /** Parameters of the reaction point of every QP. */
    readonly parameters: EngineConfig['parameterSets'][number];
  };
  /** Summaries of all frame classes. */
  readonly classes: Readonly<Record<ClassName, ClassSummary>>;
  /** Tunnelled frames; undefined if there are none. */
  readonly tunnels: TunnelSummary | undefined;
  /** Frames of class `other` by kind, the most frequent first, at most 100 kinds. */
  readonly others: readonly OtherKind[];
  /** Frames of class `other` of kinds not listed in `others`. */
  readonly othersElsewhere: number;
  /**
   * Multipath Reliable Connection, whose frames have the classes `discard`, `malformed` and `other`; undefined if there
   * are none.
   */
  readonly mrc: MrcSummary | undefined;
  /**
   * Ultra Ethernet, whose frames have the classes `other` and `malformed` and are not among `others`; undefined if there
   * are none.
   */
  readonly uet: UetSummary | undefined;
  /** CE marks and CNPs. */
  readonly notifications: NotificationSummary;
  /** Fast CNPs, by source and outcome. */
  readonly fastCnps: FastCnpSummary;
  /** Flows in the order of the flow list; empty without one. */
  readonly flows: readonly FlowSummary[];
  /** Notifications that match no QP, the most frequent first, at most 100. */
  readonly unresolved: readonly UnresolvedNotifications[];
  /** Number of notifications not listed in `unresolved`. */
  readonly unresolvedElsewhere: number;
  /** Streams in order of appearance, at most 10,000. */
  readonly streams: readonly StreamSummary[];
  /** RoCEv2 frames of streams not listed in `streams`. */
  readonly streamsElsewhere: number;
  /** Connections found by connection management or inferred from the traffic. */
  readonly connections: readonly Connection[];
  /** Data streams whose sender's queue pair is not known, with the reason. */
  readonly unpaired: readonly UnpairedStream[];
  /** Counts of connection management messages. */
  readonly connectionMessages: CmCounts;
  /** Problems with ECN, DSCP and priorities, and directions that were not captured. */
  readonly findings: readonly ReplayFinding[];
  /** ICRC check; undefined unless `parser.icrc` is `check`. */
  readonly icrc: IcrcSummary | undefined;
  /** PAUSE and PFC frames per sender and priority, in order of appearance, at most 1,000 entries. */
  readonly pauses: readonly PauseSummary[];
  /** All frames, by outcome. */
  readonly totals: Totals;
  /** Speed of the replay. */
  readonly timing: Timing;
  /** Why the replay ended early or is incomplete; otherwise undefined. */
  readonly error: unknown;
}
