/**
 * InfiniBand base transport header, BTH (IBTA volume 1, section 9.2; Annex A17, sections A17.3.3 and A17.9.3), with its
 * opcodes (sections 9.2 and 9.3; XRC: Annex A14; CNP: Annex A17, figure 6).
 *
 *   0 opcode: transport 3, operation 5 | 1 SE 1, M 1, PadCnt 2, TVer 4 | 2 P_Key (2)
 *   4 FECN 1, BECN 1, reserved 6 | 5 destination QP (3) | 8 A 1, reserved 7 | 9 PSN (3)
 *
 * RoCEv2 receivers ignore FECN and BECN (CA17-29); CNP senders set BECN nevertheless.
 *
 * The table OPERATIONS below gives the transports of each operation, and the extended transport headers between BTH and
 * payload. In addition:
 *
 *   RD   requests: RDETH, DETH first; responses and acknowledgements: RDETH first
 *   UD   DETH first
 *   XRC  requests: XRCETH first; responses and acknowledgements: nothing
 *
 * Send with invalidate is defined for RC and XRC only, RESYNC for RD only. The operations for persistent memory of
 * release 1.5 (FLUSH 0x1c, ATOMIC WRITE 0x1d) count as undefined here.
 */
import { invalidArgument } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const PKEY_DEFAULT = 0xffff;

const BTH = /* @__PURE__ */ defineHeader({
  title: 'BTH',
  source: 'IBTA volume 1, section 9.2; Annex A17, section A17.3.3',
  layer: 'bth',
  fields: (field) => ({
    /** Transport in the top three bits, operation in the low five; 0x00..0xff (IBTA volume 1, section 9.2). */
    opcode: field.bits(8),
    /** SE: the receiver is to raise an event when the message is complete. */
    solicitedEvent: field.flag(false),
    /** M, path migration: true if the connection has migrated. */
    migrationRequest: field.flag(false),
    /** PadCnt: number of padding bytes after the payload, 0..3. */
    padCount: field.bits(2, 0),
    /** TVer, 4 bits: 0 is the only version. */
    transportVersion: field.bits(4, 0),
    /** P_Key, 16 bits: partition of the packet; 0xffff is the default one. */
    pKey: field.bits(16, PKEY_DEFAULT),
    /** FECN; ignored by receivers (Annex A17, CA17-29). */
    fecn: field.flag(false),
    /** BECN; set in CNPs, but ignored by receivers (CA17-29). */
    becn: field.flag(false),
    /** The six bits after BECN. */
    reserved6: field.bits(6, 0),
    /** QP at the packet's destination, 24 bits; in a Fast CNP, QP at the destination of the congested data packet. */
    destQpn: field.bits(24),
    /** A: the sender requests an acknowledgement. */
    ackRequest: field.flag(false),
    /** The seven bits after A. */
    reserved7: field.bits(7, 0),
    /** Packet sequence number, 24 bits; counts modulo 2^24. */
    psn: field.bits(24, 0),
  }),
});

/** The base transport header, as a value. */
export interface Bth extends ValueOf<typeof BTH> {}

/** The base transport header: 12 bytes. Defaults when written: P_Key 0xffff, other fields 0. */
export const Bth = /* @__PURE__ */ extendHeader(BTH, {
  /** Opcode of the congestion notification packet (Annex A17, figure 6). */
  OPCODE_CNP: 0x81,
  /** P_Key of the default partition. */
  PKEY_DEFAULT,
});

const EXTENDED_HEADER_KINDS = [
  'rdeth',
  'deth',
  'xrceth',
  'reth',
  'atomic-eth',
  'aeth',
  'atomic-ack-eth',
  'immdt',
  'ieth',
] as const;

/**
 * Opcodes of the BTH: transport in the top three bits, operation in the low five. Sets of extended headers are bit
 * masks.
 */
