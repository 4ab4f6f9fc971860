/**
 * Checks that every message has a receive, and every receive a message. Without wildcards, counts must agree for each
 * source, destination and tag. With wildcards, they must agree for all messages to a rank, and no receive may need more
 * than is sent.
 */
import { rejectWorkload } from '../workload-error.js';
import { ChannelTable } from './channels.js';
import { ANY, RECEIVE, SEND, type WorkloadGraph } from './workload-graph.js';

/** Maximum number of operations named in an error. */
const NAMED_MAX = 16;

/** Sends and receives by channel, and receives with wildcards. */
export interface Matching {
  readonly channels: ChannelTable;
  /** Channel of each send, and of each receive without wildcards; -1 for other operations. */
  readonly channelOf: Int32Array;
  /** Whether each rank has a receive with a wildcard. */
  readonly hasWildcard: Uint8Array;
}

export function matchingOf(graph: WorkloadGraph): Matching {
  const { kind, peer, tag } = graph.operations;
  const channels = new ChannelTable();
  const channelOf = new Int32Array(graph.length).fill(-1);
  const hasWildcard = new Uint8Array(graph.ranks);
  forEachOperation(graph, (operation, rank) => {
    if (kind[operation] === SEND) channelOf[operation] = channels.add(rank, peer[operation], tag[operation]);
    if (kind[operation] !== RECEIVE) return;
    if (peer[operation] === ANY || tag[operation] === ANY) hasWildcard[rank] = 1;
    else channelOf[operation] = channels.add(peer[operation], rank, tag[operation]);
  });
  return { channels, channelOf, hasWildcard };
}

/** Calls the visitor for each operation in order, with its rank. */
export function forEachOperation({ firstOperation, ranks }: WorkloadGraph,
  visit: (operation: number, rank: number) => void): void {
  for (let rank = 0; rank < ranks; rank++) {
    for (let operation = firstOperation[rank]; operation < firstOperation[rank + 1]; operation++)
      visit(operation, rank);
  }
}

/**
 * @throws RoceError `invalid-workload`, `UNMATCHED_SEND` or `UNMATCHED_RECV`, naming the first unmatched operations.
 */
export function checkMatching(graph: WorkloadGraph, matching: Matching): void {
  const { channels, channelOf, hasWildcard } = matching;
  const { kind } = graph.operations;
  const balance = new Int32Array(channels.length);
  for (let operation = 0; operation < graph.length; operation++) {
    if (channelOf[operation] >= 0) balance[channelOf[operation]] += kind[operation] === SEND ? 1 : -1;
  }
  const isExact = (channel: number): boolean => hasWildcard[channels.destinationOf(channel)] === 0;
  rejectSurplus(graph, channelOf, balance, (channel) => balance[channel] < 0, RECEIVE);
  rejectSurplus(graph, channelOf, balance, (channel) => balance[channel] > 0 && isExact(channel), SEND);
  checkWildcards(graph, matching, balance);
}

/** If a channel has too many operations of one kind, the last ones are those without a match. */
function rejectSurplus(graph: WorkloadGraph, channelOf: Int32Array, balance: Int32Array,
  isWrong: (channel: number) => boolean, surplus: number): void {
  if (!balance.some((_, channel) => isWrong(channel))) return;
  const left = Int32Array.from(balance, (number, channel) => (isWrong(channel) ? Math.abs(number) : 0));
  const found: number[] = [];
  for (let operation = graph.length - 1; operation >= 0; operation--) {
    const channel = channelOf[operation];
    if (channel < 0 || graph.operations.kind[operation] !== surplus || left[channel] === 0) continue;
    left[channel]--;
    found.push(operation);
  }
  rejectOperations(graph, found.reverse(), surplus);
}

function rejectOperations(graph: WorkloadGraph, found: readonly number[], surplus: number): never {
  const isSend = surplus === SEND;
  const named = found.slice(0, NAMED_MAX).map((operation) => graph.describe(operation));
  rejectWorkload(isSend ? 'UNMATCHED_SEND' : 'UNMATCHED_RECV', {
    what: `the ${isSend ? 'send' : 'receive'} ${named[0] ?? ''}`,
    problem: `${isSend ? 'has no matching receive' : 'has no matching send'}; there ${
      found.length === 1 ? 'is 1 such operation' : `are ${found.length} such operations`
    }${named.length > 1 ? `: ${named.slice(1).join('; ')}` : ''}`,
    where: graph.source,
  });
}

/**
 * Checks that wildcard receives find enough messages: for each rank in total, from each of its sources, and with each
 * tag. Messages that suffice for each check may still be too few for all together; such a run ends as stuck.
 */
function checkWildcards(graph: WorkloadGraph, matching: Matching, balance: Int32Array): void {
  const { channels, hasWildcard } = matching;
  if (!hasWildcard.includes(1)) return;
  const left = new Int32Array(graph.ranks);
  balance.forEach((number, channel) => {
    left[channels.destinationOf(channel)] += number;
  });
  const fromSource = leftBy(matching, balance, (channel) => channels.sourceOf(channel));
  const withTag = leftBy(matching, balance, (channel) => channels.tagOf(channel));
  const unmet: number[] = [];
  const { kind, peer, tag } = graph.operations;
  forEachOperation(graph, (operation, rank) => {
    if (kind[operation] !== RECEIVE || (peer[operation] !== ANY && tag[operation] !== ANY)) return;
    const isFromOne = peer[operation] === ANY || take(fromSource, peer[operation], rank);
    const isOfTag = tag[operation] === ANY || take(withTag, tag[operation], rank);
    if (left[rank]-- <= 0 || !isFromOne || !isOfTag) unmet.push(operation);
  });
  if (unmet.length > 0) rejectOperations(graph, unmet, RECEIVE);
  const rank = left.findIndex((number, at) => hasWildcard[at] === 1 && number > 0);
  if (rank >= 0) rejectOperations(graph, lastSendsTo(graph, rank, left[rank]), SEND);
}

/** Messages to ranks with wildcards that no exact receive takes, by rank and a second key. */
function leftBy({ channels, hasWildcard }: Matching, balance: Int32Array,
  keyOf: (channel: number) => number): Map<string, number> {
  const left = new Map<string, number>();
  balance.forEach((number, channel) => {
    const rank = channels.destinationOf(channel);
    if (hasWildcard[rank] === 0) return;
    const key = `${keyOf(channel)} ${rank}`;
    left.set(key, (left.get(key) ?? 0) + number);
  });
  return left;
}

/** Takes one from the count; returns false if none is left. */
function take(left: Map<string, number>, key: number, rank: number): boolean {
  const before = left.get(`${key} ${rank}`) ?? 0;
  left.set(`${key} ${rank}`, before - 1);
  return before > 0;
}

function lastSendsTo(graph: WorkloadGraph, rank: number, count: number): number[] {
  const { kind, peer } = graph.operations;
  const found: number[] = [];
  for (let operation = graph.length - 1; operation >= 0 && found.length < count; operation--) {
    if (kind[operation] === SEND && peer[operation] === rank) found.push(operation);
  }
  return found.reverse();
}
