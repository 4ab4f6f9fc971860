/** Compiles the path selection of hosts under `standard`. */
import { PS_PER_US } from '../../../unit-sizes.js';
import { PROBE_BYTES, usidHeaderBytes } from '../../compile/packet-sizes.js';
import { DEFAULT_ENTROPIES, ENTROPIES_MAX } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { denialsPlan } from './denials.js';
import type { EntropyStatesPlan, ProbesPlan, SelectionPlan, SelectionRule } from './plan.js';

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