export const Opcode = {
  /** The top three bits of an opcode, in place. */
  TRANSPORT_MASK: 0xe0,
  /** The low five bits of an opcode. */
  OPERATION_MASK: 0x1f,
  /** Transport in an opcode: reliable connection. */
  TRANSPORT_RC: 0x00,
  /** Transport in an opcode: unreliable connection. */
  TRANSPORT_UC: 0x20,
  /** Transport in an opcode: reliable datagram. */
  TRANSPORT_RD: 0x40,
  /** Transport in an opcode: unreliable datagram. */
  TRANSPORT_UD: 0x60,
  /** Congestion notification, whose only opcode is 0x81. */
  TRANSPORT_CNP: 0x80,
  /** Transport in an opcode: extended reliable connection. */
  TRANSPORT_XRC: 0xa0,
  /** SEND, first of several packets; RC, UC, RD, XRC. */
  SEND_FIRST: 0x00,
  /** SEND, neither first nor last packet; RC, UC, RD, XRC. */
  SEND_MIDDLE: 0x01,
  /** SEND, last of several packets; RC, UC, RD, XRC. */
  SEND_LAST: 0x02,
  /** SEND, last of several packets, with immediate data; RC, UC, RD, XRC. */
  SEND_LAST_IMMEDIATE: 0x03,
  /** SEND of a single packet; RC, UC, RD, UD, XRC. */
  SEND_ONLY: 0x04,
  /** SEND of a single packet, with immediate data; RC, UC, RD, UD, XRC. */
  SEND_ONLY_IMMEDIATE: 0x05,
  /** RDMA WRITE, first of several packets, with a RETH; RC, UC, RD, XRC. */
  WRITE_FIRST: 0x06,
  /** RDMA WRITE, neither first nor last packet; RC, UC, RD, XRC. */
  WRITE_MIDDLE: 0x07,
  /** RDMA WRITE, last of several packets; RC, UC, RD, XRC. */
  WRITE_LAST: 0x08,
  /** RDMA WRITE, last of several packets, with immediate data; RC, UC, RD, XRC. */
  WRITE_LAST_IMMEDIATE: 0x09,
  /** RDMA WRITE of a single packet, with a RETH; RC, UC, RD, XRC. */
  WRITE_ONLY: 0x0a,
  /** RDMA WRITE of a single packet, with a RETH and immediate data; RC, UC, RD, XRC. */
  WRITE_ONLY_IMMEDIATE: 0x0b,
  /** RDMA READ request, with a RETH and no payload; RC, RD, XRC. */
  READ_REQUEST: 0x0c,
  /** RDMA READ response, first of several packets, with an AETH; RC, RD, XRC. */
  READ_RESPONSE_FIRST: 0x0d,
  /** RDMA READ response, neither first nor last packet; RC, RD, XRC. */
  READ_RESPONSE_MIDDLE: 0x0e,
  /** RDMA READ response, last of several packets, with an AETH; RC, RD, XRC. */
  READ_RESPONSE_LAST: 0x0f,
  /** RDMA READ response of a single packet, with an AETH; RC, RD, XRC. */
  READ_RESPONSE_ONLY: 0x10,
  /** ACKNOWLEDGE: ACK, NAK or RNR NAK, depending on the syndrome of its AETH; RC, RD, XRC. */
  ACKNOWLEDGE: 0x11,
  /** ATOMIC ACKNOWLEDGE, with an AETH and an AtomicAckETH; RC, RD, XRC. */
  ATOMIC_ACKNOWLEDGE: 0x12,
  /** ATOMIC compare and swap, with an AtomicETH; RC, RD, XRC. */
  COMPARE_AND_SWAP: 0x13,
  /** ATOMIC fetch and add, with an AtomicETH; RC, RD, XRC. */
  FETCH_AND_ADD: 0x14,
  /** RESYNC of an end-to-end context; RD. */
  RESYNC: 0x15,
  /** SEND, last of several packets, with invalidate (an IETH); RC, XRC. */
  SEND_LAST_INVALIDATE: 0x16,
  /** SEND of a single packet, with invalidate (an IETH); RC, XRC. */
  SEND_ONLY_INVALIDATE: 0x17,
  /** All extended transport headers, in the order in which they follow the BTH. */
  EXTENDED_HEADER_KINDS,
  /**
   * Bit of RDETH, end-to-end context, in a set of extended headers; bit n is the n-th of
   * `Opcode.EXTENDED_HEADER_KINDS`.
   */
  EXTENDED_RDETH: 0x001,
  /** Bit of DETH in such a set: Q_Key and source QP. */
  EXTENDED_DETH: 0x002,
  /** Bit of XRCETH in such a set: shared receive queue. */
  EXTENDED_XRCETH: 0x004,
  /** Bit of RETH in such a set: memory of an RDMA operation. */
  EXTENDED_RETH: 0x008,
  /** Bit of AtomicETH in such a set: memory and operands of an ATOMIC operation. */
  EXTENDED_ATOMIC_ETH: 0x010,
  /** Bit of AETH in such a set: syndrome and MSN. */
  EXTENDED_AETH: 0x020,
  /** Bit of AtomicAckETH in such a set: the value before an ATOMIC operation. */
  EXTENDED_ATOMIC_ACK_ETH: 0x040,
  /** Bit of ImmDt in such a set: immediate data. */
  EXTENDED_IMMDT: 0x080,
  /** Bit of IETH in such a set: R_Key to invalidate. */
  EXTENDED_IETH: 0x100,
  /**
   * The transport given by an opcode's top three bits, whether or not it defines the operation.
   * @returns `undefined` for 0xc0 and above (manufacturer-specific), and for numbers beyond a byte.
   */
  transport(opcode: number): TransportName | undefined {
    return isByte(opcode) ? TRANSPORTS[opcode >> 5]?.name : undefined;
  },
  /**
   * Display name of an opcode: `RC SEND first`, `RC RDMA WRITE only with immediate`, `RC ACKNOWLEDGE`, `CNP`.
   *
   * @returns `undefined` for an opcode that no transport defines.
   */
  nameOf(opcode: number): string | undefined {
    if (opcode === Bth.OPCODE_CNP) return 'CNP';
    const operation = findOperation(opcode);
    return operation && `${String(Opcode.transport(opcode))} ${operation.name}`;
  },
  /** @returns whether the opcode's transport defines its operation. */
  isDefined(opcode: number): boolean {
    return opcode === Bth.OPCODE_CNP || findOperation(opcode) !== undefined;
  },
  /**
   * The extended transport headers between the BTH and the payload, in wire order.
   *
   * @returns one frozen array per opcode; also empty for an undefined opcode, whose headers are unknown.
   */
  extendedHeadersOf(opcode: number): readonly ExtendedHeaderKind[] {
    if (typeof opcode !== 'number') throw invalidArgument('opcode', opcode, { min: 0, max: 0xff });
    return HEADER_LISTS[opcode] ?? NO_HEADERS;
  },
  /**
   * Like `Opcode.extendedHeadersOf`, as a set of the bits `Opcode.EXTENDED_RDETH` and so on; the lowest bit is first on
   * the wire.
   */
  extendedHeaderSet(opcode: number): number {
    if (typeof opcode !== 'number') throw invalidArgument('opcode', opcode, { min: 0, max: 0xff });
    return HEADER_SETS[opcode] ?? 0;
  },
} as const;

