/**
 * Settings of a uet-htsim network: one for each option of the program that no other setting of a scenario covers. They are
 * resolved to those of `uet` with defaults, and the tree as a topology file describes it:
 *
 *   leaf-spine, two tiers:   Radix_Down0 = hosts per leaf,  Radix_Up0 = spines,  Radix_Down1 = leaves
 *                            Oversubscribed0 = n, where n = trunc(hosts per leaf / spines) and
 *                            hosts per leaf * rate = spines * rate of uplinks * n
 *   fat-tree, three tiers:   Podsize = k^2 / 4,  all radixes k / 2, but Radix_Down2 = k
 *
 * What the program's arguments and files cannot express is rejected.
 */
import { PS_PER_US } from '../../../units.js';
import { DEFAULT_UET } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import { flag, numberAboveZero, numberIn, optional, record, typed, wholeIn,
  wordOf } from '../../scenario/schema-parts.js';
import { UET_CONTROLS, UET_NEXT_HOPS, UET_PATH_SELECTIONS } from '../../scenario/setting-words.js';
import type { FatTreeSpec, LeafSpineSpec, LinkSpec, ScenarioSpec, UetSpec } from '../../scenario/spec.js';
import { UET_OF_PROGRAM, type UetTier, type ValidUet } from '../../scenario/valid-scenario.js';
import { linkSettings, type LinkSettings } from '../../topology/network.js';
import type { WorkloadFlows } from '../../workload/workload-flows.js';

/** `COUNT_MAX`, `US_MAX` and `PACKET_BYTES_MAX` of the program's arguments (src/uet/arguments.ts). */
const COUNT_MAX = 2 ** 31 - 1;
const TIME_MAX_US = 1e9;
const PACKET_MAX_BYTES = 65_535;
const PATHS_MAX = 2 ** 16;
const GATE_MAX = 63;
/** Maximum rate of a NIC; the program takes whole Mb/s. */
const RATE_MAX_GBPS = 8000;
const DELAY_MAX_NS = 1e12;
const PICOSECOND_US = 1e-6;

const packets = (least: number, meaning: string): ReturnType<typeof wholeIn> => wholeIn(least, COUNT_MAX, meaning);
const part = (meaning: string, given: number): ReturnType<typeof numberIn> => numberIn(0, 1, meaning, given);

const CONTROL = typed('UetControl',
  wordOf(UET_CONTROLS,
    'Congestion control of all flows (-sender_cc_algo, -sender_cc_only, -receiver_cc_only, -receiver_cc).',
    DEFAULT_UET.control),
  'Congestion control of a network of uet-htsim: nscc, dctcp or constant windows by senders; rccc by receivers, who grant credit; or both.');

const PATH_SELECTION = typed('UetPathSelection',
  wordOf(UET_PATH_SELECTIONS, 'How a sender chooses the entropy value of a packet (-load_balancing_algo).',
    DEFAULT_UET.pathSelection),
  'How senders of a network of uet-htsim choose entropy values: oblivious round-robin; bitmap round-robin but for those with a penalty; reps those whose ACK came without a mark, and reps-legacy its older form; mixed oblivious at first, then bitmap.');

const NEXT_HOPS = typed('UetNextHops',
  wordOf(UET_NEXT_HOPS, 'How a switch chooses among next hops (-strat).', DEFAULT_UET.nextHops),
  'How switches of a network of uet-htsim choose among next hops: ecmp-host by a hash of flow and entropy value; ecmp-rr round-robin; rr-ecmp round-robin at leaves, by the hash above; ecmp-ar the least loaded; ecmp-host-ar by the hash unless another is less loaded; ecmp-host-ecn and reactive-ecn by the hash, with marks from half of a queue on.');

const ADAPTIVE = record(optional({
  compare: wordOf(['queue', 'bandwidth'], 'What next hops are compared by (-ar_method).', DEFAULT_UET.adaptive.compare),
  per: wordOf(['packet', 'flow'], 'What is assigned a next hop (-ar_granularity).', DEFAULT_UET.adaptive.per),
  stickyUs: numberIn(0, TIME_MAX_US, 'Idleness after which a flow may move, us (-ar_sticky_delta).',
    DEFAULT_UET.adaptive.stickyUs),
}), 'Of nextHops ecmp-ar and ecmp-host-ar: adaptive routing.', 'UetAdaptiveSpec');

