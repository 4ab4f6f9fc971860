/** Settings that change while a run goes, in numbers. */
import type { AlgorithmParameters } from '../../../config/algorithms/registry.js';
import type { MarkingThresholds } from '../../../switching/marking.js';

/** What holds from an instant on. Events before it are handled under what held before. */
export interface ChangePlan {
  /** Whole picoseconds; each change comes after the one before it. */
  readonly timePs: number;
  /** Thresholds of all ports; left out: they stay. */
  readonly marking?: readonly MarkingThresholds[];
  /** All parameter sets, of the same algorithms as before; left out: they stay. */
  readonly parameterSets?: readonly AlgorithmParameters[];
}
