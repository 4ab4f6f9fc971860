/** Writes which flows are messages of one QP into the kernel's memory, and reads their results. */
import { QP_MESSAGE, QP_STREAM, QP_MESSAGE_COUNTED, QP_MESSAGE_DONE, QP_MESSAGE_FAILED, QP_MESSAGE_POSTED,
  QP_MESSAGE_RECEIVED } from '../../../abi/records/flows.js';
import { writeFields, readField, readFields } from '../../../abi/records/define-record.js';
import { SIM_FLOW } from '../../../abi/records/network.js';
import { FLOW_LOSSES } from '../../../abi/records/transports.js';
import { FLOW_REMOTE_ERROR, SIM_FLOW_LOSSES, SIM_FLOWS, SIM_NONE, SIM_QP_MESSAGES,
  SIM_QP_STREAMS } from '../../../abi/sim-codes.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { readFlow, readLosses, type RawFlow } from '../../kernel/read-records.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan, ConnectionsPlan } from '../../plan.js';
import type { LossFigures } from '../../result.js';
import { messageCounts } from './compile.js';

export const CONNECTIONS_MEMORY: KernelPart = {
  capacity: ({ connections }) => ({ connections: connections !== undefined }),
  rules: ({ connections }) => ({ idleRestartPs: connections?.idleRestartPs ?? Infinity }),
  write: writeConnections,
};

function writeConnections(abi: SimAbi, { connections }: NetworkPlan): void {
  if (connections === undefined) return;
  const view = new DataView(abi.memory.buffer);
  connections.leaderOf.forEach((leader, flow) => {
    const at = recordAt(abi, SIM_QP_MESSAGES, QP_MESSAGE, flow);
    writeFields(view, at, QP_MESSAGE, { leader: leader < 0 ? SIM_NONE : leader });
  });
  messageCounts(connections).forEach((left, leader) => {
    writeFields(view, recordAt(abi, SIM_QP_STREAMS, QP_STREAM, leader), QP_STREAM, { left });
  });
}

/** The properties of a QP's message that other flows do not have. */
export interface RawMessage {
  /** When its first packet left, picoseconds; -1: no packet has left. */
  readonly beganPs: number;
  /** Rate of its QP when its first packet left, bits per second. */
  readonly beganRateBps: number;
  /** Whether its QP restarted at line rate when it was posted. */
  readonly restarted: boolean;
}

/** The memory and layout that the reader needs. */
export interface ConnectionMemory {
  readonly abi: SimAbi;
  readonly view: DataView;
  readonly flows: FlowPlans;
  readonly connections: ConnectionsPlan;
}

const NO_COUNTS = {
  retransmittedPackets: 0,
  timeouts: 0,
  cnps: 0,
  fastCnps: 0,
  duplicateNotifications: 0,
  firstNotificationPs: -1,
  rnrFailed: false,
};
const NO_LOSSES: LossFigures = {
  outOfOrderPackets: 0,
  reorderingDepthPackets: 0,
  duplicatePackets: 0,
  naks: 0,
  retransmittedBytes: 0,
  sackedPackets: 0,
  beyondWindowPackets: 0,
  discardedPackets: 0,
};

/** Reads messages by the index of their flow. */
export class ConnectionReader {
  readonly #memory: ConnectionMemory;

  constructor(memory: ConnectionMemory) {
    this.#memory = memory;
  }

  /** A message in the form of a flow; its counters are those of its QP while it was the oldest unacknowledged message. */
  flow(index: number): RawFlow {
    const { view, flows } = this.#memory;
    const at = this.#messageAt(index);
    const flags = this.#flags(index);
    const isPosted = (flags & QP_MESSAGE_POSTED) !== 0;
    const isDone = (flags & QP_MESSAGE_DONE) !== 0;
    const { postedPs, finishPs } = readFields(view, at, QP_MESSAGE, ['postedPs', 'finishPs']);
    return {
      started: isPosted,
      done: isDone,
      failed: (flags & QP_MESSAGE_FAILED) !== 0,
      startPs: isPosted ? postedPs : flows.startPs[index],
      finishPs: isDone ? finishPs : NaN,
      deliveredBytes: this.deliveredBytes(index),
      ...this.#counts(index),
      remoteError: this.#hasRemoteError(index),
    };
  }

