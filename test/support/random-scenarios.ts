/**
 * Small random networks with random traffic and faults, grown from one seed: what property tests and the soak run.
 */
import { CongestionPointRandom } from '../../src/reference/cp/random.js';
import type { AlgorithmSpec, FaultSpec, FlowSpec, ScenarioSpec, TopologySpec } from '../../src/sim/scenario/spec.js';

export const PRESETS = [
  'dcqcn-sigcomm15',
  'dcqcn-connectx',
  'dcqcn-irdma',
  'hpcc-sigcomm19',
  'hpcc-pp-draft',
  'hpcc-pp-fast-cnp',
  'timely-sigcomm15',
  'dctcp-ns3',
  'swift-sigcomm20',
  'nscc-uet',
  'nscc-mrc',
] as const;
export const RATES_GBPS = [10, 25, 40, 100, 400] as const;

export interface RandomScenarioOptions {
  /** Links that go down and lose packets. */
  readonly faults: boolean;
}

/** A scenario of up to 12 hosts and 16 flows; the same for the same seed. */
export function randomScenario(seed: number, { faults }: RandomScenarioOptions): ScenarioSpec {
  const generator = new CongestionPointRandom(seed);
  const random = (): number => generator.next();
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const oneOf = <Value>(values: readonly Value[]): Value => values[whole(0, values.length - 1)];
  const link = { rateGbps: oneOf(RATES_GBPS), delayNs: oneOf([1, 100, 1000, 20_000]) };
  const { topology, hosts, ports, between } = randomTopology(link, whole, oneOf);
  const flows = Array.from({ length: whole(1, 16) }, () => randomFlow(hosts, whole, random));
  return {
    name: `random ${seed}`,
    seed,
    durationUs: 2_000_000,
    topology,
    workload: { kind: 'flows', flows },
    algorithms: { only: randomAlgorithm(link.delayNs, oneOf) },
    switches: {
      pfc: faults ? random() < 0.8 : true,
      bufferBytes: ports * setAsideBytes(link) + oneOf([30_000, 200_000, 2_000_000, 20_000_000]),
      ecn: {
        kminKB: whole(5, 100),
        kmaxKB: whole(100, 400),
        pmax: random(),
        markAt: oneOf(['dequeue', 'enqueue'] as const),
      },
      fastCnp: { enabled: random() < 0.4 },
    },
    hosts: { mtuBytes: oneOf([256, 1024, 4096]), cnpDelayUs: oneOf([0, 5]), retransmitTimeoutUs: 500 },
    ...(faults ? { faults: randomFaults(between, whole, random) } : {}),
  };
}

/** Three longest packets, eight pause frames and the reserve of a port. */
const BESIDES_DELAY_BYTES = 20_000;

/** More than the headroom of a port takes. */
function setAsideBytes({ rateGbps, delayNs }: { readonly rateGbps: number; readonly delayNs: number }): number {
  return Math.ceil((3 * rateGbps * delayNs) / 8) + BESIDES_DELAY_BYTES;
}

/** Delays on the longest path, both ways. */
const MOST_DELAYS = 12;
const SWIFT_TARGET_PS = 25_000_000;

/**
 * HPCC and NSCC have their own window, so the scenario sets none. Swift's target has to be above the round trip of the network, or
 * it goes down to 1/1000 packet per round trip.
 */
function randomAlgorithm(delayNs: number, oneOf: OneOf): AlgorithmSpec {
  const preset = oneOf(PRESETS);
  const window = oneOf(['none', 'variable'] as const);
  if (preset === 'swift-sigcomm20') {
    return { preset, window, parameters: { baseTargetPs: SWIFT_TARGET_PS + MOST_DELAYS * 1000 * delayNs } };
  }
  return /^(?:hpcc|nscc)/.test(preset) ? { preset } : { preset, window };
}

type Whole = (from: number, to: number) => number;
type OneOf = <Value>(values: readonly Value[]) => Value;

interface Shape {
  readonly topology: TopologySpec;
  readonly hosts: number;
  /** Of the switch with most. */
  readonly ports: number;
  /** Links that may fail. */
  readonly between: readonly (readonly [string, string])[];
}

function randomTopology(link: { readonly rateGbps: number; readonly delayNs: number }, whole: Whole,
  oneOf: OneOf): Shape {
  const kind = oneOf(['star', 'dumbbell', 'leaf-spine', 'fat-tree'] as const);
  if (kind === 'star') {
    const hosts = whole(2, 12);
    return { topology: { kind, hosts, ...link }, hosts, ports: hosts, between: [['h0', 's0'], ['h1', 's0']] };
  }
  if (kind === 'dumbbell') {
    const [left, right] = [whole(1, 6), whole(1, 6)];
    return {
      topology: { kind, left, right, ...link },
      hosts: left + right,
      ports: Math.max(left, right) + 1,
      between: [['s0', 's1'], ['h0', 's0']],
    };
  }
  if (kind === 'leaf-spine') {
    const hostsPerLeaf = whole(1, 4);
    const shape = { leaves: whole(2, 3), spines: whole(1, 3), hostsPerLeaf };
    const ports = Math.max(shape.leaves, shape.spines + hostsPerLeaf);
    return {
      topology: { kind, ...shape, ...link },
      hosts: shape.leaves * hostsPerLeaf,
      ports,
      between: [['leaf0', 'spine0'], ['h0', 'leaf0']],
    };
  }
  return { topology: { kind, k: 4, ...link }, hosts: 16, ports: 4, between: [['edge0', 'agg0'], ['h0', 'edge0']] };
}

function randomFlow(hosts: number, whole: Whole, random: () => number): FlowSpec {
  const from = whole(0, hosts - 1);
  const to = (from + whole(1, hosts - 1)) % hosts;
  return {
    from: `h${from}`,
    to: `h${to}`,
    sizeBytes: Math.ceil(200_000 * random() * random()) + 1,
    startUs: whole(0, 50),
  };
}

function randomFaults(between: Shape['between'], whole: Whole, random: () => number): FaultSpec[] {
  return between.flatMap((ends): FaultSpec[] => {
    const fromUs = whole(1, 200);
    return [
      ...(random() < 0.5 ? [{ kind: 'link-down' as const, between: ends, fromUs, toUs: fromUs + whole(1, 300) }] : []),
      ...(random() < 0.5 ?
        [{
          kind: 'loss' as const,
          between: ends,
          share: random() * 0.05,
          of: (['all', 'data', 'acks', 'cnps'] as const)[whole(0, 3)],
        }] :
        []),
      ...(random() < 0.3 ? [{ kind: 'corruption' as const, between: ends, share: random() * 0.02 }] : []),
    ];
  });
}
