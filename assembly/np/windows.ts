/**
 * The windows in which CNPs are coalesced: one record per QP, per endpoint (port), or per (endpoint, peer address).
 *
 * A window record is one f64 W, the end of the running window: 0 = none yet, negative = -W and a mark was suppressed.
 * Under `trailing`, the QP and P_Key of the last suppressed mark follow.
 */
import { QP_OPEN, SCOPE_DESTINATION, SCOPE_PORT } from '../../src/abi/codes';
import { PEER_TABLE_ADDRESS } from '../../src/abi/layout';
import { endpointCapacity, flagsOf, peerOf, peerReferences, qpCapacity, windowShift, windows } from '../memory/map';
import { npScope } from '../memory/settings';
import { AddressTable, clearAddressTable, eraseEntry, insertEntry, isSound, lookUp, makeAddressTable,
  valueOf } from '../table/address-table';
import { endpointOf, entryOf, flowWord } from '../table/flow-table';

/** Under `trailing`: QP and P_Key of the last suppressed mark. */
export const PENDING_QP: usize = 8;
export const PENDING_P_KEY: usize = 12;

let peers: AddressTable = changetype<AddressTable>(0);

export function makePeerTable(qpCount: u32): void {
  peers = makeAddressTable(PEER_TABLE_ADDRESS, qpCount, 0);
}

export function clearPeerTable(): void {
  clearAddressTable(peers);
}

/** Number of windows in the configured scope. */
export function windowCount(): u32 {
  return npScope == SCOPE_PORT ? endpointCapacity : qpCapacity;
}

@inline export function windowAt(index: u32): usize {
  return windows + (<usize>index << windowShift);
}

/** The window for marks of this QP. */
@inline export function windowOf(qp: u32): usize {
  if (npScope == SCOPE_PORT) return windowAt(endpointOf(qp));
  if (npScope == SCOPE_DESTINATION) return windowAt(load<u32>(peerOf + (<usize>qp << 2)));
  return windowAt(qp);
}

/** Called when a QP was opened: resets its own window, or adds it to its peer's. */
export function joinWindow(qp: u32): void {
  if (npScope == SCOPE_PORT) return;
  if (npScope != SCOPE_DESTINATION) {
    store<f64>(windowAt(qp), 0);
    return;
  }
  const known = peerEntry(qp);
  const peer = known ? valueOf(known) : addPeer(qp);
  store<u32>(peerOf + (<usize>qp << 2), peer);
  store<u32>(references(peer), load<u32>(references(peer)) + 1);
}

/** Called when a QP of a smaller engine was opened with its records: restores its peer under the same number. */
export function rejoinWindow(qp: u32): void {
  if (npScope != SCOPE_DESTINATION || peerEntry(qp)) return;
  insertEntry(peers, entryOf(qp), flowWord(endpointOf(qp), 0), load<u32>(peerOf + (<usize>qp << 2)));
}

/** Called when a QP is about to be closed. */
export function leaveWindow(qp: u32): void {
  if (npScope != SCOPE_DESTINATION) return;
  const peer = load<u32>(peerOf + (<usize>qp << 2));
  const left = load<u32>(references(peer)) - 1;
  store<u32>(references(peer), left);
  if (!left) eraseEntry(peers, peerEntry(qp));
}

@inline function references(peer: u32): usize {
  return peerReferences + (<usize>peer << 2);
}

function peerEntry(qp: u32): usize {
  return lookUp(peers, entryOf(qp), flowWord(endpointOf(qp), 0));
}

/** Adds the peer of a QP. Its number is the first free one, from the QP's own number on. */
function addPeer(qp: u32): u32 {
  let peer = qp;
  while (load<u32>(references(peer))) peer = peer + 1 == qpCapacity ? 0 : peer + 1;
  insertEntry(peers, entryOf(qp), flowWord(endpointOf(qp), 0), peer);
  store<f64>(windowAt(peer), 0);
  return peer;
}

/** Latest valid end of a window in a snapshot, picoseconds. */
const LATEST_PS: f64 = <f64>(1 << 60);

/** Whether restored windows are valid: their ends are times, and the peers' reference counts are correct. */
export function areWindowsSound(): bool {
  const count = windowCount();
  for (let index: u32 = 0; index < count; index++) {
    const window = windowAt(index);
    if (!(abs<f64>(load<f64>(window)) <= LATEST_PS)) return false;
    if (load<f64>(window) < 0 && load<u32>(window, PENDING_QP) >= qpCapacity) return false;
  }
  return npScope != SCOPE_DESTINATION || arePeersSound();
}

/** Checks reference counts: subtracts all references, requires that every count is 0, and adds them again. */
function arePeersSound(): bool {
  if (!isSound(peers, qpCapacity)) return false;
  let isRight = referToPeers(-1);
  let used: u32 = 0;
  for (let peer: u32 = 0; peer < qpCapacity; peer++) isRight = isRight && !load<u32>(references(peer));
  referToPeers(1);
  for (let peer: u32 = 0; peer < qpCapacity; peer++) used += <u32>(load<u32>(references(peer)) != 0);
  return isRight && used == peers.used;
}

function referToPeers(change: u32): bool {
  for (let qp: u32 = 0; qp < qpCapacity; qp++) {
    if (!(flagsOf(qp) & QP_OPEN)) continue;
    const peer = load<u32>(peerOf + (<usize>qp << 2));
    const known = peerEntry(qp);
    if (!known || valueOf(known) != peer) return false;
    store<u32>(references(peer), load<u32>(references(peer)) + change);
  }
  return true;
}
