/**
 * Compiles a scenario's faults: when links go down and come up and when their losses change, and hazards: pause storms,
 * slow receivers, bit errors, watchdogs, and whether pauses are inspected.
 *
 * Pauses are inspected by default if the routes can deadlock. A port depends on another if packets that it sends to a
 * switch may leave that switch by the other: their memory is freed only when they are sent. Without a cycle of
 * dependencies no deadlock can form.
 *
 * Source: W. Dally, C. Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, IEEE
 * Transactions on Computers 36(5), 1987: channel dependency graph.
 */
import { BPS_PER_GBPS, PS_PER_SECOND, PS_PER_US } from '../../../units.js';
import { peerOf, portsOf, type Graph } from '../../compile/routes.js';
import { defaultHeadroomBytes, portsBetween, type HeadroomRules, lossesByPort,
  timesOf } from '../../compile/port-settings.js';
import { classMask } from '../../compile/rules.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { BitErrorPlan, HazardPlan, ReceiverPlan, StormPlan, WatchdogPlan, NetworkPlan, Rules, LinkEventPlan,
  LinkNoticePlan, LossEventPlan } from '../../plan.js';
import { DEFAULT_BIT_ERRORS, DEFAULT_RECEIVE_BUFFER_BYTES } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { BitErrorsSpec, FaultSpec, PauseStormSpec, SlowReceiverSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';

/** Largest pause time, quanta of 512 bit times (IEEE 802.1Qbb). */
const LONGEST_PAUSE_BITS = 65_535 * 512;
/** Our choice: some round trips, and longer than any pause in a healthy network. */
const CHECK_INTERVAL_PS = 10 * PS_PER_US;
/** Our choice: the minimum time without progress that ends a run with a deadlock. */
const QUIET_PS = 1000 * PS_PER_US;

/** The inputs of a hazard plan. */
export interface HazardContext {
  readonly graph: Graph;
  readonly headroom: HeadroomRules;
  readonly rules: Rules;
  readonly flows: FlowPlans;
  readonly routes: Pick<NetworkPlan, 'routes' | 'groups'>;
}

/** @throws RoceError `invalid-scenario` for a receive buffer too small for data that arrives after a pause. */
export function hazardPlan(valid: ValidScenario, context: HazardContext): HazardPlan | undefined {
  if (valid.fidelity !== 'standard') return undefined;
  const storms = valid.faults.flatMap((fault) => (fault.kind === 'pause-storm' ? stormPlans(fault, context) : []));
  const receivers = valid.faults.flatMap((fault, i) =>
    fault.kind === 'slow-receiver' ? receiverPlans(fault, valid, context, `faults[${i}]`) : []
  );
  const bitErrors = bitErrorPlans(valid.faults, context.graph);
  const watchdogs = watchdogPlans(valid);
  const cycle = valid.spec.topology.kind === 'edges' && hasCycle(context);
  const likely = cycle || storms.length + receivers.length + watchdogs.length > 0;
  const inspected = valid.record.victims ?? likely;
  if (!likely && !inspected && bitErrors.length === 0) return undefined;
  const checkIntervalPs = inspected || cycle ? CHECK_INTERVAL_PS : 0;
  const quietPs = watchdogs.length > 0 || valid.jobs.length > 0 ? 0 : quietTimePs(context);
  return { checkIntervalPs, quietPs, storms, receivers, bitErrors, watchdogs };
}

/** Time without progress after which a run is stuck: a flow that is not held forever has retransmitted by then. */
function quietTimePs({ flows: { pathTimeoutPs }, rules }: HazardContext): number {
  return pathTimeoutPs.reduce((most, timePs) => (timePs > most ? timePs : most),
    Math.max(QUIET_PS, 2 * rules.retransmitTimeoutPs));
}

function portsOfHost(graph: Graph, name: string): number[] {
  return portsOf(graph, graph.network.nodes.findIndex((node) => node.name === name));
}

function stormPlans({ host, fromUs, lastsUs, trafficClasses }: PauseStormSpec,
  { graph, rules }: HazardContext): StormPlan[] {
  const ofData = rules.guaranteedClasses ?? 0;
  const fromPs = Math.round(fromUs * PS_PER_US);
  return portsOfHost(graph, host).map((port) => ({
    port,
    classes: trafficClasses === undefined ? ofData : classMask(trafficClasses),
    fromPs,
    untilPs: lastsUs === undefined ? null : fromPs + Math.round(lastsUs * PS_PER_US),
    everyPs: Math.floor((LONGEST_PAUSE_BITS * PS_PER_SECOND) / graph.rateBps[port]),
  }));
}

function receiverPlans(spec: SlowReceiverSpec, valid: ValidScenario, { graph, headroom }: HazardContext,
  where: string): ReceiverPlan[] {
  return portsOfHost(graph, spec.host).map((port) => {
    const roomBytes = defaultHeadroomBytes(graph, port, headroom);
    const { bufferBytes = DEFAULT_RECEIVE_BUFFER_BYTES + Math.max(0, roomBytes - DEFAULT_RECEIVE_BUFFER_BYTES / 2) } =
      spec;
    const pfc = spec.pfc ?? valid.switches[peerOf(graph, port)]?.pfc ?? true;
    const { xoffBytes = bufferBytes - roomBytes } = spec;
    const { xonBytes = Math.max(0, xoffBytes - headroom.longestBytes) } = spec;
    if (pfc && xoffBytes < 1) {
      const allowed = { above: roomBytes, unit: 'bytes' };
      const hint = 'What arrives after a pause needs the rest; xoffBytes sets the threshold itself';
      rejectScenario({
        what: `the receive buffer of ${spec.host}`,
        got: bufferBytes,
        allowed,
        where: `${where}.bufferBytes`,
        hint,
      });
    }
    if (pfc && xonBytes >= xoffBytes) {
      rejectScenario({
        what: `xonBytes of ${spec.host}`,
        got: xonBytes,
        allowed: { below: xoffBytes, unit: 'bytes' },
        where: `${where}.xonBytes`,
      });
    }
    return { port, rateBps: Math.round(spec.rateGbps * BPS_PER_GBPS), bufferBytes, xoffBytes, xonBytes, pfc };
  });
}

/** Bit errors of each port; the error rates of several faults combine as independent probabilities. */
function bitErrorPlans(faults: readonly FaultSpec[], graph: Graph): BitErrorPlan[] {
  const byPort = new Map<number, BitErrorPlan>();
  for (const fault of faults) {
    if (fault.kind !== 'bit-errors') continue;
    for (const port of portsOfFault(fault, graph)) {
      const { perBit, perFrame } = byPort.get(port) ?? { perBit: 0, perFrame: 0 };
      const own = { ...DEFAULT_BIT_ERRORS, ...fault };
      byPort.set(port, {
        port,
        perBit: either(perBit, own.perBit),
        perFrame: either(perFrame, own.perFrame),
      });
    }
  }
  return [...byPort.values()];
}

function portsOfFault({ between, direction = DEFAULT_BIT_ERRORS.direction }: BitErrorsSpec, graph: Graph): number[] {
  const both = portsBetween(graph, between);
  return direction === 'both' ?
    both :
    both.filter((port) => graph.network.nodes[graph.nodeOf[port]].name === between[0]);
}

function either(one: number, other: number): number {
  return one === 0 ? other : 1 - (1 - one) * (1 - other);
}

function watchdogPlans({ switches }: ValidScenario): WatchdogPlan[] {
  return switches.flatMap((settings, node) => {
    if (settings?.watchdog === undefined || settings.watchdog === null) return [];
    const { detectionUs, restorationUs, pollUs, action } = settings.watchdog;
    const inPs = (timeUs: number): number => Math.max(1, Math.round(timeUs * PS_PER_US));
    return [{
      node,
      detectionPs: inPs(detectionUs),
      restorationPs: inPs(restorationUs),
      pollPs: inPs(pollUs),
      action,
    }];
  });
}

/** Whether the paths of data and responses, including all equal-cost ones, have a cycle of dependencies. */
function hasCycle({ graph, routes, flows }: HazardContext): boolean {
  const isSwitch = graph.network.nodes.map(({ kind }) => kind === 'switch');
  const next = new Map<number, Set<number>>();
  const nextHops = (node: number, host: number): readonly number[] => {
    const group = routes.routes.group(node, host);
    return group < 0 ? [] : routes.groups[group];
  };
  /** Follows the routes from a port to a host. */
  const follow = (from: number, host: number, seen: Set<number>): void => {
    const waiting = [from];
    for (let port = waiting.pop(); port !== undefined; port = waiting.pop()) {
      if (seen.has(port)) continue;
      seen.add(port);
      const node = graph.nodeOf[graph.peerPort[port]];
      if (!isSwitch[node]) continue;
      const there = next.get(port) ?? new Set();
      next.set(port, there);
      for (const egress of nextHops(node, host)) {
        there.add(egress);
        waiting.push(egress);
      }
    }
  };
  const seenOf = new Map<number, Set<number>>();
  const towards = (host: number): Set<number> => {
    const seen = seenOf.get(host) ?? new Set();
    seenOf.set(host, seen);
    return seen;
  };
  for (let flow = 0; flow < flows.length; flow++) {
    follow(flows.sourcePort[flow], flows.destination[flow], towards(flows.destination[flow]));
    follow(flows.responsePort[flow], flows.source[flow], towards(flows.source[flow]));
  }
  return isCyclic(next);
}

/**
 * Whether a graph has a cycle: removes ports on which nothing depends until none are left (no cycle) or each remaining one has
 * a predecessor.
 */
function isCyclic(next: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const before = new Map<number, number>();
  for (const nextHops of next.values())
    for (const egress of nextHops) before.set(egress, (before.get(egress) ?? 0) + 1);
  const free = [...next.keys()].filter((port) => !before.has(port));
  let left = next.size;
  for (let port = free.pop(); port !== undefined; port = free.pop()) {
    if (next.has(port)) left--;
    for (const egress of next.get(port) ?? []) {
      const count = (before.get(egress) ?? 0) - 1;
      before.set(egress, count);
      if (count === 0) free.push(egress);
    }
  }
  return left > 0;
}

/** Events that faults cause: links down and up, their detection, and changing losses if there are any. */
export function faultEvents(valid: ValidScenario, graph: Graph): Pick<NetworkPlan, 'linkEvents'> & Partial<
  Pick<NetworkPlan, 'linkNotices' | 'lossEvents'>
> {
  const losses = lossEvents(valid, graph);
  const links = linkEvents(valid, graph);
  const detectPs = Math.round(valid.hosts.mrc.portDetectUs * PS_PER_US);
  const isLate = (detectPs > 0 || valid.hosts.mrc.portStatus) && links.length > 0 && graph.network.planes !== undefined;
  return {
    linkEvents: links,
    ...(isLate && { linkNotices: linkNotices(links, detectPs) }),
    ...(losses && { lossEvents: losses }),
  };
}

/** Of changes that last longer than it takes to detect them. */
function linkNotices(events: readonly LinkEventPlan[], detectPs: number): LinkNoticePlan[] {
  const notices: LinkNoticePlan[] = [];
  const down = new Set<number>();
  const dueOf = new Map<number, number>();
  for (const { timePs, port, up } of events) {
    if (up !== down.has(port)) continue;
    if (up) down.delete(port);
    else down.add(port);
    const duePs = dueOf.get(port);
    if (duePs !== undefined && duePs < timePs) notices.push({ timePs: duePs, port });
    if (duePs === undefined || duePs < timePs) dueOf.set(port, timePs + detectPs);
    else dueOf.delete(port);
  }
  for (const [port, timePs] of dueOf) notices.push({ timePs, port });
  return notices.sort((a, b) => a.timePs - b.timePs || a.port - b.port);
}

/** When links go down and come up, in order of time: a link is down while any fault keeps it down. */
export function linkEvents({ faults }: ValidScenario, graph: Graph): LinkEventPlan[] {
  const downtimesOf = new Map<number, Downtime[]>();
  for (const fault of faults) {
    if (fault.kind !== 'link-down') continue;
    const downtime = { fromPs: Math.round(fault.fromUs * PS_PER_US), toPs: Math.round(fault.toUs * PS_PER_US) };
    for (const port of portsBetween(graph, fault.between)) {
      if (port < graph.peerPort[port]) downtimesOf.set(port, [...(downtimesOf.get(port) ?? []), downtime]);
    }
  }
  const events = [...downtimesOf].flatMap(([port, downtimes]) =>
    united(downtimes).flatMap(({ fromPs, toPs }) => [
      { timePs: fromPs, port, up: false },
      { timePs: toPs, port, up: true },
    ])
  );
  return events.sort((a, b) => a.timePs - b.timePs || a.port - b.port || Number(a.up) - Number(b.up));
}

/** Times between which a link is down. */
interface Downtime {
  readonly fromPs: number;
  readonly toPs: number;
}

/** The same times, with those that overlap or touch as one. */
function united(downtimes: readonly Downtime[]): Downtime[] {
  const result: Downtime[] = [];
  for (const downtime of [...downtimes].sort((a, b) => a.fromPs - b.fromPs)) {
    const last = result.at(-1);
    if (last === undefined || downtime.fromPs > last.toPs) result.push(downtime);
    else result[result.length - 1] = { fromPs: last.fromPs, toPs: Math.max(last.toPs, downtime.toPs) };
  }
  return result;
}

/** Changes of losses in order of time; undefined: losses do not change. */
function lossEvents({ faults }: ValidScenario, graph: Graph): LossEventPlan[] | undefined {
  const losing = faults.flatMap((fault) => fault.kind === 'loss' ? [fault] : []);
  const timesPs = new Set(losing.flatMap(timesOf).filter((timePs) => timePs > 0 && timePs < Infinity));
  if (timesPs.size === 0) return undefined;
  return [...timesPs].sort((a, b) => a - b).flatMap((timePs) => {
    const changing = losing.filter((fault) => timesOf(fault).includes(timePs));
    const ports = new Set(changing.flatMap(({ between }) => portsBetween(graph, between)));
    const losses = lossesByPort(faults, graph, timePs);
    return [...ports].sort((a, b) => a - b).map((port) => {
      const { dataLoss, ackLoss, cnpLoss } = losses[port];
      return { timePs, port, dataLoss, ackLoss, cnpLoss };
    });
  });
}
