/**
 * Base transport header of MRC packets, with its opcodes (OCP MRC 1.0; IBTA volume 1, section 9.2).
 *
 *   0 opcode | 1 SE 1, M 1, PadCnt 2, TVer 4 | 2 P_Key (2) | 4 variant (1) | 5 destination QP (3)
 *   8 A 1, reserved 1, rtx 1, ts 1, reserved 4 | 9 PSN (3)
 *
 * This is the BTH of RoCEv2 with two reserved bits in use: `rtx` marks a retransmission, `ts` announces a TSETH. The
 * PSN depends on the kind of packet: a request's own PSN; a SACK's cumulative PSN; the PSN that a NACK rejects; 0 for a
 * probe; the request number of an endpoint operation. Published sources differ in the order of SE and M
 * (`MrcByte1Order`). The opcodes are the class 110, of which all others are reserved:
 *
 *   0xc6..0xcb WRITE first, middle, last, last with immediate, only, only with immediate (RC's numbers and 0xc0)
 *   0xd1 ACKNOWLEDGE | 0xd8 endpoint request | 0xd9 endpoint response | 0xdc SACK | 0xdd NACK | 0xde probe
 *
 * Sources: docs/specs/mrc-formats.md, sections 2.4, 2.5 (five published sources agree) and 2.11.
 */
import { requireChoice, requireField } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { Bth } from '../roce/bth.js';

const MRC_BTH = /* @__PURE__ */ defineHeader({
  title: 'BTH of MRC',
  source: 'OCP MRC 1.0; IBTA volume 1, section 9.2',
  layer: 'mrc bth',
  where: 'mrcBth',
  fields: (field) => ({
    /** Opcode; 0xc0..0xdf belong to MRC, see `MrcOpcode.nameOf`. */
    opcode: field.bits(8),
    /** SE, in IBTA's order; MRC senders leave it 0. */
    solicitedEvent: field.flag(false),
    /** M, in IBTA's order; MRC senders leave it 0. */
    migrationRequest: field.flag(false),
    /** PadCnt: number of padding bytes after the payload, 0..3. */
    padCount: field.bits(2, 0),
    /** TVer, 4 bits: 0 is the only version. */
    transportVersion: field.bits(4, 0),
    /** P_Key, 16 bits: partition of the packet; 0xffff is the default one. */
    pKey: field.bits(16, Bth.PKEY_DEFAULT),
    /** The byte before the destination QP, which the ICRC does not cover. */
    variant8: field.bits(8, 0),
    /** Number of the QP at the packet's destination, 24 bits; 2 for endpoint operations. */
    destQpn: field.bits(24),
    /** A: the sender requests a SACK. */
    ackRequest: field.flag(false),
    /** The bit after A. */
    reserved1: field.bits(1, 0),
    /** `rtx`: this packet is a retransmission. */
    retransmission: field.flag(false),
    /** `ts`: a TSETH follows the METH. */
    hasTimestamp: field.flag(false),
    /** The four bits before the PSN. */
    reserved4: field.bits(4, 0),
    /** Packet sequence number, 24 bits, modulo 2^24; its meaning depends on the opcode. */
    psn: field.bits(24, 0),
  }),
});

/** The base transport header of an MRC packet, as a value. */
export interface MrcBth extends ValueOf<typeof MRC_BTH> {}

/** Order of the two top bits of the BTH's second byte: SE then M as in IBTA (default), or M then SE. */
export type MrcByte1Order = 'se-first' | 'm-first';

/** The second byte of a BTH, in one of the two orders. */
export interface MrcByte1 {
  /** SE: the receiver is to raise an event when the message is complete. */
  readonly solicitedEvent: boolean;
  /** M: path migration. */
  readonly migrationRequest: boolean;
  /** Number of padding bytes after the payload, 0..3. */
  readonly padCount: number;
  /** TVer, 0..15. */
  readonly transportVersion: number;
}

/** The base transport header of an MRC packet: 12 bytes. Defaults when written: P_Key 0xffff, other fields 0. */
export const MrcBth = /* @__PURE__ */ extendHeader(MRC_BTH, {
  /**
   * Reads the second byte of a BTH. @throws RoceError `invalid-argument` for a value beyond 0..255, or an unknown
   * order.
   */
  readByte1(octet: number, order: MrcByte1Order = 'se-first'): MrcByte1 {
    requireField('octet', octet, 0xff);
    requireChoice('order', order, ['se-first', 'm-first']);
    const first = (octet & 0x80) !== 0;
    const second = (octet & 0x40) !== 0;
    const isIbta = order === 'se-first';
    return {
      solicitedEvent: isIbta ? first : second,
      migrationRequest: isIbta ? second : first,
      padCount: (octet >> 4) & 3,
      transportVersion: octet & 15,
    };
  },
});

