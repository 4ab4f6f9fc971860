/**
 * The report of a replay: the result, plus data from the command line; as JSON, the unchanged result and that data. All
 * sections of the text share the names of frame classes and outcomes, and the shortened addresses.
 */
import type { ClassName, OutcomeName } from '../../abi/names.js';
import type { NoteRecord } from '../../note-record.js';
import type { ReplayReport } from '../../replay/index.js';
import { describeError, errorFields } from '../describe-error.js';
import { formatCount, formatDuration } from '../../view/format.js';

/** Source of the flows. */
export type FlowsFrom = 'list' | 'connections' | 'none';

export interface Report {
  readonly result: ReplayReport;
  /** Title; undefined: the command and the file. */
  readonly title?: string;
  /** Path of the capture as given; `-` = standard input. */
  readonly file: string;
  /** Path of the flow list, if there is one. */
  readonly flowsFile: string | undefined;
  /** Source of the flows: a list, the connections found in the capture, or none. */
  readonly flowsFrom: FlowsFrom;
  readonly flowCount: number;
  /** Whether this is the default replay, of the bundled capture. */
  readonly bundled: boolean;
  /** How the program was started, for hints: `npm start --` or `roce-cc`. */
  readonly program: string;
  /** Source of the reaction point's parameters: a preset or a settings file. */
  readonly origin: string;
  /** Assumptions made when importing settings. */
  readonly notes: readonly NoteRecord[];
  readonly warnings: readonly NoteRecord[];
}

/** Names of frame classes. */
export const CLASS_WORDS: Readonly<Record<ClassName, string>> = {
  data: 'data',
  ack: 'ACK',
  nak: 'NAK',
  cnp: 'CNP',
  'fast-cnp-1': 'Fast CNP, option 1',
  'fast-cnp-2': 'Fast CNP, option 2',
  'roce-v1': 'RoCEv1',
  pfc: 'PFC',
  other: 'other (not RoCE)',
  discard: 'to be discarded',
  malformed: 'malformed',
  cut: 'cut by the snap length',
};

const OUTCOME_WORDS: Readonly<Record<OutcomeName, string>> = {
  sent: 'data sent',
  received: 'data received',
  'cnp-due': 'marked, CNP due',
  'cnp-suppressed': 'marked, CNP coalesced',
  'cnp-handled': 'CNP reacted to',
  'fast-cnp-accepted': 'Fast CNP accepted',
  touched: 'touched',
  'ack-applied': 'ACK used',
  'loss-applied': 'loss reacted to',
  'credit-applied': 'credit used',
  'not-roce-v2': 'not RoCE',
  pfc: 'PFC',
  'roce-v1': 'RoCEv1',
  ack: 'ACK',
  nak: 'NAK',
  'not-local': 'between addresses outside of the flow list',
  'cnp-duplicate': 'CNP that repeats a Fast CNP',
  'cnp-not-used': 'CNP without use for the algorithm',
  'ack-not-used': 'ACK without use for the algorithm',
  'ack-no-signal': 'ACK without what the algorithm reads',
  'loss-not-used': 'loss without use for the algorithm',
  'credit-not-used': 'credit without use for the algorithm',
  malformed: 'malformed',
  cut: 'cut by the snap length',
  discarded: 'to be discarded',
  'icrc-wrong': 'wrong ICRC',
  'unknown-qp': 'QP not in the flow list',
  'unknown-kind': 'unknown kind',
  'bad-time': 'time out of range',
  'time-backwards': 'older than the last event of the QP',
  'bad-descriptor': 'lengths that contradict each other',
  'fast-cnp-disabled': 'Fast CNP while it is off',
  'fast-cnp-rejected': 'Fast CNP from a source not allowed',
  'fast-cnp-option': 'bad Fast CNP option',
  'fast-cnp-unknown-flow': 'Fast CNP that names no flow',
  'fast-cnp-duplicate': 'Fast CNP that repeats a notification',
};

/** Why a Fast CNP was not accepted, as stated after the word "rejected". */
const REJECTION_WORDS: Readonly<Partial<Record<OutcomeName, string>>> = {
  'fast-cnp-disabled': 'Fast CNP is off',
  'fast-cnp-rejected': 'source not on the access list',
  'fast-cnp-option': 'bad option',
  'fast-cnp-unknown-flow': 'original destination and QPN name no flow',
  'not-local': 'not sent to a listed address',
};

