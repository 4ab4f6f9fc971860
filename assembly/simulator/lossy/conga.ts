/**
 * CONGA: flowlets take the path whose busiest link is least busy. Ports estimate their rate (DRE); packets collect the maximum
 * estimate of their path; with each packet back, the last leaf reports that of a random path to the first leaf.
 *
 *   X        += bytes of data assigned to the port; every 50 us trunc(0.8 X)
 *   CE       trunc(8 X / (rate 50 us / 0.2) 8), not capped at 7 [as in the reference simulator]
 *   choice   among all paths, or four consecutive ones from a random one on: least max(CE of the first port, reported CE of the
 *            path); ties at random
 *   ageing   every 500 us: older reports count as 0, older observations are deleted
 *
 * Ticks are evaluated on access; a tick at the time of a packet precedes it.
 * Source: docs/specs/reference-lossy.md, section 9; M. Alizadeh et al., SIGCOMM 2014.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { portAt } from '../network';
import { cRandom } from './c-random';
import { firstPath, pathsBetween, portOfHop } from './leaf-paths';
import { knownHere, knownThere, lossyNode, lossyPort, PATH_RECORD_BYTES } from './network';
import { SimNode, SimPort } from '../../records/network';
import { LossyPart } from '../../records/lossy';

const TICK_PS: i64 = 50_000_000;
const AGE_PS: i64 = 500_000_000;
const DECAY: f64 = 0.8;
const ALPHA: f64 = 0.2;
const TICK_S: f64 = 50e-6;
const LEVELS: f64 = 8;
/** Number of paths that are compared. */
const COMPARED: u32 = 4;

// The state of a path: CE u32; whether it is known u32; time of the last report i64.
const KNOWN: usize = 4;
const SINCE: usize = 8;

@inline function recordOf(table: usize, path: u32): usize {
  return table + <usize>path * PATH_RECORD_BYTES;
}

/** Number of ticks of a switch since its first data packet. */
@inline function ticksOf(node: u32, periodPs: i64): i64 {
  return (nowPs - lossyNode(node).firstPs) / periodPs;
}

/** Records the time of a switch's first data packet. */
@inline export function noteFirst(node: u32): void {
  if (lossyNode(node).firstPs < 0) lossyNode(node).firstPs = nowPs;
}

function decay(port: SimPort): void {
  const own = lossyPort(port);
  const ticks = ticksOf(port.node, TICK_PS);
  for (; own.sentTicks < ticks && own.sentEstimate; own.sentTicks++)
    own.sentEstimate = <u32>(DECAY * <f64>own.sentEstimate);
  own.sentTicks = ticks;
}

/** Called when a data packet is assigned to a port. */
export function noteSent(port: SimPort, lenBytes: u32): void {
  decay(port);
  lossyPort(port).sentEstimate += lenBytes;
}

export function congestionOf(port: SimPort): u32 {
  decay(port);
  const bits = 8.0 * <f64>lossyPort(port).sentEstimate;
  return <u32>(bits / (port.rateBps * TICK_S / ALPHA) * LEVELS);
}

/** Whether a record was too old at the last tick of a switch. */
@inline function isAged(node: u32, record: usize): bool {
  const ticks = ticksOf(node, AGE_PS);
  if (ticks == 0) return false;
  return lossyNode(node).firstPs + ticks * AGE_PS - load<i64>(record, SINCE) > AGE_PS;
}

/** Writes a report on a random path that the last leaf has seen packets of into a packet back. */
export function addFeedback(part: LossyPart, here: u32, there: u32): void {
  part.feedbackPath = SIM_NONE;
  const first = firstPath(there, here);
  const count = pathsBetween(there, here);
  let known: u32 = 0;
  for (let path = first; path < first + count; path++) known += isSeen(here, path);
  if (known == 0) return;
  let left = cRandom() % known;
  for (let path = first; path < first + count; path++) {
    if (!isSeen(here, path) || left-- > 0) continue;
    part.feedbackPath = path;
    part.feedback = load<u32>(recordOf(knownHere, path));
    return;
  }
}

@inline function isSeen(here: u32, path: u32): u32 {
  const record = recordOf(knownHere, path);
  return <u32>(load<u32>(record, KNOWN) != 0 && !isAged(here, record));
}

/** Chooses the path of a new flowlet. */
export function leastCongested(node: SimNode, here: u32, there: u32): u32 {
  let first = firstPath(here, there);
  let count = pathsBetween(here, there);
  if (count >= COMPARED) {
    first += cRandom() % (count - COMPARED + 1);
    count = COMPARED;
  }
  let least = u32.MAX_VALUE;
  let ties: u32 = 0;
  for (let path = first; path < first + count; path++) {
    const metric = metricOf(node, here, path);
    if (metric < least) {
      least = metric;
      ties = 1;
    } else if (metric == least) ties++;
  }
  let left = cRandom() % ties;
  let path = first;
  while (metricOf(node, here, path) != least || left-- > 0) path++;
  return path;
}

function metricOf(node: SimNode, here: u32, path: u32): u32 {
  const record = recordOf(knownThere, path);
  const reported = isAged(here, record) ? 0 : load<u32>(record);
  return max<u32>(reported, congestionOf(portAt(portOfHop(node, path, 0))));
}

/** At the last leaf, stores a packet's report and the congestion of its path. */
export function learn(part: LossyPart): void {
  if (part.feedbackPath != SIM_NONE) keep(recordOf(knownThere, part.feedbackPath), part.feedback);
  keep(recordOf(knownHere, part.path), part.congestion);
}

@inline function keep(record: usize, congestion: u32): void {
  store<u32>(record, congestion);
  store<u32>(record, 1, KNOWN);
  store<i64>(record, nowPs, SINCE);
}
