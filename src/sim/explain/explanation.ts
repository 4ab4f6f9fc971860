/**
 * The form of an explanation: findings, each a code with figures and the sentences made from both, and the numbers on
 * which they are based.
 */
import { CONGESTION_SENTENCES } from './sentences/congestion.js';
import { FLOW_SENTENCES, UNFINISHED_SENTENCES } from './sentences/flows.js';
import { LOSS_SENTENCES } from './sentences/losses.js';
import { CRITICAL_PARTS, type CriticalPart, NETWORK_SENTENCES, WAN_SENTENCES } from './sentences/network.js';
import { HAZARD_SENTENCES, PAUSE_SENTENCES } from './sentences/pfc.js';
import { UET_SENTENCES, VERDICT_SENTENCES } from './sentences/verdict.js';
import { joined, plainText, type Text, type TextPart } from './text.js';

/** The topic of an explanation. */
export type ExplanationTopic = 'pause' | 'notification' | 'fast-cnp' | 'work' | 'unfinished' | 'slow' | 'loss' | 'paths'
  | 'settings' | 'rate' | 'hazard' | 'receiver' | 'job' | 'discovery' | 'wan' | 'connection';

/** What an explanation found, for programs to read instead of the question; ordered by topic. */
export type ExplanationCode = 'pauses-sent' | 'no-pauses' | 'senders-notified' | 'cnps-ignored' | 'no-cnps'
  | 'fast-cnps-sent' | 'no-fast-cnps' | 'control-or-pfc' | 'flows-unfinished' | 'flow-slow' | 'no-slow-flow'
  | 'packets-lost' | 'packets-retransmitted' | 'nothing-lost' | 'equal-paths-used' | 'settings-without-effect'
  | 'all-settings-used' | 'rate-changes' | 'no-rate-change' | 'deadlock' | 'pause-storm' | 'held-by-pauses'
  | 'receivers-not-ready' | 'job-duration' | 'discovery-done' | 'wan-effects' | 'messages-began' | 'uet-counts';

/** A question that a reader of the result may have, and its answer in plain English. */
export interface Explanation {
  /** The topic of the explanation. */
  readonly topic: ExplanationTopic;
  /** What was found; its figures are in `because`. */
  readonly code: ExplanationCode;
  /** The question of the explanation. */
  readonly question: string;
  /** The sentences of all findings; every number with its unit. */
  readonly answer: string;
  /** The findings as data, each with its sentences. */
  readonly findings: readonly Finding[];
  /** The most important part of the answer, if one is more important than the rest. */
  readonly inShort?: string;
  /** The numbers on which the answer is based. */
  readonly because: readonly Reason[];
  /** Fields missing from the result that would make the answer more certain. */
  readonly missing: readonly string[];
}

const SENTENCES = {
  ...CONGESTION_SENTENCES,
  ...FLOW_SENTENCES,
  ...HAZARD_SENTENCES,
  ...LOSS_SENTENCES,
  ...NETWORK_SENTENCES,
  ...PAUSE_SENTENCES,
  ...UET_SENTENCES,
  ...UNFINISHED_SENTENCES,
  ...VERDICT_SENTENCES,
  ...WAN_SENTENCES,
};

/** Identifies what was found; kebab-case. */
export type FindingCode = keyof typeof SENTENCES;

/** The codes that findings may have. */
export const FINDING_CODES = Object.freeze(Object.keys(SENTENCES) as FindingCode[]);

/** The figures of a finding, by name, with units: `port` is a name, `flow` an index. */
export type FindingFigures<Code extends FindingCode> = Parameters<(typeof SENTENCES)[Code]> extends [infer Figures] ?
  Figures :
  Readonly<Record<string, never>>;

/** One finding; the code determines the type of its figures. */
export type Finding = {
  readonly [Code in FindingCode]: {
    /** What was found. */
    readonly code: Code;
    /** Its figures by name. */
    readonly figures: FindingFigures<Code>;
    /** The finding in sentences. */
    readonly text: string;
    /** The sentences in parts, some of which name a port, a flow or an instant. */
    readonly parts: readonly TextPart[];
  };
}[FindingCode];

/** Makes a finding from its code and figures. */
export function finding<Code extends FindingCode>(code: Code,
  ...[figures]: Parameters<(typeof SENTENCES)[Code]>): Extract<Finding, { readonly code: Code }> {
  const parts = partsOf(code, figures);
  return { code, figures: figures ?? {}, text: plainText(parts), parts } as unknown as Extract<
    Finding,
    { readonly code: Code }
  >;
}

/** The sentences for a code and its figures, in parts. */
export function partsOf(code: FindingCode, figures: unknown): readonly TextPart[] {
  return joined([(SENTENCES[code] as (figures: unknown) => Text)(figures)]);
}

