/**
 * One QP under a module, outside the engine: its records at the offsets of the ABI, and a readable version of what the
 * engine does around handlers. Its events and results are those of the readable models.
 */
import * as ack from '../../../src/abi/ack-layout.js';
import * as layout from '../../../src/abi/custom-layout.js';
import { eventRejection, type Ack, type AckOutcome } from '../../../src/reference/algorithms/ack.js';
import type { Telemetry } from '../../../src/reference/algorithms/hpcc/hops.js';
import { paceRateChange, paceSent } from '../../../src/reference/algorithms/rate-numbers.js';
import type { SendGap, SequenceNumbers } from '../../../src/config/algorithms/algorithm.js';

/** The signature of all handlers. */
type Handler = (qp: number, parameters: number, timePs: number, argument: number) => number;

export type HandlerName = 'open' | 'sent' | 'ack' | 'cnp' | 'fast_cnp' | 'loss' | 'timer';

/** The settings of a declaration and the common parameters that the engine needs. */
export interface Frame {
  /** In the order of the declaration, with choices as their index. */
  readonly parameters: readonly number[];
  readonly lineRateBps: number;
  readonly sequence: SequenceNumbers;
  readonly sendGap: SendGap;
  readonly timers: 'before-event' | 'after-event';
  readonly pacing: 'next-packet' | 'running-gap';
}

const QP = 131_072;
const PARAMETERS = 135_168;
const ACK = 139_264;
const POISON = 0xa5;
/** Most expiries before one event: an algorithm must skip those that change nothing. */
const EXPIRIES_MAX = 100_000;
const OUTCOMES = ['used', 'not-used', 'no-signal'] as const;

