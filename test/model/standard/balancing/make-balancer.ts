/** The balancer of each switch, by its rule in the plan. */
import { CongestionPointRandom } from '../../../../src/reference/cp/random.js';
import type { BalancingPlan } from '../../../../src/sim/features/balancing/plan.js';
import { ecmpHash } from '../../../../src/switching/ecmp-hash.js';
import { EcmpBalancer } from '../../ecmp-balancer.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { Balancer, Forwarder } from '../../parts.js';
import { ChosenNextHops } from './chosen-next-hops.js';
import { CongaSwitch } from './conga.js';
import { DrillOfPaper } from './drill.js';
import { Flowlets, LetFlowOfPaper } from './flowlets.js';
import { LeastQueue } from './least-queue.js';
import { planeDigit, PlaneOfEntropy } from './plane-of-entropy.js';
import { QueueClasses } from './queue-classes.js';
import { digitOfBits, SourceRoute } from './source-route.js';
import { RandomSpray, RoundRobin } from './spray.js';
import type { Below, EgressChooser } from './egress-chooser.js';
import { WeightedTable, type WeightsOf } from './weighted.js';

/** Separates the generators of next hops from those of marks and Fast CNPs. */
const STREAM = 0x62616c61;
const NODE_STEP = 0x9e3779b1;

export function makeStandardBalancer(world: World, forwarder: Forwarder): Balancer {
  const { balancing, flows } = world.plan;
  const rule = balancing?.rules[forwarder.node] ?? 'ecmp';
  if (balancing === undefined || rule === 'ecmp') return new EcmpBalancer(forwarder);
  if (rule === 'source-route') {
    const stride = balancing.strides[forwarder.node];
    return new SourceRoute(forwarder, (sourcePort) => Math.floor(sourcePort / stride));
  }
  if (rule === 'entropy-bits') return new SourceRoute(forwarder, digitOfBits(balancing.bits[forwarder.node]));
  const below = belowOf(world.plan.seed, forwarder.node);
  if (rule !== 'conga') return new ChosenNextHops(forwarder, chooserOf(rule, balancing, world, forwarder, below));
  return new CongaSwitch(world, forwarder, balancing.conga, new Flowlets(balancing.flowletGapPs, flows.length), below);
}

function chooserOf(rule: Exclude<BalancingPlan['rules'][number], 'ecmp' | 'conga' | 'source-route' | 'entropy-bits'>,
  balancing: BalancingPlan, { events, plan }: World, forwarder: Forwarder, below: Below): EgressChooser {
  const queueOf = (port: Port): number => forwarder.waitingBytes(port);
  const weightsOf: WeightsOf = ({ destination }) =>
    balancing.weights[plan.routes.group(forwarder.node, destination)] ?? [];
  switch (rule) {
    case 'random':
      return new RandomSpray(below);
    case 'round-robin':
      return new RoundRobin();
    case 'least-queue':
      return new LeastQueue(queueOf);
    case 'drill':
      return new DrillOfPaper(balancing.drill, queueOf, below);
    case 'flowlet':
      return new LetFlowOfPaper(() => events.nowPs, new Flowlets(balancing.flowletGapPs, plan.flows.length), below);
    case 'adaptive':
      return new QueueClasses(balancing.adaptive, () => events.nowPs, queueOf, below);
    case 'wcmp': {
      const { hashSeed } = plan.nodes[forwarder.node];
      return new WeightedTable(({ tuple }, entries) => ecmpHash(tuple, hashSeed) % entries, weightsOf);
    }
    case 'plane-of-entropy':
      return new PlaneOfEntropy(planeDigit(balancing.selection?.states));
    case 'weighted-random':
      return new WeightedTable((_, entries) => below(entries), weightsOf);
  }
}

/** Each switch has its own generator. */
function belowOf(seed: number, node: number): Below {
  const random = new CongestionPointRandom((seed + STREAM + Math.imul(node, NODE_STEP)) >>> 0);
  return (count) => Math.floor(random.next() * count);
}
