/** ACKs and NAKs of one emulated receiver: ACKNOWLEDGE with an AETH, copies of one template with another PSN, syndrome and MSN. */
import { writeU24 } from '../../wire/bytes.js';
import { UDP_BYTES } from '../../wire/ip/udp.js';
import { AETH, CREDIT_CODE_INVALID, NAK_PSN_SEQUENCE_ERROR, buildAeth } from '../../wire/roce/aeth.js';
import { BTH, BTH_BYTES } from '../../wire/roce/bth.js';
import { ICRC_BYTES, computeIcrcAt, writeIcrc } from '../../wire/roce/icrc.js';
import { OPERATION_ACKNOWLEDGE } from '../../wire/roce/opcodes.js';
import { buildRoceFrame, locateRoce } from '../../wire/roce/roce-frame.js';
import type { QpPath } from './data-frames.js';

const PSNS = 2 ** 24;
const HOP_LIMIT = 64;

export class AnswerFrames {
  readonly #frame: Uint8Array;
  readonly #ipOffset: number;
  readonly #bthOffset: number;
  readonly #icrcOffset: number;

  constructor({ destQpn, ...travel }: QpPath) {
    this.#frame = buildRoceFrame({
      ...travel,
      ecn: 0,
      hopLimit: HOP_LIMIT,
      flowLabel: 0,
      ipv4Identification: 0,
      udpChecksum: 'zero',
      destinationOptions: new Uint8Array(0),
      icrcPolicy: 'literal',
      bth: { opcode: OPERATION_ACKNOWLEDGE, destQpn, psn: 0 },
      payload: buildAeth({ syndrome: CREDIT_CODE_INVALID, msn: 0 }),
    });
    const { ipOffset, payloadOffset, endOffset } = locateRoce(this.#frame, 0, 'ethernet');
    this.#ipOffset = ipOffset;
    this.#bthOffset = payloadOffset - BTH_BYTES;
    this.#icrcOffset = endOffset - ICRC_BYTES;
  }

  /** Of the last packet that came in order; valid until the next call. */
  ack(packet: number, messages: number): Uint8Array {
    return this.#write((packet + PSNS) % PSNS, CREDIT_CODE_INVALID, messages);
  }

  /** Of the packet that is missing; valid until the next call. */
  nak(packet: number, messages: number): Uint8Array {
    return this.#write(packet % PSNS, NAK_PSN_SEQUENCE_ERROR, messages);
  }

  #write(psn: number, syndrome: number, messages: number): Uint8Array {
    const frame = this.#frame;
    const aeth = this.#bthOffset + BTH_BYTES;
    writeU24(frame, this.#bthOffset + BTH.offsetOf('psn'), psn);
    frame[aeth + AETH.offsetOf('syndrome')] = syndrome;
    writeU24(frame, aeth + AETH.offsetOf('msn'), messages % PSNS);
    writeIcrc(frame, this.#icrcOffset,
      computeIcrcAt(frame, this.#ipOffset, this.#bthOffset - UDP_BYTES, this.#icrcOffset));
    return frame;
  }
}
