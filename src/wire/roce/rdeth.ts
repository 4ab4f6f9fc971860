/**
 * Reliable datagram extended transport header, RDETH (IBTA volume 1, section 9.3).
 *
 *   0 reserved | 1 EE context (3)
 *
 * All packets of RD have one, right behind the BTH.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU24, requireField, requireBytes, requireTarget, writeU24 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const RDETH_RESERVED = 0;
export const RDETH_EE_CONTEXT = 1;
export const RDETH_BYTES = 4;

/** The drawing of docs/wire.md. */
export const RDETH_LAYOUT: HeaderLayout = {
  title: 'RDETH',
  source: 'IBTA volume 1, section 9.3',
  bytes: RDETH_BYTES,
  fields: [
    { name: 'reserved8', offset: RDETH_RESERVED, bits: 8 },
    { name: 'eeContext', offset: RDETH_EE_CONTEXT, bits: 24 },
  ],
};

const LAYER = 'rdeth';

/** The reliable datagram extended header, as a value. */
export interface Rdeth {
  /** The first byte. */
  readonly reserved8: number;
  /** 24 bits: end-to-end context of the receiver. */
  readonly eeContext: number;
}

/** What `buildRdeth` needs: the reserved bits are 0 unless told otherwise. */
export type RdethFields = Pick<Rdeth, 'eeContext'> & Partial<Rdeth>;

/** Reads an RDETH in place. */
export class RdethView extends HeaderView {
  get reserved8(): number {
    return this.bytes[this.offset + RDETH_RESERVED];
  }
  get eeContext(): number {
    return readU24(this.bytes, this.offset + RDETH_EE_CONTEXT);
  }
  get payloadOffset(): number {
    return this.offset + RDETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, RDETH_BYTES);
  }
}

/**
 * Reads an RDETH; the inverse of `buildRdeth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseRdeth(bytes: Uint8Array, offset = 0): Rdeth {
  const { reserved8, eeContext } = new RdethView(bytes, offset);
  return { reserved8, eeContext };
}

/**
 * Writes an RDETH: 4 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildRdeth(header: RdethFields): Uint8Array {
  const bytes = new Uint8Array(RDETH_BYTES);
  buildRdethInto(bytes, 0, header);
  return bytes;
}

/** As `buildRdeth`, into `target`. @returns the offset behind the header. */
export function buildRdethInto(target: Uint8Array, offset: number, header: RdethFields): number {
  const { reserved8 = 0, eeContext } = header;
  requireField('rdeth.reserved8', reserved8, 0xff);
  requireField('rdeth.eeContext', eeContext, 0xffffff);
  requireTarget(LAYER, target, offset, RDETH_BYTES);
  target[offset + RDETH_RESERVED] = reserved8;
  writeU24(target, offset + RDETH_EE_CONTEXT, eeContext);
  return offset + RDETH_BYTES;
}
