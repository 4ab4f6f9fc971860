/** Base of all views: a header in an array of bytes, checked once, after which no accessor reads outside it. */
import type { HeaderCodec } from './header-codec.js';

/** A header in place. Each kind of header has a subclass with a getter for each field. */
export class HeaderView {
  /** The bytes of the header, not copied: a view shows their current content. */
  bytes: Uint8Array;
  /** First byte of the header in `bytes`. */
  offset: number;
  /** @internal Positions of the fields and length of the header, derived from its table. */
  declare protected readonly header: HeaderCodec;

  /** @throws RoceError `invalid-packet` if the bytes there cannot be such a header. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
    this.check(bytes, offset);
  }

  /**
   * Moves this view to another header, so that one view reads any number of packets; allocates nothing.
   *
   * @throws RoceError `invalid-packet` like the constructor; the view is then unchanged.
   */
  moveTo(bytes: Uint8Array, offset: number): this {
    this.check(bytes, offset);
    this.bytes = bytes;
    this.offset = offset;
    return this;
  }

  /** Length of this header, bytes; of its fixed part, if it has no length field. */
  get headerBytes(): number {
    return this.header.bytesAt(this.bytes, this.offset);
  }

  /** Offset of the payload of this header. */
  get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  /** Checks the length. @throws RoceError `invalid-packet` if the bytes there cannot be such a header. */
  protected check(bytes: Uint8Array, offset: number): void {
    this.header.check(bytes, offset);
  }
}
