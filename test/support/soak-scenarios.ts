/**
 * Scenarios of the soak: networks of all kinds with traffic of all kinds, in both fidelities, most of them with faults; each
 * grown from a seed alone.
 *
 * Links go down and come up again; or one goes down for good that others replace; or a host's: then flows from and to it have no
 * path, and all others have.
 */
import { CongestionPointRandom } from '../../src/reference/cp/random.js';
import type { AlgorithmSpec, FaultSpec, Fidelity, RecordSpec, ScenarioSpec, SwitchSpec, TopologySpec,
  WorkloadSpec } from '../../src/sim/scenario/spec.js';

/** A scenario, and the host that is cut off during the run. */
export interface SoakScenario {
  readonly spec: ScenarioSpec;
  readonly cutOff: string | null;
  /**
   * Nothing may be dropped for lack of memory: PFC is on, no link goes down, and headroom counts whole packets. That of the
   * reference simulator is three link delays, which hold less than a packet on short or slow links.
   */
  readonly lossless: boolean;
  /** Events per slice: another number for each seed. */
  readonly eventsPerSlice: number;
}

type SoakedFidelity = Exclude<Fidelity, 'reference-lossy' | 'reference-uet'>;

/**
 * Swift's target is an absolute time: it has to lie above the longest round trip here. Its gap between packets, once begun, is
 * not shortened by an ACK that opens the window: from the preset's least window it lasts 1,000 round trips, longer than these
 * runs.
 */
const SWIFT: AlgorithmSpec = { preset: 'swift-sigcomm20', parameters: { baseTargetPs: 400_000_000, minCwnd: 0.1 } };
const PRESETS: Readonly<Record<SoakedFidelity, readonly AlgorithmSpec[]>> = {
  standard: [
    'dcqcn-sigcomm15',
    'dcqcn-connectx',
    'dcqcn-irdma',
    'hpcc-sigcomm19',
    'hpcc-pp-draft',
    'hpcc-pp-fast-cnp',
    'timely-sigcomm15',
    'dctcp-ns3',
  ].map((preset): AlgorithmSpec => ({ preset })).concat(SWIFT),
  reference: [
    { preset: 'dcqcn-ns3', set: 'dcqcn' },
    { preset: 'hpcc-ns3', set: 'run.py' },
    { preset: 'hpcc-pint-ns3' },
    { preset: 'timely-ns3' },
    { preset: 'dctcp-ns3' },
  ],
};
const RATES_GBPS = [1, 10, 25, 40, 100, 200, 400, 800] as const;
const DELAYS_NS = [1, 100, 1000, 5000, 20_000] as const;
/** Long enough for flows at their least rates. */
export const DURATION_US = 4_000_000;
/** With a host cut off, flows to it keep sending until the end: mostly the others are done by then. */
const CUT_OFF_DURATION_US = 100_000;
const FOREVER_US = 2 * DURATION_US;
/** Above the longest round trip of these networks with its queues. */
const TIMEOUT_US = 1000;
const GROUPS_OF_FAULTS = 5;

/** Draws from one seed. */
class Dice {
  readonly #random: CongestionPointRandom;

  constructor(seed: number) {
    this.#random = new CongestionPointRandom(seed);
  }

  share(): number {
    return this.#random.next();
  }

  /** With this probability. */
  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  /** Both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.#random.next() * (to - from + 1));
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.whole(0, values.length - 1)];
  }
}

interface Shape {
  readonly topology: TopologySpec;
  readonly hosts: number;
  /** Links that may fail. */
  readonly between: readonly (readonly [string, string])[];
  /** One that others replace, or null. */
  readonly spare: readonly [string, string] | null;
  /** The switch that the last host is on. */
  readonly lastSwitch: string;
}

