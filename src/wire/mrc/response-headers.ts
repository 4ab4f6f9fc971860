/**
 * Extended headers of MRC's responses: SACK (SETH), with the congestion control state after it, NACK (NETH) and
 * endpoint response (EETH) (OCP MRC 1.0, tables 7-14 to 7-17; docs/specs/mrc-formats.md, sections 2.7, 2.8 and 2.10).
 *
 *   SETH  0 type 4, next header 5, M 2, reserved 3, pr 1, reserved 1 | 2 ACK PSN offset, or probe id (2)
 *         4 entropy (4) | 8 spdcid (2) | 10 dpdcid (2) | 12 reserved | 13 cumulative PSN (3)
 *         16 cc_type 4, cc_flags 4 | 17 mpr (1) | 18 SACK offset (2) | 20 bitmap (8)
 *         28 state; for cc_type 0: timestamp (2) | 2 reserved 1, packets out of order 15 | 4 restore 1, penalty 7
 *                                  5 received bytes / 256 (3)
 *   NETH  0 type 4, next header 5, reserved 7 | 2 reason | 3 vendor code | 4 entropy (4) | 8 spdcid (2) | 10 dpdcid (2)
 *         12 reserved | 13 PSN (3) | 16 cc_type 4, cc_flags 4 | 17 reserved | 18 timestamp (2)
 *   EETH  0 type 4, next header 5, reserved 1, op' 2, op 2, reserved 2 | 2 reserved (2) | 4 reserved (24)
 *         28 timestamp (2) | 30 reserved (6)
 *
 * Both offsets of a SETH are signed. Bit i of the bitmap, counted from the least significant, is PSN `cumulativePsn +
 * sackOffset + i` modulo 2^24; a clear bit gives no information about its packet. With `pr` set, bytes 2 and 3 hold the
 * number of the probe instead of an offset. The congestion control state is a separate header, of unknown format for
 * any other `cc_type`. Published sources differ about `spdcid` and `dpdcid`, so these are never checked.
 *
 * The reasons of a NETH have the same numbers as Ultra Ethernet's NACK codes. Published sources place `op` of the EETH
 * in bits 3..2 of the second byte, or in bits 5..4 (`MrcEethPlace`). Both are fields here, so that no bit is lost.
 */
