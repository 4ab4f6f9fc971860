/**
 * Flow tables: endpoints by address, and QPs by (endpoint, peer address, peer QPN) and by (endpoint, local QPN).
 *
 * An endpoint is a local NIC port; one engine can hold many, so it can serve a whole simulated network.
 * IPv4 addresses are IPv4-mapped (::ffff:a.b.c.d).
 */
import { NONE, OPEN_DUPLICATE_FLOW, OPEN_DUPLICATE_LOCAL, OPEN_FULL, QP_OPEN,
  QP_PARAMETER_SET_SHIFT } from '../../src/abi/codes';
import { DESCRIBED_ENDPOINT, DESCRIBED_LOCAL_QPN, ENDPOINT_FILTER_ADDRESS, ENDPOINT_TABLE_ADDRESS, FLOW_STAMP,
  FLOW_TABLE_ADDRESS } from '../../src/abi/layout';
import { flagsOf, flowEntries, localQpns, qpCapacity, setFlags } from '../memory/map';
import { AddressTable, clearAddressTable, eraseEntry, findIn, holds, insertEntry, isSound, lookUp, makeAddressTable,
  valueOf, wordOf } from './address-table';
import { hashAddress, hashWord } from './hash';
import { clearQpnTable, eraseQpn, findQpn, insertQpn, isQpnTableSound, makeQpnTable } from './qpn-table';

/** Up to this many QPs (4 MiB of table), reading ahead of lookups costs more than it saves. */
export const NEAR_QPS: u32 = 131072;

export let flows: AddressTable = changetype<AddressTable>(0);
let endpoints: AddressTable = changetype<AddressTable>(0);

const FILTER_MIX: u64 = 0x9e3779b97f4a7c15;

/** Lowest QP number that may be free. */
let firstFree: u32 = 0;

export function makeFlowTables(qpCount: u32, addressCount: u32): void {
  flows = makeAddressTable(FLOW_TABLE_ADDRESS, qpCount, flowEntries);
  endpoints = makeAddressTable(ENDPOINT_TABLE_ADDRESS, addressCount, 0);
  makeQpnTable(qpCount);
}

export function clearFlowTables(): void {
  clearAddressTable(flows);
  clearAddressTable(endpoints);
  clearQpnTable();
}

/** Endpoint and QPN as one word: part of the key in the flow table, and the whole key in the QPN table. */
@inline export function flowWord(endpoint: u32, qpn: u32): u64 {
  return (<u64>endpoint << 24) | <u64>(qpn & 0xffffff);
}

@inline export function qpOfFlow(entry: usize): u32 {
  return valueOf(entry);
}

@inline export function entryOf(qp: u32): usize {
  return load<u32>(flowEntries + (<usize>qp << 2));
}

@inline export function endpointOf(qp: u32): u32 {
  return <u32>(wordOf(entryOf(qp)) >> 24);
}

/** Address of the endpoint found last: most frames are for the same one. */
let lastLow: u64 = 0;
let lastHigh: u64 = 0;
let lastEndpoint: u32 = NONE;

/** The endpoint with this address, given as two u64 in memory byte order, or NONE. */
export function endpointAt(low: u64, high: u64): u32 {
  if (low == lastLow && high == lastHigh && lastEndpoint != NONE) return lastEndpoint;
  if (!(load<u64>(ENDPOINT_FILTER_ADDRESS) & filterBit(low, high))) return NONE;
  const hash = hashAddress(low, high, 0);
  const entry = findIn(endpoints, endpoints.tags, endpoints.entries, endpoints.groups, low, high, 0, hash);
  if (!entry) return NONE;
  lastLow = low;
  lastHigh = high;
  return (lastEndpoint = valueOf(entry));
}

/** Bit of an address in a 64-bit Bloom filter: with few endpoints it excludes most unknown addresses. */
@inline function filterBit(low: u64, high: u64): u64 {
  return (1 as u64) << (((low ^ high) * FILTER_MIX) >> 58);
}

/** Adds an address to an endpoint; returns false if it is taken or the table is full. */
export function addAddress(endpoint: u32, address: usize): bool {
  if (lookUp(endpoints, address, 0) || !insertEntry(endpoints, address, 0, endpoint)) return false;
  const bit = filterBit(load<u64>(address), load<u64>(address, 8));
  store<u64>(ENDPOINT_FILTER_ADDRESS, load<u64>(ENDPOINT_FILTER_ADDRESS) | bit);
  return true;
}

