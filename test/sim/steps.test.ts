/**
 * Work of a large scenario comes in steps, so that a page on the same thread stays responsive; no step is timed here, as machines
 * differ.
 */
import { describe, expect, it } from 'vitest';
import { buildGraph, buildRoutes } from '../../src/sim/compile/routes.js';
import { pathsOfAllKinds } from '../../src/sim/compile/compile-context.js';
import { hashResult, runScenarioSync } from '../../src/sim/index.js';
import { hashSteps } from '../../src/sim/results/result-hash.js';
import type { Steps } from '../../src/sim/steps.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';

function counted<Made>(steps: Steps<Made>): { readonly made: Made; readonly count: number } {
  for (let count = 1;; count++) {
    const step = steps.next();
    if (step.done === true) return { made: step.value, count };
  }
}

describe('Long computations are divided into steps', () => {
  it('of about 1,000 paths for the paths between all racks', () => {
    const graph = buildGraph(buildNetwork({ kind: 'fat-tree', k: 12 }));
    const { made, count } = counted(pathsOfAllKinds(graph, buildRoutes(graph, 'standard')));
    // Under one switch, within a pod and between pods.
    expect(made.map((path) => path.length)).toEqual([2, 4, 6]);
    expect(count).toBeGreaterThan((72 * 72) / 2000);
  });

  it('of about 500 flows or ports for a hash, which is the same as in one step', () => {
    const result = runScenarioSync({
      name: 'a thousand flows and ports',
      topology: { kind: 'star', hosts: 700 },
      workload: { kind: 'permutation', sizeBytes: 1000 },
      record: { flows: 0, ports: [] },
    });
    const { made, count } = counted(hashSteps(result));
    expect(made).toBe(result.hash);
    expect(made).toBe(hashResult(result));
    expect(count).toBeGreaterThan((result.flows.length + result.ports.length) / 1000);
  });
});
