/** Where each key of a scenario is described. */

const DOCS = 'https://github.com/roce-cc/roce-cc/blob/main/docs/';

/** Beginnings of paths, the longer ones first, and pages with their sections. */
const PAGES: readonly (readonly [start: string, page: string])[] = [
  ['topology', 'scenarios.md#topologies'],
  ['workload', 'scenarios.md#workloads'],
  ['algorithms', 'scenarios.md#presets'],
  ['switches.watchdog', 'scenarios.md#pfcs-hazards'],
  ['switches.drill', 'scenarios.md#load-balancing'],
  ['switches.conga', 'scenarios.md#load-balancing'],
  ['switches', 'scenarios.md#settings'],
  ['hosts.irn', 'scenarios.md#transports'],
  ['hosts.transport', 'scenarios.md#transports'],
  ['hosts', 'scenarios.md#settings'],
  ['fidelity', 'fidelity.md'],
  ['uet', 'uet-reference.md#as-a-scenario'],
  ['code.', 'your-own-algorithm.md'],
];

/** Address of the section that describes a key, such as `switches.ecn.kminKB`. */
export function docsUrl(path: string): string {
  return `${DOCS}${PAGES.find(([start]) => path.startsWith(start))?.[1] ?? 'scenarios.md'}`;
}
