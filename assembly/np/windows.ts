/**
 * Where the coalescing windows live: one record per QP, per endpoint (port), or per (endpoint, peer address).
 *
 * A window record is one f64 W, the end of the running window: 0 = none yet, negative = -W and a mark was suppressed.
 * With the trailing reading the QP and P_Key of the last suppressed mark follow.
 */
import { QP_OPEN, SCOPE_DESTINATION, SCOPE_PORT } from '../../src/abi/codes';
import { PEER_TABLE_ADDRESS } from '../../src/abi/layout';
import { endpointCapacity, flagsOf, peerOf, peerReferences, qpCapacity, windowShift, windows } from '../memory/map';
import { npScope } from '../memory/settings';
import { AddressTable, clearAddressTable, eraseEntry, insertEntry, isSound, lookUp, makeAddressTable,
  valueOf } from '../table/address-table';
import { endpointOf, entryOf, flowWord } from '../table/flow-table';

/** With the trailing reading: QP and P_Key of the last suppressed mark. */
export const PENDING_QP: usize = 8;
export const PENDING_P_KEY: usize = 12;

let peers: AddressTable = changetype<AddressTable>(0);

export function makePeerTable(qpCount: u32): void {
  peers = makeAddressTable(PEER_TABLE_ADDRESS, qpCount, 0);
}

export function clearPeerTable(): void {
  clearAddressTable(peers);
}

/** How many windows there are in the configured scope. */
export function windowCount(): u32 {
  return npScope == SCOPE_PORT ? endpointCapacity : qpCapacity;
}

@inline export function windowAt(index: u32): usize {
  return windows + (<usize>index << windowShift);
}

/** The window that marks of this QP fall into. */
@inline export function windowOf(qp: u32): usize {
  if (npScope == SCOPE_PORT) return windowAt(endpointOf(qp));
  if (npScope == SCOPE_DESTINATION) return windowAt(load<u32>(peerOf + (<usize>qp << 2)));
  return windowAt(qp);
}

/** A QP was opened: its own window starts again, or it joins its peer's. */
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

/** A QP of a smaller engine was opened with its record and that of its peer, whose number it keeps. */
export function rejoinWindow(qp: u32): void {
  if (npScope != SCOPE_DESTINATION || peerEntry(qp)) return;
  insertEntry(peers, entryOf(qp), flowWord(endpointOf(qp), 0), load<u32>(peerOf + (<usize>qp << 2)));
}

/** A QP is about to be closed. */
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

/** Peers are numbered like QPs: the first number, from the QP's own on, that no peer has. */
function addPeer(qp: u32): u32 {
  let peer = qp;
  while (load<u32>(references(peer))) peer = peer + 1 == qpCapacity ? 0 : peer + 1;
  insertEntry(peers, entryOf(qp), flowWord(endpointOf(qp), 0), peer);
  store<f64>(windowAt(peer), 0);
  return peer;
}

/** Latest end of a window that came from outside, picoseconds. */
const LATEST_PS: f64 = <f64>(1 << 60);

/** Whether windows from outside are valid: their ends are times, and each peer is referred to as often as it states. */
export function areWindowsSound(): bool {
  const count = windowCount();
  for (let index: u32 = 0; index < count; index++) {
    const window = windowAt(index);
    if (!(abs<f64>(load<f64>(window)) <= LATEST_PS)) return false;
    if (load<f64>(window) < 0 && load<u32>(window, PENDING_QP) >= qpCapacity) return false;
  }
  return npScope != SCOPE_DESTINATION || arePeersSound();
}

/** References are taken off, and put back: what is left in between must be nothing. */
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