/** The scenario of a seed, always the same. */
export function soakScenario(seed: number): SoakScenario {
  const dice = new Dice(seed);
  const fidelity: SoakedFidelity = dice.chance(0.4) ? 'reference' : 'standard';
  const shape = shapeOf(dice);
  const faulty = seed % GROUPS_OF_FAULTS !== 0;
  const last = `h${shape.hosts - 1}`;
  const cutOff = faulty && dice.chance(0.15) ? last : null;
  const faults = faulty ? faultsOf(dice, shape) : [];
  if (cutOff !== null) {
    faults.push({ kind: 'link-down', between: [last, shape.lastSwitch], fromUs: dice.whole(1, 100), toUs: FOREVER_US });
  }
  if (shape.spare !== null && faulty && dice.chance(0.3)) {
    faults.push({ kind: 'link-down', between: shape.spare, fromUs: dice.whole(1, 200), toUs: FOREVER_US });
  }
  const spec: ScenarioSpec = {
    name: `soak ${seed}`,
    fidelity,
    seed,
    durationUs: cutOff === null ? DURATION_US : CUT_OFF_DURATION_US,
    topology: shape.topology,
    workload: workloadOf(dice, shape.hosts, cutOff !== null),
    algorithms: algorithmsOf(dice, fidelity),
    switches: switchesOf(dice, fidelity),
    hosts: {
      retransmitTimeoutUs: TIMEOUT_US,
      mtuBytes: dice.oneOf([256, 1000, 1024, 4096]),
      ...(fidelity === 'standard' ? { cnpDelayUs: dice.oneOf([0, 5]), cnpIntervalUs: dice.oneOf([4, 50]) } : {}),
    },
    ...(faults.length > 0 ? { faults } : {}),
    record: recordOf(dice, last, shape.lastSwitch),
  };
  const downs = faults.some(({ kind }) => kind === 'link-down');
  return {
    spec,
    cutOff,
    lossless: !downs && fidelity === 'standard' && spec.switches?.pfc === true,
    eventsPerSlice: dice.oneOf([1, 97, 1000, 200_000]),
  };
}

function shapeOf(dice: Dice): Shape {
  const kind = dice.oneOf(['star', 'dumbbell', 'leaf-spine', 'fat-tree', 'two-data-centers'] as const);
  const link = { rateGbps: dice.oneOf(RATES_GBPS), delayNs: dice.oneOf(DELAYS_NS) };
  const other = { rateGbps: dice.oneOf(RATES_GBPS), delayNs: dice.oneOf(DELAYS_NS) };
  if (kind === 'star') {
    const hosts = dice.whole(2, 20);
    return {
      topology: { kind, hosts, ...link },
      hosts,
      between: [['h0', 's0'], ['h1', 's0']],
      spare: null,
      lastSwitch: 's0',
    };
  }
  if (kind === 'dumbbell') {
    const [left, right] = [dice.whole(1, 8), dice.whole(1, 8)];
    const topology = { kind, left, right, ...link, bottleneck: other };
    return { topology, hosts: left + right, between: [['s0', 's1'], ['h0', 's0']], spare: null, lastSwitch: 's1' };
  }
  if (kind === 'fat-tree') {
    const between = [['edge0', 'agg0'], ['agg0', 'core0'], ['h0', 'edge0']] as const;
    return {
      topology: { kind, k: 4, ...link },
      hosts: 16,
      between,
      spare: dice.oneOf([['edge1', 'agg1'], ['agg2', 'core1']] as const),
      lastSwitch: 'edge7',
    };
  }
  const size = { leaves: dice.whole(1, 3), spines: dice.whole(1, 3), hostsPerLeaf: dice.whole(2, 4) };
  const perSite = size.leaves * size.hostsPerLeaf;
  if (kind === 'leaf-spine') {
    const between = [['leaf0', 'spine0'], ['h0', 'leaf0']] as const;
    const spare = size.spines > 1 ? ['leaf0', 'spine1'] as const : null;
    return {
      topology: { kind, ...size, ...link, uplink: other },
      hosts: perSite,
      between,
      spare,
      lastSwitch: `leaf${size.leaves - 1}`,
    };
  }
  const between = [['dc0.leaf0', 'dc0.spine0'], ['wan0', 'wan1'], ['dc1.spine0', 'wan1']] as const;
  const wan = { rateGbps: dice.oneOf(RATES_GBPS), delayNs: dice.oneOf([10_000, 100_000]) };
  const spare = size.spines > 1 ? ['dc1.spine1', 'wan1'] as const : null;
  return {
    topology: { kind, ...size, ...link, wan },
    hosts: 2 * perSite,
    between,
    spare,
    lastSwitch: `dc1.leaf${size.leaves - 1}`,
  };
}