export class ModuleQp {
  readonly #handlers: Readonly<Record<string, Handler | undefined>>;
  readonly #frame: Frame;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(module: WebAssembly.Module, frame: Frame) {
    const memory = new WebAssembly.Memory({ initial: 3 });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    this.#handlers = exports as Record<string, Handler | undefined>;
    this.#frame = frame;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
    this.#bytes.fill(POISON, QP);
    this.#bytes.fill(0, QP, QP + layout.CUSTOM_STATE + layout.CUSTOM_STATE_BYTES_MAX);
    frame.parameters.forEach((value, i) => {
      this.#view.setFloat64(PARAMETERS + 8 * i, value, true);
    });
    this.#set(layout.CUSTOM_RATE, frame.lineRateBps);
    this.#set(layout.CUSTOM_LINE_RATE, frame.lineRateBps);
    for (let i = 0; i < layout.CUSTOM_TIMER_COUNT; i += 1) this.#set(layout.CUSTOM_TIMERS + 8 * i, Infinity);
    this.#view.setUint32(QP + layout.CUSTOM_FLAGS, layout.CUSTOM_PACED, true);
    this.#view.setUint32(QP + layout.CUSTOM_SEQUENCE, Number(frame.sequence === 'psn24'), true);
    this.#call('open', 0, 0);
  }

  get rateBps(): number {
    return this.#get(layout.CUSTOM_RATE);
  }

  get windowBytes(): number {
    return this.#get(layout.CUSTOM_WINDOW);
  }

  get nextSendPs(): number {
    return this.#get(layout.CUSTOM_NEXT_SEND);
  }

  get lastEventPs(): number {
    return this.#get(layout.CUSTOM_LAST_EVENT);
  }

  get isPaced(): boolean {
    return (this.#view.getUint32(QP + layout.CUSTOM_FLAGS, true) & layout.CUSTOM_PACED) !== 0;
  }

  /** One field of the algorithm's state, by its index. */
  state(index: number): number {
    return this.#get(layout.CUSTOM_STATE + 8 * index);
  }

  onSent(timePs: number, lenBytes: number): string {
    const rejection = eventRejection(timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.#expire(this.#horizon(timePs));
    this.#view.setUint32(QP + layout.CUSTOM_LAST_LENGTH, lenBytes, true);
    this.#call('sent', timePs, lenBytes);
    if (this.isPaced) {
      const pace = { lastEventPs: timePs, lastLenBytes: lenBytes, nextSendPs: 0 };
      paceSent(this.#frame.sendGap, pace, timePs, lenBytes, this.rateBps);
      this.#set(layout.CUSTOM_NEXT_SEND, pace.nextSendPs);
    }
    this.#set(layout.CUSTOM_LAST_EVENT, timePs);
    return 'handled';
  }

  onAck(given: Ack): AckOutcome | (typeof OUTCOMES)[number] {
    const rejection = eventRejection(given.timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.#expire(this.#horizon(given.timePs));
    this.#writeAck(given);
    const outcome = this.#call('ack', given.timePs, ACK);
    if (outcome !== layout.HANDLED_NO_SIGNAL) this.#set(layout.CUSTOM_LAST_EVENT, given.timePs);
    return OUTCOMES[outcome]!;
  }

  onCnp(timePs: number): string {
    const rejection = eventRejection(timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.#expire(this.#horizon(timePs));
    this.#call('cnp', timePs, 0);
    this.#set(layout.CUSTOM_LAST_EVENT, timePs);
    return 'handled';
  }

  onTouch(timePs: number): string {
    const rejection = eventRejection(timePs, this.lastEventPs);
    if (rejection !== undefined) return rejection;
    this.#expire(timePs);
    this.#set(layout.CUSTOM_LAST_EVENT, timePs);
    return 'handled';
  }

  #horizon(timePs: number): number {
    return this.#frame.timers === 'before-event' ? timePs : timePs - 1;
  }

  #expire(horizonPs: number): void {
    this.#set(layout.CUSTOM_UNTIL, horizonPs);
    for (let steps = 0;; steps += 1) {
      const timers = Array.from({ length: layout.CUSTOM_TIMER_COUNT }, (_, i) =>
        this.#get(layout.CUSTOM_TIMERS + 8 * i));
      const duePs = Math.min(...timers);
      if (duePs > horizonPs) return;
      if (steps === EXPIRIES_MAX) throw new Error('timers expire without end');
      const index = timers.indexOf(duePs);
      this.#set(layout.CUSTOM_TIMERS + 8 * index, Infinity);
      this.#call('timer', duePs, index);
    }
  }

  #call(name: HandlerName, timePs: number, argument: number): number {
    const handler = this.#handlers[`roce_${name}`];
    if (handler === undefined) return layout.HANDLED_USED;
    const { rateBps: before, lastEventPs } = this;
    const result = handler(QP, PARAMETERS, timePs, argument);
    this.#check(timePs);
    if (this.#frame.pacing === 'running-gap') {
      const lastLenBytes = this.#view.getUint32(QP + layout.CUSTOM_LAST_LENGTH, true);
      const pace = { lastEventPs, lastLenBytes, nextSendPs: this.nextSendPs };
      paceRateChange(this.#frame.sendGap, pace, before, this.rateBps);
      this.#set(layout.CUSTOM_NEXT_SEND, pace.nextSendPs);
    }
    return result;
  }

  /** The checks of the engine after a handler returns. */
  #check(timePs: number): void {
    const { rateBps, windowBytes, nextSendPs } = this;
    const timers = Array.from({ length: layout.CUSTOM_TIMER_COUNT }, (_, i) => this.#get(layout.CUSTOM_TIMERS + 8 * i));
    const holds = rateBps > 0 && rateBps <= this.#frame.lineRateBps && windowBytes >= 0 && windowBytes <= 2 ** 53 &&
      nextSendPs >= 0 && timers.every((duePs) => duePs >= timePs) && this.#isContained();
    if (!holds) throw new Error(`a handler left ${[rateBps, windowBytes, nextSendPs, ...timers].join(', ')}`);
  }

  #isContained(): boolean {
    const end = QP + layout.CUSTOM_STATE + layout.CUSTOM_STATE_BYTES_MAX;
    return this.#bytes.subarray(end, end + layout.CUSTOM_GUARD_BYTES).every((byte) => byte === POISON);
  }

  #writeAck({ ackSeq, sndNxt, sentTimePs, telemetry, ...given }: Ack): void {
    const view = this.#view;
    view.setUint32(ACK + ack.ACK_SEQ, ackSeq, true);
    view.setUint32(ACK + ack.ACK_SND_NXT, sndNxt, true);
    view.setFloat64(ACK + ack.ACK_SENT_TIME, sentTimePs ?? NaN, true);
    view.setFloat64(ACK + ack.ACK_HOST_DELAY, given.hostDelayPs ?? 0, true);
    view.setFloat64(ACK + ack.ACK_ACKED_PACKETS, given.ackedPackets ?? 1, true);
    view.setUint8(ACK + ack.ACK_ECN_ECHO, Number(given.ecnEcho));
    this.#writeTelemetry(telemetry);
  }

  #writeTelemetry(telemetry: Telemetry | undefined): void {
    const view = this.#view;
    view.setUint32(ACK + ack.ACK_PATH_ID, telemetry?.kind === 'exact' ? (telemetry.pathId ?? 0) : 0, true);
    const kind = telemetry === undefined ? ack.TELEMETRY_NONE : ack.TELEMETRY_EXACT;
    view.setUint8(ACK + ack.ACK_TELEMETRY, telemetry?.kind === 'int64' ? ack.TELEMETRY_INT64 : kind);
    const count = telemetry?.kind === 'int64' ? telemetry.hopCount : telemetry?.hops.length;
    view.setUint8(ACK + ack.ACK_HOP_COUNT, count ?? 0);
    telemetry?.hops.forEach((hop, i) => {
      const at = ACK + ack.ACK_HOPS + ack.ACK_HOP_BYTES * i;
      if ('lineRateCode' in hop) {
        [hop.lineRateCode, hop.time, hop.bytes, hop.qlen].forEach((value, field) => {
          view.setUint32(at + 4 * field, value, true);
        });
        return;
      }
      [hop.timePs, hop.txBytes, hop.qlenBytes, hop.lineRateBps].forEach((value, field) => {
        view.setFloat64(at + 8 * field, value, true);
      });
      view.setUint32(at + ack.HOP_ID, hop.hopId ?? 0, true);
    });
  }

  #get(offset: number): number {
    return this.#view.getFloat64(QP + offset, true);
  }

  #set(offset: number, value: number): void {
    this.#view.setFloat64(QP + offset, value, true);
  }
}
