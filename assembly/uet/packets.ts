/**
 * Packets. Data packets have a payload and 64 bytes of header; all others are headers of 64 bytes (docs/specs/uet-reference.md, 2).
 *
 * Packets are recycled, newest first. As in the reference, the flag `isForRts` of an ACK is never cleared, so a recycled ACK
 * still has it. Only ACKs behave this way, hence their separate free list.
 */
import { UET_PACKET_ACK, UET_PACKET_BYTES, UET_PACKET_DATA, UET_PACKET_NACK, UET_PACKET_PULL,
  UetPacket } from '../records/uet-network';
import { UetFlow } from '../records/uet-flows';
import { allocate } from './memory';
import { run } from './stop';

export const HEADER_BYTES: u32 = 64;

/** Priority classes at a host. */
export const HIGH: u32 = 0;
export const MIDDLE: u32 = 1;
export const LOW: u32 = 2;

const CHUNK_PACKETS: usize = 512;

let freeAcks: usize = 0;
let freeOthers: usize = 0;
/** Address of memory that no packet has used yet. */
let fresh: usize = 0;
let freshEnd: usize = 0;

/** Takes an unmarked header of 64 bytes. ACKs, NACKs and pulls go to the flow's sender, all others to its receiver. */
export function takePacket(kind: u32, flow: UetFlow, ev: u32): UetPacket {
  const packet = changetype<UetPacket>(kind == UET_PACKET_ACK ? takeAck() : takeOther());
  const isToSender = kind == UET_PACKET_ACK || kind == UET_PACKET_NACK || kind == UET_PACKET_PULL;
  packet.kind = kind;
  packet.flow = <u32>changetype<usize>(flow);
  packet.destination = isToSender ? flow.source : flow.destination;
  packet.flowWord = isToSender ? flow.receiverWord : flow.senderWord;
  packet.flowRank = isToSender ? flow.receiverRank : flow.senderRank;
  packet.ev = ev;
  packet.sizeBytes = HEADER_BYTES;
  packet.isHeaderOnly = 1;
  packet.hostClass = HIGH;
  packet.isMarked = 0;
  packet.isTrimmedAtLastHop = 0;
  run.packetsMade += 1;
  run.bytesMade += <f64>HEADER_BYTES;
  return packet;
}

/** Counts a packet as delivered and recycles it. */
export function deliverPacket(packet: UetPacket): void {
  run.packetsDelivered += 1;
  run.bytesDelivered += <f64>packet.sizeBytes;
  freePacket(packet);
}

export function dropPacket(packet: UetPacket): void {
  run.bytesDropped += <f64>packet.sizeBytes;
  if (packet.kind == UET_PACKET_DATA && packet.isHeaderOnly) run.trimmedDropped += 1;
  freePacket(packet);
}

function freePacket(packet: UetPacket): void {
  if (packet.kind == UET_PACKET_ACK) {
    packet.next = <u32>freeAcks;
    freeAcks = changetype<usize>(packet);
  } else {
    packet.next = <u32>freeOthers;
    freeOthers = changetype<usize>(packet);
  }
}

function takeAck(): usize {
  const packet = freeAcks;
  if (packet) {
    freeAcks = changetype<UetPacket>(packet).next;
    return packet;
  }
  const made = newPacket();
  changetype<UetPacket>(made).isForRts = 0;
  return made;
}

function takeOther(): usize {
  const packet = freeOthers;
  if (!packet) return newPacket();
  freeOthers = changetype<UetPacket>(packet).next;
  return packet;
}

function newPacket(): usize {
  if (fresh == freshEnd) {
    fresh = allocate(CHUNK_PACKETS * UET_PACKET_BYTES);
    freshEnd = fresh + CHUNK_PACKETS * UET_PACKET_BYTES;
  }
  const packet = fresh;
  fresh += UET_PACKET_BYTES;
  return packet;
}
