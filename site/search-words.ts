/** What the ranking of the search knows of pages beyond their texts. */

/** Weights of sections: guides come before specifications and tables of times. */
const SECTION_RANKS: Readonly<Record<string, number>> = {
  'getting-started': 1.2,
  guides: 1,
  formats: 0.9,
  studies: 0.6,
  verification: 0.4,
  specs: 0.25,
  project: 0.25,
  benchmarks: 0.1,
};
/** Pages of layouts and internals, which name everything once. */
const REFERENCE_PAGES = /^guides\/(abi|memory|design|adding-an-algorithm|security|wasm-size|workload-formats)\.html$/;
const REFERENCE_RANK = 0.3;
/** Pages that most readers want first. */
const FIRST_PAGES = /^guides\/(scenarios|results|commands|sweeps|tuning|lab|operators|workloads|gym)\.html$/;
const FIRST_RANK = 1.4;
/** A page as a whole before its parts. */
const PAGE_FACTOR = 1.5;

/** Weight of a part of a page; level 1 is the page itself. */
export function rankOf(page: string, section: string | undefined, level: number): number {
  const [isReference, isFirst] = [REFERENCE_PAGES.test(page), FIRST_PAGES.test(page)];
  const rank = isReference ? REFERENCE_RANK : isFirst ? FIRST_RANK : (SECTION_RANKS[section ?? ''] ?? 1);
  return level === 1 ? rank * PAGE_FACTOR : rank;
}

/** Words that readers search, by the part of a page that explains them without having them in its heading. */
export const WORDS_OF_PARTS: Readonly<Record<string, string>> = {
  'getting-started/teacher.html#five-experiments': 'incast experiment teaching exercise',
  'getting-started/simulator-author.html': 'install npm library quick start getting started',
  'guides/entry-points.html': 'import modules package exports',
  'guides/commands.html': 'command line CLI terminal roce-cc run options',
  'guides/gym.html': 'reinforcement learning RL agent environment',
  'guides/operators.html#what-is-read': 'mlxconfig ConnectX irdma sysfs adapter NIC settings',
  'guides/result-members.html#flows': 'FCT flow completion time slowdown',
  'guides/results.html#explanations': 'explain why reason verdict',
  'guides/scenarios.html#pfcs-hazards': 'deadlock watchdog pause storm slow receiver hazards',
  'guides/scenarios.html#presets': 'DCQCN HPCC TIMELY Swift DCTCP HPCC-PINT HPCC++ NSCC parameters presets algorithm',
  'guides/scenarios.html#load-balancing': 'ECMP spraying flowlet DRILL CONGA REPS multipath',
  'guides/settings.html#switches': 'Kmin Kmax Pmax ECN threshold marking buffer',
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
  'verification/verification.html': 'deterministic determinism same bits hash tests',
};