/** Opcodes of MRC, 0xc0..0xdf, with the kind and the headers of their packets. */
export const MrcOpcode = {
  /** Destination QP of endpoint requests and responses. */
  ENDPOINT_QPN: 2,
  /** RDMA WRITE, first of several packets. */
  WRITE_FIRST: 0xc6,
  /** RDMA WRITE, neither first nor last packet. */
  WRITE_MIDDLE: 0xc7,
  /** RDMA WRITE, last of several packets. */
  WRITE_LAST: 0xc8,
  /** RDMA WRITE, last of several packets, with immediate data. */
  WRITE_LAST_IMMEDIATE: 0xc9,
  /** RDMA WRITE of a single packet. */
  WRITE_ONLY: 0xca,
  /** RDMA WRITE of a single packet, with immediate data. */
  WRITE_ONLY_IMMEDIATE: 0xcb,
  /** ACK or NAK of a message, by the syndrome of its AETH. */
  ACKNOWLEDGE: 0xd1,
  /** Endpoint request: port status, or probe of an entropy value. */
  ENDPOINT_REQUEST: 0xd8,
  /** Endpoint response. */
  ENDPOINT_RESPONSE: 0xd9,
  /** Selective acknowledgement of packets. */
  SACK: 0xdc,
  /** Negative acknowledgement of a packet, with a reason. */
  NACK: 0xdd,
  /** Reliability probe; the response is a SACK. */
  PROBE: 0xde,
  /** Whether an opcode belongs to MRC, 0xc0..0xdf, including reserved ones. */
  isMrc(opcode: number): boolean {
    requireField('opcode', opcode, 0xff);
    return (opcode & CLASS_MASK) === CLASS_MRC;
  },
  /**
   * Kind of an MRC packet, by its opcode.
   * @returns undefined for an opcode of another class.
   */
  kindOf(opcode: number): MrcPacketKind | undefined {
    requireField('opcode', opcode, 0xff);
    return MrcOpcode.isMrc(opcode) ? OPCODES.get(opcode)?.[1] ?? 'reserved' : undefined;
  },
  /**
   * Display name of an MRC opcode: `MRC WRITE only`, `MRC SACK`.
   *
   * @returns undefined for a reserved opcode, or one of another class.
   */
  nameOf(opcode: number): string | undefined {
    requireField('opcode', opcode, 0xff);
    return OPCODES.get(opcode)?.[0];
  },
  /**
   * Headers between the BTH and the payload of an MRC packet, in wire order.
   *
   * @param hasTimestamp the `ts` bit of the BTH: data packets then carry a TSETH.
   * @returns an empty list for an opcode that is reserved, or of another class.
   */
  headersOf(opcode: number, hasTimestamp: boolean): readonly MrcHeaderKind[] {
    const kind = MrcOpcode.kindOf(opcode) ?? 'reserved';
    const hasImmediate = opcode === MrcOpcode.WRITE_LAST_IMMEDIATE || opcode === MrcOpcode.WRITE_ONLY_IMMEDIATE;
    return HEADERS[kind].filter((header) =>
      header === 'tseth' ? hasTimestamp : header === 'immdt' ? hasImmediate : true
    );
  },
} as const;

/** Kind of an MRC packet; `reserved`: an undefined opcode of MRC's class. */
export type MrcPacketKind = 'data' | 'ack' | 'sack' | 'nack' | 'probe' | 'endpoint-request' | 'endpoint-response'
  | 'reserved';

/** Every header that may follow the BTH of an MRC packet, in wire order. */
export type MrcHeaderKind = 'meth' | 'tseth' | 'reth' | 'immdt' | 'aeth' | 'seth' | 'cc-state' | 'neth' | 'peth'
  | 'erth' | 'eeth';

const CLASS_MASK = 0xe0;
const CLASS_MRC = 0xc0;

/** Name and kind of each opcode. */
const OPCODES: ReadonlyMap<number, readonly [name: string, kind: MrcPacketKind]> = /* @__PURE__ */ new Map([
  [MrcOpcode.WRITE_FIRST, ['MRC WRITE first', 'data']],
  [MrcOpcode.WRITE_MIDDLE, ['MRC WRITE middle', 'data']],
  [MrcOpcode.WRITE_LAST, ['MRC WRITE last', 'data']],
  [MrcOpcode.WRITE_LAST_IMMEDIATE, ['MRC WRITE last with immediate', 'data']],
  [MrcOpcode.WRITE_ONLY, ['MRC WRITE only', 'data']],
  [MrcOpcode.WRITE_ONLY_IMMEDIATE, ['MRC WRITE only with immediate', 'data']],
  [MrcOpcode.ACKNOWLEDGE, ['MRC ACKNOWLEDGE', 'ack']],
  [MrcOpcode.ENDPOINT_REQUEST, ['MRC endpoint request', 'endpoint-request']],
  [MrcOpcode.ENDPOINT_RESPONSE, ['MRC endpoint response', 'endpoint-response']],
  [MrcOpcode.SACK, ['MRC SACK', 'sack']],
  [MrcOpcode.NACK, ['MRC NACK', 'nack']],
  [MrcOpcode.PROBE, ['MRC probe', 'probe']],
]);

/**
 * Headers after the BTH, by kind of packet; TSETH only if the BTH announces it, immediate data depending on the opcode.
 */
const HEADERS: Readonly<Record<MrcPacketKind, readonly MrcHeaderKind[]>> = {
  data: ['meth', 'tseth', 'reth', 'immdt'],
  ack: ['aeth'],
  sack: ['seth', 'cc-state'],
  nack: ['neth'],
  probe: ['peth'],
  'endpoint-request': ['erth'],
  'endpoint-response': ['eeth'],
  reserved: [],
};
