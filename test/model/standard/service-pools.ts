/**
 * The memory of a switch in two pools: lossless classes share one by ingress port, as without pools; lossy classes
 * share the other one by queue (`src/switching/shared-buffer.ts`).
 * Source: docs/reference/sources.md, "Pools of a switch".
 */
import { LossyPool } from '../../../src/switching/shared-buffer.js';
import type { NetworkPlan, PoolPlan } from '../../../src/sim/plan.js';
import type { Packet } from '../packet.js';
import type { PauseFrame, Place, Rejection, SwitchMemory } from '../parts.js';
import { ReferenceMemory } from '../reference/memory.js';

export function makeStandardMemory(plan: NetworkPlan, node: number): SwitchMemory {
  return plan.pools === undefined ? new ReferenceMemory(plan, node) : new PooledMemory(plan, node, plan.pools);
}

class PooledMemory implements SwitchMemory {
  readonly #lossless: ReferenceMemory;
  readonly #lossy: LossyPool;

  constructor(plan: NetworkPlan, node: number, pools: PoolPlan) {
    const { bufferBytes, portCount } = plan.nodes[node];
    this.#lossless = new ReferenceMemory(plan, node, bufferBytes - pools.lossyBytes);
    this.#lossy = new LossyPool(pools, portCount);
  }

  rejection(place: Place, packet: Packet): Rejection | undefined {
    const { trafficClass, lenBytes } = packet;
    if (!this.#lossy.isLossy(trafficClass)) return this.#lossless.rejection(place, packet);
    return this.#lossy.admits(place.egress, trafficClass, lenBytes) ? undefined : 'out';
  }

  store(place: Place, packet: Packet): void {
    if (!this.#lossy.isLossy(packet.trafficClass)) this.#lossless.store(place, packet);
    else this.#lossy.add(place.egress, packet.trafficClass, packet.lenBytes);
  }

  release(place: Place, packet: Packet): void {
    if (!this.#lossy.isLossy(packet.trafficClass)) this.#lossless.release(place, packet);
    else this.#lossy.add(place.egress, packet.trafficClass, -packet.lenBytes);
  }

  framesAfterStore(place: Place, trafficClass: number): PauseFrame[] {
    return this.#lossy.isLossy(trafficClass) ? [] : this.#lossless.framesAfterStore(place, trafficClass);
  }

  framesAfterRelease(place: Place, trafficClass: number): PauseFrame[] {
    return this.#lossy.isLossy(trafficClass) ? [] : this.#lossless.framesAfterRelease(place, trafficClass);
  }

  forgetPauses(port: number): void {
    this.#lossless.forgetPauses(port);
  }

  pauseLasts(port: number, trafficClass: number, stuck: (port: number, trafficClass: number) => number): boolean {
    return this.#lossless.pauseLasts(port, trafficClass, stuck);
  }
}
