/**
 * InfiniBand base transport header, BTH (IBTA volume 1, section 9.2; Annex A17, sections A17.3.3 and A17.9.3).
 *
 *   0 opcode | 1 SE 1, M 1, PadCnt 2, TVer 4 | 2 P_Key (2)
 *   4 FECN 1, BECN 1, reserved 6 | 5 destination QP (3) | 8 A 1, reserved 7 | 9 PSN (3)
 *
 * RoCEv2 receivers ignore FECN and BECN (CA17-29); CNP senders set BECN nevertheless.
 */
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
