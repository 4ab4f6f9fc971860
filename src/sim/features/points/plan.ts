/** Custom congestion points of a network: each with its parameters, and the switches that have it. */
import type { PointOfSwitches } from '../../../algorithm/congestion-point/bind-points.js';

/** Custom congestion points of a network. */
export interface PointsPlan {
  /** Each with its parameters and switches. */
  readonly points: readonly PointOfSwitches[];
  /** By node: its place in `points`; -1: the built-in rule. */
  readonly ofNode: Int32Array;
}
