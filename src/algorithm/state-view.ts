/** The declared state by name, read and written in linear memory. */
import type { StateField } from '../config/algorithms/custom/state-layout.js';
import type { StateList } from './events.js';
import type { LinearMemory } from './linear-memory.js';

/** What the state belongs to: a view that may be moved. */
export interface StatePlace {
  readonly memory: LinearMemory;
  /** Where its record begins, in numbers of 64 bits. */
  readonly at: number;
}

/** An object with a property for each number of the state, and a list for each list. `first`: of the state, in numbers from the record. */
export function stateView(place: StatePlace, first: number, fields: readonly StateField[]): object {
  const state = {};
  for (const { name, index, length } of fields) {
    if (length === undefined) Object.defineProperty(state, name, propertyAt(place, first + index));
    else Object.defineProperty(state, name, { value: listAt(place, name, first + index, length), enumerable: true });
  }
  return Object.freeze(state);
}

function propertyAt(place: StatePlace, offset: number): PropertyDescriptor {
  return {
    enumerable: true,
    get: () => place.memory.f64[place.at + offset],
    set: (value: number) => {
      place.memory.f64[place.at + offset] = value;
    },
  };
}

function listAt(place: StatePlace, name: string, offset: number, length: number): StateList {
  const checked = (index: number): number => {
    if (index >= 0 && index < length && Number.isInteger(index)) return index;
    throw new RangeError(`index ${index} of state.${name}, which has ${length} numbers`);
  };
  return Object.freeze({
    length,
    get: (index: number) => place.memory.f64[place.at + offset + checked(index)],
    set: (index: number, value: number) => {
      place.memory.f64[place.at + offset + checked(index)] = value;
    },
  });
}
