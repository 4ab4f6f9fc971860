import type { ByteWindow } from './byte-window.js';
import type { CaptureBatch } from './frame.js';

/** A file format: consumes records from a window, adds their frames to a batch. */
export interface RecordParser {
  /**
   * Consumes whole records until the batch is full or more bytes are needed. Frames added before an error stay in the
   * batch, so the caller can deliver them first.
   *
   * @returns 0 when the batch is full, otherwise how many live bytes the window must hold to continue
   * @throws RoceError `invalid-capture` on a record that contradicts the format
   */
  parse(window: ByteWindow, batch: CaptureBatch): number;

  /** Whether the file may end here if the window is empty: false inside a header or a skipped block. */
  isAtBorder(): boolean;
}
