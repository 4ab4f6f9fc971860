/**
 * Immediate data extended transport header, ImmDt (IBTA volume 1, section 9.3).
 *
 *   0 immediate data (4)
 *
 * It is the last header before the payload of whatever has one.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { requireField, requireBytes, requireTarget } from '../bytes.js';
import { U32_MAX, readU32, writeU32 } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const IMMEDIATE_DATA_VALUE = 0;
export const IMMEDIATE_DATA_BYTES = 4;

/** The drawing of docs/wire.md. */
export const IMMEDIATE_DATA_LAYOUT: HeaderLayout = {
  title: 'ImmDt',
  source: 'IBTA volume 1, section 9.3',
  bytes: IMMEDIATE_DATA_BYTES,
  fields: [
    { name: 'immediateData', offset: IMMEDIATE_DATA_VALUE, bits: 32 },
  ],
};

const LAYER = 'immdt';

/** Immediate data, as a value. */
export interface ImmediateData {
  /** 32 bits, as a number in network byte order; the receiver's completion shows them. */
  readonly immediateData: number;
}

/** Reads an ImmDt in place. */
export class ImmediateDataView extends HeaderView {
  get immediateData(): number {
    return readU32(this.bytes, this.offset + IMMEDIATE_DATA_VALUE);
  }
  get payloadOffset(): number {
    return this.offset + IMMEDIATE_DATA_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, IMMEDIATE_DATA_BYTES);
  }
}

/**
 * Reads an ImmDt; the inverse of `buildImmediateData`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseImmediateData(bytes: Uint8Array, offset = 0): ImmediateData {
  const { immediateData } = new ImmediateDataView(bytes, offset);
  return { immediateData };
}

/**
 * Writes an ImmDt: 4 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildImmediateData(header: ImmediateData): Uint8Array {
  const bytes = new Uint8Array(IMMEDIATE_DATA_BYTES);
  buildImmediateDataInto(bytes, 0, header);
  return bytes;
}

/** As `buildImmediateData`, into `target`. @returns the offset behind the header. */
export function buildImmediateDataInto(target: Uint8Array, offset: number, header: ImmediateData): number {
  const { immediateData } = header;
  requireField('immdt.immediateData', immediateData, U32_MAX);
  requireTarget(LAYER, target, offset, IMMEDIATE_DATA_BYTES);
  writeU32(target, offset + IMMEDIATE_DATA_VALUE, immediateData);
  return offset + IMMEDIATE_DATA_BYTES;
}
