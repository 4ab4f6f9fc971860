/** The model of a QP's reaction point, for any algorithm. */
import { ALGORITHMS, readsAcks, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { DcqcnModel } from '../algorithms/dcqcn/model.js';
import type { LatePolicy } from '../algorithms/event-order.js';
import type { RateTracer } from '../algorithms/rate-tracer.js';
import { AckController } from './ack-controller.js';

export type ReactionPoint = DcqcnModel | AckController;

/** A reaction point at its beginning; `tracer` hears of each change of its rate. */
export function makeReactionPoint(parameters: AlgorithmParameters, latePolicy: LatePolicy,
  tracer?: RateTracer): ReactionPoint {
  if (readsAcks(parameters, ALGORITHMS)) return new AckController(parameters, { latePolicy, tracer });
  return new DcqcnModel(parameters, { latePolicy, tracer });
}
