/**
 * Next hops while links are down: each switch forwards to a neighbour that is one link nearer to the destination over links that
 * are up, as with a converged routing protocol. Every reachable node stays reachable, and no packet loops.
 *
 * Distances  number of links from each switch to each host, by a breadth-first search from the host after each link change; hosts on the
 *            same switch share one search.
 * Choice     by the flow's hash or the switch's load balancer, among the plan's next hops that lead nearer; if none of these is left, among
 *            all ports that do, in order of their numbers.
 * Adapters   of hosts with several planes forward only for their host. They may learn late that their port into a plane, or that of the
 *            destination's adapter, has gone down or come up; until then they still use the plane, or still avoid it. With port status updates
 *            (transport/port-status.ts) they learn about the ports of the destination's adapter only from its host.
 * Limits     routing converges at once; real networks take milliseconds to seconds.
 *
 * Unused while all links are up; plans without link events allocate nothing for it.
 */
import { SIM_NONE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { balanced, portsVary } from './balancing/network';
import { groups, linkEventCount, nodeAt, nodeCount, portAt, portCount, simCapacity } from './network';
import { switchCount } from './routes';
import { domainOf, tunnelled } from './wan/memory';
import { PORT_UNNOTICED, SimNode, SimPort } from '../records/network';
import { SIM_CAPACITY_STATUS_PAIRS } from '../records/sim-run';

const FAR: u32 = 0xffff;
/** Domain number of the WAN, whose nodes are destinations of outer headers. */
const WAN: u32 = 2;

/** Number of links that are down, or that adapters assume to be down. */
export let linksDown: u32 = 0;
/** Above 0: packets of a flow may change paths, so no egress port is cached. */
export let nextHopsMove: u32 = 0;

/** Distances, u16 each, by destination, then by switch. */
let distances: usize = 0;
let distanceBytes: usize = 0;
let queue: usize = 0;
/** One u32 per distance: ports of a host's adapter that an adapter assumes to be down, by port number, from bit 1 on; 0: none reported. */
let peerPorts: usize = 0;
let peerPortsBytes: usize = 0;
const IS_REPORTED: u32 = 1;
/** Candidates of the current choice. */
export let openNextHops: usize = 0;

export function allocateRerouting(): void {
  distanceBytes = linkEventCount ? <usize>nodeCount * <usize>switchCount << 1 : 0;
  distances = allocate(distanceBytes);
  peerPortsBytes = simCapacity(SIM_CAPACITY_STATUS_PAIRS) ? <usize>nodeCount * <usize>switchCount << 2 : 0;
  peerPorts = allocate(peerPortsBytes);
  queue = allocate(linkEventCount ? <usize>nodeCount << 2 : 0);
  openNextHops = allocate(linkEventCount ? <usize>portCount << 2 : 0);
}

export function beginRerouting(): void {
  setLinksDown(0);
  memory.fill(peerPorts, 0, peerPortsBytes);
}

function setLinksDown(count: u32): void {
  linksDown = count;
  nextHopsMove = count + <u32>balanced + <u32>portsVary + <u32>tunnelled;
}

/** Adds `change` (1, -1 or 0) to the number of links that are down. */
export function countLinksDown(change: u32): void {
  setLinksDown(linksDown + change);
}

/** Tells an adapter which ports of a host's adapter are down. `closed`: bit i is the port into plane i. */
export function setPeerPorts(node: SimNode, host: u32, closed: u32): void {
  const at = peerPortsOf(node, host);
  const before = load<u32>(at);
  store<u32>(at, IS_REPORTED | (closed << 1));
  const isFirst = !linksDown;
  countLinksDown(<u32>(closed != 0) - <u32>(before > IS_REPORTED));
  if (isFirst) relearnRoutes();
}

@inline function peerPortsOf(node: SimNode, host: u32): usize {
  return peerPorts + ((<usize>host * <usize>switchCount + <usize>node.routeRow) << 2);
}

/** Recomputes routes after a link has gone down or come up. */
export function relearnRoutes(): void {
  if (!linksDown) return;
  memory.fill(distances, 0xff, distanceBytes);
  let before: u32 = 0;
  for (let node: u32 = 0; node < nodeCount; node++) {
    if (nodeAt(node).isSwitch && !(tunnelled && domainOf(node) == WAN)) continue;
    if (hasSameSwitch(nodeAt(node), nodeAt(before))) copyDistances(node, before);
    else searchFrom(node);
    before = node;
  }
}

/** Whether two hosts are connected to the same switch by links that are up. */
function hasSameSwitch(host: SimNode, other: SimNode): bool {
  if (host == other || host.isSwitch || other.isSwitch || host.portCount != 1 || other.portCount != 1) return false;
  const port = portAt(host.firstPort);
  const otherPort = portAt(other.firstPort);
  return isUp(port) && isUp(otherPort) && portAt(port.peer).node == portAt(otherPort.peer).node;
}

function copyDistances(host: u32, known: u32): void {
  const bytes = <usize>switchCount << 1;
  memory.copy(distances + <usize>host * bytes, distances + <usize>known * bytes, bytes);
}

@inline function placeOf(node: SimNode, host: u32): usize {
  return distances + ((<usize>host * <usize>switchCount + <usize>node.routeRow) << 1);
}

@inline function isUp(port: SimPort): bool {
  return port.up != 0 && portAt(port.peer).up != 0;
}

function searchFrom(host: u32): void {
  let filled: u32 = 1;
  store<u32>(queue, host);
  if (nodeAt(host).isSwitch) store<u16>(placeOf(nodeAt(host), host), 0);
  for (let taken: u32 = 0; taken < filled; taken++) {
    const node = nodeAt(load<u32>(queue + (<usize>taken << 2)));
    const next: u32 = node.isSwitch ? <u32>load<u16>(placeOf(node, host)) + 1 : 1;
    if (node.isAdapter && next > 2) continue;
    for (let number: u32 = 0; number < node.portCount; number++) {
      const port = portAt(node.firstPort + number);
      const peer = portAt(port.peer).node;
      if (!isUp(port) || !nodeAt(peer).isSwitch || load<u16>(placeOf(nodeAt(peer), host)) != FAR) continue;
      store<u16>(placeOf(nodeAt(peer), host), <u16>next);
      store<u32>(queue + (<usize>filled << 2), peer);
      filled++;
    }
  }
}

/** Whether a port of this switch leads one link nearer to the host. */
function leadsNearer(node: SimNode, port: SimPort, host: u32): bool {
  if (!isUp(port)) return false;
  const peer = portAt(port.peer).node;
  if (peer == host) return true;
  const here = <u32>load<u16>(placeOf(node, host));
  return here != FAR && nodeAt(peer).isSwitch != 0 && <u32>load<u16>(placeOf(nodeAt(peer), host)) + 1 == here;
}

/** Whether an adapter may use a port towards a host: as far as it knows, this port and that of the host's adapter into the same plane are up. */
function isOpenTo(node: SimNode, egress: u32, host: u32): bool {
  const own = portAt(egress);
  const far = nodeAt(portAt(portAt(nodeAt(host).firstPort).peer).node);
  const farPort = portAt(far.firstPort + egress - node.firstPort);
  if (!seemsUp(own) || !isReported(node, host, egress - node.firstPort, farPort)) return false;
  return !own.up || !farPort.up || leadsNearer(node, own, host);
}

/** Whether an adapter assumes that the port with the same number at a host's adapter is up. */
@inline function isReported(node: SimNode, host: u32, number: u32, farPort: SimPort): bool {
  const reported = peerPortsBytes ? load<u32>(peerPortsOf(node, host)) : 0;
  return reported ? ((reported >> number) & 1) == 0 || number == 0 : seemsUp(farPort);
}

/** Whether adapters assume that the link of a port is up. */
@inline export function seemsUp(port: SimPort): bool {
  return (port.up != 0) != isUnnoticed(port);
}

/** The egress port towards a host; SIM_NONE if there is no path. `group`: the plan's next hops. */
export function egressAround(node: SimNode, host: u32, group: u32, hash: u32): u32 {
  const count = findOpenNextHops(node, host, group);
  return count ? load<u32>(openNextHops + (<usize>(hash % count) << 2)) : SIM_NONE;
}

/** Writes the candidates to `openNextHops`: the plan's next hops that lead nearer, otherwise all ports that do. Returns their number. */
export function findOpenNextHops(node: SimNode, host: u32, group: u32): u32 {
  const planned = keepNearer(node, host, groups + (<usize>group << 2) + 4, load<u32>(groups + (<usize>group << 2)));
  return planned ? planned : keepNearer(node, host, 0, node.portCount);
}

/** Writes the next hops that lead nearer to `openNextHops`; returns their number. `nextHops` 0: considers all ports of the switch. */
function keepNearer(node: SimNode, host: u32, nextHops: usize, count: u32): u32 {
  let kept: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const egress = nextHops ? load<u32>(nextHops + (<usize>at << 2)) : node.firstPort + at;
    if (node.isAdapter ? isOpenTo(node, egress, host) : leadsNearer(node, portAt(egress), host))
      store<u32>(openNextHops + (<usize>(kept++) << 2), egress);
  }
  return kept;
}

/** Whether adapters have not yet noticed the last change of a port's link. */
@inline export function isUnnoticed(port: SimPort): bool {
  return (port.hiddenFaults & PORT_UNNOTICED) != 0;
}
