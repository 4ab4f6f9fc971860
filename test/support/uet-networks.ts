/** Random runs of uet-htsim: topologies, matrices and options of all kinds, small enough for thousands of them. */
import { Seeded } from './seeded.js';

export interface UetRandomRun {
  readonly argv: readonly string[];
  /** Text of a file that the arguments name. */
  readonly read: (file: string) => string;
}

/** A tree, as arguments and a file, and its hosts. */
interface Tree {
  readonly hosts: number;
  readonly argv: readonly string[];
  readonly topology: string;
}

const MTU = 4160;
const LATENCIES_NS = [0, 100, 500, 700, 1000, 1500];
const SWITCH_LATENCIES_NS = [0, 0, 0, 300];

/** The run of a seed. */
export function uetRandomRun(seed: number): UetRandomRun {
  const random = new Seeded(seed);
  const speedMbps = random.pick([100_000, 100_000, 100_000, 200_000, 400_000, 800_000]);
  const tree = treeOf(random, speedMbps);
  const isMessages = random.chance(0.08);
  const matrix = isMessages ? messageMatrix(random, tree.hosts) : flowMatrix(random, tree.hosts);
  const nicMbps = random.chance(0.05) ? random.pick([speedMbps / 2, speedMbps * 2]) : speedMbps;
  const argv = [
    '-tm',
    'conn.cm',
    ...tree.argv,
    '-linkspeed',
    String(nicMbps),
    '-end',
    String(random.pick([150, 300, 600, 1500])),
    ...(isMessages ? ['-conn_reuse'] : []),
    ...controlOf(random),
    ...pathsOf(random),
    ...queuesOf(random),
    ...detailsOf(random),
  ];
  return { argv, read: (file) => (file === 'conn.cm' ? matrix : tree.topology) };
}

function treeOf(random: Seeded, speedMbps: number): Tree {
  const kind = random.pick(['options', 'star', 'leaf-spine', 'leaf-spine', 'three tiers'] as const);
  if (kind === 'options') return treeOfOptions(random);
  const gbps = speedMbps / 1000;
  if (kind === 'three tiers') return threeTiers(random, gbps);
  return kind === 'star' ? twoTiers(random, gbps, 1) : twoTiers(random, gbps, random.pick([2, 3, 4]));
}

function treeOfOptions(random: Seeded): Tree {
  const tiers = random.pick([2, 3]);
  const hosts = random.pick(tiers === 2 ? [2, 8, 18] : [2, 16]);
  const argv = ['-tiers', String(tiers), '-nodes', String(hosts)];
  if (random.chance(0.5)) argv.push('-hop_latency', String(random.pick([0, 0.1, 0.6, 1, 3, 30])));
  if (random.chance(0.3)) argv.push('-switch_latency', String(random.pick([0.05, 0.2, 0.5])));
  return { hosts, argv, topology: '' };
}

interface TierLines {
  readonly down: number;
  readonly up?: number;
  readonly oversubscribed?: number;
  readonly bundle?: number;
}

function tierLines(random: Seeded, gbps: number, tier: number, lines: TierLines): string {
  const { down, up, oversubscribed, bundle } = lines;
  return [
    `Tier ${tier}`,
    `Downlink_speed_Gbps ${gbps}`,
    `Radix_Down ${down}`,
    ...(up === undefined ? [] : [`Radix_Up ${up}`]),
    `Downlink_Latency_ns ${random.pick(LATENCIES_NS)}`,
    `Switch_Latency_ns ${random.pick(SWITCH_LATENCIES_NS)}`,
    ...(oversubscribed === undefined ? [] : [`Oversubscribed ${oversubscribed}`]),
    ...(bundle === undefined ? [] : [`Bundle ${bundle}`]),
    '',
  ].join('\n');
}

function twoTiers(random: Seeded, gbps: number, leaves: number): Tree {
  const oversubscribed = random.chance(0.3) ? random.pick([2, 4]) : 1;
  const up = random.pick(oversubscribed === 1 ? [2, 4, 6] : [1, 2]);
  const down = up * oversubscribed;
  const bundle = up % 2 === 0 && random.chance(0.2) ? 2 : 1;
  const hosts = leaves * down;
  const topology = [
    `Nodes ${hosts}\nTiers 2\nPodsize ${hosts}\n`,
    tierLines(random, gbps, 0, { down, up, oversubscribed }),
    tierLines(random, gbps, 1, { down: leaves * bundle, bundle }),
  ].join('\n');
  return { hosts, argv: ['-topo', 'topo.topo'], topology };
}

