/**
 * InfiniBand base transport header, BTH (IBTA volume 1, section 9.2; Annex A17, sections A17.3.3 and A17.9.3).
 *
 *   0 opcode | 1 SE 1, M 1, PadCnt 2, TVer 4 | 2 P_Key (2)
 *   4 FECN 1, BECN 1, reserved 6 | 5 destination QP (3) | 8 A 1, reserved 7 | 9 PSN (3)
 *
 * On a RoCEv2 port FECN and BECN carry no meaning on receipt (CA17-29); CNP senders set BECN all the same.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU16, readU24, requireField, requireBytes, requireTarget, writeU16, writeU24 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const BTH_OPCODE = 0;
export const BTH_FLAGS = 1;
export const BTH_PKEY = 2;
/** FECN, BECN and six reserved bits: masked to ones in the ICRC. */
export const BTH_FECN_BECN = 4;
export const BTH_DEST_QPN = 5;
export const BTH_ACK_REQUEST = 8;
export const BTH_PSN = 9;
export const BTH_BYTES = 12;

/** Opcode of the congestion notification packet (Annex A17, figure 6). */
export const OPCODE_CNP = 0x81;
/** P_Key of the default partition. */
export const PKEY_DEFAULT = 0xffff;

/** The drawing of docs/wire.md. */
export const BTH_LAYOUT: HeaderLayout = {
  title: 'BTH',
  source: 'IBTA volume 1, section 9.2; Annex A17, section A17.3.3',
  bytes: BTH_BYTES,
  fields: [
    { name: 'opcode', offset: BTH_OPCODE, bits: 8 },
    { name: 'solicitedEvent', offset: BTH_FLAGS, bits: 1 },
    { name: 'migrationRequest', offset: BTH_FLAGS, bit: 1, bits: 1 },
    { name: 'padCount', offset: BTH_FLAGS, bit: 2, bits: 2 },
    { name: 'transportVersion', offset: BTH_FLAGS, bit: 4, bits: 4 },
    { name: 'pKey', offset: BTH_PKEY, bits: 16 },
    { name: 'fecn', offset: BTH_FECN_BECN, bits: 1 },
    { name: 'becn', offset: BTH_FECN_BECN, bit: 1, bits: 1 },
    { name: 'reserved6', offset: BTH_FECN_BECN, bit: 2, bits: 6 },
    { name: 'destQpn', offset: BTH_DEST_QPN, bits: 24 },
    { name: 'ackRequest', offset: BTH_ACK_REQUEST, bits: 1 },
    { name: 'reserved7', offset: BTH_ACK_REQUEST, bit: 1, bits: 7 },
    { name: 'psn', offset: BTH_PSN, bits: 24 },
  ],
};

const LAYER = 'bth';

/** The base transport header, as a value. */
export interface Bth {
  readonly opcode: number;
  /** SE */
  readonly solicitedEvent: boolean;
  /** M */
  readonly migrationRequest: boolean;
  /** PadCnt: bytes of padding behind the payload, 0..3. */
  readonly padCount: number;
  /** TVer: 0. */
  readonly transportVersion: number;
  readonly pKey: number;
  readonly fecn: boolean;
  readonly becn: boolean;
  /** The six bits behind BECN. */
  readonly reserved6: number;
  /** 24 bits. */
  readonly destQpn: number;
  /** A */
  readonly ackRequest: boolean;
  /** The seven bits behind A. */
  readonly reserved7: number;
  /** 24 bits. */
  readonly psn: number;
}

/** What `buildBth` needs: P_Key 0xffff, everything else 0 unless told otherwise. */
export type BthFields = Pick<Bth, 'opcode' | 'destQpn'> & Partial<Bth>;

