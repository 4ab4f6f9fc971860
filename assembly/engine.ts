/**
 * The engine with all algorithms: engine-core.ts, and the table of those besides DCQCN. One line each; what it takes to add
 * one is in docs/adding-an-algorithm.md.
 */
import { ALGORITHM_DCTCP, ALGORITHM_HPCC, ALGORITHM_HPCC_PINT, ALGORITHM_HPCC_PP, ALGORITHM_SWIFT,
  ALGORITHM_TIMELY } from '../src/abi/ack-layout';
import { PARAMETER_SET_COUNT, QP_PARAMETER_SET_SHIFT } from '../src/abi/codes';
import { ackFrame } from './batch/ack-frame';
import { eventsByAlgorithm } from './batch/by-algorithm';
import { register } from './algorithms/registry';
import * as dctcp from './algorithms/dctcp/transitions';
import * as hpcc from './algorithms/hpcc/transitions';
import * as hpccPint from './algorithms/hpcc-pint/transitions';
import * as hpccPp from './algorithms/hpcc-pp/transitions';
import * as swift from './algorithms/swift/transitions';
import * as timely from './algorithms/timely/transitions';
import { configure as configureCore, initialise as initialiseCore, nextDeadline as nextDeadlineOfCore,
  restored as restoredCore } from './engine-core';
import { flagsOf, parameterSetOf, tables } from './memory/map';
import { acknowledgedPacket, hopsOf, lostPacket, openedQp, sentPacket } from './rp/acknowledgements';
import { installDoors, installSignalDoors } from './rp/doors';
import { findPlainParameterSets } from './rp/plain-acks';
import { notified, sampleOf, timePassed } from './rp/signals';
import { traceCount, traceLostCount } from './trace/ring';
import { configureTelemetry } from './wire/ioam-map';

export { actionsWritten, addAddress, advance, applyEvents, applyPackets, closeQp, cnp, cpDecide, cpInitialise,
  describeQp, findFlow, findFlows, findLocal, flowProbes, marked, openQp, sent, stateAddress,
  touch } from './engine-core';

/** Tells this build from the one of DCQCN alone. */
export const allAlgorithms: i32 = 1;

/** One line each. */
function registerAlgorithms(): void {
  register(ALGORITHM_HPCC, hpcc.open, hpcc.sent, hpcc.ack);
  register(ALGORITHM_HPCC_PINT, hpccPint.open, hpccPint.sent, hpccPint.ack);
  register(ALGORITHM_TIMELY, timely.open, timely.sent, timely.ack);
  register(ALGORITHM_DCTCP, dctcp.open, dctcp.sent, dctcp.ack);
  register(ALGORITHM_SWIFT, swift.open, swift.sent, swift.ack, swift.loss);
  register(ALGORITHM_HPCC_PP, hpccPp.open, hpccPp.sent, hpccPp.ack, null, hpccPp.notify, hpccPp.catchUp);
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
export function initialise(qps: u32, endpoints: u32, addresses: u32, events: u32, packets: u32, frameBytes: u32,
  accessRanges: u32, features: u32, hops: u32, tableBytes: u32, traceRecords: u32): u32 {
  registerAlgorithms();
  installDoors(openedQp, sentPacket, acknowledgedPacket, lostPacket, eventsByAlgorithm);
  installSignalDoors(sampleOf, notified, timePassed, ackFrame);
  return initialiseCore(qps, endpoints, addresses, events, packets, frameBytes, accessRanges, features, hops,
    tableBytes, traceRecords);
}

/** As the core's, and fills the tables of the parameter sets that have some. */
export function configure(): void {
  fillTables();
  configureTelemetry();
  findPlainParameterSets();
  configureCore();
}

/** As the core's. */
export function restored(): void {
  fillTables();
  configureTelemetry();
  findPlainParameterSets();
  restoredCore();
}

/** As the core's; HPCC++ recovers by time. */
export function nextDeadline(qp: u32): f64 {
  const algorithm = parameterSetOf(flagsOf(qp)).algorithm;
  return algorithm == ALGORITHM_HPCC_PP ? hpccPp.deadline(hopsOf(qp)) : nextDeadlineOfCore(qp);
}

function fillTables(): void {
  let table = tables;
  for (let parameterSet: u32 = 0; parameterSet < <u32>PARAMETER_SET_COUNT; parameterSet++) {
    const p = parameterSetOf(parameterSet << QP_PARAMETER_SET_SHIFT);
    if (p.algorithm != ALGORITHM_HPCC_PINT) continue;
    hpccPint.prepare(changetype<usize>(p), table);
    table += hpccPint.tableBytes(changetype<usize>(p));
  }
}
