import type { ByteWindow } from './byte-window.js';
import type { CaptureBatch } from './frame.js';

/** A file format: consumes records from a window, adds their frames to a batch. */
export interface RecordParser {
  /**
   * Consumes whole records until the batch is full or more bytes are needed. Frames added before an error stay in the
   * batch, so the caller can deliver them first.
   *
   * @returns 0 if the batch is full, else the number of live bytes that the window must hold to continue
   * @throws RoceError `invalid-capture` for a record that violates the format
   */
  parse(window: ByteWindow, batch: CaptureBatch): number;

  /** Whether the file may end here if the window is empty: false inside a header or a skipped block. */
  isAtBorder(): boolean;
}
