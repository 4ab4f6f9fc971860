/** When the ports of an emulated switch may send: when each has sent its frame, and how long a pause holds a class. */
import { exactTxTimePs } from '../../exact-numbers.js';
import { CLASS_COUNT } from '../../switching/shared-buffer.js';
import { MacControl, Pfc } from '../../wire/link/mac-control.js';
import { NONE } from './frame-pool.js';

/** Offset of the times after the opcode of PFC. */
const PFC_TIMES = 4;

/** Tracks when sending ports become free: ordered by time, and at one instant by the order in which they started. */
export class PortTimes {
  /** When each port becomes free; Infinity if it is free. */
  readonly freePs: Float64Array;
  readonly #begunAt: Float64Array;
  /** Transmission times by port and length, filled on demand. */
  readonly #txPs: readonly Float64Array[];
  readonly #rates: readonly number[];
  readonly #overheadBytes: number;
  #begun = 0;

  /** @param rates bits per second, by port. @param overheadBytes per frame on the wire. */
  constructor(rates: readonly number[], longestBytes: number, overheadBytes: number) {
    this.freePs = new Float64Array(rates.length).fill(Infinity);
    this.#begunAt = new Float64Array(rates.length);
    this.#txPs = rates.map(() => new Float64Array(longestBytes + 1));
    this.#rates = rates;
    this.#overheadBytes = overheadBytes;
  }

  /** A port starts to send. @returns when the last bit is sent. */
  begin(port: number, countedBytes: number, timePs: number): number {
    const sentPs = timePs + this.#timePs(port, countedBytes);
    this.freePs[port] = sentPs;
    this.#begunAt[port] = this.#begun;
    this.#begun += 1;
    return sentPs;
  }

  /** The port that becomes free first; NONE if none is sending. */
  first(): number {
    let first = NONE;
    let firstPs = Infinity;
    for (let port = 0; port < this.freePs.length; port += 1) {
      const freePs = this.freePs[port];
      if (freePs > firstPs || freePs === Infinity) continue;
      if (freePs === firstPs && this.#begunAt[port] > this.#begunAt[first]) continue;
      first = port;
      firstPs = freePs;
    }
    return first;
  }

  #timePs(port: number, countedBytes: number): number {
    const times = this.#txPs[port];
    if (times[countedBytes] === 0) {
      times[countedBytes] = exactTxTimePs(countedBytes + this.#overheadBytes, this.#rates[port]);
    }
    return times[countedBytes];
  }
}

/**
 * Pause times of all ports and classes (IEEE 802.1Qbb; IEEE 802.3, annex 31D). A received frame pauses a class for its
 * quanta of 512 bit times of the link, or ends the pause with 0. A switch that pauses a neighbour repeats the pause
 * within half of that time.
 */
export class PauseTimes {
  /** Bitmap by port: bit c is set if class c is paused. */
  readonly paused: Uint8Array;
  /** When the next pause ends or must be repeated; Infinity if there is none. */
  nextPs = Infinity;
  readonly #rates: readonly number[];
  readonly #endPs: Float64Array;
  readonly #refreshPs: Float64Array;

  /** @param rates bits per second, by port. */
  constructor(rates: readonly number[]) {
    this.#rates = rates;
    this.paused = new Uint8Array(rates.length);
    this.#endPs = new Float64Array(rates.length * CLASS_COUNT).fill(Infinity);
    this.#refreshPs = new Float64Array(rates.length * CLASS_COUNT).fill(Infinity);
  }

  /** Applies a received pause. @param quanta 0 resumes the class. */
  apply(port: number, trafficClass: number, quanta: number, timePs: number): void {
    if (quanta === 0) this.#endPause(port, trafficClass);
    else {
      this.paused[port] |= 1 << trafficClass;
      this.#endPs[port * CLASS_COUNT + trafficClass] = timePs + MacControl.pauseQuantaToPs(quanta, this.#rates[port]);
    }
    this.#renew();
  }

