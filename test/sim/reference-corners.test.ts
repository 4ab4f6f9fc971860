/**
 * Cases of fidelity `reference` that its golden runs do not cover, computed by hand, in the kernel and in the plain
 * model.
 */
import { describe, expect, it } from 'vitest';
import { modelNetwork } from '../model/model.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import type { EdgesSpec, HostSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const PACKET_BYTES = 1048;
const ACK_BYTES = 60;
const RATE_GBPS = 100;
const DELAY_PS = 1_000_000;
/** 1,048 and 60 bytes at 100 Gb/s (docs/specs/reference.md, section 1). */
const [PACKET_PS, ACK_PS] = [83_000, 4000];

const RUNNERS = [['kernel', runPlan], ['model', modelNetwork]] as const;

function pairSpec(sizeBytes: number, hosts: HostSpec = {}): ScenarioSpec {
  return {
    name: 'two hosts and a switch',
    fidelity: 'reference',
    topology: { kind: 'star', hosts: 2, rateGbps: RATE_GBPS, delayNs: DELAY_PS / 1000 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes, startPs: 0 }] },
    algorithms: { only: { preset: 'dcqcn-ns3' } },
    hosts,
  };
}

function compiled(spec: ScenarioSpec) {
  return compileScenario(validateScenario(spec));
}

/** Of a lone flow of full packets over two links: the last packet there, its ACK back. */
function completionPs(packets: number): number {
  return packets * PACKET_PS + PACKET_PS + 2 * ACK_PS + 4 * DELAY_PS;
}

describe.each(RUNNERS)('A receiver with delayed ACKs, in the %s', (_, run) => {
  it('acknowledges at multiples of the chunk, then every packet', () => {
    const { plan } = compiled(pairSpec(10_000, { ackIntervalBytes: 6000 }));
    const { flows, totals } = run(plan);
    // 4,000; 6,000 to 10,000.
    expect(totals.acks).toBe(6);
    expect(flows[0].completionPs).toBe(completionPs(10));
  });

  it('never acknowledges the end of a flow that is below the threshold and not a multiple of the chunk', () => {
    const { plan } = compiled(pairSpec(3500, { ackIntervalBytes: 6000 }));
    const { flows, totals } = run(plan);
    expect([totals.dataPackets, totals.acks, flows[0].completionPs]).toEqual([4, 0, null]);
  });

  it('acknowledges a flow that ends at a multiple of the chunk', () => {
    const { plan } = compiled(pairSpec(4000, { ackIntervalBytes: 6000 }));
    expect(run(plan).flows[0].completionPs).toBe(completionPs(4));
  });
});

describe.each(RUNNERS)('A PINT power above the largest one, in the %s', (_, run) => {
  /** Fifteen to one over links without delay: a queue of hundreds of bandwidth-delay products. */
  function longestQueueBytes(pintBits: number): number {
    const { ports } = run(compiled({
      name: 'fifteen to one',
      fidelity: 'reference',
      topology: { kind: 'star', hosts: 16, rateGbps: RATE_GBPS, delayNs: 1 },
      workload: { kind: 'incast', senders: 15, sizeBytes: 500_000 },
      algorithms: { only: { preset: 'hpcc-pint-ns3', window: 'none', parameters: { pintBase: 2, pintBits } } },
      switches: { pfc: false, ecn: { enabled: false } },
    }).plan);
    return ports.reduce((most, { maxClassQueueBytes }) => Math.max(most, maxClassQueueBytes), 0);
  }

  it('wraps, so that senders treat the longest queues as empty, and continue', () => {
    // 2^15 / 512 is 64 times the rate; 2^16 / 512, above it, is read as 1 / 512.
    expect(longestQueueBytes(4)).toBeGreaterThan(2 * longestQueueBytes(8));
  });
});