/** Name of an extended header that an opcode may require. */
export type ExtendedHeaderKind = (typeof EXTENDED_HEADER_KINDS)[number];

/** The transport service of an opcode. */
export type TransportName = 'RC' | 'UC' | 'RD' | 'UD' | 'CNP' | 'XRC';

interface Transport {
  readonly name: TransportName;
  /** Extended headers with which every request starts. */
  readonly request: number;
  /** Extended headers with which every response and acknowledgement starts. */
  readonly response: number;
}

/** Transports by the top three bits of the opcode. */
const TRANSPORTS: readonly (Transport | undefined)[] = [
  { name: 'RC', request: 0, response: 0 },
  { name: 'UC', request: 0, response: 0 },
  { name: 'RD', request: Opcode.EXTENDED_RDETH | Opcode.EXTENDED_DETH, response: Opcode.EXTENDED_RDETH },
  { name: 'UD', request: Opcode.EXTENDED_DETH, response: 0 },
  { name: 'CNP', request: 0, response: 0 },
  { name: 'XRC', request: Opcode.EXTENDED_XRCETH, response: 0 },
];

interface Operation {
  readonly name: string;
  readonly transports: readonly TransportName[];
  /** Extended headers in addition to the transport's own. */
  readonly headers: number;
}

const ALL: readonly TransportName[] = ['RC', 'UC', 'RD', 'UD', 'XRC'];
const CONNECTED: readonly TransportName[] = ['RC', 'UC', 'RD', 'XRC'];
const RELIABLE: readonly TransportName[] = ['RC', 'RD', 'XRC'];
const INVALIDATING: readonly TransportName[] = ['RC', 'XRC'];

