/** What probes found before the flows started, and what was done about it. */
import type { DiscoveryPathResult, DiscoveryResult, SimResult } from '../result.js';
import { countWords, reason, timeWords, wholeWords, type Explanation } from './explanation.js';
import { findingsOf, listWords } from './text.js';

/** Maximum number of sentences that the answer repeats. */
const MOST_REASONS = 5;

/** Undefined: the scenario has no discovery. */
export function explainDiscovery({ discovery }: SimResult): Explanation | undefined {
  if (discovery === undefined) return undefined;
  const found = foundWords(discovery);
  const { endPs, requests, replies, repliesDropped, paths } = discovery;
  return {
    topic: 'discovery',
    code: 'discovery-done',
    question: 'Was the network found lossless before the flows started?',
    ...findingsOf(...found,
      `${countWords(requests, 'request')}, ${replies === 1 ? '1 reply' : `${wholeWords(replies)} replies`}${
        repliesDropped > 0 ? `, ${repliesDropped} of them dropped by access lists` : ''
      }; discovery delayed the flows by ${timeWords(endPs)}.`),
    inShort: found.join(' '),
    because: [
      reason('paths probed', paths.length, 'paths'),
      reason('end of discovery', endPs, 'ps'),
    ],
    missing: [],
  };
}

/** Findings and actions, in some sentences. */
export function discoveryWords(discovery: DiscoveryResult): string {
  return foundWords(discovery).join(' ');
}

function foundWords(discovery: DiscoveryResult): string[] {
  return [verdictWords(discovery), ...reasonsOf(discovery), pushWords(discovery)].filter((words) => words !== '');
}

function verdictWords({ paths }: DiscoveryResult): string {
  const found = paths.filter(({ verdict }) => verdict === 'not-lossless').length;
  const unknown = paths.filter(({ verdict }) => verdict === 'unknown').length;
  const all = countWords(paths.length, 'path');
  if (found + unknown === 0) return `Discovery found ${all} lossless.`;
  if (found === paths.length)
    return `Discovery probed ${all}; ${paths.length === 1 ? 'it is not' : 'none is'} lossless.`;
  return `Discovery probed ${all}: ${
    listWords([
      ...(found > 0 ? [`${found} not lossless`] : []),
      ...(unknown > 0 ? [`${unknown} not known`] : []),
    ])
  }.`;
}

/** Each sentence once, those that led to the verdicts first. */
function reasonsOf({ paths }: DiscoveryResult): string[] {
  const texts = (of: (path: DiscoveryPathResult) => readonly string[]) => [...new Set(paths.flatMap(of))];
  const all = [...new Set([...texts(({ reasons }) => reasons), ...texts(({ remarks }) => remarks)])];
  return all.length <= MOST_REASONS ? all : [...all.slice(0, MOST_REASONS), `${all.length - MOST_REASONS} more.`];
}

function pushWords({ rounds, changed, isAsAsked, verdict }: DiscoveryResult): string {
  if (rounds === 1) return '';
  const mended = changed.length === 0 ? 'changed no switch' : `changed ${listWords(changed)}`;
  if (isAsAsked) return `The policy that was pushed ${mended}; then all was as asked.`;
  return `The policy that was pushed ${mended}; then it was ${
    verdict === 'lossless' ? 'lossless, but not all as asked' : verdict
  }.`;
}
