/** Weights and additional words of pages, for the ranking of search results. */

/** Weights of sections: guides rank above specifications and benchmarks. */
const SECTION_RANKS: Readonly<Record<string, number>> = {
  'getting-started': 1.2,
  guides: 1,
  reference: 1,
  formats: 0.9,
  studies: 0.6,
  internals: 0.3,
  specs: 0.25,
  project: 0.25,
  benchmarks: 0.1,
};
/** Weights of single pages: complete lists and verification pages rank lower. */
const PAGE_RANKS: readonly (readonly [pages: RegExp, rank: number])[] = [
  [/^reference\/(abi|workload-formats)\.html$/, 0.3],
  [/^(reference\/(fidelity|closed-forms|sources)|internals\/verification)\.html$/, 0.4],
  // Pages that most readers look for.
  [/^(guides\/(scenarios|results|sweeps|tuning|lab|operators|workloads|gym)|reference\/commands)\.html$/, 1.4],
];
/** Factor by which a whole page ranks above its parts. */
const PAGE_FACTOR = 1.5;

/** Weight of a part of a page; level 1 is the page itself. */
export function rankOf(page: string, section: string | undefined, level: number): number {
  const rank = PAGE_RANKS.find(([pages]) => pages.test(page))?.[1] ?? SECTION_RANKS[section ?? ''] ?? 1;
  return level === 1 ? rank * PAGE_FACTOR : rank;
}

/** Search words by the part of a page that explains them, if its heading lacks them. */
export const WORDS_OF_PARTS: Readonly<Record<string, string>> = {
  'getting-started/teacher.html#five-experiments': 'incast experiment teaching exercise',
  'getting-started/simulator-author.html': 'install npm library quick start getting started',
  'reference/entry-points.html': 'import modules package exports',
  'reference/commands.html': 'command line CLI terminal roce-cc run options',
  'guides/gym.html': 'reinforcement learning RL agent environment',
  'guides/operators.html#what-is-read': 'mlxconfig ConnectX irdma sysfs adapter NIC settings',
  'reference/result-members.html#flows': 'FCT flow completion time slowdown',
  'guides/results.html#explanations': 'explain why reason verdict',
  'guides/scenarios.html#pfcs-hazards': 'deadlock watchdog pause storm slow receiver hazards',
  'guides/scenarios.html#presets': 'DCQCN HPCC TIMELY Swift DCTCP HPCC-PINT HPCC++ NSCC parameters presets algorithm',
  'guides/scenarios.html#load-balancing': 'ECMP spraying flowlet DRILL CONGA REPS multipath',
  'reference/settings.html#switches': 'Kmin Kmax Pmax ECN threshold marking buffer',
  'guides/scenarios.html#topologies': 'topology topologies fat-tree leaf-spine star network',
  'guides/scenarios.html#transports': 'retransmission go-back-N selective repeat IRN loss transport',
  'guides/scenarios.html': 'JSON schema scenario fidelity seed',
  'guides/sweeps.html#many-machines': 'Redis cluster worker distributed',
  'guides/trace.html': 'rate change trace',
  'guides/scenarios.html#verbs': 'RNR READ WRITE SEND',
  'guides/workloads.html#collectives': 'all-reduce all-gather all-to-all',
  'guides/your-own-algorithm.html': 'custom algorithm defineAlgorithm',
  'getting-started/nic-engineer.html#what-happened-to-the-flows': 'replay capture',
  'getting-started/nic-engineer.html': 'capture pcap Wireshark dissect',
  'internals/verification.html': 'deterministic determinism same bits hash tests',
};
