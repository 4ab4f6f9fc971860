/**
 * The extended transport headers of a packet, determined by its opcode (IBTA volume 1, section 9.3; table in bth.ts).
 *
 *   BTH | RDETH | DETH | XRCETH | RETH | AtomicETH | AETH | AtomicAckETH | ImmDt | IETH | payload | padding | ICRC
 *
 * No packet has all of them; those present are in this order, without gaps:
 *
 *   RDETH         0 reserved | 1 EE context (3)                   all packets of RD
 *   DETH          0 Q_Key (4) | 4 reserved | 5 source QP (3)      UD, and requests of RD
 *   XRCETH        0 reserved | 1 XRC shared receive queue (3)     requests of XRC, not its responses and ACKs
 *   RETH          0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4)
 *                                                                 first or only packet of a WRITE, READ request
 *   AtomicETH     0 virtual address (8) | 8 R_Key (4) | 12 swap or add (8) | 20 compare (8)
 *                                                                 not 8-byte aligned after the R_Key
 *   AETH          0 syndrome | 1 message sequence number (3)      ACK, NAK, READ responses except middle ones
 *   AtomicAckETH  0 original remote data (8)                      ATOMIC ACKNOWLEDGE, after the AETH
 *   ImmDt         0 immediate data (4)                            operations with immediate
 *   IETH          0 R_Key (4)                                     SEND last and only with invalidate, of RC and XRC
 *
 * The syndrome of an AETH (section 9.7.5.2): 000 credit code 5 (ACK) | 001 timer code 5 (RNR NAK) | 010 reserved
 * | 011 NAK code 5 | 1xx reserved.
 */
import { requireField, invalidArgument, invalidPacket, requireBytes, requireTarget, requireRecord,
  lengthOf } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader, type FieldsOf, defineFormat } from '../header/define-header.js';
import { Opcode } from './bth.js';

/** The reliable datagram extended header: 4 bytes. Reserved bits are written as 0 by default. */
export const Rdeth = /* @__PURE__ */ defineHeader({
  title: 'RDETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'rdeth',
  fields: (field) => ({
    /** Reserved first byte. */
    reserved8: field.bits(8, 0),
    /** 24 bits: end-to-end context of the receiver. */
    eeContext: field.bits(24),
  }),
});

/** The reliable datagram extended header, as a value. */
export interface Rdeth extends ValueOf<typeof Rdeth> {}

const DETH = /* @__PURE__ */ defineHeader({
  title: 'DETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'deth',
  fields: (field) => ({
    /** 32 bits: must equal the Q_Key of the receiving queue pair. */
    qKey: field.bits(32),
    /** The byte before the source QP. */
    reserved8: field.bits(8, 0),
    /** 24 bits: source QP. */
    sourceQpn: field.bits(24),
  }),
});

/** The datagram extended header, as a value. */
export interface Deth extends ValueOf<typeof DETH> {}

/** The datagram extended header: 8 bytes. Reserved bits are written as 0 by default. */
export const Deth = /* @__PURE__ */ extendHeader(DETH, {
  /** Q_Key of the general services interface, QP 1 (as in Linux, IB_QP1_QKEY). */
  QKEY_GSI: 0x80010000,
});

/** The XRC extended header: 4 bytes. Reserved bits are written as 0 by default. */
export const Xrceth = /* @__PURE__ */ defineHeader({
  title: 'XRCETH',
  source: 'IBTA volume 1, section 9.3; Annex A14',
  layer: 'xrceth',
  fields: (field) => ({
    /** Reserved first byte. */
    reserved8: field.bits(8, 0),
    /** 24 bits: number of the shared receive queue that the request targets. */
    sharedReceiveQueue: field.bits(24),
  }),
});

/** The XRC extended header, as a value. */
export interface Xrceth extends ValueOf<typeof Xrceth> {}

