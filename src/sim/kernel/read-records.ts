/** The kernel's counters, read from its memory. */
import { readSlot } from '../../abi/records/fields.js';
import { SIM_TOTAL, type TotalName } from '../../abi/records/sim-totals.js';
import * as layout from '../../abi/sim-layout.js';
import type { CommonDropReason, FlowResult, HazardDropReason, PortResult, Totals } from '../result.js';
import type { LossFigures } from '../results/loss-figures.js';

/** A flow's counters. Times in picoseconds; NaN: not yet. */
export interface RawFlow extends
  Pick<
    FlowResult,
    'startPs' | 'deliveredBytes' | 'retransmittedPackets' | 'timeouts' | 'cnps' | 'fastCnps' | 'duplicateNotifications'
  > {
  /** Whether it has started. */
  readonly started: boolean;
  /** Whether all of it is acknowledged. */
  readonly done: boolean;
  /** Whether its retries are exhausted. */
  readonly failed: boolean;
  /** Whether the retries that are exhausted are those after RNR NAKs. */
  readonly rnrFailed: boolean;
  /** Last ACK, picoseconds. */
  readonly finishPs: number;
  /** -1: none arrived. */
  readonly firstNotificationPs: number;
}

/** The counters of one port, as the kernel keeps them. */
export interface RawPort extends
  Pick<
    PortResult,
    'txPackets' | 'txBytes' | 'marks' | 'drops' | 'pausesSent' | 'pausesReceived' | 'pausedPs' | 'fastCnps'
      | 'maxClassQueueBytes' | 'maxQueueBytes'
  > {
  /** Time spent sending, picoseconds. */
  readonly busyPs: number;
  /** Data packets marked. */
  readonly dataMarks: number;
  /** Frames sent that end a pause. */
  readonly resumesSent: number;
  /** Bytes times picoseconds. */
  readonly queueIntegral: number;
  /** Bytes waiting now. */
  readonly queueBytes: number;
  /** Maximum shared memory of a class that arrived here, and the minimum pause threshold when it took some. */
  readonly maxSharedBytes: number;
  /** Lowest pause threshold so far, bytes. */
  readonly minThresholdBytes: number;
}

/** Those of hazards are present if they dropped something. */
type Drops = { -readonly [Reason in keyof Totals['drops']]: Totals['drops'][Reason] };

const HAZARD_DROP_REASONS: readonly HazardDropReason[] = [
  'bitErrors',
  'receiveBuffer',
  'watchdog',
  'accessList',
  'tunnelEcn',
];
const DROP_REASONS: readonly CommonDropReason[] = ['buffer', 'noRoute', 'linkDown', 'loss', 'corrupt'];

export function readLosses(view: DataView, at: number): LossFigures {
  const transport = view.getUint32(at + layout.LOSSES_TRANSPORT, true);
  const ofTransport = (offset: number): number => (transport === 0 ? 0 : view.getUint32(transport + offset, true));
  return {
    outOfOrderPackets: view.getUint32(at + layout.LOSSES_OUT_OF_ORDER, true),
    reorderingDepthPackets: view.getUint32(at + layout.LOSSES_DEPTH, true),
    duplicatePackets: view.getUint32(at + layout.LOSSES_DUPLICATES, true),
    naks: view.getUint32(at + layout.LOSSES_NAKS, true),
    retransmittedBytes: view.getFloat64(at + layout.LOSSES_RETRANSMITTED_BYTES, true),
    sackedPackets: ofTransport(layout.TRANSPORT_SACKED),
    beyondWindowPackets: ofTransport(layout.TRANSPORT_BEYOND),
  };
}

export function readFlow(view: DataView, at: number): RawFlow {
  const flags = view.getUint32(at + layout.FLOW_FLAGS, true);
  const failed = (flags & layout.FLOW_FAILED) !== 0;
  const done = (flags & layout.FLOW_DONE) !== 0 && !failed;
  return {
    started: (flags & layout.FLOW_STARTED) !== 0,
    done,
    failed,
    rnrFailed: (flags & layout.FLOW_RNR_EXCEEDED) !== 0,
    startPs: view.getFloat64(at + layout.FLOW_START, true),
    finishPs: done ? view.getFloat64(at + layout.FLOW_FINISH, true) : NaN,
    deliveredBytes: view.getFloat64(at + layout.FLOW_DELIVERED, true),
    retransmittedPackets: view.getFloat64(at + layout.FLOW_RETRANSMITTED, true),
    timeouts: view.getFloat64(at + layout.FLOW_TIMEOUTS, true),
    cnps: view.getUint32(at + layout.FLOW_CNPS, true),
    fastCnps: view.getUint32(at + layout.FLOW_FAST_CNPS, true),
    duplicateNotifications: view.getUint32(at + layout.FLOW_DUPLICATES, true),
    firstNotificationPs: view.getFloat64(at + layout.FLOW_FIRST_NOTIFICATION, true),
  };
}

