/**
 * Datagram extended transport header, DETH (IBTA volume 1, section 9.3).
 *
 *   0 Q_Key (4) | 4 reserved | 5 source QP (3)
 *
 * UD and the requests of RD have one.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU24, requireField, requireBytes, requireTarget, writeU24 } from '../bytes.js';
import { U32_MAX, readU32, writeU32 } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const DETH_QKEY = 0;
export const DETH_RESERVED = 4;
export const DETH_SOURCE_QPN = 5;
export const DETH_BYTES = 8;

/** Q_Key of the general services interface, QP 1 (as in Linux, IB_QP1_QKEY). */
export const QKEY_GSI = 0x80010000;

/** The drawing of docs/wire.md. */
export const DETH_LAYOUT: HeaderLayout = {
  title: 'DETH',
  source: 'IBTA volume 1, section 9.3',
  bytes: DETH_BYTES,
  fields: [
    { name: 'qKey', offset: DETH_QKEY, bits: 32 },
    { name: 'reserved8', offset: DETH_RESERVED, bits: 8 },
    { name: 'sourceQpn', offset: DETH_SOURCE_QPN, bits: 24 },
  ],
};

const LAYER = 'deth';

/** The datagram extended header, as a value. */
export interface Deth {
  /** 32 bits: Q_Key that the receiving queue pair must have. */
  readonly qKey: number;
  /** The byte before the source QP. */
  readonly reserved8: number;
  /** 24 bits: QP that the packet comes from. */
  readonly sourceQpn: number;
}

/** What `buildDeth` needs: the reserved bits are 0 unless told otherwise. */
export type DethFields = Pick<Deth, 'qKey' | 'sourceQpn'> & Partial<Deth>;

/** Reads a DETH in place. */
export class DethView extends HeaderView {
  get qKey(): number {
    return readU32(this.bytes, this.offset + DETH_QKEY);
  }
  get reserved8(): number {
    return this.bytes[this.offset + DETH_RESERVED];
  }
  get sourceQpn(): number {
    return readU24(this.bytes, this.offset + DETH_SOURCE_QPN);
  }
  get payloadOffset(): number {
    return this.offset + DETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, DETH_BYTES);
  }
}

/**
 * Reads a DETH; the inverse of `buildDeth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseDeth(bytes: Uint8Array, offset = 0): Deth {
  const { qKey, reserved8, sourceQpn } = new DethView(bytes, offset);
  return { qKey, reserved8, sourceQpn };
}

/**
 * Writes a DETH: 8 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildDeth(header: DethFields): Uint8Array {
  const bytes = new Uint8Array(DETH_BYTES);
  buildDethInto(bytes, 0, header);
  return bytes;
}

/** As `buildDeth`, into `target`. @returns the offset behind the header. */
export function buildDethInto(target: Uint8Array, offset: number, header: DethFields): number {
  const { qKey, reserved8 = 0, sourceQpn } = header;
  requireField('deth.qKey', qKey, U32_MAX);
  requireField('deth.reserved8', reserved8, 0xff);
  requireField('deth.sourceQpn', sourceQpn, 0xffffff);
  requireTarget(LAYER, target, offset, DETH_BYTES);
  writeU32(target, offset + DETH_QKEY, qKey);
  target[offset + DETH_RESERVED] = reserved8;
  writeU24(target, offset + DETH_SOURCE_QPN, sourceQpn);
  return offset + DETH_BYTES;
}
