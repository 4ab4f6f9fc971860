/** Writes pools of lossy classes into the kernel's memory. */
import { readField, writeFields } from '../../../abi/records/fields.js';
import { POOL } from '../../../abi/records/pools.js';
import { SIM_POOLS } from '../../../abi/sim-regions.js';
import type { NetworkPlan } from '../../plan.js';
import { sharedOfPool } from './plan.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { KernelPart } from '../../kernel/kernel-part.js';

export const POOLS_MEMORY: KernelPart = {
  capacity: ({ pools }) => ({ pools: pools !== undefined }),
  write: writePools,
};

function writePools(abi: SimAbi, { pools, nodes }: NetworkPlan): void {
  if (pools === undefined) return;
  const { reservedBytes, alpha, lossyClasses } = pools;
  const view = new DataView(abi.memory.buffer);
  nodes.forEach(({ kind, portCount }, node) => {
    if (kind === 'host') return;
    const sharedBytes = sharedOfPool(pools, portCount);
    writeFields(view, recordAt(abi, SIM_POOLS, POOL, node), POOL, { sharedBytes, reservedBytes, alpha, lossyClasses });
  });
}

/** Maximum bytes of a switch's pool that lossy queues took beyond their reserves. */
export function readMostPooled(abi: SimAbi, node: number): number {
  return readField(new DataView(abi.memory.buffer), recordAt(abi, SIM_POOLS, POOL, node), POOL, 'mostUsedBytes');
}
