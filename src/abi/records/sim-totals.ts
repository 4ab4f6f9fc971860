/** Counters of the whole network, in the region SIM_TOTALS. */
import { defineSlots, f64 } from './define-record.js';

/** Packets, unless a name says otherwise. */
export const SIM_TOTAL = /* @__PURE__ */ defineSlots('TOTAL', f64, {
  packetsIn: 1,
  packetsOut: 1,
  bytesIn: 1,
  bytesOut: 1,
  bytesDropped: 1,
  /** Drops by reason, from DROP_BUFFER to DROP_CORRUPT. */
  drops: 5,
  /** Packets created, by kind. */
  kinds: 8,
  timeouts: 1,
  events: 1,
  hops: 1,
  flowsDone: 1,
  /** Bytes delivered. */
  delivered: 1,
  flowsFailed: 1,
  operationsDone: 1,
  /** Records of shared flows used so far. */
  recordsUsed: 1,
  /** Packets trimmed; bytes cut off; trimmed packets dropped. */
  trimmed: 1,
  bytesTrimmed: 1,
  trimmedDropped: 1,
  /** Credit: packets received by senders; packets dropped; quanta granted; bytes sent by senders under credit. */
  creditsReceived: 1,
  creditsDropped: 1,
  creditQuanta: 1,
  creditBytesUsed: 1,
  free33: 5,
  /** MRC: endpoint responses and requests made, as of kinds PACKET_ENDPOINT_*. */
  endpointResponses: 1,
  endpointRequests: 1,
  /** MRC: probes made, as of kind PACKET_PROBE; those that were acknowledged, and those that were not before the next one. */
  probes: 1,
  probesAcknowledged: 1,
  probesLost: 1,
  free43: 1,
  /** Drops by reason, from DROP_BIT_ERRORS on. */
  hazardDrops: 6,
  /**
   * Created packets of PACKET_ARN, PACKET_READ_REQUEST, PACKET_RNR_NAK, PACKET_NACK and PACKET_CREDIT, at index `kinds`
   * + kind.
   */
  lateKinds: 5,
});

export type TotalName = keyof typeof SIM_TOTAL['index'];
