/** Compiles memory pools: which classes are lossless, and the pool of the lossy ones. */
import type { FlowPlans } from '../../flow-plans.js';
import type { NodePlan, Rules } from '../../plan.js';
import { sharedOfPool, type PoolPlan } from './plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';

/** The plan of the lossy pool; undefined: all classes share one memory, accounted by ingress port. */
export function poolPlan({ pools }: ValidScenario, flows: FlowPlans, cnpClass: number): PoolPlan | undefined {
  if (pools === null) return undefined;
  const used = classesOf(flows) | (1 << cnpClass);
  return {
    lossyClasses: used & ~maskOf(pools.losslessClasses),
    alpha: 2 ** pools.dynamicTh,
    reservedBytes: pools.reservedBytes,
    lossyBytes: pools.lossyBytes,
  };
}

/** Classes with reserved memory as a bit mask: those of data, and with two pools only the lossless ones. */
export function guaranteedClasses({ pools }: ValidScenario, flows: FlowPlans): Pick<Rules, 'guaranteedClasses'> {
  const classes = classesOf(flows);
  return { guaranteedClasses: pools === null ? classes : classes & maskOf(pools.losslessClasses) };
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

function classesOf({ dataClass }: FlowPlans): number {
  let classes = 0;
  for (const one of dataClass) classes |= 1 << one;
  return classes;
}

function maskOf(classes: readonly number[]): number {
  return classes.reduce((mask, one) => mask | (1 << one), 0);
}
