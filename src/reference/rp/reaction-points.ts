/** Makes the model of a QP's reaction point, for any algorithm. */
import { ALGORITHMS, readsAcks, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { ALGORITHM_OF, isCustom, type CustomParameters } from '../../config/algorithms/custom/custom-parameters.js';
import { RoceError } from '../../errors.js';
import { DcqcnModel } from '../algorithms/dcqcn/model.js';
import type { LatePolicy } from '../algorithms/event-order.js';
import type { RateTracer } from '../algorithms/rate-tracer.js';
import { AckController } from './ack-controller.js';

export type ReactionPoint = DcqcnModel | AckController;

/** A reaction point in its initial state; `tracer` receives each rate change. */
export function makeReactionPoint(parameters: AlgorithmParameters, latePolicy: LatePolicy,
  tracer?: RateTracer): ReactionPoint {
  if (isCustom(parameters)) throw unsupportedHere(parameters);
  if (readsAcks(parameters, ALGORITHMS)) return new AckController(parameters, { latePolicy, tracer });
  return new DcqcnModel(parameters, { latePolicy, tracer });
}

/** The error for custom algorithms: they need a WebAssembly function table, which this backend doesn't have. */
function unsupportedHere(parameters: CustomParameters): RoceError {
  const { name } = parameters[ALGORITHM_OF];
  return new RoceError('unsupported', {
    what: `the custom algorithm ${name}`,
    problem: 'runs on the wasm backend only',
    got: 'js',
    allowed: ['wasm'],
    where: 'options.backend',
  });
}
