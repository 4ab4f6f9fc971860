/**
 * The sentences of each linter finding, by rule; the parameter type of each declares its figures. Findings are created
 * as data (lint-context.ts), and only this file words them.
 */
import { number } from '../error-text.js';
import type { FiguresOf } from '../note-record.js';
import { classificationWords } from './classify.js';
import type { LintRule } from './lint-rules.js';
import type { LossRecovery, NetworkProfileName } from './network-profiles.js';
import type { PortName } from './path.js';
import type { TrustMode } from './qos-map.js';
import type { VendorWords } from './vendor-words.js';

/** The traffic that a finding concerns: data to the receiver, CNPs back, or all traffic of a port. */
export type LintFlow = 'data' | 'cnp' | 'port';

/** The text of a finding. */
export interface LintFacts {
  /** The problem, as a sentence without a full stop. */
  readonly message: string;
  /** The current setting. */
  readonly got: string;
  /** The expected setting. */
  readonly expected: string;
}

/** Context of a finding: the vendor's names, and the traffic. */
interface Place {
  readonly words: VendorWords;
  readonly flow: LintFlow;
}

interface Marking {
  /** The packet field that ports trust. */
  readonly field: TrustMode;
  readonly value: number;
  readonly intended: number;
}

interface Shared {
  /** Priority of RoCE data. */
  readonly priority: number;
  /** The other priorities in the same group or class. */
  readonly others: readonly number[];
  /** Priority of CNPs. */
  readonly cnpPriority: number;
}

interface OfGroup {
  /** Priority group of the traffic. */
  readonly group: number;
}

interface SharedGroup extends Shared, OfGroup {
  readonly intendedGroup: number;
}

interface Unpaused {
  /** Priority of RoCE data. */
  readonly priority: number;
  /** Priorities for which the port has PFC on. */
  readonly pfcPriorities: readonly number[];
  /** Name of the node that should be paused. */
  readonly transmitter: string;
}

interface OfClass {
  readonly trafficClass: number;
}

interface Thresholds {
  readonly minBytes: number;
  readonly maxBytes: number;
}

interface AboveXoff extends Thresholds {
  /** The port by which data enters the switch. */
  readonly port: PortName;
  readonly xoffBytes: number;
}

interface OnFor {
  /** Priority of RoCE data. */
  readonly priority: number;
  /** Priorities for which the reaction or notification point is on. */
  readonly onFor: readonly number[];
}

