/**
 * Compiles the path selection of hosts under `standard`, and the entropies that a controller denies
 * (`hosts.entropyStates.denied`), as one event per entropy or plane.
 */
import { DENIED_PLANE } from '../../../abi/records/balancing.js';
import { PS_PER_US } from '../../../units.js';
import { PROBE_BYTES, usidHeaderBytes } from '../../compile/packet-sizes.js';
import type { NetworkPlan } from '../../plan.js';
import { DEFAULT_ENTROPIES, ENTROPIES_MAX } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { DeniedEntropiesSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { EntropyStatesPlan, ProbesPlan, SelectionPlan, SelectionRule, DenialPlan } from './plan.js';
import { RULE_FACTS } from './rules.js';

/**
 * The plan of path selection; undefined if hosts change UDP source ports only on Fast CNPs, or not at all.
 *
 * @param detours whether each node changes a flow's source port on a Fast CNP.
 * @param longestRttPs longest base round trip of all pairs of hosts.
 * @throws RoceError `invalid-scenario` for a host that changes ports both per packet and on Fast CNPs, or for too many
 * entropies.
 */
export function selectionPlan(valid: ValidScenario, detours: readonly boolean[], longestRttPs: number): SelectionPlan
  | undefined {
  const { hosts: { entropies, reps } } = valid;
  const rules = valid.network.nodes.map(({ kind }, node) => kind === 'host' ? ruleOf(valid, node) : 'flow');
  if (rules.every((rule) => rule === 'flow')) return undefined;
  rules.forEach((rule, node) => {
    if (rule !== 'flow' && detours[node]) rejectBoth(valid, node, rule);
  });
  return {
    rules,
    entropies: rules.map((rule) => rule === 'flow' ? 1 : entropies ?? DEFAULT_ENTROPIES[rule]),
    freezePs: Math.round(reps.freezeUs * PS_PER_US),
    explorePackets: reps.explorePackets,
    ...(rules.includes('entropy-states') ? { states: statesPlan(valid, longestRttPs) } : {}),
  };
}

function statesPlan(valid: ValidScenario, longestRttPs: number): EntropyStatesPlan {
  const { hosts: { entropies, entropyStates }, trimming, network: { planes } } = valid;
  const { reserve, minActive, skip, inferredLoss, portRoomBytes, probes, alwaysSkipMarks } = entropyStates;
  const active = entropies ?? DEFAULT_ENTROPIES['entropy-states'];
  requireAtMost('hosts.entropyStates.reserve', reserve, ENTROPIES_MAX - active);
  requireAtMost('hosts.entropyStates.minActive', minActive, active);
  return {
    reserve,
    minActive,
    skipPs: skip === 'rotation' ? null : longestRttPs,
    inferredLoss: inferredLoss ?? (trimming === null ? 'skip' : 'assumed-bad'),
    planes: planes?.count ?? 1,
    ...planeBits(valid, active),
    portRoomBytes,
    ...(probes ? { probes: probesPlan(valid) } : {}),
    ...(alwaysSkipMarks > 0 ? { alwaysSkipMarks } : {}),
    ...denialsPlan(valid, active),
  };
}

function probesPlan(valid: ValidScenario): ProbesPlan {
  const { probeIntervalUs, probesToReturn, markedProbe } = valid.hosts.entropyStates;
  if (probeIntervalUs === null) requireTimeouts(valid);
  return {
    intervalPs: probeIntervalUs === null ? null : Math.max(1, Math.round(probeIntervalUs * PS_PER_US)),
    toReturn: probesToReturn,
    marked: markedProbe,
    lenBytes: PROBE_BYTES + usidHeaderBytes(valid.balancing.usids),
  };
}

/** Rejects probes without an interval at hosts without a timeout, which is the default interval. */
function requireTimeouts(valid: ValidScenario): void {
  const { hosts, hostOverrides, network: { nodes } } = valid;
  const without = nodes.find(({ kind }, node) =>
    kind === 'host' && ruleOf(valid, node) === 'entropy-states' &&
    (hostOverrides[node]?.retransmitTimeoutUs ?? hosts.retransmitTimeoutUs) === 0
  );
  if (without === undefined) return;
  const problem = `probes at the interval of the retransmission timeout, and ${without.name} has none`;
  const hint = 'Set hosts.entropyStates.probeIntervalUs, or a timeout';
  rejectScenario({
    what: 'path selection entropy-states',
    problem,
    got: true,
    where: 'hosts.entropyStates.probes',
    hint,
  });
}

/** @throws RoceError `invalid-scenario` for bits that do not share the active set equally among the planes. */
function planeBits({ network: { planes }, switches, balancing: { entropyBits: { plane } } }: ValidScenario,
  active: number): Pick<EntropyStatesPlan, 'planeBits'> {
  const isUsed = switches.some((settings) => settings?.balancingRule === 'entropy-bits');
  if (!isUsed || plane === null || planes === undefined) return {};
  const where = 'switches.entropyBits.plane';
  if (2 ** plane.width < planes.count) {
    const problem = `of ${plane.width} bits can not select ${planes.count} planes`;
    rejectScenario({ what: where, problem, got: plane, where: `${where}.width` });
  }
  if (2 ** (plane.offset + plane.width) > active) {
    const problem = `has bits that do not vary among a flow's ${active} entropies, which are consecutive`;
    const hint = 'Use lower bits, or raise hosts.entropies';
    rejectScenario({ what: where, problem, got: plane, where, hint });
  }
  return { planeBits: plane };
}

/** Rejects an entropy count above its maximum. */
function requireAtMost(where: string, got: number, max: number): void {
  if (got > max) rejectScenario({ what: where, got, allowed: { max }, where });
}

export function ruleOf({ hosts, hostOverrides }: ValidScenario, host: number): SelectionRule {
  return hostOverrides[host]?.pathSelection ?? hosts.pathSelection;
}

function rejectBoth({ network: { nodes } }: ValidScenario, node: number, rule: SelectionRule): never {
  return rejectScenario({
    what: `path selection ${rule} of ${nodes[node].name}`,
    problem: 'chooses a port for each packet, so a Fast CNP can not change that of the flow',
    got: { pathSelection: rule, onFastCnp: 'slow-down-and-detour' },
    where: 'hosts.pathSelection',
    hint: 'Set hosts.onFastCnp to slow-down, or hosts.pathSelection to flow',
  });
}

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
function denialsPlan(valid: ValidScenario, active: number): Pick<EntropyStatesPlan, 'denials'> {
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

/** Whether the flows of a host are spread over several paths. */
export type IsSpread = (source: number) => boolean;

/** Which flows have packets on several paths at once, due to a switch's rule or to their sender's entropies. */
export function spreadOfScenario(valid: ValidScenario): IsSpread {
  const { fidelity, switches } = valid;
  if (fidelity !== 'standard') return () => false;
  const atSwitches = switches.some((settings) => settings !== null && RULE_FACTS[settings.balancingRule].spreads);
  return (source) => atSwitches || ruleOf(valid, source) !== 'flow';
}

/** Like `spreadOfScenario`, for a plan. */
export function spreadOfPlan({ balancing }: NetworkPlan): IsSpread {
  if (balancing === undefined) return () => false;
  const atSwitches = balancing.rules.some((rule) => RULE_FACTS[rule].spreads);
  return (source) => atSwitches || (balancing.selection?.rules[source] ?? 'flow') !== 'flow';
}
