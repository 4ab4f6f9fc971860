/**
 * The port of an emulated host: sends one frame at a time at the link's rate, responses before data; classes paused by
 * the switch wait.
 *
 * Responses are queued in a ring of fixed size; if it is full, they are dropped and counted, and the peer's timeout
 * recovers.
 */
import { Pfc } from '../../wire/link/mac-control.js';
import { readPauses, PauseTimes } from '../switch/port-times.js';
import { exactTxTimePs } from '../../exact-numbers.js';
import { countedBytesOf } from '../switch/frame-pool.js';

const RESPONSES = 4096;
const RESPONSE_BYTES = 256;

/** Rate of a host's link, and the overhead of a frame on it. */
interface NicLink {
  readonly rateBps: number;
  readonly wireOverheadBytes: number;
}

export class Nic {
  /** When the link is free for the next frame. */
  freePs = 0;
  sentFrames = 0;
  sentBytes = 0;
  droppedResponses = 0;
  pausesReceived = 0;
  readonly #link: NicLink;
  readonly #pauses: PauseTimes;
  readonly #bytes = new Uint8Array(RESPONSES * RESPONSE_BYTES);
  readonly #lenBytes = new Uint16Array(RESPONSES);
  readonly #classes = new Uint8Array(RESPONSES);
  readonly #readyPs = new Float64Array(RESPONSES);
  /** When the last pause of each class ended. */
  readonly #freedPs = new Float64Array(Pfc.CLASS_COUNT);
  #first = 0;
  #count = 0;

  constructor(link: NicLink) {
    this.#link = link;
    this.#pauses = new PauseTimes([link.rateBps]);
  }

  get responses(): number {
    return this.#count;
  }

  /** @param readyPs earliest time to send it. */
  pushResponse(frame: Uint8Array, trafficClass: number, readyPs: number): void {
    if (this.#count === RESPONSES || frame.length > RESPONSE_BYTES) {
      this.droppedResponses += 1;
      return;
    }
    const at = (this.#first + this.#count) % RESPONSES;
    this.#bytes.set(frame, at * RESPONSE_BYTES);
    this.#lenBytes[at] = frame.length;
    this.#classes[at] = trafficClass;
    this.#readyPs[at] = readyPs;
    this.#count += 1;
  }

  /** When the first response can be sent; Infinity if there is none, or a pause blocks it. */
  get responsePs(): number {
    if (this.#count === 0 || this.isPaused(this.#classes[this.#first])) return Infinity;
    return Math.max(this.#readyPs[this.#first], this.#freedPs[this.#classes[this.#first]]);
  }

  /** When a pause of the class last ended: frames that it held back are sent no earlier. */
  freedPs(trafficClass: number): number {
    return this.#freedPs[trafficClass];
  }

  /** Removes the first response from the ring; valid until the next `pushResponse`. */
  takeResponse(): Uint8Array {
    const at = this.#first;
    this.#first = (at + 1) % RESPONSES;
    this.#count -= 1;
    return this.#bytes.subarray(at * RESPONSE_BYTES, at * RESPONSE_BYTES + this.#lenBytes[at]);
  }

  isPaused(trafficClass: number): boolean {
    return (this.#pauses.paused[0] & (1 << trafficClass)) !== 0;
  }

  /** When a pause expires; Infinity if none is active. */
  get pauseEndPs(): number {
    return this.#pauses.nextPs;
  }

  endPauses(timePs: number): void {
    while (this.#pauses.nextPs <= timePs) {
      const endedPs = this.#pauses.nextPs;
      const before = this.#pauses.paused[0];
      this.#pauses.run(noMatter, noMatter);
      this.#noteFreed(before, endedPs);
    }
  }

  /** Applies a PFC or PAUSE frame. @param at offset of its opcode. */
  apply(bytes: Uint8Array, at: number, end: number, timePs: number): void {
    const before = this.#pauses.paused[0];
    readPauses({ bytes, at, end }, (trafficClass, quanta) => {
      if (quanta > 0) this.pausesReceived += 1;
      this.#pauses.apply(0, trafficClass, quanta, timePs);
    });
    this.#noteFreed(before, timePs);
  }

  /** Starts to send a frame. @returns when its last bit is sent. */
  send(lenBytes: number, timePs: number): number {
    const { rateBps, wireOverheadBytes } = this.#link;
    this.sentFrames += 1;
    this.sentBytes += lenBytes;
    this.freePs = timePs + exactTxTimePs(countedBytesOf(lenBytes) + wireOverheadBytes, rateBps);
    return this.freePs;
  }

  /** @param before classes that were paused before, as bits. */
  #noteFreed(before: number, timePs: number): void {
    const freed = before & ~this.#pauses.paused[0];
    for (let trafficClass = 0; trafficClass < Pfc.CLASS_COUNT; trafficClass += 1) {
      if ((freed & (1 << trafficClass)) !== 0) this.#freedPs[trafficClass] = timePs;
    }
  }
}

function noMatter(): void {
  // Frames that were held back are checked again in any case.
}
