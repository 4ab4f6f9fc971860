/** Routes: a table of the group of next hops from each switch to each node (src/abi/records/network.ts). */
import { SIM_NONE, SIM_ROUTES } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { nodeCount, simCapacity } from './network';
import { publish } from './regions';
import { SIM_CAPACITY_ROUTE_WORDS, SIM_CAPACITY_SWITCHES } from '../records/sim-run';
import { SimNode, ROUTE_WORDS_PER_NODE, SIM_DIRECT } from '../records/network';

/** Number of switches, each with a row. */
export let switchCount: u32 = 0;
export let routes: usize = 0;
let directs: usize = 0;
let entries: usize = 0;

export function allocateRoutes(): void {
  switchCount = simCapacity(SIM_CAPACITY_SWITCHES);
  routes = publish(SIM_ROUTES, allocate(<usize>simCapacity(SIM_CAPACITY_ROUTE_WORDS) << 2));
  directs = routes + (<usize>nodeCount << 2);
  entries = routes + (<usize>nodeCount * ROUTE_WORDS_PER_NODE << 2);
}

/** The group towards a node, as the index of its first word in the region of groups; SIM_NONE if there is no path. */
@inline export function groupTowards(node: SimNode, destination: u32): u32 {
  const column = load<u32>(routes + (<usize>destination << 2));
  if (column == SIM_NONE) return SIM_NONE;
  const group = load<u32>(entries + (<usize>(column + node.routeRow) << 2));
  return group == SIM_DIRECT ? load<u32>(directs + (<usize>destination << 2)) : group;
}
