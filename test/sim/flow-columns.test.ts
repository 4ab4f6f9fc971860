import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlowPaths } from '../../src/sim/compile/compiled-scenario.js';
import { PairCounter, FlowPlans } from '../../src/sim/flow-plans.js';
import { switchesOnLongest } from '../../src/sim/compile/paths.js';
import type { FlowPlan } from '../../src/sim/plan.js';
import { type WorkloadFlow, WorkloadFlows } from '../../src/sim/workload/workload-flows.js';

const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const u16 = fc.integer({ min: 0, max: 65_535 });
const u8 = fc.integer({ min: 0, max: 7 });
const whole = fc.maxSafeNat();
const after = fc.integer({ min: -1, max: 1000 });

const flowPlans: fc.Arbitrary<FlowPlan[]> = fc.array(fc.record({
  source: u32,
  destination: u32,
  sourcePort: u32,
  responsePort: u32,
  sizeBytes: whole,
  startPs: whole,
  after,
  dataClass: u8,
  ackClass: u8,
  udpSourcePort: u16,
  udpDestinationPort: u16,
  parameterSet: fc.integer({ min: 0, max: 15 }),
  windowBytes: whole,
  windowMode: fc.constantFrom('none', 'fixed', 'variable'),
  headerBytes: u16,
  ackBytes: u16,
  idealPs: whole,
  pathTimeoutPs: fc.option(whole, { nil: undefined }),
}));

const workloadFlows: fc.Arbitrary<WorkloadFlow[]> = fc.array(fc.record({
  source: u32,
  destination: u32,
  sizeBytes: whole,
  startPs: whole,
  after,
  algorithm: u8,
  trafficClass: u8,
  sourcePort: fc.option(u16, { nil: undefined }),
  destinationPort: u16,
}), { maxLength: 200 });

describe('Flows in columns', () => {
  it('equal the flows of the plan that they are made from', () => {
    fc.assert(fc.property(flowPlans, (flows) => {
      const plans = FlowPlans.of(flows);
      expect([...plans]).toEqual(flows);
      expect(plans.map(({ sizeBytes }, index) => sizeBytes + index)).toEqual(
        flows.map(({ sizeBytes }, index) => sizeBytes + index),
      );
      expect(plans.findIndex((index) => plans.after[index]! < 0)).toBe(flows.findIndex((flow) => flow.after < 0));
    }));
  });

  it('keep the flows that a workload adds beyond the initial capacity', () => {
    fc.assert(fc.property(workloadFlows, (flows) => {
      const columns = new WorkloadFlows();
      for (const flow of flows) columns.add(flow);
      expect([...columns]).toEqual(flows);
      expect(columns.lastStartPs).toBe(Math.max(0, ...flows.map(({ startPs }) => startPs)));
    }));
  });

  it('keep paths of any length', () => {
    fc.assert(fc.property(fc.array(fc.array(u32, { maxLength: 40 })), (paths) => {
      const kept = new FlowPaths(paths.length);
      for (const path of paths) kept.add(path);
      expect([...kept]).toEqual(paths);
      expect(switchesOnLongest(kept)).toBe(Math.max(0, ...paths.map((path) => path.length - 1)));
    }));
  });

  it('are counted by pair of hosts as with a map', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 65_534 }), fc.integer({ min: 65_530, max: 65_534 })));
    fc.assert(fc.property(pairs, (flows) => {
      const counter = new PairCounter(65_535, flows.length);
      const known = new Map<string, number>();
      for (const [source, destination] of flows) {
        const key = `${source} ${destination}`;
        expect(counter.add(source, destination)).toBe(known.get(key) ?? 0);
        known.set(key, (known.get(key) ?? 0) + 1);
      }
    }));
  });
});
