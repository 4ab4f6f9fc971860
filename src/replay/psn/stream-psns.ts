/**
 * Assigns each packet of a stream to a PSN sequence by its opcode: the requests' or the responses'. ACKs and NAKs repeat
 * PSNs of requests and have no sequence.
 *
 * READ and atomic responses carry the PSNs of the requester (IBTA volume 1, section 9.7). Within a message, they are
 * consecutive. Between messages there are PSNs of other requests, so missing responses can be counted only if the peer's
 * requests are known. Otherwise, a message that lacks its beginning or its end counts as one missing PSN, and a message
 * that is missing entirely goes unnoticed.
 */
import { readU16, readU24 } from '../../wire/bytes.js';
import { Udp } from '../../wire/ip/udp.js';
import { Bth, Opcode } from '../../wire/roce/bth.js';
import { ExtendedHeaders, Reth, Xrceth } from '../../wire/roce/extended-headers.js';
import { Icrc } from '../../wire/roce/icrc.js';
import { isSingleMtu, PsnCounts, psnAfter, psnsAhead, UNKNOWN } from './psn.js';
import { ATOMIC, LENGTH_UNKNOWN, NO_READ, RequestPsns } from './request-psns.js';

/**
 * Sequence that a packet belongs to: none (datagrams, CNPs, reliable datagrams), the requester's, or the responder's.
 */
export const SEQUENCE_NONE = 0;
export const SEQUENCE_REQUEST = 1;
/** READ and atomic responses. */
export const SEQUENCE_RESPONSE = 2;
/** ACK or NAK: carries a PSN of the peer and has no sequence. */
export const SEQUENCE_ACKNOWLEDGEMENT = 3;

const BTH_PSN = Bth.offsetOf('psn');
const BTH_PAD = Bth.offsetOf('padCount');
const BTH_MIGRATION = Bth.offsetOf('migrationRequest');
const MIGRATION_BIT = 0x40;
const DMA_LENGTH = Reth.offsetOf('dmaLength');
const UDP_LENGTH = Udp.offsetOf('length');
const NUMBERED_TRANSPORTS: readonly number[] = [Opcode.TRANSPORT_RC, Opcode.TRANSPORT_UC, Opcode.TRANSPORT_XRC];
/** First and middle packets, whose payload is one MTU. */
const WHOLE: readonly number[] = [
  Opcode.SEND_FIRST,
  Opcode.SEND_MIDDLE,
  Opcode.WRITE_FIRST,
  Opcode.WRITE_MIDDLE,
  Opcode.READ_RESPONSE_FIRST,
  Opcode.READ_RESPONSE_MIDDLE,
];
const OPCODES = 256;

/** Sequences by opcode, precomputed for speed. */
const SEQUENCES = Uint8Array.from({ length: OPCODES }, (_, opcode) => sequenceOfOpcode(opcode));
const EXTENDED_BYTES = Uint8Array.from({ length: OPCODES }, (_, opcode) => ExtendedHeaders.lenBytesOf(opcode));
const IS_WHOLE = Uint8Array.from({ length: OPCODES },
  (_, opcode) => Number(WHOLE.includes(opcode & Opcode.OPERATION_MASK)));

function sequenceOfOpcode(opcode: number): number {
  if (!NUMBERED_TRANSPORTS.includes(opcode & Opcode.TRANSPORT_MASK) || !Opcode.isDefined(opcode)) return SEQUENCE_NONE;
  const operation = opcode & Opcode.OPERATION_MASK;
  if (operation === Opcode.ACKNOWLEDGE) return SEQUENCE_ACKNOWLEDGEMENT;
  const isResponse = operation >= Opcode.READ_RESPONSE_FIRST && operation <= Opcode.ATOMIC_ACKNOWLEDGE;
  return isResponse ? SEQUENCE_RESPONSE : SEQUENCE_REQUEST;
}

/** Returns the SEQUENCE_* of an opcode. */
export function sequenceOf(opcode: number): number {
  return SEQUENCES[opcode] ?? SEQUENCE_NONE;
}

/** Reads the PSN of the BTH at `bthOffset`. */
export function psnAt(frame: Uint8Array, bthOffset: number): number {
  return readU24(frame, bthOffset + BTH_PSN);
}

/** The sequences of one stream. */
export class StreamPsns {
  readonly requests = new RequestPsns();
  readonly responses = new ResponsePsns();
  /** Number of ACKs and NAKs. */
  acknowledgements = 0;
  /**
   * Whether bit M was set in the last request: the connection has migrated (automatic path migration, IBTA volume 1,
   * section 17.2.8).
   */
  isMigrated = false;
  /** Whether the stream's requests are acknowledged. */
  isReliable = false;