/** @param plain no flow waits for another one: a waiting flow has no path if the other one has none. */
function workloadOf(dice: Dice, hosts: number, plain: boolean): WorkloadSpec[] {
  const algorithm = dice.oneOf(['a', 'b']);
  const kind = dice.oneOf([
    'flows',
    'incast',
    'permutation',
    'all-to-all',
    'poisson',
    ...(plain ? [] : ['ring-all-reduce' as const]),
  ] as const);
  const size = Math.ceil(300_000 * dice.share() * dice.share()) + 1;
  const some: WorkloadSpec = {
    kind: 'flows',
    flows: Array.from({ length: dice.whole(1, 16) }, () => flowOf(dice, hosts)),
  };
  switch (kind) {
    case 'flows':
      return [some];
    case 'incast':
      return [
        { kind, algorithm, senders: dice.whole(1, hosts - 1), sizeBytes: size, staggerUs: dice.oneOf([0, 3]) },
        some,
      ];
    case 'permutation':
      return [{ kind, algorithm, sizeBytes: size }, some];
    case 'all-to-all':
      return [{ kind, algorithm, hosts: Math.min(hosts, dice.whole(2, 6)), sizeBytes: Math.ceil(size / 4) }];
    case 'ring-all-reduce':
      return [{ kind, algorithm, hosts: Math.min(hosts, dice.whole(2, 6)), sizeBytes: size + 8 }, some];
    case 'poisson':
      return [{
        kind,
        algorithm,
        load: 0.2 + 0.7 * dice.share(),
        flows: dice.whole(1, 40),
        sizes: [{ sizeBytes: 1, share: 0 }, { sizeBytes: 5000, share: 0.6 }, { sizeBytes: 200_000, share: 1 }],
      }];
  }
}

function flowOf(dice: Dice, hosts: number) {
  const from = dice.whole(0, hosts - 1);
  const to = (from + dice.whole(1, hosts - 1)) % hosts;
  const sizeBytes = Math.ceil(200_000 * dice.share() * dice.share()) + 1;
  return {
    from: `h${from}`,
    to: `h${to}`,
    sizeBytes,
    startUs: dice.whole(0, 100),
    algorithm: dice.oneOf(['a', 'b']),
    trafficClass: dice.oneOf([3, 3, 3, 1, 7]),
  };
}

function algorithmsOf(dice: Dice, fidelity: SoakedFidelity): Record<string, AlgorithmSpec> {
  const one = (): AlgorithmSpec => {
    const preset = dice.oneOf(PRESETS[fidelity]);
    const ownWindow = preset.preset?.startsWith('hpcc') === true;
    return {
      ...preset,
      ...(dice.chance(0.5) && !ownWindow ? { window: dice.oneOf(['none', 'fixed', 'variable'] as const) } : {}),
      ...(dice.chance(0.3) ? { baseRtt: 'path' as const } : {}),
    };
  };
  return { a: one(), b: one() };
}

function switchesOf(dice: Dice, fidelity: SoakedFidelity): SwitchSpec {
  const kminKB = dice.whole(5, 100);
  return {
    pfc: dice.chance(0.75),
    ...(dice.chance(0.6) ? { bufferBytes: dice.whole(1, 32) * 2 ** 20 } : {}),
    ecn: {
      kminKB,
      kmaxKB: dice.chance(0.2) ? kminKB : dice.whole(100, 400),
      pmax: dice.share(),
      ...(fidelity === 'standard' ? { markAt: dice.oneOf(['dequeue', 'enqueue'] as const) } : {}),
    },
    ...(fidelity === 'standard' && dice.chance(0.4) ?
      { fastCnp: { enabled: true, option: dice.oneOf([1, 2] as const), markWhenLimited: dice.chance(0.5) } } :
      {}),
  };
}

function faultsOf(dice: Dice, { between }: Shape): FaultSpec[] {
  return between.flatMap((ends): FaultSpec[] => {
    const fromUs = dice.whole(1, 300);
    const again = fromUs + dice.whole(400, 600);
    return [
      ...(dice.chance(0.5) ?
        [{ kind: 'link-down' as const, between: ends, fromUs, toUs: fromUs + dice.whole(1, 300) }] :
        []),
      ...(dice.chance(0.2) ?
        [{ kind: 'link-down' as const, between: ends, fromUs: again, toUs: again + dice.whole(1, 2000) }] :
        []),
      ...(dice.chance(0.5) ?
        [{
          kind: 'loss' as const,
          between: ends,
          share: dice.share() * 0.05,
          of: dice.oneOf(['all', 'data', 'acks', 'cnps'] as const),
        }] :
        []),
      ...(dice.chance(0.3) ? [{ kind: 'corruption' as const, between: ends, share: dice.share() * 0.02 }] : []),
    ];
  });
}

function recordOf(dice: Dice, last: string, lastSwitch: string): RecordSpec {
  return {
    ...(dice.chance(0.3) ? { intervalUs: dice.oneOf([1, 7, 100]) } : {}),
    maxSamples: dice.oneOf([2, 17, 500]),
    ports: dice.oneOf(['auto', 'all'] as const),
    flows: dice.oneOf(['all', 0, 3] as const),
    ...(dice.chance(0.2) ? { capture: [`${lastSwitch}:${last}`] } : {}),
  };
}
