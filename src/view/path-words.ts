/** Describes the path of a flow in sentences and tables, with the same content as the drawing. */
import type { FlowPath, PacketRoute, RouteHop } from '../sim/flow-path/flow-path.js';
import { PS_PER_US } from '../units.js';

/** Functions that format sizes, rates, durations and counts. */
export interface PathFormats {
  readonly size: (bytes: number) => string;
  readonly rate: (rateBps: number) => string;
  readonly duration: (durationPs: number) => string;
  readonly count: (count: number) => string;
}

const KINDS: Readonly<Partial<Record<PacketRoute['kind'], string>>> = {
  data: 'data',
  ack: 'ACK',
  nak: 'NAK',
  cnp: 'CNP',
  'fast-cnp': 'Fast CNP',
};
const TUNNELS: Readonly<Record<RouteHop['tunnel'], string>> = {
  none: 'no',
  service: 'service',
  'end-con': 'to END.CON',
};
const CONTROLS = { pfc: 'PFC', arn: 'ARN', none: 'none' } as const;

/** Name of a packet's kind. */
export function kindName(kind: PacketRoute['kind']): string {
  return KINDS[kind] ?? kind;
}

/** Two to four sentences: where the packet waited, which node notified the sender, and when. */
export function pathSentences(path: FlowPath, formats: PathFormats): string[] {
  const { flow, from, to, data, notes } = path;
  const [first] = data.hops;
  if (first === undefined) return notes.map(({ text }) => text);
  return [
    `Flow ${flow}, ${from} to ${to}: its packet from byte ${formats.count(data.sequence)} on left ${from} at ${
      nsText(first.leftPs)
    }${waitWords(data, formats)}.`,
    ...responseSentence(path, first.leftPs),
    ...notes.map(({ text }) => text),
  ];
}

function waitWords({ hops }: PacketRoute, { size }: PathFormats): string {
  const most = hops.reduce((longest, hop) => waited(hop) > waited(longest) ? hop : longest);
  return waited(most) === 0 ?
    ' and waited nowhere' :
    ` and waited longest at ${most.port}, ${nsText(waited(most))} behind ${size(most.aheadBytes)}`;
}

function responseSentence({ response, notification, congestedPort, from }: FlowPath, beganPs: number): string[] {
  const [first, last] = [response?.hops[0], response?.hops.at(-1)];
  if (response === null || first === undefined || last === undefined) return [];
  const [there, after] = [nsText(last.reachedPs), nsText(last.reachedPs - beganPs)];
  if (notification === null)
    return [`No notification of congestion reached ${from}; the ACK was there at ${there}, after ${after}.`];
  const port = congestedPort ?? 'a port on its path';
  const wrapped = first.tunnel === 'end-con' ? ' by way of END.CON' : '';
  const made = notification === 'fast-cnp' ?
    `Because of the queue of ${port}, ${first.node} made a Fast CNP for it` :
    `It was marked at ${port}, and ${first.node} sent ${
      notification === 'cnp' ? 'a CNP' : 'an ACK that repeats the mark'
    }`;
  return [
    `${made}: that left at ${
      nsText(first.leftPs)
    } and reached ${from}${wrapped} at ${there}, ${after} after the packet had left.`,
  ];
}

function waited({ arrivedPs, leftPs }: RouteHop): number {
  return leftPs - arrivedPs;
}

/** Heads of the table of links, and whether a column holds numbers. */
export const ROUTE_COLUMNS: readonly (readonly [head: string, isNumeric: boolean])[] = [
  ['Packet', false],
  ['Port', false],
  ['Arrived', true],
  ['Waited', true],
  ['Behind', true],
  ['Left', true],
  ['At the next node', true],
  ['Since it was sent', true],
  ['Length', true],
  ['Marked', false],
  ['In a tunnel', false],
];

/** A row for each link, the data packet's first; times in microseconds of the run, to the nanosecond. */
export function routeRows({ data, response }: FlowPath, { size, count }: PathFormats): string[][] {
  const beganPs = data.hops[0]?.leftPs ?? 0;
  return [data, ...(response === null ? [] : [response])].flatMap(({ kind, hops }) =>
    hops.map((hop, at) => [
      `${kindName(kind)} ${at + 1}`,
      hop.port,
      nsText(hop.arrivedPs),
      nsText(waited(hop)),
      size(hop.aheadBytes),
      nsText(hop.leftPs),
      nsText(hop.reachedPs),
      nsText(hop.reachedPs - beganPs),
      `${count(hop.lenBytes)} bytes`,
      hop.marked ? 'yes' : 'no',
      TUNNELS[hop.tunnel],
    ])
  );
}

/** Heads of the table of ports. */
export const PATH_PORT_COLUMNS: readonly (readonly [head: string, isNumeric: boolean])[] = [
  ['Port', false],
  ['Rate', true],
  ['Delay', true],
  ['Flow control', false],
  ['In a tunnel', false],
  ['Queue, max', true],
  ['Marks', true],
  ['Paused by PFC', true],
  ['Held by ARNs', true],
];

/** A row for each port of the data's path, with its counters over the whole run. */
export function pathPortRows({ ports }: FlowPath, { size, rate, duration, count }: PathFormats): string[][] {
  return ports.map((port) => [
    port.port,
    rate(port.rateBps),
    duration(port.delayPs),
    CONTROLS[port.flowControl],
    TUNNELS[port.tunnel],
    size(port.maxQueueBytes),
    count(port.marks),
    duration(port.pausedPs),
    duration(port.heldPs),
  ]);
}

const NS_DIGITS = 3;

/** Microseconds to the nanosecond, rounded down: `1,234.567 us`. */
export function nsText(timePs: number): string {
  const us = Math.floor(timePs / 1e3) * 1e3 / PS_PER_US;
  return `${us.toLocaleString('en-US', { minimumFractionDigits: NS_DIGITS, maximumFractionDigits: NS_DIGITS })} µs`;
}