  /**
   * Whether there must be packets of the opposite direction: RC and XRC requests have replies, and replies have
   * requests.
   */
  get expectsOpposite(): boolean {
    return this.isReliable || this.acknowledgements + this.responses.counts.packets > 0;
  }

  /** Starts a new connection, with an arbitrary PSN. */
  restart(): void {
    this.requests.restart();
    this.responses.restart();
  }

  addRequest(frame: Uint8Array, bthOffset: number, opcode: number, psn: number): void {
    if (!isSingleMtu(this.requests.mtus)) this.#notePayload(frame, bthOffset, opcode, this.requests);
    this.isReliable = (opcode & Opcode.TRANSPORT_MASK) !== Opcode.TRANSPORT_UC;
    this.isMigrated = isMigrationRequest(frame, bthOffset);
    this.requests.add(psn, readBytesOf(frame, bthOffset, opcode));
  }

  /** @param peer the requester's PSNs, if known: responses reveal the MTU of its connection. */
  addResponse(frame: Uint8Array, bthOffset: number, opcode: number, psn: number, peer: StreamPsns | undefined): void {
    const requests = peer?.requests;
    if (requests !== undefined && !isSingleMtu(requests.mtus)) this.#notePayload(frame, bthOffset, opcode, requests);
    this.responses.add(psn, opcode & Opcode.OPERATION_MASK, requests);
  }

  #notePayload(frame: Uint8Array, bthOffset: number, opcode: number, requests: RequestPsns): void {
    const udpBytes = readU16(frame, bthOffset - Udp.lenBytes + UDP_LENGTH);
    const padBytes = ((frame[bthOffset + BTH_PAD] ?? 0) >> 4) & 3;
    const headers = Udp.lenBytes + Bth.lenBytes + (EXTENDED_BYTES[opcode] ?? 0) + Icrc.lenBytes;
    requests.notePayload(udpBytes - headers - padBytes, IS_WHOLE[opcode] === 1);
  }
}

/** Whether bit M is set in this packet. */
export function isMigrationRequest(frame: Uint8Array, bthOffset: number): boolean {
  return ((frame[bthOffset + BTH_MIGRATION] ?? 0) & MIGRATION_BIT) !== 0;
}

function readBytesOf(frame: Uint8Array, bthOffset: number, opcode: number): number {
  const operation = opcode & Opcode.OPERATION_MASK;
  if (operation === Opcode.COMPARE_AND_SWAP || operation === Opcode.FETCH_AND_ADD) return ATOMIC;
  if (operation !== Opcode.READ_REQUEST) return NO_READ;
  const isXrc = (opcode & Opcode.TRANSPORT_MASK) === Opcode.TRANSPORT_XRC;
  const at = bthOffset + Bth.lenBytes + (isXrc ? Xrceth.lenBytes : 0) + DMA_LENGTH;
  return at + 4 > frame.length ? LENGTH_UNKNOWN : readU16(frame, at) * 0x10000 + readU16(frame, at + 2);
}

/** Sequence of one responder's READ and atomic responses. */
class ResponsePsns {
  readonly counts = new PsnCounts();
  #next = UNKNOWN;
  /** Whether a message has begun but its last packet was not seen. */
  #isOpen = false;

  restart(): void {
    this.#next = UNKNOWN;
    this.#isOpen = false;
  }

  /** @param requests the peer's requests, if known. */
  add(psn: number, operation: number, requests: RequestPsns | undefined): void {
    this.counts.packets++;
    const ahead = this.#next === UNKNOWN ? 0 : psnsAhead(psn, this.#next);
    if (ahead < 0) {
      this.counts.repeat(psn);
      return;
    }
    if (this.#next !== UNKNOWN) this.#judge(psn, operation, ahead, requests);
    this.#next = psnAfter(psn, 1);
    this.#isOpen = operation === Opcode.READ_RESPONSE_FIRST || operation === Opcode.READ_RESPONSE_MIDDLE;
  }

  #judge(psn: number, operation: number, ahead: number, requests: RequestPsns | undefined): void {
    const missing = requests?.reads?.countBetween(this.#next, psn, requests.mtus) ?? 0;
    if (ahead === 0) return;
    if (missing > 0) {
      this.counts.gap(missing === ahead ? this.#next : UNKNOWN, missing);
      return;
    }
    const continues = operation === Opcode.READ_RESPONSE_MIDDLE || operation === Opcode.READ_RESPONSE_LAST;
    if (continues && this.#isOpen) this.counts.gap(this.#next, ahead);
    else if (continues !== this.#isOpen) this.counts.gap(continues ? psnAfter(psn, -1) : this.#next, 1);
  }
}
