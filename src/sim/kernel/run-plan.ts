/** Runs a plan to its end in one call and returns the counters, for tests, benchmarks and programs with their own plans. */
import { checkRecord } from '../../config/field-rules.js';
import type { NetworkPlan } from '../plan.js';
import type { Totals, LossFigures } from '../result.js';
import { SimKernel } from './kernel.js';
import type { RawFlow, RawPort } from './read-records.js';
import type { RawWanNode, RawWanPort } from '../features/wan/memory.js';

/** The outcome of a plan's run. Lists are in the plan's order. */
export interface PlanResult {
  /** When the run ended, picoseconds. */
  readonly nowPs: number;
  /** Events handled. */
  readonly events: number;
  /** Transmissions by any port. */
  readonly packetHops: number;
  /** Flows in the plan's order. */
  readonly flows: readonly (RawFlow & {
    /** Start to last ACK, picoseconds; null while unfinished. */
    readonly completionPs: number | null;
    /** How often the flow changed its UDP source port on a Fast CNP. */
    readonly detours: number;
  })[];
  /** Losses and reordering of each flow. */
  readonly losses: readonly LossFigures[];
  /** Ports in the plan's order. */
  readonly ports: readonly RawPort[];
  /** Counters of the whole network. */
  readonly totals: Totals;
  /** Counters of tunnels and ARNs; undefined: the plan has no WAN with provider edges. */
  readonly wan?: {
    /** Counters of each node. */
    readonly nodes: readonly RawWanNode[];
    /** Counters of each port. */
    readonly ports: readonly RawWanPort[];
    /** How long each service, flow or class was held, picoseconds. */
    readonly heldPs: readonly number[];
  };
}

const BUDGET = 2 ** 30;

/** @throws RoceError `capacity`. */
export function runPlan(plan: NetworkPlan): PlanResult {
  checkRecord(plan, 'plan');
  const kernel = new SimKernel(plan);
  while (kernel.run(plan.endPs, BUDGET) === 'budget');
  return collect(kernel);
}

function wanOf({ wan, plan }: SimKernel): Pick<PlanResult, 'wan'> {
  if (wan === undefined) return {};
  return {
    wan: {
      nodes: plan.nodes.map((_, index) => wan.node(index)),
      ports: plan.ports.map((_, index) => wan.port(index)),
      heldPs: wan.heldPs(),
    },
  };
}

/** The kernel's counters so far. */
function collect(kernel: SimKernel): PlanResult {
  kernel.account();
  const flows = Array.from({ length: kernel.plan.flows.length }, (_, index) => {
    const flow = kernel.flow(index);
    return { ...flow, completionPs: flow.done ? flow.finishPs - flow.startPs : null, detours: kernel.detours(index) };
  });
  return {
    nowPs: kernel.nowPs,
    events: kernel.events,
    packetHops: kernel.packetHops,
    flows,
    losses: flows.map((_, index) => kernel.losses(index)),
    ports: kernel.plan.ports.map((_, index) => kernel.port(index)),
    totals: kernel.totals(),
    ...wanOf(kernel),
  };
}
