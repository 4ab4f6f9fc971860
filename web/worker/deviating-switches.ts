/** Switches configured otherwise than most: by the plan that is run, not by its results. */
import type { CompiledScenario, TextPart } from '../../src/sim/index.js';
import type { Answer } from '../protocol/run-protocol.js';

/** A setting of a port or switch, in words. */
interface Setting {
  /** Only those of one group are compared, such as ports of one rate. */
  readonly group: string;
  readonly key: string;
  readonly value: string;
  readonly node: string;
  readonly port: string;
}

const BPS_PER_GBPS = 1e9;
const BYTES_PER_KB = 1000;

/** One answer: switches that differ, or that none does. */
export function deviatingSwitches(compiled: CompiledScenario): Answer {
  const byKey = new Map<string, Setting[]>();
  for (const setting of settingsOf(compiled)) {
    const key = `${setting.group} ${setting.key}`;
    byKey.set(key, [...byKey.get(key) ?? [], setting]);
  }
  const sentences = [...byKey.values()].flatMap(deviations);
  return {
    topic: 'switches',
    question: 'Is a switch set up differently?',
    findings: sentences.length > 0 ?
      sentences :
      [[{ text: 'No: all switches have the same settings, ports of one rate the same thresholds.' }]],
  };
}

function settingsOf({ plan, portNames }: CompiledScenario): Setting[] {
  return plan.ports.flatMap((port, index): Setting[] => {
    const node = plan.nodes[port.node];
    if (node?.kind !== 'switch') return [];
    const at = { node: node.name, port: portNames[index] ?? '' };
    const group = `ports of ${port.rateBps / BPS_PER_GBPS} Gb/s`;
    const kilobytes = (bytes: number): string => `${(bytes / BYTES_PER_KB).toLocaleString('en')} kB`;
    return [
      { ...at, group, key: 'marking', value: port.ecn ? 'on' : 'off' },
      ...(port.ecn ?
        [
          { ...at, group, key: 'Kmin', value: kilobytes(port.kminBytes) },
          { ...at, group, key: 'Kmax', value: kilobytes(port.kmaxBytes) },
          { ...at, group, key: 'Pmax', value: String(port.pmax) },
        ] :
        []),
      { ...at, group: 'switches', key: 'PFC', value: node.pfc ? 'on' : 'off' },
      { ...at, group: 'switches', key: 'memory', value: kilobytes(node.bufferBytes) },
    ];
  });
}

/** A sentence for each switch whose value is not the most frequent one. */
function deviations(settings: readonly Setting[]): TextPart[][] {
  const counts = new Map<string, number>();
  for (const { value } of settings) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [[usual] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  const odd = new Map(settings.filter(({ value }) => value !== usual).map((setting) => [setting.node, setting]));
  return [...odd.values()].map(({ node, port, key, value, group }) => [
    { text: `${node} has ${key} ${value}, other ${group} have ${usual}: see ` },
    { text: port, port },
    { text: '.' },
  ]);
}
