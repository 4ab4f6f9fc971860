/**
 * The raw-packet loop: from bytes to state, three passes over blocks of 64 frames.
 *
 *   1 parse and classify each frame, find its endpoints, hash its key, read the tags;
 *   2 with many QPs, read the entries and QP records that they point at, so that all misses overlap;
 *   3 find the QPs and apply the event, in frame order.
 *
 * A data frame can concern this engine twice: as sent by a local endpoint (reaction point), and as received by one
 * (notification point, when marked). Its outcome is the notification point's if it was marked for a local QP.
 */
import {
  CLASS_ACK,
  CLASS_CNP,
  CLASS_CUT,
  CLASS_DATA,
  CLASS_DISCARD,
  CLASS_FAST_CNP_1,
  CLASS_FAST_CNP_2,
  CLASS_MALFORMED,
  CLASS_NAK,
  CLASS_PFC,
  CLASS_ROCE_V1,
  ICRC_WRONG,
  NONE,
  OUTCOME_ACK,
  OUTCOME_BAD_DESCRIPTOR,
  OUTCOME_CUT,
  OUTCOME_DISCARDED,
  OUTCOME_FAST_CNP_ACCEPTED,
  OUTCOME_FAST_CNP_OPTION,
  OUTCOME_ICRC_WRONG,
  OUTCOME_MALFORMED,
  OUTCOME_NAK,
  OUTCOME_NOT_LOCAL,
  OUTCOME_NOT_ROCE_V2,
  OUTCOME_PFC,
  OUTCOME_RECEIVED,
  OUTCOME_ROCE_V1,
  OUTCOME_SENT,
  OUTCOME_UNKNOWN_QP,
  QP_LIMITED,
  WHY_FAST_CNP_OPTION,
} from '../../src/abi/codes';
import {
  COUNTER_DATA_SENT,
  COUNTER_PACKETS_IN,
  COUNTER_PACKET_BYTES_IN,
  DESCRIPTOR_BYTES,
  DESCRIPTOR_CAPTURED,
  DESCRIPTOR_LINK,
  DESCRIPTOR_OFFSET,
  DESCRIPTOR_ORIGINAL,
  DESCRIPTOR_TIME,
  EVENT_VALUE_MAX,
  PACKET_BTH_OFFSET,
  PACKET_BYTES,
  PACKET_CLASS,
  PACKET_DEST_QPN,
  PACKET_FROM_RECEIVER,
  PACKET_ICRC,
  PACKET_IP_OFFSET,
  PACKET_IP_VERSION,
  PACKET_ORIGINAL_DESTINATION_OFFSET,
  PACKET_OUTCOME,
  PACKET_QP,
  PACKET_TRAFFIC_CLASS,
  PACKET_WHY,
} from '../../src/abi/layout';
import { count, countClass, countOutcome } from '../memory/counters';
import { BLOCK, SCRATCH_BYTES, descriptors, frameBytes, frames, flagsOf, packets, qpCapacity, scratch, stateOf } from '../memory/map';
import { marked } from '../np/notification-point';
import { admitFastCnp, cnpReceived, fastCnpForFlow, reportFastCnp } from '../rp/notifications';
import { sent } from '../rp/reaction-point';
import { ABSENT, candidateOf, confirm, isEntry } from '../table/address-table';
import { endpointAt, flowWord, flows, qpOfFlow } from '../table/flow-table';
import { hashAddress, hashWord } from '../table/hash';
import { bucketAddress, findQpn } from '../table/qpn-table';
import { parseFrame } from '../wire/parser';
import { clearActions } from '../memory/actions';

const CE: u32 = 3;

// Scratch of one frame: flow hash u64 | QPN hash u64 | sending endpoint u32 | receiving endpoint u32 | candidate u32.
const FLOW_HASH: usize = 0;
const QPN_HASH: usize = 8;
const SENDER: usize = 16;
const RECEIVER: usize = 20;
const CANDIDATE: usize = 24;

/** Below this many QPs tables and records are near anyway: nothing is touched ahead. */
const TOUCH_FROM: u32 = 4096;

/** An address in a frame, as two u64 as they lie in memory; IPv4 as IPv4-mapped. */
let low: u64 = 0;
let high: u64 = 0;
let reads: u32 = 0;

/** Parses and applies the first `n` frames of the descriptor region. */
export function applyPackets(n: u32): void {
  clearActions();
  for (let from: u32 = 0; from < n; from += BLOCK) {
    const end = min(from + BLOCK, n);
    for (let i = from; i < end; i++) prepare(i, scratchOf(i));
    if (qpCapacity >= TOUCH_FROM) for (let i = from; i < end; i++) touchRecords(scratchOf(i));
    for (let i = from; i < end; i++) settle(i, scratchOf(i));
  }
  count(COUNTER_PACKETS_IN, n);
}

