/**
 * Small random networks with random traffic and faults, grown from one seed: what property tests and the soak run.
 */
import { CongestionPointRandom } from '../../src/reference/congestion-point-random.js';
import type { FaultSpec, FlowSpec, ScenarioSpec, TopologySpec } from '../../src/sim/scenario/spec.js';

const PRESETS = ['dcqcn-sigcomm15', 'dcqcn-connectx', 'dcqcn-irdma', 'hpcc-sigcomm19', 'timely-sigcomm15', 'dctcp-ns3', 'swift-sigcomm20'] as const;
const RATES_GBPS = [10, 25, 40, 100, 400] as const;

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
  const { topology, hosts, between } = randomTopology(link, whole, oneOf);
  const flows = Array.from({ length: whole(1, 16) }, () => randomFlow(hosts, whole, random));
  return {
    name: `random ${seed}`,
    seed,
    durationUs: 2_000_000,
    topology,
    workload: { kind: 'flows', flows },
    algorithms: { only: { preset: oneOf(PRESETS), window: oneOf(['none', 'variable'] as const) } },
    switches: {
      pfc: faults ? random() < 0.8 : true,
      bufferBytes: whole(4, 32) * 2 ** 20,
      ecn: { kminKB: whole(5, 100), kmaxKB: whole(100, 400), pmax: random(), markAt: oneOf(['dequeue', 'enqueue'] as const) },
      fastCnp: { enabled: random() < 0.4 },
    },
    hosts: { mtuBytes: oneOf([256, 1024, 4096]), cnpDelayUs: oneOf([0, 5]), retransmitTimeoutUs: 500 },
    ...(faults ? { faults: randomFaults(between, whole, random) } : {}),
  };
}

type Whole = (from: number, to: number) => number;
type OneOf = <Value>(values: readonly Value[]) => Value;

interface Shape {
  readonly topology: TopologySpec;
  readonly hosts: number;
  /** Links that may fail. */
  readonly between: readonly (readonly [string, string])[];
}

function randomTopology(link: { readonly rateGbps: number; readonly delayNs: number }, whole: Whole, oneOf: OneOf): Shape {
  const kind = oneOf(['star', 'dumbbell', 'leaf-spine', 'fat-tree'] as const);
  if (kind === 'star') {
    const hosts = whole(2, 12);
    return { topology: { kind, hosts, ...link }, hosts, between: [['h0', 's0'], ['h1', 's0']] };
  }
  if (kind === 'dumbbell') {
    const [left, right] = [whole(1, 6), whole(1, 6)];
    return { topology: { kind, left, right, ...link }, hosts: left + right, between: [['s0', 's1'], ['h0', 's0']] };
  }
  if (kind === 'leaf-spine') {
    const hostsPerLeaf = whole(1, 4);
    const shape = { leaves: whole(2, 3), spines: whole(1, 3), hostsPerLeaf };
    return { topology: { kind, ...shape, ...link }, hosts: shape.leaves * hostsPerLeaf, between: [['leaf0', 'spine0'], ['h0', 'leaf0']] };
  }
  return { topology: { kind, k: 4, ...link }, hosts: 16, between: [['edge0', 'agg0'], ['h0', 'edge0']] };
}

function randomFlow(hosts: number, whole: Whole, random: () => number): FlowSpec {
  const from = whole(0, hosts - 1);
  const to = (from + whole(1, hosts - 1)) % hosts;
  return { from: `h${from}`, to: `h${to}`, sizeBytes: Math.ceil(200_000 * random() * random()) + 1, startUs: whole(0, 50) };
}

function randomFaults(between: Shape['between'], whole: Whole, random: () => number): FaultSpec[] {
  return between.flatMap((ends): FaultSpec[] => {
    const fromUs = whole(1, 200);
    return [
      ...(random() < 0.5 ? [{ kind: 'link-down' as const, between: ends, fromUs, toUs: fromUs + whole(1, 300) }] : []),
      ...(random() < 0.5 ? [{ kind: 'loss' as const, between: ends, share: random() * 0.05, of: (['all', 'data', 'acks', 'cnps'] as const)[whole(0, 3)] }] : []),
      ...(random() < 0.3 ? [{ kind: 'corruption' as const, between: ends, share: random() * 0.02 }] : []),
    ];
  });
}
