/** The model of a QP's reaction point, whatever its algorithm. */
import { readsAcks, type AlgorithmParameters } from '../config/algorithms.js';
import { AckController } from './ack-controller.js';
import { DcqcnModel } from './dcqcn.js';

export type ReactionPoint = DcqcnModel | AckController;

/** A reaction point at its beginning. */
export function makeReactionPoint(parameters: AlgorithmParameters, latePolicy: 'refuse' | 'clamp'): ReactionPoint {
  return readsAcks(parameters) ? new AckController(parameters, { latePolicy }) : new DcqcnModel(parameters, { latePolicy });
}
