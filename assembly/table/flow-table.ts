/**
 * Who is who: addresses of endpoints, and the QPs by (endpoint, peer address, peer QPN) and (endpoint, local QPN).
 *
 * An endpoint is a local NIC port; one engine can hold many, so it can serve a whole simulated network.
 * IPv4 addresses are IPv4-mapped (::ffff:a.b.c.d).
 */
import {
  NONE,
  OPEN_DUPLICATE_FLOW,
  OPEN_DUPLICATE_LOCAL,
  OPEN_FULL,
  QP_OPEN,
  QP_PROFILE_SHIFT,
} from '../../src/abi/codes';
import { ENDPOINT_TABLE_ADDRESS, FLOW_TABLE_ADDRESS } from '../../src/abi/layout';
import { reset } from '../cc/dcqcn-steps';
import { flagsOf, flowEntries, localQpns, profileOf, qpCapacity, scratch, setFlags, stateOf } from '../memory/map';
import {
  AddressTable,
  clearAddressTable,
  eraseEntry,
  findEntry,
  insertEntry,
  likelyEntry,
  lookUp,
  makeAddressTable,
  tagsOf,
  valueOf,
  wordOf,
} from './address-table';
import { hashAddress, hashWord } from './hash';
import { clearQpnTable, eraseQpn, findQpn, insertQpn, makeQpnTable } from './qpn-table';

export let flows: AddressTable = changetype<AddressTable>(0);
let endpoints: AddressTable = changetype<AddressTable>(0);

/** Where reads end whose only purpose is to have been made. */
export let sink: u32 = 0;

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

/** The word that goes with an address in the flow table, and alone into the QPN table. */
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

/** The endpoint that has this address, given as two u64 as they lie in memory, or NONE. */
export function endpointAt(low: u64, high: u64): u32 {
  const entry = findEntry(endpoints, low, high, 0, hashAddress(low, high, 0));
  return entry ? valueOf(entry) : NONE;
}

/** Gives an endpoint one more address; false when it is taken or the table is full. */
export function addAddress(endpoint: u32, address: usize): bool {
  if (lookUp(endpoints, address, 0)) return false;
  return insertEntry(endpoints, address, 0, endpoint) != 0;
}

/** Opens a QP at line rate; returns its number or OPEN_*. */
export function openQp(endpoint: u32, localQpn: u32, peer: usize, peerQpn: u32, profile: u32): u32 {
  const word = flowWord(endpoint, peerQpn);
  const localWord = flowWord(endpoint, localQpn);
  if (lookUp(flows, peer, word)) return OPEN_DUPLICATE_FLOW;
  if (findLocalQp(endpoint, localQpn) != NONE) return OPEN_DUPLICATE_LOCAL;
  const qp = freeQp();
  if (qp == NONE) return OPEN_FULL;
  insertEntry(flows, peer, word, qp);
  insertQpn(localWord, qp);
  store<u32>(localQpns + (<usize>qp << 2), localQpn);
  const flags = QP_OPEN | (profile << QP_PROFILE_SHIFT);
  setFlags(qp, flags);
  reset(stateOf(qp), profileOf(flags));
  stateOf(qp).lastEventPs = 0;
  firstFree = qp + 1;
  return qp;
}

function freeQp(): u32 {
  while (firstFree < qpCapacity && flagsOf(firstFree) & QP_OPEN) firstFree++;
  return firstFree < qpCapacity ? firstFree : NONE;
}

/** Forgets an open QP. */
export function closeQp(qp: u32): void {
  eraseQpn(flowWord(endpointOf(qp), load<u32>(localQpns + (<usize>qp << 2))));
  eraseEntry(flows, entryOf(qp));
  setFlags(qp, 0);
  if (qp < firstFree) firstFree = qp;
}

/** After a restore the hint below which no QP is free is unknown. */
export function forgetFreeQp(): void {
  firstFree = 0;
}

export function findFlowQp(endpoint: u32, peer: usize, peerQpn: u32): u32 {
  const entry = lookUp(flows, peer, flowWord(endpoint, peerQpn));
  return entry ? qpOfFlow(entry) : NONE;
}

export function findLocalQp(endpoint: u32, localQpn: u32): u32 {
  const word = flowWord(endpoint, localQpn);
  return findQpn(word, hashWord(word));
}

// Batched lookup: hash all keys of a block, read the lines that they need, then resolve them.
const KEY_BYTES: usize = 32;
const KEY_ENDPOINT: usize = 16;
const KEY_QPN: usize = 20;
const LOOKUP_BLOCK: u32 = 64;

/** Looks up `n` keys of 32 bytes {address 16, endpoint u32, peer QPN u32, 8 free}; writes a QP or NONE each, u32. */
export function findFlows(keys: usize, results: usize, n: u32): void {
  for (let from: u32 = 0; from < n; from += LOOKUP_BLOCK) {
    const block = keys + <usize>from * KEY_BYTES;
    const blockKeys = min(LOOKUP_BLOCK, n - from);
    hashKeys(block, blockKeys);
    touchEntries(blockKeys);
    resolveKeys(block, results + (<usize>from << 2), blockKeys);
  }
}

@inline function keyWord(key: usize): u64 {
  return flowWord(load<u32>(key, KEY_ENDPOINT), load<u32>(key, KEY_QPN));
}

function hashKeys(keys: usize, n: u32): void {
  let read: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const key = keys + <usize>i * KEY_BYTES;
    const hash = hashAddress(load<u64>(key), load<u64>(key, 8), keyWord(key));
    store<u64>(scratch + (<usize>i << 3), hash);
    read += load<u8>(tagsOf(flows, hash));
  }
  sink += read;
}

function touchEntries(n: u32): void {
  let read: u32 = 0;
  for (let i: u32 = 0; i < n; i++) read += load<u32>(likelyEntry(flows, load<u64>(scratch + (<usize>i << 3))));
  sink += read;
}

function resolveKeys(keys: usize, results: usize, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const key = keys + <usize>i * KEY_BYTES;
    const hash = load<u64>(scratch + (<usize>i << 3));
    const entry = findEntry(flows, load<u64>(key), load<u64>(key, 8), keyWord(key), hash);
    store<u32>(results + (<usize>i << 2), entry ? qpOfFlow(entry) : NONE);
  }
}
