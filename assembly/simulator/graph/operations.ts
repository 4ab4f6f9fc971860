/**
 * The start and the end of an operation, and their effect on dependent operations.
 *
 *   waits ─► ready ─► runs ─► done          a receive: waits ─► runs (is posted) ─► claims (has its message) ─► done
 */
import { nowPs } from '../event-queue';
import { operationDone } from '../halt';
import { total } from '../network';
import { edgeAt, operationAt } from './memory';
import { expect, STAGE_COMPUTE, STAGE_RECEIVE, STAGE_SEND } from './ready';
import { TOTAL_OPERATIONS_DONE } from '../../records/sim-run';
import { OPERATION_DONE, OPERATION_RECEIVE, OPERATION_RUNS, OPERATION_SEND } from '../../records/graph';

/** Starts an operation; a receive is posted. */
export function begin(index: u32): void {
  const operation = operationAt(index);
  operation.state = <u8>OPERATION_RUNS;
  operation.startPs = <f64>nowPs;
  const from = operation.firstEdge + operation.endEdges;
  meet(from, from + operation.startEdges, index);
}

export function finish(index: u32): void {
  const operation = operationAt(index);
  operation.state = <u8>OPERATION_DONE;
  operation.endPs = <f64>nowPs;
  total(TOTAL_OPERATIONS_DONE, 1);
  meet(operation.firstEdge, operation.firstEdge + operation.endEdges, index);
  operationDone();
}

/** Called when the dependencies of an operation are met. */
export function becomeReady(index: u32): void {
  const kind = operationAt(index).kind;
  expect(kind == OPERATION_SEND ? STAGE_SEND : kind == OPERATION_RECEIVE ? STAGE_RECEIVE : STAGE_COMPUTE, index);
}

/** Decrements the open dependencies of the operation of each edge. */
function meet(from: u32, to: u32, cause: u32): void {
  for (let place = from; place < to; place++) {
    const index = edgeAt(place);
    const operation = operationAt(index);
    if (--operation.waitsFor) continue;
    operation.cause = cause;
    becomeReady(index);
  }
}
