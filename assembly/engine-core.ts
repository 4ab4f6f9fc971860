/**
 * The engine of DCQCN, and the ABI of every build of it: exports only. Numbers in, numbers out; times f64 picoseconds; addresses and QPs u32.
 *
 * Life of an engine: the host states its capacity, `initialise` lays memory out; the host writes parameter sets, settings
 * and hash keys at their fixed
 * addresses; `configure` takes them over; then endpoints and QPs, then batches. `src/abi/engine-abi.ts` says the same
 * from the host's side.
 */
import { FEATURE_PEERS, NONE, OPEN_UNSUPPORTED, PARAMETER_SET_COUNT, QP_PARAMETER_SET_SHIFT } from '../src/abi/codes';
import { ADDRESS_ARGUMENT, SETTING_ICRC_CHECK, SETTING_ICRC_POLICY, SETTING_OPTION_TYPE_1, SETTING_OPTION_TYPE_2,
  SETTING_PARSE_MODE } from '../src/abi/layout';
import { applyEvents as runEvents, applySingle } from './batch/events';
import { applyPackets as runPackets } from './batch/packets';
import { noteAlgorithm } from './batch/read-ahead';
import { open as openByTable } from './algorithms/by-table';
import { asDcqcn, checkDcqcnLayout } from './algorithms/dcqcn/record';
import { prepareFastPath } from './algorithms/dcqcn/fast-path';
import { deadline as deadlineOfDcqcn, open as openDcqcn } from './algorithms/dcqcn/transitions';
import { callDeadline, callPrepare, isBuiltIn, isKnown, KNOWS_OTHERS } from './algorithms/registry';
import { actionCount, actionRoom } from './memory/actions';
import { allocateAcks, allocateBuffers, allocateQps, capacity, commit, crcTable, flagsOf, hopsOf, parameterSetOf,
  qpCapacity, stateOf, tables } from './memory/map';
import { checkRecordLayouts } from './memory/records';
import { setting, readSettings } from './memory/settings';
import { dropPending, flushWindows } from './np/notification-point';
import { areWindowsSound, clearPeerTable, joinWindow, leaveWindow, makePeerTable, rejoinWindow,
  windowCount } from './np/windows';
import { areRecordsSound } from './rp/restored-records';
import { advance as advanceQp } from './rp/reaction-point';
import { checkTableLayout, probesOf } from './table/address-table';
import { addAddress as addEndpointAddress, clearFlowTables, closeQp as forgetQp, describe, findFlowQp, findLocalQp,
  flowWord, flows, makeFlowTables, openQp as admitQp, readmitFlow, removeAddress as removeEndpointAddress,
  restoreFlowTables } from './table/flow-table';
import { readHashKeys } from './table/hash';
import { allocateTrace, clearOutputs, traceRoom, TRACING } from './trace/ring';
import { configureParser } from './wire/config';
import { initIcrc } from './wire/icrc';
import { configureTelemetry } from './wire/ioam-map';
import { CAPACITY_ADDRESSES, CAPACITY_FEATURES } from './records/engine-capacity';

let withPeers: bool = false;

/**
 * Lays memory out for the capacity at CAPACITY_ADDRESS; 0 when the system rejects the memory. A second call lays
 * the same memory out for another capacity, nowhere larger than the first, with empty tables.
 */
export function initialise(): u32 {
  checkRecordLayouts();
  checkDcqcnLayout();
  checkTableLayout();
  withPeers = (capacity(CAPACITY_FEATURES) & FEATURE_PEERS) != 0;
  allocateBuffers();
  if (TRACING) allocateTrace();
  allocateQps();
  allocateAcks();
  makeFlowTables(qpCapacity, capacity(CAPACITY_ADDRESSES));
  if (withPeers) makePeerTable(qpCapacity);
  if (!commit()) return 0;
  clearFlowTables();
  if (withPeers) clearPeerTable();
  initIcrc(crcTable);
  return 1;
}

/** Takes settings and hash keys over. Hash keys may change only while no QP and no endpoint is known. */
export function configure(): void {
  prepareParameterSets();
  if (KNOWS_OTHERS) configureTelemetry();
  readSettings();
  readHashKeys();
  configureParser(<u32>setting(SETTING_PARSE_MODE), <u32>setting(SETTING_OPTION_TYPE_1),
    <u32>setting(SETTING_OPTION_TYPE_2), <u32>setting(SETTING_ICRC_CHECK), <u32>setting(SETTING_ICRC_POLICY));
}

function prepareParameterSets(): void {
  let table = tables;
  for (let parameterSet: u32 = 0; parameterSet < <u32>PARAMETER_SET_COUNT; parameterSet++) {
    const p = parameterSetOf(parameterSet << QP_PARAMETER_SET_SHIFT);
    if (KNOWS_OTHERS) noteAlgorithm(parameterSet, isBuiltIn(p.algorithm));
    if (isBuiltIn(p.algorithm)) prepareFastPath(asDcqcn(p));
    else table = callPrepare(p.algorithm, changetype<usize>(p), table);
  }
}

