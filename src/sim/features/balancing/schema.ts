/**
 * Load balancing in switches and path selection in hosts. Settings that their fidelity lacks or that contradict each other are
 * rejected.
 */
import * as z from 'zod';
import { DEFAULT_BALANCING, DEFAULT_CLASS_SHARES, DEFAULT_ENTROPIES, DEFAULT_ENTROPY_STATES, DEFAULT_FLOWLET_GAPS_US,
  DEFAULT_HOSTS, DEFAULT_PATHS, DEFAULT_REPS, DEFAULT_RULE, DEFAULT_USIDS,
  ENTROPIES_MAX } from '../../scenario/defaults.js';
import { rejectForeign, rejectScenario } from '../../scenario/scenario-error.js';
import { ABSENT_UNLESS_GIVEN, flag, listOf, meta, numberAboveZero, numberIn, optional, orFlag, record, rejecting,
  TIME_MAX_US, timeUs, typed, wholeIn, wordOf } from '../../scenario/schema-parts.js';
import { PLANES_MAX } from '../../scenario/schema-topology.js';
import { PATH_SELECTIONS } from '../../scenario/setting-words.js';
import type { EntropyBitsSpec, Fidelity, LoadBalancing, ScenarioSpec, SwitchSpec } from '../../scenario/spec.js';
import { BALANCING_RULES, ENTROPY_BITS, LOSSY_BALANCING, RULES_HELP } from './rules.js';

const CLASSES_MAX = 7;
const PERCENT = 100;

const LOAD_BALANCING_WORDS =
  `Which of several equal paths a data packet takes. Under standard: ${RULES_HELP}. Under reference-lossy: ecmp, drill and conga as above; letflow a random one per flowlet; conweave, which changes the path when its replies are late and restores the order of packets at the last leaf.`;

const BLOCK_PATTERN = /^[\da-fA-F]{1,4}:[\da-fA-F]{1,4}::\/32$/;
const BLOCKS = rejecting('an IPv6 prefix of 32 bits such as 5f00:1::/32');

const USIDS_SCHEMA = orFlag(record(optional({
  enabled: flag('Whether packets have the outer header. Default: true where usids is given.'),
  block: z.string(BLOCKS).regex(BLOCK_PATTERN, BLOCKS).meta(
    meta('The 32 bits that all uSIDs of the network share. The default is a part of 5f00::/16 (RFC 9602).',
      DEFAULT_USIDS.block),
  ),
}),
  'Under standard, of source-route: data and probes have an outer IPv6 header whose destination lists their path as SRv6 uSIDs, 40 bytes. The nth switch of the topology has uSID n; behind the last switch comes the number of its port to the host, from 0xe000 on: so paths have at most five switches. true and false mean `enabled`.',
  'UsidsSpec').meta(ABSENT_UNLESS_GIVEN));

const TIERS_MAX = 8;

const bitField = (meaning: string) =>
  record({
    offset: wholeIn(0, ENTROPY_BITS - 1, 'Number of bits below the field.'),
    width: wholeIn(1, ENTROPY_BITS, 'Number of bits. Offset and width together are at most 16.'),
  }, meaning, 'BitFieldSpec');

