/**
 * The record of a QP with a custom algorithm, and the declared state by name, read and written in place.
 *
 * One class is created per declaration of state, so that handlers see objects of one shape in all engines and runs of a
 * process: V8 optimises handlers for that shape.
 */
import { CUSTOM_FLAGS, CUSTOM_LAST_EVENT, CUSTOM_LAST_LENGTH, CUSTOM_LINE_RATE, CUSTOM_NEXT_SEND, CUSTOM_PACED,
  CUSTOM_RATE, CUSTOM_RATE_SET, CUSTOM_REASON, CUSTOM_SEQUENCE, CUSTOM_STATE, CUSTOM_TIMER_COUNT, CUSTOM_TIMERS,
  CUSTOM_WINDOW } from '../abi/custom-layout.js';
import type { ParameterValues, StateField } from '../config/algorithms/custom/declaration.js';
import type { Reasons } from './bound.js';
import type { CustomQp, StateList, LinearMemory } from './events.js';

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

/** The view that the state belongs to; it may move. */
export interface StatePlace {
  readonly f64: Float64Array;
  /** Offset of its record, in units of 64 bits. */
  readonly at: number;
}

/** Creates the state of a place. */
type StateClass = new(place: StatePlace) => object;

const PLACE = Symbol('place of the state');

class State {
  declare readonly [PLACE]: StatePlace;

  constructor(place: StatePlace) {
    Object.defineProperty(this, PLACE, { value: place });
  }
}

/** By declaration and by offset of the state in a record. */
const classes = new WeakMap<readonly StateField[], Map<number, StateClass>>();

/**
 * An object with a property for each number and each list of the state. `first`: offset of the state in the record, in
 * units of 64 bits.
 */
export function stateView(place: StatePlace, first: number, fields: readonly StateField[]): object {
  return new (classOf(first, fields))(place);
}

function classOf(first: number, fields: readonly StateField[]): StateClass {
  const known = classes.get(fields) ?? new Map<number, StateClass>();
  const made = known.get(first) ?? makeClass(first, fields);
  classes.set(fields, known.set(first, made));
  return made;
}

/** Numbers are properties of the class; each state object has its own lists. */
function makeClass(first: number, fields: readonly StateField[]): StateClass {
  const lists = fields.filter(({ length }) => length !== undefined);
  class OwnState extends State {
    constructor(place: StatePlace) {
      super(place);
      for (const { name, index, length = 0 } of lists) {
        const value = new ListView(place, name, first + index, length);
        Object.defineProperty(this, name, { value, enumerable: true });
      }
      Object.freeze(this);
    }
  }
  for (const { name, index, length } of fields)
    if (length === undefined) Object.defineProperty(OwnState.prototype, name, numberAt(first + index));
  return OwnState;
}

/** A number of the state, `place` units of 64 bits from the start of the record. */
function numberAt(place: number): PropertyDescriptor & ThisType<State> {
  return {
    enumerable: true,
    get() {
      const of = this[PLACE];
      return of.f64[of.at + place];
    },
    set(value: number) {
      const of = this[PLACE];
      of.f64[of.at + place] = value;
    },
  };
}

/** An array in the state. */
class ListView implements StateList {
  readonly length: number;
  readonly #of: StatePlace;
  readonly #name: string;
  readonly #place: number;

  constructor(of: StatePlace, name: string, place: number, length: number) {
    this.#of = of;
    this.#name = name;
    this.#place = place;
    this.length = length;
    Object.freeze(this);
  }

  get(index: number): number {
    return this.#of.f64[this.#at(index)];
  }

  set(index: number, value: number): void {
    this.#of.f64[this.#at(index)] = value;
  }

  #at(index: number): number {
    if (index >>> 0 === index && index < this.length) return this.#of.at + this.#place + index;
    throw new RangeError(`index ${index} of state.${this.#name}, which has ${this.length} numbers`);
  }
}
