/**
 * Extended reliable connection transport header, XRCETH (IBTA volume 1, section 9.3; Annex A14).
 *
 *   0 reserved | 1 XRC shared receive queue (3)
 *
 * The requests of XRC have one, right behind the BTH; its responses and acknowledgements have none.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU24, requireField, requireBytes, requireTarget, writeU24 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const XRCETH_RESERVED = 0;
export const XRCETH_SRQ = 1;
export const XRCETH_BYTES = 4;

/** The drawing of docs/wire.md. */
export const XRCETH_LAYOUT: HeaderLayout = {
  title: 'XRCETH',
  source: 'IBTA volume 1, section 9.3; Annex A14',
  bytes: XRCETH_BYTES,
  fields: [
    { name: 'reserved8', offset: XRCETH_RESERVED, bits: 8 },
    { name: 'sharedReceiveQueue', offset: XRCETH_SRQ, bits: 24 },
  ],
};

const LAYER = 'xrceth';

/** The XRC extended header, as a value. */
export interface Xrceth {
  /** The first byte. */
  readonly reserved8: number;
  /** 24 bits: number of the shared receive queue that the request is for. */
  readonly sharedReceiveQueue: number;
}

/** What `buildXrceth` needs: the reserved bits are 0 unless told otherwise. */
export type XrcethFields = Pick<Xrceth, 'sharedReceiveQueue'> & Partial<Xrceth>;

/** Reads an XRCETH in place. */
export class XrcethView extends HeaderView {
  get reserved8(): number {
    return this.bytes[this.offset + XRCETH_RESERVED];
  }
  get sharedReceiveQueue(): number {
    return readU24(this.bytes, this.offset + XRCETH_SRQ);
  }
  get payloadOffset(): number {
    return this.offset + XRCETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, XRCETH_BYTES);
  }
}

/**
 * Reads an XRCETH; the inverse of `buildXrceth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseXrceth(bytes: Uint8Array, offset = 0): Xrceth {
  const { reserved8, sharedReceiveQueue } = new XrcethView(bytes, offset);
  return { reserved8, sharedReceiveQueue };
}

/**
 * Writes an XRCETH: 4 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildXrceth(header: XrcethFields): Uint8Array {
  const bytes = new Uint8Array(XRCETH_BYTES);
  buildXrcethInto(bytes, 0, header);
  return bytes;
}

/** As `buildXrceth`, into `target`. @returns the offset behind the header. */
export function buildXrcethInto(target: Uint8Array, offset: number, header: XrcethFields): number {
  const { reserved8 = 0, sharedReceiveQueue } = header;
  requireField('xrceth.reserved8', reserved8, 0xff);
  requireField('xrceth.sharedReceiveQueue', sharedReceiveQueue, 0xffffff);
  requireTarget(LAYER, target, offset, XRCETH_BYTES);
  target[offset + XRCETH_RESERVED] = reserved8;
  writeU24(target, offset + XRCETH_SRQ, sharedReceiveQueue);
  return offset + XRCETH_BYTES;
}
