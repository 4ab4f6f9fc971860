/**
 * What every algorithm but DCQCN keeps of a QP, over the same 64 bytes as DCQCN's record: a common frame, and room for
 * four numbers of each algorithm. An algorithm's class has the same fields under that algorithm's names (offsets in src/abi/ack-layout.ts).
 */
@unmanaged
export class ControllerState {
  /** R, bits per second. */
  rateBps: f64;
  own8: f64;
  own16: f64;
  /** The window in use, bytes; 0 = none. */
  windowBytes: f64;
  own32: u32;
  /** Steps in a row. */
  stage: u16;
  hopCount: u8;
  /** CONTROLLER_* bits. */
  flags: u8;
  /** Time of the last event, picoseconds. */
  lastEventPs: f64;
  /** The next packet may leave from here on, picoseconds; 0 = at once. */
  nextSendPs: f64;
  /** Length of the last packet sent, bytes. */
  lastLenBytes: u32;
  /** Everything before this sequence number was sent when the running round trip began. */
  lastUpdateSeq: u32;
}
