/**
 * DRILL: each data packet takes, at each switch, the port with the fewest waiting bytes among two random ones and the one taken last
 * towards the same host.
 *
 * Source: docs/specs/reference-lossy.md, section 9; S. Ghorbani et al., SIGCOMM 2017.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { groups, indexOfNode, nodeCount, portAt } from '../network';
import { groupTowards } from '../routes';
import { cRandom } from './c-random';
import { DRILL_PORTS_MAX, drillPorts, drillShuffled } from './network';
import { SimNode } from '../../records/network';

/** Number of random ports that are examined. */
const SAMPLES: u32 = 2;

export function beginDrill(): void {
  memory.fill(drillPorts, 0xff, (<usize>nodeCount * <usize>nodeCount) << 2);
}

/** The egress port towards a host; SIM_NONE if there is none. */
export function drillPort(node: SimNode, destination: u32): u32 {
  const group = groupTowards(node, destination);
  if (group == SIM_NONE) return SIM_NONE;
  const equal = groups + (<usize>group << 2);
  const count = min<u32>(load<u32>(equal), DRILL_PORTS_MAX);
  shuffle(equal + 4, count);
  const place = drillPorts + ((<usize>indexOfNode(node) * <usize>nodeCount + <usize>destination) << 2);
  let best = load<u32>(place);
  let least = best == SIM_NONE ? u32.MAX_VALUE : portAt(best).queueBytes;
  for (let sample: u32 = 0; sample < min<u32>(SAMPLES, count); sample++) {
    const port = load<u32>(drillShuffled + (<usize>sample << 2));
    const bytes = portAt(port).queueBytes;
    if (bytes >= least) continue;
    best = port;
    least = bytes;
  }
  store<u32>(place, best);
  return best;
}

function shuffle(ports: usize, count: u32): void {
  memory.copy(drillShuffled, ports, <usize>count << 2);
  for (let i: u32 = 1; i < count; i++) {
    const other = drillShuffled + (<usize>(cRandom() % (i + 1)) << 2);
    const own = drillShuffled + (<usize>i << 2);
    const port = load<u32>(own);
    store<u32>(own, load<u32>(other));
    store<u32>(other, port);
  }
}
