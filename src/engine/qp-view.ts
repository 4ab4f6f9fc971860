/**
 * The state of one QP, read where it lies: always current, never a copy.
 *
 * The fields by name are DCQCN's; rate, times, flags and parameter set are those of every algorithm. What another algorithm keeps:
 * `algorithmState`.
 */
import { QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED, QP_OPEN, QP_PARAMETER_SET_SHIFT } from '../abi/codes.js';
import * as layout from '../abi/layout.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { readAlgorithmState, AlgorithmState } from './algorithm-state.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** A live view on the state of one QP: `engine.qp(qp)`. It reads engine memory and keeps nothing. */
export class QpView {
  /** Number of the QP, as `openQp` returned it. */
  readonly qp: number;
  readonly #abi: EngineAbi;
  readonly #views: MemoryViews;
  readonly #config: EngineConfig;
  readonly #readAlgorithmState: typeof readAlgorithmState | undefined;

  /** @internal Use `engine.qp`. */
  constructor(config: EngineConfig, abi: EngineAbi, views: MemoryViews, qp: number,
    readState?: typeof readAlgorithmState) {
    this.#readAlgorithmState = readState;
    this.#config = config;
    this.#abi = abi;
    this.#views = views;
    this.qp = qp;
  }

  /** R_C, bits per second. */
  get rateBps(): number {
    return this.#f64(layout.QP_RATE);
  }
  /** R_T, bits per second. */
  get targetBps(): number {
    return this.#f64(layout.QP_TARGET);
  }
  /** As kept: 0..1, or under `alpha-q10` a whole number of 1/1024. */
  get alpha(): number {
    return this.#f64(layout.QP_ALPHA);
  }
  /** Next expiry of the alpha timer, picoseconds; Infinity = not running. */
  get nextAlphaPs(): number {
    return this.#f64(layout.QP_NEXT_ALPHA);
  }
  /** Next expiry of the increase timer, picoseconds; Infinity = not running. */
  get nextIncreasePs(): number {
    return this.#f64(layout.QP_NEXT_INCREASE);
  }
  /** Last event that this state reflects, picoseconds. */
  get lastEventPs(): number {
    return this.#f64(layout.QP_LAST_EVENT);
  }
  /** The next packet may leave from here on, picoseconds; 0 = at once. */
  get nextSendPs(): number {
    return this.#f64(layout.QP_NEXT_SEND);
  }
  /** Bytes since the last byte-counter step or cut. */
  get bytesCounted(): number {
    return this.#views.u32[this.#address(layout.QP_BYTES_COUNTED) >>> 2] ?? 0;
  }
  /** T, 0..65535. */
  get timeStage(): number {
    return this.#views.u16[this.#address(layout.QP_TIME_STAGE) >>> 1] ?? 0;
  }
  /** B, 0..255. */
  get byteStage(): number {
    return this.#views.u8[this.#address(layout.QP_BYTE_STAGE)] ?? 0;
  }
  /** Is the QP open? */
  get isOpen(): boolean {
    return (this.flags & QP_OPEN) !== 0;
  }
  /** Is a rate limiter in place? */
  get isLimited(): boolean {
    return (this.flags & QP_LIMITED) !== 0;
  }
  /** Did a CNP come in the running alpha period? */
  get hasAlphaCnp(): boolean {
    return (this.flags & QP_ALPHA_CNP) !== 0;
  }
  /** Is a cut pending at the next check? */
  get isCutPending(): boolean {
    return (this.flags & QP_CUT_PENDING) !== 0;
  }
  /** Number of its parameter set. */
  get parameterSet(): number {
    return this.flags >> QP_PARAMETER_SET_SHIFT;
  }
  /** Bits: 1 open, 2 limited, 4 a CNP in the running alpha period, 8 a cut pending; above them the number of the parameter set. */
  get flags(): number {
    return this.#views.u8[regionAddress(this.#views, layout.REGION_QP_FLAGS) + this.qp] ?? 0;
  }

  /**
   * Everything that its algorithm keeps, the records of hops among it, as a copy: for tests, tables and people, not for hot paths.
   *
   * @returns undefined under DCQCN.
   * @example
   * const state = engine.qp(qp).algorithmState();
   * if (state?.algorithm === 'hpcc') console.log(state.utilization, state.incStage, state.committed);
   */
  algorithmState(): AlgorithmState | undefined {
    return this.#readAlgorithmState?.(this.#config, this.#views, {
      qp: this.qp,
      parameterSet: this.parameterSet,
      at: this.#address(0),
    });
  }

  #f64(field: number): number {
    return this.#views.f64[this.#address(field) >>> 3] ?? NaN;
  }

  #address(field: number): number {
    return this.#abi.stateAddress(this.qp) + field;
  }
}
