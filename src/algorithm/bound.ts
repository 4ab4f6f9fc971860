/**
 * Custom algorithms bound to an engine. An exception in a call becomes the error of the handler that was running, and
 * ends all calls.
 */
import { KEPT_HOP_BYTES } from '../abi/ack-layout.js';
import type { Backend } from '../abi/engine-abi.js';
import { QP_PARAMETER_SET_SHIFT } from '../abi/codes.js';
import * as layout from '../abi/custom-layout.js';
import { CAPACITY_ADDRESS, PARAMETER_SETS_ADDRESS, PARAMETER_SET_BYTES, REGION_KEPT_HOPS, REGION_QP_FLAGS,
  REGIONS_ADDRESS } from '../abi/layout.js';
import { CAPACITY } from '../abi/records/engine-capacity.js';
import { HANDLER_NAMES, type CustomAlgorithm } from '../config/algorithms/custom/custom-algorithm.js';
import { RoceError, type Allowed } from '../errors.js';
import type { LinearMemory } from './events.js';
import { CALL_DEPTH_MAX, FUEL_EXHAUSTED, FUEL_STACK_OVERFLOW, FUEL_TOO_DEEP } from './module/abi.js';

/** An algorithm in the table. */
export interface Bound {
  readonly custom: CustomAlgorithm;
  /** Number of the algorithm: ALGORITHM_CUSTOM or above. */
  readonly code: number;
  readonly reasons: Reasons;
  /** The module's functions by HANDLER_*: one instance serves all parameter sets. */
  functions?: readonly CallableFunction[];
  /** Why the meter ended the module's last call, FUEL_*; 0 or more if it did not. */
  fuel?: () => number;
}

export interface BoundAlgorithms {
  readonly memory: LinearMemory;
  readonly algorithms: readonly Bound[];
}

interface Fault {
  readonly what: string;
  readonly problem?: string;
  readonly allowed?: Allowed;
}

/** What is wrong with the values that a handler left, by FAULT_*. */
const FAULTS: Readonly<Record<number, (lineRateBps: number, timePs: number) => Fault>> = {
  [layout.FAULT_RATE]: (max) => ({ what: 'the rate', allowed: { above: 0, max, unit: 'bit/s' } }),
  [layout.FAULT_WINDOW]: () => ({
    what: 'the window',
    allowed: '0 (no window) to 2^53 bytes, or 0 without an ACK handler',
  }),
  [layout.FAULT_NEXT_SEND]: () => ({
    what: 'the time of the next packet',
    allowed: { min: 0, max: 2 ** 62, unit: 'ps' },
  }),
  [layout.FAULT_TIMER]: (_, min) => ({ what: 'a timer', allowed: { min, unit: 'ps' } }),
  [layout.FAULT_TIMER_BUDGET]: () => ({
    what: 'timers',
    problem: `have expired ${
      layout.CUSTOM_TIMER_BUDGET.toLocaleString('en')
    } times before one event, the last one due at`,
  }),
  [layout.FAULT_GUARD]: () => ({ what: 'memory outside the QP record', problem: 'was overwritten' }),
  [layout.FAULT_RESULT]: () => ({ what: 'the result of the handler', allowed: [0, 1, 2] }),
  [layout.FAULT_READ_ONLY]: () => ({ what: 'a read-only field', problem: 'was overwritten' }),
};

/**
 * The error for a call into the engine that threw.
 *
 * @param error the exception.
 * @param nameOf how to name a QP; default: its number.
 * @returns RoceError `algorithm-fault` with algorithm, handler, QP and time if a handler was running; else the error
 * itself.
 */
export function callFault({ memory, algorithms }: BoundAlgorithms, error: Error,
  nameOf: (qp: number) => string = (qp) => `QP ${qp}`): Error {
  memory.refresh();
  const view = new DataView(memory.u8.buffer);
  const word = (offset: number): number => view.getUint32(layout.CUSTOM_CALL_ADDRESS + offset, true);
  const handler = word(layout.CALL_HANDLER);
  const record = word(layout.CALL_QP);
  if (handler >= layout.HANDLER_COUNT || record === 0) return error;
  const qp = qpOf(view, record);
  const bound = algorithmAt(view, algorithms, qp);
  if (bound === undefined) return error;
  const timePs = view.getFloat64(layout.CUSTOM_CALL_ADDRESS + layout.CALL_TIME, true);
  const fault = FAULTS[word(layout.CALL_FAULT)]?.(view.getFloat64(record + layout.CUSTOM_LINE_RATE, true), timePs);
  const got = view.getFloat64(layout.CUSTOM_CALL_ADDRESS + layout.CALL_VALUE, true);
  const { name } = bound.custom;
  const place = { algorithm: name, handler: HANDLER_NAMES[handler], qp, timePs };
  const where = `${name}, ${place.handler}, ${nameOf(qp)}, at ${timePs} ps`;
  const said = fault === undefined ? thrownFault(bound.custom, bound.fuel, error) : { ...fault, got };
  return Object.assign(new RoceError('algorithm-fault', { ...said, where }), { call: place, cause: error });
}

