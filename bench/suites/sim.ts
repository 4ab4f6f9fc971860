/**
 * The simulator: packet-hops per second. A packet-hop is one transmission by any port: data, ACK, CNP, pause frame.
 *
 * Everything is on: congestion control in the engine, PFC, marking, telemetry where the algorithm reads it. One thread.
 */
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { ScenarioSpec, TopologySpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { modelNetwork } from '../../test/model/model.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import type { CasePlan, Suite, SuiteSize } from './suite.js';

const BUDGET = 2 ** 30;
const ALGORITHMS = { DCQCN: 'dcqcn-sigcomm15', HPCC: 'hpcc-sigcomm19' } as const;
const MANY_SENDERS = 4;
const MEBIBYTE = 2 ** 20;
/** 16 senders of IRN have 16 BDPs in flight, 0.9 MB. */
const LOSSY_BUFFER_BYTES = 600_000;

export const simSuite: Suite = {
  name: 'sim',
  about: 'the simulator: whole networks, everything on',
  plan({ smoke }: SuiteSize): readonly CasePlan[] {
    const scale = smoke ? 1 / 200 : 1;
    return [
      ...networks('sim incast 16 x 10 MB', { kind: 'star', hosts: 17 }, {
        kind: 'incast',
        senders: 16,
        sizeBytes: Math.round(10e6 * scale),
      }),
      ...transports(Math.round(10e6 * scale)),
      ...networks('sim fat-tree k=4, 200 flows', { kind: 'fat-tree', k: 4 }, fatTreeFlows(smoke ? 20 : 200)),
      ...(smoke ? [] : networks('sim fat-tree k=16, 2,000 flows', { kind: 'fat-tree', k: 16 }, fatTreeFlows(2000))),
      ...(smoke ? [16] : [16, 128, 1024]).map((hosts): CasePlan => ({
        title: `sim permutation, ${hosts} hosts on a star`,
        make: () =>
          kernelCase(`sim permutation, ${hosts} hosts on a star`, {
            DCQCN: spec('DCQCN', { kind: 'star', hosts }, {
              kind: 'permutation',
              sizeBytes: Math.round((64e6 / hosts) * scale),
            }),
          }),
      })),
      ...[1, smoke ? 20 : 1000].flatMap((qps) =>
        networks(`sim star, 4 hosts with ${qps} QPs each`, { kind: 'star', hosts: MANY_SENDERS + 1 },
          manyQps(qps, Math.round(12e6 * scale)))
      ),
      { title: 'sim reference incast 16 x 1 MB', make: () => referenceCase(Math.round(1e6 * scale)) },
    ];
  },
};

/** The incast where switches drop: no PFC, and less memory than all senders' packets in flight. One case each, as their packets differ. */
function transports(sizeBytes: number): CasePlan[] {
  const workload: WorkloadSpec = { kind: 'incast', senders: 16, sizeBytes };
  return (['go-back-n', 'selective-repeat', 'irn'] as const).map((transport) => {
    const title = `sim incast 16 x 10 MB without PFC, DCQCN, ${transport}`;
    const lossy: ScenarioSpec = {
      ...spec('DCQCN', { kind: 'star', hosts: 17 }, workload),
      switches: { pfc: false, bufferBytes: LOSSY_BUFFER_BYTES, headroomBytes: 0 },
      hosts: { transport },
    };
    return { title, make: () => kernelCase(title, { [transport]: lossy }) };
  });
}

/** N bytes of each host to one receiver, over several QPs, which begin 10 ns after each other. */
function manyQps(qps: number, bytesPerHost: number): WorkloadSpec {
  const flows = Array.from({ length: MANY_SENDERS * qps }, (_, index) => ({
    from: `h${1 + Math.floor(index / qps)}`,
    to: 'h0',
    sizeBytes: Math.max(1, Math.round(bytesPerHost / qps)),
    startUs: (index % qps) / 100,
  }));
  return { kind: 'flows', flows };
}

/** Seeded, so the same each time: 500 kB on average, over 1 ms. */
function fatTreeFlows(flows: number): WorkloadSpec {
  return {
    kind: 'poisson',
    load: 0.5,
    sizes: [{ sizeBytes: 1000, share: 0 }, { sizeBytes: MEBIBYTE, share: 1 }],
    flows,
  };
}

/** One case for both algorithms: their runs differ in packets, so each is measured alone. */
function networks(title: string, topology: TopologySpec, workload: WorkloadSpec): CasePlan[] {
  return Object.keys(ALGORITHMS).map((algorithm) => ({
    title: `${title}, ${algorithm}`,
    make: () =>
      kernelCase(`${title}, ${algorithm}`, {
        [algorithm]: spec(algorithm as keyof typeof ALGORITHMS, topology, workload),
      }),
  }));
}

function spec(algorithm: keyof typeof ALGORITHMS, topology: TopologySpec, workload: WorkloadSpec): ScenarioSpec {
  return { name: 'bench', topology, workload, algorithms: { only: { preset: ALGORITHMS[algorithm] } } };
}

function kernelCase(title: string, specs: Readonly<Record<string, ScenarioSpec>>): BenchCase {
  const plans = Object.entries(specs).map(([name, one]) => [name, planOf(one)] as const);
  const variants = plans.map(([name, plan]) => kernelVariant(`kernel, ${name}`, plan));
  return { title, unit: 'packet-hop', units: hopsOf(plans[0]?.[1]), base: variants[0]?.name ?? '', variants };
}

/** The kernel against the readable model in TypeScript, which keeps objects and a heap; fidelity `reference`. */
function referenceCase(sizeBytes: number): BenchCase {
  const plan = planOf({
    ...spec('DCQCN', { kind: 'star', hosts: 17 }, { kind: 'incast', senders: 16, sizeBytes }),
    fidelity: 'reference',
    algorithms: { only: { preset: 'dcqcn-ns3' } },
  });
  const model: Variant = {
    name: 'readable model in TypeScript',
    reset: nothing,
    pass: () =>
      timed(() => {
        modelNetwork(plan);
      }),
  };
  const variants = [kernelVariant('kernel', plan), model];
  return { title: 'sim reference incast 16 x 1 MB', unit: 'packet-hop', units: hopsOf(plan), base: 'kernel', variants };
}

function planOf(one: ScenarioSpec): NetworkPlan {
  return compileScenario(validateScenario(one)).plan;
}

function hopsOf(plan: NetworkPlan | undefined): number {
  if (plan === undefined) return 0;
  const kernel = new SimKernel(plan);
  runToEnd(kernel);
  return kernel.packetHops;
}

function kernelVariant(name: string, plan: NetworkPlan): Variant {
  let kernel = new SimKernel(plan);
  return {
    name,
    reset: () => {
      kernel = new SimKernel(plan);
    },
    pass: () =>
      timed(() => {
        runToEnd(kernel);
      }),
  };
}

function runToEnd(kernel: SimKernel): void {
  while (kernel.run(kernel.plan.endPs, BUDGET) === 'budget');
}

function timed(work: () => void): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function nothing(): void {
  // Each pass restarts automatically.
}
