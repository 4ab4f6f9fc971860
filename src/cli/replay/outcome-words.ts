/** Names of frame classes and outcomes in reports. */
import type { ClassName, OutcomeName } from '../../abi/names.js';
import { formatCount, formatDuration } from '../format.js';

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

/** Outcomes with their counts, the most frequent first: `17,109 data sent; 1,194 ACK`. */
export function outcomeList(outcomes: Readonly<Partial<Record<OutcomeName, number>>>): string {
  return sorted(outcomes)
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
  return sorted(reasons)
    .map(([name, count]) => `${words[name] ?? OUTCOME_WORDS[name]}: ${formatCount(count)}`)
    .join('; ');
}

function sorted(counts: Readonly<Partial<Record<OutcomeName, number>>>): [OutcomeName, number][] {
  return (Object.entries(counts) as [OutcomeName, number][]).sort(([, a], [, b]) => b - a);
}
