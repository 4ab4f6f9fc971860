/** JavaScript handlers as functions that the kernel calls: numbers in, views moved, result as HANDLED_*. */
import { CUSTOM_STATE, CUSTOM_UNTIL, HANDLED_NOT_USED, HANDLED_USED } from '../abi/custom-layout.js';
import { HANDLER_NAMES, type CustomAlgorithm, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
import type { CustomParameters } from '../config/algorithms/custom/custom-parameters.js';
import { watched } from './call-watch.js';
import { AckView, CallView, NackView } from './event-views.js';
import type { Handlers } from './events.js';
import type { LinearMemory } from './linear-memory.js';
import { QpView } from './qp-view.js';
import type { Reasons } from './reasons.js';
import type { RawHandler } from './trampoline.js';

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
