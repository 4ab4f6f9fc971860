/** Custom congestion points of a network, each with its parameters and switches. */
import type { PointOfSwitches } from '../../../algorithm/congestion-point/bind-points.js';

/** Custom congestion points of a network. */
export interface PointsPlan {
  /** Each with its parameters and switches. */
  readonly points: readonly PointOfSwitches[];
  /** Index of each node's entry in `points`; -1: the built-in rule. */
  readonly ofNode: Int32Array;
}
