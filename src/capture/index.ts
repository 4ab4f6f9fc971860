/**
 * Capture files: pcap and pcapng, plain or in gzip, read as a stream in Node and browsers. Opening a path is in
 * `node-file.ts`, which is for Node only.
 */
export { CaptureBatch, copyFrame, viewFrame, type CaptureFrame, type CaptureTime } from './frame.js';
export { MAX_BLOCK_BYTES, MAX_CAPTURED_BYTES, MAX_INTERFACES, SNAP_LENGTH_SLACK_BYTES } from './limits.js';
export {
  LINK_TYPE_ETHERNET,
  LINK_TYPE_INFINIBAND,
  LINK_TYPE_IPV4,
  LINK_TYPE_IPV6,
  LINK_TYPE_LINUX_SLL,
  LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_RAW,
} from './link-types.js';
export {
  DEFAULT_BATCH_BYTES,
  DEFAULT_BATCH_FRAMES,
  MAX_BATCH_FRAMES,
  readCapture,
  readCaptureBatches,
  type ReadBatchesOptions,
  type ReadCaptureOptions,
} from './reader.js';
export type { CaptureSource, ProgressListener } from './source.js';
export { batchTimesPsInto, timePsSince } from './time.js';
