/** Why a slice of the run ends after the current event, as one word that the loop checks. */
import { RUN_IDLE } from '../../src/abi/sim-codes';

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

/**
 * @param flows and operations.
 * @param checksEnd only periodic checks find the end.
 */
export function beginProgress(flows: u32, checksEnd: bool): void {
  halted = 0;
  waitsForHalt = <u32>checksEnd;
  flowsLeft = flows + waitsForHalt;
  packetsLeft = 0;
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
