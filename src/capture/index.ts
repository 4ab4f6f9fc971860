/**
 * Reads and writes capture files as streams, in Node and browsers. Reads pcap, pcapng and snoop, plain or compressed
 * with gzip or zstd; writes pcap and pcapng, plain or compressed with gzip. To open a file by path, in Node only, use
 * `node-file.ts`.
 *
 * @packageDocumentation
 */
export { CaptureBatch, copyFrame, viewFrame, type CaptureFrame, type CaptureTime, batchTimesPsInto, timePsSince,
  MAX_BLOCK_BYTES, MAX_CAPTURED_BYTES, MAX_INTERFACES, SNAP_LENGTH_SLACK_BYTES } from './frame.js';
export { LINK_TYPE_ETHERNET, LINK_TYPE_INFINIBAND, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL,
  LINK_TYPE_LINUX_SLL2, LINK_TYPE_RAW, linkTypeName } from './link-types.js';
export { DEFAULT_BATCH_BYTES, DEFAULT_BATCH_FRAMES, MAX_BATCH_FRAMES, readCapture, readCaptureBatches,
  type ReadBatchesOptions, type ReadCaptureOptions } from './reader.js';
export type { CaptureSource, ProgressListener } from './source.js';
export { captureWriteStream, encodeCapture, writeCapture, type CaptureItems,
  type EncodeCaptureOptions } from './writer.js';
export { DEFAULT_CHUNK_BYTES, DEFAULT_PCAP_SNAP_LENGTH_BYTES, DEFAULT_WRITE_RESOLUTION, type CaptureByteOrder,
  type PcapWriteOptions, type PcapngInterface, type PcapngSection, type PcapngWriteOptions, type TimeRounding,
  type WriteCaptureOptions } from './write-options.js';
export type { BlockToWrite, CaptureItem, FrameToWrite, PcapngBlock } from './record-encoder.js';
