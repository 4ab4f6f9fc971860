/**
 * About how much memory compiling and running a scenario takes, known before either begins. The figures are rough, and on
 * the safe side: a star of 65,534 hosts is estimated at 776 MB and takes 634 MB on Node 20.
 */
import { refuseScenario } from '../scenario/scenario-error.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { routeCount } from './routes.js';

/** The program itself, and the engine's code and tables. */
const BASE_BYTES = 120e6;
const BYTES_PER_FLOW = 1800;
const BYTES_PER_NODE = 4000;
const BYTES_PER_LINK = 6000;
/** In the compiler's table and in the kernel's. */
const BYTES_PER_ROUTE = 16;

/** Bytes, to within a factor of two. */
export function estimateMemoryBytes({ network, flows }: Pick<ValidScenario, 'network' | 'flows'>): number {
  return BASE_BYTES + flows.length * BYTES_PER_FLOW + network.nodes.length * BYTES_PER_NODE +
    network.links.length * BYTES_PER_LINK + routeCount(network) * BYTES_PER_ROUTE;
}

/** @throws RoceError `invalid-scenario` for what would not fit, naming the part that takes most. */
export function requireMemory(valid: ValidScenario, maxBytes: number): void {
  const got = estimateMemoryBytes(valid);
  if (got <= maxBytes) return;
  const isFlows = valid.flows.length * BYTES_PER_FLOW > got / 2;
  refuseScenario({
    what: 'the memory that the scenario needs',
    got: Math.round(got),
    allowed: { max: Math.round(maxBytes), unit: 'bytes' },
    where: isFlows ? 'workload' : 'topology',
    hint: 'The limit is set by --max-memory',
  });
}
