/**
 * The engine with all algorithms: engine-core.ts, and one line per algorithm. How to add one:
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

/** Distinguishes this build from the DCQCN-only build. */
export const allAlgorithms: i32 = 1;

/** Registers all algorithms, one line each. */
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

/** Whether window or credit of this open QP allow another packet with this many unacknowledged bytes; always true without either. */
export function maySend(qp: u32, inFlightBytes: f64): u32 {
  return <u32>mayQpSend(qp, inFlightBytes);
}

/** The pull number that this open QP requests from its receiver; NaN if its algorithm has no credit. */
export function pullTarget(qp: u32, backlogBytes: f64, senders: u32): f64 {
  return pullTargetOfQp(qp, backlogBytes, senders);
}

/** Number of rate-change records from the last call; DCQCN-only engines have no trace. */
export function traceWritten(): u32 {
  return traceCount();
}

/** Number of records of the last call that did not fit. */
export function traceLost(): u32 {
  return traceLostCount();
}

/** Like the core's, but registers the algorithms first. */
export function initialise(): u32 {
  registerAlgorithms();
  return initialiseCore();
}
