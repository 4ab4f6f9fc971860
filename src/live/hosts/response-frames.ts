/**
 * ACKs and NAKs of one emulated receiver: ACKNOWLEDGE with an AETH, copies of one template with another PSN, syndrome and
 * MSN. They echo from the data packet its IOAM trace, in a Hop-by-Hop header of the same length, and its mark, as BECN.
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
  /** Of its IOAM trace; 0 bytes if it has none. */
  readonly traceOffset: number;
  readonly traceBytes: number;
  readonly isMarked: boolean;
}

export class ResponseFrames {
  readonly #template: FrameTemplate;
  /** Of the space for a trace. */
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

  /** ACK of the last packet in order; valid until the next call. */
  ack(packet: number, messages: number, data: AcknowledgedData): Uint8Array {
    return this.#write((packet + PSNS) % PSNS, Aeth.CREDIT_CODE_INVALID, messages, data);
  }

  /** NAK of the missing packet; valid until the next call. */
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