/** Whether there is anything to follow: marks, CNPs or Fast CNPs. */
export function hasNotifications({ notifications, fastCnps }: ReplayReport): boolean {
  return notifications.markedFrames + notifications.cnpsSeen + fastCnps.seen > 0;
}

/** One indented JSON object, with a line end. */
export function renderJson(report: Report): string {
  const { result, file, flowsFile, flowsFrom, origin, notes, warnings } = report;
  const { schema, capture, error, ...found } = result;
  const described = error === undefined ? null : { ...errorFields(error), message: describeError(error, file) };
  const object = {
    schema,
    file,
    flowsFile: flowsFile ?? null,
    flowsFrom,
    complete: error === undefined && !capture.limited,
    error: described,
    parametersFrom: origin,
    notes,
    warnings,
    capture,
    ...found,
  };
  return `${JSON.stringify(object, undefined, 2)}\n`;
}

/** Minimum length of a prefix: a shorter one is not worth the sentence that states it. */
const PREFIX_LEAST = 4;

/** Shortens addresses by their common prefix, which a report states once. */
export class ShortAddresses {
  /** The common prefix of all addresses (of all IPv6 addresses, if any), up to a colon or dot; empty if too short. */
  readonly prefix: string;

  constructor(addresses: Iterable<string>) {
    const all = [...new Set(addresses)].sort();
    const isIpv6 = all.some((address) => address.includes(':'));
    const distinct = all.filter((address) => address.includes(':') === isIpv6);
    const first = distinct[0] ?? '';
    const last = distinct.at(-1) ?? '';
    let equal = 0;
    while (equal < first.length && first[equal] === last[equal]) equal++;
    const border = Math.max(first.lastIndexOf(':', equal - 1), first.lastIndexOf('.', equal - 1)) + 1;
    this.prefix = distinct.length > 1 && equal > 0 && border >= PREFIX_LEAST ? first.slice(0, border) : '';
  }

  /** The shortened address: `…5e01::10` for 2001:db8:5e01::10. */
  of(address: string): string {
    return this.prefix !== '' && address.startsWith(this.prefix) ? `…${address.slice(this.prefix.length)}` : address;
  }
}

/** Collects the addresses of tables and lists. Sources of Fast CNPs stay in full, to be copied into an access list. */
export function shortAddressesOf({ result, flowsFrom }: Report): ShortAddresses {
  const { flows, streams, unresolved, findings, mrc } = result;
  const shown = flowsFrom === 'list' ? findings.flatMap(({ stream }) => streams[stream] ?? []) : streams;
  return new ShortAddresses([
    ...flows.map(({ sender }) => sender.address),
    ...shown.flatMap(({ source, destination }) => [source, destination]),
    ...(mrc?.queuePairs ?? []).flatMap(({ source, destination }) => [source, destination]),
    ...unresolved.flatMap(({ destination, originalDestination = destination }) => [destination, originalDestination]),
  ]);
}

/** Outcomes with their counts, the most frequent first: `17,109 data sent; 1,194 ACK`. */
export function outcomeList(outcomes: Readonly<Partial<Record<OutcomeName, number>>>): string {
  return mostFrequentFirst(outcomes)
    .map(([name, count]) => `${formatCount(count)} ${OUTCOME_WORDS[name]}`)
    .join('; ');
}

/**
 * Reasons with their counts, the most frequent first: `bad option: 3; Fast CNP is off: 2`.
 *
 * @param duplicateWindowPs time after a notification within which a Fast CNP is a duplicate.
 */
export function rejectionList(reasons: Readonly<Partial<Record<OutcomeName, number>>>,
  duplicateWindowPs: number): string {
  const words = {
    ...REJECTION_WORDS,
    'fast-cnp-duplicate': `repeats a notification of the last ${formatDuration(duplicateWindowPs)}`,
  };
  return mostFrequentFirst(reasons)
    .map(([name, count]) => `${words[name] ?? OUTCOME_WORDS[name]}: ${formatCount(count)}`)
    .join('; ');
}

function mostFrequentFirst(counts: Readonly<Partial<Record<OutcomeName, number>>>): [OutcomeName, number][] {
  return (Object.entries(counts) as [OutcomeName, number][]).sort(([, a], [, b]) => b - a);
}
