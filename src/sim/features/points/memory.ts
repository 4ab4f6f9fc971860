/**
 * Writes custom congestion points into the kernel's memory, puts their handlers into its table, and makes the error for a
 * call that ended in a handler.
 */
import * as layout from '../../../abi/custom-layout.js';
import { SIM_CLASS, SIM_NODE, SIM_PORT } from '../../../abi/records/network.js';
import { SIM_NODES, SIM_POINTS } from '../../../abi/sim-codes.js';
import { guardCalls, thrownFault } from '../../../algorithm/bound.js';
import { bindPoints, type BoundPoint } from '../../../algorithm/congestion-point/bind-points.js';
import { numbersOf, type StateField } from '../../../config/algorithms/custom/declaration.js';
import { POINT_HANDLERS, type CustomCongestionPoint } from '../../../config/custom-congestion-point.js';
import { RoceError, type Allowed } from '../../../errors.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import type { SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';

const CLASSES = (SIM_PORT.bytes - SIM_PORT.at.classes) / SIM_CLASS.bytes;

/** States of one kind at one switch: their offset in the region, their number, and the initial values of each. */
interface States {
  readonly at: number;
  readonly count: number;
  readonly initial: readonly number[];
}

/** A switch with a congestion point. */
interface PointNode {
  readonly node: number;
  readonly point: number;
  readonly queues: States;
  readonly ports: States;
  readonly flows: States;
}

interface PointsLayout {
  readonly bytes: number;
  /** Offset of each point's parameters from the start of the region. */
  readonly parameters: readonly number[];
  readonly nodes: readonly PointNode[];
}

/** The memory of congestion points. It is written separately, as writing also puts handlers into the kernel's table. */
export const POINTS_MEMORY: KernelPart = { capacity: (plan) => ({ points: layOutPoints(plan).bytes }) };

/**
 * Writes the congestion points; called after the plan is written.
 *
 * @returns the exports to use from then on, whose errors from handlers name the congestion point, port, class, flow and time.
 */
export function writePoints(abi: SimAbi, plan: NetworkPlan): SimAbi {
  const { points: { points } = { points: [] } } = plan;
  if (points.length === 0) return abi;
  const region = abi.simRegion(SIM_POINTS) >>> 0;
  const bound = bindPoints(abi, points, region);
  const { parameters, nodes } = layOutPoints(plan);
  const f64 = new Float64Array(abi.memory.buffer);
  points.forEach(({ custom, parameters: values }, index) => {
    f64.set(custom.numbersOf(values), (region + parameters[index]) >>> 3);
  });
  for (const own of nodes) {
    for (const states of [own.queues, own.ports, own.flows]) fillStates(f64, region, states);
    writeNode(abi, region, own, { parameters: parameters[own.point], entries: bound[own.point].entries });
  }
  writeHeader(abi, region, bound);
  writeFlags(abi, plan, nodes);
  return guarded(abi, plan, region, bound);
}

function layOutPoints({ points: plan, nodes: all, flows }: NetworkPlan): PointsLayout {
  if (plan === undefined) return { bytes: 0, parameters: [], nodes: [] };
  let at = layout.POINT_NODES_AT + all.length * layout.POINT_NODE_BYTES;
  const place = (bytes: number): number => {
    at += bytes;
    return at - bytes;
  };
  const parameters = plan.points.map(({ parameters: values }) => place(8 * Object.keys(values).length));
  const nodes = all.flatMap(({ portCount }, node): PointNode[] => {
    const point = plan.ofNode[node];
    if (point < 0) return [];
    const { custom } = plan.points[point];
    const states = (fields: readonly StateField[], count: number): States => {
      const initial = numbersOf(fields);
      return { at: place(8 * initial.length * count), count, initial };
    };
    return [{
      node,
      point,
      queues: states(custom.state, portCount * CLASSES),
      ports: states(custom.portState, portCount),
      flows: states(custom.flowState, flows.length),
    }];
  });
  return { bytes: at, parameters, nodes };
}

function fillStates(f64: Float64Array, region: number, { at, count, initial }: States): void {
  const first = (region + at) >>> 3;
  for (let index = 0; index < count; index++) f64.set(initial, first + index * initial.length);
}

function writeNode(abi: SimAbi, region: number, { node, queues, ports, flows }: PointNode,
  { parameters, entries: [enqueue, dequeue] }: {
    readonly parameters: number;
    readonly entries: readonly number[];
  }): void {
  const view = new DataView(abi.memory.buffer, region + layout.POINT_NODES_AT + node * layout.POINT_NODE_BYTES);
  view.setUint32(layout.POINT_NODE_ENQUEUE, enqueue, true);
  view.setUint32(layout.POINT_NODE_DEQUEUE, dequeue, true);
  view.setUint32(layout.POINT_NODE_PARAMETERS, region + parameters, true);
  view.setUint32(layout.POINT_NODE_QUEUES, region + queues.at, true);
  view.setUint32(layout.POINT_NODE_PORTS, region + ports.at, true);
  view.setUint32(layout.POINT_NODE_FLOWS, region + flows.at, true);
  view.setUint16(layout.POINT_NODE_QUEUE_BYTES, 8 * queues.initial.length, true);
  view.setUint16(layout.POINT_NODE_PORT_BYTES, 8 * ports.initial.length, true);
  view.setUint16(layout.POINT_NODE_FLOW_BYTES, 8 * flows.initial.length, true);
}

