/**
 * Notes on a scenario or a result, as data: a code that identifies the kind of note, and its figures. All wording is here: the
 * sentence of each note, by code, whose parameter declares the figures.
 *
 * Names of figures include units; `setting` is a path of the scenario, `flow` an index, `node` and `nodes` are names.
 */
import { idleReason, type IdleReason } from '../config/algorithms/dcqcn/ineffective-settings.js';
import type { NoteRecord } from '../note-record.js';
import { INT64_LINE_RATES_BPS, MAX_INT64_HOPS } from '../reference/algorithms/hpcc/hops.js';
import { listNames } from './scenario/scenario-error.js';

/** Identifies a kind of note; kebab-case. The same note has the same code in every version. */
export type NoteCode = keyof typeof SENTENCES;

/** Its figures by name, with units: `{ flow: 3, trafficClass: 6 }`. */
export type NoteFigures<Code extends NoteCode> = Parameters<(typeof SENTENCES)[Code]> extends [infer Figures] ?
  Figures :
  Readonly<Record<string, never>>;

/** One note; the code determines the type of its figures. */
export type Note = {
  readonly [Code in NoteCode]: {
    /** The kind of note. */
    readonly code: Code;
    /** Its figures by name. */
    readonly figures: NoteFigures<Code>;
  };
}[NoteCode];

/** Makes a note from its code and the figures of its sentence. */
export function note<Code extends NoteCode>(code: Code, ...[figures]: Parameters<(typeof SENTENCES)[Code]>): Note {
  return { code, figures: figures ?? {} } as Note;
}

/** The sentence of a note. */
export function sentenceOf({ code, figures }: Note): string {
  return (SENTENCES[code] as (figures: unknown) => string)(figures);
}

/** Drops the notes that do not apply (`false`) and keeps the order of the others. */
export function applying(...notes: readonly (Note | false)[]): Note[] {
  return notes.filter((one) => one !== false);
}

interface OfSetting {
  readonly setting: string;
}
interface OfHostSettings {
  /** The path of the settings: `hosts`, or an override such as `overrides[0].host`. */
  readonly host: string;
  readonly keys: readonly string[];
}
interface OfAlgorithms {
  readonly algorithms: readonly string[];
}
interface OfFault {
  /** Index of the fault. */
  readonly fault: number;
}
interface OfPreset {
  /** The algorithm's name in the scenario. */
  readonly algorithm: string;
  readonly preset: string;
  /** The source of its parameters. */
  readonly of: string;
}
/** Marking thresholds, and the port rate that they apply to. */
interface Marking {
  readonly kminKB: number;
  readonly kmaxKB: number;
  readonly pmax: number;
  readonly rateBps: number;
}

/** Why Fast CNPs move no flow to another path. */
const DETOUR_REASONS = {
  'not-sent': 'no switch sends Fast CNPs',
  'not-accepted': 'hosts do not accept Fast CNPs',
  'no-reaction': 'no algorithm in use reacts to them',
  'no-equal-paths': 'no switch has several equal paths to a host',
} as const;
export type DetourReason = keyof typeof DETOUR_REASONS;

const SLOWEST_CODED_GBPS = Math.min(...INT64_LINE_RATES_BPS) / 1e9;