  /** Records that a pause was sent to a neighbour, or repeated. */
  noteSent(port: number, trafficClass: number, timePs: number): void {
    const lastsPs = MacControl.pauseQuantaToPs(MacControl.PAUSE_QUANTA_MAX, this.#rates[port]);
    this.#refreshPs[port * CLASS_COUNT + trafficClass] = timePs + Math.floor(lastsPs / 2);
    this.#renew();
  }

  noteResumed(port: number, trafficClass: number): void {
    this.#refreshPs[port * CLASS_COUNT + trafficClass] = Infinity;
    this.#renew();
  }

  /** Clears all pauses of a port. */
  forget(port: number): void {
    this.paused[port] = 0;
    this.#endPs.fill(Infinity, port * CLASS_COUNT, (port + 1) * CLASS_COUNT);
    this.#refreshPs.fill(Infinity, port * CLASS_COUNT, (port + 1) * CLASS_COUNT);
    this.#renew();
  }

  /** Ends the pauses that are due to end at `nextPs`, and reports those that must be repeated. */
  run(onEnded: (port: number) => void, onDue: (port: number, trafficClass: number) => void): void {
    const nowPs = this.nextPs;
    for (let at = 0; at < this.#endPs.length; at += 1) {
      const port = Math.floor(at / CLASS_COUNT);
      if (this.#endPs[at] <= nowPs) {
        this.#endPause(port, at % CLASS_COUNT);
        onEnded(port);
      }
      if (this.#refreshPs[at] <= nowPs) onDue(port, at % CLASS_COUNT);
    }
    this.#renew();
  }

  #endPause(port: number, trafficClass: number): void {
    this.paused[port] &= ~(1 << trafficClass);
    this.#endPs[port * CLASS_COUNT + trafficClass] = Infinity;
  }

  #renew(): void {
    let nextPs = Infinity;
    for (let at = 0; at < this.#endPs.length; at += 1) {
      nextPs = Math.min(nextPs, this.#endPs[at], this.#refreshPs[at]);
    }
    this.nextPs = nextPs;
  }
}

/**
 * Reads which classes a MAC control frame pauses, and for how long; ignores frames that are neither PFC nor PAUSE.
 *
 * @param frame with its opcode at `at`. @param found is called for classes 1 to 7: class 0 carries pause frames. PAUSE
 * stops all classes.
 */
export function readPauses(
  { bytes, at, end }: { readonly bytes: Uint8Array; readonly at: number; readonly end: number },
  found: (trafficClass: number, quanta: number) => void,
): void {
  const u16 = (offset: number): number => (bytes[offset] << 8) | bytes[offset + 1];
  if (at + 4 > end) return;
  const opcode = u16(at);
  if (opcode === MacControl.PAUSE) {
    for (let trafficClass = 1; trafficClass < Pfc.CLASS_COUNT; trafficClass += 1) found(trafficClass, u16(at + 2));
    return;
  }
  if (opcode !== MacControl.PFC || at + PFC_TIMES + 2 * Pfc.CLASS_COUNT > end) return;
  const enabled = u16(at + 2);
  for (let trafficClass = 1; trafficClass < Pfc.CLASS_COUNT; trafficClass += 1) {
    if ((enabled & (1 << trafficClass)) !== 0) found(trafficClass, u16(at + PFC_TIMES + 2 * trafficClass));
  }
}

/** Makes the PFC frame that pauses a class for the maximum time, or resumes it. */
export function pauseFrame(mac: Uint8Array, trafficClass: number, kind: 'pause' | 'resume'): Uint8Array {
  const quanta = kind === 'pause' ? MacControl.PAUSE_QUANTA_MAX : 0;
  const pauseQuanta = Array.from({ length: Pfc.CLASS_COUNT }, (_, one) => (one === trafficClass ? quanta : 0));
  return Pfc.frame(mac, { classEnableVector: 1 << trafficClass, pauseQuanta });
}
