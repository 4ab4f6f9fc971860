/** The error for a call into the simulator that ended in a handler of a custom congestion point. */
import * as layout from '../../abi/custom-point-layout.js';
import { POINT_HANDLERS, type CustomCongestionPoint } from '../../config/custom-congestion-point.js';
import { RoceError, type Allowed } from '../../errors.js';
import { thrownFault } from '../bound.js';

/** What the host knows about the congestion points of a network. */
export interface PointsOfNetwork {
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
export function pointFault({ memory, region, ofNode, portName }: PointsOfNetwork, error: Error): Error {
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
  const said = saidOf(bound, fault, got, error);
  const where =
    `${name}, ${call.handler}, port ${call.port}, class ${call.trafficClass}, flow ${call.flow}, at ${timePs} ps`;
  return Object.assign(new RoceError('algorithm-fault', { ...said, where }), { call, cause: error });
}

function saidOf({ custom, fuel }: NonNullable<ReturnType<PointsOfNetwork['ofNode']>>, fault: Fault | undefined,
  got: number, error: Error): Fault & { readonly got?: unknown } {
  if (fault === undefined) return thrownFault(custom, fuel, error);
  return fault.problem === undefined ? { ...fault, got } : fault;
}
