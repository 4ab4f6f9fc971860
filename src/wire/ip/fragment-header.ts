/**
 * IPv6 Fragment header (RFC 8200, section 4.5).
 *
 *   0 next header | 1 reserved | 2 fragment offset 13, reserved 2, more fragments 1 | 4 identification (4)
 *
 * The one extension header without a length: always 8 bytes. Only the fragment at offset 0 has the headers of the
 * packet behind it. Next header value 44.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { readU16, requireField, requireBytes, requireTarget, writeU16 } from '../bytes.js';
import { readU32, writeU32 } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const FRAGMENT_NEXT_HEADER = 0;
export const FRAGMENT_RESERVED = 1;
/** Fragment offset, two reserved bits and M. */
export const FRAGMENT_OFFSET_FLAGS = 2;
export const FRAGMENT_IDENTIFICATION = 4;
export const FRAGMENT_BYTES = 8;
/** Unit of the fragment offset. */
export const FRAGMENT_UNIT_BYTES = 8;

/** The drawing of docs/wire.md. */
export const FRAGMENT_HEADER_LAYOUT: HeaderLayout = {
  title: 'IPv6 Fragment header',
  source: 'RFC 8200, section 4.5',
  bytes: FRAGMENT_BYTES,
  fields: [
    { name: 'nextHeader', offset: FRAGMENT_NEXT_HEADER, bits: 8 },
    { name: 'reserved8', offset: FRAGMENT_RESERVED, bits: 8 },
    { name: 'fragmentOffset', offset: FRAGMENT_OFFSET_FLAGS, bits: 13 },
    { name: 'reserved2', offset: FRAGMENT_OFFSET_FLAGS + 1, bit: 5, bits: 2 },
    { name: 'moreFragments', offset: FRAGMENT_OFFSET_FLAGS + 1, bit: 7, bits: 1 },
    { name: 'identification', offset: FRAGMENT_IDENTIFICATION, bits: 32 },
  ],
};

const LAYER = 'fragment header';

/** An IPv6 Fragment header, as a value. */
export interface FragmentHeader {
  /** Of the packet's first header that is cut up; the same in all fragments. */
  readonly nextHeader: number;
  /** 0 on sending, ignored on receipt. */
  readonly reserved8: number;
  /** In units of 8 bytes, 13 bits. */
  readonly fragmentOffset: number;
  /** The two bits before M: 0 on sending, ignored on receipt. */
  readonly reserved2: number;
  /** M: this is not the last fragment. */
  readonly moreFragments: boolean;
  /** 32 bits; one per packet of a pair of addresses. */
  readonly identification: number;
}

/** What `buildFragmentHeader` needs: reserved bits 0 unless told otherwise. */
export type FragmentHeaderFields = Omit<FragmentHeader, 'reserved8' | 'reserved2'> & Partial<FragmentHeader>;

/** Reads a Fragment header in place. */
export class FragmentHeaderView extends HeaderView {
  get nextHeader(): number {
    return this.bytes[this.offset + FRAGMENT_NEXT_HEADER];
  }
  get reserved8(): number {
    return this.bytes[this.offset + FRAGMENT_RESERVED];
  }
  get fragmentOffset(): number {
    return readU16(this.bytes, this.offset + FRAGMENT_OFFSET_FLAGS) >> 3;
  }
  get reserved2(): number {
    return (this.bytes[this.offset + FRAGMENT_OFFSET_FLAGS + 1] >> 1) & 3;
  }
  get moreFragments(): boolean {
    return (this.bytes[this.offset + FRAGMENT_OFFSET_FLAGS + 1] & 1) !== 0;
  }
  get identification(): number {
    const at = this.offset + FRAGMENT_IDENTIFICATION;
    return readU32(this.bytes, at);
  }
  override get payloadOffset(): number {
    return this.offset + FRAGMENT_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, FRAGMENT_BYTES);
  }
}

/**
 * Reads a Fragment header; the inverse of `buildFragmentHeader`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseFragmentHeader(bytes: Uint8Array, offset = 0): FragmentHeader {
  const view = new FragmentHeaderView(bytes, offset);
  const { nextHeader, reserved8, fragmentOffset, reserved2, moreFragments, identification } = view;
  return { nextHeader, reserved8, fragmentOffset, reserved2, moreFragments, identification };
}

/**
 * Writes a Fragment header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildFragmentHeader(header: FragmentHeaderFields): Uint8Array {
  const bytes = new Uint8Array(FRAGMENT_BYTES);
  buildFragmentHeaderInto(bytes, 0, header);
  return bytes;
}

/** As `buildFragmentHeader`, into `target`. @returns the offset behind the header. */
export function buildFragmentHeaderInto(target: Uint8Array, offset: number, header: FragmentHeaderFields): number {
  const { nextHeader, reserved8 = 0, fragmentOffset, reserved2 = 0, moreFragments, identification } = header;
  requireField('fragment.nextHeader', nextHeader, 0xff);
  requireField('fragment.reserved8', reserved8, 0xff);
  requireField('fragment.fragmentOffset', fragmentOffset, 0x1fff);
  requireField('fragment.reserved2', reserved2, 3);
  requireField('fragment.identification', identification, 0xffffffff);
  requireTarget('fragment', target, offset, FRAGMENT_BYTES);
  target[offset + FRAGMENT_NEXT_HEADER] = nextHeader;
  target[offset + FRAGMENT_RESERVED] = reserved8;
  writeU16(target, offset + FRAGMENT_OFFSET_FLAGS, (fragmentOffset << 3) | (reserved2 << 1) | (moreFragments ? 1 : 0));
  writeU32(target, offset + FRAGMENT_IDENTIFICATION, identification);
  return offset + FRAGMENT_BYTES;
}
