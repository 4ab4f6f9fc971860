/** Builds the flow's path from the followed packets and the ports in the run's result. */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { SimResult } from '../result.js';
import { type ResponseKind, type FlowPath, type PacketRoute, type PathPort, pathNote,
  type FlowPathNote } from './flow-path.js';
import type { OpenRoute } from './route-tracker.js';
import type { PathWatch } from './path-watch.js';

/** Maximum samples of each queue: about the width of a drawing. */
const SAMPLES_MAX = 400;
/** Time shown before the packet left, as a share of the time until the response. */
const BEFORE = 0.25;

export interface PathParts {
  readonly compiled: CompiledScenario;
  readonly result: SimResult;
  readonly flow: number;
  readonly data: OpenRoute;
  readonly response: OpenRoute | undefined;
  /** Whether the result has a notification of the sender. */
  readonly isNotified: boolean;
  /** End of the time for which the flow was followed. */
  readonly endPs: number;
  readonly watch: PathWatch;
}

export function pathOf({ compiled, result, flow, data, response, isNotified, endPs, watch }: PathParts): FlowPath {
  const { plan } = compiled;
  const { source, destination } = plan.flows.get(flow);
  const { from, to } = result.flows[flow];
  const dataRoute = data.result(compiled, destination);
  const responseRoute = response?.result(compiled, source) ?? null;
  const loopPs = (response ?? data).reachedPs - data.beganPs;
  const fromPs = Math.max(result.flows[flow].startPs, Math.floor(data.beganPs - BEFORE * loopPs));
  const toPs = Math.max(endPs, (response ?? data).reachedPs);
  const places = placesBetween(watch.timesPs, fromPs, toPs);
  return {
    flow,
    from,
    to,
    fromPs,
    toPs,
    notification: response !== undefined && isNotified ? response.kind as ResponseKind : null,
    data: dataRoute,
    response: responseRoute,
    congestedPort: congestedPort(compiled, data, responseRoute),
    ports: data.ports.map((port, hop) => ({
      ...portOf(compiled, result, port),
      tunnel: dataRoute.hops[hop].tunnel,
      ...watch.of(port, fromPs, toPs, places),
    })),
    timesPs: places.map((place) => watch.timesPs[place]),
    notes: notesOn(flow, dataRoute, responseRoute, isNotified),
  };
}

/** Indices of at most SAMPLES_MAX samples between two times, evenly spaced. */
function placesBetween(timesPs: readonly number[], fromPs: number, toPs: number): number[] {
  const all = timesPs.flatMap((timePs, place) => (timePs >= fromPs && timePs <= toPs ? [place] : []));
  const step = Math.ceil(all.length / SAMPLES_MAX);
  return all.filter((_, at) => at % Math.max(1, step) === 0);
}

/** The congested port. A Fast CNP identifies the switch, and its data packet the port. */
function congestedPort({ plan, portNames }: CompiledScenario, data: OpenRoute, response: PacketRoute | null): string
  | null {
  if (response?.kind === 'fast-cnp')
    return portNames[
      data.ports.find((port) => plan.nodes[plan.ports[port].node].name === response.hops[0].node) ?? -1
    ] ??
      null;
  return data.markedAt === undefined ? null : portNames[data.markedAt];
}

function portOf({ plan, portNames }: CompiledScenario, { ports, wan }: SimResult,
  port: number): Omit<PathPort, 'tunnel' | 'queueBytes' | 'held'> {
  const { rateBps, delayPs, peerPort } = plan.ports[port];
  const { maxQueueBytes, marks, pausedPs } = ports[port];
  const own = plan.wan?.flowControl.ports.find((other) => other.port === port);
  const pauses = plan.nodes[plan.ports[peerPort].node].pfc ? 'pfc' : 'none';
  return {
    port: portNames[port],
    rateBps,
    delayPs,
    flowControl: own?.control ?? pauses,
    maxQueueBytes,
    marks,
    pausedPs,
    heldPs: wan?.arnPorts?.find((other) => other.port === portNames[port])?.heldPs ?? 0,
  };
}

function notesOn(flow: number, { delivered, sequence, hops }: PacketRoute, response: PacketRoute | null,
  isNotified: boolean): FlowPathNote[] {
  const { port = null, leftPs = null } = hops.at(-1) ?? {};
  return [
    ...(isNotified && response === null ? [pathNote('notification-not-found', { flow })] : []),
    ...(delivered ? [] : [pathNote('data-not-delivered', { flow, sequence, port, atPs: leftPs })]),
  ];
}
