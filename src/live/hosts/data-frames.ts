/**
 * Data frames of one emulated QP: RC RDMA WRITEs over RoCEv2, message after message.
 *
 *   Ethernet | IP | space for telemetry, if it is read | UDP 4791 | BTH | RETH (first packet of a message) | payload |
 *     ICRC
 *
 * Frames are copies of templates with a new PSN and ICRC: the payload is always the same. Messages consist of whole
 * packets.
 */
import { writeU24 } from '../../wire/bytes.js';
import { Bth } from '../../wire/roce/bth.js';
import { Opcode } from '../../wire/roce/opcodes.js';
import { Reth } from '../../wire/roce/extended-headers.js';
import { FrameTemplate, type QpPath } from './frame-template.js';

/** How data is divided into packets and messages. */
export interface DataShape {
  readonly mtuBytes: number;
  readonly messagePackets: number;
  /** An ACK is requested every N packets, and for the last packet of a message. */
  readonly ackEveryPackets: number;
}

const BTH_PSN = Bth.offsetOf('psn');
const ECT_0 = 2;
/** R_Key of a fictitious memory region: written data is discarded. */
const R_KEY = 0x1234;

export class DataFrames {
  readonly #shape: DataShape;
  /** Templates by kind of packet, and by whether it requests an ACK. */
  readonly #templates: readonly FrameTemplate[];

  constructor(path: QpPath, shape: DataShape) {
    this.#shape = shape;
    const opcodes = [Opcode.WRITE_FIRST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST, Opcode.WRITE_ONLY];
    const templates: FrameTemplate[] = [];
    for (const opcode of opcodes) {
      templates[opcode * 2] = template(path, shape, opcode, false);
      templates[opcode * 2 + 1] = template(path, shape, opcode, true);
    }
    this.#templates = templates;
  }

  /** The frame of packet number `packet`, from 0; valid until the next call. */
  frameOf(packet: number): Uint8Array {
    const { messagePackets, ackEveryPackets } = this.#shape;
    const place = packet % messagePackets;
    const isLast = place === messagePackets - 1;
    const opcode = opcodeAt(place, isLast);
    const asks = isLast || packet % ackEveryPackets === ackEveryPackets - 1 ? 1 : 0;
    const chosen = this.#templates[opcode * 2 + asks];
    writeU24(chosen.bytes, chosen.bthOffset + BTH_PSN, packet % 2 ** 24);
    return chosen.sealed();
  }
}

function opcodeAt(place: number, isLast: boolean): number {
  if (place === 0) return isLast ? Opcode.WRITE_ONLY : Opcode.WRITE_FIRST;
  return isLast ? Opcode.WRITE_LAST : Opcode.WRITE_MIDDLE;
}

function template(path: QpPath, shape: DataShape, opcode: number, ackRequest: boolean): FrameTemplate {
  const hasReth = opcode === Opcode.WRITE_FIRST || opcode === Opcode.WRITE_ONLY;
  const dmaLength = shape.mtuBytes * shape.messagePackets;
  const reth = hasReth ? Reth.write({ virtualAddress: 0n, rKey: R_KEY, dmaLength }) : new Uint8Array(0);
  const payload = new Uint8Array(reth.length + shape.mtuBytes);
  payload.set(reth);
  return new FrameTemplate(path, { ecn: ECT_0, bth: { opcode, psn: 0, ackRequest }, payload });
}
