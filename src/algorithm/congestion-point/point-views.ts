/** The record of one packet at one queue, read in place, and the handler's result. */
import * as layout from '../../abi/custom-point-layout.js';
import { numbersOf, type ParameterValues } from '../../config/algorithms/custom/declaration.js';
import type { CustomCongestionPoint } from '../../config/custom-congestion-point.js';
import type { LinearMemory } from '../linear-memory.js';
import { stateView, type StatePlace } from '../qp-view.js';
import type { PointPacket, PointPort } from './define-congestion-point.js';

/** Offsets in units of 64 or 32 bits. */
const QUEUE_BYTES = layout.POINT_QUEUE_BYTES >> 3;
const TOTAL_QUEUE_BYTES = layout.POINT_TOTAL_QUEUE_BYTES >> 3;
const LINE_RATE = layout.POINT_LINE_RATE >> 3;
const KMIN = layout.POINT_KMIN >> 3;
const KMAX = layout.POINT_KMAX >> 3;
const PMAX = layout.POINT_PMAX >> 3;
const RANDOM = layout.POINT_RANDOM >> 3;
const NODE = layout.POINT_NODE >> 2;
const PORT = layout.POINT_PORT >> 2;
const CLASS = layout.POINT_CLASS >> 2;
const FLOW = layout.POINT_FLOW >> 2;
const LENGTH = layout.POINT_LENGTH >> 2;
const PACKET = layout.POINT_PACKET >> 2;
const STATE = layout.POINT_STATE >> 3;

/** The call record, and the result of the current call. */
export class PointCall implements StatePlace {
  readonly #memory: LinearMemory;
  /** Offset of the record, in units of 64 bits. */
  readonly at: number;
  timePs = 0;
  /** Result of the handler, POINT_* bits. */
  answer: number = layout.POINT_NOTHING;

  /** @param at byte address of the record. */
  constructor(memory: LinearMemory, at: number) {
    this.#memory = memory;
    this.at = at >>> 3;
  }

  get f64(): Float64Array {
    return this.#memory.f64;
  }

  /** Reads a 64-bit number of the record. */
  number(field: number): number {
    return this.#memory.f64[this.at + field];
  }

  /** Reads a 32-bit word of the record. */
  word(field: number): number {
    return this.#memory.u32[2 * this.at + field];
  }
}

export class PortView implements PointPort<object, object> {
  readonly parameters: ParameterValues;
  readonly state: object;
  readonly portState: object;
  readonly #call: PointCall;

  constructor(call: PointCall, custom: CustomCongestionPoint, parameters: ParameterValues) {
    this.#call = call;
    this.parameters = parameters;
    this.state = stateView(call, STATE, custom.state);
    this.portState = stateView(call, STATE + numbersOf(custom.state).length, custom.portState);
  }

  get timePs(): number {
    return this.#call.timePs;
  }
  get queueBytes(): number {
    return this.#call.number(QUEUE_BYTES);
  }
  get totalQueueBytes(): number {
    return this.#call.number(TOTAL_QUEUE_BYTES);
  }
  get lineRateBps(): number {
    return this.#call.number(LINE_RATE);
  }
  get kminBytes(): number {
    return this.#call.number(KMIN);
  }
  get kmaxBytes(): number {
    return this.#call.number(KMAX);
  }
  get pmax(): number {
    return this.#call.number(PMAX);
  }
  get node(): number {
    return this.#call.word(NODE);
  }
  get number(): number {
    return this.#call.word(PORT);
  }
  get trafficClass(): number {
    return this.#call.word(CLASS);
  }

  random(): number {
    if (this.#call.answer & layout.POINT_DREW) throw new RangeError('port.random() gives one number per packet');
    this.#call.answer |= layout.POINT_DREW;
    return this.#call.number(RANDOM);
  }
}

export class PacketView implements PointPacket<object> {
  readonly flowState: object;
  readonly #call: PointCall;

  constructor(call: PointCall, custom: CustomCongestionPoint) {
    this.#call = call;
    const first = STATE + numbersOf(custom.state).length + numbersOf(custom.portState).length;
    this.flowState = stateView(call, first, custom.flowState);
  }

  get flow(): number {
    return this.#call.word(FLOW);
  }
  get lenBytes(): number {
    return this.#call.word(LENGTH);
  }
  get isData(): boolean {
    return this.#is(layout.POINT_PACKET_DATA);
  }
  get isMarkable(): boolean {
    return this.#is(layout.POINT_PACKET_MARKABLE);
  }
  get isMarked(): boolean {
    return this.#is(layout.POINT_PACKET_MARKED);
  }
  get acceptsFastCnps(): boolean {
    return this.#is(layout.POINT_PACKET_ACCEPTS_FAST_CNPS);
  }

  mark(): void {
    this.#call.answer |= layout.POINT_MARK;
  }

  sendFastCnp(): void {
    this.#call.answer += layout.POINT_SEND_FAST_CNP;
  }

  #is(bit: number): boolean {
    return (this.#call.word(PACKET) & bit) !== 0;
  }
}
