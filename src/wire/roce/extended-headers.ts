/**
 * The extended transport headers of a packet, determined by its opcode (IBTA volume 1, section 9.3; table in
 * opcodes.ts).
 *
 *   BTH | RDETH | DETH | XRCETH | RETH | AtomicETH | AETH | AtomicAckETH | ImmDt | IETH | payload | padding | ICRC
 *
 * No packet has all of them; those present are in this order, without gaps.
 */
import { invalidArgument, invalidPacket, requireBytes, requireTarget, requireRecord, lengthOf } from '../bytes.js';
import { Aeth } from './aeth.js';
import { AtomicAckEth } from './atomic-ack-eth.js';
import { AtomicEth } from './atomic-eth.js';
import { Deth } from './deth.js';
import { Ieth } from './ieth.js';
import { ImmediateData } from './immediate-data.js';
import { Opcode } from './opcodes.js';
import { Rdeth } from './rdeth.js';
import { Reth } from './reth.js';
import { Xrceth } from './xrceth.js';
import type { FieldsOf } from '../header/define-header.js';
import { defineFormat } from '../header/extend-header.js';

/** The extended headers of a packet; those not present are absent. */
export interface ExtendedHeaders {
  /** All packets of RD: end-to-end context. */
  readonly rdeth?: Rdeth;
  /** UD, and requests of RD: Q_Key and source QP. */
  readonly deth?: Deth;
  /** Requests of XRC: shared receive queue. */
  readonly xrceth?: Xrceth;
  /** First or only packet of an RDMA WRITE, and RDMA READ request: memory of the responder. */
  readonly reth?: Reth;
  /** Requests COMPARE AND SWAP and FETCH AND ADD: memory and operands. */
  readonly atomicEth?: AtomicEth;
  /** Acknowledgements, and RDMA READ responses except middle ones: syndrome and MSN. */
  readonly aeth?: Aeth;
  /** ATOMIC ACKNOWLEDGE: the value in memory before the operation. */
  readonly atomicAckEth?: AtomicAckEth;
  /** Operations with immediate: 32 bits for the receiver's completion. */
  readonly immediateData?: ImmediateData;
  /** SEND with invalidate: R_Key that the receiver invalidates. */
  readonly ieth?: Ieth;
}

/** The extended headers of a packet; those not present are absent. */
export const ExtendedHeaders = /* @__PURE__ */ defineFormat({
  /**
   * Number of bytes between the BTH and the payload.
   * @returns also 0 for an opcode that is not `Opcode.isDefined`.
   */
  lenBytesOf(opcode: number): number {
    const headers = Opcode.extendedHeaderSet(opcode);
    let total = 0;
    EXTENDED_HEADER_BYTES.forEach((bytes, bit) => (total += (headers >> bit) & 1 ? bytes : 0));
    return total;
  },
  /**
   * Reads the extended transport headers after a BTH; the inverse of `ExtendedHeaders.write`. The payload begins at
   * `offset + ExtendedHeaders.lenBytesOf(opcode)`.
   *
   * @param offset first byte after the BTH.
   * @param opcode the BTH's.
   * @param wantedEnd end of payload and padding, where the ICRC begins; default: the end of `bytes`.
   * @throws RoceError `invalid-packet` naming the header that is truncated; also for an undefined opcode, whose headers
   * are unknown.
   */
  read(bytes: Uint8Array, offset: number, opcode: number, wantedEnd?: number): ExtendedHeaders {
    const endOffset = wantedEnd ?? lengthOf('bytes', bytes);
    if (!Opcode.isDefined(opcode)) {
      throw invalidPacket('extended headers', offset, 'follow an undefined opcode', opcode, 'a defined opcode');
    }
    const headers = Opcode.extendedHeaderSet(opcode);
    const found: Partial<Record<Key, object>> = {};
    let at = offset;
    EXTENDED.forEach(([key, header], bit) => {
      if ((headers & (1 << bit)) === 0) return;
      requireBytes(Opcode.EXTENDED_HEADER_KINDS[bit], bytes, at, header.lenBytes, endOffset);
      found[key] = header.read(bytes, at);
      at += header.lenBytes;
    });
    return found as ExtendedHeaders;
  },
  /**
   * Writes the extended transport headers of an opcode.
   *
   * @param headers exactly those that `Opcode.extendedHeadersOf(opcode)` lists.
   * @returns the offset after the headers.
   * @throws RoceError `invalid-argument` for a missing header, one that the opcode does not have, a field out of range,
   * or an undefined opcode.
   */
  writeInto(target: Uint8Array, offset: number, opcode: number, headers: ExtendedHeadersFields): number {
    requireRecord('headers', headers);
    requireExactly(opcode, headers);
    requireTarget('extended headers', target, offset, ExtendedHeaders.lenBytesOf(opcode));
    let at = offset;
    for (const [key, { writeInto }] of EXTENDED) {
      const header = headers[key];
      if (header) at = writeInto(target, at, header as never);
    }
    return at;
  },
});

/** Like `ExtendedHeaders`, but reserved bits may be omitted. */
export interface ExtendedHeadersFields extends Omit<ExtendedHeaders, 'rdeth' | 'deth' | 'xrceth'> {
  /** All packets of RD; the reserved byte defaults to 0. */
  readonly rdeth?: FieldsOf<typeof Rdeth>;
  /** UD, and requests of RD; the reserved byte defaults to 0. */
  readonly deth?: FieldsOf<typeof Deth>;
  /** Requests of XRC; the reserved byte defaults to 0. */
  readonly xrceth?: FieldsOf<typeof Xrceth>;
}

type Key = keyof ExtendedHeaders;

/** The common interface of headers, independent of their fields. */
interface AnyHeader {
  readonly lenBytes: number;
  readonly read: (bytes: Uint8Array, offset: number) => object;
  readonly writeInto: (target: Uint8Array, offset: number, header: never) => number;
}

/** Property and header of each kind, by bit of an opcode's set. */
const EXTENDED: readonly (readonly [key: Key, header: AnyHeader])[] = [
  ['rdeth', Rdeth],
  ['deth', Deth],
  ['xrceth', Xrceth],
  ['reth', Reth],
  ['atomicEth', AtomicEth],
  ['aeth', Aeth],
  ['atomicAckEth', AtomicAckEth],
  ['immediateData', ImmediateData],
  ['ieth', Ieth],
];

/** Length of each kind of extended header in bytes, by bit of an opcode's set. */
export const EXTENDED_HEADER_BYTES: readonly number[] = EXTENDED.map(([, { lenBytes }]) => lenBytes);

/** @throws RoceError `invalid-argument` unless exactly the headers of the opcode are given. */
function requireExactly(opcode: number, headers: ExtendedHeadersFields): void {
  if (!Opcode.isDefined(opcode)) throw invalidArgument('opcode', opcode, 'a defined opcode');
  const carried = Opcode.extendedHeaderSet(opcode);
  EXTENDED.forEach(([key], bit) => {
    const isCarried = (carried & (1 << bit)) !== 0;
    if (Boolean(headers[key]) === isCarried) return;
    const name = String(Opcode.nameOf(opcode));
    throw invalidArgument(key, headers[key], isCarried ? `present: ${name} has one` : `absent: ${name} has none`);
  });
}
