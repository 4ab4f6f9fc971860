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
  readonly frames: number;
}

/** What stood in the file. */
export interface CaptureSummary {
  readonly frames: number;
  /** Lengths on the wire. */
  readonly bytes: number;
  readonly capturedBytes: number;
  /** Frames per link-layer header type of the file. */
  readonly linkTypes: readonly LinkTypeCount[];
  /** From the earliest to the latest frame, picoseconds. */
  readonly durationPs: number;
  /** The first frame that has a time: seconds since 1970-01-01 UTC, and picoseconds within; undefined when none has. */
  readonly start: { readonly epochSeconds: number; readonly picoseconds: number } | undefined;
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
  readonly linkType: number;
  readonly name: string;
  readonly frames: number;
  /** Frames of other link types are counted, and not looked into. */
  readonly supported: boolean;
}

/** Frames of one class, and what became of them: frames = handled + ignored + refused. */
export interface ClassSummary {
  readonly frames: number;
  readonly bytes: number;
  readonly handled: number;
  readonly ignored: number;
  readonly refused: number;
}

/** Fast CNPs from one source address. */
export interface FastCnpSource {
  readonly address: string;
  /** `receiver`: the source is the original destination itself; `network`: a switch. */
  readonly origin: 'receiver' | 'network';
  readonly seen: number;
  readonly accepted: number;
  /** By outcome, without the accepted ones. */
  readonly refused: Readonly<Partial<Record<OutcomeName, number>>>;
}

/** Option types of what looks like Fast CNPs, and are not those that the engine was given. */
export interface OtherOptionType {
  /** By its length, option 1 or option 2. */
  readonly option: 1 | 2;
  /** 0x80..0x9f. */
  readonly type: number;
  readonly frames: number;
}

/** All Fast CNPs. */
export interface FastCnpSummary {
  readonly seen: number;
  readonly accepted: number;
  readonly refused: Readonly<Partial<Record<OutcomeName, number>>>;
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
  readonly source: string;
  readonly destination: string;
  readonly destQpn: number;
  readonly frames: number;
  readonly bytes: number;
  readonly dataFrames: number;
  /** CE-marked data frames. */
  readonly markedFrames: number;
  readonly cnps: number;
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
  readonly kind: 'cnp' | 'fast-cnp';
  /** Whom they were sent to. */
  readonly destination: string;
  readonly destQpn: number;
  /** Fast CNPs only: the address in the option. */
  readonly originalDestination: string | undefined;
  readonly count: number;
}

/** One end of a connection. */
export interface FlowEnd {
  readonly address: string;
  readonly qpn: number;
}

/** Mean rate in equal slices of time from the first frame on. */
export interface RateLine {
  readonly sliceDurationPs: number;
  readonly meanRatesBps: readonly number[];
}

/** One direction of a connection: data from the sender's QP, notifications to it. */
export interface FlowSummary {
  readonly flow: string;
  readonly sender: FlowEnd;
  readonly receiver: FlowEnd;
  /** True when the list names only the opposite direction, and this one was notified nevertheless. */
  readonly reverse: boolean;
  readonly dataFrames: number;
  readonly dataBytes: number;
  /** CE-marked data frames. */
  readonly markedFrames: number;
  /** CNPs that the notification point would have sent. */
  readonly cnpsDue: number;
  /** CNPs in the capture. */
  readonly cnpsSeen: number;
  readonly cnpsHandled: number;
  /** Fast CNPs in the capture that name this QP; those refused before the lookup are not among them. */
  readonly fastCnpsSeen: number;
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
  readonly cnpsDue: number;
  readonly marksSuppressed: number;
  readonly cnpsSeen: number;
  readonly cnpsHandled: number;
}

/** Frames by what became of them: in = handled + ignored + refused + unsupportedLink. */
export interface Totals {
  readonly in: number;
  readonly handled: number;
  readonly ignored: number;
  readonly refused: number;
  /** Frames of a link type that is not read. */
  readonly unsupportedLink: number;
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
  readonly framesPerSecond: number;
  readonly engineFramesPerSecond: number;
}

/** What a replay found. */
export interface ReplayReport {
  readonly schema: typeof REPLAY_SCHEMA;
  readonly capture: CaptureSummary;
  readonly config: Pick<EngineConfig, 'backend' | 'notificationPoint' | 'fastCnp' | 'parser' | 'lateEvents'> & {
    readonly parameters: EngineConfig['parameterSets'][number];
  };
  readonly classes: Readonly<Record<ClassName, ClassSummary>>;
  readonly notifications: NotificationSummary;
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
  readonly pauses: readonly PauseSummary[];
  readonly totals: Totals;
  readonly timing: Timing;
  /** Why the replay ended early or is incomplete; undefined when all is well. */
  readonly error: unknown;
}