/** Additional counters of a flow under fidelity `reference-lossy`. */
export interface LossyFlowCounters {
  readonly sentPackets: number;
  readonly receivedPackets: number;
  readonly outOfOrderPackets: number;
  readonly duplicatePackets: number;
  readonly acks: number;
  readonly naks: number;
  readonly cnps: number;
  readonly drops: number;
}

export function readLossyFlow(view: DataView, at: number): LossyFlowCounters {
  const u32 = (offset: number): number => view.getUint32(at + offset, true);
  return {
    sentPackets: u32(layout.LOSSY_FLOW_SENT),
    receivedPackets: u32(layout.LOSSY_FLOW_RECEIVED),
    outOfOrderPackets: u32(layout.LOSSY_FLOW_OUT_OF_ORDER),
    duplicatePackets: u32(layout.LOSSY_FLOW_DUPLICATES),
    acks: u32(layout.LOSSY_FLOW_ACKS),
    naks: u32(layout.LOSSY_FLOW_NAKS),
    cnps: u32(layout.LOSSY_FLOW_CNPS),
    drops: u32(layout.LOSSY_FLOW_DROPS),
  };
}

export function readPort(view: DataView, at: number): RawPort {
  const f64 = (offset: number): number => view.getFloat64(at + offset, true);
  return {
    txPackets: f64(layout.PORT_TX_PACKETS),
    txBytes: f64(layout.PORT_TX_BYTES),
    busyPs: f64(layout.PORT_BUSY),
    marks: f64(layout.PORT_MARKS),
    dataMarks: f64(layout.PORT_DATA_MARKS),
    drops: f64(layout.PORT_DROPS),
    pausesSent: f64(layout.PORT_PAUSES_SENT),
    resumesSent: f64(layout.PORT_RESUMES_SENT),
    pausesReceived: f64(layout.PORT_PAUSES_RECEIVED),
    pausedPs: f64(layout.PORT_PAUSED),
    fastCnps: f64(layout.PORT_FAST_CNPS),
    queueIntegral: f64(layout.PORT_QUEUE_INTEGRAL),
    maxClassQueueBytes: view.getUint32(at + layout.PORT_MAX_CLASS_QUEUE, true),
    maxQueueBytes: view.getUint32(at + layout.PORT_MAX_QUEUE, true),
    queueBytes: view.getUint32(at + layout.PORT_QUEUE, true),
    maxSharedBytes: view.getUint32(at + layout.PORT_MAX_SHARED, true),
    minThresholdBytes: view.getUint32(at + layout.PORT_MIN_THRESHOLD, true),
  };
}

/** Counters of the whole network. @param region byte address of the totals. */
export function readTotals(view: DataView,
  region: number): Omit<Totals, 'packetsInFlight' | 'bytesInFlight' | 'marks' | 'dataMarks' | 'retransmittedPackets'> {
  const total = (name: TotalName, further = 0): number => readSlot(view, region, SIM_TOTAL, name, further);
  const drops = Object.fromEntries(DROP_REASONS.map((reason, index) => [reason, total('drops', index)])) as Drops;
  for (const [index, reason] of HAZARD_DROP_REASONS.entries()) {
    const count = total('hazardDrops', index);
    if (count > 0) drops[reason] = count;
  }
  const dropped = Object.values(drops).reduce((sum, count) => sum + count, 0);
  const made = (kind: number): number => total('kinds', kind);
  return {
    packetsIn: total('packetsIn'),
    packetsOut: total('packetsOut'),
    packetsDropped: dropped,
    bytesIn: total('bytesIn'),
    bytesOut: total('bytesOut'),
    bytesDropped: total('bytesDropped'),
    drops,
    dataPackets: made(layout.PACKET_DATA),
    acks: made(layout.PACKET_ACK),
    naks: made(layout.PACKET_NAK),
    cnps: made(layout.PACKET_CNP),
    fastCnps: made(layout.PACKET_FAST_CNP),
    pauses: made(layout.PACKET_PAUSE),
    resumes: made(layout.PACKET_RESUME),
    timeouts: total('timeouts'),
    ...(made(layout.PACKET_ARN) > 0 ? { arns: made(layout.PACKET_ARN) } : {}),
    ...(made(layout.PACKET_READ_REQUEST) > 0 ? { readRequests: made(layout.PACKET_READ_REQUEST) } : {}),
    ...(made(layout.PACKET_RNR_NAK) > 0 ? { rnrNaks: made(layout.PACKET_RNR_NAK) } : {}),
  };
}
