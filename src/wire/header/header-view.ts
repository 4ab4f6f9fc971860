/**
 * Base of all views: a place in an array of bytes, checked once, after which no accessor reads outside.
 */
import type { HeaderCodec } from './header-codec.js';

/** A header in place. Each header's own view has a getter for each field, and the header, on its prototype. */
export class HeaderView {
  /** The bytes of the header, not copied: a view shows their current content. */
  bytes: Uint8Array;
  /** First byte of the header in `bytes`. */
  offset: number;
  /** @internal Where the fields are, and how long the header is: made from its table. */
  declare protected readonly header: HeaderCodec;

  /** @throws RoceError `invalid-packet` when the bytes there cannot be such a header. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
    this.check(bytes, offset);
  }

  /**
   * Turns this view to another header, so that one view reads any number of packets; allocates nothing.
   * @throws RoceError `invalid-packet` as the constructor; the view then stays where it was.
   */
  moveTo(bytes: Uint8Array, offset: number): this {
    this.check(bytes, offset);
    this.bytes = bytes;
    this.offset = offset;
    return this;
  }

  /** Bytes of this header; of its fixed part, if it doesn't say how long it is. */
  get headerBytes(): number {
    return this.header.bytesAt(this.bytes, this.offset);
  }

  /** Offset of the payload of this header. */
  get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  /** The one length check. @throws RoceError `invalid-packet` when the bytes there cannot be such a header. */
  protected check(bytes: Uint8Array, offset: number): void {
    this.header.check(bytes, offset);
  }
}
