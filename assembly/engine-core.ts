/**
 * The engine of DCQCN, and the ABI that all builds share. This file only exports functions, whose arguments and results are
 * numbers: times are f64 picoseconds, addresses and QPs u32.
 *
 * Life of an engine: the host writes the capacity, `initialise` lays out memory; the host writes parameter sets, settings
 * and hash keys at their fixed addresses; `configure` applies them; then the host adds endpoints and QPs, and runs batches.
 * `src/abi/engine-abi.ts` describes the ABI from the host's side.
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
 * Lays out memory for the capacity at CAPACITY_ADDRESS; returns 0 if the memory can't be allocated. A second call lays out
 * the same memory for another capacity, no part of which exceeds the first, with empty tables.
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

/** Applies settings and hash keys. Hash keys may change only before the first QP and endpoint. */
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
 * Call after linear memory was overwritten by a snapshot of the same build and configuration; returns 0 if the state is
 * invalid. `parameterSets`, `endpoints`: their numbers.
 */
export function restored(parameterSets: u32, endpoints: u32): u32 {
  configure();
  return <u32>(restoreFlowTables(endpoints) && areRecordsSound(parameterSets) && areWindowsSound());
}

/**
 * Inserts a smaller engine's flow table entry, at ADDRESS_ARGUMENT, under its QP's number. Call for each open QP of that
 * engine, with empty tables, after copying the other records of its QPs; then call `restored`.
 */
export function readmit(): void {
  rejoinWindow(readmitFlow(ADDRESS_ARGUMENT));
}

/** Adds the address at ADDRESS_ARGUMENT to an endpoint; returns 0 if it is taken or the table is full. */
export function addAddress(endpoint: u32): u32 {
  return addEndpointAddress(endpoint, ADDRESS_ARGUMENT) ? 1 : 0;
}

/** Removes the address at ADDRESS_ARGUMENT, which must be the one added last. */
export function removeAddress(): void {
  removeEndpointAddress(ADDRESS_ARGUMENT);
}

/** Opens a QP to the peer address at ADDRESS_ARGUMENT; returns its number, or OPEN_*. */
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

/** Writes peer address, endpoint and local QPN of an open QP to ADDRESS_ARGUMENT; returns the peer QPN. */
export function describeQp(qp: u32): u32 {
  return describe(qp, ADDRESS_ARGUMENT);
}

/** Closes an open QP. */
export function closeQp(qp: u32): void {
  dropPending(qp);
  leaveWindow(qp);
  forgetQp(qp);
}

/** Applies the first `n` events; returns the number of actions. */
export function applyEvents(n: u32): u32 {
  runEvents(n);
  return actionCount();
}

/** Parses and applies the first `n` frames; returns the number of actions. */
export function applyPackets(n: u32): u32 {
  runPackets(n);
  return actionCount();
}

/**
 * Applies everything due up to and including `timePs`, QPs first, then CNP windows, from position `from` on.
 * Returns the position to continue from after the actions have been read, or NONE if done.
 */
export function advance(timePs: f64, from: u32): u32 {
  clearOutputs();
  let at = from;
  while (at < qpCapacity && actionRoom() && (!TRACING || traceRoom())) advanceQp(at++, timePs);
  if (at < qpCapacity) return at;
  const window = flushWindows(timePs, at - qpCapacity);
  return window >= windowCount() ? NONE : qpCapacity + window;
}

/** Number of actions of the last call. */
export function actionsWritten(): u32 {
  return actionCount();
}

/** Next time when this QP's rate can change without an event; Infinity if it can't. */
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

/** Applies one event of a kind EVENT_*; returns its outcome. `qp` and `value` as in the event region: for a Fast CNP `qp` is the endpoint. */
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

/** Number of groups of 16 slots that a lookup of this flow examines. */
export function flowProbes(endpoint: u32, peerQpn: u32): u32 {
  return probesOf(flows, ADDRESS_ARGUMENT, flowWord(endpoint, peerQpn));
}
