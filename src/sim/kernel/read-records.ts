/** Reads counters from the kernel's memory. */
import { PULL_QUANTUM_BYTES } from '../../abi/ack-layout.js';
import { fieldBytes, readField, readFields, readSlot, slotAt } from '../../abi/records/define-record.js';
import { SIM_TOTAL, type TotalName } from '../../abi/records/sim-run.js';
import * as layout from '../../abi/sim-codes.js';
import type { DropReason, FlowResult, PortResult, Totals, LossFigures } from '../result.js';
import { LOSSY_FLOW } from '../../abi/records/lossy.js';
import { SIM_FLOW, SIM_PORT } from '../../abi/records/network.js';
import { FLOW_LOSSES, FLOW_TRANSPORT } from '../../abi/records/transports.js';

/** A flow's counters. Times in picoseconds; NaN: not yet. */
export interface RawFlow extends
  Pick<
    FlowResult,
    'startPs' | 'deliveredBytes' | 'retransmittedPackets' | 'timeouts' | 'cnps' | 'fastCnps' | 'duplicateNotifications'
  > {
  /** Whether it has started. */
  readonly started: boolean;
  /** Whether all bytes are acknowledged. */
  readonly done: boolean;
  /** Whether its retries are exhausted. */
  readonly failed: boolean;
  /** Whether it failed because its receiver reported an error. */
  readonly remoteError: boolean;
  /** Whether it failed because retries after RNR NAKs are exhausted. */
  readonly rnrFailed: boolean;
  /** When the last ACK arrived, picoseconds. */
  readonly finishPs: number;
  /** When the first notification arrived, picoseconds; -1: none did. */
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
  /** Maximum shared memory taken by a class that arrived here, bytes. */
  readonly maxSharedBytes: number;
  /** Lowest pause threshold so far, bytes. */
  readonly minThresholdBytes: number;
}

const SLOT_BYTES = fieldBytes(SIM_TOTAL.type);

/** Drops by reason. Those of hazards are present only if they occurred. */
type Drops = { -readonly [Reason in keyof Totals['drops']]: Totals['drops'][Reason] };

const HAZARD_DROP_REASONS: readonly DropReason[] = [
  'bitErrors',
  'receiveBuffer',
  'watchdog',
  'accessList',
  'tunnelEcn',
  'wrongUsid',
];
const DROP_REASONS = ['buffer', 'noRoute', 'linkDown', 'loss', 'corrupt'] as const satisfies readonly DropReason[];

export function readLosses(view: DataView, at: number): LossFigures {
  const { outOfOrder, depth, duplicates, naks, retransmittedBytes, transport } = readFields(view, at, FLOW_LOSSES, [
    'outOfOrder',
    'depth',
    'duplicates',
    'naks',
    'retransmittedBytes',
    'transport',
  ]);
  return {
    outOfOrderPackets: outOfOrder,
    reorderingDepthPackets: depth,
    duplicatePackets: duplicates,
    naks,
    retransmittedBytes,
    sackedPackets: transport === 0 ? 0 : readField(view, transport, FLOW_TRANSPORT, 'sacked'),
    beyondWindowPackets: transport === 0 ? 0 : readField(view, transport, FLOW_TRANSPORT, 'beyond'),
    discardedPackets: transport === 0 ? 0 : readField(view, transport, FLOW_TRANSPORT, 'discarded'),
  };
}

export function readFlow(view: DataView, at: number): RawFlow {
  const flags = readField(view, at, SIM_FLOW, 'flags');
  const failed = (flags & layout.FLOW_FAILED) !== 0;
  const done = (flags & layout.FLOW_DONE) !== 0 && !failed;
  return {
    started: (flags & layout.FLOW_STARTED) !== 0,
    done,
    failed,
    remoteError: (flags & layout.FLOW_REMOTE_ERROR) !== 0,
    rnrFailed: (flags & layout.FLOW_RNR_EXCEEDED) !== 0,
    startPs: readField(view, at, SIM_FLOW, 'startPs'),
    finishPs: done ? readField(view, at, SIM_FLOW, 'finishPs') : NaN,
    deliveredBytes: readField(view, at, SIM_FLOW, 'delivered'),
    retransmittedPackets: readField(view, at, SIM_FLOW, 'retransmitted'),
    timeouts: readField(view, at, SIM_FLOW, 'timeouts'),
    cnps: readField(view, at, SIM_FLOW, 'cnps'),
    fastCnps: readField(view, at, SIM_FLOW, 'fastCnps'),
    duplicateNotifications: readField(view, at, SIM_FLOW, 'duplicates'),
    firstNotificationPs: readField(view, at, SIM_FLOW, 'firstNotificationPs'),
  };
}