const ECN = record({
  lowPackets: packets(0, 'Packets in a queue at which marks begin.'),
  highPackets: packets(0, 'Packets from which on all are marked; at least lowPackets.'),
}, 'Thresholds of marks (-ecn). Default: 0.2 and 0.8 of the bandwidth-delay product of the longest path.',
  'UetEcnSpec');

const OVERSUBSCRIBED = record(optional({
  enabled: flag(
    'Whether receivers slow down their credit when the network is congested (-oversubscribed_cc, -force_disable_oversubscribed_cc). Default: with control rccc where leaves have more capacity below than above; otherwise not.',
  ),
  increase: part('Increase of the rate per interval (-Ai).', DEFAULT_UET.oversubscribed.increase),
  decrease: part('Decrease of the rate per excess of marks (-Md).', DEFAULT_UET.oversubscribed.decrease),
  weight: part('Weight of the newest share of marks (-alpha).', DEFAULT_UET.oversubscribed.weight),
}), 'Control of an oversubscribed network by receivers.', 'UetOversubscribedSpec');

export const UET_SCHEMA = record(optional({
  control: CONTROL,
  windowPackets: packets(1, 'First window of a sender, packets (-cwnd). Default: 1.5 bandwidth-delay products.'),
  targetDelayUs: numberIn(PICOSECOND_US, TIME_MAX_US,
    'Queuing delay that NSCC aims at, us (-target_q_delay). Default: 0.75 of the longest round trip, without trimming all of it.'),
  quickAdaptGate: wholeIn(0, GATE_MAX,
    'NSCC adapts quickly where less than the largest window over 2^gate was acknowledged (-qa_gate).',
    DEFAULT_UET.quickAdaptGate),
  pairBaseRtt: flag(
    'Whether a flow begins with the base round trip of its hosts, not of the longest path (-enable_accurate_base_rtt).',
    DEFAULT_UET.pairBaseRtt,
  ),
  nackBaseRtt: flag('Whether NACKs lower the base round trip (not -disable_base_rtt_update_on_nack).',
    DEFAULT_UET.nackBaseRtt),
  sleek: flag('Whether losses are recovered by SLEEK, for networks without trimming (-sleek). Not with control rccc.',
    DEFAULT_UET.sleek),
  oversubscribed: OVERSUBSCRIBED,
  ackBytes: wholeIn(0, COUNT_MAX, 'Bytes that a receiver accepts per ACK (-sack_threshold).', DEFAULT_UET.ackBytes),
  pathSelection: PATH_SELECTION,
  paths: wholeIn(1, PATHS_MAX,
    'Entropy values of a flow, a power of two (-paths); with nextHops ecmp-rr and ecmp-ar there is one.',
    DEFAULT_UET.paths),
  nextHops: NEXT_HOPS,
  adaptive: ADAPTIVE,
  queuePackets: packets(1, 'Limit of a queue of data, packets (-q). Default: as queueBdps has it.'),
  queueBdps: packets(1,
    'The same in bandwidth-delay products of the longest path, instead of queuePackets (-queue_size_bdp_factor). Default: 1, without trimming 5.'),
  ecn: ECN,
  trimming: flag('Whether switches trim what does not fit into a queue; otherwise they drop it (not -disable_trim).',
    DEFAULT_UET.trimming),
  trimmedBytes: wholeIn(DEFAULT_UET.trimmedBytes, PACKET_MAX_BYTES, 'Bytes of a trimmed packet (-trimsize).',
    DEFAULT_UET.trimmedBytes),
  slowLinks: wholeIn(0, COUNT_MAX,
    'Slow links, at a quarter of their rate: of a leaf-spine all links of that many spines, of a fat-tree that many links down from cores (-failed).',
    DEFAULT_UET.slowLinks),
  nicGbps: numberAboveZero(RATE_MAX_GBPS,
    "Rate of a host's NIC, Gb/s, in whole Mb/s (-linkspeed). Default: that of its link."),
  switchDelayNs: wholeIn(0, DELAY_MAX_NS, 'Latency of a switch, ns (Switch_Latency_ns of a topology file).',
    DEFAULT_UET.switchDelayNs),
}), 'Under reference-uet: a network of uet-htsim at commit 40ccb05, by the options of that program.', 'UetSpec');

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
