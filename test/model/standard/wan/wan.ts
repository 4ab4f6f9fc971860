/** A WAN with tunnels as used by the switches of the network model. */
import { keysOf } from '../../../../src/sim/features/wan/memory.js';
import type { WanPlan } from '../../../../src/sim/features/wan/plan.js';
import type { World } from '../../network.js';
import type { ModelWan, WanOfSwitches } from '../../parts.js';
import { Arns } from './arns.js';
import { Tunnels } from './tunnels.js';

export class Wan implements WanOfSwitches {
  readonly tunnels: Tunnels;
  readonly arns: Arns;
  readonly #world: World;
  readonly #plan: WanPlan;

  constructor(world: World, plan: WanPlan) {
    this.#world = world;
    this.#plan = plan;
    this.tunnels = new Tunnels(world, plan);
    this.arns = new Arns(world, plan);
  }

  outcome(timePs: number): ModelWan {
    const { ports, heldPs } = this.arns.outcome(timePs);
    const hasArns = this.#plan.flowControl.ports.some(({ control }) => control === 'arn');
    const keys = hasArns ? keysOf(this.#plan, this.#world.plan.flows.length) : 0;
    return {
      nodes: this.tunnels.counts,
      ports,
      heldPs: Array.from({ length: keys }, (_, key) => heldPs.get(key) ?? 0),
    };
  }
}
