import type { CheckedFrame, PcapngBlock } from './frame-to-write.js';

/** A file format: puts records into a sink. Nothing of a record that is rejected gets there. */
export interface RecordEncoder {
  /** What stands before the first record. */
  begin(): void;

  /** @throws RoceError `invalid-argument` when the format can't hold the frame */
  addFrame(frame: CheckedFrame): void;

  /**
   * @param index position among the items, for errors
   * @throws RoceError `invalid-argument` when the format can't hold the block
   */
  addBlock(block: PcapngBlock, index: number): void;

  /** What stands behind the last record. */
  end(): void;
}
