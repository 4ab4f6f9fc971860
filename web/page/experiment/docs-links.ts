/** Links to the documentation of each scenario key. */

const DOCS = 'https://github.com/roce-cc/roce-cc/blob/main/docs/';

/** Prefixes of paths, longer ones first, with the page and section for each. */
const PAGES: readonly (readonly [start: string, page: string])[] = [
  ['topology', 'guides/scenarios.md#topologies'],
  ['workload', 'guides/scenarios.md#workloads'],
  ['algorithms', 'guides/scenarios.md#presets'],
  ['switches.watchdog', 'guides/scenarios.md#pfcs-hazards'],
  ['switches.drill', 'guides/scenarios.md#load-balancing'],
  ['switches.conga', 'guides/scenarios.md#load-balancing'],
  ['switches', 'guides/scenarios.md#settings'],
  ['hosts.irn', 'guides/scenarios.md#transports'],
  ['hosts.transport', 'guides/scenarios.md#transports'],
  ['hosts', 'guides/scenarios.md#settings'],
  ['fidelity', 'reference/fidelity.md'],
  ['uet', 'guides/uet-reference.md#as-a-scenario'],
  ['code.', 'guides/your-own-algorithm.md'],
];

/** Address of the section that describes a key, such as `switches.ecn.kminKB`. */
export function docsUrl(path: string): string {
  return `${DOCS}${PAGES.find(([start]) => path.startsWith(start))?.[1] ?? 'guides/scenarios.md'}`;
}
