/** Flows that are added one by one give the result of the same flows given at the start, to the hash. */
import { describe, expect, it } from 'vitest';
import { openSimulation, runScenarioSync, type OpenScenarioSpec, type OpenSimulation } from '../../src/sim/index.js';
import type { FlowSpec } from '../../src/sim/scenario/spec.js';
import { us } from '../../src/units.js';
import { rejectionOf } from '../support/rejection.js';
import { Seeded } from '../support/seeded.js';

const STAR: OpenScenarioSpec = { name: 'star', topology: { kind: 'star', hosts: 6 } };
const FAT_TREE: OpenScenarioSpec = {
  name: 'fat tree',
  topology: { kind: 'fat-tree', k: 4 },
  record: { intervalUs: 5 },
};

const CASES: Readonly<Record<string, OpenScenarioSpec>> = {
  'DCQCN in a star': STAR,
  'DCQCN in a fat tree with a series': FAT_TREE,
  'HPCC': { ...FAT_TREE, algorithms: { hpcc: { preset: 'hpcc-sigcomm19' } } },
  'two algorithms': {
    ...STAR,
    algorithms: { hpcc: { preset: 'hpcc-sigcomm19' }, dcqcn: { preset: 'dcqcn-sigcomm15' } },
  },
  'TIMELY without PFC': { ...FAT_TREE, algorithms: { t: { preset: 'timely-sigcomm15' } }, switches: { pfc: false } },
  'the reference fidelity': { ...FAT_TREE, fidelity: 'reference', algorithms: { d: { preset: 'dcqcn-ns3' } } },
  'the reference fidelity with HPCC': { ...FAT_TREE, fidelity: 'reference', algorithms: { h: { preset: 'hpcc-ns3' } } },
  'IRN': { ...FAT_TREE, hosts: { transport: 'irn' }, switches: { pfc: false } },
  'selective repeat with losses': {
    ...STAR,
    hosts: { transport: 'selective-repeat' },
    switches: { pfc: false, bufferBytes: 200_000 },
  },
  'sprayed packets, tolerant': { ...FAT_TREE, hosts: { transport: 'tolerant' }, switches: { loadBalancing: 'random' } },
  'receiver credit with losses': {
    ...STAR,
    algorithms: { r: { preset: 'rccc-uet', parameters: { initialCreditBytes: 2000 } } },
    switches: { pfc: false, bufferBytes: 200_000 },
  },
  'Fast CNPs': { ...STAR, switches: { fastCnp: true } },
  'a link that goes down': {
    ...FAT_TREE,
    faults: [{ kind: 'link-down', between: ['edge0', 'agg0'], fromUs: 20, toUs: 60 }],
  },
};

/** Flows with gaps in which nothing runs, several at one instant, and many at one host. */
function flowsFor(scenario: OpenScenarioSpec, hosts: readonly string[], seed: number): FlowSpec[] {
  const random = new Seeded(seed);
  const algorithms = Object.keys(scenario.algorithms ?? {});
  let startPs = 0;
  return Array.from({ length: 40 }, (_, index) => {
    if (random.chance(0.6)) startPs += Math.floor(random.next() * us(random.chance(0.2) ? 400 : 12));
    const from = random.chance(0.4) ? hosts[1]! : random.pick(hosts);
    const to = random.pick(hosts.filter((host) => host !== from));
    return {
      from,
      to,
      sizeBytes: 1 + Math.floor(random.next() * (index % 5 === 0 ? 300_000 : 20_000)),
      startPs,
      ...(algorithms.length === 0 ? {} : { algorithm: algorithms[index % algorithms.length]! }),
    };
  });
}

function hostsOf(simulation: OpenSimulation): string[] {
  return simulation.kernel.plan.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
}

/** Adds each flow at its start time, some of them earlier. */
function inject(simulation: OpenSimulation, flows: readonly FlowSpec[], lead: number): void {
  flows.forEach(({ startPs = 0, ...flow }, index) => {
    const soonPs = index % 3 === 0 ? Math.max(simulation.nowPs, startPs - lead) : startPs;
    simulation.advance(Math.max(simulation.nowPs, soonPs));
    expect(simulation.send({ ...flow, startPs })).toBe(index);
  });
}

describe.each(Object.entries(CASES))('With %s', (_name, scenario) => {
  it.each([1, 2])('flows added one by one match flows given at the start, seed %i', (seed) => {
    const simulation = openSimulation(scenario, { flows: 64 });
    const flows = flowsFor(scenario, hostsOf(simulation), seed);
    inject(simulation, flows, us(3));
    while (simulation.next() !== undefined);
    const got = simulation.result();
    const wanted = runScenarioSync({ ...got.scenario, workload: { kind: 'flows', flows } });
    expect(got).toStrictEqual(wanted);
  });
});

describe('An open simulation', () => {
  it('returns completed flows in order of time, so that later flows can depend on them', () => {
    const simulation = openSimulation(STAR);
    const first = simulation.send({ from: 'h0', to: 'h1', sizeBytes: 100_000 });
    const done = simulation.next();
    expect(done).toMatchObject({ flow: first, finishPs: done!.completionPs });
    expect(simulation.nowPs).toBe(done!.finishPs);
    const second = simulation.send({ from: 'h1', to: 'h2', sizeBytes: 50_000, startPs: done!.finishPs + us(1) });
    const third = simulation.send({ from: 'h3', to: 'h4', sizeBytes: 1000 });
    expect([simulation.next()?.flow, simulation.next()?.flow, simulation.next()]).toStrictEqual([
      third,
      second,
      undefined,
    ]);
  });

  it('returns from advance the flows completed before the given time', () => {
    const simulation = openSimulation(STAR);
    simulation.send({ from: 'h0', to: 'h1', sizeBytes: 1000 });
    simulation.send({ from: 'h0', to: 'h1', sizeBytes: 1000, startPs: us(100) });
    expect(simulation.advance(us(50)).map(({ flow }) => flow)).toStrictEqual([0]);
    expect(simulation.advance(us(60))).toStrictEqual([]);
    expect(simulation.advance(us(500)).map(({ flow }) => flow)).toStrictEqual([1]);
  });

  it('rejects unsupported settings by name', () => {
    const simulation = openSimulation(STAR, { flows: 2 });
    simulation.advance(us(5));
    const flow = { from: 'h0', to: 'h1', sizeBytes: 1000 };
    expect(rejectionOf(() => simulation.send({ ...flow, startPs: us(4) })).where).toBe('flow.startPs');
    expect(rejectionOf(() => simulation.send({ ...flow, to: 's0' })).where).toBe('flow.to');
    expect(rejectionOf(() => simulation.advance(us(4))).where).toBe('untilPs');
    simulation.send(flow);
    simulation.send(flow);
    expect(rejectionOf(() => simulation.send(flow)).code).toBe('capacity');
    expect(rejectionOf(() => openSimulation({ ...STAR, fidelity: 'reference-lossy' })).where).toBe('scenario.fidelity');
    expect(rejectionOf(() => openSimulation({ ...STAR, workload: {} } as never)).where).toBe('scenario.workload');
  });
});