/** Drops the findings that don't apply (`false` or undefined) and joins the sentences of the others. */
export function answerOf(...findings: readonly (Finding | false | undefined)[]): {
  readonly answer: string;
  readonly findings: readonly Finding[];
} {
  const applicable = findings.filter((one) => one !== false && one !== undefined);
  return { answer: applicable.map((one) => one.text).join(' '), findings: applicable };
}

interface OfPort {
  readonly port: string;
}
interface OfNode {
  readonly node: string;
}
interface OfFlow {
  readonly flow: number;
}

/** Unit and description by code. Units: `bytes`, `ps`, `bps`, `share`, `packets`, `flows`, …; empty for words. */
const REASONS = {
  // ---- Pauses
  'pause-frames': ['packets', () => 'pause frames'],
  'pauses': ['packets', () => 'pauses'],
  'time-paused': ['ps', () => 'time paused, all ports and classes'],
  'time-port-paused': ['ps', ({ port }: OfPort) => `time paused at ${port}`],
  'time-paused-while-waiting': ['ps', ({ port }: OfPort) => `time that ${port} was paused`],
  'share-paused': [
    'share',
    ({ port }: { readonly port: string | null }) => `share of the run paused, at ${port ?? 'most'}`,
  ],
  'switches-with-pfc': ['switches', () => 'switches with PFC'],
  'shared-memory-of-arrivals': ['bytes', ({ port }: OfPort) => `largest shared memory of arrivals at ${port}`],
  'lowest-pause-threshold': ['bytes', ({ port }: OfPort) => `lowest pause threshold at ${port}`],
  'queues-of-node': ['bytes', ({ node }: OfNode) => `queues of ${node} at their longest, together`],
  'memory-of-node': ['bytes', ({ node }: OfNode) => `memory of ${node}`],
  'memory-set-aside': ['bytes', ({ node }: OfNode) => `reserve and headroom of ${node}, as in the scenario`],
  'least-pause-threshold': ['bytes', () => 'least pause threshold'],
  'windows-through-port': ['bytes', ({ port }: OfPort) => `windows of the flows through ${port}, together`],

  // ---- Queues and notifications
  'longest-queue': ['bytes', ({ port }: OfPort) => `longest queue, at ${port}`],
  'kmin': ['bytes', ({ port }: OfPort) => `Kmin at ${port}`],
  'kmax': ['bytes', ({ port }: OfPort) => `Kmax at ${port}`],
  'congestion-point': ['', () => 'congestion point'],
  'algorithms': ['', () => 'algorithms'],
  'switches-with-ecn': ['switches', () => 'switches with ECN'],
  'marks': ['packets', () => 'marks'],
  'marks-on-data': ['packets', () => 'marks on data'],
  'marked-data-packets': ['packets', () => 'marked data packets'],
  'cnps': ['packets', () => 'CNPs'],
  'fast-cnps': ['packets', () => 'Fast CNPs'],
  'notifications': ['packets', () => 'notifications'],
  'notifications-reacted-to': ['packets', () => 'notifications that senders reacted to'],
  'switches-that-send-fast-cnps': ['switches', () => 'switches that may send them'],
  'fast-cnps-sent': ['packets', () => 'Fast CNPs sent'],
  'fast-cnps-reacted-to': ['packets', () => 'Fast CNPs reacted to'],
  'data-packets': ['packets', () => 'data packets'],

  // ---- Losses
  'packets-dropped': ['packets', () => 'packets dropped'],
  'packets-dropped-for': ['packets', ({ drop }: { readonly drop: string }) => `packets dropped, ${drop}`],
  'drops-at': ['packets', ({ port }: OfPort) => `drops at ${port}`],
  'buffer-drops': ['packets', () => 'buffer-overflow drops'],
  'packets-retransmitted': ['packets', () => 'packets retransmitted'],
  'packets-trimmed': ['packets', () => 'packets trimmed'],
  'naks': ['packets', () => 'NAKs'],
  'nacks': ['packets', () => 'NACKs'],
  'rnr-naks': ['packets', () => 'RNR NAKs'],
  'timeouts': ['timeouts', () => 'timeouts'],

  // ---- Flows and queue pairs
  'simulated-time': ['ps', () => 'simulated time'],
  'flows-unfinished': ['flows', () => 'flows unfinished'],
  'bytes-not-delivered': ['bytes', ({ flow }: OfFlow) => `bytes of flow ${flow} not delivered`],
  'slowdown': ['times the ideal', ({ flow }: OfFlow) => `slowdown of flow ${flow}`],
  'completion': ['ps', () => 'completion'],
  'ideal': ['ps', () => 'ideal'],
  'mean-queue': ['bytes', ({ port, flow }: OfPort & OfFlow) => `mean queue at ${port} while flow ${flow} ran`],
  'utilization': ['share', ({ port }: OfPort) => `utilisation of ${port} while it ran`],
  'flows-through-port': ['flows', ({ port }: OfPort) => `flows through ${port} meanwhile`],
  'mean-allowed-rate': ['bps', () => 'mean allowed rate'],
  'port-rate': ['bps', () => 'rate of its port'],
  'lowest-rate': ['bps', () => 'lowest rate'],
  'flows-not-ready': ['flows', () => 'flows that received one'],
  'time-flow-waited': ['ps', ({ flow }: OfFlow) => `time that flow ${flow} waited`],
  'time-waited-for-receiver': ['ps', () => 'time waited for the receiver'],
  'qps': ['QPs', () => 'QPs with several messages'],
  'messages': ['messages', () => 'their messages'],
  'messages-below-line-rate': ['messages', () => 'messages that began below line rate'],
  'rate-at-beginning': ['bps', ({ flow }: OfFlow) => `rate at the beginning of flow ${flow}`],
  'restarts': ['restarts', () => 'restarts at line rate'],
  'rate-changes': ['changes', ({ flow }: OfFlow) => `changes of the rate of flow ${flow}`],
  'rate-changes-for': ['changes', ({ change }: { readonly change: string }) => change],

  // ---- Jobs, paths, hazards, settings
  'critical-part': ['ps', ({ part }: { readonly part: CriticalPart }) => CRITICAL_PARTS[part]],
  'time-waited-at': ['ps', ({ port }: OfPort) => `waited at ${port}, estimated`],
  'path-fairness': ['', () => "Jain's index of equal paths, by what they sent"],
  'detours': ['detours', () => 'detours'],
  'packets-out-of-order': ['packets', () => 'packets out of order'],
  'reordering-depth': ['packets', () => 'reordering depth, at most'],
  'paths-probed': ['paths', () => 'paths probed'],
  'end-of-discovery': ['ps', () => 'end of discovery'],
  'deadlock-formed': ['ps', () => 'deadlock formed'],
  'ports-in-cycle': ['ports', () => 'ports in its cycle'],
  'queues-stormed': ['times', ({ port }: OfPort) => `queues stormed at ${port}`],
  'flows-held': ['flows', () => 'flows held by pauses that began elsewhere'],
  'notes': ['notes', () => 'notes'],
  'setting-idle': ['', ({ setting }: { readonly setting: string }) => setting],

  // ---- A network of uet-htsim, which counts all ports together
  'new-packets': ['packets', () => 'data packets sent for the first time'],
  'longest-queue-of-data': ['bytes', () => 'longest queue of data'],

  // ---- A WAN
  'packets-encapsulated': ['packets', () => 'packets that entered tunnels'],
  'fast-cnps-denied': ['packets', () => 'Fast CNPs denied by access lists'],
  'fast-cnps-to-end-con': ['packets', () => 'Fast CNPs to END.CON SIDs'],
} as const satisfies Readonly<Record<string, readonly [unit: string, what: (of: never) => string]>>;

