/**
 * Random programs with all kinds of control flow. They count down their function entries and loop iterations in a
 * global and return once it is below zero, so each program ends, and its global holds the count for metering.
 */
import type { Seeded } from '../../../support/seeded.js';
import { END, exported, functionType, HANDLER_TYPES, I32, i32, memoryImport, moduleOf, signed, unsigned,
  type Func } from './module-bytes.js';

/** Function entries and loop iterations before a program returns. */
export const STEPS = 240;

const ONE_TYPE = 2;
const TWO_TYPE = 3;
/** Index of the first random function, after the version function and the handler. */
const FIRST = 2;
const LOCALS = 4;
const DEPTH_MAX = 4;
/** Statements of a function, including nested ones; few enough that no function costs two units. */
const STATEMENTS = 12;

const constant = (value: number) => [0x41, ...signed(value)];
const RESULTS = { [ONE_TYPE]: 1, [TWO_TYPE]: 2 } as const;

export function randomProgram(random: Seeded): Uint8Array<ArrayBuffer> {
  return new Program(random).bytes();
}

class Program {
  readonly #random: Seeded;
  readonly #types: (typeof ONE_TYPE | typeof TWO_TYPE)[];
  /** Whether functions can call themselves and each other; otherwise each calls only later ones. */
  readonly #isRecursive: boolean;
  #left = STATEMENTS;
  #own = 0;
  #results = 1;

  constructor(random: Seeded) {
    this.#random = random;
    this.#isRecursive = random.chance(0.3);
    this.#types = Array.from({ length: random.whole(1, 5) }, () => random.pick([ONE_TYPE, ONE_TYPE, TWO_TYPE]));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const functions = this.#types.map((type, index) => this.#function(type, index));
    const indices = functions.map((_, index) => unsigned(FIRST + index));
    return moduleOf({
      types: [...HANDLER_TYPES, functionType([I32], [I32]), functionType([I32], [I32, I32])],
      imports: [memoryImport([0, 1])],
      functions: [{ type: 1, code: constant(1) }, { type: 0, code: this.#handler() }, ...functions],
      tables: [[0x70, 0, ...unsigned(indices.length)]],
      globals: [[I32, 1, ...i32(0)]],
      exports: [exported('roce_abi_version', 0, 0), exported('roce_ack', 0, 1), exported('steps', 3, 0)],
      elements: [[0, ...i32(0), ...unsigned(indices.length), ...indices.flat()]],
    });
  }

  #handler(): number[] {
    return [...constant(STEPS), 0x24, 0, 0x20, 3, ...this.#callOf(0)];
  }

  #function(type: typeof ONE_TYPE | typeof TWO_TYPE, index: number): Func {
    this.#results = RESULTS[type];
    this.#own = index;
    this.#left = STATEMENTS;
    return { type, locals: LOCALS - 1, code: [...this.#count(), ...this.#statements(0), ...this.#values()] };
  }

  /** Counts one step; below zero, the function returns. */
  #count(): number[] {
    const step = [0x23, 0, ...constant(1), 0x6b, 0x24, 0];
    return [
      ...step,
      0x23,
      0,
      ...constant(0),
      0x48,
      0x04,
      0x40,
      ...Array.from({ length: this.#results }, () => constant(7)).flat(),
      0x0f,
      END,
    ];
  }

  #values(): number[] {
    return Array.from({ length: this.#results }, () => this.#expression(2)).flat();
  }

  /** @param labels number of enclosing blocks */
  #statements(labels: number): number[] {
    const statements: number[] = [];
    for (let count = this.#random.whole(1, 5); count > 0 && this.#left > 0; count--) {
      this.#left--;
      statements.push(...this.#statement(labels));
    }
    return statements;
  }

  #statement(labels: number): number[] {
    const random = this.#random;
    const kinds = [
      'set',
      'store',
      'fill',
      ...(labels > 0 ? ['branch', 'table'] : []),
      'return',
      ...(labels < DEPTH_MAX ? ['block', 'if', 'else', 'loop', 'loop', 'loop-with-value'] : []),
    ];
    const inner = () => this.#statements(labels + 1);
    switch (random.pick(kinds)) {
      case 'set':
        return [...this.#expression(3), 0x21, this.#local()];
      case 'store':
        return [...this.#address(), ...this.#expression(2), 0x36, 2, 0];
      case 'fill':
        return [
          ...this.#address(),
          ...this.#expression(1),
          ...this.#expression(1),
          ...constant(63),
          0x71,
          0xfc,
          0x0b,
          0,
        ];
      case 'branch':
        return random.chance(0.2) ? [0x0c, this.#label(labels)] : [...this.#condition(), 0x0d, this.#label(labels)];
      case 'table':
        return [
          ...this.#expression(1),
          ...constant(3),
          0x71,
          0x0e,
          2,
          this.#label(labels),
          this.#label(labels),
          this.#label(labels),
        ];
      case 'return':
        return random.chance(0.3) ?
          [...this.#values(), 0x0f] :
          [...this.#condition(), 0x04, 0x40, ...this.#values(), 0x0f, END];
      case 'block':
        return [0x02, 0x40, ...inner(), END];
      case 'if':
        return [...this.#condition(), 0x04, 0x40, ...inner(), END];
      case 'else':
        return [...this.#condition(), 0x04, 0x40, ...inner(), 0x05, ...inner(), END];
      case 'loop':
        return [0x03, 0x40, ...this.#count(), ...inner(), ...this.#condition(), 0x0d, 0, END];
      default:
        return [
          ...this.#expression(1),
          0x03,
          ONE_TYPE,
          0x21,
          0,
          ...this.#count(),
          ...this.#expression(1),
          ...this.#condition(),
          0x0d,
          0,
          END,
          0x21,
          this.#local(),
        ];
    }
  }

  #local(): number {
    return this.#random.whole(0, LOCALS - 1);
  }

  #label(labels: number): number {
    return this.#random.whole(0, labels - 1);
  }

  #condition(): number[] {
    return [...this.#expression(1), ...constant(1), 0x71];
  }

  /** A multiple of four below 4,096. */
  #address(): number[] {
    return [...this.#expression(1), ...constant(0xffc), 0x71];
  }

  #expression(depth: number): number[] {
    const random = this.#random;
    const first = this.#isRecursive ? 0 : this.#own + 1;
    const kinds = [
      'local',
      'constant',
      ...(depth > 0 ? ['binary', 'binary', 'load'] : []),
      ...(depth > 0 && first < this.#types.length ? ['call', this.#isRecursive ? 'indirect' : 'call'] : []),
    ];
    switch (random.pick(kinds)) {
      case 'local':
        return [0x20, this.#local()];
      case 'constant':
        return constant(random.u32() | 0);
      case 'binary':
        return [
          ...this.#expression(depth - 1),
          ...this.#expression(depth - 1),
          random.pick([0x6a, 0x6b, 0x6c, 0x73, 0x77]),
        ];
      case 'load':
        return [...this.#address(), 0x28, 2, 0];
      case 'call':
        return [...this.#expression(0), ...this.#callOf(random.whole(first, this.#types.length - 1))];
      default:
        return this.#indirectCall();
    }
  }

  #callOf(index: number): number[] {
    return [0x10, FIRST + index, ...(this.#types[index] === TWO_TYPE ? [0x6a] : [])];
  }

  #indirectCall(): number[] {
    const index = this.#random.whole(0, this.#types.length - 1);
    const type = this.#types[index]!;
    return [...this.#expression(0), ...constant(index), 0x11, type, 0, ...(type === TWO_TYPE ? [0x6a] : [])];
  }
}
