/** How long a node occupies its lane: its duration, or its amount of work at a speed set by the job. */
import { PS_PER_SECOND, PS_PER_US } from '../../unit-sizes.js';
import { rejectWorkload } from '../workload-error.js';
import { isMemory, NODE_TYPES, type ChakraNode } from './chakra-node.js';

/** Speeds for nodes without a duration. */
export interface NodeSpeeds {
  /** Speed of compute nodes with `num_ops`; undefined: they take no time. */
  readonly opsPerSecond: number | undefined;
  /** Speed of loads and stores with `tensor_size`; undefined: they take no time. */
  readonly memoryBytesPerSecond: number | undefined;
}

/**
 * Duration in whole picoseconds. @throws RoceError `invalid-workload`, `BAD_SIZE`, if it is negative or beyond the
 * clock.
 */
export function durationPs(node: ChakraNode, speeds: NodeSpeeds, where: string): number {
  const { work, perSecond } = workOf(node, speeds);
  const takesWork = node.durationUs === 0 && work !== undefined && perSecond !== undefined;
  const exactPs = takesWork ? (work / perSecond) * PS_PER_SECOND : node.durationUs * PS_PER_US;
  const roundedPs = Math.round(exactPs);
  if (roundedPs >= 0 && roundedPs <= Number.MAX_SAFE_INTEGER) return roundedPs;
  const allowed = { min: 0, max: Number.MAX_SAFE_INTEGER / PS_PER_US, unit: 'us' };
  return rejectWorkload('BAD_SIZE', { what: 'the duration', got: exactPs / PS_PER_US, allowed, where });
}

/** Amount of work of a compute or memory node, and its speed. */
export function workOf(node: ChakraNode, { opsPerSecond, memoryBytesPerSecond }: NodeSpeeds): {
  readonly work?: number | undefined;
  readonly perSecond?: number | undefined;
} {
  if (node.type === NODE_TYPES.compute) return { work: node.numOps, perSecond: opsPerSecond };
  return isMemory(node) ? { work: node.tensorSizeBytes, perSecond: memoryBytesPerSecond } : {};
}
