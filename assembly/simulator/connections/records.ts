/** Records of QPs that carry several messages; offsets that the host knows: src/abi/connection-layout.ts. */
import { QP_MESSAGE_BEGAN_AT, QP_MESSAGE_BEYOND, QP_MESSAGE_BYTES, QP_MESSAGE_CNPS, QP_MESSAGE_END, QP_MESSAGE_FIRST,
  QP_MESSAGE_FIRST_NOTIFICATION, QP_MESSAGE_POSTED_AT, QP_MESSAGE_RESTARTED, QP_STREAM_ACKING,
  QP_STREAM_BYTES } from '../../../src/abi/connection-layout';

/** A message of a QP, by the number of its flow. */
@unmanaged
export class QpMessage {
  /** The flow that leads its QP; SIM_NONE: the flow has its own QP. */
  leader: u32;
  /** QP_MESSAGE_*. */
  flags: u32;
  /** Sequence numbers of its first byte and after it; messages begin at whole packets, as PSNs count them. */
  first: i64;
  end: i64;
  /** Sequence numbers that the messages before it leave unused, as their last packets are short. */
  padding: i64;
  postedPs: f64;
  beganPs: f64;
  finishPs: f64;
  beganRateBps: f64;
  firstNotificationPs: f64;
  retransmitted: f64;
  retransmittedBytes: f64;
  timeouts: f64;
  cnps: u32;
  fastCnps: u32;
  duplicateNotifications: u32;
  outOfOrder: u32;
  depth: u32;
  duplicates: u32;
  naks: u32;
  sacked: u32;
  beyond: u32;
  restarted: u32;
  /** The message that was posted after it. */
  next: u32;
  /** Messages posted before it. */
  ordinal: u32;
  sizeBytes: i64;
  free152: i64;
}

/** The messages of a QP, by the number of the flow that leads it; SIM_NONE: there is none. */
@unmanaged
export class QpStream {
  /** Messages that are not done, whether posted or not. */
  left: u32;
  /** The oldest message that is not acknowledged; that is not received; the one that was posted last. */
  acking: u32;
  receiving: u32;
  last: u32;
  /** The message of `sndNxt`, or one near it. */
  sending: u32;
  /** The message that was posted first. */
  first: u32;
  /** Unused sequence numbers of all messages posted so far. */
  padding: i64;
  /** When the last byte in flight was acknowledged. */
  idleSincePs: i64;
  free40: i64;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkConnectionLayouts(): void {
  if (offsetof<QpMessage>() != QP_MESSAGE_BYTES) ERROR('QpMessage');
  if (offsetof<QpMessage>('first') != QP_MESSAGE_FIRST) ERROR('QpMessage.first');
  if (offsetof<QpMessage>('end') != QP_MESSAGE_END) ERROR('QpMessage.end');
  if (offsetof<QpMessage>('postedPs') != QP_MESSAGE_POSTED_AT) ERROR('QpMessage.postedPs');
  if (offsetof<QpMessage>('beganPs') != QP_MESSAGE_BEGAN_AT) ERROR('QpMessage.beganPs');
  if (offsetof<QpMessage>('firstNotificationPs') != QP_MESSAGE_FIRST_NOTIFICATION)
    ERROR('QpMessage.firstNotificationPs');
  if (offsetof<QpMessage>('cnps') != QP_MESSAGE_CNPS) ERROR('QpMessage.cnps');
  if (offsetof<QpMessage>('beyond') != QP_MESSAGE_BEYOND) ERROR('QpMessage.beyond');
  if (offsetof<QpMessage>('restarted') != QP_MESSAGE_RESTARTED) ERROR('QpMessage.restarted');
  if (offsetof<QpStream>() != QP_STREAM_BYTES) ERROR('QpStream');
  if (offsetof<QpStream>('acking') != QP_STREAM_ACKING) ERROR('QpStream.acking');
}
