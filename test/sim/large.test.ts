/** Numbers beyond 2^32: bytes of a flow, sequence numbers, totals; and the memory of a large network. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { Fidelity, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const SLOW_MS = 120_000;
const SIZE_BYTES = 4_400_000_000;
const MTU_BYTES = 4096;

/** One flow over one switch, alone. */
function alone(preset: string, fidelity: Fidelity, rateGbps: number, sizeBytes: number): ScenarioSpec {
  return {
    name: `${sizeBytes} bytes`,
    fidelity,
    topology: { kind: 'star', hosts: 2, rateGbps, delayNs: 100 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes }] },
    algorithms: { only: { preset } },
    hosts: { mtuBytes: MTU_BYTES },
    record: { maxSamples: 10 },
  };
}

describe('A flow of more than 4 GiB', { timeout: SLOW_MS }, () => {
  it.each([
    { preset: 'dcqcn-sigcomm15', fidelity: 'standard', rateGbps: 8000 },
    { preset: 'hpcc-ns3', fidelity: 'reference', rateGbps: 400 },
  ] as const)('is delivered completely under $preset ($fidelity), with the same slowdown as a small one',
    ({ preset, fidelity, rateGbps }) => {
      const small = runScenarioSync(alone(preset, fidelity, rateGbps, SIZE_BYTES / 1000));
      const { flows: [flow], totals, ended } = runScenarioSync(alone(preset, fidelity, rateGbps, SIZE_BYTES));
      expect(ended).toBe('all-flows-done');
      expect(flow).toMatchObject({ deliveredBytes: SIZE_BYTES, retransmittedPackets: 0, timeouts: 0 });
      expect(totals.dataPackets).toBe(Math.ceil(SIZE_BYTES / MTU_BYTES));
      expect(totals.bytesIn).toBe(totals.bytesOut);
      expect(totals.bytesIn).toBeGreaterThan(2 ** 32);
      expect(flow!.slowdown! / small.flows[0]!.slowdown!).toBeCloseTo(1, 2);
    });
});

describe('A network of 1,024 hosts', { timeout: SLOW_MS }, () => {
  it('takes at most 200 bytes per packet in flight and little memory in the first 50,000 events', () => {
    const spec = JSON.parse(
      readFileSync(new URL('../../examples/scenarios/fat-tree-k16-10000-flows.json', import.meta.url), 'utf8'),
    ) as ScenarioSpec;
    const { plan } = compileScenario(validateScenario(spec));
    const kernel = new SimKernel(plan);
    expect(plan.nodes.filter(({ kind }) => kind === 'host').length).toBe(1024);
    expect(plan.flows.length).toBe(10_000);
    expect(kernel.run(plan.endPs, 50_000)).toBe('budget');
    expect(kernel.packetBytes).toBeLessThanOrEqual(200);
    expect(kernel.memoryBytes).toBeLessThan(32 * 2 ** 20);
  });
});