const CLASSIFICATION = {
  'trust-differs': ({ trust, sender, senderTrust }: {
    readonly trust: TrustMode;
    /** Name of the sending host. */
    readonly sender: string;
    readonly senderTrust: TrustMode;
  }) => ({
    message: `the port trusts ${show(trust)}, ${sender} trusts ${show(senderTrust)}`,
    got: show(trust),
    expected: show(senderTrust),
  }),
  'trusted-field-missing': ({ trust, defaultPriority, priority }: {
    readonly trust: TrustMode;
    readonly defaultPriority: number;
    /** The intended priority. */
    readonly priority: number;
  }) => ({
    message: `the port trusts ${show(trust)}, but the frames have ${
      trust === 'pcp' ? 'no VLAN tag' : 'no DSCP'
    } and get the default priority`,
    got: classificationWords(trust, undefined, defaultPriority),
    expected: `priority ${priority}`,
  }),
  'marking-misplaced': ({ lostAt, ...marking }: Marking & {
    /** Ports at which the packets do not get their priority, and the priority that they get. */
    readonly lostAt: readonly { readonly node: string; readonly port: PortName; readonly priority: number }[];
  }, { flow }: Place) => {
    const { message, ...facts } = markingFacts(marking, flow);
    const where = lostAt.map(({ node, port, priority }) => `${node}.${port} (priority ${priority})`);
    return { message: `${message}, and miss their priority at ${where.join(', ')}`, ...facts };
  },
  'marking-unexpected': (marking: Marking, { flow }: Place) => markingFacts(marking, flow),
  'priority-differs': ({ trust, code, priority, group, trafficClass, intendedPriority }: {
    readonly trust: TrustMode;
    /** DSCP or PCP of the packets. */
    readonly code: number;
    readonly priority: number;
    readonly group: number;
    readonly trafficClass: number;
    readonly intendedPriority: number;
  }, { words, flow }: Place) => ({
    message: `${nameOf(flow)} land in priority ${priority}, group ${group}, ${words.trafficClass} ${trafficClass}`,
    got: classificationWords(trust, code, priority),
    expected: `priority ${intendedPriority}`,
  }),
  'lossless-group-shared': (shared: SharedGroup) => sharedGroupFacts(shared),
  'group-shared': (shared: SharedGroup) => sharedGroupFacts(shared),
  'group-differs': ({ group, intendedGroup }: OfGroup & { readonly intendedGroup: number }, { flow }: Place) => ({
    message: `${nameOf(flow)} enter the wrong priority group`,
    got: `priority group ${group}`,
    expected: `priority group ${intendedGroup}`,
  }),
  'traffic-class-shared': ({ trafficClass, intendedTrafficClass, ...shared }: Shared & OfClass & {
    readonly intendedTrafficClass: number;
  }, { words }: Place) => ({
    message: `${words.trafficClass} ${trafficClass} of RoCE also serves priorities ${nameSharers(shared)}`,
    got: `priorities ${showTogether(shared)} in ${words.class} ${trafficClass}`,
    expected: `priority ${shared.priority} alone in ${words.class} ${intendedTrafficClass}`,
  }),
  'traffic-class-differs': ({ trafficClass, intendedTrafficClass }: OfClass & { readonly intendedTrafficClass: number },
    { words, flow }: Place) => ({
      message: `${nameOf(flow)} leave in the wrong ${words.trafficClass}`,
      got: `${words.trafficClass} ${trafficClass}`,
      expected: `${words.trafficClass} ${intendedTrafficClass}`,
    }),
};

const PAUSE = {
  'pause-missing': ({ priority, pfcPriorities, transmitter }: Unpaused) => ({
    message: `nothing pauses RoCE at ${transmitter} when the buffer here fills`,
    ...pfcFacts(pfcPriorities, priority),
  }),
  'pause-one-sided': ({ priority, pfcPriorities, lacks, other }: {
    /** Priority of RoCE data. */
    readonly priority: number;
    /** Priorities for which the port has PFC on in this direction. */
    readonly pfcPriorities: readonly number[];
    /** What this port fails to do with pauses. */
    readonly lacks: 'honour' | 'send';
    /** Name of the node at the other end, which is configured correctly. */
    readonly other: string;
  }) => ({
    message: `${other} ${
      lacks === 'honour' ? 'sends' : 'would honour'
    } pauses for priority ${priority}, but this port does not ${lacks} them`,
    ...pfcFacts(pfcPriorities, priority),
  }),
  'pause-other-priority': ({ priority, pfcPriorities, transmitter }: Unpaused) => ({
    message: `PFC is sent to ${transmitter}, but not for priority ${priority} of RoCE`,
    ...pfcFacts(pfcPriorities, priority),
  }),
  'pause-not-in-profile': ({ profile, transmitter, by, pfcPriorities }: {
    readonly profile: NetworkProfileName;
    /** Name of the node that can be paused. */
    readonly transmitter: string;
    readonly by: 'pfc' | 'global-pause';
    readonly pfcPriorities: readonly number[];
  }) => ({
    message: `the port can pause RoCE at ${transmitter}, which the profile ${profile} excludes`,
    got: by === 'pfc' ? `PFC for ${showPriorities(pfcPriorities)}` : 'global pause',
    expected: 'no pause for RoCE',
  }),
  'pause-without-buffer': ({ group }: OfGroup) => lackingFacts(group, 'a lossy buffer', 'a lossless buffer'),
  'pause-without-xoff': ({ group }: OfGroup, { words: { xoffThreshold } }: Place) =>
    lackingFacts(group, `no ${xoffThreshold}`, `${xoffThreshold} above 0`),
  'pause-without-headroom': ({ group }: OfGroup, { words: { headroom } }: Place) =>
    lackingFacts(group, `no ${headroom}`, `${headroom} above 0`),
  'global-pause-with-pfc': () => ({
    message: 'global pause and PFC are on together',
    got: 'both',
    expected: 'PFC only',
  }),
  'cnp-paused': ({ priority, group, isPaused, pfcPriorities }: {
    /** Priority of CNPs. */
    readonly priority: number;
    /** Priority group of CNPs. */
    readonly group: number;
    /** True if PFC is sent for the priority; false if the group is lossless. */
    readonly isPaused: boolean;
    readonly pfcPriorities: readonly number[];
  }) => ({
    message: isPaused ?
      `PFC is sent for priority ${priority} of the CNPs` :
      `CNPs enter the lossless priority group ${group}`,
    got: isPaused ? `PFC for ${showPriorities(pfcPriorities)}` : 'lossless',
    expected: 'lossy, without PFC',
  }),
};