@inline function descriptorOf(index: u32): usize {
  return descriptors + <usize>index * DESCRIPTOR_BYTES;
}

@inline function recordOf(index: u32): usize {
  return packets + <usize>index * PACKET_BYTES;
}

@inline function scratchOf(index: u32): usize {
  return scratch + <usize>(index & (BLOCK - 1)) * SCRATCH_BYTES;
}

@inline function frameOf(index: u32): usize {
  return frames + load<u32>(descriptorOf(index), DESCRIPTOR_OFFSET);
}

@inline function classOf(record: usize): u32 {
  return load<u8>(record, PACKET_CLASS);
}

// ---- First pass

function prepare(index: u32, keys: usize): void {
  const descriptor = descriptorOf(index);
  const record = recordOf(index);
  const offset = load<u32>(descriptor, DESCRIPTOR_OFFSET);
  const captured = load<u32>(descriptor, DESCRIPTOR_CAPTURED);
  const original = load<u32>(descriptor, DESCRIPTOR_ORIGINAL);
  store<u32>(keys, NONE, SENDER);
  store<u32>(keys, NONE, RECEIVER);
  store<u32>(keys, ABSENT, CANDIDATE);
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
  if (sender != NONE) planFlow(keys, hashAddress(low, high, flowWord(sender, qpn)));
  if (receiver != NONE) store<u64>(keys, hashWord(flowWord(receiver, qpn)), QPN_HASH);
}

function prepareCnp(frame: usize, record: usize, keys: usize): void {
  loadAddress(frame, record, true);
  const receiver = endpointAt(low, high);
  store<u32>(keys, receiver, RECEIVER);
  store<u64>(keys, hashWord(flowWord(receiver, load<u32>(record, PACKET_DEST_QPN))), QPN_HASH);
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
  store<u32>(keys, <u32>candidateOf(flows, hash), CANDIDATE);
}

/** Loads a frame's source or destination address into `low` and `high`. */
@inline function loadAddress(frame: usize, record: usize, destination: bool): void {
  const ip = frame + load<u16>(record, PACKET_IP_OFFSET);
  if (load<u8>(record, PACKET_IP_VERSION) == 6) {
    const at = ip + (destination ? 24 : 8);
    low = load<u64>(at);
    high = load<u64>(at, 8);
  } else {
    low = 0;
    high = 0xffff0000 | (<u64>load<u32>(ip + (destination ? 16 : 12)) << 32);
  }
}

// ---- Second pass

function touchRecords(keys: usize): void {
  const candidate = load<u32>(keys, CANDIDATE);
  let read: u32 = 0;
  if (isEntry(candidate)) read = touchQp(qpOfFlow(candidate));
  else if (load<u32>(keys, RECEIVER) != NONE) read = touchQp(<u32>load<u64>(bucketAddress(load<u64>(keys, QPN_HASH))) & 0xffffff);
  reads += read;
}

@inline function touchQp(qp: u32): u32 {
  return qp < qpCapacity && flagsOf(qp) & QP_LIMITED ? stateOf(qp).bytesCounted : 0;
}

// ---- Third pass

function settle(index: u32, keys: usize): void {
  const record = recordOf(index);
  const packetClass = classOf(record);
  const outcome = load<u8>(record, PACKET_OUTCOME) == OUTCOME_BAD_DESCRIPTOR ? OUTCOME_BAD_DESCRIPTOR : outcomeOf(index, record, keys, packetClass);
  store<u8>(record, <u8>outcome, PACKET_OUTCOME);
  countClass(packetClass);
  countOutcome(outcome);
  count(COUNTER_PACKET_BYTES_IN, load<u32>(descriptorOf(index), DESCRIPTOR_ORIGINAL));
}

function outcomeOf(index: u32, record: usize, keys: usize, packetClass: u32): u32 {
  if (load<u8>(record, PACKET_ICRC) == ICRC_WRONG) return OUTCOME_ICRC_WRONG;
  if (packetClass == CLASS_DATA) return dataOutcome(index, record, keys);
  if (packetClass == CLASS_CNP) return cnpOutcome(index, record, keys);
  if (packetClass == CLASS_FAST_CNP_1 || packetClass == CLASS_FAST_CNP_2) return fastCnpOutcome(index, record, keys);
  if (packetClass == CLASS_ACK) return OUTCOME_ACK;
  if (packetClass == CLASS_NAK) return OUTCOME_NAK;
  if (packetClass == CLASS_PFC) return OUTCOME_PFC;
  if (packetClass == CLASS_ROCE_V1) return OUTCOME_ROCE_V1;
  if (packetClass == CLASS_MALFORMED) return malformedOutcome(index, record);
  if (packetClass == CLASS_CUT) return OUTCOME_CUT;
  return packetClass == CLASS_DISCARD ? OUTCOME_DISCARDED : OUTCOME_NOT_ROCE_V2;
}