/** Keys of a switch; all are optional. */
export const BALANCING_SETTINGS = {
  loadBalancing: typed('LoadBalancing',
    wordOf([...BALANCING_RULES, 'letflow', 'conweave'],
      `Which of several paths data takes. Under standard all but the last two; under reference-lossy ${
        LOSSY_BALANCING.join(', ')
      }.`, { standard: DEFAULT_RULE, 'reference-lossy': DEFAULT_PATHS.loadBalancing }), LOAD_BALANCING_WORDS),
  flowletGapUs: timeUs(
    `Of flowlet and conga under standard: a flow that sends nothing for longer begins a new flowlet, us. Default of flowlet ${DEFAULT_FLOWLET_GAPS_US.flowlet}, of conga ${DEFAULT_FLOWLET_GAPS_US.conga}.`,
  ),
  drill: record(optional({
    samples: wholeIn(1, 16, 'd: ports drawn at random per packet.', DEFAULT_BALANCING.drill.samples),
    memory: wholeIn(0, 16, 'm: ports remembered as the shortest.', DEFAULT_BALANCING.drill.memory),
  }), 'Under standard, of drill: DRILL(d, m) of S. Ghorbani et al., SIGCOMM 2017, whose choice is d = 2, m = 1.',
    'DrillSpec'),
  conga: record(optional({
    tauUs: numberAboveZero(1e6, 'Averaging time for the bytes that a port sends, us.', DEFAULT_BALANCING.conga.tauUs),
    ageingUs: numberAboveZero(1e9, 'Reports about a path expire after this time, us.',
      DEFAULT_BALANCING.conga.ageingUs),
  }), 'Under standard, of conga: times of CONGA (M. Alizadeh et al., SIGCOMM 2014, section 3.6).', 'CongaSpec'),
  adaptive: record(optional({
    thresholdsKB: listOf(numberIn(0, 1e9, "Queue length, kB at 100 Gb/s, and in proportion to the port's rate."), 1,
      CLASSES_MAX,
      `Queue lengths from which a port is in the next class, ascending, kB at 100 Gb/s and in proportion to the port's rate. Default: ${
        DEFAULT_CLASS_SHARES.map((share) => share * PERCENT).join(', ')
      } % of what a port sends in the longest base round trip, which is a queue's limit in uet-htsim.`),
    refreshNs: numberIn(0, 1e6, 'A class is computed again if it is older, ns; uet-htsim has 100.',
      DEFAULT_BALANCING.adaptive.refreshNs),
  }), 'Under standard, of adaptive: queue classes, the same for all switches.', 'AdaptiveSpec'),
  usids: USIDS_SCHEMA,
  entropyBits: record(optional({
    plane: bitField(
      'Of hosts with several planes and entropy-states: the bits that select the plane, modulo the number of planes. Default: all bits.',
    ),
    tiers: listOf(bitField('The bits that one tier reads.'), 1, TIERS_MAX,
      'The bits of each tier of switches, from the hosts on. Default: as many bits as each tier needs, one tier after the other from bit 0 on, with several planes behind the bits that number those.'),
  }),
    'Under standard, of entropy-bits: the bits of the UDP source port, which is the entropy value, that select the next hop, modulo the number of next hops; OCP MRC 1.0 calls it a structured entropy value. All fields select from the same 16 bits, and may overlap.',
    'EntropyBitsSpec'),
};

/** The setting `pathSelection`, which single hosts have too. */
export const PATH_SELECTION = typed('PathSelection',
  wordOf(PATH_SELECTIONS, 'Under standard: how the UDP source port of a data packet, and so its path, is chosen.',
    DEFAULT_HOSTS.standard.pathSelection),
  'How a sender chooses the UDP source port of a data packet, whose hash decides on its path: flow, one port for all packets; oblivious, entropies round-robin; bitmap, the same but those with a penalty; reps, those whose ACK arrived without a mark; entropy-states, of mrc, those of an active set whose state is GOOD (OCP MRC 1.0).');

const DENIED_MAX = 1000;
const PORT_ROOM_MAX_BYTES = 2 ** 31;

const DENIED = record(optional({
  plane: wholeIn(0, PLANES_MAX - 1, 'All entropies of this plane.'),
  entropies: listOf(wholeIn(0, ENTROPIES_MAX - 1, 'Number of an entropy.'), 1, ENTROPIES_MAX,
    'These of each flow, by number: 0 is its first one, the active set comes before the reserve. Either these or a plane.'),
  fromUs: timeUs('When they are denied, us. Default: 0.'),
  toUs: timeUs('When they are GOOD again, us. Default: never.'),
}), 'Entropies that a controller denies: no packet and no probe takes them.', 'DeniedEntropiesSpec');

