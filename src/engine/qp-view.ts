/**
 * The state of one QP, read from engine memory: always current, never a copy. The algorithm's own state:
 * `algorithmState`.
 */
import { QP_LIMITED, QP_OPEN, QP_PARAMETER_SET_SHIFT } from '../abi/codes.js';
import * as layout from '../abi/layout.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { readsAcks } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { AlgorithmState } from './algorithm-state.js';
import { regionAddress, type MemoryViews } from './memory-views.js';
import type { EngineParts } from './parts.js';
import { CONTROLLER } from '../abi/records/controllers.js';

/** A live view of one QP's state: `engine.qp(qp)`. It reads engine memory and stores nothing. */
export class QpView {
  /** Number of the QP, as `openQp` returned it. */
  readonly qp: number;
  readonly #abi: EngineAbi;
  readonly #views: MemoryViews;
  readonly #config: EngineConfig;
  readonly #parts: EngineParts;

  /** @internal Use `engine.qp`. */
  constructor(config: EngineConfig, abi: EngineAbi, views: MemoryViews, qp: number, parts: EngineParts) {
    this.#parts = parts;
    this.#config = config;
    this.#abi = abi;
    this.#views = views;
    this.qp = qp;
  }

  /** Current rate, bits per second. */
  get rateBps(): number {
    return this.#f64(layout.QP_RATE);
  }
  /** Most bytes that may be unacknowledged; 0 if there is no window (DCQCN, TIMELY and DCTCP have none). */
  get windowBytes(): number {
    const parameters = this.#config.parameterSets[this.parameterSet];
    return readsAcks(parameters, this.#parts.algorithms) ? this.#f64(CONTROLLER.at.windowBytes) : 0;
  }
  /** Time of the last event that this state reflects, picoseconds. */
  get lastEventPs(): number {
    return this.#f64(layout.QP_LAST_EVENT);
  }
  /** Earliest time of the next packet, picoseconds; 0 means immediately. */
  get nextSendPs(): number {
    return this.#f64(layout.QP_NEXT_SEND);
  }
  /** Whether the QP is open. */
  get isOpen(): boolean {
    return (this.flags & QP_OPEN) !== 0;
  }
  /**
   * Whether a rate limiter is active. Under DCQCN, from a CNP until the line rate is reached again; otherwise always.
   */
  get isLimited(): boolean {
    return (this.flags & QP_LIMITED) !== 0;
  }
  /** Index of the QP's parameter set. */
  get parameterSet(): number {
    return this.flags >> QP_PARAMETER_SET_SHIFT;
  }
  /** Bits: 1 open, 2 limited, two of DCQCN; above them the index of the parameter set. */
  get flags(): number {
    return this.#views.u8[regionAddress(this.#views, layout.REGION_QP_FLAGS) + this.qp] ?? 0;
  }

  /**
   * A copy of all of its algorithm's state, including hop records: for tests, tables and display, not for hot paths.
   *
   * @example
   * const state = engine.qp(qp).algorithmState();
   * if (state.algorithm === 'dcqcn') console.log(state.alpha, state.targetBps);
   * if (state.algorithm === 'hpcc') console.log(state.utilization, state.incStage, state.committed);
   */
  algorithmState(): AlgorithmState {
    const { qp, flags, parameterSet } = this;
    return this.#parts.readAlgorithmState(this.#config, this.#views, { qp, flags, parameterSet, at: this.#address(0) });
  }

  #f64(field: number): number {
    return this.#views.f64[this.#address(field) >>> 3] ?? NaN;
  }

  #address(field: number): number {
    return this.#abi.stateAddress(this.qp) + field;
  }
}
