/**
 * PFC hazards: faults of hosts and links, the watchdogs of switches, and the conditions on faults that a schema can't express.
 */
import * as z from 'zod';
import { DEFAULT_BIT_ERRORS, DEFAULT_RECEIVE_BUFFER_BYTES, DEFAULT_WATCHDOG,
  WATCHDOG_ENABLED_WHERE_GIVEN } from '../../scenario/defaults.js';
import { type NodeFinders, rejectForeign, rejectScenario } from '../../scenario/scenario-error.js';
import { ABSENT_UNLESS_GIVEN, ENDS, flag, listOf, name, numberAboveZero, numberIn, optional, orFlag, record,
  TIME_MAX_US, timeUs, wholeIn, wordOf } from '../../scenario/schema-parts.js';
import type { BitErrorsSpec, FaultSpec, Fidelity, LossSpec, PauseStormSpec, SlowReceiverSpec,
  UsidWithdrawnSpec } from '../../scenario/spec.js';
import type { Network } from '../../topology/network.js';

/** Kinds of faults that are PFC hazards. */
export const HAZARD_KINDS = ['pause-storm', 'slow-receiver', 'bit-errors'] as const;

const RATE_MAX_GBPS = 8000;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;

export const HAZARD_FAULTS = [
  record({
    kind: z.literal('pause-storm'),
    host: name('A host.'),
    fromUs: timeUs('When it begins to pause its switch, us.'),
    ...optional({
      lastsUs: numberAboveZero(TIME_MAX_US, 'Duration, us. Default: unlimited.'),
      trafficClasses: listOf(wholeIn(1, 7, 'A class.'), 1, 7, 'Classes that it pauses. Default: those of the data.'),
    }),
  }, 'A host that sends pause frames from a given time on.', 'PauseStormSpec'),
  record({
    kind: z.literal('slow-receiver'),
    host: name('A host.'),
    rateGbps: numberIn(0.001, RATE_MAX_GBPS, 'Rate of its receive path, Gb/s.'),
    ...optional({
      bufferBytes: wholeIn(1, COUNTER_MAX_BYTES,
        'Its receive buffer; the default grows by any headroom beyond half of it.', DEFAULT_RECEIVE_BUFFER_BYTES),
      xoffBytes: wholeIn(1, COUNTER_MAX_BYTES,
        "Bytes in it from which it pauses its switch. Default: the buffer less the link's headroom."),
      xonBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes in it at which the switch may resume. Default: 1 packet less.'),
      pfc: flag(
        'Whether it pauses its switch; otherwise packets that find the buffer full are dropped. Default: as its switch does.',
      ),
    }),
  }, 'A host that receives packets more slowly than its link delivers them.', 'SlowReceiverSpec'),
  record({
    kind: z.literal('bit-errors'),
    between: ENDS,
    ...optional({
      perBit: numberIn(0, 1, 'Bit error probability.', DEFAULT_BIT_ERRORS.perBit),
      perFrame: numberIn(0, 1, 'Frame error probability.', DEFAULT_BIT_ERRORS.perFrame),
      direction: wordOf(['both', 'forth'], 'Both ways, or from the first name to the second.',
        DEFAULT_BIT_ERRORS.direction),
    }),
  }, 'A link on which frames are corrupted, and dropped on arrival because their frame check sequence is wrong.',
    'BitErrorsSpec'),
] as const;

export const WATCHDOG_SCHEMA = orFlag(record(optional({
  enabled: flag('Whether it is enabled.', WATCHDOG_ENABLED_WHERE_GIVEN),
  detectionUs: numberAboveZero(TIME_MAX_US,
    'How long a queue with packets must be paused before it counts as stormed, us.', DEFAULT_WATCHDOG.detectionUs),
  restorationUs: numberAboveZero(TIME_MAX_US, 'How long the queue must be free of pauses before it is restored, us.',
    DEFAULT_WATCHDOG.restorationUs),
  pollUs: numberAboveZero(TIME_MAX_US, 'Polling interval, us.', DEFAULT_WATCHDOG.pollUs),
  action: wordOf(['drop', 'forward'], 'Packets of a stormed queue are dropped, or sent despite the pause.',
    DEFAULT_WATCHDOG.action),
}),
  'Under standard: detects queues that a pause holds for too long, per port and class; true and false mean `enabled`.',
  'WatchdogSpec').meta(ABSENT_UNLESS_GIVEN));

/** The context that faults are checked against. */
interface FaultContext {
  readonly fidelity: Fidelity;
  readonly flows: number;
  readonly network: Network;
  readonly named: NodeFinders;
}

/** @throws RoceError `invalid-scenario`, naming the fault and the key. */
export function checkFaults(faults: readonly FaultSpec[], context: FaultContext): void {
  faults.forEach((fault, i) => {
    checkFault(fault, context, `faults[${i}]`);
  });
  for (const kind of ['pause-storm', 'slow-receiver'] as const) requireOnePerHost(faults, kind);
}

