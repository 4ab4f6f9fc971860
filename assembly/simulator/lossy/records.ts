/**
 * Additional records of flows, ports, switches and packets under fidelity `reference-lossy`, as unmanaged classes over linear memory;
 * offsets that the host knows: src/abi/sim-layout.ts.
 */
import { LOSSY_FLOW_BYTES, LOSSY_FLOW_FLOWLET, LOSSY_FLOW_SENT, LOSSY_NODE_BYTES, LOSSY_NODE_GENERATOR,
  LOSSY_PORT_BYTES, LOSSY_PORT_GENERATOR, LOSSY_PORT_SHARE } from '../../../src/abi/sim-layout';

@unmanaged
export class LossyFlow {
  // Sender.
  /** First range of the bytes beyond `sndUna` that the receiver has named: ranges.ts. */
  sacked: u32;
  /** First range of the bytes that the receiver holds beyond `expected`. */
  held: u32;
  inRecovery: u32;
  /** TIMER_* of timer.ts. */
  timer: u32;
  /** Highest first byte sent, and highest cumulative number received, modulo 2^32. */
  maxSequence: u32;
  highestAck: u32;
  recoverySequence: i64;
  timeoutDuePs: i64;
  timeoutOrder: i64;
  timeoutSetPs: i64;
  /** Entry of its flowlets at its source leaf. */
  flowlet: u32;
  free60: u32;
  // Counters.
  sent: u32;
  received: u32;
  outOfOrder: u32;
  duplicates: u32;
  acks: u32;
  naks: u32;
  cnps: u32;
  drops: u32;
  // ConWeave, source leaf.
  txLastPs: i64;
  txDeadlinePs: i64;
  txTailPs: i64;
  txPath: u32;
  txEpoch: u32;
  txResolved: u8;
  txPhase: u8;
  // ConWeave, destination leaf.
  rxPhase: u8;
  rxCached: u8;
  rxReordering: u8;
  flushScheduled: u8;
  free134: u16;
  rxEpoch: u32;
  /** Packets held for earlier ones. */
  heldHead: u32;
  heldTail: u32;
  free148: u32;
  rxTxPs: i64;
  rxRxPs: i64;
  rxTailPs: i64;
  rxLastPs: i64;
  flushSetPs: i64;
}

@unmanaged
export class LossyPort {
  /** Bytes in the buffer that arrived by this port. */
  inBytes: u32;
  /** CONGA's estimate of the port's rate, and the number of ticks applied to it. */
  sentEstimate: u32;
  sentTicks: i64;
  /** Bit per class: the end of a pause of this port is scheduled. */
  expiries: u32;
  /** Generator of its link's errors. */
  generator: u32;
  errorShare: f64;
}

/** After a port's record, per class: the end of the peer's pause, and the time at which this port was last paused. */
export const PAUSED_UNTIL: usize = 32;
export const PAUSE_SET: usize = 96;

@unmanaged
export class LossyNode {
  /** All admitted bytes, and those of the pools: ingress, ingress in class 1, egress. */
  total: u32;
  poolIn: u32;
  poolInOfClass1: u32;
  poolOut: u32;
  /** Limits of the pools. */
  limitIn: u32;
  limitOut: u32;
  /** When the switch saw its first packet (ConWeave) or data packet (CONGA); -1: none. */
  firstPs: i64;
  // The generator of marks follows, LOSSY_NODE_GENERATOR.
}

/** The additional part of a packet, after its telemetry. */
@unmanaged
export class LossyPart {
  /** Bytes that a NAK names: first, number; 0: it is an ACK. */
  nakSequence: i64;
  nakBytes: u32;
  /** Index of its path among all, or SIM_NONE; and the number of hops completed. */
  path: u32;
  pathHop: u32;
  /** CONGA: congestion of the path so far, and the report on a path back. */
  congestion: u32;
  feedbackPath: u32;
  feedback: u32;
  // ConWeave.
  epoch: u32;
  /** CONWEAVE_* of conweave.ts. */
  kind: u8;
  phase: u8;
  free38: u16;
  txPs: i64;
  tailPs: i64;
}

export const LOSSY_PART_BYTES: u32 = 56;

/** Compiled only while a layout disagrees: stops the build. */
export function checkLossyLayouts(): void {
  if (offsetof<LossyFlow>() != LOSSY_FLOW_BYTES) ERROR('LossyFlow');
  if (offsetof<LossyFlow>('flowlet') != LOSSY_FLOW_FLOWLET) ERROR('LossyFlow.flowlet');
  if (offsetof<LossyFlow>('sent') != LOSSY_FLOW_SENT) ERROR('LossyFlow.sent');
  if (offsetof<LossyPort>() != PAUSED_UNTIL) ERROR('LossyPort');
  if (PAUSE_SET + 64 != LOSSY_PORT_BYTES) ERROR('LOSSY_PORT_BYTES');
  if (offsetof<LossyPort>('generator') != LOSSY_PORT_GENERATOR) ERROR('LossyPort.generator');
  if (offsetof<LossyPort>('errorShare') != LOSSY_PORT_SHARE) ERROR('LossyPort.errorShare');
  if (offsetof<LossyNode>() != LOSSY_NODE_GENERATOR) ERROR('LossyNode');
  if (LOSSY_NODE_GENERATOR + 48 != LOSSY_NODE_BYTES) ERROR('LOSSY_NODE_BYTES');
  if (offsetof<LossyPart>() != LOSSY_PART_BYTES) ERROR('LossyPart');
}