function threeTiers(random: Seeded, gbps: number): Tree {
  const half = 2;
  const pods = random.pick([2, 4]);
  const oversubscribed = random.chance(0.2) ? 2 : 1;
  const down = half * oversubscribed;
  const podsize = half * down;
  const hosts = pods * podsize;
  const topology = [
    `Nodes ${hosts}\nTiers 3\nPodsize ${podsize}\n`,
    tierLines(random, gbps, 0, { down, up: half, oversubscribed }),
    tierLines(random, gbps, 1, { down: half, up: half }),
    tierLines(random, gbps, 2, { down: pods }),
  ].join('\n');
  return { hosts, argv: ['-topo', 'topo.topo'], topology };
}

function sizeOf(random: Seeded): number {
  if (random.chance(0.15)) return random.whole(1, 3 * MTU);
  return Math.round(random.scaled(1e4, random.chance(0.1) ? 2e6 : 5e5));
}

function startOf(random: Seeded): number {
  return random.chance(0.8) ? 0 : random.whole(0, 60);
}

/** Pairs of hosts, which are different. */
function pairsOf(random: Seeded, hosts: number): [number, number][] {
  const kind = random.pick(['permutation', 'incast', 'incast', 'incast', 'outcast', 'pairs', 'one'] as const);
  const other = (host: number): number => (host + random.whole(1, hosts - 1)) % hosts;
  const first = random.whole(0, hosts - 1);
  switch (kind) {
    case 'permutation': {
      const step = random.whole(1, hosts - 1);
      return Array.from({ length: hosts }, (_, host) => [host, (host + step) % hosts]);
    }
    case 'incast':
      return Array.from({ length: random.whole(2, 16) }, () => [other(first), first]);
    case 'outcast':
      return Array.from({ length: random.whole(2, 8) }, () => [first, other(first)]);
    case 'one':
      return [[first, other(first)]];
    default:
      return Array.from({ length: random.whole(2, 20) }, () => {
        const host = random.whole(0, hosts - 1);
        return [host, other(host)];
      });
  }
}

function flowMatrix(random: Seeded, hosts: number): string {
  const pairs = pairsOf(random, hosts);
  if (pairs.length > 2 && random.chance(0.12)) return triggerMatrix(random, hosts, pairs);
  const hasIds = random.chance(0.15);
  const ids = hasIds ? idsOf(random, pairs.length) : [];
  const lines = pairs.map(([source, destination], at) => {
    const id = hasIds ? ` id ${ids[at]}` : '';
    return `${source}->${destination}${id} start ${startOf(random)} size ${sizeOf(random)}`;
  });
  return matrixOf(hosts, lines, []);
}

/** Different ones, in no order. */
function idsOf(random: Seeded, count: number): number[] {
  const ids = new Set<number>();
  while (ids.size < count) ids.add(random.whole(1, 5000));
  return [...ids];
}

/** The first flows set off a trigger, the others are started by it. */
function triggerMatrix(random: Seeded, hosts: number, pairs: readonly [number, number][]): string {
  const type = random.pick(['oneshot', 'multishot', 'barrier'] as const);
  const starters = type === 'oneshot' && random.chance(0.9) ? 1 : random.whole(1, pairs.length - 1);
  const lines = pairs.map(([source, destination], at) => {
    const begins = at < starters ? `send_done_trigger 1 start ${startOf(random)}` : 'trigger 1';
    return `${source}->${destination} id ${at + 1} ${begins} size ${Math.min(sizeOf(random), 1e5)}`;
  });
  return matrixOf(hosts, lines, [`trigger id 1 ${type}${type === 'barrier' ? ` count ${starters}` : ''}`]);
}

