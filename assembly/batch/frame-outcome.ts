/**
 * Third pass of the raw-packet loop: finds the QP and applies the event; each frame gets exactly one outcome.
 *
 * A data frame can concern this engine twice: as sent by a local endpoint (reaction point), and as received by one
 * (notification point, if marked). Its outcome is the notification point's if it was marked for a local QP.
 */
import { CLASS_ACK, CLASS_CNP, CLASS_CUT, CLASS_DATA, CLASS_DISCARD, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2,
  CLASS_MALFORMED, CLASS_NAK, CLASS_PFC, CLASS_ROCE_V1, EVENT_CNP, EVENT_SENT, ICRC_WRONG, NONE, OUTCOME_ACK,
  OUTCOME_BAD_DESCRIPTOR, OUTCOME_CUT, OUTCOME_DISCARDED, OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_FAST_CNP_OPTION,
  OUTCOME_ICRC_WRONG, OUTCOME_MALFORMED, OUTCOME_NAK, OUTCOME_NOT_LOCAL, OUTCOME_NOT_ROCE_V2, OUTCOME_PFC,
  OUTCOME_RECEIVED, OUTCOME_ROCE_V1, OUTCOME_SENT, OUTCOME_UNKNOWN_QP, WHY_FAST_CNP_OPTION } from '../../src/abi/codes';
import { COUNTER_DATA_SENT, COUNTER_PACKET_BYTES_IN, DESCRIPTOR_ORIGINAL, DESCRIPTOR_TIME, EVENT_VALUE_MAX,
  PACKET_BTH_OFFSET, PACKET_DEST_QPN, PACKET_FROM_RECEIVER, PACKET_ICRC, PACKET_IOAM_BYTES, PACKET_IOAM_OFFSET,
  PACKET_IP_OFFSET, PACKET_ORIGINAL_DESTINATION_OFFSET, PACKET_OUTCOME, PACKET_QP, PACKET_TRAFFIC_CLASS,
  PACKET_WHY } from '../../src/abi/layout';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { count, countClass, countOutcome } from '../memory/counters';
import { marked } from '../np/notification-point';
import { admitFastCnp, fastCnp, reportFastCnp } from '../rp/notifications';
import { singleEvent } from '../rp/qp-event';
import { confirm } from '../table/address-table';
import { flowWord, flows, qpOfFlow } from '../table/flow-table';
import { findQpn } from '../table/qpn-table';
import { ackFrame } from './ack-frame';
import { CANDIDATE, FLOW_HASH, QPN_HASH, RECEIVER, SENDER, classOf, descriptorOf, frameOf, high, loadAddress, low,
  recordOf } from './frame';

const CE: u32 = 3;

/** Applies a prepared frame and writes its outcome; `keys`: its scratch memory. */
export function resolve(index: u32, keys: usize): void {
  const record = recordOf(index);
  const packetClass = classOf(record);
  const outcome = load<u8>(record, PACKET_OUTCOME) == OUTCOME_BAD_DESCRIPTOR ?
    OUTCOME_BAD_DESCRIPTOR :
    outcomeOf(index, record, keys, packetClass);
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
  if (packetClass == CLASS_ACK) return KNOWS_OTHERS ? ackFrame(index) : OUTCOME_ACK;
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
    const entry = confirm(flows, load<u32>(keys, CANDIDATE), low, high, flowWord(sender, qpn),
      load<u64>(keys, FLOW_HASH));
    if (entry) {
      const qp = qpOfFlow(entry);
      store<u32>(record, qp, PACKET_QP);
      const lenBytes = min<u32>(load<u32>(descriptor, DESCRIPTOR_ORIGINAL), EVENT_VALUE_MAX);
      outcome = singleEvent(EVENT_SENT, qp, timePs, lenBytes);
      if (outcome == OUTCOME_SENT) count(COUNTER_DATA_SENT, 1);
    }
  }
  if (receiver == NONE) return outcome;
  if ((load<u8>(record, PACKET_TRAFFIC_CLASS) & CE) != CE)
    return outcome == OUTCOME_UNKNOWN_QP ?
      OUTCOME_RECEIVED :
      outcome;
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
  return singleEvent(EVENT_CNP, qp, load<f64>(descriptorOf(index), DESCRIPTOR_TIME), 0);
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
    const entry = confirm(flows, load<u32>(keys, CANDIDATE), load<u64>(original), load<u64>(original, 8), word,
      load<u64>(keys, FLOW_HASH));
    const trace = load<u16>(record, PACKET_IOAM_OFFSET);
    outcome = fastCnp(entry, timePs, trace ? frame + trace : 0, load<u16>(record, PACKET_IOAM_BYTES));
    if (entry) qp = qpOfFlow(entry);
  }
  store<u32>(record, qp, PACKET_QP);
  reportFastCnp(outcome, timePs, qp, load<u8>(record, PACKET_FROM_RECEIVER) != 0, index);
  return outcome;
}

/** The outcome of a Fast CNP with a bad option: checks that precede "option well formed" still apply. */
function malformedOutcome(index: u32, record: usize): u32 {
  if (load<u8>(record, PACKET_WHY) != WHY_FAST_CNP_OPTION) return OUTCOME_MALFORMED;
  const admitted = admitFastCnp(frameOf(index) + load<u16>(record, PACKET_IP_OFFSET) + 8);
  const outcome = admitted == OUTCOME_FAST_CNP_ACCEPTED ? OUTCOME_FAST_CNP_OPTION : admitted;
  reportFastCnp(outcome, load<f64>(descriptorOf(index), DESCRIPTOR_TIME), NONE, false, index);
  return outcome;
}
