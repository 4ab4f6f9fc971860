/** The record of a QP with a custom algorithm, read and written in place. */
import { CUSTOM_FLAGS, CUSTOM_LAST_EVENT, CUSTOM_LAST_LENGTH, CUSTOM_LINE_RATE, CUSTOM_NEXT_SEND, CUSTOM_PACED,
  CUSTOM_RATE, CUSTOM_RATE_SET, CUSTOM_REASON, CUSTOM_SEQUENCE, CUSTOM_STATE, CUSTOM_TIMER_COUNT, CUSTOM_TIMERS,
  CUSTOM_WINDOW } from '../abi/custom-layout.js';
import type { ParameterValues, StateField } from '../config/algorithms/custom/declaration.js';
import type { CustomQp } from './events.js';
import type { LinearMemory } from './linear-memory.js';
import type { Reasons } from './reasons.js';
import { stateView } from './state-view.js';

const PSN_MASK = 0xffffff;
const PSN_HALF = 0x800000;

/** Offsets in units of 64 or 32 bits. */
const RATE = CUSTOM_RATE >> 3;
const WINDOW = CUSTOM_WINDOW >> 3;
const NEXT_SEND = CUSTOM_NEXT_SEND >> 3;
const TIMERS = CUSTOM_TIMERS >> 3;
const LINE_RATE = CUSTOM_LINE_RATE >> 3;
const LAST_EVENT = CUSTOM_LAST_EVENT >> 3;
const LAST_LENGTH = CUSTOM_LAST_LENGTH >> 2;
const FLAGS = CUSTOM_FLAGS >> 2;
const REASON = CUSTOM_REASON >> 2;
const SEQUENCE = CUSTOM_SEQUENCE >> 2;
const STATE = CUSTOM_STATE >> 3;

/** A view that moves from QP to QP. */
export class QpView implements CustomQp<object> {
  readonly parameters: ParameterValues;
  readonly state: object;
  f64: Float64Array;
  u32: Uint32Array;
  readonly #memory: LinearMemory;
  readonly #reasons: Reasons;
  /** Offset of the record, in units of 64 bits. */
  at = 0;

  constructor(memory: LinearMemory, fields: readonly StateField[], parameters: ParameterValues, reasons: Reasons) {
    this.#memory = memory;
    this.f64 = memory.f64;
    this.u32 = memory.u32;
    this.parameters = parameters;
    this.#reasons = reasons;
    this.state = stateView(this, STATE, fields);
  }

  /** @param record byte address of the QP's record */
  moveTo(record: number): void {
    const memory = this.#memory;
    memory.refresh();
    if (this.f64 !== memory.f64) {
      this.f64 = memory.f64;
      this.u32 = memory.u32;
    }
    this.at = record >>> 3;
  }

  get rateBps(): number {
    return this.f64[this.at + RATE];
  }
  set rateBps(value: number) {
    this.f64[this.at + RATE] = value;
    this.u32[2 * this.at + FLAGS] |= CUSTOM_RATE_SET;
  }

  get windowBytes(): number {
    return this.f64[this.at + WINDOW];
  }
  set windowBytes(value: number) {
    this.f64[this.at + WINDOW] = value;
  }

  get nextSendPs(): number {
    return this.f64[this.at + NEXT_SEND];
  }
  set nextSendPs(value: number) {
    this.f64[this.at + NEXT_SEND] = value;
  }

  get timerPs(): number {
    return this.f64[this.at + TIMERS];
  }
  set timerPs(value: number) {
    this.f64[this.at + TIMERS] = value;
  }

  get isPaced(): boolean {
    return (this.u32[2 * this.at + FLAGS] & CUSTOM_PACED) !== 0;
  }
  set isPaced(value: boolean) {
    const at = 2 * this.at + FLAGS;
    if (value) this.u32[at] |= CUSTOM_PACED;
    else this.u32[at] &= ~CUSTOM_PACED;
  }

  get lineRateBps(): number {
    return this.f64[this.at + LINE_RATE];
  }

  get lastEventPs(): number {
    return this.f64[this.at + LAST_EVENT];
  }

  get lastLenBytes(): number {
    return this.u32[2 * this.at + LAST_LENGTH];
  }

  getTimer(index: number): number {
    return this.f64[this.at + TIMERS + timerIndex(index)];
  }

  setTimer(index: number, timePs: number): void {
    this.f64[this.at + TIMERS + timerIndex(index)] = timePs;
  }

  isNewer(a: number, b: number): boolean {
    if (this.u32[2 * this.at + SEQUENCE] === 0) return a > b;
    const ahead = (a - b) & PSN_MASK;
    return ahead !== 0 && ahead < PSN_HALF;
  }

  reason(text: string): void {
    this.u32[2 * this.at + REASON] = this.#reasons.numberOf(text);
  }
}

function timerIndex(index: number): number {
  if (index >= 0 && index < CUSTOM_TIMER_COUNT) return index;
  throw new RangeError(`timer ${index} of 0 to ${CUSTOM_TIMER_COUNT - 1}`);
}