function writeHeader(abi: SimAbi, region: number, bound: readonly BoundPoint[]): void {
  const view = new DataView(abi.memory.buffer, region);
  view.setUint32(layout.POINTS_SEE_ARRIVALS, Number(bound.some(({ entries: [enqueue] }) => enqueue !== 0)), true);
  view.setUint32(layout.POINTS_SEE_DEPARTURES, Number(bound.some(({ entries: [, dequeue] }) => dequeue !== 0)), true);
}

function writeFlags(abi: SimAbi, { nodes: all }: NetworkPlan, nodes: readonly PointNode[]): void {
  const view = new DataView(abi.memory.buffer, abi.simRegion(SIM_NODES) >>> 0);
  const add = (node: number, bits: number): void => {
    const at = node * SIM_NODE.bytes + SIM_NODE.at.congestion;
    view.setUint32(at, view.getUint32(at, true) | bits, true);
  };
  all.forEach(({ kind }, node) => {
    if (kind === 'switch') add(node, layout.CONGESTION_NEAR_CUSTOM);
  });
  for (const { node } of nodes) add(node, layout.CONGESTION_CUSTOM);
}

function guarded(abi: SimAbi, { nodes, ports, points }: NetworkPlan, region: number,
  bound: readonly BoundPoint[]): SimAbi {
  const portName = (node: number, number: number): string => {
    const { name, firstPort } = nodes[node];
    return `${name}:${nodes[ports[ports[firstPort + number].peerPort].node].name}`;
  };
  const faultOf = (error: Error): Error =>
    pointFault({ memory: abi.memory, region, ofNode: (node) => bound[points?.ofNode[node] ?? -1], portName }, error);
  return guardCalls(abi, ['simRun'], faultOf).abi;
}

/** What the host knows about the congestion points of a network. */
interface PointsOfNetwork {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Byte address of the region. */
  readonly region: number;
  /** The congestion point of a node; undefined if it has none. */
  readonly ofNode: (node: number) => {
    readonly custom: CustomCongestionPoint;
    readonly fuel: () => number;
  } | undefined;
  /** The display name of a node's port. */
  readonly portName: (node: number, port: number) => string;
}

interface Fault {
  readonly what: string;
  readonly problem?: string;
  readonly allowed?: Allowed;
}

/** What is wrong with the handler's result, by POINT_FAULT_*. */
const FAULTS: Readonly<Record<number, Fault>> = {
  [layout.POINT_FAULT_RESULT]: {
    what: 'the result of the handler',
    allowed: `a mark, a draw and at most ${layout.POINT_FAST_CNPS_MAX} Fast CNPs`,
  },
  [layout.POINT_FAULT_GUARD]: { what: 'memory outside the packet record', problem: 'was overwritten' },
  [layout.POINT_FAULT_FAST_CNP]: {
    what: 'the number of Fast CNPs',
    allowed: '0 for packets other than data, and under fidelity reference',
  },
};

/**
 * @returns RoceError `algorithm-fault` with congestion point, handler, port, class, flow and time if a handler was
 * running; else the error itself.
 */
function pointFault({ memory, region, ofNode, portName }: PointsOfNetwork, error: Error): Error {
  const view = new DataView(memory.buffer);
  const u32 = (offset: number): number => view.getUint32(region + offset, true);
  const handler = u32(layout.POINT_CALL_HANDLER);
  if (handler === layout.POINT_HANDLER_NONE) return error;
  const ofRecord = (offset: number): number => u32(layout.POINT_RECORD_AT + offset);
  const [node, port] = [ofRecord(layout.POINT_NODE), ofRecord(layout.POINT_PORT)];
  const bound = ofNode(node);
  if (bound === undefined) return error;
  const { name } = bound.custom;
  const timePs = view.getFloat64(region + layout.POINT_CALL_TIME, true);
  const call = {
    congestionPoint: name,
    handler: POINT_HANDLERS[handler - 1],
    port: portName(node, port),
    trafficClass: ofRecord(layout.POINT_CLASS),
    flow: ofRecord(layout.POINT_FLOW),
    timePs,
  };
  const fault = FAULTS[u32(layout.POINT_CALL_FAULT)];
  const got = view.getFloat64(region + layout.POINT_CALL_VALUE, true);
  const said = describeFault(bound, fault, got, error);
  const where =
    `${name}, ${call.handler}, port ${call.port}, class ${call.trafficClass}, flow ${call.flow}, at ${timePs} ps`;
  return Object.assign(new RoceError('algorithm-fault', { ...said, where }), { call, cause: error });
}

function describeFault({ custom, fuel }: NonNullable<ReturnType<PointsOfNetwork['ofNode']>>, fault: Fault | undefined,
  got: number, error: Error): Fault & { readonly got?: unknown } {
  if (fault === undefined) return thrownFault(custom, fuel, error);
  return fault.problem === undefined ? { ...fault, got } : fault;
}