describe.each(RUNNERS)('Packets of other sizes, in the %s', (_, run) => {
  it.each([[1, 1, 49], [999, 1, 1047], [1000, 1, 1048], [1001, 2, 1048 + 49]])(
    'have this many bytes in total: a flow of %i bytes has %i packets of %i bytes',
    (sizeBytes, packets, bytes) => {
      const { totals, ports } = run(compiled(pairSpec(sizeBytes)).plan);
      expect(totals.dataPackets).toBe(packets);
      expect(ports[0].txBytes).toBe(bytes);
      expect(totals.acks).toBe(packets);
    },
  );

  it.each([[1, 49], [100, 148], [9000, 9048], [65_000, 65_048]])(
    'have their headers added: a payload of %i makes packets of %i bytes',
    (mtuBytes, bytes) => {
      const { totals, ports } = run(compiled(pairSpec(3 * mtuBytes, { mtuBytes })).plan);
      expect([totals.dataPackets, ports[0].txBytes]).toEqual([3, 3 * bytes]);
    },
  );

  it('have ACKs of the same length for any data', () => {
    const { ports } = run(compiled(pairSpec(PACKET_BYTES)).plan);
    expect(ports[1].txBytes).toBe(2 * ACK_BYTES);
  });
});

describe('Notes on a scenario', () => {
  it('state that rates without a code in HPCC count as 25 Gb/s', () => {
    const spec = pairSpec(1_000_000);
    const { plan, notes } = compiled({
      ...spec,
      algorithms: { only: { preset: 'hpcc-ns3' } },
      topology: { kind: 'star', hosts: 2, rateGbps: 40 },
    });
    expect(notes.find((note) => note.includes('no code for 40 Gb/s'))).toContain('25 Gb/s');
    expect(runPlan(plan).flows[0].completionPs).toBe(modelNetwork(plan).flows[0].completionPs);
    // A port of 40 Gb/s that is read as one of 25 seems fuller than it is.
    expect(runPlan(plan).flows[0].completionPs).toBeGreaterThan(compiledIdeal(plan) * 1.5);
  });

  it.each([5, 6])('report a path of more switches than HPCC has records for: %i, with records for 5', (switches) => {
    const names = ['h0', ...Array.from({ length: switches }, (_, index) => `s${index}`), 'h1'];
    const topology: EdgesSpec = {
      kind: 'edges',
      nodes: names.map((name) => ({ name, kind: name.startsWith('h') ? 'host' : 'switch' })),
      links: names.slice(1).map((to, index) => ({ from: names[index], to, rateGbps: RATE_GBPS, delayNs: 1000 })),
    };
    const spec = { ...pairSpec(1_000_000), topology, algorithms: { only: { preset: 'hpcc-ns3' } } };
    const { plan, notes } = compiled(spec);
    expect(notes.filter((note) => note.includes(`passes ${switches} switches`))).toHaveLength(switches - 5);
    // Beyond five the sender receives nothing, and keeps the line rate.
    const [flow] = runPlan(plan).flows;
    expect(flow.completionPs).toBe(modelNetwork(plan).flows[0].completionPs);
    expect(flow.completionPs! < 1.01 * plan.flows.get(0).idealPs).toBe(switches > 5);
  });

  it('state that delayed ACKs have no effect under standard', () => {
    const { notes, plan } = compiled({
      ...pairSpec(1000, { ackIntervalBytes: 6000 }),
      fidelity: 'standard',
      algorithms: {},
    });
    expect(plan.rules.delayedAck).toBeUndefined();
    expect(notes.some((note) => note.includes('ackIntervalBytes'))).toBe(true);
  });

  it.each([100, 9000])('are not needed for a payload of %i under standard, which is rejected', (mtuBytes) => {
    expect(() => compiled({ ...pairSpec(1000, { mtuBytes }), fidelity: 'standard', algorithms: {} })).toThrow(
      /between 256 and 4,096/,
    );
  });
});

/** Two paths of the same length from s4 to h0, over s2 and s3; the search from h0 reaches s2 first, by s1. */
const IRREGULAR: EdgesSpec = {
  kind: 'edges',
  nodes: [
    { name: 'h0', kind: 'host' },
    { name: 'h1', kind: 'host' },
    ...['s0', 's1', 's2', 's3', 's4', 's5'].map((name) => ({ name, kind: 'switch' as const })),
  ],
  links: [['h0', 's0'], ['s0', 's1'], ['s0', 's5'], ['s5', 's2'], ['s1', 's3'], ['s2', 's4'], ['s3', 's4'], [
    's4',
    'h1',
  ]]
    .map(([from, to]) => ({ from, to, rateGbps: RATE_GBPS, delayNs: from === 's3' ? 5000 : 1000 })),
};

