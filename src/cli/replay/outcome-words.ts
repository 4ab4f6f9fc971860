/** Algorithms, classes and outcomes in words. */
import type { ClassName, OutcomeName } from '../../abi/names.js';
import type { AlgorithmName } from '../../config/algorithms/registry.js';
import { formatCount, formatDuration } from '../format.js';

export const ALGORITHM_WORDS: Readonly<Record<AlgorithmName, string>> = {
  dcqcn: 'DCQCN',
  hpcc: 'HPCC',
  'hpcc-pint': 'HPCC-PINT',
  'hpcc-pp': 'HPCC++',
  timely: 'TIMELY',
  dctcp: 'DCTCP',
  swift: 'Swift',
};

export const CLASS_WORDS: Readonly<Record<ClassName, string>> = {
  data: 'data',
  ack: 'ACK',
  nak: 'NAK',
  cnp: 'CNP',
  fastCnp1: 'Fast CNP, option 1',
  fastCnp2: 'Fast CNP, option 2',
  roceV1: 'RoCEv1',
  pfc: 'PFC',
  other: 'other (not RoCE)',
  discard: 'to be discarded',
  malformed: 'malformed',
  cut: 'cut by the snap length',
};

const OUTCOME_WORDS: Readonly<Record<OutcomeName, string>> = {
  sent: 'data sent',
  received: 'data received',
  cnpDue: 'marked, CNP due',
  cnpSuppressed: 'marked, CNP coalesced',
  cnpHandled: 'CNP reacted to',
  fastCnpAccepted: 'Fast CNP accepted',
  touched: 'touched',
  ackApplied: 'ACK used',
  lossApplied: 'loss reacted to',
  notRoceV2: 'not RoCE',
  pfc: 'PFC',
  roceV1: 'RoCEv1',
  ack: 'ACK',
  nak: 'NAK',
  notLocal: 'between addresses outside of the flow list',
  cnpDuplicate: 'CNP that repeats a Fast CNP',
  cnpNotUsed: 'CNP without use for the algorithm',
  ackNotUsed: 'ACK without use for the algorithm',
  ackNoSignal: 'ACK without what the algorithm reads',
  lossNotUsed: 'loss without use for the algorithm',
  malformed: 'malformed',
  cut: 'cut by the snap length',
  discarded: 'to be discarded',
  icrcWrong: 'wrong ICRC',
  unknownQp: 'QP not in the flow list',
  unknownKind: 'unknown kind',
  badTime: 'time out of range',
  timeBackwards: 'older than the last event of the QP',
  badDescriptor: 'lengths that contradict each other',
  fastCnpDisabled: 'Fast CNP while it is off',
  fastCnpDenied: 'Fast CNP from a source not allowed',
  fastCnpOption: 'bad Fast CNP option',
  fastCnpUnknownFlow: 'Fast CNP that names no flow',
  fastCnpDuplicate: 'Fast CNP that repeats a notification',
};

/** Why a Fast CNP was not accepted, as stated behind the word "refused". */
const REFUSAL_WORDS: Readonly<Partial<Record<OutcomeName, string>>> = {
  fastCnpDisabled: 'Fast CNP is off',
  fastCnpDenied: 'source not on the access list',
  fastCnpOption: 'bad option',
  fastCnpUnknownFlow: 'original destination and QPN name no flow',
  notLocal: 'not sent to a listed address',
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
 * @param duplicateWindowPs how soon after another notification a Fast CNP is a duplicate.
 */
export function refusalList(reasons: Readonly<Partial<Record<OutcomeName, number>>>,
  duplicateWindowPs: number): string {
  const words = {
    ...REFUSAL_WORDS,
    fastCnpDuplicate: `repeats a notification of the last ${formatDuration(duplicateWindowPs)}`,
  };
  return sorted(reasons)
    .map(([name, count]) => `${words[name] ?? OUTCOME_WORDS[name]}: ${formatCount(count)}`)
    .join('; ');
}

function sorted(counts: Readonly<Partial<Record<OutcomeName, number>>>): [OutcomeName, number][] {
  return (Object.entries(counts) as [OutcomeName, number][]).sort(([, a], [, b]) => b - a);
}