  /** Whether the message was posted, and has neither arrived nor failed. */
  isRunning(index: number): boolean {
    return (this.#flags(index) & (QP_MESSAGE_POSTED | QP_MESSAGE_DONE | QP_MESSAGE_FAILED)) === QP_MESSAGE_POSTED;
  }

  losses(index: number): LossFigures {
    const { view, abi } = this.#memory;
    if (this.#isCounted(index)) return lossesIn(view, this.#messageAt(index));
    if (!this.#hasCounters(index)) return NO_LOSSES;
    return readLosses(view, (abi.simRegion(SIM_FLOW_LOSSES) >>> 0) + this.#leaderOf(index) * FLOW_LOSSES.bytes);
  }

  message(index: number): RawMessage {
    const { beganPs, beganRateBps, restarted } = readFields(this.#memory.view, this.#messageAt(index), QP_MESSAGE, [
      'beganPs',
      'beganRateBps',
      'restarted',
    ]);
    const isPosted = (this.#flags(index) & QP_MESSAGE_POSTED) !== 0;
    return { beganPs: isPosted ? beganPs : -1, beganRateBps, restarted: restarted !== 0 };
  }

  /** Whether its QP failed because the receiver reported an error. */
  #hasRemoteError(index: number): boolean {
    const { view, abi } = this.#memory;
    const qp = recordAt(abi, SIM_FLOWS, SIM_FLOW, this.#leaderOf(index));
    return (readField(view, qp, SIM_FLOW, 'flags') & FLOW_REMOTE_ERROR) !== 0;
  }

  #counts(index: number): typeof NO_COUNTS {
    const { view, abi } = this.#memory;
    if (this.#isCounted(index)) return countsIn(view, this.#messageAt(index));
    if (!this.#hasCounters(index)) return NO_COUNTS;
    const { retransmittedPackets, timeouts, cnps, fastCnps, duplicateNotifications, firstNotificationPs } = readFlow(
      view,
      (abi.simRegion(SIM_FLOWS) >>> 0) + this.#leaderOf(index) * SIM_FLOW.bytes,
    );
    return {
      ...NO_COUNTS,
      retransmittedPackets,
      timeouts,
      cnps,
      fastCnps,
      duplicateNotifications,
      firstNotificationPs,
    };
  }

  /** Bytes received in order so far. */
  deliveredBytes(index: number): number {
    const { view, abi, flows } = this.#memory;
    const flags = this.#flags(index);
    if ((flags & QP_MESSAGE_RECEIVED) !== 0) return flows.sizeBytes[index];
    if ((flags & QP_MESSAGE_POSTED) === 0) return 0;
    const expected = Number(view.getBigInt64((abi.simRegion(SIM_FLOWS) >>> 0) + this.#leaderOf(index) * SIM_FLOW.bytes +
      SIM_FLOW.at.expected, true));
    const first = readField(view, this.#messageAt(index), QP_MESSAGE, 'first');
    return Math.max(0, Math.min(flows.sizeBytes[index], expected - first));
  }

  #isCounted(index: number): boolean {
    return (this.#flags(index) & QP_MESSAGE_COUNTED) !== 0;
  }

  /**
   * Whether the QP's current counters belong to this message: it is the oldest unacknowledged one, or the last one of a
   * completed QP.
   */
  #hasCounters(index: number): boolean {
    const { view, abi } = this.#memory;
    const at = recordAt(abi, SIM_QP_STREAMS, QP_STREAM, this.#leaderOf(index));
    return (this.#flags(index) & QP_MESSAGE_DONE) !== 0 ||
      ((this.#flags(index) & QP_MESSAGE_POSTED) !== 0 &&
        readField(view, at, QP_STREAM, 'acking') === index);
  }

  #flags(index: number): number {
    return readField(this.#memory.view, this.#messageAt(index), QP_MESSAGE, 'flags');
  }

  #leaderOf(index: number): number {
    return this.#memory.connections.leaderOf[index];
  }

  #messageAt(index: number): number {
    return recordAt(this.#memory.abi, SIM_QP_MESSAGES, QP_MESSAGE, index);
  }
}

const COUNTERS = ['timeouts', 'cnps', 'fastCnps', 'duplicateNotifications', 'firstNotificationPs'] as const;
const LOSSES = [
  'outOfOrder',
  'depth',
  'duplicates',
  'naks',
  'retransmittedBytes',
  'sacked',
  'beyond',
  'discarded',
] as const;

function countsIn(view: DataView, at: number): typeof NO_COUNTS {
  const retransmittedPackets = readField(view, at, QP_MESSAGE, 'retransmitted');
  return { ...NO_COUNTS, retransmittedPackets, ...readFields(view, at, QP_MESSAGE, COUNTERS) };
}

function lossesIn(view: DataView, at: number): LossFigures {
  const losses = readFields(view, at, QP_MESSAGE, LOSSES);
  return {
    outOfOrderPackets: losses.outOfOrder,
    reorderingDepthPackets: losses.depth,
    duplicatePackets: losses.duplicates,
    naks: losses.naks,
    retransmittedBytes: losses.retransmittedBytes,
    sackedPackets: losses.sacked,
    beyondWindowPackets: losses.beyond,
    discardedPackets: losses.discarded,
  };
}
