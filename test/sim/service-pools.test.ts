/** Memory of switches in two pools: closed forms, conservation, the kernel against the plain model, what is rejected. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { modelNetwork } from '../model/model.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { sharedOfPool } from '../../src/switching/shared-buffer.js';
import type { ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const PACKET_BYTES = 1106;
const SEED = 20_261_123;

function planOf(spec: ScenarioSpec): NetworkPlan {
  return compileScenario(validateScenario(spec)).plan;
}

/** Two senders to each of n hosts, without congestion control: n queues that are always full. */
function crowded(queues: number, switches: SwitchSpec, trafficClass = 2): ScenarioSpec {
  const flows = Array.from({ length: 2 * queues }, (_, index) => ({
    from: `h${queues + index}`,
    to: `h${index % queues}`,
    sizeBytes: 3_000_000,
    trafficClass,
  }));
  return {
    name: 'crowded',
    topology: { kind: 'star', hosts: 3 * queues },
    workload: { kind: 'flows', flows },
    algorithms: { none: { preset: 'none' } },
    switches: { ecn: { enabled: false }, ...switches },
    durationUs: 150,
  };
}

describe('A lossy queue', () => {
  it.each([[1, 3], [2, 0], [3, -1], [4, 1], [8, -7]])(
    'that is one of %i full ones, with alpha 2^%i, holds alpha / (1 + n alpha) of the pool, plus its reserve',
    (queues, dynamicTh) => {
      const reservedBytes = 3000;
      const buffer = { model: 'service-pools', lossyBytes: 1_500_000, dynamicTh, reservedBytes } as const;
      const plan = planOf(crowded(queues, { buffer }));
      const kernel = new SimKernel(plan);
      while (kernel.run(plan.endPs, 1e6) === 'budget');
      const alpha = 2 ** dynamicTh;
      const limit = (alpha / (1 + queues * alpha)) * sharedOfPool(plan.pools!, 3 * queues) + reservedBytes;
      // The packet in transmission is no longer in the memory, and the next one may not fit.
      for (let port = 0; port < queues; port++) {
        const held = kernel.queueBytes(plan.nodes[plan.ports.at(-1)!.node]!.firstPort + port);
        expect(held).toBeLessThanOrEqual(limit);
        expect(held).toBeGreaterThan(limit - 3 * PACKET_BYTES);
      }
      expect(kernel.totals().drops.buffer).toBeGreaterThan(0);
      expect(kernel.totals().pauses).toBe(0);
    },
  );

  it('is limited by the rest of the pool if alpha allows more', () => {
    const buffer = { model: 'service-pools', lossyBytes: 200_000, dynamicTh: 6, reservedBytes: 0 } as const;
    const plan = planOf(crowded(4, { buffer }));
    const kernel = new SimKernel(plan);
    while (kernel.run(plan.endPs, 1e6) === 'budget');
    const switchNode = plan.nodes.findIndex(({ kind }) => kind === 'switch');
    expect(kernel.mostPooledBytes(switchNode)).toBeLessThanOrEqual(200_000);
    expect(kernel.mostPooledBytes(switchNode)).toBeGreaterThan(190_000);
  });
});

describe('A lossless class', () => {
  it('is paused and not dropped, however full the other pool is', () => {
    const buffer = { model: 'service-pools', lossyBytes: 100_000 } as const;
    const spec = crowded(1, { bufferBytes: 500_000, buffer }, 3);
    const workload = [spec.workload, { kind: 'incast', senders: 2, sizeBytes: 500_000, to: 'h0', trafficClass: 1 }];
    const { totals, flows } = runPlan(
      planOf({ ...spec, workload, topology: { kind: 'star', hosts: 5 } } as ScenarioSpec),
    );
    expect(totals.pauses).toBeGreaterThan(0);
    expect(totals.drops.buffer).toBeGreaterThan(0);
    expect(flows.slice(0, 2).map(({ retransmittedPackets }) => retransmittedPackets)).toEqual([0, 0]);
  });

  it('is class 3 or 4 unless the scenario names others', () => {
    const buffer = { model: 'service-pools', lossyBytes: 100_000 } as const;
    expect(planOf(crowded(1, { buffer }, 4)).pools?.lossyClasses).toBe(1 << 6);
    const other = { ...buffer, losslessClasses: [2] } as const;
    expect(planOf(crowded(1, { buffer: other }, 4)).pools?.lossyClasses).toBe((1 << 4) | (1 << 6));
    expect(planOf(crowded(1, { buffer: other }, 4)).rules.guaranteedClasses).toBe(0);
  });
});

