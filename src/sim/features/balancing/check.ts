/** Rejects settings of load balancing and source-port changes that their fidelity lacks or that contradict each other. */
import { rejectForeign, rejectScenario } from '../../scenario/scenario-error.js';
import { BALANCING_RULES, ENTROPY_BITS, LOSSY_BALANCING } from './rules.js';
import type { EntropyBitsSpec, Fidelity, LoadBalancing, ScenarioSpec, SwitchSpec } from '../../scenario/spec.js';

const ALLOWED: Readonly<Record<Fidelity, readonly LoadBalancing[]>> = {
  'standard': BALANCING_RULES,
  'reference': [],
  'reference-lossy': LOSSY_BALANCING,
  'reference-uet': [],
};

/** The settings of one switch, or of all, and their path in the scenario. */
interface Place {
  readonly where: string;
  readonly spec: SwitchSpec;
}

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function checkBalancing(spec: ScenarioSpec, fidelity: Fidelity): void {
  const { switches = {}, overrides = [] } = spec;
  const ofAll: Place = { where: 'switches', spec: switches };
  const own = overrides.flatMap((override, i): Place[] =>
    override.switch === undefined ? [] : [{ where: `overrides[${i}].switch`, spec: override.switch }]
  );
  for (const place of [ofAll, ...own]) checkRule(place, fidelity);
  if (fidelity !== 'standard') {
    rejectForeign(settingsOf(spec), 'standard', fidelity);
    own.forEach(rejectOwn);
  }
  checkConga(switches.loadBalancing, own);
  checkThresholds(switches.adaptive?.thresholdsKB);
  checkEntropies(spec.hosts?.entropies);
  checkBits(switches.entropyBits);
}

function checkRule({ where, spec: { loadBalancing } }: Place, fidelity: Fidelity): void {
  const allowed = ALLOWED[fidelity];
  if (loadBalancing === undefined || allowed.includes(loadBalancing)) return;
  const place = `${where}.loadBalancing`;
  if (allowed.length === 0) {
    const problem = `is a setting of fidelities standard and reference-lossy, and the fidelity is ${fidelity}`;
    return rejectScenario({ what: place, problem, got: loadBalancing, where: place });
  }
  rejectScenario({ what: `${place} under fidelity ${fidelity}`, got: loadBalancing, allowed, where: place });
}

/** Settings that only `standard` has. */
function settingsOf({ switches = {}, hosts = {}, overrides = [] }: ScenarioSpec): (readonly [string, unknown])[] {
  return [
    ['switches.flowletGapUs', switches.flowletGapUs],
    ['switches.drill', switches.drill],
    ['switches.conga', switches.conga],
    ['switches.adaptive', switches.adaptive],
    ['switches.usids', switches.usids],
    ['switches.entropyBits', switches.entropyBits],
    ['hosts.onFastCnp', hosts.onFastCnp],
    ['hosts.pathSelection', hosts.pathSelection],
    ['hosts.entropies', hosts.entropies],
    ['hosts.reps', hosts.reps],
    ['hosts.entropyStates', hosts.entropyStates],
    ...overrides.flatMap(({ host }, i) => [
      [`overrides[${i}].host.onFastCnp`, host?.onFastCnp] as const,
      [`overrides[${i}].host.pathSelection`, host?.pathSelection] as const,
    ]),
  ];
}

/** Rejects rules of single switches: the second reference simulator has one rule for all. */
function rejectOwn({ where, spec: { loadBalancing } }: Place): void {
  if (loadBalancing !== undefined) rejectShared(loadBalancing, `${where}.loadBalancing`);
}

/** Rejects a mix of CONGA and other rules: CONGA's leaves need spines that record congestion. */
function checkConga(ofAll: LoadBalancing | undefined, own: readonly Place[]): void {
  for (const { where, spec: { loadBalancing } } of own) {
    if (loadBalancing === undefined || loadBalancing === (ofAll ?? 'ecmp')) continue;
    if (loadBalancing === 'conga' || ofAll === 'conga') rejectShared(loadBalancing, `${where}.loadBalancing`);
  }
}

/** Requires ascending thresholds. */
function checkThresholds(thresholdsKB: readonly number[] = []): void {
  const at = thresholdsKB.findIndex((threshold, i) => i > 0 && threshold <= thresholdsKB[i - 1]);
  if (at < 0) return;
  const where = `switches.adaptive.thresholdsKB[${at}]`;
  rejectScenario({ what: 'a threshold', problem: 'must exceed the one before', got: thresholdsKB[at], where });
}

/** Requires bits of the UDP source port. */
function checkBits({ plane, tiers = [] }: EntropyBitsSpec = {}): void {
  const fields = tiers.map((field, i) => ({ field, where: `switches.entropyBits.tiers[${i}]` }));
  if (plane !== undefined) fields.push({ field: plane, where: 'switches.entropyBits.plane' });
  for (const { field, where } of fields) {
    if (field.offset + field.width <= ENTROPY_BITS) continue;
    rejectScenario({
      what: where,
      problem: `ends beyond the ${ENTROPY_BITS} bits of a UDP source port`,
      got: field,
      where,
    });
  }
}

/** Requires a power of two: round-robin positions are combined bit by bit with a random number. */
function checkEntropies(entropies: number | undefined): void {
  if (entropies === undefined || Number.isInteger(Math.log2(entropies))) return;
  rejectScenario({
    what: 'the number of entropies',
    problem: 'must be a power of two',
    got: entropies,
    where: 'hosts.entropies',
  });
}

function rejectShared(got: LoadBalancing, where: string): never {
  const [problem, hint] = ['must be the same for all switches', 'It is set by switches.loadBalancing'];
  return rejectScenario({ what: 'loadBalancing', problem, got, where, hint });
}
