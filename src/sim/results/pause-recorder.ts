/** Combines the kernel's records of pauses into intervals, in bounded memory. */
import type { PauseChange } from '../kernel/read-trace.js';
import type { PauseInterval } from '../result.js';

/** Maximum number of intervals and renewals. */
const KEPT_MAX = 1_000_000;
const CLASSES = 8;

type Open = { -readonly [Key in keyof Omit<PauseInterval, 'renewedPs'>]: PauseInterval[Key] } & {
  renewedPs?: number[];
};

export class PauseRecorder {
  readonly #portNames: readonly string[];
  readonly #intervals: Open[] = [];
  /** Pauses in effect, by port and class. */
  readonly #open = new Map<number, Open>();
  #kept = 0;
  #left = 0;

  constructor(portNames: readonly string[]) {
    this.#portNames = portNames;
  }

  /** Number of pauses and renewals beyond the maximum. */
  get leftOut(): number {
    return this.#left;
  }

  add(changes: readonly PauseChange[]): void {
    for (const change of changes) this.#addOne(change);
  }

  /** The pauses in order of their start. Those still in effect end with the run. */
  intervals(endPs: number): readonly PauseInterval[] {
    for (const open of this.#open.values()) open.toPs = endPs;
    return this.#intervals;
  }

  #addOne({ timePs, port, trafficClass, change }: PauseChange): void {
    const key = port * CLASSES + trafficClass;
    const open = this.#open.get(key);
    if (open !== undefined && change !== 'paused') this.#change(key, open, timePs, change);
    else if (change === 'paused' && this.#hasRoom()) {
      const name = this.#portNames[port];
      const begun: Open = { port: name, trafficClass, fromPs: timePs, toPs: timePs, endedBy: 'run-end' };
      this.#intervals.push(begun);
      this.#open.set(key, begun);
    }
  }

  #change(key: number, open: Open, timePs: number, change: Exclude<PauseChange['change'], 'paused'>): void {
    if (change === 'paused-again') {
      if (this.#hasRoom()) (open.renewedPs ??= []).push(timePs);
      return;
    }
    open.toPs = timePs;
    open.endedBy = change === 'resumed' ? 'resume' : 'lapse';
    this.#open.delete(key);
  }

  #hasRoom(): boolean {
    if (this.#kept === KEPT_MAX) this.#left += 1;
    else this.#kept += 1;
    return this.#left === 0;
  }
}
