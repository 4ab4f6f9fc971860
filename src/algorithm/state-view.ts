/**
 * The declared state by name, read and written in linear memory.
 *
 * One class is created per declaration, so that handlers see objects of one shape in all engines and runs of a process:
 * V8 optimises handlers for that shape.
 */
import type { StateField } from '../config/algorithms/custom/declaration.js';
import type { StateList } from './events.js';

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
