/**
 * The port of an emulated host: one frame at a time at the link's rate, answers before data, classes that the switch pauses held.
 *
 * Answers wait in a ring of fixed size; those that find it full are dropped and counted: the peer's timeout helps.
 */
import { readPauses } from '../switch/read-pauses.js';
import { PauseTimes } from '../switch/pause-times.js';
import { exactTxTimePs } from '../../switching/exact-time.js';
import { countedBytesOf } from '../switch/frame-intake.js';

const ANSWERS = 4096;
const ANSWER_BYTES = 256;

/** Rate of a host's link, and what frames take on it beside their bytes. */
export interface NicLink {
  readonly rateBps: number;
  readonly wireOverheadBytes: number;
}

export class Nic {
  /** When it may send again. */
  freePs = 0;
  sentFrames = 0;
  sentBytes = 0;
  droppedAnswers = 0;
  pausesReceived = 0;
  readonly #link: NicLink;
  readonly #pauses: PauseTimes;
  readonly #bytes = new Uint8Array(ANSWERS * ANSWER_BYTES);
  readonly #lenBytes = new Uint16Array(ANSWERS);
  readonly #classes = new Uint8Array(ANSWERS);
  #first = 0;
  #count = 0;

  constructor(link: NicLink) {
    this.#link = link;
    this.#pauses = new PauseTimes([link.rateBps]);
  }

  get answers(): number {
    return this.#count;
  }

  pushAnswer(frame: Uint8Array, trafficClass: number): void {
    if (this.#count === ANSWERS || frame.length > ANSWER_BYTES) {
      this.droppedAnswers += 1;
      return;
    }
    const at = (this.#first + this.#count) % ANSWERS;
    this.#bytes.set(frame, at * ANSWER_BYTES);
    this.#lenBytes[at] = frame.length;
    this.#classes[at] = trafficClass;
    this.#count += 1;
  }

  /** Is there an answer that is not held by a pause? */
  get hasAnswer(): boolean {
    return this.#count > 0 && !this.isPaused(this.#classes[this.#first]);
  }

  /** The first answer, out of the ring; valid until the next `pushAnswer`. */
  takeAnswer(): Uint8Array {
    const at = this.#first;
    this.#first = (at + 1) % ANSWERS;
    this.#count -= 1;
    return this.#bytes.subarray(at * ANSWER_BYTES, at * ANSWER_BYTES + this.#lenBytes[at]);
  }

  isPaused(trafficClass: number): boolean {
    return (this.#pauses.paused[0] & (1 << trafficClass)) !== 0;
  }

  /** When a pause ends by itself; Infinity: none does. */
  get pauseEndPs(): number {
    return this.#pauses.nextPs;
  }

  endPauses(timePs: number): void {
    while (this.#pauses.nextPs <= timePs) this.#pauses.run(noMatter, noMatter);
  }

  /** A PFC or PAUSE frame. @param at of its opcode. */
  obey(bytes: Uint8Array, at: number, end: number, timePs: number): void {
    readPauses({ bytes, at, end }, (trafficClass, quanta) => {
      if (quanta > 0) this.pausesReceived += 1;
      this.#pauses.obey(0, trafficClass, quanta, timePs);
    });
  }

  /** A frame begins to leave. @returns when its last bit has. */
  send(lenBytes: number, timePs: number): number {
    const { rateBps, wireOverheadBytes } = this.#link;
    this.sentFrames += 1;
    this.sentBytes += lenBytes;
    this.freePs = timePs + exactTxTimePs(countedBytesOf(lenBytes) + wireOverheadBytes, rateBps);
    return this.freePs;
  }
}

function noMatter(): void {
  // What was held is looked at again anyway.
}
