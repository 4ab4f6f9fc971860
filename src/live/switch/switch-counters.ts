/** Public counters of an emulated switch: per port, and in total. */
import { DROP_REASONS, dropsIn, noDrops, type SwitchDropReason } from './port-counters.js';
import type { EmulatedSwitch } from './emulated-switch.js';

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

export function countersOf(emulated: EmulatedSwitch): SwitchCounters {
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