import { invalidArgument, requireField, requireRecord, requireChoice } from '../bytes.js';
import { type FieldsOf, type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const SETH = /* @__PURE__ */ defineHeader({
  title: 'SETH',
  source: 'OCP MRC 1.0, tables 7-14 and 7-15, as docs/specs/mrc-formats.md, section 2.7',
  layer: 'seth',
  followedBy: '8 bytes of congestion control state, whose form is `ccType`',
  fields: (field) => ({
    /** Type, 4 bits: 0. */
    type: field.bits(4, 0),
    /** 5 bits: 0, none. */
    mrcNextHeader: field.bits(5, 0),
    /** `M`, the receiver's request about this entropy value: 0 none, 1 skip it once (CE mark), 2 always skip it. */
    mark: field.bits(2, 0),
    /** The three bits after `M`. */
    reserved3: field.bits(3, 0),
    /** `pr`: the SACK responds to a probe. */
    probeResponse: field.flag(false),
    /** The bit after `pr`. */
    reserved1: field.bits(1, 0),
    /** 16 bits: offset of the PSN that caused the SACK, signed; with `probeResponse` the number of the probe. */
    ackPsnOffset: field.bits(16, 0),
    /** 32 bits: entropy value of the packet that caused the SACK. */
    entropy: field.bits(32, 0),
    /** 16 bits: connection id, in most sources the sender's. */
    spdcid: field.bits(16, 0),
    /** 16 bits: connection id, in most sources the destination's. */
    dpdcid: field.bits(16, 0),
    /** The byte before the cumulative PSN. */
    reserved8: field.bits(8, 0),
    /** 24 bits: all packets up to this PSN have arrived. */
    cumulativePsn: field.bits(24),
    /** 4 bits: format of the state after the SETH; only 0 is known. */
    ccType: field.bits(4, 0),
    /** `cc_flags`, 4 bits: 0. */
    ccFlags: field.bits(4, 0),
    /** Maximum PSN range in units of 128 packets, 0..255; 0 if it is not dynamic. */
    maxPsnRange: field.bits(8, 0),
    /** 16 bits, signed: base of the bitmap, relative to the cumulative PSN. */
    sackOffset: field.bits(16, 0),
    /** 64 bits: packets that have arrived. */
    bitmap: field.wide(),
  }),
});

interface RawSeth extends ValueOf<typeof SETH> {}

/** Either the offset or the number of the probe, depending on `probeResponse`. */
interface SethCause {
  /** −32,768..32,767: PSN that caused the SACK − `cumulativePsn`; absent if the SACK responds to a probe. */
  readonly ackPsnOffset?: number;
  /** 0..65,535: number of the probe; only if the SACK responds to one. */
  readonly probeId?: number;
}

/** The SACK extended header, as a value. */
export interface Seth extends Omit<RawSeth, 'ackPsnOffset'>, SethCause {}

/** Input of `Seth.write`; all fields but cumulative PSN and bitmap default to 0. */
export interface SethFields extends Omit<FieldsOf<typeof SETH>, 'ackPsnOffset'>, SethCause {}

/** The SACK extended header: 28 bytes. */
export const Seth = /* @__PURE__ */ extendHeader(SETH, {
  /** `mark`: no request. */
  MARK_NONE: 0,
  /** `mark`: skip the entropy value once; its packet was CE-marked. */
  MARK_SKIP_ONCE: 1,
  /** `mark`: stop using the entropy value. */
  MARK_ALWAYS_SKIP: 2,
  /** Reads a SETH; the inverse of `Seth.write`. @throws RoceError `invalid-packet` if it is truncated. */
  read(bytes: Uint8Array, offset = 0): Seth {
    const { ackPsnOffset, sackOffset, ...fields } = SETH.read(bytes, offset);
    return {
      ...fields,
      ...(fields.probeResponse ? { probeId: ackPsnOffset } : { ackPsnOffset: signed16(ackPsnOffset) }),
      sackOffset: signed16(sackOffset),
    };
  },
  /**
   * Writes a SETH.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range, or for an offset or probe number that
   * `probeResponse` excludes.
   */
  writeInto(target: Uint8Array, offset: number, header: SethFields): number {
    requireRecord('seth', header);
    const { sackOffset = 0 } = header;
    requireField('seth.sackOffset', sackOffset, S16_MAX, S16_MIN);
    const raw = { ackPsnOffset: causeOf(header), sackOffset: sackOffset & U16_MAX };
    return SETH.writeInto(target, offset, { ...header, ...raw });
  },
  /**
   * Converts the offsets and bitmap of a SETH to PSNs. @throws RoceError `invalid-argument` naming the value out of
   * range.
   */
  readSackMap(seth: Pick<Seth, 'cumulativePsn' | 'ackPsnOffset' | 'sackOffset' | 'bitmap'>): SackMap {
    requireRecord('seth', seth);
    const { cumulativePsn, ackPsnOffset, sackOffset, bitmap } = seth;
    if (typeof bitmap !== 'bigint') throw invalidArgument('seth.bitmap', bitmap, 'a 64-bit number');
    requireField('seth.cumulativePsn', cumulativePsn, PSN_MASK);
    requireField('seth.sackOffset', sackOffset, S16_MAX, S16_MIN);
    if (ackPsnOffset !== undefined) requireField('seth.ackPsnOffset', ackPsnOffset, S16_MAX, S16_MIN);
    const basePsn = (cumulativePsn + sackOffset) & PSN_MASK;
    const received: number[] = [];
    const missing: number[] = [];
    for (let bit = 0; bit < BITMAP_BITS && bitmap >> BigInt(bit) !== 0n; bit++) {
      const isSet = ((bitmap >> BigInt(bit)) & 1n) !== 0n;
      (isSet ? received : missing).push((basePsn + bit) & PSN_MASK);
    }
    const causePsn = ackPsnOffset === undefined ? undefined : (cumulativePsn + ackPsnOffset) & PSN_MASK;
    return { causePsn, basePsn, received, missing };
  },
});

const U16_MAX = 0xffff;
const S16_MAX = 0x7fff;
const S16_MIN = -0x8000;
const PSN_MASK = 0xffffff;
const BITMAP_BITS = 64;

/** The packets that a SACK reports; PSNs modulo 2^24. */
export interface SackMap {
  /** PSN that caused the SACK; undefined if it responds to a probe. */
  readonly causePsn: number | undefined;
  /** PSN of the bitmap's least significant bit. */
  readonly basePsn: number;
  /** PSNs whose bit is set, in order. */
  readonly received: readonly number[];
  /** PSNs whose bit is clear below the highest set one, in order: packets that are late or lost. */
  readonly missing: readonly number[];
}

function signed16(value: number): number {
  return (value << 16) >> 16;
}

/** The 16 bits that hold the offset or probe number. */
function causeOf({ probeResponse = false, ackPsnOffset, probeId }: SethFields): number {
  const [stray, name] = probeResponse ? [ackPsnOffset, 'ackPsnOffset'] : [probeId, 'probeId'];
  if (stray !== undefined) {
    throw invalidArgument(`seth.${name}`, stray, `absent while probeResponse is ${String(probeResponse)}`);
  }
  if (probeResponse) {
    requireField('seth.probeId', probeId ?? 0, U16_MAX);
    return probeId ?? 0;
  }
  requireField('seth.ackPsnOffset', ackPsnOffset ?? 0, S16_MAX, S16_MIN);
  return (ackPsnOffset ?? 0) & U16_MAX;
}

const MRC_CC_STATE = /* @__PURE__ */ defineHeader({
  title: 'CC_STATE',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.7',
  layer: 'mrc cc state',
  where: 'mrcCcState',
  fields: (field) => ({
    /** Timestamp of the TSETH of the packet that caused the SACK; 0 without one. */
    timestamp: field.bits(16, 0),
    /** The bit before `outOfOrder`. */
    reserved1: field.bits(1, 0),
    /** Number of packets held above the cumulative PSN, 0..32,767. */
    outOfOrder: field.bits(15, 0),
    /** Whether the sender restores the window it had before a penalty. */
    restoreWindow: field.flag(false),
    /** 0..127: fraction of the received bytes, in 128ths, by which the sender's window is reduced. */
    windowPenalty: field.bits(7, 0),
    /** 24 bits: bytes received, in units of 256, rounded up, modulo 2^24. */
    rcvdBytes256: field.bits(24, 0),
  }),
});

/** The congestion control state, as a value. */
export interface MrcCcState extends ValueOf<typeof MRC_CC_STATE> {}

/** The congestion control state: 8 bytes, written as 0 by default. */
export const MrcCcState = /* @__PURE__ */ extendHeader(MRC_CC_STATE, {
  /** `rcvdBytes256` counts units of this many bytes. */
  RCVD_UNIT_BYTES: 256,
});

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

const NACK_REASONS: ReadonlyMap<number, MrcNackReason> = /* @__PURE__ */ new Map([
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
    return NACK_REASONS.get(reason);
  },
});

