/** Report section on CNPs and Fast CNPs: those due, those seen, and their QPs. */
import { formatCount, formatCountOf, formatDuration, formatQpn } from '../../view/format.js';
import { rejectionList, type FlowsFrom, type Report, type ShortAddresses } from './report.js';
import type { FastCnpSource, FlowSummary, ReplayReport, UnresolvedNotifications } from '../../replay/index.js';
import { heading, wrap, type TextStyle } from '../terminal.js';

const SOURCES_MAX = 6;
const UNRESOLVED_MAX = 10;
const SCOPES = { qp: 'QP', destination: 'destination', port: 'port' };

/** What flows are called in sentences, depending on their source. */
interface FlowWords {
  readonly flows: string;
  readonly list: string;
}

const LIST_WORDS: FlowWords = { flows: 'listed flows', list: 'the flow list' };
const FLOW_WORDS: Readonly<Record<FlowsFrom, FlowWords>> = {
  list: LIST_WORDS,
  none: LIST_WORDS,
  connections: { flows: 'found connections', list: 'a connection found' },
};

/** Lines of the section on CNPs and Fast CNPs; empty without any. */
export function notificationSection({ result, flowsFrom }: Report, addresses: ShortAddresses,
  style: TextStyle): string[] {
  const sentences = [
    ...(flowsFrom === 'connections' ? [totalSentence(result)] : []),
    ...cnpSentences(result, FLOW_WORDS[flowsFrom]),
    ...fastCnpSentences(result),
    ...otherTypeSentences(result),
    ...resolutionSentences(result, addresses, FLOW_WORDS[flowsFrom]),
  ];
  if (sentences.length === 0 || result.capture.frames === 0) return [];
  return [...heading('Congestion notifications', style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

/** Counts the marks of all streams, as some may belong to none of the connections found. */
function totalSentence({ streams, notifications }: ReplayReport): string {
  const marked = streams.reduce((sum, { markedFrames }) => sum + markedFrames, 0);
  return `CE-marked data frames: ${formatCount(marked)}; CNPs seen: ${formatCount(notifications.cnpsSeen)}`;
}

function cnpSentences({ notifications, config, flows, classes, totals }: ReplayReport, words: FlowWords): string[] {
  const { markedFrames, cnpsDue, marksSuppressed, cnpsSeen, cnpsHandled } = notifications;
  if (flows.length === 0) {
    return markedFrames + cnpsSeen === 0 ?
      [] :
      [`CE-marked data frames: ${formatCount(markedFrames)}; CNPs seen: ${formatCount(cnpsSeen)}`];
  }
  if (markedFrames + cnpsSeen === 0) return [`No CE-marked frame of ${words.flows}, and no CNP.`];
  const { scope, minTimeBetweenCnpsPs } = config.notificationPoint;
  const { ignored, rejected } = classes.cnp;
  const duplicates = totals.outcomes['cnp-duplicate'] ?? 0;
  const why = duplicates === 0 ?
    '' :
    ` (${duplicates === ignored ? '' : `${formatCount(duplicates)}: `}a Fast CNP had reported the same congestion)`;
  const rule = minTimeBetweenCnpsPs === 0 ?
    'one per mark' :
    `at most one per ${SCOPES[scope]} and ${formatDuration(minTimeBetweenCnpsPs)}`;
  return [
    `CE-marked frames of ${words.flows}: ${formatCount(markedFrames)}; CNPs due: ${
      formatCount(cnpsDue)
    } (${rule}), coalesced marks: ${formatCount(marksSuppressed)}`,
    `CNPs seen: ${formatCount(cnpsSeen)}, reacted to: ${formatCount(cnpsHandled)}, ignored: ${
      formatCount(ignored)
    }${why}, rejected: ${formatCount(rejected)}${agreement(flows)}`,
  ];
}

/** Compares the CNPs due with those in the capture, flow by flow. */
function agreement(flows: readonly FlowSummary[]): string {
  const compared = flows.filter((flow) => flow.cnpsDue + flow.cnpsSeen > 0);
  const equal = compared.filter((flow) => flow.cnpsDue === flow.cnpsSeen).length;
  if (compared.length === 0) return '';
  if (equal === compared.length) return `; as many as due on each of ${formatCountOf(equal, 'flow')}`;
  return `; as many as due on ${formatCount(equal)} of ${formatCountOf(compared.length, 'flow')}`;
}

function fastCnpSentences({ fastCnps, flows, config }: ReplayReport): string[] {
  const { seen, accepted, rejected, sources } = fastCnps;
  if (seen === 0) return [];
  if (flows.length === 0) {
    return [
      `Fast CNPs seen: ${formatCount(seen)}`,
      ...sourceSentences(sources, seen, ({ seen }) => formatCount(seen)),
    ];
  }
  const count = seen - accepted;
  const reasons = count === 0 ? '' : ` (${rejectionList(rejected, config.fastCnp.duplicateWindowPs)})`;
  return [
    `Fast CNPs seen: ${formatCount(seen)}, accepted: ${formatCount(accepted)}, ${
      rejectedWord(rejected['not-local'] ?? 0, count)
    }: ${formatCount(count)}${reasons}`,
    ...sourceSentences(sources, seen,
      ({ seen, accepted }) => `${formatCount(seen)} seen, ${formatCount(accepted)} accepted`),
    ...acceptanceHint(sources),
  ];
}

/** The engine ignores frames to unlisted addresses; all other frames that it does not accept are rejected. */
function rejectedWord(ignored: number, count: number): string {
  if (ignored === 0) return 'rejected';
  return ignored === count ? 'ignored' : 'rejected or ignored';
}

/** A line for each of the busiest sources, and the number of Fast CNPs from others. */
function sourceSentences(sources: readonly FastCnpSource[], seen: number,
  countsOf: (source: FastCnpSource) => string): string[] {
  const shown = sources.slice(0, SOURCES_MAX);
  const rest = seen - shown.reduce((sum, source) => sum + source.seen, 0);
  return [
    ...shown.map((source) => `- from ${originWords(source)}: ${countsOf(source)}`),
    ...(rest === 0 ? [] : [`- from other sources: ${formatCount(rest)}`]),
  ];
}

function originWords({ address, origin }: FastCnpSource): string {
  return origin === 'network' ? `the network, switch ${address}` : `the receiver itself, ${address}`;
}

/** Reports frames that would be Fast CNPs if the option types were others, and the command-line option for these. */
function otherTypeSentences({ fastCnps, config }: ReplayReport): string[] {
  const types = fastCnps.otherOptionTypes;
  if (types.length === 0) return [];
  const { optionType1, optionType2 } = config.fastCnp;
  const typeOf = (wanted: 1 | 2, known: number): string =>
    formatByte(types.find(({ option }) => option === wanted)?.type ?? known);
  const list = types.map(({ option, type, frames }) =>
    `${formatCount(frames)} with option ${option} as type ${formatByte(type)}`
  );
  return [
    `Frames that look like Fast CNPs of other option types: ${list.join(', ')}. To read them: --option-types ${
      typeOf(1, optionType1)
    },${typeOf(2, optionType2)}`,
  ];
}

function formatByte(value: number): string {
  return `0x${value.toString(16).padStart(2, '0')}`;
}

/** Names the options that would accept rejected sources. */
function acceptanceHint(sources: readonly FastCnpSource[]): string[] {
  const shut = sources.filter(({ rejected }) =>
    (rejected['fast-cnp-disabled'] ?? 0) + (rejected['fast-cnp-rejected'] ?? 0) > 0
  );
  if (shut.length === 0) return [];
  const options = shut.slice(0, SOURCES_MAX).map(({ address }) => `--allow ${address}`);
  return [`To accept them, if you trust these sources: --fast-cnp ${options.join(' ')}`];
}

function resolutionSentences(result: ReplayReport, addresses: ShortAddresses, { list }: FlowWords): string[] {
  const { unresolved, unresolvedElsewhere, flows } = result;
  if (unresolved.length === 0) return flows.length === 0 ? [] : resolvedSentence(result, list);
  const count = unresolved.reduce((sum, entry) => sum + entry.count, unresolvedElsewhere);
  const shown = unresolved.slice(0, UNRESOLVED_MAX);
  const rest = count - shown.reduce((sum, entry) => sum + entry.count, 0);
  const intro = flows.length === 0 ?
    'Addressed to:' :
    `${formatCountOf(count, 'notification')} led to no QP of ${list}:`;
  return [
    intro,
    ...shown.map((entry) => unresolvedSentence(entry, addresses)),
    ...(rest === 0 ? [] : [`- others: ${formatCount(rest)}`]),
  ];
}

function unresolvedSentence(entry: UnresolvedNotifications, addresses: ShortAddresses): string {
  const { kind, destination, destQpn, originalDestination, count } = entry;
  const about = originalDestination === undefined ? '' : `, about ${addresses.of(originalDestination)}`;
  const what = kind === 'cnp' ? 'CNP' : 'Fast CNP';
  return `- ${what} to ${addresses.of(destination)}, destination QPN ${formatQpn(destQpn)}${about}: ${
    formatCount(count)
  }`;
}

/** Reports that every notification had a QP. Omitted if any was rejected before its QP was looked up. */
function resolvedSentence({ notifications, fastCnps, flows }: ReplayReport, list: string): string[] {
  const led = (count: (flow: FlowSummary) => number): number => flows.reduce((sum, flow) => sum + count(flow), 0);
  const areAllLed = led((flow) => flow.cnpsSeen) === notifications.cnpsSeen &&
    led((flow) => flow.fastCnpsSeen) === fastCnps.seen;
  if (!areAllLed || notifications.cnpsSeen + fastCnps.seen === 0) return [];
  const shared = fastCnps.seen === 0 ? 0 : sharedQpns(flows);
  const how = shared === 0 ?
    '' :
    ` ${
      formatCountOf(shared, 'pair')
    } of sender and destination QPN lead to several receivers: there the original destination in the Fast CNP decides.`;
  return [`Every one of them led to a QP of ${list}.${how}`];
}

/** Number of pairs (sender, destination QPN) that several receivers share. */
function sharedQpns(flows: readonly FlowSummary[]): number {
  const counts = new Map<string, number>();
  for (const { sender, receiver } of flows) {
    const key = `${sender.address} ${receiver.qpn}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count > 1).length;
}
