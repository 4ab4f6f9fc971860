/**
 * The kernel against the plain model on random WANs: same completions, packets, marks, drops, tunnels, access lists and ARNs; and the
 * balance of packets and bytes in each.
 *
 * `ROCE_WANS` sets how many networks there are.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import { runPlan, type PlanResult } from '../../../src/sim/kernel/run-plan.js';
import { modelNetwork, type ModelResult } from '../../../src/sim/model/model.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';
import { wanNetworks } from './wan-networks.js';

const RUNS = Number(process.env.ROCE_WANS ?? 80);
const SEED = 20_261_123;

function planOf(spec: ScenarioSpec): NetworkPlan | undefined {
  try {
    return compileScenario(validateScenario(spec)).plan;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-scenario') return undefined;
    throw error;
  }
}

/** The model keeps queues of switches alone. */
function portsOf(plan: NetworkPlan, { ports }: PlanResult | ModelResult) {
  return ports.map((
    { txPackets, txBytes, marks, drops, fastCnps, pausesSent, pausesReceived, pausedPs, maxClassQueueBytes },
    i,
  ) => ({
    txPackets,
    txBytes,
    marks,
    drops,
    fastCnps,
    pausesSent,
    pausesReceived,
    pausedPs,
    maxClassQueueBytes: plan.nodes[plan.ports[i]!.node]!.kind === 'switch' ? maxClassQueueBytes : 0,
  }));
}

const kernelOf = (plan: NetworkPlan, run: PlanResult) => ({
  flows: run.flows.map((
    { completionPs, failed, retransmittedPackets, timeouts },
  ) => [completionPs, failed, retransmittedPackets, timeouts]),
  ports: portsOf(plan, run),
  totals: run.totals,
  wan: run.wan,
});

const modelOf = (plan: NetworkPlan, run: ModelResult) => ({
  flows: run.flows.map((
    { completionPs, failed, retransmitted, timeouts },
  ) => [completionPs, failed, retransmitted, timeouts]),
  ports: portsOf(plan, run),
  totals: run.totals,
  wan: run.wan,
});

function tally() {
  const seen = {
    tunnels: 0,
    wrapped: 0,
    denied: 0,
    ecnDropped: 0,
    arns: 0,
    refreshed: 0,
    expired: 0,
    resumed: 0,
    held: 0,
    cut: 0,
    full: 0,
  };
  const note = ({ totals, wan }: PlanResult): void => {
    if (wan === undefined) return;
    const any = <Item>(items: readonly Item[], test: (item: Item) => boolean): number => Number(items.some(test));
    seen.tunnels += any(wan.nodes, ({ encapsulated }) => encapsulated > 0);
    seen.wrapped += any(wan.nodes, ({ unwrapped }) => unwrapped > 0);
    seen.denied += Number((totals.drops.accessList ?? 0) > 0);
    seen.ecnDropped += Number((totals.drops.tunnelEcn ?? 0) > 0);
    seen.arns += Number((totals.arns ?? 0) > 0);
    seen.refreshed += any(wan.ports, ({ arnsRefreshed }) => arnsRefreshed > 0);
    seen.expired += any(wan.ports, ({ arnsExpired }) => arnsExpired > 0);
    seen.resumed += any(wan.ports, ({ arnResumes }) => arnResumes > 0);
    seen.held += any(wan.heldPs, (heldPs) => heldPs > 0);
    seen.cut += Number(totals.drops.linkDown > 0);
    seen.full += Number(totals.drops.buffer > 0);
  };
  return { seen, note };
}

describe('The kernel and the plain model of a WAN', () => {
  test(`agree on ${RUNS} random networks, and nothing is lost uncounted`, () => {
    const { seen, note } = tally();
    let run = 0;
    fc.assert(fc.property(wanNetworks, (spec) => {
      const plan = planOf(spec);
      if (plan === undefined) return;
      run += 1;
      const kernel = runPlan(plan);
      note(kernel);
      expect(kernelOf(plan, kernel)).toEqual(modelOf(plan, modelNetwork(plan)));
      const { packetsIn, packetsOut, packetsDropped, packetsInFlight, bytesIn, bytesOut, bytesDropped, bytesInFlight } =
        kernel.totals;
      expect(packetsIn).toBe(packetsOut + packetsDropped + packetsInFlight);
      expect(bytesIn).toBe(bytesOut + bytesDropped + bytesInFlight);
    }), { numRuns: RUNS, seed: SEED });
    expect(run).toBeGreaterThan(0.5 * RUNS);
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  }, 60_000 + 500 * RUNS);
});
