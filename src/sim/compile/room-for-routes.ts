/** Refuses networks whose table of routes would not fit into memory, before it is made. */
import { refuseScenario } from '../scenario/scenario-error.js';
import type { Network } from '../topology/network.js';
import { routeCount } from './routes.js';

/** Entries of the table of routes: beyond, it would not fit into memory. */
const ROUTES_MAX = 2 ** 25;

/** @throws RoceError `invalid-scenario`. */
export function requireRoomForRoutes(network: Network): void {
  const routes = routeCount(network);
  if (routes <= ROUTES_MAX) return;
  refuseScenario({
    what: 'the size of the table of routes',
    got: routes,
    allowed: { max: ROUTES_MAX },
    where: 'topology',
    hint: 'The table has an entry for each node at each switch, and at each host of several links',
  });
}
