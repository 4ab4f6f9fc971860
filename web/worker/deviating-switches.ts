/** Finds switches that are configured differently from most, from the plan of the run, not from its results. */
import type { CompiledScenario, TextPart } from '../../src/sim/index.js';
import { BPS_PER_GBPS, BYTES_PER_KB } from '../../src/units.js';
import type { Answer } from '../protocol/run-protocol.js';

/** A setting by which switches are compared. */
interface Setting {
  readonly key: string;
  /** Whether to compare ports of the same rate, rather than all switches. */
  readonly isOfPort: boolean;
  /** @returns undefined if it does not apply. */
  readonly read: (port: Port, node: Node) => number | boolean | undefined;
  /** Formats the value. Default: as it is. */
  readonly words?: (value: number | boolean) => string;
}

type Port = CompiledScenario['plan']['ports'][number];
type Node = CompiledScenario['plan']['nodes'][number];

const onOff = (value: number | boolean): string => (value === true ? 'on' : 'off');
const kilobytes = (value: number | boolean): string => `${(Number(value) / BYTES_PER_KB).toLocaleString('en')} kB`;

const SETTINGS: readonly Setting[] = [
  { key: 'marking', isOfPort: true, read: ({ ecn }) => ecn, words: onOff },
  { key: 'Kmin', isOfPort: true, read: ({ ecn, kminBytes }) => (ecn ? kminBytes : undefined), words: kilobytes },
  { key: 'Kmax', isOfPort: true, read: ({ ecn, kmaxBytes }) => (ecn ? kmaxBytes : undefined), words: kilobytes },
  { key: 'Pmax', isOfPort: true, read: ({ ecn, pmax }) => (ecn ? pmax : undefined) },
  { key: 'PFC', isOfPort: false, read: (_, { pfc }) => pfc, words: onOff },
  { key: 'memory', isOfPort: false, read: (_, { bufferBytes }) => bufferBytes, words: kilobytes },
];

/** One explanation: the switches that differ, or a statement that none does. */
export function deviatingSwitches(compiled: CompiledScenario): Answer {
  const found = groupsOf(compiled).flatMap(({ name, ports }) =>
    SETTINGS.filter(({ isOfPort }) => isOfPort === (name !== ALL)).flatMap((setting) =>
      deviations(setting, name, ports, compiled)
    )
  );
  return {
    topic: 'switches',
    question: 'Is a switch set up differently?',
    findings: found.length > 0 ?
      found :
      [[{ text: 'No: all switches have the same settings, ports of one rate the same thresholds.' }]],
  };
}

interface Group {
  readonly name: string;
  /** Ports of switches. */
  readonly ports: readonly number[];
}

const ALL = 'switches';

/** Groups of ports to compare: those of each rate, and all. */
function groupsOf({ plan: { ports, nodes } }: CompiledScenario): Group[] {
  const byRate = new Map<number, number[]>();
  const all: number[] = [];
  ports.forEach(({ node, rateBps }, port) => {
    if (nodes[node]?.kind !== 'switch') return;
    all.push(port);
    const ofRate = byRate.get(rateBps);
    if (ofRate === undefined) byRate.set(rateBps, [port]);
    else ofRate.push(port);
  });
  return [
    ...[...byRate].map(([rateBps, ofRate]) => ({ name: `ports of ${rateBps / BPS_PER_GBPS} Gb/s`, ports: ofRate })),
    { name: ALL, ports: all },
  ];
}

/** A sentence for each switch whose value is not the most frequent one. */
function deviations({ key, read, words = String }: Setting, group: string, ports: readonly number[],
  { plan, portNames }: CompiledScenario): TextPart[][] {
  const valueAt = (port: number): number | boolean | undefined => {
    const planned = plan.ports[port];
    return read(planned, plan.nodes[planned.node]);
  };
  const counts = new Map<number | boolean, number>();
  for (const port of ports) {
    const value = valueAt(port);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (counts.size < 2) return [];
  const [[usual]] = [...counts].sort(([, a], [, b]) => b - a) as [[number | boolean, number]];
  const odd = new Map<number, { readonly value: number | boolean; readonly port: string }>();
  for (const port of ports) {
    const value = valueAt(port);
    if (value !== undefined && value !== usual) odd.set(plan.ports[port].node, { value, port: portNames[port] });
  }
  return [...odd].map(([node, { value, port }]) => [
    { text: `${plan.nodes[node].name} has ${key} ${words(value)}, other ${group} have ${words(usual)}: see ` },
    { text: port, port },
    { text: '.' },
  ]);
}
