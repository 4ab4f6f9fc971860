/** The table of models that react to ACKs, one line each (docs/internals/adding-an-algorithm.md). */
import type { SenderState } from '../../abi/state/state-record.js';
import type { AckParameters } from '../../config/algorithms/registry.js';
import type { CongestionControl, EventOutcome, RateTracer } from './ack.js';
import { DctcpModel } from './dctcp/model.js';
import { HpccModel } from './hpcc/model.js';
import { HpccPintModel } from './hpcc-pint/model.js';
import { HpccPpModel } from './hpcc-pp/model.js';
import { NsccModel } from './nscc/model.js';
import { RcccModel } from './rccc/model.js';
import { SwiftModel } from './swift/model.js';
import { TimelyModel } from './timely/model.js';

/** A model whose state can be read and restored. */
export interface AckModel extends CongestionControl {
  readonly state: Readonly<SenderState>;
  /** Applies everything that is due up to and including a time. */
  onTouch(timePs: number): EventOutcome;
  /** Resumes from the state of another model with the same parameters. */
  resume(state: object): void;
  /**
   * Describes each step to a tracer from now on. The model reports timer steps; its caller reports changes by
   * events.
   */
  traceWith(tracer: RateTracer): void;
}

/** Never called: engines accept only probability 1, which needs no random numbers. */
const NO_RANDOM = { next: (): number => 0 };

const MODELS: {
  readonly [Name in AckParameters['algorithm']]: (parameters: Extract<AckParameters, { algorithm: Name }>) => AckModel;
} = {
  hpcc: (parameters) => new HpccModel(parameters),
  'hpcc-pint': (parameters) => new HpccPintModel(parameters, NO_RANDOM),
  timely: (parameters) => new TimelyModel(parameters),
  dctcp: (parameters) => new DctcpModel(parameters),
  swift: (parameters) => new SwiftModel(parameters),
  'hpcc-pp': (parameters) => new HpccPpModel(parameters),
  nscc: (parameters) => new NsccModel(parameters),
  rccc: (parameters) => new RcccModel(parameters),
};

/** Makes a model in its initial state. */
export function makeModel(parameters: AckParameters): AckModel {
  const make = MODELS[parameters.algorithm] as (parameters: AckParameters) => AckModel;
  return make(parameters);
}
