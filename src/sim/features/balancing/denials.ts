/** Entropies that a controller denies, `hosts.entropyStates.denied`, as one event per entropy or plane. */
import { DENIED_PLANE } from '../../../abi/records/balancing.js';
import { PS_PER_US } from '../../../unit-sizes.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { DeniedEntropiesSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { DenialPlan, EntropyStatesPlan } from './plan.js';

interface Denial {
  readonly fromPs: number;
  readonly toPs: number;
  readonly targets: ReadonlySet<number>;
}

/**
 * The events, ordered by time, then entropies by number, then planes.
 *
 * @param active size of the active set.
 * @throws RoceError `invalid-scenario` for entropies that do not exist, and for a time at which a flow might have no entropy
 * left.
 */
export function denialsPlan(valid: ValidScenario, active: number): Pick<EntropyStatesPlan, 'denials'> {
  const { denied } = valid.hosts.entropyStates;
  const all = denied.map((one, i) => denialOf(one, valid, active, `hosts.entropyStates.denied[${i}]`));
  const timesPs = [...new Set(all.flatMap(({ fromPs, toPs }) => [fromPs, toPs]))].filter((timePs) => timePs < Infinity)
    .sort((a, b) => a - b);
  const denials: DenialPlan[] = [];
  let before: ReadonlySet<number> = new Set();
  for (const timePs of timesPs) {
    const now = deniedAt(all, timePs);
    requireLeft(now, valid, active, timePs);
    const changed = [...new Set([...before, ...now])].filter((target) => before.has(target) !== now.has(target));
    denials.push(...changed.sort((a, b) => a - b).map((target) => ({ timePs, target, isDenied: now.has(target) })));
    before = now;
  }
  return denials.length === 0 ? {} : { denials };
}

function deniedAt(all: readonly Denial[], timePs: number): ReadonlySet<number> {
  return new Set(all.flatMap(({ fromPs, toPs, targets }) => fromPs <= timePs && timePs < toPs ? [...targets] : []));
}

function denialOf({ plane, entropies, fromUs = 0, toUs = Infinity }: DeniedEntropiesSpec,
  { hosts: { entropyStates: { reserve } }, network }: ValidScenario, active: number, where: string): Denial {
  const [count, planes] = [active + reserve, network.planes?.count ?? 1];
  if ((plane === undefined) === (entropies === undefined)) {
    const problem = plane === undefined ? 'names neither entropies nor a plane' : 'names entropies and a plane';
    rejectScenario({ what: where, problem, got: { plane, entropies }, where });
  }
  if (toUs <= fromUs) {
    rejectScenario({ what: where, problem: 'ends before it begins', got: { fromUs, toUs }, where: `${where}.toUs` });
  }
  if (plane !== undefined) requireBelow(plane, planes, `${where}.plane`);
  entropies?.forEach((number, i) => {
    requireBelow(number, count, `${where}.entropies[${i}]`);
  });
  const targets = entropies ?? [DENIED_PLANE + (plane ?? 0)];
  return { fromPs: Math.round(fromUs * PS_PER_US), toPs: Math.round(toUs * PS_PER_US), targets: new Set(targets) };
}

function requireBelow(got: number, count: number, where: string): void {
  if (got >= count) rejectScenario({ what: where, got, allowed: { min: 0, max: count - 1 }, where });
}

/**
 * Requires that a flow always has an entropy that is not denied, whichever its first one is. Each slot of the active set stays in its
 * plane, whichever entropy fills it.
 */
function requireLeft(denied: ReadonlySet<number>, valid: ValidScenario, active: number, timePs: number): void {
  const numbers = [...denied].filter((target) => target < DENIED_PLANE);
  const left = planesLeft(denied, valid.network.planes?.count ?? 1);
  const isLeft = valid.balancing.entropyBits.plane === null ?
    left.every((open) => hasEntropy(numbers, open, active)) :
    left[0].every(Boolean) && numbers.length < active;
  if (isLeft) return;
  const where = 'hosts.entropyStates.denied';
  rejectScenario({
    what: where,
    problem: `may leave a flow without an entropy at ${timePs / PS_PER_US} us`,
    got: `${numbers.length} of ${active} in the active set and its reserve, and ${denied.size - numbers.length} planes`,
    where,
    hint: 'Of one plane at least, deny fewer entropies than its share of the active set',
  });
}

/** By the plane of a flow's first entropy: whether entropies 0, 1, … are in a plane that is not denied; the list repeats. */
function planesLeft(denied: ReadonlySet<number>, planes: number): readonly (readonly boolean[])[] {
  const each = Array.from({ length: planes }, (_, plane) => plane);
  return each.map((first) => each.map((number) => !denied.has(DENIED_PLANE + (first + number) % planes)));
}

/** Whether an open plane has more slots than denied entropies. */
function hasEntropy(denied: readonly number[], open: readonly boolean[], active: number): boolean {
  const planes = open.length;
  return open.some((isOpen, start) => {
    const slots = Math.ceil((active - start) / planes);
    return isOpen && slots > denied.filter((number) => number % planes === start).length;
  });
}
