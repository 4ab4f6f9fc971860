/**
 * The first passes of the raw-packet loop: parse each frame, find its endpoints, and prepare its table lookups.
 */
import { CLASS_CNP, CLASS_DATA, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, CLASS_MALFORMED, NONE,
  OUTCOME_BAD_DESCRIPTOR } from '../../src/abi/codes';
import { DESCRIPTOR_CAPTURED, DESCRIPTOR_LINK, DESCRIPTOR_OFFSET, DESCRIPTOR_ORIGINAL, PACKET_BYTES, PACKET_CLASS,
  PACKET_DEST_QPN, PACKET_ORIGINAL_DESTINATION_OFFSET, PACKET_OUTCOME, PACKET_QP } from '../../src/abi/layout';
import { frameBytes, frames, qpCapacity, scratch, SCRATCH_BYTES } from '../memory/map';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { candidateOf, fetchEntry, tagsOf } from '../table/address-table';
import { endpointAt, flowWord, flows, NEAR_QPS, qpOfFlow } from '../table/flow-table';
import { hashAddress, hashWord } from '../table/hash';
import { bucketAddress } from '../table/qpn-table';
import { fetchState, keepReads } from './read-ahead';
import { parseFrame } from '../wire/parser';
import { CANDIDATE, FLOW_HASH, LINE, QPN_HASH, RECEIVER, SENDER, WANTED, descriptorOf, high, loadAddress, low,
  recordOf } from './frame';

/** Whether tags and entries are read in separate passes: not with few QPs, which stay cached, nor in roce-cc/dcqcn, to save size. */
@inline export function isFar(): bool {
  return KNOWS_OTHERS && qpCapacity > NEAR_QPS;
}

/** Parses a frame, finds its endpoints and hashes its key; `keys`: its scratch memory. */
export function prepare(index: u32, keys: usize): void {
  const descriptor = descriptorOf(index);
  const record = recordOf(index);
  const offset = load<u32>(descriptor, DESCRIPTOR_OFFSET);
  const captured = load<u32>(descriptor, DESCRIPTOR_CAPTURED);
  const original = load<u32>(descriptor, DESCRIPTOR_ORIGINAL);
  store<u32>(keys, NONE, SENDER);
  store<u32>(keys, NONE, RECEIVER);
  store<u32>(keys, 0, CANDIDATE);
  if (isFar()) store<u32>(keys, <u32>keys, LINE);
  if (offset > frameBytes || captured > frameBytes - offset || captured > original) {
    memory.fill(record, 0, PACKET_BYTES);
    store<u8>(record, CLASS_MALFORMED, PACKET_CLASS);
    store<u32>(record, NONE, PACKET_QP);
    store<u8>(record, OUTCOME_BAD_DESCRIPTOR, PACKET_OUTCOME);
    return;
  }
  const frame = frames + offset;
  const packetClass = parseFrame(frame, captured, original, load<u32>(descriptor, DESCRIPTOR_LINK), record);
  if (packetClass == CLASS_DATA) prepareData(frame, record, keys);
  else if (packetClass == CLASS_CNP) prepareCnp(frame, record, keys);
  else if (packetClass == CLASS_FAST_CNP_1 || packetClass == CLASS_FAST_CNP_2) prepareFastCnp(frame, record, keys);
}

function prepareData(frame: usize, record: usize, keys: usize): void {
  const qpn = load<u32>(record, PACKET_DEST_QPN);
  loadAddress(frame, record, false);
  const sender = endpointAt(low, high);
  loadAddress(frame, record, true);
  const receiver = endpointAt(low, high);
  store<u32>(keys, sender, SENDER);
  store<u32>(keys, receiver, RECEIVER);
  if (receiver != NONE) planQpn(keys, hashWord(flowWord(receiver, qpn)));
  if (sender != NONE) planFlow(keys, hashAddress(low, high, flowWord(sender, qpn)));
}

function prepareCnp(frame: usize, record: usize, keys: usize): void {
  loadAddress(frame, record, true);
  const receiver = endpointAt(low, high);
  store<u32>(keys, receiver, RECEIVER);
  planQpn(keys, hashWord(flowWord(receiver, load<u32>(record, PACKET_DEST_QPN))));
}

function prepareFastCnp(frame: usize, record: usize, keys: usize): void {
  loadAddress(frame, record, true);
  const receiver = endpointAt(low, high);
  store<u32>(keys, receiver, RECEIVER);
  const original = frame + load<u16>(record, PACKET_ORIGINAL_DESTINATION_OFFSET);
  const word = flowWord(receiver, load<u32>(record, PACKET_DEST_QPN));
  planFlow(keys, hashAddress(load<u64>(original), load<u64>(original, 8), word));
}

@inline function planFlow(keys: usize, hash: u64): void {
  store<u64>(keys, hash, FLOW_HASH);
  if (isFar()) {
    store<u32>(keys, WANTED, CANDIDATE);
    store<u32>(keys, <u32>tagsOf(flows, hash), LINE);
  } else store<u32>(keys, candidateFor(hash), CANDIDATE);
}

function candidateFor(hash: u64): u32 {
  return <u32>candidateOf(flows, hash);
}

@inline function planQpn(keys: usize, hash: u64): void {
  store<u64>(keys, hash, QPN_HASH);
  if (isFar()) store<u32>(keys, <u32>bucketAddress(hash), LINE);
}

/** For the first `n` frames: finds the candidate entry by the tags, and fetches it. */
export function findCandidates(n: u32): void {
  const end = scratch + <usize>n * SCRATCH_BYTES;
  readLines(end);
  for (let keys = scratch; keys < end; keys += SCRATCH_BYTES) {
    if (load<u32>(keys, CANDIDATE) != WANTED) continue;
    const candidate = candidateFor(load<u64>(keys, FLOW_HASH));
    store<u32>(keys, candidate, CANDIDATE);
    if (candidate) fetchEntry(candidate);
  }
}

/** Reads the first cache line of each lookup, in a loop so short that many reads overlap. */
function readLines(end: usize): void {
  let read: u32 = 0;
  for (let keys = scratch; keys < end; keys += SCRATCH_BYTES) read += load<u8>(load<u32>(keys, LINE));
  keepReads(read);
}

/** Fetches the record of the QP that a frame's lookup has found. */
export function touchRecords(keys: usize): void {
  const candidate = load<u32>(keys, CANDIDATE);
  let read: u32 = 0;
  if (candidate) read = fetchState(qpOfFlow(candidate));
  else if (load<u32>(keys, RECEIVER) != NONE)
    read = fetchState(<u32>load<u64>(bucketAddress(load<u64>(keys, QPN_HASH))) & 0xffffff);
  keepReads(read);
}
