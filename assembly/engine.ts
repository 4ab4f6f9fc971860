/**
 * The engine with all algorithms: engine-core.ts, and a line for each of them. What it takes to add one is in
 * docs/internals/adding-an-algorithm.md.
 */
import * as custom from './algorithms/custom/transitions';
import * as dcqcn from './algorithms/dcqcn/transitions';
import * as dctcp from './algorithms/dctcp/transitions';
import * as hpcc from './algorithms/hpcc/transitions';
import * as hpccPint from './algorithms/hpcc-pint/transitions';
import * as hpccPp from './algorithms/hpcc-pp/transitions';
import * as nscc from './algorithms/nscc/transitions';
import * as rccc from './algorithms/rccc/transitions';
import * as swift from './algorithms/swift/transitions';
import * as timely from './algorithms/timely/transitions';
import { initialise as initialiseCore } from './engine-core';
import { pullTarget as pullTargetOfQp } from './rp/credit';
import { maySend as mayQpSend } from './rp/window';
import { traceCount, traceLostCount } from './trace/ring';

export { actionsWritten, addAddress, advance, applyEvent, applyEvents, applyPackets, closeQp, configure, describeQp,
  findFlow, findLocal, flowProbes, nextDeadline, openQp, readmit, removeAddress, restored,
  stateAddress } from './engine-core';
export { cpDecide, cpInitialise } from './cp/fast-cnp-generator';
export { findFlows } from './table/find-flows';

/** Tells this build from the one of DCQCN alone. */
export const allAlgorithms: i32 = 1;

/** One line each. */
function registerAlgorithms(): void {
  dcqcn.register();
  hpcc.register();
  hpccPint.register();
  hpccPp.register();
  timely.register();
  dctcp.register();
  swift.register();
  nscc.register();
  rccc.register();
  custom.register();
}

/** Whether window or credit of this open QP let another packet leave, with that many payload bytes unacknowledged; without either always. */
export function maySend(qp: u32, inFlightBytes: f64): u32 {
  return <u32>mayQpSend(qp, inFlightBytes);
}

/** The pull number that this open QP asks its receiver for; NaN: its algorithm has no credit. */
export function pullTarget(qp: u32, backlogBytes: f64, senders: u32): f64 {
  return pullTargetOfQp(qp, backlogBytes, senders);
}

/** Records of rate changes that the last call left; engines of DCQCN alone have no trace. */
export function traceWritten(): u32 {
  return traceCount();
}

/** Records of the last call that found no room. */
export function traceLost(): u32 {
  return traceLostCount();
}

/** As the core's; makes the algorithms known first. */
export function initialise(): u32 {
  registerAlgorithms();
  return initialiseCore();
}
