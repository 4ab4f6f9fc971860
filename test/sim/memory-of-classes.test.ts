/** A switch never holds more than its memory, however many classes its ports carry; classes without headroom are not paused. */
import { describe, expect, it } from 'vitest';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const BUDGET = 2 ** 20;

/** 21 hosts send to one, three in each class, without congestion control. */
function crowd(bufferBytes: number, headroomBytes: number): ScenarioSpec {
  const flows = Array.from({ length: 21 }, (_, host) => ({
    from: `h${host}`,
    to: 'h21',
    sizeBytes: 1_000_000,
    trafficClass: 1 + (host % 7),
  }));
  return {
    name: 'crowd',
    durationUs: 2000,
    topology: { kind: 'star', hosts: 22 },
    workload: { kind: 'flows', flows },
    algorithms: { off: { preset: 'none' } },
    switches: { bufferBytes, headroomBytes, ecn: { enabled: false } },
  };
}

function ended(spec: ScenarioSpec): SimKernel {
  const { plan } = compileScenario(validateScenario(spec));
  const kernel = new SimKernel(plan);
  while (kernel.run(plan.endPs, BUDGET) === 'budget');
  return kernel;
}

describe('memory of a switch with seven classes', () => {
  it.each([7_000_000, 10_000_000])('of %i bytes is not exceeded', (bufferBytes) => {
    const kernel = ended(crowd(bufferBytes, 40_000));
    const toReceiver = kernel.plan.ports.findIndex(({ peerPort }) => kernel.plan.ports[peerPort].node === 21);
    const { maxQueueBytes } = kernel.port(toReceiver);
    expect(maxQueueBytes).toBeGreaterThan(500_000);
    expect(maxQueueBytes).toBeLessThanOrEqual(bufferBytes);
    expect(kernel.totals().drops.buffer).toBe(0);
  });

  it('is rejected where headroom for each class does not fit', () => {
    expect(() => compileScenario(validateScenario(crowd(1_050_000, 40_000)))).toThrow(
      /above 6,790,784 .* \(got 1,050,000\)\. Its 22 ports set memory aside for 7 classes/,
    );
  });
});
