import type { CheckedFrame, PcapngBlock } from './frame-to-write.js';

/** A file format: writes records to a sink. A rejected record writes nothing. */
export interface RecordEncoder {
  /** Writes the bytes before the first record. */
  begin(): void;

  /** @throws RoceError `invalid-argument` if the format cannot represent the frame */
  addFrame(frame: CheckedFrame): void;

  /**
   * @param index index among the items, for errors
   * @throws RoceError `invalid-argument` if the format cannot represent the block
   */
  addBlock(block: PcapngBlock, index: number): void;

  /** Writes the bytes after the last record. */
  end(): void;
}
