/**
 * JavaScript handlers as functions that the kernel calls: numbers in, views moved, result as HANDLED_*.
 *
 * A table only takes functions of modules, so a small module imports the JavaScript functions and exports them again.
 * All handlers have the type (i32, i32, f64, i32) -> i32, so one module with eight functions is enough.
 *
 * A watch shows another thread which handler is running: a thread whose handler never returns cannot report that
 * itself. Modules need no watch: their calls have a budget of loop iterations.
 */
import { CUSTOM_STATE, CUSTOM_UNTIL, HANDLED_NOT_USED, HANDLED_USED, HANDLER_COUNT } from '../abi/custom-layout.js';
import { HANDLER_NAMES, type CustomAlgorithm, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
import type { CustomParameters } from '../config/algorithms/custom/custom-parameters.js';
import { AckView, CallView, NackView, type Handlers, type LinearMemory } from './events.js';
import { QpView } from './qp-view.js';
import type { Reasons } from './bound.js';

/** What the views of a parameter set need. */
export interface ViewContext {
  readonly memory: LinearMemory;
  readonly reasons: Reasons;
  /** Modulus of the byte counters of IOAM traces. */
  readonly txSpanBytes: number;
}

type AnyHandlers = Handlers<object, unknown>;

/** An algorithm's handlers for QPs of one parameter set, by HANDLER_*; undefined where there is none. */
export function rawHandlers(custom: CustomAlgorithm, handlers: AnyHandlers, parameters: CustomParameters,
  context: ViewContext): readonly (RawHandler | undefined)[] {
  const { memory } = context;
  const qp = new QpView(memory, custom.state, custom.valuesOf(parameters), context.reasons);
  const ack = new AckView(memory, context.txSpanBytes);
  const nack = new NackView(memory);
  const call = new CallView();
  const withCall = (handler: (qp: QpView, event: CallView) => unknown): RawHandler => (record, _, timePs, argument) => {
    qp.moveTo(record);
    call.timePs = timePs;
    call.argument = argument;
    call.untilPs = memory.f64[(record + CUSTOM_UNTIL) >>> 3];
    return handler(qp, call) === false ? HANDLED_NOT_USED : HANDLED_USED;
  };
  const withAck =
    (handler: (qp: QpView, event: AckView) => unknown, isFast: boolean): RawHandler => (record, _, timePs, at) => {
      qp.moveTo(record);
      ack.moveTo(at, timePs);
      ack.isFast = isFast;
      return handler(qp, ack) === false ? HANDLED_NOT_USED : HANDLED_USED;
    };
  const withNack = (handler: (qp: QpView, event: NackView) => unknown): RawHandler => (record, _, timePs, at) => {
    qp.moveTo(record);
    nack.at = at;
    nack.timePs = timePs;
    return handler(qp, nack) === false ? HANDLED_NOT_USED : HANDLED_USED;
  };
  const { open, sent, ack: onAck, cnp, fastCnp = cnp, loss, timer, nack: onNack } = handlers;
  const initial = Float64Array.from(custom.initialState);
  const raw: Record<HandlerName, RawHandler | undefined> = {
    open(record) {
      qp.moveTo(record);
      memory.f64.set(initial, (record + CUSTOM_STATE) >>> 3);
      return open?.(qp) === false ? HANDLED_NOT_USED : HANDLED_USED;
    },
    sent: sent && withCall(sent),
    ack: onAck && withAck(onAck, false),
    cnp: cnp && withAck(cnp, false),
    fastCnp: fastCnp && withAck(fastCnp, true),
    loss: loss && withCall(loss),
    timer: timer && withCall(timer),
    nack: onNack && withNack(onNack),
  };
  return HANDLER_NAMES.map((name, number) => raw[name] && watched(raw[name], number));
}

/**
 * Shared numbers: calls so far, whether one is running, HANDLER_* (congestion-point handlers come after those of
 * algorithms), address of the QP's record, time in picoseconds.
 */
export const WATCH_CALLS = 0;
export const WATCH_RUNNING = 1;
export const WATCH_HANDLER = 2;
export const WATCH_RECORD = 3;
export const WATCH_TIME = 4;
export const WATCH_NUMBERS = 5;

let shared: Float64Array | undefined;

/** Handlers bound from now on record their calls in this array of WATCH_NUMBERS numbers; undefined disables that. */
export function watchCalls(numbers: Float64Array | undefined): void {
  shared = numbers;
}

type Handler = (record: number, parameters: number, timePs: number, argument: number) => number;

/** Wraps a handler so that it records its calls, if calls are watched. */
export function watched(handler: Handler, number: number): Handler {
  const numbers = shared;
  if (numbers === undefined) return handler;
  return (record, parameters, timePs, argument) => {
    numbers[WATCH_HANDLER] = number;
    numbers[WATCH_RECORD] = record;
    numbers[WATCH_TIME] = timePs;
    numbers[WATCH_CALLS] += 1;
    numbers[WATCH_RUNNING] = 1;
    const result = handler(record, parameters, timePs, argument);
    numbers[WATCH_RUNNING] = 0;
    return result;
  };
}

/**
 * A handler as the kernel calls it: address of the QP's record, parameters, time in picoseconds, argument; the result
 * is HANDLED_*.
 */
export type RawHandler = (qp: number, parameters: number, timePs: number, argument: number) => number;

const I32 = 0x7f;
const F64 = 0x7c;
const FUNCTION = 0;
const names = Array.from({ length: HANDLER_COUNT }, (_, index) => String(index));

/** Builds a section. It must have fewer than 128 bytes, so that each length is one byte. */
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
const text = (word: string): number[] => [word.length, ...Array.from(word, (letter) => letter.charCodeAt(0))];
const vector = (items: readonly (readonly number[])[]): number[] => [items.length, ...items.flat()];

/** The module (WebAssembly core specification, section 5.5): types, imports, exports. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const type = [0x60, 4, I32, I32, F64, I32, 1, I32];
  const imports = names.map((name) => [...text('h'), ...text(name), FUNCTION, 0]);
  const exports = names.map((name, index) => [...text(name), FUNCTION, index]);
  return Uint8Array.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, vector([type])),
    ...section(2, vector(imports)),
    ...section(7, vector(exports)),
  ]);
}

let compiled: WebAssembly.Module | undefined;

/** The functions as table entries, by HANDLER_*; missing ones are never called. */
export function asTableFunctions(handlers: readonly (RawHandler | undefined)[]): readonly CallableFunction[] {
  compiled ??= new WebAssembly.Module(moduleBytes());
  const h = Object.fromEntries(names.map((name, index) => [name, handlers[index] ?? missing]));
  const { exports } = new WebAssembly.Instance(compiled, { h });
  return names.map((name) => exports[name] as CallableFunction);
}

function missing(): never {
  throw new Error('a handler that was not registered');
}