function messageMatrix(random: Seeded, hosts: number): string {
  const lines = pairsOf(random, hosts).slice(0, 6).flatMap(([source, destination], connection) => {
    const start = startOf(random);
    return Array.from({ length: random.whole(1, 4) }, (_, at) => {
      const due = start + (at === 0 || random.chance(0.6) ? 0 : random.whole(0, 8));
      return `${source}->${destination} id ${connection + 1} msg ${at + 1} start ${due} size ${sizeOf(random)}`;
    });
  });
  return matrixOf(hosts, lines, []);
}

function matrixOf(hosts: number, lines: readonly string[], triggers: readonly string[]): string {
  const head = [`Nodes ${hosts}`, `Connections ${lines.length}`];
  if (triggers.length > 0) head.push(`Triggers ${triggers.length}`);
  return [...head, ...lines, ...triggers, ''].join('\n');
}

function controlOf(random: Seeded): string[] {
  const control = random.pick([
    ['-sender_cc_only'],
    ['-sender_cc_only', '-sender_cc_algo', 'nscc'],
    ['-receiver_cc_only'],
    ['-receiver_cc'],
    ['-sender_cc_algo', 'nscc', '-receiver_cc'],
    ['-sender_cc_only', '-sender_cc_algo', 'dctcp'],
    ['-sender_cc_only', '-sender_cc_algo', 'constant'],
    [],
  ]);
  const argv = [...control];
  if (random.chance(0.15)) argv.push('-oversubscribed_cc');
  if (random.chance(0.1)) argv.push('-force_disable_oversubscribed_cc');
  if (random.chance(0.1)) argv.push('-Ai', '0.05', '-Md', '0.9', '-alpha', '0.25');
  if (random.chance(0.3)) argv.push('-cwnd', String(random.whole(1, 60)));
  if (random.chance(0.2)) argv.push('-target_q_delay', String(random.pick([0.5, 3, 4, 12])));
  if (random.chance(0.15)) argv.push('-qa_gate', String(random.whole(0, 5)));
  if (random.chance(0.15)) argv.push('-enable_accurate_base_rtt');
  if (random.chance(0.15)) argv.push('-disable_base_rtt_update_on_nack');
  return argv;
}

function pathsOf(random: Seeded): string[] {
  const selector = random.pick(['oblivious', 'bitmap', 'reps', 'reps_legacy', 'mixed'] as const);
  const argv = ['-load_balancing_algo', selector, '-seed', String(random.whole(0, 1000))];
  if (random.chance(0.7)) argv.push('-paths', String(2 ** random.whole(0, 8)));
  if (random.chance(0.5)) {
    const strategies = ['ecmp_host', 'ecmp_host_ecn', 'reactive_ecn', 'ecmp_rr', 'rr_ecmp', 'ecmp_ar', 'ecmp_host_ar'];
    argv.push('-strat', random.pick(strategies));
    if (random.chance(0.4)) argv.push('-ar_granularity', random.pick(['flow', 'packet']));
    if (random.chance(0.3)) argv.push('-ar_sticky_delta', String(random.pick([0, 0.5, 3])));
    if (random.chance(0.2)) argv.push('-ar_method', random.pick(['queue', 'qb', 'bandwidth']));
  }
  return argv;
}

function queuesOf(random: Seeded): string[] {
  const argv: string[] = [];
  if (random.chance(0.6)) {
    const packets = random.whole(1, random.pick([4, 12, 30]));
    argv.push('-q', String(packets));
    if (random.chance(0.7)) {
      const low = random.whole(0, packets);
      argv.push('-ecn', String(low), String(random.whole(low, packets)));
    }
  } else if (random.chance(0.2)) {
    argv.push('-queue_size_bdp_factor', String(random.whole(1, 3)));
  }
  if (random.chance(0.3)) {
    argv.push('-disable_trim');
    if (random.chance(0.5)) argv.push('-sleek');
  } else if (random.chance(0.3)) {
    argv.push('-trimsize', String(random.pick([64, 128, 256, 1000])));
  }
  if (random.chance(0.1)) argv.push('-failed', String(random.whole(1, 3)));
  return argv;
}

function detailsOf(random: Seeded): string[] {
  const argv = ['-mtu', String(random.pick([MTU, MTU, MTU, 1088, 4150, 9064]))];
  if (random.chance(0.25)) argv.push('-sack_threshold', String(random.pick([0, 1, 4000, 8320, 70_000])));
  return argv;
}
