/** Reads the messages of QPs that carry several, from the kernel's memory. */
import * as layout from '../../abi/connection-layout.js';
import { FLOW_BYTES, FLOW_EXPECTED, FLOW_LOSSES_BYTES } from '../../abi/sim-layout.js';
import { SIM_FLOWS, SIM_FLOW_LOSSES, SIM_QP_MESSAGES, SIM_QP_STREAMS } from '../../abi/sim-regions.js';
import type { ConnectionsPlan } from '../connections-plan.js';
import type { FlowPlans } from '../flow-plans.js';
import type { LossFigures } from '../results/loss-figures.js';
import { readFlow, readLosses, type RawFlow } from './read-records.js';
import type { SimAbi } from './sim-abi.js';

/** What a message of a QP has beyond a flow. */
export interface RawMessage {
  /** When its first packet left, picoseconds; -1: none did. */
  readonly beganPs: number;
  /** Rate of its QP then, bits per second. */
  readonly beganRateBps: number;
  /** Whether its QP restarted at line rate when it was posted. */
  readonly restarted: boolean;
}

/** What the kernel must have for it. */
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
    return {
      started: (flags & layout.QP_MESSAGE_POSTED) !== 0,
      done: (flags & layout.QP_MESSAGE_DONE) !== 0,
      failed: (flags & layout.QP_MESSAGE_FAILED) !== 0,
      startPs: (flags & layout.QP_MESSAGE_POSTED) === 0 ?
        flows.startPs[index] :
        view.getFloat64(at + layout.QP_MESSAGE_POSTED_AT, true),
      finishPs: (flags & layout.QP_MESSAGE_DONE) === 0 ?
        NaN :
        view.getFloat64(at + layout.QP_MESSAGE_FINISHED_AT, true),
      deliveredBytes: this.#deliveredBytes(index),
      ...this.#counts(index),
    };
  }

  losses(index: number): LossFigures {
    const { view, abi } = this.#memory;
    if (this.#isCounted(index)) return lossesIn(view, this.#messageAt(index));
    if (!this.#hasCounters(index)) return NO_LOSSES;
    return readLosses(view, (abi.simRegion(SIM_FLOW_LOSSES) >>> 0) + this.#leaderOf(index) * FLOW_LOSSES_BYTES);
  }

  message(index: number): RawMessage {
    const { view } = this.#memory;
    const at = this.#messageAt(index);
    const isPosted = (this.#flags(index) & layout.QP_MESSAGE_POSTED) !== 0;
    return {
      beganPs: isPosted ? view.getFloat64(at + layout.QP_MESSAGE_BEGAN_AT, true) : -1,
      beganRateBps: view.getFloat64(at + layout.QP_MESSAGE_BEGAN_RATE, true),
      restarted: view.getUint32(at + layout.QP_MESSAGE_RESTARTED, true) !== 0,
    };
  }

  #counts(index: number): Omit<RawFlow, 'started' | 'done' | 'failed' | 'startPs' | 'finishPs' | 'deliveredBytes'> {
    const { view, abi } = this.#memory;
    if (this.#isCounted(index)) return countsIn(view, this.#messageAt(index));
    if (!this.#hasCounters(index)) return NO_COUNTS;
    const { retransmittedPackets, timeouts, cnps, fastCnps, duplicateNotifications, firstNotificationPs } = readFlow(
      view,
      (abi.simRegion(SIM_FLOWS) >>> 0) + this.#leaderOf(index) * FLOW_BYTES,
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

  /** Bytes in order so far. */
  #deliveredBytes(index: number): number {
    const { view, abi, flows } = this.#memory;
    const flags = this.#flags(index);
    if ((flags & layout.QP_MESSAGE_RECEIVED) !== 0) return flows.sizeBytes[index];
    if ((flags & layout.QP_MESSAGE_POSTED) === 0) return 0;
    const expected = Number(view.getBigInt64((abi.simRegion(SIM_FLOWS) >>> 0) + this.#leaderOf(index) * FLOW_BYTES +
      FLOW_EXPECTED, true));
    const first = Number(view.getBigInt64(this.#messageAt(index) + layout.QP_MESSAGE_FIRST, true));
    return Math.max(0, Math.min(flows.sizeBytes[index], expected - first));
  }

  #isCounted(index: number): boolean {
    return (this.#flags(index) & layout.QP_MESSAGE_COUNTED) !== 0;
  }

  /** The oldest unacknowledged message, and the last one of a QP that is done. */
  #hasCounters(index: number): boolean {
    const { view, abi } = this.#memory;
    const at = (abi.simRegion(SIM_QP_STREAMS) >>> 0) + this.#leaderOf(index) * layout.QP_STREAM_BYTES;
    return (this.#flags(index) & layout.QP_MESSAGE_DONE) !== 0 ||
      ((this.#flags(index) & layout.QP_MESSAGE_POSTED) !== 0 &&
        view.getUint32(at + layout.QP_STREAM_ACKING, true) === index);
  }

  #flags(index: number): number {
    return this.#memory.view.getUint32(this.#messageAt(index) + layout.QP_MESSAGE_FLAGS, true);
  }

  #leaderOf(index: number): number {
    return this.#memory.connections.leaderOf[index];
  }

  #messageAt(index: number): number {
    return (this.#memory.abi.simRegion(SIM_QP_MESSAGES) >>> 0) + index * layout.QP_MESSAGE_BYTES;
  }
}

function countsIn(view: DataView, at: number): typeof NO_COUNTS {
  return {
    ...NO_COUNTS,
    retransmittedPackets: view.getFloat64(at + layout.QP_MESSAGE_RETRANSMITTED, true),
    timeouts: view.getFloat64(at + layout.QP_MESSAGE_TIMEOUTS, true),
    cnps: view.getUint32(at + layout.QP_MESSAGE_CNPS, true),
    fastCnps: view.getUint32(at + layout.QP_MESSAGE_FAST_CNPS, true),
    duplicateNotifications: view.getUint32(at + layout.QP_MESSAGE_DUPLICATE_NOTIFICATIONS, true),
    firstNotificationPs: view.getFloat64(at + layout.QP_MESSAGE_FIRST_NOTIFICATION, true),
  };
}

function lossesIn(view: DataView, at: number): LossFigures {
  const u32 = (offset: number): number => view.getUint32(at + offset, true);
  return {
    outOfOrderPackets: u32(layout.QP_MESSAGE_OUT_OF_ORDER),
    reorderingDepthPackets: u32(layout.QP_MESSAGE_DEPTH),
    duplicatePackets: u32(layout.QP_MESSAGE_DUPLICATES),
    naks: u32(layout.QP_MESSAGE_NAKS),
    retransmittedBytes: view.getFloat64(at + layout.QP_MESSAGE_RETRANSMITTED_BYTES, true),
    sackedPackets: u32(layout.QP_MESSAGE_SACKED),
    beyondWindowPackets: u32(layout.QP_MESSAGE_BEYOND),
  };
}
