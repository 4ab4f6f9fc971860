import type { CheckedFrame, PcapngBlock } from './frame-to-write.js';

/** A file format: writes records to a sink. A rejected record writes nothing. */
export interface RecordEncoder {
  /** Writes the bytes before the first record. */
  begin(): void;

  /** @throws RoceError `invalid-argument` when the format can't hold the frame */
  addFrame(frame: CheckedFrame): void;

  /**
   * @param index position among the items, for errors
   * @throws RoceError `invalid-argument` when the format can't hold the block
   */
  addBlock(block: PcapngBlock, index: number): void;

  /** Writes the bytes after the last record. */
  end(): void;
}
