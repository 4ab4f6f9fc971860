/**
 * Frames of one emulated QP, RC over RoCEv2: data as RDMA WRITEs, message after message, and responses.
 *
 *   Ethernet | IP | space for telemetry, if it is read | UDP 4791 | BTH | RETH (first packet of a message) | payload |
 *     ICRC
 *
 * Frames are copies of templates with new numbers and a new ICRC: the payload is always the same. Messages consist of
 * whole packets.
 */
import { writeU24 } from '../../wire/bytes.js';
import type { FieldsOf } from '../../wire/header/define-header.js';
import { IpProtocol } from '../../wire/ip/ip-protocol.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { Udp } from '../../wire/ip/udp.js';
import { Aeth, Reth } from '../../wire/roce/extended-headers.js';
import { Bth, Opcode } from '../../wire/roce/bth.js';
import { Icrc, type IcrcPolicy } from '../../wire/roce/icrc.js';
import { buildRoceFrame, locateRoce, type EthernetLink } from '../../wire/roce/roce-frame.js';

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
const PSNS = 2 ** 24;
const BTH_FLAGS = Bth.offsetOf('becn');
const BECN_BIT = 0x40;
const HOP_LIMIT = 64;
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');

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
    writeU24(chosen.bytes, chosen.bthOffset + BTH_PSN, packet % PSNS);
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

/** The acknowledged packet. */
interface AcknowledgedData {
  readonly frame: Uint8Array;
  /** Offset and length of the packet's IOAM trace; 0 bytes if it has none. */
  readonly traceOffset: number;
  readonly traceBytes: number;
  readonly isMarked: boolean;
}

/**
 * ACKs and NAKs with an AETH. They echo the data packet's IOAM trace, in a Hop-by-Hop header of the same length, and its
 * CE mark as BECN.
 */
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

/** Destination and common fields of a QP's frames. */
export interface QpPath {
  readonly link: EthernetLink;
  /** IP addresses, 16 bytes each. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly dscp: number;
  readonly udpSourcePort: number;
  readonly destQpn: number;
  /** A Hop-by-Hop header with space for telemetry; empty if the flow has none. */
  readonly hopByHop: Uint8Array;
  readonly icrcPolicy: IcrcPolicy;
}

/** The parts of a frame other than its path. */
interface FrameContent {
  readonly ecn: number;
  readonly bth: Omit<FieldsOf<typeof Bth>, 'destQpn'>;
  readonly payload: Uint8Array;
}

/** A frame that is sent repeatedly with different numbers: offsets of its fields, and its ICRC. */
class FrameTemplate {
  readonly bytes: Uint8Array;
  readonly bthOffset: number;
  /** Offset of the Hop-by-Hop header, if there is one. */
  readonly hopByHopOffset: number;
  readonly #ipOffset: number;
  readonly #icrcOffset: number;
  readonly #icrcPolicy: IcrcPolicy;

  constructor({ destQpn, hopByHop, icrcPolicy, ...travel }: QpPath, { bth, ...content }: FrameContent) {
    this.bytes = buildRoceFrame({
      ...travel,
      ...content,
      hopLimit: HOP_LIMIT,
      flowLabel: 0,
      ipv4Identification: 0,
      udpChecksum: 'zero',
      destinationOptions: hopByHop,
      icrcPolicy,
      bth: { ...bth, destQpn },
    });
    const { ipOffset, payloadOffset, endOffset } = locateRoce(this.bytes, 0, 'ethernet');
    this.#ipOffset = ipOffset;
    this.bthOffset = payloadOffset - Bth.lenBytes;
    this.hopByHopOffset = this.bthOffset - Udp.lenBytes - hopByHop.length;
    this.#icrcOffset = endOffset - Icrc.lenBytes;
    this.#icrcPolicy = icrcPolicy;
    if (hopByHop.length > 0) this.bytes[ipOffset + IPV6_NEXT_HEADER] = IpProtocol.HOP_BY_HOP;
  }

  /** Computes the ICRC of the current contents and returns the frame; valid until it is changed. */
  sealed(): Uint8Array {
    const { bytes } = this;
    const icrc = Icrc.computeAt(bytes, this.#ipOffset, this.bthOffset - Udp.lenBytes, this.#icrcOffset,
      this.#icrcPolicy);
    Icrc.write(bytes, this.#icrcOffset, icrc);
    return bytes;
  }
}
