/**
 * NACK extended header of MRC, NETH (OCP MRC 1.0, tables 7-16 and 7-17; docs/specs/mrc-formats.md, section 2.8).
 *
 *   0 type 4, next header 5, reserved 7 | 2 reason | 3 vendor code | 4 entropy (4) | 8 spdcid (2) | 10 dpdcid (2)
 *   12 reserved | 13 PSN (3) | 16 cc_type 4, cc_flags 4 | 17 reserved | 18 timestamp (2)
 *
 * The reasons have the same numbers as Ultra Ethernet's NACK codes.
 */
import { requireField } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const MRC_NACK_TRIMMED = 0x01;
const MRC_NACK_TRIMMED_LAST_HOP = 0x02;
const MRC_NACK_NO_BITMAP = 0x06;
const MRC_NACK_NO_PACKET_BUFFER = 0x07;
const MRC_NACK_NO_RESOURCE = 0x0a;
const MRC_NACK_PSN_OUT_OF_WINDOW = 0x0b;
const MRC_NACK_UNEXPECTED_EVENT = 0x19;
const NETH_CC_TYPE = 2;

/** Name of a NACK's reason. */
export type MrcNackReason = 'TRIMMED' | 'TRIMMED_LASTHOP' | 'NO_BITMAP' | 'NO_PKT_BUFFER' | 'NO_RESOURCE'
  | 'PSN_OOR_WINDOW' | 'UNEXP_EVENT';

const REASONS: ReadonlyMap<number, MrcNackReason> = /* @__PURE__ */ new Map([
  [MRC_NACK_TRIMMED, 'TRIMMED'],
  [MRC_NACK_TRIMMED_LAST_HOP, 'TRIMMED_LASTHOP'],
  [MRC_NACK_NO_BITMAP, 'NO_BITMAP'],
  [MRC_NACK_NO_PACKET_BUFFER, 'NO_PKT_BUFFER'],
  [MRC_NACK_NO_RESOURCE, 'NO_RESOURCE'],
  [MRC_NACK_PSN_OUT_OF_WINDOW, 'PSN_OOR_WINDOW'],
  [MRC_NACK_UNEXPECTED_EVENT, 'UNEXP_EVENT'],
]);

const NETH = /* @__PURE__ */ defineHeader({
  title: 'NETH',
  source: 'OCP MRC 1.0, tables 7-16 and 7-17, as docs/specs/mrc-formats.md, section 2.8',
  layer: 'neth',
  fields: (field) => ({
    /** Type, 4 bits: 0. */
    type: field.bits(4, 0),
    /** 5 bits: 0, none. */
    mrcNextHeader: field.bits(5, 0),
    /** The seven bits before the reason. */
    reserved7: field.bits(7, 0),
    /** Why the packet was rejected; see `Neth.reasonOf`. */
    reason: field.bits(8),
    /** 8 bits, defined by the receiver's vendor. */
    vendorCode: field.bits(8, 0),
    /** 32 bits: entropy value of the packet. */
    entropy: field.bits(32, 0),
    /** 16 bits: connection id, in most sources the sender's. */
    spdcid: field.bits(16, 0),
    /** 16 bits: connection id, in most sources the destination's. */
    dpdcid: field.bits(16, 0),
    /** The byte before the PSN. */
    reserved8: field.bits(8, 0),
    /** 24 bits: PSN of the rejected packet. */
    nackPsn: field.bits(24),
    /** `cc_type`, 4 bits: 2. */
    ccType: field.bits(4, NETH_CC_TYPE),
    /** `cc_flags`, 4 bits: 0. */
    ccFlags: field.bits(4, 0),
    /** The byte before the timestamp. */
    reservedB8: field.bits(8, 0),
    /** Timestamp of the packet's TSETH; 0 without one. */
    timestamp: field.bits(16, 0),
  }),
});

/** The NACK extended header, as a value. */
export interface Neth extends ValueOf<typeof NETH> {}

/** The NACK extended header: 20 bytes. All fields but reason and PSN have defaults. */
export const Neth = /* @__PURE__ */ extendHeader(NETH, {
  /** A switch trimmed the packet. */
  TRIMMED: MRC_NACK_TRIMMED,
  /** The last switch before the receiver trimmed the packet. */
  TRIMMED_LAST_HOP: MRC_NACK_TRIMMED_LAST_HOP,
  /** The receiver has no space in its bitmap. */
  NO_BITMAP: MRC_NACK_NO_BITMAP,
  /** The receiver has no buffer for the packet. */
  NO_PACKET_BUFFER: MRC_NACK_NO_PACKET_BUFFER,
  /** The receiver lacks another resource. */
  NO_RESOURCE: MRC_NACK_NO_RESOURCE,
  /** The PSN is beyond the receiver's range. */
  PSN_OUT_OF_WINDOW: MRC_NACK_PSN_OUT_OF_WINDOW,
  /** An unexpected event that does not allow a retry: the queue pair fails. */
  UNEXPECTED_EVENT: MRC_NACK_UNEXPECTED_EVENT,
  /** `ccType` of a NACK. */
  CC_TYPE: NETH_CC_TYPE,
  /** Name of a NACK's reason, as spelled in the specification. @returns undefined if unknown. */
  reasonOf(reason: number): MrcNackReason | undefined {
    requireField('reason', reason, 0xff);
    return REASONS.get(reason);
  },
});
