/**
 * Lanes: resources of a rank that one operation at a time can use. Operations get a lane in the order of their claims and hold it
 * for their duration; an operation without a duration also waits for its lane. Operations without a lane do not wait.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { recycling } from '../messages/memory';
import { startMessage } from '../messages/start';
import { startFlow } from '../sender';
import { channelAt, laneAt, operationAt } from './memory';
import { begin, finish } from './operations';
import { expect, STAGE_ACKNOWLEDGED, STAGE_OFFER } from './ready';
import { setTimer } from './timers';
import { Lane, OPERATION_READY, OPERATION_RECEIVE, OPERATION_SEND, Operation, SEND_DONE_DELIVERED,
  SEND_DONE_ISSUED } from '../../records/graph';

/** Runs an operation as soon as its lane is free. */
export function claim(index: u32): void {
  const operation = operationAt(index);
  if (operation.lane == SIM_NONE) return run(index, operation);
  const lane = laneAt(operation.lane);
  if (lane.holder == SIM_NONE && lane.head == SIM_NONE) return take(lane, index, operation);
  if (operation.kind != OPERATION_RECEIVE) operation.state = <u8>OPERATION_READY;
  operation.next = SIM_NONE;
  if (lane.head == SIM_NONE) lane.head = index;
  else operationAt(lane.tail).next = index;
  lane.tail = index;
}

/** Called when the duration of an operation has ended. */
export function lapse(index: u32): void {
  const operation = operationAt(index);
  complete(index, operation);
  if (operation.lane == SIM_NONE) return;
  const lane = laneAt(operation.lane);
  lane.holder = SIM_NONE;
  while (lane.head != SIM_NONE && lane.holder == SIM_NONE) {
    const next = lane.head;
    const following = operationAt(next);
    lane.head = following.next;
    following.cause = lane.last;
    take(lane, next, following);
  }
}

@inline function take(lane: Lane, index: u32, operation: Operation): void {
  lane.last = index;
  if (operation.durationPs > 0) lane.holder = index;
  run(index, operation);
}

function run(index: u32, operation: Operation): void {
  if (operation.kind != OPERATION_RECEIVE) begin(index);
  if (operation.durationPs > 0) setTimer(index, <i64>operation.durationPs);
  else complete(index, operation);
}

function complete(index: u32, operation: Operation): void {
  if (operation.kind == OPERATION_SEND) send(index, operation);
  else finish(index);
}

/** Sends the message; within a host it arrives immediately. */
function send(index: u32, operation: Operation): void {
  const channel = channelAt(operation.channel);
  operation.next = SIM_NONE;
  if (channel.begunHead == SIM_NONE) channel.begunHead = index;
  else operationAt(channel.begunTail).next = index;
  channel.begunTail = index;
  const isEarly = (operation.flags & (SEND_DONE_ISSUED | SEND_DONE_DELIVERED)) != 0;
  if (operation.flags & SEND_DONE_ISSUED) finish(index);
  if (operation.flow != SIM_NONE) return recycling ? startMessage(operation.flow, index) : startFlow(operation.flow);
  expect(STAGE_OFFER, index);
  if (!isEarly) expect(STAGE_ACKNOWLEDGED, index);
}