/** Reads a BTH in place. */
export class BthView extends HeaderView {
  get opcode(): number {
    return this.bytes[this.offset + BTH_OPCODE];
  }
  get solicitedEvent(): boolean {
    return (this.bytes[this.offset + BTH_FLAGS] & 0x80) !== 0;
  }
  get migrationRequest(): boolean {
    return (this.bytes[this.offset + BTH_FLAGS] & 0x40) !== 0;
  }
  get padCount(): number {
    return (this.bytes[this.offset + BTH_FLAGS] >> 4) & 3;
  }
  get transportVersion(): number {
    return this.bytes[this.offset + BTH_FLAGS] & 15;
  }
  get pKey(): number {
    return readU16(this.bytes, this.offset + BTH_PKEY);
  }
  get fecn(): boolean {
    return (this.bytes[this.offset + BTH_FECN_BECN] & 0x80) !== 0;
  }
  get becn(): boolean {
    return (this.bytes[this.offset + BTH_FECN_BECN] & 0x40) !== 0;
  }
  get reserved6(): number {
    return this.bytes[this.offset + BTH_FECN_BECN] & 0x3f;
  }
  get destQpn(): number {
    return readU24(this.bytes, this.offset + BTH_DEST_QPN);
  }
  get ackRequest(): boolean {
    return (this.bytes[this.offset + BTH_ACK_REQUEST] & 0x80) !== 0;
  }
  get reserved7(): number {
    return this.bytes[this.offset + BTH_ACK_REQUEST] & 0x7f;
  }
  get psn(): number {
    return readU24(this.bytes, this.offset + BTH_PSN);
  }
  get payloadOffset(): number {
    return this.offset + BTH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, BTH_BYTES);
  }
}

/**
 * Reads a BTH; the inverse of `buildBth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseBth(bytes: Uint8Array, offset = 0): Bth {
  const view = new BthView(bytes, offset);
  const { opcode, solicitedEvent, migrationRequest, padCount, transportVersion, pKey, fecn, becn, reserved6 } = view;
  const { destQpn, ackRequest, reserved7, psn } = view;
  return {
    opcode,
    solicitedEvent,
    migrationRequest,
    padCount,
    transportVersion,
    pKey,
    fecn,
    becn,
    reserved6,
    destQpn,
    ackRequest,
    reserved7,
    psn,
  };
}

/**
 * Writes a BTH.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildBth(header: BthFields): Uint8Array {
  const bytes = new Uint8Array(BTH_BYTES);
  buildBthInto(bytes, 0, header);
  return bytes;
}

/** As `buildBth`, into `target`. @returns the offset behind the header. */
export function buildBthInto(target: Uint8Array, offset: number, header: BthFields): number {
  const { opcode, destQpn, pKey = PKEY_DEFAULT, psn = 0, padCount = 0, transportVersion = 0 } = header;
  const { reserved6 = 0, reserved7 = 0 } = header;
  requireField('bth.opcode', opcode, 0xff);
  requireField('bth.padCount', padCount, 3);
  requireField('bth.transportVersion', transportVersion, 15);
  requireField('bth.pKey', pKey, 0xffff);
  requireField('bth.reserved6', reserved6, 0x3f);
  requireField('bth.destQpn', destQpn, 0xffffff);
  requireField('bth.reserved7', reserved7, 0x7f);
  requireField('bth.psn', psn, 0xffffff);
  requireTarget('bth', target, offset, BTH_BYTES);
  target[offset + BTH_OPCODE] = opcode;
  target[offset + BTH_FLAGS] = bit(header.solicitedEvent, 0x80) | bit(header.migrationRequest, 0x40) | (padCount << 4) |
    transportVersion;
  writeU16(target, offset + BTH_PKEY, pKey);
  target[offset + BTH_FECN_BECN] = bit(header.fecn, 0x80) | bit(header.becn, 0x40) | reserved6;
  writeU24(target, offset + BTH_DEST_QPN, destQpn);
  target[offset + BTH_ACK_REQUEST] = bit(header.ackRequest, 0x80) | reserved7;
  writeU24(target, offset + BTH_PSN, psn);
  return offset + BTH_BYTES;
}

function bit(set: boolean | undefined, mask: number): number {
  return set === true ? mask : 0;
}