const EETH_RESERVED_BYTES = 24;
const EETH_TAIL_BYTES = 6;
const EETH_OPERATION_MAX = 3;

const EETH = /* @__PURE__ */ defineHeader({
  title: 'EETH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.10',
  layer: 'eeth',
  fields: (field) => ({
    /** Type, 4 bits: 0. */
    type: field.bits(4, 0),
    /** 5 bits: 0, none. */
    mrcNextHeader: field.bits(5, 0),
    /** The bit before `operationAlternative`. */
    reserved1: field.bits(1, 0),
    /** 2 bits, where one source places the operation. */
    operationAlternative: field.bits(2, 0),
    /** 2 bits: operation of the request, where two sources place it. */
    operation: field.bits(2, 0),
    /** The two bits after `operation`. */
    reserved2: field.bits(2, 0),
    /** The 16 bits before `reserved`. */
    reserved16: field.bits(16, 0),
    /** 24 reserved bytes, 0. */
    reserved: field.bytesOf(EETH_RESERVED_BYTES),
    /** Timestamp of the request. */
    timestamp: field.bits(16, 0),
    /** The last 6 bytes. */
    reservedTail: field.bytesOf(EETH_TAIL_BYTES),
  }),
});

/** The endpoint response header, as a value. */
export interface Eeth extends ValueOf<typeof EETH> {}
/** Input of `Eeth.write`; all fields default to 0. */
export type EethFields = Partial<FieldsOf<typeof EETH>>;

/** The endpoint response header: 36 bytes. */
export const Eeth = /* @__PURE__ */ extendHeader(EETH, {
  /**
   * Reads an EETH, copying its reserved bytes; the inverse of `Eeth.write`. @throws RoceError `invalid-packet` if it is
   * truncated.
   */
  read(bytes: Uint8Array, offset = 0): Eeth {
    const { reserved, reservedTail, ...fields } = EETH.read(bytes, offset);
    return { ...fields, reserved: Uint8Array.from(reserved), reservedTail: Uint8Array.from(reservedTail) };
  },
  /**
   * Writes an EETH.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, header: EethFields): number {
    requireRecord('eeth', header);
    const { reserved = new Uint8Array(EETH_RESERVED_BYTES), reservedTail = new Uint8Array(EETH_TAIL_BYTES) } = header;
    return EETH.writeInto(target, offset, { ...header, reserved, reservedTail });
  },
  /**
   * Reads the operation of an endpoint response. @throws RoceError `invalid-argument` naming the value out of range.
   */
  operationOf(eeth: Pick<Eeth, 'operation' | 'operationAlternative'>,
    place: MrcEethPlace = 'bits-3-2'): MrcEethOperation {
    requireRecord('eeth', eeth);
    requireChoice('place', place, ['bits-3-2', 'bits-5-4']);
    requireField('eeth.operation', eeth.operation, EETH_OPERATION_MAX);
    requireField('eeth.operationAlternative', eeth.operationAlternative, EETH_OPERATION_MAX);
    const [chosen, other] = place === 'bits-3-2' ?
      [eeth.operation, eeth.operationAlternative] :
      [eeth.operationAlternative, eeth.operation];
    return { operation: chosen, isAmbiguous: chosen === 0 && other !== 0 };
  },
});

/** Bits of an EETH's second byte that hold the operation: 3..2 (default), or 5..4. */
export type MrcEethPlace = 'bits-3-2' | 'bits-5-4';

/** The operation of an endpoint response. */
export interface MrcEethOperation {
  /** 0 port status, 1 probe of an entropy value. */
  readonly operation: number;
  /** The chosen bits are 0 but the others are not: the sender may place the operation there. */
  readonly isAmbiguous: boolean;
}
