/** The region of custom congestion points, written by the host: header, record of a call, entries of the nodes. */
import { POINT_NODES_AT, POINT_NODE_BYTES, POINT_RECORD_AT } from '../../../src/abi/custom-layout';
import { SIM_POINTS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { indexOfNode, markAtEnqueue, simCapacity } from '../network';
import { publish } from '../regions';
import { PointCall, PointNode, PointRecord } from './record';
import { SIM_CAPACITY_POINTS } from '../../records/sim-run';
import { SimNode } from '../../records/network';

/** Address of the region; 0 if no switch has a custom congestion point. */
let points: usize = 0;

/** Whether any switch handles packets that join a queue, and packets that leave one. */
export let seesArrivals: bool = false;
export let seesDepartures: bool = true;

export function allocatePoints(): void {
  const bytes = simCapacity(SIM_CAPACITY_POINTS);
  const at = publish(SIM_POINTS, allocate(bytes));
  points = bytes ? at : 0;
}

/** Reads the region, after the host has written it and the rules have been read. */
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