describe('The order of equal paths', () => {
  const spec: ScenarioSpec = { ...pairSpec(1000), topology: IRREGULAR, algorithms: { only: { preset: 'hpcc-ns3' } } };

  it('is the order in which the search reaches the next nodes', () => {
    const { plan, portNames } = compiled(spec);
    const s4 = plan.nodes.findIndex(({ name }) => name === 's4');
    expect(plan.groups[plan.routes.group(s4, 0)].map((port) => portNames[port])).toEqual(['s4:s2', 's4:s3']);
  });

  it('determines the path of base round trips', () => {
    const flows = [{ from: 'h1', to: 'h0', sizeBytes: 1000 }, { from: 'h0', to: 'h1', sizeBytes: 1000 }];
    const { plan } = compiled({
      ...spec,
      workload: { kind: 'flows', flows },
      algorithms: { only: { preset: 'hpcc-ns3', baseRtt: 'path' } },
    });
    const base = plan.flows.map(({ parameterSet }) => plan.parameterSets[parameterSet]);
    // Five links of 1 us there and back and a packet of 1,000 bytes on each; the search from h1 comes to s3 first, whose link has 5 us.
    const directPs = 5 * (2 * DELAY_PS + 80_000);
    expect(base).toMatchObject([{ baseRttPs: directPs }, { baseRttPs: directPs + 8 * DELAY_PS }]);
  });
});

describe('Several links between two nodes', () => {
  const topology: EdgesSpec = {
    kind: 'edges',
    nodes: [{ name: 'h0', kind: 'host' }, { name: 'h1', kind: 'host' }, { name: 's0', kind: 'switch' }, {
      name: 's1',
      kind: 'switch',
    }],
    links: [['h0', 's0'], ['s0', 's1'], ['s0', 's1'], ['s1', 'h1']].map(([from, to]) => ({ from, to })),
  };
  const flows = Array.from({ length: 16 }, () => ({ from: 'h0', to: 'h1', sizeBytes: 1000 }));
  const used = (fidelity: 'reference' | 'standard') => {
    const { plan, portNames, notes } = compiled({
      name: 'parallel',
      fidelity,
      topology,
      workload: { kind: 'flows', flows },
    });
    const sent = runPlan(plan).ports.map(({ txPackets }, port) => [portNames[port], txPackets] as const);
    return {
      notes: notes.filter((note) => note.startsWith('Several links')),
      sent: sent.filter(([name]) => name.startsWith('s0:s1')),
    };
  };

  it('are idle under reference except for the last one, as a note states', () => {
    expect(used('reference')).toEqual({
      notes: [expect.stringContaining('between s0 and s1') as string],
      sent: [['s0:s1', 0], ['s0:s1#2', 16]],
    });
  });

  it('share the flows under standard', () => {
    const { notes, sent } = used('standard');
    expect(notes).toEqual([]);
    expect(Math.min(...sent.map(([, packets]) => packets))).toBeGreaterThan(0);
  });
});

describe('Memory beyond what 32-bit counters can hold', () => {
  it('is rejected as shared memory', () => {
    const spec = pairSpec(1000);
    expect(() => compiled({ ...spec, switches: { bufferBytes: 2 ** 32 + 100_000 } })).toThrow(
      /memory of switch s0 must be/,
    );
  });

  it('is rejected as headroom of a single link', () => {
    const spec = pairSpec(1000);
    expect(() => compiled({ ...spec, topology: { kind: 'star', hosts: 2, rateGbps: 400, delayNs: 30_000_000 } }))
      .toThrow(/headroom of port s0:h0/);
  });

  it('is added up as headroom of several links', () => {
    const plan = compiled({
      ...pairSpec(3_000_000),
      topology: { kind: 'star', hosts: 4, rateGbps: 400, delayNs: 20_000_000 },
      durationUs: 1_000_000,
    }).plan;
    expect(plan.nodes[4].bufferBytes).toBeGreaterThan(2 ** 32);
    const { totals, flows } = runPlan(plan);
    expect([totals.pauses, totals.packetsDropped]).toEqual([0, 0]);
    expect(flows[0].completionPs).toBe(modelNetwork(plan).flows[0].completionPs);
  });
});

function compiledIdeal({ flows }: ReturnType<typeof compiled>['plan']): number {
  return flows.get(0).idealPs;
}