const networks: fc.Arbitrary<ScenarioSpec> = fc.record({
  hosts: fc.integer({ min: 3, max: 7 }),
  classes: fc.array(fc.constantFrom(1, 2, 3, 4, 6), { minLength: 2, maxLength: 8 }),
  lossless: fc.constantFrom([3, 4], [], [1], [2, 3, 6]),
  dynamicTh: fc.integer({ min: -7, max: 6 }),
  reservedBytes: fc.constantFrom(0, 1518, 2000),
  lossyBytes: fc.constantFrom(150_000, 300_000),
  losslessBytes: fc.constantFrom(400_000, 600_000),
  preset: fc.constantFrom('none', 'dcqcn-sigcomm15', 'swift-sigcomm20'),
  leaves: fc.boolean(),
  markAt: fc.constantFrom('dequeue', 'enqueue'),
  isCut: fc.boolean(),
}).map((
  { hosts, classes, lossless, dynamicTh, reservedBytes, lossyBytes, losslessBytes, preset, leaves, markAt, isCut },
) => ({
  name: 'random',
  topology: leaves ?
    { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 3, delayNs: 100 } :
    { kind: 'star', hosts, delayNs: 100 },
  workload: {
    kind: 'flows',
    flows: classes.map((trafficClass, index) => ({
      from: `h${1 + (index % 2)}`,
      to: 'h0',
      sizeBytes: 20_000 + 31_000 * index,
      startUs: index % 3,
      trafficClass,
    })),
  },
  algorithms: { a: { preset } },
  switches: {
    bufferBytes: lossyBytes + losslessBytes,
    headroomBytes: 12_000,
    buffer: { model: 'service-pools', lossyBytes, losslessClasses: lossless, dynamicTh, reservedBytes },
    ecn: { kminKB: 10, kmaxKB: 40, pmax: 0.5, markAt },
  },
  faults: isCut ? [{ kind: 'link-down', between: ['h1', leaves ? 'leaf0' : 's0'], fromUs: 5, toUs: 30 }] : [],
  durationUs: 2000.7,
} as ScenarioSpec));

describe('The kernel and the plain model', () => {
  it('agree on 40 random networks with pools, and account for all packets and bytes', () => {
    const seen = { dropped: 0, paused: 0 };
    fc.assert(fc.property(networks, (spec) => {
      const plan = planOf(spec);
      const kernel = runPlan(plan);
      const model = modelNetwork(plan);
      expect(kernel.flows.map(({ completionPs }) => completionPs))
        .toEqual(model.flows.map(({ completionPs }) => completionPs));
      expect(kernel.totals.retransmittedPackets).toBe(model.totals.retransmittedPackets);
      expect(kernel.totals.drops).toEqual(model.totals.drops);
      expect([kernel.totals.pauses, kernel.totals.marks]).toEqual([model.totals.pauses, model.totals.marks]);
      expect(kernel.ports.map(({ drops, txPackets }) => [drops, txPackets]))
        .toEqual(model.ports.map(({ drops, txPackets }) => [drops, txPackets]));
      const { packetsIn, packetsOut, packetsDropped, packetsInFlight, bytesIn, bytesOut, bytesDropped, bytesInFlight } =
        kernel.totals;
      expect(packetsIn).toBe(packetsOut + packetsDropped + packetsInFlight);
      expect(bytesIn).toBe(bytesOut + bytesDropped + bytesInFlight);
      seen.dropped += Number(kernel.totals.drops.buffer > 0);
      seen.paused += Number(kernel.totals.pauses > 0);
    }), { numRuns: 40, seed: SEED });
    expect(seen.dropped).toBeGreaterThan(6);
    expect(seen.paused).toBeGreaterThan(3);
  }, 120_000);
});

describe('Invalid pools are rejected', () => {
  const pool = { model: 'service-pools', lossyBytes: 100_000 } as const;
  const cases: readonly (readonly [string, string, Partial<ScenarioSpec>])[] = [
    ['under another fidelity', 'switches.buffer', { fidelity: 'reference', switches: { buffer: pool } }],
    ['of a single switch', 'overrides[0].switch.buffer', { overrides: [{ nodes: ['s0'], switch: { buffer: pool } }] }],
    ['that reserve more than they have', 'switches.buffer.lossyBytes', {
      switches: { buffer: { ...pool, reservedBytes: 20_000 } },
    }],
    ['that leave nothing to lossless classes', 'switches.bufferBytes', {
      switches: { bufferBytes: 100_000, buffer: pool },
    }],
  ];
  it.each(cases)('%s', (_, where, changes) => {
    expect(() => planOf({ ...crowded(1, {}), ...changes })).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where }),
    );
  });
});
