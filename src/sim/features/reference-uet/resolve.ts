/**
 * Resolves the settings of a uet-htsim network: those of `uet` with defaults, and the tree as a topology file describes it.
 * Rejects settings that the program's arguments and files cannot express.
 *
 *   leaf-spine, two tiers:   Radix_Down0 = hosts per leaf,  Radix_Up0 = spines,  Radix_Down1 = leaves
 *                            Oversubscribed0 = n, where n = trunc(hosts per leaf / spines) and
 *                            hosts per leaf * rate = spines * rate of uplinks * n
 *   fat-tree, three tiers:   Podsize = k^2 / 4,  all radixes k / 2, but Radix_Down2 = k
 */
import { PS_PER_US } from '../../../unit-sizes.js';
import { linkSettings, type LinkSettings } from '../../topology/network.js';
import type { WorkloadFlows } from '../../workload/workload-flows.js';
import { DEFAULT_UET } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { FatTreeSpec, LeafSpineSpec, LinkSpec, ScenarioSpec, UetSpec } from '../../scenario/spec.js';
import { UET_OF_PROGRAM, type UetTier, type ValidUet } from '../../scenario/valid-scenario.js';

const MBPS_PER_GBPS = 1000;
/** Maximum of the program's option `-end`. */
const END_MAX_US = 1e9;
/** Starts in a connection matrix are 32-bit floats, which represent all whole numbers up to this one. */
const START_MAX_US = 2 ** 24;

/**
 * Resolves the settings of a scenario.
 *
 * @param flows the scenario's flows.
 * @throws RoceError `invalid-scenario`, naming the setting.
 */
export function resolveUet(spec: ScenarioSpec, flows: WorkloadFlows): ValidUet {
  const { uet = {}, durationUs } = spec;
  if (durationUs !== undefined) requireWhole(durationUs, END_MAX_US, 'us', 'durationUs');
  requireStarts(flows);
  requireTogether(uet);
  const tree = treeOf(spec.topology as LeafSpineSpec | FatTreeSpec);
  const ofProgram = Object.fromEntries(UET_OF_PROGRAM.map((key) => [key, uet[key] ?? null]));
  return {
    ...DEFAULT_UET,
    ...uet,
    ...ofProgram as Pick<ValidUet, (typeof UET_OF_PROGRAM)[number]>,
    adaptive: { ...DEFAULT_UET.adaptive, ...uet.adaptive },
    oversubscribed: { enabled: null, ...DEFAULT_UET.oversubscribed, ...uet.oversubscribed },
    nicMbps: nicMbpsOf(uet.nicGbps ?? tree.tiers[0].rateGbps),
    ...tree,
  };
}

function requireStarts(flows: WorkloadFlows): void {
  for (let index = 0; index < flows.length; index++) {
    const { startPs } = flows.get(index);
    const startUs = startPs / PS_PER_US;
    if (Number.isInteger(startUs) && startUs <= START_MAX_US) continue;
    rejectScenario({
      what: `the start of flow ${index}`,
      got: startUs,
      allowed: { min: 0, max: START_MAX_US, multipleOf: 1, unit: 'us' },
      where: 'workload',
      hint: 'The fidelity is reference-uet',
    });
  }
}

function requireTogether({ control = DEFAULT_UET.control, sleek, paths, ecn, queuePackets, queueBdps }: UetSpec): void {
  if (paths !== undefined && !Number.isInteger(Math.log2(paths))) {
    rejectScenario({ got: paths, allowed: 'a power of two', where: 'uet.paths' });
  }
  if (ecn !== undefined && ecn.highPackets < ecn.lowPackets) {
    rejectScenario({ got: ecn.highPackets, allowed: { min: ecn.lowPackets }, where: 'uet.ecn.highPackets' });
  }
  if (sleek === true && control === 'rccc') {
    rejectScenario({ problem: 'needs control by senders, and uet.control is rccc', got: sleek, where: 'uet.sleek' });
  }
  if (queueBdps !== undefined && queuePackets !== undefined) {
    const problem = 'has no effect, as uet.queuePackets is given';
    rejectScenario({ problem, got: queueBdps, where: 'uet.queueBdps' });
  }
}

function nicMbpsOf(nicGbps: number): number {
  const nicMbps = Math.round(nicGbps * MBPS_PER_GBPS);
  if (nicMbps > 0 && nicMbps / MBPS_PER_GBPS === nicGbps) return nicMbps;
  return rejectScenario({ got: nicGbps, allowed: 'a multiple of 0.001 Gb/s', where: 'uet.nicGbps' });
}

function treeOf(topology: LeafSpineSpec | FatTreeSpec): Pick<ValidUet, 'tiers' | 'podHosts'> {
  const link = wholeLink(topology, linkSettings(topology), 'topology');
  if (topology.kind === 'leaf-spine') return leafSpine(topology, link);
  const half = topology.k / 2;
  const below = { ...link, radixDown: half, radixUp: half, oversubscribed: 1 };
  return { tiers: [below, below, { ...below, radixDown: topology.k, radixUp: 0 }], podHosts: half * half };
}

function leafSpine({ leaves, spines, hostsPerLeaf, uplink }: LeafSpineSpec,
  link: LinkSettings): Pick<ValidUet, 'tiers' | 'podHosts'> {
  const up = wholeLink(uplink, linkSettings(uplink, link), 'topology.uplink');
  const oversubscribed = Math.trunc(hostsPerLeaf / spines);
  if (oversubscribed < 1 || hostsPerLeaf * link.rateGbps !== spines * up.rateGbps * oversubscribed) {
    rejectScenario({
      what: 'the number of spines',
      problem: 'does not give uplinks with the capacity of the hosts, or a whole part of it',
      got: spines,
      where: 'topology.spines',
      hint:
        'Under fidelity reference-uet hostsPerLeaf x rate must be spines x rate of uplinks x n, where n is hostsPerLeaf / spines without a remainder',
    });
  }
  const low: UetTier = { ...link, radixDown: hostsPerLeaf, radixUp: spines, oversubscribed };
  const high: UetTier = { ...up, radixDown: leaves, radixUp: 0, oversubscribed: 1 };
  return { tiers: [low, high], podHosts: leaves * hostsPerLeaf };
}

/** Requires whole Gb/s and ns, as in topology files. */
function wholeLink(given: LinkSpec | undefined, { rateGbps, delayNs }: LinkSettings, where: string): LinkSettings {
  if (given?.rateGbps !== undefined) requireWhole(rateGbps, Infinity, 'Gb/s', `${where}.rateGbps`, 1);
  if (given?.delayNs !== undefined) requireWhole(delayNs, Infinity, 'ns', `${where}.delayNs`);
  return { rateGbps, delayNs };
}

function requireWhole(got: number, max: number, unit: string, where: string, min = 0): void {
  if (Number.isInteger(got) && got >= min && got <= max) return;
  const range = max === Infinity ? { min } : { min, max };
  rejectScenario({ got, allowed: { ...range, multipleOf: 1, unit }, where, hint: 'The fidelity is reference-uet' });
}
