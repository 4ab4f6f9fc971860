/** Why a slice of the run ends after the current event, as one word that the loop checks. */
import { RUN_IDLE } from '../../src/abi/sim-layout';

/** RUN_* + 1; 0 = continue. */
export let halted: u32 = 0;

/** And operations. */
let flowsLeft: u32 = 0;
let packetsLeft: u32 = 0;
/** Operations alone; and 1: the run is over when all of them are done. */
let operationsLeft: u32 = 0;
let endsWithOperations: u32 = 0;
/** 1: the run continues until it is halted, even with nothing left. */
let waitsForHalt: u32 = 0;

/**
 * @param flows and operations.
 * @param checksEnd the end is found by periodic checks alone.
 */
export function beginProgress(flows: u32, checksEnd: bool): void {
  halted = 0;
  waitsForHalt = <u32>checksEnd;
  flowsLeft = flows + waitsForHalt;
  packetsLeft = 0;
}

/** @param ends the run is over when all of them are done, whatever flows there are. */
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

/** Returns the reason, RUN_* + 1, and forgets it. */
export function consumeHalt(): u32 {
  const reason = halted;
  halted = 0;
  return reason;
}

export function flowDone(): void {
  flowsLeft--;
}

/** An operation of a graph is done; it can be the last of all, with no packet on its way. */
export function operationDone(): void {
  operationsLeft--;
  flowsLeft--;
  if ((!operationsLeft && endsWithOperations) || (!flowsLeft && !packetsLeft)) halt(RUN_IDLE);
}

@inline export function packetMade(): void {
  packetsLeft++;
}

/** All flows are done and nothing is on its way: that was all. */
@inline export function packetGone(): void {
  if (--packetsLeft == 0 && flowsLeft == 0) halt(RUN_IDLE);
}
