/**
 * Counters of an emulated switch, per port, in frames. Every loss is counted:
 *
 *   at arrival   in = forwarded + ended + dropped on arrival           (flooded copies are counted as copied)
 *   at an egress port   forwarded to it + made = out + queued + dropped at the egress port
 *   in total     in + made + copied = out + ended + queued + dropped
 */
import { NONE, type FramePool } from './frame-pool.js';
import type { SwitchSettings } from './settings.js';

/** Why a frame was dropped. */
export const DROP_REASONS = ['noRoute', 'buffer', 'loss', 'pool', 'oversize', 'cut', 'linkDown'] as const;

/** `noRoute`: unknown address; `buffer`: packet memory; `loss`: configured; `pool`: no slot; `oversize`: longer than a slot;
 * `cut`: captured in part; `linkDown`: the port is closed. */
export type SwitchDropReason = (typeof DROP_REASONS)[number];

/** Counters of a port. */
export class PortCounters {
  /** Frames received, and their bytes as captured. */
  in = 0;
  inBytes = 0;
  /** PFC and PAUSE frames, which are consumed here. */
  ended = 0;
  /** Frames received here and queued. */
  forwarded = 0;
  /** Frames that the switch made for this egress port: PFC, Fast CNPs. */
  made = 0;
  /** Copies of flooded frames that were queued at this egress port. */
  copied = 0;
  /** Total frames from other ports queued at this egress port. */
  enqueued = 0;
  /** Frames that started to leave, and their bytes as captured. */
  out = 0;
  outBytes = 0;
  marks = 0;
  fastCnps = 0;
  pausesSent = 0;
  resumesSent = 0;
  pausesReceived = 0;
  /** Frames corrupted as configured: their ICRC is wrong from here on. */
  damaged = 0;
  /** Frames reordered as configured. */
  reordered = 0;
  /** Drops by reason: at arrival, and on egress. */
  readonly droppedIn: Record<SwitchDropReason, number> = noDrops();
  readonly droppedOut: Record<SwitchDropReason, number> = noDrops();
}

function noDrops(): Record<SwitchDropReason, number> {
  return { noRoute: 0, buffer: 0, loss: 0, pool: 0, oversize: 0, cut: 0, linkDown: 0 };
}

/** Sum over all reasons. */
export function dropsIn(drops: Readonly<Record<SwitchDropReason, number>>): number {
  return DROP_REASONS.reduce((sum, reason) => sum + drops[reason], 0);
}

/** Counters of an interface of the switch: `in` + `copied` = `forwarded` + `ended` + `droppedIn`. */
export interface InterfaceCounters {
  /** Names of the switch and of the node at the far end: `s0:h3`. */
  readonly name: string;
  /** Frames received. */
  readonly in: number;
  /** Copies of flooded frames, in addition to the frame itself. */
  readonly copied: number;
  /** Received or copied frames queued at another interface. */
  readonly forwarded: number;
  /** Received frames for the switch itself: pause frames. */
  readonly ended: number;
  /** Frames from other interfaces put into this interface's queues. */
  readonly enqueued: number;
  /** Frames made by the switch for it: Fast CNPs, pause frames. */
  readonly made: number;
  /** Frames sent. */
  readonly out: number;
  /** Received frames that were dropped. */
  readonly droppedIn: number;
  /** Queued frames that were dropped. */
  readonly droppedOut: number;
  /** Departing frames that were CE-marked. */
  readonly marks: number;
  /** Fast CNPs sent for departing frames. */
  readonly fastCnps: number;
  /** Pause frames sent, including those that end a pause. */
  readonly pausesSent: number;
  /** Number of times that frames from the far end paused a class. */
  readonly pausesReceived: number;
}

/** Accounting of all frames. */
export interface SwitchCounters {
  /** Counters of each interface of the switch. */
  readonly interfaces: readonly InterfaceCounters[];
  /** Frames received, made and copied, minus those sent, ended, dropped and queued; 0 if all are accounted for. */
  readonly unaccounted: number;
  /** Frames currently in queues. */
  readonly queued: number;
  /** Frames dropped, by reason. */
  readonly drops: Readonly<Record<SwitchDropReason, number>>;
}

/** What counters are made of: an emulated switch. */
interface CountedSwitch {
  readonly counters: readonly PortCounters[];
  readonly settings: SwitchSettings;
  /** Frames currently in queues. */
  readonly queued: number;
}

export function countersOf(emulated: CountedSwitch): SwitchCounters {
  const interfaces = emulated.counters.map((port, index) => ({
    name: emulated.settings.ports[index].name,
    in: port.in,
    copied: port.copied,
    forwarded: port.forwarded,
    ended: port.ended,
    enqueued: port.enqueued,
    made: port.made,
    out: port.out,
    droppedIn: dropsIn(port.droppedIn),
    droppedOut: dropsIn(port.droppedOut),
    marks: port.marks,
    fastCnps: port.fastCnps,
    pausesSent: port.pausesSent + port.resumesSent,
    pausesReceived: port.pausesReceived,
  }));
  const sum = (of: (counters: InterfaceCounters) => number): number =>
    interfaces.reduce((all, one) => all + of(one), 0);
  const drops = noDrops();
  for (const { droppedIn, droppedOut } of emulated.counters) {
    for (const reason of DROP_REASONS) drops[reason] += droppedIn[reason] + droppedOut[reason];
  }
  return {
    interfaces,
    unaccounted: sum((one) => one.in + one.made + one.copied) -
      sum((one) => one.out + one.ended + one.droppedIn + one.droppedOut) - emulated.queued,
    queued: emulated.queued,
    drops,
  };
}

/** Receives the outcome of frames. */
export interface SwitchSink {
  /**
   * A frame leaves; the sink owns its slot until it calls `release`. @param arrivesPs when its last bit reaches the far
   * end.
   */
  leaves(port: number, slot: number, arrivesPs: number): void;
  /** For tests and traces. @param slot of the frame, or NONE if it was not in one. */
  marked?(timePs: number, port: number, slot: number): void;
  dropped?(timePs: number, port: number, reason: SwitchDropReason, slot: number): void;
}

/** Reports drops, counts them by reason, and frees their slots. */
export class Drops {
  readonly #counters: readonly PortCounters[];
  readonly #pool: FramePool;
  readonly #sink: SwitchSink;

  constructor(counters: readonly PortCounters[], pool: FramePool, sink: SwitchSink) {
    this.#counters = counters;
    this.#pool = pool;
    this.#sink = sink;
  }

  /** Drops a frame at arrival. @param slot its slot, or NONE if it is not in one. */
  in(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#counters[port].droppedIn[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  /** Drops a frame on egress. */
  out(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#counters[port].droppedOut[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  #drop(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#sink.dropped?.(timePs, port, reason, slot);
    if (slot !== NONE) this.#pool.release(slot);
  }
}