export const SENTENCES = {
  // ---- Notes of the scenario's author and of file readers
  'stated-by-scenario': ({ note }: {
    /** The author's text, or a note of a file reader. */
    readonly note: string | NoteRecord;
  }) => textOf(note),
  'stated-by-job': ({ job, note }: {
    readonly job: string;
    /** The note of its file's reader. */
    readonly note: NoteRecord;
  }) => `${job}: ${note.text}`,
  'discovery-done': ({ text }: { readonly text: string; readonly paths: number; readonly endPs: number }) => text,

  // ---- ECN and congestion points
  'marks-unread': ({ algorithms }: OfAlgorithms) =>
    `ECN is set, but no algorithm in use (${algorithms.join(', ')}) reacts to marks.`,
  'ecn-off-with-thresholds': () => 'ECN is off, and its thresholds are given: they are without effect.',
  'ecn-thresholds-twice': () => 'ECN thresholds are given twice: byRate takes the place of kminKB, kmaxKB and pmax.',
  'no-marks': () => 'No switch marks packets, so algorithms that react to marks (DCQCN, DCTCP) keep the line rate.',
  'congestion-point-without-ecn': ({ nodes }: { readonly nodes: readonly string[] }) =>
    `ECN is off at ${listNames(nodes)}: their congestion point (switches.congestionPoint) is not called.`,

  // ---- PFC
  'headroom-without-pfc': () => 'PFC is off, and headroomBytes is given: without pauses no headroom is set aside.',
  'memory-added': ({ nodes, bufferBytes }: { readonly nodes: readonly string[]; readonly bufferBytes: number }) =>
    `The headroom of long or many links would take over half of 32 MiB, so memory was added at ${
      listNames(nodes)
    }: up to ${(bufferBytes / 2 ** 20).toFixed(1)} MiB.`,

  // ---- Fast CNPs
  'fast-cnp-under-reference': () => 'Fast CNP is enabled, but fidelity reference has none: no switch generates it.',
  'fast-cnp-not-generated': () => 'Fast CNP is enabled, but no switch generates it.',
  'fast-cnp-off-with-settings': () => 'Settings of Fast CNP are given, but it is not enabled at any switch.',
  'fast-cnp-not-accepted': () =>
    'Switches generate Fast CNPs, but hosts do not accept them (hosts.acceptFastCnp false).',
  'fast-cnp-unread': ({ algorithms }: OfAlgorithms) =>
    `Switches generate Fast CNPs, but no algorithm in use (${algorithms.join(', ')}) reacts to them.`,
  'fast-cnp-telemetry-unread': () => 'Fast CNPs carry telemetry (option 2), but no algorithm in use reads it there.',

  // ---- Load balancing and path selection
  'no-equal-paths': ({ setting }: OfSetting) => without(setting, 'no switch has several equal paths to a host'),
  'no-flowlets': ({ setting }: OfSetting) =>
    without(setting, 'no switch keeps flowlets (loadBalancing flowlet or conga)'),
  'balancing-rule-unused': ({ setting, rule }: OfSetting & { readonly rule: string }) =>
    without(setting, rule === 'conga' ? 'switches do not balance load by conga' : `no switch balances load by ${rule}`),
  'no-choice-by-hash': ({ setting }: OfSetting) =>
    without(setting,
      'no switch chooses among equal paths by the hash (loadBalancing ecmp, wcmp, source-route or entropy-bits)'),
  'no-marks-as-feedback': ({ setting }: OfSetting) =>
    `${setting} has no marks as feedback: no switch marks packets (switches.ecn).`,
  'source-ports-kept': ({ setting }: OfSetting) =>
    without(setting, 'all flows keep their UDP source ports (hosts.pathSelection flow)'),
  'path-selection-unused': ({ setting, rule }: OfSetting & { readonly rule: string }) =>
    without(setting, `no host chooses paths by ${rule}`),
  'no-detours': ({ setting, reason }: OfSetting & { readonly reason: DetourReason }) =>
    without(`${setting} slow-down-and-detour`, DETOUR_REASONS[reason]),

  // ---- Hosts
  'cnps-under-reference': (figures: OfHostSettings) =>
    `${allWithout(figures)} under fidelity reference: it has no CNP packets, each ACK repeats its packet's mark.`,
  'cnps-unread': (figures: OfHostSettings) => `${allWithout(figures)}: no algorithm in use reacts to CNPs.`,
  'host-idle': ({ nodes, role, ...settings }: OfHostSettings & {
    readonly nodes: readonly string[];
    readonly role: 'sender' | 'receiver';
  }) =>
    `${allWithout(settings)} where a host ${role === 'sender' ? 'sends' : 'receives'} no flow: ${listNames(nodes)}.`,
  'acks-of-each-packet': () =>
    'hosts.ackIntervalBytes and ackChunkBytes are without effect under fidelity standard: each packet in order is acknowledged.',
  'ack-chunks-unused': ({ setting }: OfSetting) =>
    without(setting, 'with ackIntervalBytes up to 1 each packet in order is acknowledged'),

  // ---- Transports
  'transport-unused': ({ setting, transport }: OfSetting & { readonly transport: string }) =>
    without(setting, `no flow has transport ${transport}`),
  'nothing-reordered': ({ setting }: OfSetting) => without(setting, 'receivers of go-back-n keep nothing'),
  'irn-timeouts': ({ setting }: OfSetting) =>
    without(setting, 'all flows have transport irn, whose timeouts are hosts.irn.timeoutLowUs and timeoutHighUs'),
  'nothing-trimmed': ({ setting }: OfSetting) =>
    without(setting, 'no flow has transport mrc, and only its packets are trimmed'),
  'timeouts-without-loss': ({ timeouts }: { readonly timeouts: number }) =>
    `${
      timeouts === 1 ? 'A retransmission timer ran out' : `Retransmission timers ran out ${timeouts} times`
    } although no packet was lost: packets or their ACKs waited longer than hosts.retransmitTimeoutUs.`,

  // ---- Differences of the reference simulator
  'rates-without-code': ({ ratesBps }: { readonly ratesBps: readonly number[] }) =>
    `HPCC's records under fidelity reference have no code for ${
      ratesBps.map((rateBps) => `${rateBps / 1e9} Gb/s`).join(', ')
    }: senders take such ports for ones of ${SLOWEST_CODED_GBPS} Gb/s, as in the reference simulator.`,
  'too-many-hops': ({ flow, from, to, switches }: {
    readonly flow: number;
    readonly from: string;
    readonly to: string;
    readonly switches: number;
  }) =>
    `Flow ${flow}, ${from} to ${to}, passes ${switches} switches: HPCC's records under fidelity reference hold ${MAX_INT64_HOPS}, ` +
    'and senders beyond keep their rate, as in the reference simulator.',
  'parallel-links': ({ between }: { readonly between: readonly (readonly [string, string])[] }) =>
    `Several links between ${
      listNames(between.map((ends) => ends.join(' and ')))
    }: fidelity reference sends by the last of them alone, as the reference simulator does.`,

  // ---- Algorithms
  'algorithm-unused': ({ algorithm }: { readonly algorithm: string }) =>
    `Algorithm ${algorithm} is not used by any flow.`,
  'window-unused': ({ algorithm, title }: { readonly algorithm: string; readonly title: string }) =>
    `Algorithm ${algorithm}: window is without effect, ${title} controls its own.`,
  'parameter-idle': ({ algorithm, parameter, reason, because }: {
    readonly algorithm: string;
    readonly parameter: string;
    readonly reason: IdleReason;
    /** The parameters that leave it without effect. */
    readonly because: readonly string[];
  }) => `Algorithm ${algorithm}: ${parameter}: without effect, ${idleReason(reason, because)}.`,
  'preset-cnp-interval': ({ algorithm, preset, of, presetIntervalUs, intervalUs }: OfPreset & {
    readonly presetIntervalUs: number;
    readonly intervalUs: number;
  }) =>
    `Algorithm ${algorithm}: ${preset} has the parameters of ${of}, where ${
      presetIntervalUs === 0 ?
        'each mark notifies the sender' :
        `receivers have ${presetIntervalUs} µs between CNPs`
    }; here receivers have the default of ${intervalUs} µs between CNPs (hosts.cnpIntervalUs).`,
  'preset-marking': ({ algorithm, preset, of, presetMarking, marking }: OfPreset & {
    readonly presetMarking: Marking;
    readonly marking: Marking;
  }) =>
    `Algorithm ${algorithm}: ${preset} has the parameters of ${of}, where switches mark ${
      markingWords(presetMarking, 'from ')
    }; here they have the default (switches.ecn): ${markingWords(marking)}.`,

  // ---- Flows and jobs
  'flow-after-end': ({ flow }: { readonly flow: number }) =>
    `Flow ${flow} starts at or after the end of the run, and is never sent.`,
  'flow-shares-cnp-class': ({ flow, trafficClass }: { readonly flow: number; readonly trafficClass: number }) =>
    `Flow ${flow} shares class ${trafficClass} with CNPs, which so wait behind data.`,
  'no-arrivals': () => 'No flow arrives: arrivalsForUs is shorter than the time to the first one.',
  'own-flow-sizes': ({ sizes, published }: { readonly sizes: string; readonly published: string }) =>
    `The sizes ${sizes} are this project's own, and not published: compare with others under ${published}.`,
  'job-setting-of-other-format': ({ setting, job, format }: OfSetting & {
    readonly job: string;
    readonly format: string;
  }) => `${setting} of the job ${job} is without effect: it is for files of ${format}.`,

  // ---- Changes and faults
  'change-after-end': ({ change, atPs }: { readonly change: number; readonly atPs: number }) =>
    without(`changes[${change}]`, `the run ends before ${microseconds(atPs)}`),
  'settings-change': ({ atPs, set }: {
    readonly change: number;
    readonly atPs: number;
    /** New values by path. */
    readonly set: Readonly<Record<string, unknown>>;
  }) =>
    `From ${microseconds(atPs)} on: ${
      Object.entries(set).map(([path, value]) => `${path} = ${String(value)}`).join(', ')
    }.`,
  'fault-after-end': ({ fault }: OfFault) => `Fault ${fault} begins after the end of the run.`,
  'fault-without-chance': ({ fault }: OfFault) => `Fault ${fault} has chance 0 and is without effect.`,
  'fault-without-share': ({ fault }: OfFault) => `Fault ${fault} has share 0 and is without effect.`,
  'fault-under-reference-lossy': ({ fault, kind }: OfFault & { readonly kind: string }) =>
    `Fault ${fault} (${kind}) is without effect: links lose packets by their errorRate alone under reference-lossy.`,
  'fault-without-cnps': ({ fault, fidelity }: OfFault & { readonly fidelity: string }) =>
    `Fault ${fault} loses CNPs, of which fidelity ${fidelity} has none.`,

  // ---- A WAN with tunnels
  'wan-unused': () => 'The topology has a WAN with provider edges, and no flow crosses it.',
  'wan-drops-fast-cnps': () =>
    'Switches of the WAN generate Fast CNPs, and no access list lets them out: borders drop them (wan.accessLists).',
  'wan-unmarked': ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Outer headers of ${
      nodes.join(', ')
    } are Not-ECT (compatibility): no node of the WAN marks data that enters there.`,
  'wan-victim-ports': () =>
    'Victims of pauses (record.victims) of services with several routers (via) may be named with another port than theirs.',
  'wan-telemetry': () =>
    'Routers of the WAN read outer headers alone: telemetry has no record of the tunnel behind its entry.',

  // ---- Records of the run
  'pauses-left-out': ({ pauses }: { readonly pauses: number }) =>
    `There were ${pauses} pauses and renewals more than are kept.`,
} satisfies Readonly<Record<string, (figures: never) => string>>;

function textOf(note: string | NoteRecord): string {
  return typeof note === 'string' ? note : note.text;
}

function without(setting: string, why: string): string {
  return `${setting} is without effect: ${why}.`;
}

function allWithout({ host, keys }: OfHostSettings): string {
  return `${host}.${keys.join(' and ')} ${keys.length === 1 ? 'is' : 'are'} without effect`;
}

function markingWords({ kminKB, kmaxKB, pmax, rateBps }: Marking, from = ''): string {
  return `${from}${kminKB} to ${kmaxKB} kB with pmax ${pmax} at ${rateBps / 1e9} Gb/s`;
}

function microseconds(timePs: number): string {
  return `${(timePs / 1e6).toLocaleString('en')} µs`;
}
