/**
 * Data frames of one emulated QP: RDMA WRITEs of RC over RoCEv2, message after message.
 *
 *   Ethernet | IP | UDP 4791 | BTH | RETH, in the first packet of a message | payload | ICRC
 *
 * Frames are copies of templates with another PSN and ICRC: the payload is always the same. A message is so many whole packets.
 */
import { writeU24 } from '../../wire/bytes.js';
import { UDP_BYTES } from '../../wire/ip/udp.js';
import { BTH, BTH_BYTES } from '../../wire/roce/bth.js';
import { ICRC_BYTES, computeIcrcAt, writeIcrc } from '../../wire/roce/icrc.js';
import { OPERATION_WRITE_FIRST, OPERATION_WRITE_LAST, OPERATION_WRITE_MIDDLE,
  OPERATION_WRITE_ONLY } from '../../wire/roce/opcodes.js';
import { buildReth } from '../../wire/roce/reth.js';
import { buildRoceFrame, locateRoce, type EthernetLink } from '../../wire/roce/roce-frame.js';

/** Where the frames of a QP go. */
export interface QpPath {
  readonly link: EthernetLink;
  /** 16 bytes. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly dscp: number;
  readonly udpSourcePort: number;
  readonly destQpn: number;
}

/** How data is cut into packets. */
export interface DataShape {
  readonly mtuBytes: number;
  readonly messagePackets: number;
  /** An ACK is asked for each so many packets, and for the last of a message. */
  readonly ackEveryPackets: number;
}

interface Template {
  readonly frame: Uint8Array;
  readonly ipOffset: number;
  readonly bthOffset: number;
  readonly icrcOffset: number;
}

const BTH_PSN = BTH.offsetOf('psn');
const ECT_0 = 2;
const HOP_LIMIT = 64;
/** Of a memory that nobody has: what is written is thrown away. */
const R_KEY = 0x1234;

export class DataFrames {
  readonly #shape: DataShape;
  /** By kind of packet, and whether it asks for an ACK. */
  readonly #templates: readonly Template[];

  constructor(path: QpPath, shape: DataShape) {
    this.#shape = shape;
    const opcodes = [OPERATION_WRITE_FIRST, OPERATION_WRITE_MIDDLE, OPERATION_WRITE_LAST, OPERATION_WRITE_ONLY];
    const templates: Template[] = [];
    for (const opcode of opcodes) {
      templates[opcode * 2] = template(path, shape, opcode, false);
      templates[opcode * 2 + 1] = template(path, shape, opcode, true);
    }
    this.#templates = templates;
  }

  /** The frame of a packet, counted from 0; valid until the next call. */
  frameOf(packet: number): Uint8Array {
    const { messagePackets, ackEveryPackets } = this.#shape;
    const place = packet % messagePackets;
    const isLast = place === messagePackets - 1;
    const opcode = opcodeAt(place, isLast);
    const asks = isLast || packet % ackEveryPackets === ackEveryPackets - 1 ? 1 : 0;
    const { frame, ipOffset, bthOffset, icrcOffset } = this.#templates[opcode * 2 + asks];
    writeU24(frame, bthOffset + BTH_PSN, packet % 2 ** 24);
    writeIcrc(frame, icrcOffset, computeIcrcAt(frame, ipOffset, bthOffset - UDP_BYTES, icrcOffset));
    return frame;
  }
}

function opcodeAt(place: number, isLast: boolean): number {
  if (place === 0) return isLast ? OPERATION_WRITE_ONLY : OPERATION_WRITE_FIRST;
  return isLast ? OPERATION_WRITE_LAST : OPERATION_WRITE_MIDDLE;
}

function template(path: QpPath, shape: DataShape, opcode: number, ackRequest: boolean): Template {
  const { destQpn, ...travel } = path;
  const hasReth = opcode === OPERATION_WRITE_FIRST || opcode === OPERATION_WRITE_ONLY;
  const dmaLength = shape.mtuBytes * shape.messagePackets;
  const reth = hasReth ? buildReth({ virtualAddress: 0n, rKey: R_KEY, dmaLength }) : new Uint8Array(0);
  const payload = new Uint8Array(reth.length + shape.mtuBytes);
  payload.set(reth);
  const frame = buildRoceFrame({
    ...travel,
    ecn: ECT_0,
    hopLimit: HOP_LIMIT,
    flowLabel: 0,
    ipv4Identification: 0,
    udpChecksum: 'zero',
    destinationOptions: new Uint8Array(0),
    icrcPolicy: 'literal',
    bth: { opcode, destQpn, psn: 0, ackRequest },
    payload,
  });
  const { ipOffset, payloadOffset, endOffset } = locateRoce(frame, 0, 'ethernet');
  return { frame, ipOffset, bthOffset: payloadOffset - BTH_BYTES, icrcOffset: endOffset - ICRC_BYTES };
}
