/**
 * Base transport header of MRC packets (OCP MRC 1.0; IBTA volume 1, section 9.2).
 *
 *   0 opcode | 1 SE 1, M 1, PadCnt 2, TVer 4 | 2 P_Key (2) | 4 variant (1) | 5 destination QP (3)
 *   8 A 1, reserved 1, rtx 1, ts 1, reserved 4 | 9 PSN (3)
 *
 * This is the BTH of RoCEv2 with two reserved bits in use: `rtx` marks a retransmission, `ts` announces a TSETH. The
 * PSN depends on the kind of packet: a request's own PSN; a SACK's cumulative PSN; the PSN that a NACK rejects; 0 for a
 * probe; the request number of an endpoint operation. Sources: docs/specs/mrc-formats.md, sections 2.4 and 2.11.
 * Published sources differ in the order of SE and M (`MrcByte1Order`).
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