/**
 * To be called when linear memory was overwritten by a snapshot of the same build and configuration; 0 when it holds a state that
 * the engine can't work with. `parameterSets`, `endpoints`: how many there are.
 */
export function restored(parameterSets: u32, endpoints: u32): u32 {
  configure();
  return <u32>(restoreFlowTables(endpoints) && areRecordsSound(parameterSets) && areWindowsSound());
}

/**
 * Enters the flow table's entry at ADDRESS_ARGUMENT, of a smaller engine, under its own QP's number. To be called for each of
 * its open QPs, in empty tables, once the other records of its QPs are in place; then `restored`.
 */
export function readmit(): void {
  rejoinWindow(readmitFlow(ADDRESS_ARGUMENT));
}

/** Gives an endpoint the address at ADDRESS_ARGUMENT; 0 when it is taken or the table is full. */
export function addAddress(endpoint: u32): u32 {
  return addEndpointAddress(endpoint, ADDRESS_ARGUMENT) ? 1 : 0;
}

/** Takes the address at ADDRESS_ARGUMENT from its endpoint: what `addAddress` added last. */
export function removeAddress(): void {
  removeEndpointAddress(ADDRESS_ARGUMENT);
}

/** Opens a QP to the peer address at ADDRESS_ARGUMENT; its number, or OPEN_*. */
export function openQp(endpoint: u32, localQpn: u32, peerQpn: u32, parameterSet: u32): u32 {
  const algorithm = parameterSetOf(parameterSet << QP_PARAMETER_SET_SHIFT).algorithm;
  if (!isKnown(algorithm)) return OPEN_UNSUPPORTED;
  const qp = admitQp(endpoint, localQpn, ADDRESS_ARGUMENT, peerQpn, parameterSet);
  if (qp < qpCapacity) {
    joinWindow(qp);
    if (isBuiltIn(algorithm)) openDcqcn(stateOf(qp), asDcqcn(parameterSetOf(flagsOf(qp))));
    else openByTable(qp);
  }
  return qp;
}

/** Puts peer address, endpoint and local QPN of an open QP at ADDRESS_ARGUMENT; returns the peer QPN. */
export function describeQp(qp: u32): u32 {
  return describe(qp, ADDRESS_ARGUMENT);
}

/** Closes an open QP. */
export function closeQp(qp: u32): void {
  dropPending(qp);
  leaveWindow(qp);
  forgetQp(qp);
}

/** Applies the first `n` events; returns how many actions they caused. */
export function applyEvents(n: u32): u32 {
  runEvents(n);
  return actionCount();
}

/** Parses and applies the first `n` frames; returns how many actions they caused. */
export function applyPackets(n: u32): u32 {
  runPackets(n);
  return actionCount();
}

/**
 * Applies everything due up to and including `timePs`, QPs first, then CNP windows, from position `from` on.
 * Returns the QP to continue from once the actions are read, or NONE when all are done.
 */
export function advance(timePs: f64, from: u32): u32 {
  clearOutputs();
  let at = from;
  while (at < qpCapacity && actionRoom() && (!TRACING || traceRoom())) advanceQp(at++, timePs);
  if (at < qpCapacity) return at;
  const window = flushWindows(timePs, at - qpCapacity);
  return window >= windowCount() ? NONE : qpCapacity + window;
}

/** Actions of the last call. */
export function actionsWritten(): u32 {
  return actionCount();
}

/** When this QP's rate can next change without an event; Infinity when it can't. */
export function nextDeadline(qp: u32): f64 {
  const flags = flagsOf(qp);
  const p = parameterSetOf(flags);
  if (!isBuiltIn(p.algorithm)) return callDeadline(p.algorithm, hopsOf(qp));
  return deadlineOfDcqcn(qp, stateOf(qp), asDcqcn(p), flags);
}

/** Address of this QP's QpState. */
export function stateAddress(qp: u32): usize {
  return changetype<usize>(stateOf(qp));
}

/** Applies one event of a kind EVENT_*; its outcome code. `qp` and `value` as in the event region: `qp` of a Fast CNP is the endpoint. */
export function applyEvent(kind: u32, qp: u32, timePs: f64, value: u32): u32 {
  return applySingle(kind, qp, timePs, value);
}

/** The QP with the peer at ADDRESS_ARGUMENT and this peer QPN, or NONE. */
export function findFlow(endpoint: u32, peerQpn: u32): u32 {
  return findFlowQp(endpoint, ADDRESS_ARGUMENT, peerQpn);
}

/** The QP with this local QPN, or NONE. */
export function findLocal(endpoint: u32, localQpn: u32): u32 {
  return findLocalQp(endpoint, localQpn);
}

/** Groups of 16 slots that a lookup of this flow looks at. */
export function flowProbes(endpoint: u32, peerQpn: u32): u32 {
  return probesOf(flows, ADDRESS_ARGUMENT, flowWord(endpoint, peerQpn));
}
