/**
 * What all views have in common: a place in a row of bytes, checked once, after which no accessor reads outside.
 */
export abstract class HeaderView {
  bytes: Uint8Array;
  /** Of the header's first byte. */
  offset: number;

  /** @throws RoceError `invalid-packet` when no such header can stand there. */
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

  /** Where what this header carries begins. */
  abstract get payloadOffset(): number;

  /** The one length check. @throws RoceError `invalid-packet` when no such header can stand there. */
  protected abstract check(bytes: Uint8Array, offset: number): void;
}