const CONGESTION = {
  'ecn-off': ({ trafficClass }: OfClass, { words }: Place) => ({
    message: `${words.trafficClass} ${trafficClass}, by which RoCE leaves, never marks`,
    got: 'ECN off',
    expected: 'ECN on',
  }),
  'ecn-not-in-profile': ({ trafficClass, profile }: OfClass & { readonly profile: NetworkProfileName },
    { words }: Place) => ({
      message: `${words.trafficClass} ${trafficClass} marks RoCE, but the profile ${profile} does not use ECN`,
      got: 'ECN on',
      expected: 'ECN off',
    }),
  'ecn-inverted': (figures: OfClass & Thresholds, { words }: Place) => thresholdFacts(figures, words, 'above'),
  'ecn-step': (figures: OfClass & Thresholds, { words }: Place) => thresholdFacts(figures, words, 'at'),
  'ecn-starts-above-xoff': (figures: AboveXoff, { words }: Place) => aboveXoffFacts(figures, words, 'the first mark'),
  'ecn-ends-above-xoff': (figures: AboveXoff, { words }: Place) =>
    aboveXoffFacts(figures, words, 'every packet is marked'),
  'reaction-point-off': (figures: OnFor) =>
    pointFacts(figures, `the sender does not react to CNPs for priority ${figures.priority}`),
  'notification-point-off': (figures: OnFor) =>
    pointFacts(figures, `the receiver sends no CNPs for marks in priority ${figures.priority}`),
  'cnp-shares-traffic-class': ({ trafficClass, intendedOfCnp, intendedOfData }: OfClass & {
    readonly intendedOfCnp: number;
    readonly intendedOfData: number;
  }, { words }: Place) => ({
    message: `CNPs leave by ${words.trafficClass} ${trafficClass} of RoCE data, and wait behind them`,
    got: `${words.class} ${trafficClass} for both`,
    expected: `${words.class} ${intendedOfCnp} for CNPs, ${words.class} ${intendedOfData} for data`,
  }),
  'cnp-not-strict': ({ trafficClass }: OfClass, { words }: Place) => ({
    message: `${words.trafficClass} ${trafficClass} of the CNPs waits for its share`,
    got: 'ETS',
    expected: 'strict',
  }),
  'cnp-not-highest': ({ trafficClass, higher }: OfClass & {
    /** Strict classes that are served first. */
    readonly higher: readonly number[];
  }, { words }: Place) => ({
    message: `${words.trafficClass} ${trafficClass} of the CNPs waits behind strict ${words.class} ${
      higher.join(' and ')
    }`,
    got: `${words.class} ${higher.join(' and ')} before it`,
    expected: `no strict ${words.class} above it`,
  }),
  'ets-sum': ({ classes, sumPercent }: {
    /** Number of ETS classes. */
    readonly classes: number;
    readonly sumPercent: number;
  }) => ({
    message: `the weights of ${classes} ETS ${classes === 1 ? 'class' : 'classes'} do not sum to 100 percent`,
    got: `${sumPercent} percent`,
    expected: '100 percent',
  }),
  'recovery-too-weak': ({ profile, host, recovery, sufficient }: {
    readonly profile: NetworkProfileName;
    readonly host: string;
    readonly recovery: LossRecovery;
    /** Retransmission methods that suffice. */
    readonly sufficient: readonly LossRecovery[];
  }) => ({
    message: `the profile ${profile} drops packets, and ${host} retransmits them by ${recovery}`,
    got: recovery,
    expected: sufficient.join(' or '),
  }),
};