function dataOutcome(index: u32, record: usize, keys: usize): u32 {
  const sender = load<u32>(keys, SENDER);
  const receiver = load<u32>(keys, RECEIVER);
  if (sender == NONE && receiver == NONE) return OUTCOME_NOT_LOCAL;
  const descriptor = descriptorOf(index);
  const timePs = load<f64>(descriptor, DESCRIPTOR_TIME);
  const qpn = load<u32>(record, PACKET_DEST_QPN);
  let outcome: u32 = OUTCOME_UNKNOWN_QP;
  if (sender != NONE) {
    loadAddress(frameOf(index), record, true);
    const entry = confirm(flows, load<u32>(keys, CANDIDATE), low, high, flowWord(sender, qpn), load<u64>(keys, FLOW_HASH));
    if (entry) {
      const qp = qpOfFlow(entry);
      store<u32>(record, qp, PACKET_QP);
      outcome = sent(qp, timePs, min<u32>(load<u32>(descriptor, DESCRIPTOR_ORIGINAL), EVENT_VALUE_MAX));
      if (outcome == OUTCOME_SENT) count(COUNTER_DATA_SENT, 1);
    }
  }
  if (receiver == NONE) return outcome;
  if ((load<u8>(record, PACKET_TRAFFIC_CLASS) & CE) != CE) return outcome == OUTCOME_UNKNOWN_QP ? OUTCOME_RECEIVED : outcome;
  const qp = findQpn(flowWord(receiver, qpn), load<u64>(keys, QPN_HASH));
  if (qp == NONE) return outcome;
  store<u32>(record, qp, PACKET_QP);
  const bth = frameOf(index) + load<u16>(record, PACKET_BTH_OFFSET);
  return marked(qp, timePs, (<u32>load<u8>(bth, 2) << 8) | load<u8>(bth, 3));
}

function cnpOutcome(index: u32, record: usize, keys: usize): u32 {
  const receiver = load<u32>(keys, RECEIVER);
  if (receiver == NONE) return OUTCOME_NOT_LOCAL;
  const qp = findQpn(flowWord(receiver, load<u32>(record, PACKET_DEST_QPN)), load<u64>(keys, QPN_HASH));
  store<u32>(record, qp, PACKET_QP);
  return cnpReceived(qp, load<f64>(descriptorOf(index), DESCRIPTOR_TIME));
}

function fastCnpOutcome(index: u32, record: usize, keys: usize): u32 {
  const receiver = load<u32>(keys, RECEIVER);
  if (receiver == NONE) return OUTCOME_NOT_LOCAL;
  const frame = frameOf(index);
  const timePs = load<f64>(descriptorOf(index), DESCRIPTOR_TIME);
  let outcome = admitFastCnp(frame + load<u16>(record, PACKET_IP_OFFSET) + 8);
  let qp: u32 = NONE;
  if (outcome == OUTCOME_FAST_CNP_ACCEPTED) {
    const original = frame + load<u16>(record, PACKET_ORIGINAL_DESTINATION_OFFSET);
    const word = flowWord(receiver, load<u32>(record, PACKET_DEST_QPN));
    const entry = confirm(flows, load<u32>(keys, CANDIDATE), load<u64>(original), load<u64>(original, 8), word, load<u64>(keys, FLOW_HASH));
    outcome = fastCnpForFlow(entry, timePs);
    if (entry) qp = qpOfFlow(entry);
  }
  store<u32>(record, qp, PACKET_QP);
  reportFastCnp(outcome, timePs, qp, load<u8>(record, PACKET_FROM_RECEIVER) != 0, index);
  return outcome;
}

/** A Fast CNP with a bad option goes through the checks that stand before "option well formed". */
function malformedOutcome(index: u32, record: usize): u32 {
  if (load<u8>(record, PACKET_WHY) != WHY_FAST_CNP_OPTION) return OUTCOME_MALFORMED;
  const admitted = admitFastCnp(frameOf(index) + load<u16>(record, PACKET_IP_OFFSET) + 8);
  const outcome = admitted == OUTCOME_FAST_CNP_ACCEPTED ? OUTCOME_FAST_CNP_OPTION : admitted;
  reportFastCnp(outcome, load<f64>(descriptorOf(index), DESCRIPTOR_TIME), NONE, false, index);
  return outcome;
}
