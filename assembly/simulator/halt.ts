/** The reason for ending a slice after the current event, as one word that the loop checks. */
import { RUN_FLOW_DONE, RUN_IDLE, SIM_NONE } from '../../src/abi/sim-codes';

/** Reason for ending the slice, RUN_* + 1; 0 = continue. */
export let halted: u32 = 0;

/** Number of flows and operations left. */
let flowsLeft: u32 = 0;
let packetsLeft: u32 = 0;
/** Number of operations left; and 1 if the run ends when all of them are done. */
let operationsLeft: u32 = 0;
let endsWithOperations: u32 = 0;
/** 1 if the run continues until it is halted, even without flows and packets. */
let waitsForHalt: u32 = 0;
/** Whether each finished flow ends the slice, in runs to which flows are added; and the last finished flow, SIM_NONE if it was read. */
let stopsAtFlows: bool = false;
let doneFlow: u32 = SIM_NONE;

/**
 * @param flows number of flows and operations.
 * @param checksEnd whether only periodic checks detect the end.
 */
export function beginProgress(flows: u32, checksEnd: bool): void {
  halted = 0;
  waitsForHalt = <u32>checksEnd;
  flowsLeft = flows + waitsForHalt;
  packetsLeft = 0;
  doneFlow = SIM_NONE;
}

/** @param stops whether each finished flow ends the slice. */
export function stopAtFlows(stops: bool): void {
  stopsAtFlows = stops;
}

/** Adds flows to the number left. */
export function flowsAdded(count: u32): void {
  flowsLeft += count;
}

/** Called when all bytes of a flow are acknowledged. */
@inline export function flowFinished(number: u32): void {
  if (!stopsAtFlows) return;
  doneFlow = number;
  halt(RUN_FLOW_DONE);
}

/** The flow that finished last since the previous call, or SIM_NONE. */
export function takeDoneFlow(): u32 {
  const flow = doneFlow;
  doneFlow = SIM_NONE;
  return flow;
}

/** @param ends whether the run ends with the last operation, regardless of flows left. */
export function beginOperations(count: u32, ends: bool): void {
  operationsLeft = count;
  endsWithOperations = <u32>ends;
}

export function areFlowsDone(): bool {
  return flowsLeft == waitsForHalt;
}

@inline export function halt(reason: u32): void {
  halted = reason + 1;
}

/** Returns the reason, RUN_* + 1, and clears it. */
export function consumeHalt(): u32 {
  const reason = halted;
  halted = 0;
  return reason;
}

export function flowDone(): void {
  flowsLeft--;
}

/** Called when an operation of a graph is done; it may be the last one, with no packet in flight. */
export function operationDone(): void {
  operationsLeft--;
  flowsLeft--;
  if ((!operationsLeft && endsWithOperations) || (!flowsLeft && !packetsLeft)) halt(RUN_IDLE);
}

@inline export function packetMade(): void {
  packetsLeft++;
}

/** Halts the run if all flows are done and no packet is in flight. */
@inline export function packetGone(): void {
  if (--packetsLeft == 0 && flowsLeft == 0) halt(RUN_IDLE);
}
