/** Reads the state of a QP under DCQCN: the part of algorithm-state.ts needed by a DCQCN-only engine. */
import { readDcqcnState, type DcqcnRecordState } from '../abi/state/dcqcn.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { MemoryViews } from './memory-views.js';

/** `readAlgorithmState` of a DCQCN-only engine; `at` is the address of the QP's record. */
export function dcqcnState(_config: EngineConfig, { buffer }: MemoryViews,
  qp: { at: number; flags: number }): Readonly<{ algorithm: 'dcqcn' } & DcqcnRecordState> {
  return { algorithm: 'dcqcn', ...readDcqcnState(new DataView(buffer), qp.at, qp.flags) };
}
