/** The region of custom congestion points: header, record of a call, entries of the nodes; the host writes it. */
import { POINT_NODES_AT, POINT_NODE_BYTES, POINT_RECORD_AT } from '../../../src/abi/custom-point-layout';
import { SIM_POINTS } from '../../../src/abi/sim-regions';
import { allocate } from '../../memory/map';
import { indexOfNode, markAtEnqueue, simCapacity } from '../network';
import { publish } from '../regions';
import { PointCall, PointNode, PointRecord } from './record';
import { SIM_CAPACITY_POINTS } from '../../records/sim-capacity';
import { SimNode } from '../../records/network';

/** 0: no switch has one. */
let points: usize = 0;

/** Whether some switch looks at packets that join a queue, or at those that leave one; else nothing is asked of them. */
export let seesArrivals: bool = false;
export let seesDepartures: bool = true;

export function allocatePoints(): void {
  const bytes = simCapacity(SIM_CAPACITY_POINTS);
  const at = publish(SIM_POINTS, allocate(bytes));
  points = bytes ? at : 0;
}

/** The rules are read, and the region is written. */
export function beginPoints(): void {
  seesArrivals = markAtEnqueue || (points != 0 && pointCall().seesArrivals != 0);
  seesDepartures = !markAtEnqueue || (points != 0 && pointCall().seesDepartures != 0);
}

@inline export function pointCall(): PointCall {
  return changetype<PointCall>(points);
}

@inline export function pointRecord(): PointRecord {
  return changetype<PointRecord>(points + POINT_RECORD_AT);
}

@inline export function pointOf(node: SimNode): PointNode {
  return changetype<PointNode>(points + POINT_NODES_AT + <usize>indexOfNode(node) * POINT_NODE_BYTES);
}
