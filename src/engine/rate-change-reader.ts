/** Converts trace records of rate changes to objects (src/abi/trace-layout.ts). */
import { CAUSE_NAMES, namesByCode } from '../abi/names.js';
import * as layout from '../abi/trace-layout.js';
import type { MemoryViews } from './memory-views.js';
import type { DctcpChange, HpccChange, HpccPintChange, IncreaseChange, NsccChange, RateChange, RateChangeReason,
  RecoveryChange, SwiftAckChange, SwiftLossChange, TimelyChange } from './rate-changes.js';

/** TRACE_* code of each reason. */
const REASON_NAMES: Readonly<Record<RateChangeReason, number>> = {
  other: layout.TRACE_OTHER,
  'first-cnp': layout.TRACE_FIRST_CNP,
  cut: layout.TRACE_CUT,
  'fast-recovery': layout.TRACE_FAST_RECOVERY,
  additive: layout.TRACE_ADDITIVE,
  hyper: layout.TRACE_HYPER,
  release: layout.TRACE_RELEASE,
  'hpcc-multiplicative': layout.TRACE_HPCC_MULTIPLICATIVE,
  'hpcc-additive': layout.TRACE_HPCC_ADDITIVE,
  'hpcc-kept': layout.TRACE_HPCC_KEPT,
  'pint-multiplicative': layout.TRACE_PINT_MULTIPLICATIVE,
  'pint-additive': layout.TRACE_PINT_ADDITIVE,
  'timely-low-rtt': layout.TRACE_TIMELY_LOW_RTT,
  'timely-high-rtt': layout.TRACE_TIMELY_HIGH_RTT,
  'timely-gradient': layout.TRACE_TIMELY_GRADIENT,
  'dctcp-cut': layout.TRACE_DCTCP_CUT,
  'dctcp-increase': layout.TRACE_DCTCP_INCREASE,
  'swift-increase': layout.TRACE_SWIFT_INCREASE,
  'swift-decrease': layout.TRACE_SWIFT_DECREASE,
  'swift-round-trip': layout.TRACE_SWIFT_ROUND_TRIP,
  'swift-loss': layout.TRACE_SWIFT_LOSS,
  'swift-timeout': layout.TRACE_SWIFT_TIMEOUT,
  'recovery-halfway': layout.TRACE_RECOVERY_HALFWAY,
  'recovery-additive': layout.TRACE_RECOVERY_ADDITIVE,
  'nscc-round-trip': layout.TRACE_NSCC_ROUND_TRIP,
  'nscc-increase': layout.TRACE_NSCC_INCREASE,
  'nscc-fast-increase': layout.TRACE_NSCC_FAST_INCREASE,
  'nscc-decrease': layout.TRACE_NSCC_DECREASE,
  'nscc-quick-adapt': layout.TRACE_NSCC_QUICK_ADAPT,
  'nscc-loss': layout.TRACE_NSCC_LOSS,
  'nscc-timeout': layout.TRACE_NSCC_TIMEOUT,
  custom: layout.TRACE_CUSTOM,
};

const REASONS = namesByCode(REASON_NAMES);
const CAUSES = namesByCode(CAUSE_NAMES);

type InputsOf<C> = C extends RateChange ? Omit<C, 'timePs' | 'qp' | 'fromBps' | 'toBps' | 'cause'> : never;

/** Returns the text of a custom reason, by QP and reason number. */
export type ReasonTexts = (qp: number, reason: number) => string | undefined;

/** Reads records of the trace. */
export class RateChangeReader {
  readonly #views: MemoryViews;
  readonly #textOf: ReasonTexts;

  /** @param textOf returns the texts of custom algorithms' reasons. */
  constructor(views: MemoryViews, textOf: ReasonTexts = () => undefined) {
    this.#views = views;
    this.#textOf = textOf;
  }

  /** Reads the record at a byte address. */
  read(at: number): RateChange {
    const { u8, u32, f64 } = this.#views;
    const common = {
      timePs: f64[(at + layout.TRACE_TIME) >>> 3] ?? NaN,
      qp: u32[(at + layout.TRACE_QP) >>> 2] ?? 0,
      fromBps: f64[(at + layout.TRACE_FROM) >>> 3] ?? NaN,
      toBps: f64[(at + layout.TRACE_TO) >>> 3] ?? NaN,
      cause: CAUSES[u8[at + layout.TRACE_CAUSE] ?? 0] ?? 'time',
    };
    return { ...common, ...this.#why(at, REASONS[u8[at + layout.TRACE_REASON] ?? 0] ?? 'other') };
  }

  #input(at: number, index: number): number {
    return this.#views.f64[((at + layout.TRACE_INPUTS) >>> 3) + index] ?? NaN;
  }