/** Removes an address of an endpoint. Its bit in the filter stays, which costs at most an extra lookup. */
export function removeAddress(address: usize): void {
  lastEndpoint = NONE;
  eraseEntry(endpoints, lookUp(endpoints, address, 0));
}

/** Opens a QP; returns its number or OPEN_*. Its algorithm initialises its state. */
export function openQp(endpoint: u32, localQpn: u32, peer: usize, peerQpn: u32, parameterSet: u32): u32 {
  const word = flowWord(endpoint, peerQpn);
  const localWord = flowWord(endpoint, localQpn);
  if (lookUp(flows, peer, word)) return OPEN_DUPLICATE_FLOW;
  if (findLocalQp(endpoint, localQpn) != NONE) return OPEN_DUPLICATE_LOCAL;
  const qp = freeQp();
  if (qp == NONE) return OPEN_FULL;
  insertEntry(flows, peer, word, qp);
  insertQpn(localWord, qp);
  store<u32>(localQpns + (<usize>qp << 2), localQpn);
  setFlags(qp, QP_OPEN | (parameterSet << QP_PARAMETER_SET_SHIFT));
  firstFree = qp + 1;
  return qp;
}

/** Inserts the flow of an open QP; `from`: its entry in a smaller table. */
export function readmitFlow(from: usize): u32 {
  const qp = valueOf(from);
  const word = wordOf(from);
  store<u64>(insertEntry(flows, from, word, qp), load<u64>(from, FLOW_STAMP), FLOW_STAMP);
  insertQpn(flowWord(<u32>(word >> 24), load<u32>(localQpns + (<usize>qp << 2))), qp);
  return qp;
}

/** Writes peer address, endpoint and local QPN of an open QP to `at`; returns the peer QPN. */
export function describe(qp: u32, at: usize): u32 {
  const entry = entryOf(qp);
  store<u64>(at, load<u64>(entry));
  store<u64>(at, load<u64>(entry, 8), 8);
  store<u32>(at, endpointOf(qp), DESCRIBED_ENDPOINT);
  store<u32>(at, load<u32>(localQpns + (<usize>qp << 2)), DESCRIBED_LOCAL_QPN);
  return <u32>wordOf(entry) & 0xffffff;
}

function freeQp(): u32 {
  while (firstFree < qpCapacity && flagsOf(firstFree) & QP_OPEN) firstFree++;
  return firstFree < qpCapacity ? firstFree : NONE;
}

/** Removes an open QP. */
export function closeQp(qp: u32): void {
  eraseQpn(flowWord(endpointOf(qp), load<u32>(localQpns + (<usize>qp << 2))));
  eraseEntry(flows, entryOf(qp));
  setFlags(qp, 0);
  if (qp < firstFree) firstFree = qp;
}

export function findFlowQp(endpoint: u32, peer: usize, peerQpn: u32): u32 {
  const entry = lookUp(flows, peer, flowWord(endpoint, peerQpn));
  return entry ? qpOfFlow(entry) : NONE;
}

export function findLocalQp(endpoint: u32, localQpn: u32): u32 {
  const word = flowWord(endpoint, localQpn);
  return findQpn(word, hashWord(word));
}

/**
 * Resets cached values after a restore, and returns whether the tables are valid and consistent with the open QPs. The
 * tables are checked first, since the other checks use lookups.
 */
export function restoreFlowTables(endpointCount: u32): bool {
  firstFree = 0;
  lastEndpoint = NONE;
  if (!isSound(flows, qpCapacity) || !isSound(endpoints, endpointCount)) return false;
  let open: u32 = 0;
  for (let qp: u32 = 0; qp < qpCapacity; qp++) {
    const flags = flagsOf(qp);
    open += flags & QP_OPEN;
    if (!(flags & QP_OPEN) && flags) return false;
  }
  if (open != flows.used || !isQpnTableSound(open, qpCapacity)) return false;
  for (let qp: u32 = 0; qp < qpCapacity; qp++) {
    if (flagsOf(qp) & QP_OPEN && !isKnownEverywhere(qp, endpointCount)) return false;
  }
  return true;
}

function isKnownEverywhere(qp: u32, endpointCount: u32): bool {
  const entry = entryOf(qp);
  if (!holds(flows, entry) || valueOf(entry) != qp || endpointOf(qp) >= max<u32>(endpointCount, 1)) return false;
  const localQpn = load<u32>(localQpns + (<usize>qp << 2));
  return localQpn < 1 << 24 && findLocalQp(endpointOf(qp), localQpn) == qp;
}
