/**
 * Describes what limits a run, in two sentences: the port, with the numbers that show it, and the behaviour of its
 * queue.
 */
import { bytesText, formatCount, percentText, rateText } from '../../../src/view/format.js';
import type { TextPart } from '../../../src/sim/index.js';
import type { Outcome, PortFacts, ScenarioFacts } from '../../protocol/run-protocol.js';
import type { RunData } from '../run-data.js';
import { bottleneckOf, pausedShareOf, type Bottleneck } from './bottleneck.js';

/** Minimum crossings of Kmin for a queue to count as oscillating. */
const OSCILLATES_FROM = 3;
/** A queue that is above Kmax for more than this share of the run counts as staying there. */
const STAYS_SHARE = 0.05;

/** @returns an empty list until the run has ended, or if nothing was sent. */
export function verdictParts(data: RunData): TextPart[] {
  const { outcome, facts } = data;
  const found = outcome && bottleneckOf(facts, outcome);
  if (outcome === undefined || found === undefined) return [];
  const name = (port: number): TextPart => {
    const text = facts.ports[port]?.name ?? '';
    return { text, port: text };
  };
  const listed = (ports: readonly number[]): TextPart[] =>
    ports.flatMap((port, index) =>
      index === 0 ? [name(port)] : [{ text: index === ports.length - 1 ? ' and ' : ', ' }, name(port)]
    );
  const { port, kind, behind } = found;
  if (kind === 'cycle') {
    return [{ text: 'Deadlock: ' }, ...listed(behind), { text: ' pause each other in a cycle.' }];
  }
  const waiting = behind.length === 0 ?
    [] :
    [{ text: ' ' }, ...listed(behind), { text: behind.length === 1 ? ' waits behind it.' : ' wait behind it.' }];
  const head = { text: kind === 'busy' ? 'No switch port queues packets; busiest is ' : 'Bottleneck: ' };
  return [head, name(port), { text: `${numbersText(data.facts, outcome, found)}.` }, ...waiting, {
    text: behaviourText(data, found),
  }];
}

function numbersText(facts: ScenarioFacts, outcome: Outcome, { port, kind }: Bottleneck): string {
  const of = outcome.ports;
  const { rateBps = 0, peerNode = 0 } = facts.ports[port] ?? {};
  if (kind === 'paused') {
    const peer = facts.nodes[peerNode]?.name ?? '';
    return `, paused by ${peer} for ${percentText(Math.min(1, pausedShareOf(port, facts, outcome)))} of the run`;
  }
  const used = `, ${percentText(of.utilization[port] ?? 0)} of ${rateText(rateBps)} used`;
  if (kind === 'busy') return used;
  const queue = `, queue up to ${bytesText(of.maxQueueBytes[port] ?? 0)}`;
  const marks = of.marks[port] ?? 0;
  return `${used}${queue}${marks > 0 ? `, ${formatCount(marks)} packets marked` : ''}`;
}

/** How the switch of a port notifies senders of its queue. */
const BY_MARKS = {
  below: 'nothing is marked',
  above: 'every packet is marked',
  between: 'packets are marked, notifications cut',
};
const BY_FAST_CNPS: typeof BY_MARKS = {
  below: 'no Fast CNP is sent',
  above: 'the switch sends Fast CNPs',
  between: 'Fast CNPs cut',
};

/** Describes the queue's behaviour relative to the marking thresholds. */
function behaviourText(data: RunData, { port, kind }: Bottleneck): string {
  const of = data.facts.ports[port];
  const isFixed = data.facts.changes.every(({ marking }) => marking === undefined);
  if (kind !== 'queue' || !(of?.isMarking ?? false) || !isFixed) return '';
  const words = of.sendsFastCnps ? BY_FAST_CNPS : BY_MARKS;
  if (data.peakOf(port) <= of.kminBytes) return ` The queue stays below Kmin: ${words.below}.`;
  const reads = data.facts.algorithms.some(({ algorithm }) => algorithm === 'dcqcn' || algorithm === 'dctcp');
  return reads ? aboveKminText(data.queueOf(port), of, words) : '';
}

function aboveKminText(queue: Float64Array, { kminBytes, kmaxBytes }: PortFacts, words: typeof BY_MARKS): string {
  const above = queue.reduce((count, bytes) => count + (bytes > kmaxBytes ? 1 : 0), 0);
  if (above > STAYS_SHARE * queue.length) {
    return ` The queue is above Kmax for ${
      percentText(above / queue.length)
    } of the run: ${words.above}, and the rates fall more slowly than the queue grew.`;
  }
  const crossings = crossingsOf(queue, kminBytes);
  return crossings < OSCILLATES_FROM ?
    '' :
    ` The queue crosses Kmin ${crossings} times: ${words.between} the rates, the queue drains, the rates recover.`;
}

/** Number of times that a queue rises above a threshold. */
export function crossingsOf(queue: Float64Array, threshold: number): number {
  let crossings = 0;
  for (let row = 1; row < queue.length; row++) {
    if ((queue[row] ?? 0) > threshold && (queue[row - 1] ?? 0) <= threshold) crossings++;
  }
  return crossings;
}
