/**
 * Pools of lossy classes in switches: which classes are lossy, the sizes of the pool, and its part of the kernel's
 * memory.
 */
import { readField, writeFields } from '../../abi/records/define-record.js';
import { POOL } from '../../abi/records/network.js';
import { SIM_POOLS } from '../../abi/sim-codes.js';
import { sharedOfPool } from '../../switching/shared-buffer.js';
import { classMask } from '../compile/rules.js';
import type { FlowPlans } from '../flow-plans.js';
import type { KernelPart } from '../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../kernel/sim-abi.js';
import type { NodePlan, Rules, PoolPlan, NetworkPlan } from '../plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

/** The plan of the lossy pool; undefined: all classes share one memory, accounted by ingress port. */
export function poolPlan({ pools }: ValidScenario, flows: FlowPlans, cnpClass: number): PoolPlan | undefined {
  if (pools === null) return undefined;
  const used = classMask(flows.dataClass) | (1 << cnpClass);
  return {
    lossyClasses: used & ~classMask(pools.losslessClasses),
    alpha: 2 ** pools.dynamicTh,
    reservedBytes: pools.reservedBytes,
    lossyBytes: pools.lossyBytes,
  };
}

/** Classes with reserved memory as a bit mask: those of data, and with two pools only the lossless ones. */
export function guaranteedClasses({ pools }: ValidScenario, flows: FlowPlans): Pick<Rules, 'guaranteedClasses'> {
  const classes = classMask(flows.dataClass);
  return { guaranteedClasses: pools === null ? classes : classes & classMask(pools.losslessClasses) };
}

/** @throws RoceError `invalid-scenario` for a switch whose queues reserve more memory than the pool has. */
export function requirePoolRoom(pools: PoolPlan | undefined, nodes: readonly NodePlan[]): void {
  if (pools === undefined) return;
  for (const { kind, name, portCount } of nodes) {
    const shared = kind === 'host' ? 1 : sharedOfPool(pools, portCount);
    if (shared > 0) continue;
    rejectScenario({
      what: `the lossy pool of switch ${name}`,
      got: pools.lossyBytes,
      allowed: { above: pools.lossyBytes - shared, unit: 'bytes' },
      where: 'switches.buffer.lossyBytes',
      hint: `The queues of its ${portCount} ports reserve ${pools.reservedBytes} bytes each`,
    });
  }
}

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
