/** Values that the kernel computes from a plan before it runs. */
import { expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { LossyPlan } from '../../src/sim/features/reference-lossy/plan.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

it('The paths between leaves are computed once per run', () => {
  const { plan } = compileScenario(validateScenario({
    name: 'paths',
    fidelity: 'reference-lossy',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 1 },
    workload: { kind: 'permutation', sizeBytes: 1000 },
    switches: { loadBalancing: 'letflow' },
  }));
  let reads = 0;
  const { leaves } = plan.lossy!;
  const lossy: LossyPlan = {
    ...plan.lossy!,
    get leaves() {
      reads++;
      return leaves;
    },
  };
  const kernel = new SimKernel({ ...plan, lossy });
  expect(reads).toBe(1);
  expect(kernel.run(plan.endPs, 1e6)).toBe('idle');
  expect(kernel.flowsDone).toBe(2);
});