/** The RDMA extended header: 16 bytes. */
export const Reth = /* @__PURE__ */ defineHeader({
  title: 'RETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'reth',
  fields: (field) => ({
    /** 64 bits: address in the responder's memory. */
    virtualAddress: field.wide(),
    /** 32 bits: R_Key of the memory region or window. */
    rKey: field.bits(32),
    /** Length of the whole message (not of this packet), bytes; 32 bits, of which the specification allows 0..2^31. */
    dmaLength: field.bits(32),
  }),
});

/** The RDMA extended header, as a value. */
export interface Reth extends ValueOf<typeof Reth> {}

/** The Atomic extended header: 28 bytes. */
export const AtomicEth = /* @__PURE__ */ defineHeader({
  title: 'AtomicETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'atomic-eth',
  where: 'atomicEth',
  fields: (field) => ({
    /** 64 bits: address in the responder's memory. */
    virtualAddress: field.wide(),
    /** 32 bits: R_Key of the memory region or window. */
    rKey: field.bits(32),
    /** 64 bits: value that COMPARE AND SWAP writes, or FETCH AND ADD adds. */
    swapOrAdd: field.wide(),
    /** 64 bits: value that COMPARE AND SWAP compares with; ignored by FETCH AND ADD. */
    compare: field.wide(),
  }),
});

/** The Atomic extended header, as a value. */
export interface AtomicEth extends ValueOf<typeof AtomicEth> {}

/** Meaning of an AETH's syndrome. */
export type AethKind = 'ack' | 'rnr-nak' | 'reserved' | 'nak';

/** Reason of a NAK, by its code. */
export type NakName = 'psn-sequence-error' | 'invalid-request' | 'remote-access-error' | 'remote-operational-error'
  | 'invalid-rd-request';

/** Meaning by the top three bits of the syndrome. */
const AETH_KINDS: readonly AethKind[] = ['ack', 'rnr-nak', 'reserved', 'nak'];
/** Names by NAK code. */
const NAK_NAMES: readonly NakName[] = [
  'psn-sequence-error',
  'invalid-request',
  'remote-access-error',
  'remote-operational-error',
  'invalid-rd-request',
];
/** Unit of the RNR timer. */
const RNR_UNIT_US = 10;
/** Timer code 0 is the value after code 31. */
const RNR_CODE_ZERO = 32;

const AETH = /* @__PURE__ */ defineHeader({
  title: 'AETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'aeth',
  fields: (field) => ({
    /** 8 bits; see `Aeth.kind`. */
    syndrome: field.bits(8),
    /** 24 bits: number of the last completed request message, modulo 2^24. */
    msn: field.bits(24),
  }),
});

/** The ACK extended header, as a value. */
export interface Aeth extends ValueOf<typeof AETH> {}