/** Why a flow failed; undefined: it did not. */
export function failureOf({ failed, rnrFailed, remoteError }: RawFlow): FlowResult['failure'] {
  if (!failed) return undefined;
  if (remoteError) return 'remote-operation-error';
  return rnrFailed ? 'rnr-retry-exceeded' : 'retry-exceeded';
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
  const { sent, received, outOfOrder, duplicates, ...counters } = readFields(view, at, LOSSY_FLOW, [
    'sent',
    'received',
    'outOfOrder',
    'duplicates',
    'acks',
    'naks',
    'cnps',
    'drops',
  ]);
  return {
    sentPackets: sent,
    receivedPackets: received,
    outOfOrderPackets: outOfOrder,
    duplicatePackets: duplicates,
    ...counters,
  };
}

/** Counters with the same names in the kernel. */
const PORT_COUNTERS = [
  'txPackets',
  'txBytes',
  'busyPs',
  'marks',
  'dataMarks',
  'drops',
  'pausesSent',
  'resumesSent',
  'pausesReceived',
  'pausedPs',
  'fastCnps',
  'queueIntegral',
  'maxClassQueueBytes',
  'maxQueueBytes',
  'queueBytes',
] as const;

export function readPort(view: DataView, at: number): RawPort {
  return {
    ...readFields(view, at, SIM_PORT, PORT_COUNTERS),
    maxSharedBytes: readField(view, at, SIM_PORT, 'maxShared'),
    minThresholdBytes: readField(view, at, SIM_PORT, 'minThreshold'),
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
    ...(made(layout.PACKET_NACK) > 0 ? { nacks: made(layout.PACKET_NACK) } : {}),
    ...(total('probes') > 0 ? probeTotals(total) : {}),
    ...(total('endpointRequests') > 0 ? endpointTotals(total) : {}),
    ...(total('trimmed') > 0 ? trimmedTotals(total) : {}),
    ...(made(layout.PACKET_CREDIT) > 0 ? creditTotals(total, made(layout.PACKET_CREDIT)) : {}),
  };
}

/** Counters of the whole network that charts over time show. */
export interface SampledTotals
  extends
    Pick<Totals, 'cnps' | 'fastCnps' | 'pauses' | 'resumes' | 'packetsDropped' | 'marks' | 'retransmittedPackets'> {
  /** Payload that receivers accepted in order. */
  readonly bytesDelivered: number;
}

/** Sum of `count` f64 counters that are `stride` bytes apart. */
export function sumOf(view: DataView, at: number, count: number, stride: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += view.getFloat64((at >>> 0) + index * stride, true);
  return sum;
}

/** Counters of the whole network that are sampled. @param region byte address of the totals. */
export function readSampledTotals(view: DataView,
  region: number): Pick<Totals, 'cnps' | 'fastCnps' | 'pauses' | 'resumes' | 'packetsDropped'> {
  const made = (kind: number): number => readSlot(view, region, SIM_TOTAL, 'kinds', kind);
  const sum = (name: TotalName, count: number): number =>
    sumOf(view, slotAt(region, SIM_TOTAL, name), count, SLOT_BYTES);
  return {
    cnps: made(layout.PACKET_CNP),
    fastCnps: made(layout.PACKET_FAST_CNP),
    pauses: made(layout.PACKET_PAUSE),
    resumes: made(layout.PACKET_RESUME),
    packetsDropped: sum('drops', DROP_REASONS.length) + sum('hazardDrops', HAZARD_DROP_REASONS.length),
  };
}

function creditTotals(total: (name: TotalName) => number,
  credits: number
): Required<Pick<Totals, 'credits' | 'creditsReceived' | 'creditsDropped' | 'creditBytesGranted' | 'creditBytesUsed'>> {
  return {
    credits,
    creditsReceived: total('creditsReceived'),
    creditsDropped: total('creditsDropped'),
    creditBytesGranted: total('creditQuanta') * PULL_QUANTUM_BYTES,
    creditBytesUsed: total('creditBytesUsed'),
  };
}

function probeTotals(
  total: (name: TotalName) => number,
): Required<Pick<Totals, 'probes' | 'probesAcknowledged' | 'probesLost'>> {
  return {
    probes: total('probes'),
    probesAcknowledged: total('probesAcknowledged'),
    probesLost: total('probesLost'),
  };
}

function endpointTotals(
  total: (name: TotalName) => number,
): Required<Pick<Totals, 'endpointRequests' | 'endpointResponses'>> {
  return { endpointRequests: total('endpointRequests'), endpointResponses: total('endpointResponses') };
}

function trimmedTotals(
  total: (name: TotalName) => number,
): Required<Pick<Totals, 'trimmedPackets' | 'bytesTrimmed' | 'trimmedDropped'>> {
  return {
    trimmedPackets: total('trimmed'),
    bytesTrimmed: total('bytesTrimmed'),
    trimmedDropped: total('trimmedDropped'),
  };
}