const SENTENCES = { ...CLASSIFICATION, ...PAUSE, ...CONGESTION } satisfies Record<
  LintRule,
  (figures: never, place: Place) => LintFacts
>;

type FiguresByRule = { [Rule in LintRule]: FiguresOf<(typeof SENTENCES)[Rule]> };

/** Figures of a rule's findings, with units in their names. */
export type LintFigures<Rule extends LintRule> = FiguresByRule[Rule];

const BY_RULE: { readonly [Rule in LintRule]: (figures: FiguresByRule[Rule], place: Place) => LintFacts } = SENTENCES;

/** Returns the sentences of a rule for its figures. */
export function lintFacts<Rule extends LintRule>(rule: Rule, figures: LintFigures<Rule>, place: Place): LintFacts {
  return BY_RULE[rule](figures, place);
}

function markingFacts({ field, value, intended }: Marking, flow: LintFlow): LintFacts {
  return {
    message: `${nameOf(flow)} carry the wrong ${show(field)}`,
    got: `${show(field)} ${value}`,
    expected: `${show(field)} ${intended}`,
  };
}

function sharedGroupFacts({ group, intendedGroup, ...shared }: SharedGroup): LintFacts {
  return {
    message: `priority group ${group} of RoCE also holds priorities ${nameSharers(shared)}`,
    got: `priorities ${showTogether(shared)} in group ${group}`,
    expected: `priority ${shared.priority} alone in group ${intendedGroup}`,
  };
}

function pfcFacts(pfcPriorities: readonly number[], priority: number): Omit<LintFacts, 'message'> {
  return { got: `PFC for ${showPriorities(pfcPriorities)}`, expected: `PFC for ${priority}` };
}

function lackingFacts(group: number, got: string, expected: string): LintFacts {
  return { message: `pause is on, but priority group ${group} of RoCE has ${got}`, got, expected };
}

function thresholdFacts({ trafficClass, minBytes, maxBytes }: OfClass & Thresholds,
  { trafficClass: noun, ecnMin, ecnMax }: VendorWords, relation: 'at' | 'above'): LintFacts {
  return {
    message: `${noun} ${trafficClass} has its ${ecnMin} ${relation} its ${ecnMax}`,
    got: `${number(minBytes)} to ${number(maxBytes)} bytes`,
    expected: `${ecnMin} < ${ecnMax}`,
  };
}

function aboveXoffFacts({ port, xoffBytes, minBytes, maxBytes }: AboveXoff, { xoff }: VendorWords,
  mark: string): LintFacts {
  return {
    message: `a single sender's queue reaches ${xoff} of the port ${port} before ${mark}: PFC acts before ECN`,
    got: `${number(minBytes)} to ${number(maxBytes)} bytes`,
    expected: `below ${xoff}, ${number(xoffBytes)} bytes`,
  };
}

function pointFacts({ priority, onFor }: OnFor, problem: string): LintFacts {
  return {
    message: `${onFor.length === 0 ? 'DCQCN is off for every priority: ' : ''}${problem}`,
    got: `on for ${showPriorities(onFor)}`,
    expected: `on for ${priority}`,
  };
}

function nameSharers({ others, cnpPriority }: Shared): string {
  return `${showPriorities(others)}${others.includes(cnpPriority) ? ` (${cnpPriority}: CNPs)` : ''}`;
}

function showTogether({ priority, others }: Shared): string {
  return showPriorities([priority, ...others].toSorted((a, b) => a - b));
}

/** Lists priorities: `3`, `3 and 4`, `none`. */
function showPriorities(priorities: readonly number[]): string {
  return priorities.length === 0 ? 'none' : priorities.join(' and ');
}

function nameOf(flow: LintFlow): string {
  return flow === 'cnp' ? 'CNPs' : 'RoCE data packets';
}

function show(field: TrustMode): string {
  return field.toUpperCase();
}
