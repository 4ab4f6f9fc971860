import type { AlgorithmState, Engine } from '../../src/index.js';

/** The state of a QP that must be under DCQCN. */
export function dcqcnState(engine: Engine, qp: number): Extract<AlgorithmState, { algorithm: 'dcqcn' }> {
  const state = engine.qp(qp).algorithmState();
  if (state.algorithm !== 'dcqcn') throw new Error(`QP ${qp} is under ${state.algorithm}`);
  return state;
}