function checkFault(fault: FaultSpec, { flows, network, named, fidelity }: FaultContext, where: string): void {
  if (fault.kind === 'drop') {
    if (fault.flow < flows) return;
    const allowed = { below: flows };
    return rejectScenario({ what: 'the flow of the fault', got: fault.flow, allowed, where: `${where}.flow` });
  }
  if (fault.kind === 'pause-storm' || fault.kind === 'slow-receiver') {
    named.host(fault.host, `${where}.host`);
    if (fault.kind === 'slow-receiver') checkReceiver(fault, where);
    return;
  }
  if (fault.kind === 'switch-down' || fault.kind === 'plane-down') {
    if (fault.kind === 'switch-down') named.switch(fault.node, `${where}.node`);
    else requirePlane(fault.plane, network, `${where}.plane`);
    requireEnd(fault, where);
    return;
  }
  if (fault.kind === 'usid-withdrawn') {
    checkUsid(fault, network, named, where);
    return;
  }
  if (fault.kind === 'receiver-discards') {
    named.host(fault.host, `${where}.host`);
    requireLateEnd(fault, where);
    return;
  }
  const [a, b] = fault.between.map((name, i) => named.node(name, `${where}.between[${i}]`));
  const linked = network.links.some(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  if (!linked) {
    const problem = 'names two nodes without a link between them';
    rejectScenario({ what: 'the fault', problem, got: fault.between, where: `${where}.between` });
  }
  if (fault.kind === 'bit-errors') checkBitErrors(fault, where);
  if (fault.kind === 'link-down') requireEnd(fault, where);
  if (fault.kind === 'loss') checkTimes(fault, fidelity, where);
}

function checkUsid({ node, next, fromUs = 0, toUs }: UsidWithdrawnSpec, { links }: Network, named: NodeFinders,
  where: string): void {
  const at = named.switch(node, `${where}.node`);
  requireLateEnd({ fromUs, toUs }, where);
  if (next === undefined) return;
  const neighbour = named.node(next, `${where}.next`);
  if (links.some(({ from, to }) => (from === at && to === neighbour) || (from === neighbour && to === at))) return;
  rejectScenario({ what: next, problem: `has no link to ${node}`, got: next, where: `${where}.next` });
}

function checkTimes({ fromUs, toUs }: LossSpec, fidelity: Fidelity, where: string): void {
  rejectForeign([[`${where}.fromUs`, fromUs], [`${where}.toUs`, toUs]], 'standard', fidelity);
  requireLateEnd({ fromUs, toUs }, where);
}

function requireLateEnd(
  { fromUs = 0, toUs }: { readonly fromUs?: number | undefined; readonly toUs?: number | undefined },
  where: string,
): void {
  if (toUs !== undefined) requireEnd({ fromUs, toUs }, where);
}

function requireEnd({ fromUs, toUs }: { readonly fromUs: number; readonly toUs: number }, where: string): void {
  if (toUs > fromUs) return;
  const allowed = { above: fromUs, unit: 'us' };
  rejectScenario({ what: 'the end of the fault', got: toUs, allowed, where: `${where}.toUs` });
}

function requirePlane(plane: number, { planes }: Network, where: string): void {
  if (planes !== undefined && plane < planes.count) return;
  if (planes === undefined) {
    rejectScenario({ what: where, problem: 'needs a network with topology.planes above 1', got: plane, where });
  }
  rejectScenario({ what: where, got: plane, allowed: { below: planes.count }, where });
}

/** Adds a fault for each link of a switch or plane that is down. */
export function withLinksDown(faults: readonly FaultSpec[], { nodes, links, planes }: Network): readonly FaultSpec[] {
  return [
    ...faults,
    ...faults.flatMap((fault): FaultSpec[] => {
      if (fault.kind !== 'switch-down' && fault.kind !== 'plane-down') return [];
      const { fromUs, toUs } = fault;
      const isDown = (node: number): boolean =>
        fault.kind === 'switch-down' ? nodes[node].name === fault.node : planes?.planeOf[node] === fault.plane;
      return links.filter(({ from, to }) => isDown(from) || isDown(to)).map(({ from, to }) => ({
        kind: 'link-down',
        between: [nodes[from].name, nodes[to].name],
        fromUs,
        toUs,
      }));
    }),
  ];
}

function checkReceiver({ bufferBytes, xoffBytes, xonBytes }: SlowReceiverSpec, where: string): void {
  if (bufferBytes !== undefined && xoffBytes !== undefined && xoffBytes > bufferBytes) {
    const allowed = { max: bufferBytes, unit: 'bytes' };
    rejectScenario({ what: 'xoffBytes of a receive buffer', got: xoffBytes, allowed, where: `${where}.xoffBytes` });
  }
  if (xoffBytes === undefined || xonBytes === undefined || xonBytes < xoffBytes) return;
  const allowed = { below: xoffBytes, unit: 'bytes' };
  rejectScenario({ what: 'xonBytes of a receive buffer', got: xonBytes, allowed, where: `${where}.xonBytes` });
}

function checkBitErrors({ perBit, perFrame }: BitErrorsSpec, where: string): void {
  if (perBit !== undefined || perFrame !== undefined) return;
  rejectScenario({ what: 'the fault', problem: 'needs perBit, perFrame or both', got: { perBit, perFrame }, where });
}

/** Rejects two faults of a kind at one host, which would contradict each other. */
function requireOnePerHost(faults: readonly FaultSpec[], kind: (PauseStormSpec | SlowReceiverSpec)['kind']): void {
  const seen = new Set<string>();
  faults.forEach((fault, i) => {
    if (fault.kind !== kind) return;
    if (seen.has(fault.host)) {
      const problem = `has a ${kind} already`;
      rejectScenario({ what: fault.host, problem, got: fault.host, where: `faults[${i}].host` });
    }
    seen.add(fault.host);
  });
}