  #has(at: number, detail: number): boolean {
    return ((this.#views.u8[at + layout.TRACE_DETAIL] ?? 0) & detail) !== 0;
  }

  #why(at: number, reason: RateChangeReason): InputsOf<RateChange> {
    switch (reason) {
      case 'first-cnp':
        return { reason, alpha: this.#input(at, 0) };
      case 'cut':
        return { reason, alpha: this.#input(at, 0), targetBps: this.#input(at, 1) };
      case 'fast-recovery':
      case 'additive':
      case 'hyper':
        return this.#increase(at, reason);
      case 'hpcc-multiplicative':
      case 'hpcc-additive':
      case 'hpcc-kept':
        return this.#hpcc(at, reason);
      case 'recovery-halfway':
      case 'recovery-additive':
        return this.#recovery(at, reason);
      case 'pint-multiplicative':
      case 'pint-additive':
        return this.#pint(at, reason);
      case 'timely-low-rtt':
      case 'timely-high-rtt':
      case 'timely-gradient':
        return this.#timely(at, reason);
      case 'dctcp-cut':
      case 'dctcp-increase':
        return this.#dctcp(at, reason);
      case 'swift-increase':
      case 'swift-decrease':
      case 'swift-round-trip':
        return this.#swiftAck(at, reason);
      case 'swift-loss':
      case 'swift-timeout':
        return this.#swiftLoss(at, reason);
      case 'nscc-round-trip':
      case 'nscc-increase':
      case 'nscc-fast-increase':
      case 'nscc-decrease':
      case 'nscc-quick-adapt':
      case 'nscc-loss':
      case 'nscc-timeout':
        return this.#nscc(at, reason);
      case 'custom':
        return {
          reason,
          text: this.#textOf(this.#views.u32[(at + layout.TRACE_QP) >>> 2] ?? 0, this.#input(at, 0)) ?? '',
        };
      case 'release':
      case 'other':
        return { reason };
    }
  }

  #increase(at: number, reason: IncreaseChange['reason']): InputsOf<IncreaseChange> {
    const [, targetBps, timeStage, byteStage] = this.#inputs(at);
    return { reason, targetBps, timeStage, byteStage };
  }

  #hpcc(at: number, reason: HpccChange['reason']): InputsOf<HpccChange> {
    const reference = this.#input(at, 6);
    const isWindow = this.#has(at, layout.TRACE_DETAIL_WINDOW);
    return {
      reason,
      utilization: this.#input(at, 0),
      hop: this.#hop(at),
      referenceBps: isWindow ? undefined : reference,
      referenceBytes: isWindow ? reference : undefined,
      incStage: this.#input(at, 7),
      fullUpdate: this.#has(at, layout.TRACE_DETAIL_FULL),
    };
  }

  #recovery(at: number, reason: RecoveryChange['reason']): InputsOf<RecoveryChange> {
    const [target, recoveryStep] = this.#inputs(at);
    const isWindow = this.#has(at, layout.TRACE_DETAIL_WINDOW);
    return {
      reason,
      targetBps: isWindow ? undefined : target,
      targetBytes: isWindow ? target : undefined,
      recoveryStep,
    };
  }

  #hop(at: number): HpccChange['hop'] {
    const index = this.#views.u8[at + layout.TRACE_HOP] ?? layout.TRACE_NO_HOP;
    if (index === layout.TRACE_NO_HOP) return undefined;
    return {
      index,
      utilization: this.#input(at, 1),
      queueBytes: this.#input(at, 2),
      txRateBps: this.#input(at, 3),
      lineRateBps: this.#input(at, 4),
      tauNs: this.#input(at, 5),
    };
  }

  #pint(at: number, reason: HpccPintChange['reason']): InputsOf<HpccPintChange> {
    const [utilization, power, referenceBps, incStage] = this.#inputs(at);
    return { reason, utilization, power, referenceBps, incStage, fullUpdate: this.#has(at, layout.TRACE_DETAIL_FULL) };
  }

  #timely(at: number, reason: TimelyChange['reason']): InputsOf<TimelyChange> {
    const [rttNs, rttDiffNs, gradient, incStage] = this.#inputs(at);
    return { reason, rttNs, rttDiffNs, gradient, incStage };
  }

  #dctcp(at: number, reason: DctcpChange['reason']): InputsOf<DctcpChange> {
    const [alpha, marked] = this.#inputs(at);
    return { reason, alpha, markedFraction: this.#has(at, layout.TRACE_DETAIL_FULL) ? marked : undefined };
  }

  #swiftAck(at: number, reason: SwiftAckChange['reason']): InputsOf<SwiftAckChange> {
    const [rttPs, delayPs, targetDelayPs, cwndPackets] = this.#inputs(at);
    return { reason, rttPs, delayPs, targetDelayPs, cwndPackets };
  }

  #swiftLoss(at: number, reason: SwiftLossChange['reason']): InputsOf<SwiftLossChange> {
    return { reason, rttPs: this.#input(at, 0), cwndPackets: this.#input(at, 3) };
  }

  #nscc(at: number, reason: NsccChange['reason']): InputsOf<NsccChange> {
    const [delayPs, averageDelayPs, targetDelayPs, cwndBytes] = this.#inputs(at);
    return { reason, delayPs, averageDelayPs, targetDelayPs, cwndBytes, baseRttPs: this.#input(at, 4) };
  }

  /** The first four inputs of a record. */
  #inputs(at: number): [number, number, number, number] {
    return [this.#input(at, 0), this.#input(at, 1), this.#input(at, 2), this.#input(at, 3)];
  }
}
