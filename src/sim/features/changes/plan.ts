/** Settings that change during a run, in the form that the kernel reads. */
import type { AlgorithmParameters } from '../../../config/algorithms/registry.js';
import type { MarkingThresholds } from '../../../switching/congestion-judge.js';

/** The settings in effect from an instant on. Earlier events are handled under the previous settings. */
export interface ChangePlan {
  /** Time of the change, whole picoseconds; later than the previous one. */
  readonly timePs: number;
  /** Thresholds of all ports; omitted: unchanged. */
  readonly marking?: readonly MarkingThresholds[];
  /** Packets that receivers of MRC accept; omitted: unchanged. */
  readonly receiverRangePackets?: number;
  /** Penalty of the window that receivers of MRC demand; omitted: unchanged. */
  readonly windowPenalty?: number;
  /** All parameter sets, of the same algorithms as before; omitted: unchanged. */
  readonly parameterSets?: readonly AlgorithmParameters[];
}