/** Identifies what a number measures; kebab-case. */
export type ReasonCode = keyof typeof REASONS;

/** The codes that reasons may have. */
export const REASON_CODES = Object.freeze(Object.keys(REASONS) as ReasonCode[]);

/** A number on which an explanation is based. */
export interface Reason {
  /** What the number measures. */
  readonly code: ReasonCode;
  /** What was measured: a `port`, a `node`, a `flow`, …; empty: the run, or the flow that is explained. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** `code` and `figures` in words. */
  readonly what: string;
  /** The value: a number, or words. */
  readonly value: number | string;
  /** `bytes`, `ps`, `bps`, `share`, `packets`, `flows`, …; empty for words. */
  readonly unit: string;
}

export function reason<Code extends ReasonCode>(code: Code, value: number | string,
  ...[of]: Parameters<(typeof REASONS)[Code][1]>): Reason {
  const figures = { ...of };
  return { code, figures, what: whatOf(code, figures), value, unit: REASONS[code][0] };
}

/** Describes in words what a number measures. */
export function whatOf(code: ReasonCode, figures: Readonly<Record<string, unknown>>): string {
  return (REASONS[code][1] as (of: unknown) => string)(figures);
}

/** The value with the largest measure; the first of equal ones. */
export function maxBy<T>(values: readonly T[], measure: (value: T) => number): T | undefined {
  return values.reduce<T | undefined>(
    (best, value) => (best !== undefined && measure(best) >= measure(value) ? best : value),
    undefined,
  );
}