/** The ACK extended header: 4 bytes. */
export const Aeth = /* @__PURE__ */ extendHeader(AETH, {
  /** Top three bits of the syndrome of an ACK, in place: 000 (IBTA volume 1, section 9.7.5.2). */
  SYNDROME_ACK: 0x00,
  /** Top three bits of the syndrome of an RNR NAK ("receiver not ready"), in place: 001. */
  SYNDROME_RNR_NAK: 0x20,
  /** Top three bits of the syndrome of a NAK, in place: 011; the low five are its code. */
  SYNDROME_NAK: 0x60,
  /** The low five bits of the syndrome: credit, timer or NAK code, depending on the top three. */
  SYNDROME_CODE_MASK: 0x1f,
  /** Credit code of an ACK that neither grants nor limits credits. */
  CREDIT_CODE_INVALID: 0x1f,
  /** Whole syndrome of a NAK, code 0: a PSN was not the expected one (IBTA volume 1, section 9.7.5.2). */
  NAK_PSN_SEQUENCE_ERROR: 0x60,
  /** Whole syndrome of a NAK, code 1: the responder does not support the request. */
  NAK_INVALID_REQUEST: 0x61,
  /** Whole syndrome of a NAK, code 2: the R_Key does not permit the access. */
  NAK_REMOTE_ACCESS_ERROR: 0x62,
  /** Whole syndrome of a NAK, code 3: the responder failed to complete the request. */
  NAK_REMOTE_OPERATIONAL_ERROR: 0x63,
  /** Whole syndrome of a NAK, code 4: invalid request of a reliable datagram (RD). */
  NAK_INVALID_RD_REQUEST: 0x64,
  /** Meaning of a syndrome's top three bits (IBTA volume 1, section 9.7.5.2). */
  kind(syndrome: number): AethKind {
    requireField('syndrome', syndrome, 0xff);
    return AETH_KINDS[syndrome >> 5] ?? 'reserved';
  },
  /** The low five bits: credit code of an ACK, timer code of an RNR NAK, NAK code of a NAK. */
  code(syndrome: number): number {
    requireField('syndrome', syndrome, 0xff);
    return syndrome & Aeth.SYNDROME_CODE_MASK;
  },
  /**
   * Credits that an ACK grants: 0, 1, 2, 3, 4, 6, 8, 12, 16, …, 32768 (IBTA volume 1, section 9.7.7; values as in
   * Linux, rdmavt).
   * @returns `undefined` if the syndrome is not an ACK, or its credit code is undefined.
   */
  credits(syndrome: number): number | undefined {
    const code = Aeth.code(syndrome);
    return Aeth.kind(syndrome) === 'ack' && code !== Aeth.CREDIT_CODE_INVALID ? expandCode(code) : undefined;
  },
  /**
   * Minimum time that a requester waits after an RNR NAK, in microseconds: code 0 means 655,360, then 10, 20, 30, 40,
   * 60, 80, …, 491,520 (IBTA volume 1, table 45, "Encoding for RNR NAK Timer Field"; values as in OpenUCX).
   * @returns `undefined` if the syndrome is not an RNR NAK.
   */
  rnrTimerUs(syndrome: number): number | undefined {
    if (Aeth.kind(syndrome) !== 'rnr-nak') return undefined;
    return RNR_UNIT_US * expandCode(Aeth.code(syndrome) || RNR_CODE_ZERO);
  },
  /** @returns the name of a NAK; `undefined` if the syndrome is not a NAK, or its code is reserved. */
  nakName(syndrome: number): NakName | undefined {
    return Aeth.kind(syndrome) === 'nak' ? NAK_NAMES[Aeth.code(syndrome)] : undefined;
  },
});

/** Two steps per power of two: 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, … */
function expandCode(code: number): number {
  return code < 2 ? code : (2 + (code & 1)) << ((code >> 1) - 1);
}

/** The Atomic ACK extended header: 8 bytes. */
export const AtomicAckEth = /* @__PURE__ */ defineHeader({
  title: 'AtomicAckETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'atomic-ack-eth',
  where: 'atomicAckEth',
  fields: (field) => ({
    /** 64 bits: the value in the responder's memory before the operation. */
    original: field.wide(),
  }),
});

/** The Atomic ACK extended header, as a value. */
export interface AtomicAckEth extends ValueOf<typeof AtomicAckEth> {}

/** Immediate data: 4 bytes. */
export const ImmediateData = /* @__PURE__ */ defineHeader({
  title: 'ImmDt',
  source: 'IBTA volume 1, section 9.3',
  layer: 'immdt',
  fields: (field) => ({
    /** 32 bits, as a number in network byte order; delivered in the receiver's completion. */
    immediateData: field.bits(32),
  }),
});

/** Immediate data, as a value. */
export interface ImmediateData extends ValueOf<typeof ImmediateData> {}

/** The invalidate extended header: 4 bytes. */
export const Ieth = /* @__PURE__ */ defineHeader({
  title: 'IETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'ieth',
  fields: (field) => ({
    /** 32 bits: R_Key that the receiver invalidates. */
    rKey: field.bits(32),
  }),
});

/** The invalidate extended header, as a value. */
export interface Ieth extends ValueOf<typeof Ieth> {}

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
