/** Messages that share flow records: the network behaves the same, and each job has sums instead of flows. */
import { describe, expect, it } from 'vitest';
import { defineCongestionPoint } from '../../src/algorithm/index.js';
import { runScenarioSync, type ScenarioSpec, type SimResult } from '../../src/sim/index.js';
import type { FlowResult, MessageSums } from '../../src/sim/result.js';

/** The maximum number of messages in flight, of 392. */
const RECORDS = 100;

/** Two jobs that share links, with marks, CNPs, losses and timeouts. */
function scenario(changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'sums',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 4 },
    workload: [
      {
        kind: 'collective',
        name: 'exchange',
        collective: 'all-to-all',
        by: 'direct',
        sizeBytes: 320_000,
        repeat: 3,
        connections: 'per-message',
      },
      {
        kind: 'collective',
        name: 'ring',
        collective: 'all-reduce',
        by: 'ring',
        sizeBytes: 160_000,
        chunks: 2,
        repeat: 2,
        trafficClass: 4,
        connections: 'per-message',
      },
    ],
    switches: { ecn: { kminKB: 5, kmaxKB: 20, pmax: 0.5 } },
    faults: [{ kind: 'loss', between: ['leaf0', 'spine0'], share: 0.002 }],
    record: { messages: 'sums', messageRecords: RECORDS },
    ...changes,
  };
}

function each(spec: ScenarioSpec): ScenarioSpec {
  return { ...spec, record: { ...spec.record, messages: 'each', flows: 0 } };
}

/** The fields that a run with sums omits or counts differently. */
const APART = ['events', 'flows', 'hash', 'scenario', 'summary', 'jobs'];
const OF_SUMMARY = [
  'completionPs',
  'slowdown',
  'fairFromPs',
  'meanFairness',
  'outOfOrderPackets',
  'reorderingDepthPackets',
];
const OF_JOBS = ['messageSums', 'criticalPath'];

function without(members: object, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

function common(result: SimResult): unknown {
  return {
    result: without(result, APART),
    summary: without(result.summary, OF_SUMMARY),
    jobs: result.jobs?.map((job) => without(job, OF_JOBS)),
  };
}

function sumsOf(flows: readonly FlowResult[]): MessageSums {
  const sum = (of: (flow: FlowResult) => number | undefined): number =>
    flows.reduce((all, flow) => all + (of(flow) ?? 0), 0);
  const most = (of: (flow: FlowResult) => number | null | undefined): number =>
    Math.max(...flows.map((flow) => of(flow) ?? 0));
  return {
    done: flows.filter(({ completionPs }) => completionPs !== null).length,
    deliveredBytes: sum(({ deliveredBytes }) => deliveredBytes),
    retransmittedPackets: sum(({ retransmittedPackets }) => retransmittedPackets),
    retransmittedBytes: sum(({ retransmittedBytes }) => retransmittedBytes),
    timeouts: sum(({ timeouts }) => timeouts),
    cnps: sum(({ cnps }) => cnps),
    duplicateNotifications: sum(({ duplicateNotifications }) => duplicateNotifications),
    outOfOrderPackets: sum(({ outOfOrderPackets }) => outOfOrderPackets),
    reorderingDepthPackets: most(({ reorderingDepthPackets }) => reorderingDepthPackets),
    duplicatePackets: sum(({ duplicatePackets }) => duplicatePackets),
    naks: sum(({ naks }) => naks),
    completionPs: sum(({ completionPs }) => completionPs ?? 0),
    mostCompletionPs: most(({ completionPs }) => completionPs),
  };
}

describe('the network behaves the same', () => {
  const cases: Readonly<Record<string, Partial<ScenarioSpec>>> = {
    'under DCQCN with losses': {},
    'under HPCC': { algorithms: { a: { preset: 'hpcc-sigcomm19' } } },
    'with two algorithms, flows round-robin': {
      algorithms: { a: { preset: 'dcqcn-sigcomm15' }, b: { preset: 'swift-sigcomm20' } },
      hosts: { service: 'round-robin' },
      workload: scenario().workload as never,
    },
    'until its time is over': { durationUs: 150 },
    'with packets sprayed': {
      switches: { loadBalancing: 'random', ecn: { kminKB: 5, kmaxKB: 20, pmax: 0.5 } },
      faults: [],
    },
    'with entropies recycled': { hosts: { pathSelection: 'reps' }, faults: [] },
    'with entropies that have no penalty': { hosts: { pathSelection: 'bitmap' }, faults: [] },
  };
  for (const [name, changes] of Object.entries(cases)) {
    it(name, () => {
      const spec = scenario(changes);
      const withSums = runScenarioSync(spec);
      const withFlows = runScenarioSync(each(spec));
      expect(withSums.flows).toEqual([]);
      expect(withFlows.flows.length).toBeGreaterThan(3 * RECORDS);
      expect(common(withSums)).toEqual(common(withFlows));
      const [first, second] = withSums.jobs ?? [];
      const messages = first?.messages ?? 0;
      expect(first?.messageSums).toEqual(sumsOf(withFlows.flows.slice(0, messages)));
      expect(second?.messageSums).toEqual(sumsOf(withFlows.flows.slice(messages)));
      if (changes.faults === undefined && changes.algorithms === undefined)
        expect(first?.messageSums?.retransmittedPackets).toBeGreaterThan(0);
    });
  }
});

describe('incompatible settings are rejected', () => {
  const cases: readonly (readonly [string, string, Partial<ScenarioSpec>])[] = [
    ['another fidelity', 'fidelity', { fidelity: 'reference', faults: [] }],
    ['flows of no job', 'workload', { workload: { kind: 'incast', senders: 3, sizeBytes: 1000 } }],
    ['another transport', 'hosts', { hosts: { transport: 'irn' } }],
    ['flowlets', 'switches.loadBalancing', { switches: { loadBalancing: 'flowlet' } }],
    ['hazards', 'faults', { faults: [{ kind: 'pause-storm', host: 'h0', fromUs: 1, lastsUs: 1 }] }],
    ['Fast CNPs', 'switches.fastCnp', { switches: { fastCnp: { enabled: true } } }],
    ['captures', 'record.capture', { record: { messages: 'sums', capture: ['h0:leaf0'] } }],
  ];
  for (const [name, where, changes] of cases) {
    it(name, () => {
      expect(() => runScenarioSync(scenario(changes))).toThrow(
        expect.objectContaining({ code: 'invalid-scenario', where }),
      );
    });
  }

  it('custom congestion points', () => {
    const point = defineCongestionPoint({ name: 'none', dequeue: () => undefined });
    expect(() => runScenarioSync(scenario(), { substitutes: { 'congestion-point': point } })).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where: 'switches.congestionPoint' }),
    );
  });

  it('more messages in flight than there are records', () => {
    const spec = scenario({ record: { messages: 'sums', messageRecords: 20 } });
    expect(() => runScenarioSync(spec)).toThrow(
      expect.objectContaining({ code: 'capacity', where: 'record.messageRecords', got: 20 }),
    );
  });
});
