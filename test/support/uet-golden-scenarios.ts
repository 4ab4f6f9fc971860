/** Golden runs of uet-htsim as scenarios of fidelity `reference-uet`: their own arguments and files, setting by setting. */
import type { FlowSpec, LeafSpineSpec, ScenarioSpec, UetNextHops, UetPathSelection,
  UetSpec } from '../../src/sim/index.js';
import { NS_PER_US } from '../../src/units.js';
import { uetGoldenRuns, type UetGoldenRun } from './golden-uet.js';

const HEADER_BYTES = 64;

/** A golden run, and its scenario. */
export interface UetGoldenScenario {
  readonly name: string;
  readonly run: UetGoldenRun;
  readonly spec: ScenarioSpec;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** What arguments say, while they are read. */
interface Draft {
  readonly uet: Mutable<UetSpec>;
  readonly control: string[];
  mtuBytes: number;
  seed: number;
  endUs: number;
  nicMbps: number;
  tiers: number | undefined;
  hopUs: number;
}

/** Runs that a scenario can express: others have triggers, messages, ids, bundles of links, or tiers that differ in their links. */
export function uetGoldenScenarios(): UetGoldenScenario[] {
  return uetGoldenRuns().flatMap((run) => {
    const spec = scenarioOf(run);
    return spec === undefined ? [] : [{ name: run.name, run, spec }];
  });
}

function scenarioOf(run: UetGoldenRun): ScenarioSpec | undefined {
  const flows = flowsOf(run.read('conn.cm'));
  if (flows === undefined) return undefined;
  const draft = readArguments(run.argv);
  const topology = run.has('topo.topo') ? topologyOfFile(run.read('topo.topo'), draft) : topologyOfOptions(draft);
  const control = controlOf(draft.control);
  if (topology === undefined || control === undefined) return undefined;
  return {
    name: run.name,
    fidelity: 'reference-uet',
    seed: draft.seed,
    durationUs: draft.endUs,
    topology,
    workload: { kind: 'flows', flows },
    hosts: { mtuBytes: draft.mtuBytes - HEADER_BYTES },
    uet: { ...draft.uet, control, nicGbps: draft.nicMbps / 1000 },
  };
}

/** Without control by an option the program has another default, which `uet.control` does not name. */
function controlOf(options: readonly string[]): UetSpec['control'] | undefined {
  const algorithm = options.find((word) => !word.startsWith('-'));
  if (options.includes('-receiver_cc_only')) return 'rccc';
  if (algorithm === undefined) return undefined;
  return (options.includes('-receiver_cc') ? `${algorithm}+rccc` : algorithm) as UetSpec['control'];
}

/** By argument: how many values it has, and what they set. */
const READERS: Readonly<Record<string, readonly [number, (draft: Draft, value: string, second: string) => void]>> = {
  '-tm': [1, () => undefined],
  '-topo': [1, () => undefined],
  '-sender_cc_only': [0, ({ control }) => void control.push('-sender_cc_only')],
  '-receiver_cc_only': [0, ({ control }) => void control.push('-receiver_cc_only')],
  '-receiver_cc': [0, ({ control }) => void control.push('-receiver_cc')],
  '-sender_cc_algo': [1, ({ control }, word) => void control.push(word)],
  '-load_balancing_algo': [1, ({ uet }, word) => void (uet.pathSelection = dashed(word) as UetPathSelection)],
  '-strat': [1, ({ uet }, word) => void (uet.nextHops = dashed(word) as UetNextHops)],
  '-ar_granularity': [1, ({ uet }, word) => void (uet.adaptive = { ...uet.adaptive, per: word as 'flow' })],
  '-ar_sticky_delta': [1, ({ uet }, us) => void (uet.adaptive = { ...uet.adaptive, stickyUs: Number(us) })],
  '-mtu': [1, (draft, bytes) => void (draft.mtuBytes = Number(bytes))],
  '-seed': [1, (draft, seed) => void (draft.seed = Number(seed))],
  '-end': [1, (draft, us) => void (draft.endUs = Number(us))],
  '-linkspeed': [1, (draft, speed) => void (draft.nicMbps = Number(speed))],
  '-tiers': [1, (draft, tiers) => void (draft.tiers = Number(tiers))],
  '-nodes': [1, () => undefined],
  '-hop_latency': [1, (draft, us) => void (draft.hopUs = Number(us))],
  '-switch_latency': [1, ({ uet }, us) => void (uet.switchDelayNs = Math.round(Number(us) * NS_PER_US))],
  '-paths': [1, ({ uet }, paths) => void (uet.paths = Number(paths))],
  '-q': [1, ({ uet }, packets) => void (uet.queuePackets = Number(packets))],
  '-ecn': [2, ({ uet }, low, high) => void (uet.ecn = { lowPackets: Number(low), highPackets: Number(high) })],
  '-cwnd': [1, ({ uet }, packets) => void (uet.windowPackets = Number(packets))],
  '-trimsize': [1, ({ uet }, bytes) => void (uet.trimmedBytes = Number(bytes))],
  '-sack_threshold': [1, ({ uet }, bytes) => void (uet.ackBytes = Number(bytes))],
  '-target_q_delay': [1, ({ uet }, us) => void (uet.targetDelayUs = Number(us))],
  '-qa_gate': [1, ({ uet }, gate) => void (uet.quickAdaptGate = Number(gate))],
  '-failed': [1, ({ uet }, links) => void (uet.slowLinks = Number(links))],
  '-disable_trim': [0, ({ uet }) => void (uet.trimming = false)],
  '-sleek': [0, ({ uet }) => void (uet.sleek = true)],
  '-enable_accurate_base_rtt': [0, ({ uet }) => void (uet.pairBaseRtt = true)],
  '-disable_base_rtt_update_on_nack': [0, ({ uet }) => void (uet.nackBaseRtt = false)],
  '-force_disable_oversubscribed_cc': [0, ({ uet }) => void (uet.oversubscribed = { enabled: false })],
};

function dashed(word: string): string {
  return word.replaceAll('_', '-');
}

function readArguments(argv: readonly string[]): Draft {
  const draft: Draft = {
    uet: {},
    control: [],
    mtuBytes: 4150,
    seed: 13,
    endUs: 1000,
    nicMbps: 100_000,
    tiers: undefined,
    hopUs: 1,
  };
  for (let at = 0; at < argv.length;) {
    const [values, read] = READERS[argv[at]];
    read(draft, argv[at + 1], argv[at + 2]);
    at += 1 + values;
  }
  return draft;
}

function topologyOfFile(text: string, { uet }: Draft): LeafSpineSpec | undefined {
  const tiers = text.split(/^Tier \d/m).slice(1).map((part) => (key: string, otherwise = NaN): number =>
    Number(new RegExp(`^${key} +(\\d+)`, 'm').exec(part)?.[1] ?? otherwise)
  );
  if (tiers.length !== 2 || tiers[1]('Bundle', 1) !== 1) return undefined;
  const [low, high] = tiers;
  uet.switchDelayNs = low('Switch_Latency_ns', 0);
  return {
    kind: 'leaf-spine',
    leaves: high('Radix_Down'),
    spines: low('Radix_Up'),
    hostsPerLeaf: low('Radix_Down'),
    rateGbps: low('Downlink_speed_Gbps'),
    delayNs: low('Downlink_Latency_ns'),
    uplink: { rateGbps: high('Downlink_speed_Gbps'), delayNs: high('Downlink_Latency_ns') },
  };
}

/** K = 4, in three tiers of 16 hosts or two of 8. */
function topologyOfOptions({ tiers, hopUs }: Draft): ScenarioSpec['topology'] {
  const delayNs = Math.round(hopUs * NS_PER_US);
  return tiers === 2 ?
    { kind: 'leaf-spine', leaves: 4, spines: 2, hostsPerLeaf: 2, delayNs } :
    { kind: 'fat-tree', k: 4, delayNs };
}

function flowsOf(text: string): FlowSpec[] | undefined {
  const lines = text.split('\n').filter((line) => line.includes('->'));
  const flows = lines.map((line) => /^(\d+)->(\d+) start (\d+) size (\d+)$/.exec(line.trim()));
  if (flows.includes(null)) return undefined;
  return flows.flatMap((found) => {
    const [, from, to, start, size] = found ?? [];
    return { from: `h${from}`, to: `h${to}`, startUs: Number(start), sizeBytes: Number(size) };
  });
}
