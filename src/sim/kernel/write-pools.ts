/** Writes pools of lossy classes into the kernel's memory. */
import * as layout from '../../abi/pool-layout.js';
import { SIM_POOLS } from '../../abi/sim-regions.js';
import type { NetworkPlan } from '../plan.js';
import { sharedOfPool } from '../pool-plan.js';
import type { SimAbi } from './sim-abi.js';

export function writePools(abi: SimAbi, { pools, nodes }: NetworkPlan): void {
  if (pools === undefined) return;
  const view = new DataView(abi.memory.buffer);
  nodes.forEach(({ kind, portCount }, node) => {
    if (kind === 'host') return;
    const at = (abi.simRegion(SIM_POOLS) >>> 0) + node * layout.POOL_BYTES;
    view.setUint32(at + layout.POOL_SHARED, sharedOfPool(pools, portCount), true);
    view.setUint32(at + layout.POOL_RESERVED, pools.reservedBytes, true);
    view.setFloat64(at + layout.POOL_ALPHA, pools.alpha, true);
    view.setUint32(at + layout.POOL_CLASSES, pools.lossyClasses, true);
  });
}

/** Maximum bytes of a switch's pool that lossy queues had beyond their reserves. */
export function readMostPooled(abi: SimAbi, node: number): number {
  const at = (abi.simRegion(SIM_POOLS) >>> 0) + node * layout.POOL_BYTES;
  return new DataView(abi.memory.buffer).getUint32(at + layout.POOL_MOST_USED, true);
}
