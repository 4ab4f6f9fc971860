/**
 * ACKs and NAKs of one emulated receiver: ACKNOWLEDGE with an AETH, copied from one template with a new PSN, syndrome
 * and MSN. They echo the data packet's IOAM trace, in a Hop-by-Hop header of the same length, and its CE mark as BECN.
 */
import { writeU24 } from '../../wire/bytes.js';
import { Aeth } from '../../wire/roce/aeth.js';
import { Bth } from '../../wire/roce/bth.js';
import { Opcode } from '../../wire/roce/opcodes.js';
import { FrameTemplate, type QpPath } from './frame-template.js';

const PSNS = 2 ** 24;
const BTH_FLAGS = Bth.offsetOf('becn');
const BECN_BIT = 0x40;

/** The acknowledged packet. */
export interface AcknowledgedData {
  readonly frame: Uint8Array;
  /** Offset and length of the packet's IOAM trace; 0 bytes if it has none. */
  readonly traceOffset: number;
  readonly traceBytes: number;
  readonly isMarked: boolean;
}

export class ResponseFrames {
  readonly #template: FrameTemplate;
  /** Offset of the space for a trace. */
  readonly #traceOffset: number;
  readonly #traceBytes: number;

  /** @param traceAt offset of the trace in the path's Hop-by-Hop header. */
  constructor(path: QpPath, traceAt: number) {
    this.#template = new FrameTemplate(path, {
      ecn: 0,
      bth: { opcode: Opcode.ACKNOWLEDGE, psn: 0 },
      payload: Aeth.write({ syndrome: Aeth.CREDIT_CODE_INVALID, msn: 0 }),
    });
    this.#traceOffset = this.#template.hopByHopOffset + traceAt;
    this.#traceBytes = Math.max(0, path.hopByHop.length - traceAt);
  }

  /** Makes the ACK of the last packet in order; valid until the next call. */
  ack(packet: number, messages: number, data: AcknowledgedData): Uint8Array {
    return this.#write((packet + PSNS) % PSNS, Aeth.CREDIT_CODE_INVALID, messages, data);
  }

  /** Makes the NAK of the missing packet; valid until the next call. */
  nak(packet: number, messages: number, data: AcknowledgedData): Uint8Array {
    return this.#write(packet % PSNS, Aeth.NAK_PSN_SEQUENCE_ERROR, messages, data);
  }

  #write(psn: number, syndrome: number, messages: number, data: AcknowledgedData): Uint8Array {
    const { bytes, bthOffset } = this.#template;
    const aeth = bthOffset + Bth.lenBytes;
    writeU24(bytes, bthOffset + Bth.offsetOf('psn'), psn);
    bytes[aeth + Aeth.offsetOf('syndrome')] = syndrome;
    writeU24(bytes, aeth + Aeth.offsetOf('msn'), messages % PSNS);
    bytes[bthOffset + BTH_FLAGS] = data.isMarked ? BECN_BIT : 0;
    const { frame, traceOffset, traceBytes } = data;
    if (traceBytes > 0 && traceBytes <= this.#traceBytes) {
      bytes.set(frame.subarray(traceOffset, traceOffset + traceBytes), this.#traceOffset);
    }
    return this.#template.sealed();
  }
}
