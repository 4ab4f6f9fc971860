/** Validates programs of ranks and turns them into graphs. */
import { PS_PER_US } from '../../../unit-sizes.js';
import { MOST_OPERATIONS } from '../../../workloads/graph/workload-graph.js';
import { programGraph, type ProgramStep } from '../../../workloads/program-graph.js';
import { DEFAULT_COLLECTIVE, DEFAULT_RANKS_PER_HOST } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { CollectiveStepSpec, ProgramSpec, StepSpec } from '../../scenario/spec.js';
import { algorithmOf, mostMessages, sizeOf } from './collective.js';
import { jobFlows, repeated } from './job.js';
import { type WorkloadContext, type WorkloadFlow } from '../../workload/workload-flow.js';

/** The flows of a program. */
export function* program(spec: ProgramSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { where } = context;
  const {
    hosts,
    ranks = (hosts?.length ?? context.hosts.length) * (spec.ranksPerHost ?? DEFAULT_RANKS_PER_HOST),
    steps,
  } = spec;
  if (ranks < 2)
    rejectScenario({ what: 'the number of ranks', got: ranks, allowed: { min: 2 }, where: `${where}.ranks` });
  const places = new Map<string, number>();
  const checked = steps.map((step, place) => {
    const made = checkedStep(step, ranks, places, `${where}.steps[${place}]`);
    if (step.name !== undefined) places.set(step.name, place);
    return made;
  });
  requireRoom(checked, ranks, where);
  const name = spec.name ?? `program ${context.jobs.all.length}`;
  yield* jobFlows(spec, repeated(spec, programGraph(checked, ranks, name), where), context, name);
}

function checkedStep(step: StepSpec, ranks: number, places: ReadonlyMap<string, number>, where: string): ProgramStep {
  const { name = '' } = step;
  if (places.has(name)) {
    rejectScenario({
      what: 'the name of the step',
      problem: 'is already in use',
      got: name,
      where: `${where}.name`,
    });
  }
  const after = step.after?.map((one, place) => placeOf(one, places, `${where}.after[${place}]`));
  if (step.kind === 'collective') return collectiveStep(step, ranks, { name, after }, where);
  if (step.kind === 'compute') {
    const own = step.ranks;
    if (own !== undefined) requireRanks(own, ranks, `${where}.ranks`);
    return { kind: 'compute', name, after, durationPs: Math.round(step.us * PS_PER_US), ranks: own };
  }
  const { from, to, sizeBytes } = step;
  requireRanks([from], ranks, `${where}.from`);
  requireRanks([to], ranks, `${where}.to`);
  if (from === to)
    rejectScenario({ what: 'the message', problem: 'goes from a rank to itself', got: to, where: `${where}.to` });
  return { kind: 'message', name, after, from, to, sizeBytes };
}

function collectiveStep(step: CollectiveStepSpec, ranks: number, common: Pick<ProgramStep, 'name' | 'after'>,
  where: string): ProgramStep {
  const { collective, chunks = DEFAULT_COLLECTIVE.chunks, groups } = step;
  const sizes = new Set(groups?.map((group) => group.length) ?? [ranks]);
  if (groups !== undefined) requireRanks(groups.flat(), ranks, `${where}.groups`);
  if (sizes.size > 1) {
    rejectScenario({ what: 'the groups', problem: 'are not of one size', got: [...sizes], where: `${where}.groups` });
  }
  const [n] = [...sizes];
  const by = algorithmOf(step, n, where);
  if (by === 'hierarchical')
    rejectScenario({ what: 'by of a step', got: by, allowed: 'one without servers', where: `${where}.by` });
  const sizeBytes = sizeOf(step, where) * (collective === 'all-gather' ? n : 1);
  return { ...common, kind: 'collective', collective, by, sizeBytes, chunks, groups };
}

function placeOf(name: string, places: ReadonlyMap<string, number>, where: string): number {
  const place = places.get(name);
  if (place !== undefined) return place;
  return rejectScenario({
    what: 'the step',
    got: name,
    allowed: [...places.keys()],
    where,
    hint: 'Only steps before it',
  });
}

/** Requires that ranks exist and that none is listed twice. */
function requireRanks(own: readonly number[], ranks: number, where: string): void {
  const wrong = own.find((rank) => rank >= ranks);
  if (wrong !== undefined) rejectScenario({ what: 'the rank', got: wrong, allowed: { below: ranks }, where });
  if (new Set(own).size < own.length) rejectScenario({ what: 'a rank', problem: 'is listed twice', got: own, where });
}

/** Rejects programs that are too large, by an upper bound, before the graph is built. */
function requireRoom(steps: readonly ProgramStep[], ranks: number, where: string): void {
  const operations = steps.reduce((sum, step) => {
    if (step.kind !== 'collective') return sum + (step.kind === 'compute' ? (step.ranks?.length ?? ranks) : 2);
    const n = step.groups?.[0]?.length ?? ranks;
    return sum + 2 * ranks + 2 * (step.groups?.length ?? 1) * mostMessages(step.by, n, step.chunks);
  }, 0);
  if (operations <= 2 * MOST_OPERATIONS) return;
  rejectScenario({ what: 'the number of operations', got: operations, allowed: { max: MOST_OPERATIONS }, where });
}
