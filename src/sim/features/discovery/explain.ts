/** What probes found before the flows started, and how the scenario reacted. */
import type { DiscoveryFindingResult, DiscoveryPathResult, DiscoveryResult, SimResult } from '../../result.js';
import { type Explanation, answerOf, finding, type Finding, reason } from '../../explain/explanation.js';

/** Maximum number of sentences that the answer repeats. */
const MOST_REASONS = 5;

/** Explains the outcome of discovery; undefined if the scenario has none. */
export function explainDiscovery({ discovery }: SimResult): Explanation | undefined {
  if (discovery === undefined) return undefined;
  const found = findingsOn(discovery);
  const { endPs, requests, replies, repliesDropped, paths } = discovery;
  return {
    topic: 'discovery',
    code: 'discovery-done',
    question: 'Was the network found lossless before the flows started?',
    ...answerOf(...found, finding('probes-sent', { requests, replies, repliesDropped, endPs })),
    inShort: discoveryWords(discovery),
    because: [
      reason('paths-probed', paths.length),
      reason('end-of-discovery', endPs),
    ],
    missing: [],
  };
}

/** The findings and the actions taken, in a few sentences. */
export function discoveryWords(discovery: DiscoveryResult): string {
  return findingsOn(discovery).map(({ text }) => text).join(' ');
}

function findingsOn(discovery: DiscoveryResult): Finding[] {
  return [pathsFinding(discovery), ...reasonsOf(discovery), ...pushFindings(discovery)];
}

function pathsFinding({ paths }: DiscoveryResult): Finding {
  return finding('paths-found', {
    paths: paths.length,
    notLossless: paths.filter(({ verdict }) => verdict === 'not-lossless').length,
    unknown: paths.filter(({ verdict }) => verdict === 'unknown').length,
  });
}

/** Each sentence once, those that led to the verdicts first. */
function reasonsOf({ paths }: DiscoveryResult): Finding[] {
  const texts = (of: (path: DiscoveryPathResult) => readonly string[]) => [...new Set(paths.flatMap(of))];
  const all = [...new Set([...texts(({ reasons }) => reasons), ...texts(({ remarks }) => remarks)])]
    .filter((one) => one !== '');
  const shown = all.length <= MOST_REASONS ? all : all.slice(0, MOST_REASONS);
  const more = all.length - shown.length;
  const records = new Map(paths.flatMap(recordsBySentence));
  return [
    ...shown.map((one) => finding('path-differs', { finding: one, found: records.get(one) ?? null })),
    ...(more === 0 ? [] : [finding('more-paths-differ', { findings: more })]),
  ];
}

/** A path's findings by their sentences. Reasons are as severe as the verdict; remarks are the other findings. */
function recordsBySentence(
  { verdict, reasons, remarks, findings = [] }: DiscoveryPathResult,
): [string, DiscoveryFindingResult][] {
  const isReason = ({ weight }: DiscoveryFindingResult): boolean => weight === verdict;
  const pairs = (texts: readonly string[], records: readonly DiscoveryFindingResult[]) =>
    texts.flatMap((one, index): [string, DiscoveryFindingResult][] => (records[index] ? [[one, records[index]]] : []));
  return [
    ...pairs(reasons, findings.filter(isReason)),
    ...pairs(remarks, findings.filter((one) => !isReason(one))),
  ];
}

function pushFindings({ rounds, changed, isAsAsked, verdict }: DiscoveryResult): Finding[] {
  return rounds === 1 ? [] : [finding('policy-pushed', { changed, isAsAsked, verdict })];
}
