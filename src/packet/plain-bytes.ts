/** Layers of plain bytes, without fields. */
import { requireLength } from '../wire/bytes.js';
import type { LayerCodec } from './layer-codec.js';

/** A layer without fields. */
export interface Bytes {
  /** Any number of bytes, copied from the frame. */
  readonly bytes: Uint8Array;
}

/** Codec that copies bytes unchanged. */
export const BYTES: LayerCodec<Bytes> = {
  forms: { bytes: 'bytes' },
  read: (bytes, start, end) => ({ bytes: bytes.slice(start, end) }),
  write: ({ bytes }) => {
    requireLength('bytes', bytes, bytes instanceof Uint8Array ? bytes.length : 0);
    return bytes;
  },
};
