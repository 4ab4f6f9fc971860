/**
 * The table of explanations: what an algorithm tells of an ACK or a loss that changes its rate.
 *
 * An explanation is made before the transition, from the state that the event finds, and changes nothing. An algorithm
 * without one has records without inputs (in assembly the transitions explain themselves).
 */
import type { AckParameters } from '../../config/algorithms/registry.js';
import type { Ack } from '../algorithms/ack.js';
import type { DctcpState } from '../algorithms/dctcp/model.js';
import type { HpccPintState } from '../algorithms/hpcc-pint/model.js';
import type { HpccState } from '../algorithms/hpcc/state.js';
import type { SwiftState } from '../algorithms/swift/model.js';
import type { TimelyState } from '../algorithms/timely/model.js';
import { explainHpcc, explainHpccPint } from './hpcc-trace.js';
import type { Explanation } from './rate-tracer.js';
import { explainDctcp, explainSwift, explainSwiftLoss, explainTimely } from './signal-traces.js';

/** The states of the algorithms that explain themselves. */
interface States {
  readonly hpcc: HpccState;
  readonly 'hpcc-pint': HpccPintState;
  readonly timely: TimelyState;
  readonly dctcp: DctcpState;
  readonly swift: SwiftState;
}

type Explain<Name extends keyof States> = (parameters: Extract<AckParameters, { algorithm: Name }>,
  state: Readonly<States[Name]>, ack: Ack) => Explanation | undefined;

const OF_ACKS: { readonly [Name in keyof States]: Explain<Name> } = {
  hpcc: explainHpcc,
  'hpcc-pint': explainHpccPint,
  timely: explainTimely,
  dctcp: explainDctcp,
  swift: explainSwift,
};

/** Explains an ACK that is about to act; its time is the effective one. */
export function explainAck(parameters: AckParameters, state: object, ack: Ack): Explanation | undefined {
  const table = OF_ACKS as Partial<
    Record<string, (parameters: AckParameters, state: object, ack: Ack) => Explanation | undefined>
  >;
  return table[parameters.algorithm]?.(parameters, state, ack);
}

/** Explains a loss that is about to act. */
export function explainLoss(parameters: AckParameters, state: object, found: 'fast' | 'timeout'): Explanation
  | undefined {
  return parameters.algorithm === 'swift' ? explainSwiftLoss(parameters, state as SwiftState, found) : undefined;
}
