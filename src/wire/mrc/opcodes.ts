/**
 * Opcodes of Multipath Reliable Connection, MRC (OCP MRC 1.0; the class 110 of the BTH's opcode).
 *
 *   0xc6..0xcb WRITE first, middle, last, last with immediate, only, only with immediate (RC's numbers and 0xc0)
 *   0xd1 ACKNOWLEDGE | 0xd8 endpoint request | 0xd9 endpoint response | 0xdc SACK | 0xdd NACK | 0xde probe
 *
 * All other opcodes in 0xc0..0xdf are reserved. Source: docs/specs/mrc-formats.md, section 2.5 (five
 * published sources agree).
 */
import { requireField } from '../bytes.js';

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
