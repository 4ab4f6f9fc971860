/**
 * Runs of uet-htsim: packet-hops per second of the kernel and of the readable model, on permutations of fat trees of three tiers. A packet-hop is one
 * transmission by any port: data, trimmed packets, control packets. One thread; set-up and reading of results are part of a pass.
 */
import { fatTreeOfOptions } from '../../src/uet/fat-tree.js';
import { runKernel } from '../../src/uet/kernel/run-kernel.js';
import { readUetArguments } from '../../src/uet/arguments.js';
import type { UetResult } from '../../src/uet/results.js';
import { uetResult, Simulation } from '../../src/uet/simulation.js';
import { readTraffic } from '../../src/uet/traffic.js';
import { Seeded } from '../../test/support/seeded.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import type { CasePlan, Suite, SuiteSize } from './suite.js';

const SEED = 1;
const MATRIX = 'conn.cm';
const CONTROLS = { NSCC: '-sender_cc_only', RCCC: '-receiver_cc_only' } as const;

export const uetSuite: Suite = {
  name: 'uet',
  about: 'runs of uet-htsim: kernel and readable model',
  plan: ({ smoke }: SuiteSize): readonly CasePlan[] => [
    permutation('NSCC', 16, smoke ? 10_000 : 4_000_000),
    ...(smoke ? [] : [
      permutation('NSCC', 128, 250_000),
      permutation('NSCC', 1024, 1_000_000),
      permutation('RCCC', 1024, 250_000),
    ]),
  ],
};

function permutation(control: keyof typeof CONTROLS, hosts: number, sizeBytes: number): CasePlan {
  const title = `uet permutation, ${hosts} hosts, ${sizeBytes} bytes each, ${control}`;
  const argv = ['-tm', MATRIX, '-nodes', String(hosts), CONTROLS[control], '-end', '100000'];
  return { title, make: () => runsOf(title, argv, matrixOf(hosts, sizeBytes)) };
}

function runsOf(title: string, argv: readonly string[], matrix: string): BenchCase {
  const options = readUetArguments(argv);
  const tree = fatTreeOfOptions({ ...options, nodes: options.nodes ?? 0 });
  const traffic = readTraffic(matrix, MATRIX, false);
  const kernelRun = () => runKernel(options, tree, traffic);
  const modelRun = (): UetResult => {
    const simulation = new Simulation(options, tree, traffic);
    simulation.run();
    return uetResult(simulation);
  };
  return {
    title,
    unit: 'packet-hop',
    units: kernelRun().packetHops,
    base: 'kernel',
    variants: [variant('kernel', kernelRun), variant('readable model in TypeScript', modelRun)],
    check: () => {
      if (JSON.stringify(kernelRun().result) !== JSON.stringify(modelRun()))
        throw new Error(`${title}: results differ`);
    },
  };
}

function variant(name: string, work: () => unknown): Variant {
  return {
    name,
    reset: () => undefined,
    pass: () => {
      const begin = performance.now();
      work();
      return performance.now() - begin;
    },
  };
}

/** Each host sends to one host, and receives from one. */
function matrixOf(hosts: number, sizeBytes: number): string {
  const random = new Seeded(SEED);
  const destinations = Array.from({ length: hosts }, (_, host) => host);
  // Sattolo's shuffle: nothing keeps its place.
  for (let last = hosts - 1; last > 0; last -= 1) {
    const chosen = random.whole(0, last - 1);
    [destinations[last], destinations[chosen]] = [destinations[chosen] ?? 0, destinations[last] ?? 0];
  }
  const lines = destinations.map((destination, host) => `${host}->${destination} start 0 size ${sizeBytes}`);
  return [`Nodes ${hosts}`, `Connections ${hosts}`, ...lines, ''].join('\n');
}