/** The text of a reason that a QP's algorithm gave; undefined if the number is unknown. */
export function reasonText({ memory, algorithms }: BoundAlgorithms, qp: number, reason: number): string | undefined {
  memory.refresh();
  return algorithmAt(new DataView(memory.u8.buffer), algorithms, qp)?.reasons.textOf(reason);
}

function regionOf(view: DataView, region: number): number {
  return view.getUint32(REGIONS_ADDRESS + 4 * region, true);
}

/** The number of the QP that owns this record. */
function qpOf(view: DataView, record: number): number {
  const bytes = view.getUint32(CAPACITY_ADDRESS + 4 * CAPACITY.index.hops, true) * KEPT_HOP_BYTES;
  return Math.floor((record - regionOf(view, REGION_KEPT_HOPS)) / bytes);
}

function algorithmAt(view: DataView, algorithms: readonly Bound[], qp: number): Bound | undefined {
  const flags = view.getUint8(regionOf(view, REGION_QP_FLAGS) + qp);
  const set = PARAMETER_SETS_ADDRESS + (flags >> QP_PARAMETER_SET_SHIFT) * PARAMETER_SET_BYTES;
  const code = view.getUint32(set, true);
  return algorithms.find((one) => one.code === code);
}

/** Why a module's meter ended a call. */
const METERED: Readonly<Record<number, string>> = {
  [FUEL_EXHAUSTED]: 'has exhausted its budget of loop iterations and calls for one event',
  [FUEL_TOO_DEEP]: `has nested more than ${CALL_DEPTH_MAX} calls`,
  [FUEL_STACK_OVERFLOW]: 'has overflowed its stack',
};

/** Numbers for reason texts of rate changes, as used in traces: 1 is the first, 0 means none. */
export class Reasons {
  readonly #texts: string[];
  readonly #numbers = new Map<string, number>();
  #lastText = '';
  #lastNumber = 0;

  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    texts.forEach((text, index) => this.#numbers.set(text, index + 1));
  }

  /** Handlers often repeat the previous reason. */
  numberOf(text: string): number {
    if (text !== this.#lastText || this.#lastNumber === 0) {
      this.#lastNumber = this.#numbers.get(text) ?? this.#added(text);
      this.#lastText = text;
    }
    return this.#lastNumber;
  }

  #added(text: string): number {
    const number = this.#texts.push(text);
    this.#numbers.set(text, number);
    return number;
  }

  /** The text of a reason; undefined if the number is unknown. */
  textOf(number: number): string | undefined {
    return this.#texts[number - 1];
  }
}

/** An algorithm or a congestion point. */
interface Defined {
  readonly name: string;
  readonly code: { readonly kind: 'handlers' | 'module' };
}

/** The error for a handler that threw, or a module that trapped. @param fuel of a module: FUEL_* of its last call. */
export function thrownFault({ name, code }: Defined, fuel: (() => number) | undefined,
  error: unknown): { readonly what: string; readonly problem: string; readonly got?: unknown } {
  const what = `the handler of ${name}`;
  const metered = METERED[fuel?.() ?? 0];
  if (metered !== undefined) return { what, problem: metered };
  const text = error instanceof Error ? error.message : String(error);
  return { what, problem: code.kind === 'module' ? `has trapped: ${text}` : `has thrown: ${text}` };
}

type Call = (...numbers: number[]) => number;

/**
 * Wraps the named exports of a module that runs user handlers: when a handler fails, the call throws `algorithm-fault`, and so does every later call,
 * because an engine cannot continue from the state that a failed handler leaves.
 *
 * @param faultOf maps an exception to the error of the running handler, or to itself if none was running.
 */
export function guardCalls<Abi extends object>(abi: Abi, names: readonly (keyof Abi)[],
  faultOf: (error: Error) => Error): GuardedAbi<Abi> {
  let fault: Error | undefined;
  const guarded = { ...abi };
  for (const name of names) {
    const call = abi[name] as Call | undefined;
    if (call === undefined) continue;
    guarded[name] = ((...numbers: number[]) => {
      if (fault !== undefined) throw fault;
      try {
        return call(...numbers);
      } catch (error) {
        fault = faultOf(error as Error);
        throw fault;
      }
    }) as Abi[keyof Abi];
  }
  return {
    abi: guarded,
    forget: () => {
      fault = undefined;
    },
  };
}

interface GuardedAbi<Abi> {
  readonly abi: Abi;
  /** Allows calls again, after another state was loaded. */
  readonly forget: () => void;
}

/** Exports of an engine that may run handlers. */
const GUARDED_CALLS = ['openQp', 'applyEvents', 'applyPackets', 'applyEvent', 'advance'] as const;

/** Guards a backend; loading a snapshot makes an engine usable again after a fault. */
export function guardedBackend(backend: Backend, custom: BoundAlgorithms): Backend {
  const { abi, forget } = guardCalls(backend.abi, GUARDED_CALLS, (error) => callFault(custom, error));
  return {
    abi,
    build: backend.build,
    save: () => backend.save(),
    load(state, parameterSets, endpoints) {
      const isLoaded = backend.load(state, parameterSets, endpoints);
      if (isLoaded) forget();
      return isLoaded;
    },
  };
}
