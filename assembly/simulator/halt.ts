/** Why a slice of the run ends after the current event, as one word that the loop checks. */
import { RUN_FLOW_DONE, RUN_IDLE, SIM_NONE } from '../../src/abi/sim-codes';

/** RUN_* + 1; 0 = continue. */
export let halted: u32 = 0;

/** And operations. */
let flowsLeft: u32 = 0;
let packetsLeft: u32 = 0;
/** Operations alone; and 1: the run is over when all of them are done. */
let operationsLeft: u32 = 0;
let endsWithOperations: u32 = 0;
/** 1: the run continues until it is halted, even without flows and packets. */
let waitsForHalt: u32 = 0;
/** Whether each flow that is done ends the slice, in runs that flows are added to; and the last one, SIM_NONE = none since it was asked for. */
let stopsAtFlows: bool = false;
let doneFlow: u32 = SIM_NONE;

/**
 * @param flows and operations.
 * @param checksEnd only periodic checks find the end.
 */
export function beginProgress(flows: u32, checksEnd: bool): void {
  halted = 0;
  waitsForHalt = <u32>checksEnd;
  flowsLeft = flows + waitsForHalt;
  packetsLeft = 0;
  doneFlow = SIM_NONE;
}

/** @param stops each flow that is done ends the slice. */
export function stopAtFlows(stops: bool): void {
  stopsAtFlows = stops;
}

/** That many flows more belong to the run. */
export function flowsAdded(count: u32): void {
  flowsLeft += count;
}

/** All bytes of a flow are acknowledged. */
@inline export function flowFinished(number: u32): void {
  if (!stopsAtFlows) return;
  doneFlow = number;
  halt(RUN_FLOW_DONE);
}

/** The flow that was done last since the last call, or SIM_NONE. */
export function takeDoneFlow(): u32 {
  const flow = doneFlow;
  doneFlow = SIM_NONE;
  return flow;
}

/** @param ends the run ends with the last operation, whatever flows are left. */
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

/** An operation of a graph is done; it may be the last one, with no packet in flight. */
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
