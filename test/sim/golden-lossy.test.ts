/**
 * Whole runs of ConWeave's ns-3 simulator, by their own files: completion to the nanosecond, every counter of every flow, drops,
 * marks, pauses, the order of next hops, the port that each packet took.
 */
import { describe, expect, it } from 'vitest';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { PacketRecord } from '../../src/sim/result.js';
import { streamState } from '../../src/sim/random.js';
import { PS_PER_NS } from '../../src/units.js';
import { lossyChoices, lossyFlows, lossyGoldenPlan, lossyRoutes, lossyRuns,
  type LossyRun } from '../support/golden-lossy.js';

const CHOICES_UNTIL_PS = 2_000_150_000_000;
const BUDGET = 2 ** 22;

const RUNS = lossyRuns();
const SCENARIOS = [...new Set(RUNS.map(({ scenario }) => scenario))];

function ended(plan: NetworkPlan): SimKernel {
  const kernel = new SimKernel(plan);
  while (kernel.run(plan.endPs, BUDGET) === 'budget');
  return kernel;
}

/** The row of a flow in fct_*.csv; undefined if it has not ended. */
function flowRow(kernel: SimKernel, index: number): Readonly<Record<string, number>> | undefined {
  const flow = kernel.flow(index);
  const own = kernel.lossyFlow(index);
  if (!flow.done || own === undefined) return undefined;
  return {
    fct_ns: (flow.finishPs - flow.startPs) / PS_PER_NS,
    tx_pkts: own.sentPackets,
    retx_pkts: flow.retransmittedPackets,
    rx_pkts: own.receivedPackets,
    rx_ooo: own.outOfOrderPackets,
    rx_dup: own.duplicatePackets,
    acks: own.acks,
    nacks: own.naks,
    cnps: own.cnps,
    timeouts: flow.timeouts,
    drops: own.drops,
  };
}

/** The row of a run in summary.csv; the end only if the run reached it. */
function totalsRow(kernel: SimKernel): Readonly<Record<string, number>> {
  const { dataMarks, pauses, resumes, drops } = kernel.totals();
  const isDone = kernel.flowsDone === kernel.plan.flows.length;
  return {
    done: kernel.flowsDone,
    ecnMarks: dataMarks,
    pfcPause: pauses,
    pfcResume: resumes,
    lost: drops.buffer + drops.loss,
    ...(isDone ? { end_ns: kernel.nowPs / PS_PER_NS } : {}),
  };
}

function differencesOf(run: LossyRun): string[] {
  const plan = lossyGoldenPlan(run);
  const kernel = ended(plan);
  const golden = new Map(lossyFlows(run).map((row) => [row.flow, row]));
  const flows = Array.from({ length: plan.flows.length }, (_, index) => {
    const got = flowRow(kernel, index);
    const wanted = golden.get(index);
    if (got === undefined || wanted === undefined)
      return got === wanted ?
        [] :
        [`${run.variant}: flow ${index} ended?`];
    return differing(`${run.variant}: flow ${index}`, got, wanted);
  });
  const { dropIngress, dropEgress, dropForced, corrupted } = run.totals;
  const wanted = { ...run.totals, lost: dropIngress + dropEgress + dropForced + corrupted };
  return [...flows.flat(), ...differing(run.variant, totalsRow(kernel), wanted)];
}

function differing(where: string, got: Readonly<Record<string, number>>,
  wanted: Readonly<Record<string, number>>): string[] {
  return Object.entries(got).filter(([name, value]) => value !== wanted[name])
    .map(([name, value]) => `${where}: ${name} ${value}, golden ${wanted[name]}`);
}

describe.each(SCENARIOS)('Golden runs of %s', (scenario) => {
  it('agree in all completion times and counters', () => {
    expect(RUNS.filter((run) => run.scenario === scenario).flatMap(differencesOf)).toEqual([]);
  });

  it('have their next hops in the order that the library derives', () => {
    const run = RUNS.find((one) => one.scenario === scenario);
    if (run === undefined) throw new Error(`no run of ${scenario}`);
    const { groups, routes, nodes } = lossyGoldenPlan(run);
    for (const { node, is_switch, dst, hash_index, out_ifindex } of lossyRoutes(scenario)) {
      if (is_switch === 1)
        expect(groups[routes.group(node, dst)][hash_index]).toBe(nodes[node].firstPort + out_ifindex - 1);
    }
  });
});

describe('The egress port of a packet', () => {
  const logged = RUNS.filter((run) => lossyChoices(run) !== undefined);

  it.each(logged.map((run) => [`${run.scenario} ${run.variant}`, run] as const))('is the same as in %s', (_, run) => {
    const plan = lossyGoldenPlan(run);
    const { sent, dropsOf } = transmissions(plan);
    let compared = 0;
    const wrong = lossyChoices(run)?.filter(({ switch: node, flow, seq, out_port }) => {
      // Packets that were dropped, or retransmitted while queued, left by a separate choice; queued packets have not
      // left.
      const [first, ...again] = sent.get(`${node} ${flow} ${seq}`) ?? [];
      if (dropsOf(flow) > 0 || again.length > 0) return false;
      compared++;
      return first !== undefined && first.port !== plan.nodes[node].firstPort + out_port - 1;
    });
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  });
});

interface Transmissions {
  /** Data packets that left switches, by switch, flow and first byte. */
  readonly sent: ReadonlyMap<string, PacketRecord[]>;
  readonly dropsOf: (flow: number) => number;
}

function transmissions(plan: NetworkPlan): Transmissions {
  const ports = plan.ports.flatMap(({ node }, port) => (plan.nodes[node].kind === 'switch' ? [port] : []));
  const kernel = new SimKernel(plan, { captured: new Set(ports) });
  const sent = new Map<string, PacketRecord[]>();
  let isOver = false;
  while (!isOver) {
    isOver = !['budget', 'trace-full'].includes(kernel.run(CHOICES_UNTIL_PS, BUDGET));
    for (const record of kernel.drainPackets()) {
      if (record.kind !== 'data') continue;
      const key = `${plan.ports[record.port].node} ${record.flow} ${record.sequence}`;
      sent.set(key, [...(sent.get(key) ?? []), record]);
    }
  }
  return { sent, dropsOf: (flow) => kernel.lossyFlow(flow)?.drops ?? 0 };
}

describe('The random generators', () => {
  // docs/specs/reference-lossy.md, section 8.
  it.each([
    [1, 0, [2249506510n, 2169145229n, 1434043053n, 1669126448n, 1854891473n, 4158009423n]],
    [1, 50, [3279226084n, 1647008504n, 4192081390n, 2021140269n, 4060494385n, 1283720922n]],
    [2, 0, [204045933n, 43323371n, 2868086106n, 3338252896n, 3709782946n, 4021074403n]],
    [2, 50, [2263485081n, 3294017008n, 4089195693n, 4042280538n, 3826044327n, 2567441844n]],
  ])('of seed %i, stream %i start as in the simulator', (seed, stream, state) => {
    expect(streamState(seed, stream)).toEqual(state);
  });
});