/** Operations by the low five bits of the opcode. Only reliable transports respond. */
const OPERATIONS: readonly (Operation | undefined)[] = [
  { name: 'SEND first', transports: CONNECTED, headers: 0 },
  { name: 'SEND middle', transports: CONNECTED, headers: 0 },
  { name: 'SEND last', transports: CONNECTED, headers: 0 },
  { name: 'SEND last with immediate', transports: CONNECTED, headers: Opcode.EXTENDED_IMMDT },
  { name: 'SEND only', transports: ALL, headers: 0 },
  { name: 'SEND only with immediate', transports: ALL, headers: Opcode.EXTENDED_IMMDT },
  { name: 'RDMA WRITE first', transports: CONNECTED, headers: Opcode.EXTENDED_RETH },
  { name: 'RDMA WRITE middle', transports: CONNECTED, headers: 0 },
  { name: 'RDMA WRITE last', transports: CONNECTED, headers: 0 },
  { name: 'RDMA WRITE last with immediate', transports: CONNECTED, headers: Opcode.EXTENDED_IMMDT },
  { name: 'RDMA WRITE only', transports: CONNECTED, headers: Opcode.EXTENDED_RETH },
  {
    name: 'RDMA WRITE only with immediate',
    transports: CONNECTED,
    headers: Opcode.EXTENDED_RETH | Opcode.EXTENDED_IMMDT,
  },
  { name: 'RDMA READ request', transports: RELIABLE, headers: Opcode.EXTENDED_RETH },
  { name: 'RDMA READ response first', transports: RELIABLE, headers: Opcode.EXTENDED_AETH },
  { name: 'RDMA READ response middle', transports: RELIABLE, headers: 0 },
  { name: 'RDMA READ response last', transports: RELIABLE, headers: Opcode.EXTENDED_AETH },
  { name: 'RDMA READ response only', transports: RELIABLE, headers: Opcode.EXTENDED_AETH },
  { name: 'ACKNOWLEDGE', transports: RELIABLE, headers: Opcode.EXTENDED_AETH },
  { name: 'ATOMIC ACKNOWLEDGE', transports: RELIABLE, headers: Opcode.EXTENDED_AETH | Opcode.EXTENDED_ATOMIC_ACK_ETH },
  { name: 'ATOMIC compare and swap', transports: RELIABLE, headers: Opcode.EXTENDED_ATOMIC_ETH },
  { name: 'ATOMIC fetch and add', transports: RELIABLE, headers: Opcode.EXTENDED_ATOMIC_ETH },
  { name: 'RESYNC', transports: ['RD'], headers: 0 },
  { name: 'SEND last with invalidate', transports: INVALIDATING, headers: Opcode.EXTENDED_IETH },
  { name: 'SEND only with invalidate', transports: INVALIDATING, headers: Opcode.EXTENDED_IETH },
];

/** For undefined opcodes, and for those without extended headers. */
const NO_HEADERS: readonly ExtendedHeaderKind[] = /* @__PURE__ */ Object.freeze([]);
/** By opcode; computed once, so that nothing is allocated per packet. */
const HEADER_SETS: readonly number[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, opcode) => combine(opcode));
const HEADER_LISTS: readonly (readonly ExtendedHeaderKind[])[] = /* @__PURE__ */ HEADER_SETS.map(listOf);

function isByte(opcode: number): boolean {
  return Number.isInteger(opcode) && opcode >= 0 && opcode <= 0xff;
}

function findOperation(opcode: number): Operation | undefined {
  const transport = Opcode.transport(opcode);
  if (transport === undefined) return undefined;
  const operation = OPERATIONS[opcode & Opcode.OPERATION_MASK];
  return operation?.transports.includes(transport) ? operation : undefined;
}

function combine(opcode: number): number {
  const operation = findOperation(opcode);
  const transport = TRANSPORTS[opcode >> 5];
  if (!operation || !transport) return 0;
  return operation.headers | (isResponse(opcode) ? transport.response : transport.request);
}

/** RDMA READ responses and the two acknowledgements are consecutive. */
function isResponse(opcode: number): boolean {
  const operation = opcode & Opcode.OPERATION_MASK;
  return operation >= Opcode.READ_RESPONSE_FIRST && operation <= Opcode.ATOMIC_ACKNOWLEDGE;
}

function listOf(headers: number): readonly ExtendedHeaderKind[] {
  if (headers === 0) return NO_HEADERS;
  return Object.freeze(EXTENDED_HEADER_KINDS.filter((_, bit) => (headers & (1 << bit)) !== 0));
}
