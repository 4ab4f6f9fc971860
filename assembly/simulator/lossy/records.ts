/**
 * What flows, ports, switches and packets have in addition under fidelity `reference-lossy`, as unmanaged classes over linear memory;
 * offsets that the host knows: src/abi/sim-layout.ts.
 */
import { LOSSY_FLOW_BYTES, LOSSY_FLOW_FLOWLET, LOSSY_FLOW_SENT, LOSSY_NODE_BYTES, LOSSY_NODE_GENERATOR,
  LOSSY_PORT_BYTES, LOSSY_PORT_GENERATOR, LOSSY_PORT_SHARE } from '../../../src/abi/sim-layout';

@unmanaged
export class LossyFlow {
  // Sender.
  /** Ranges of bytes that the receiver has named beyond `sndUna`, first and so on: ranges.ts. */
  sacked: u32;
  /** Ranges that the receiver holds beyond `expected`. */
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
  /** Packets that wait for earlier ones. */
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
  /** Bytes in the buffer that came in by this port. */
  inBytes: u32;
  /** CONGA's estimate of what the port sends, and the ticks that it has seen. */
  sentEstimate: u32;
  sentTicks: i64;
  /** Bit per class: the end of a pause of this port is in the event queue. */
  expiries: u32;
  /** Of its link's errors. */
  generator: u32;
  errorShare: f64;
}

/** Behind a port's record, per class: until when its peer counts as paused, and when the pause of this port was set last. */
export const PAUSED_UNTIL: usize = 32;
export const PAUSE_SET: usize = 96;

@unmanaged
export class LossyNode {
  /** All admitted bytes, and those of the pools: of arrivals, of arrivals in class 1, of departures. */
  total: u32;
  poolIn: u32;
  poolInOfClass1: u32;
  poolOut: u32;
  /** Limits of the pools. */
  limitIn: u32;
  limitOut: u32;
  /** When the switch saw its first packet (ConWeave) or data packet (CONGA); -1: none. */
  firstPs: i64;
  // Behind it a generator of marks, LOSSY_NODE_GENERATOR.
}

/** What a packet carries in addition, behind its telemetry. */
@unmanaged
export class LossyPart {
  /** Bytes that a NAK names: first, number; 0: it is an ACK. */
  nakSequence: i64;
  nakBytes: u32;
  /** Place of its path among all, or SIM_NONE; and hops of it that are done. */
  path: u32;
  pathHop: u32;
  /** CONGA: congestion of the path so far, and what is reported of a path back. */
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
