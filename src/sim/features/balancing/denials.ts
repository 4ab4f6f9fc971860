/** Entropies that a controller denies, `hosts.entropyStates.denied`, as one event per entropy. */
import { PS_PER_US } from '../../../unit-sizes.js';
import type { DenialPlan, EntropyStatesPlan } from './plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { DeniedEntropiesSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';

interface Denial {
  readonly fromPs: number;
  readonly toPs: number;
  readonly numbers: ReadonlySet<number>;
}

/**
 * The events, ordered by time, then by entropy number.
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
    const now = numbersAt(all, timePs);
    requireLeft(now, valid, active, timePs);
    const changed = [...new Set([...before, ...now])].filter((number) => before.has(number) !== now.has(number));
    denials.push(...changed.sort((a, b) => a - b).map((number) => ({ timePs, number, isDenied: now.has(number) })));
    before = now;
  }
  return denials.length === 0 ? {} : { denials };
}

function numbersAt(all: readonly Denial[], timePs: number): ReadonlySet<number> {
  return new Set(all.flatMap(({ fromPs, toPs, numbers }) => fromPs <= timePs && timePs < toPs ? [...numbers] : []));
}

function denialOf({ plane, entropies, fromUs = 0, toUs = Infinity }: DeniedEntropiesSpec,
  { hosts: { entropyStates: { reserve } }, balancing: { entropyBits }, network }: ValidScenario, active: number,
  where: string): Denial {
  const [count, planes] = [active + reserve, network.planes?.count ?? 1];
  if ((plane === undefined) === (entropies === undefined)) {
    const problem = plane === undefined ? 'names neither entropies nor a plane' : 'names entropies and a plane';
    rejectScenario({ what: where, problem, got: { plane, entropies }, where });
  }
  if (toUs <= fromUs) {
    rejectScenario({ what: where, problem: 'ends before it begins', got: { fromUs, toUs }, where: `${where}.toUs` });
  }
  if (plane !== undefined) requireBelow(plane, planes, `${where}.plane`);
  if (plane !== undefined && entropyBits.plane !== null) {
    const problem = 'is not modelled together with switches.entropyBits.plane';
    rejectScenario({ what: where, problem, got: plane, where: `${where}.plane`, hint: 'Name the entropies by number' });
  }
  entropies?.forEach((number, i) => {
    requireBelow(number, count, `${where}.entropies[${i}]`);
  });
  const numbers = entropies ??
    Array.from({ length: count }, (_, number) => number).filter((number) => number % planes === plane);
  return { fromPs: Math.round(fromUs * PS_PER_US), toPs: Math.round(toUs * PS_PER_US), numbers: new Set(numbers) };
}

function requireBelow(got: number, count: number, where: string): void {
  if (got >= count) rejectScenario({ what: where, got, allowed: { min: 0, max: count - 1 }, where });
}

/**
 * Requires that a flow always has an entropy that is not denied. Each slot of the active set stays in its plane, whichever
 * entropy fills it.
 */
function requireLeft(denied: ReadonlySet<number>, { network }: ValidScenario, active: number, timePs: number): void {
  const planes = network.planes?.count ?? 1;
  const isOf = (plane: number) => (number: number): boolean => number % planes === plane;
  const slots = Array.from({ length: active }, (_, slot) => slot);
  for (let plane = 0; plane < planes; plane++)
    if (slots.filter(isOf(plane)).length > [...denied].filter(isOf(plane)).length) return;
  const where = 'hosts.entropyStates.denied';
  rejectScenario({
    what: where,
    problem: `may leave a flow without an entropy at ${timePs / PS_PER_US} us`,
    got: `${denied.size} of ${active} in the active set and its reserve`,
    where,
    hint: 'Of one plane at least, deny fewer entropies than its share of the active set',
  });
}