/** Keys of all hosts; all are optional. */
export const PATH_SELECTION_SETTINGS = {
  pathSelection: PATH_SELECTION,
  entropies: wholeIn(1, ENTROPIES_MAX,
    `Under standard, of pathSelection: entropies of a flow, a power of two. Default of bitmap ${DEFAULT_ENTROPIES.bitmap}, of oblivious and reps ${DEFAULT_ENTROPIES.reps}, of entropy-states, whose active set it is, ${
      DEFAULT_ENTROPIES['entropy-states']
    }.`),
  reps: record(optional({
    freezeUs: timeUs('How long only known entropies are used after a timeout, us.', DEFAULT_REPS.freezeUs),
    explorePackets: wholeIn(0, 65_535, 'Packets with new entropies after that time.', DEFAULT_REPS.explorePackets),
  }),
    'Under standard, of pathSelection reps: after a timeout (T. Bonato et al., "REPS", 2024). The defaults are those of uet-htsim.',
    'RepsSpec'),
  entropyStates: record(optional({
    reserve: wholeIn(0, ENTROPIES_MAX - 1,
      'Entropies of a flow besides its active set; one of the same plane replaces an entropy that is assumed bad.',
      DEFAULT_ENTROPY_STATES.reserve),
    minActive: wholeIn(1, ENTROPIES_MAX,
      'Minimum usable entropies of the active set; below it, the one assumed bad for longest becomes GOOD again.',
      DEFAULT_ENTROPY_STATES.minActive),
    skip: wordOf(['rotation', 'base-rtt'],
      'How long an entropy is in SKIP: until the rotation meets it, or for the longest base round trip since its last mark or trimmed packet.',
      DEFAULT_ENTROPY_STATES.skip),
    inferredLoss: typed('InferredLossState',
      wordOf(['assumed-bad', 'skip'],
        'State of an entropy after a loss inferred from SACKs. Default: assumed-bad with trimming, otherwise skip.'),
      'State of an entropy after a loss inferred from SACKs: assumed-bad, as after a timeout; skip, as after a mark.'),
    portRoomBytes: wholeIn(0, PORT_ROOM_MAX_BYTES,
      "Of hosts with several planes: an entropy is skipped while this many bytes wait at the adapter's port for its plane; 0: ports do not matter.",
      DEFAULT_ENTROPY_STATES.portRoomBytes),
    probes: flag('Whether senders probe entropies that are assumed bad; those whose probes are acknowledged return.',
      DEFAULT_ENTROPY_STATES.probes),
    probeIntervalUs: numberAboveZero(TIME_MAX_US,
      "Time between the probes of an entropy, us, also before the first one. Default: its sender's retransmission timeout."),
    probesToReturn: wholeIn(1, 255, 'Consecutive probes that must be acknowledged.',
      DEFAULT_ENTROPY_STATES.probesToReturn),
    markedProbe: typed('MarkedProbeState',
      wordOf(['skip', 'good'], 'State of an entropy that returns if the last of its probes was marked.',
        DEFAULT_ENTROPY_STATES.markedProbe),
      'State of an entropy after a probe that was marked: skip, as after marked data; good.'),
    alwaysSkipMarks: wholeIn(0, 255,
      'After this many consecutive marked packets of an entropy the receiver sends ALWAYS_SKIP, and it is assumed bad; 0: never.',
      DEFAULT_ENTROPY_STATES.alwaysSkipMarks),
    denied: listOf(DENIED, 0, DENIED_MAX, 'Entropies that a controller denies for a while, of all flows.'),
  }),
    'Under standard, of pathSelection entropy-states, the same for all hosts: choices that OCP MRC 1.0 leaves open (docs/reference/sources.md, O15 to O18, O21 and O29), and what a controller does.',
    'EntropyStatesSpec'),
};

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
