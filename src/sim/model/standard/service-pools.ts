/**
 * A switch's memory in two pools: lossless classes share theirs by port of arrival, as without pools; lossy classes by queue.
 *
 *   shared use of a queue   max(0, its bytes - reserve)          in use   sum of these over all lossy queues
 *   limit                   alpha (shared part - in use)
 *   admit                   shared use with the packet <= limit, and what it adds <= what is free
 *
 * Nothing is kept but the bytes of each queue: sums are made anew for each packet.
 * Source: docs/sources.md, "Pools of a switch".
 */
import type { NetworkPlan } from '../../plan.js';
import { sharedOfPool, type PoolPlan } from '../../pool-plan.js';
import type { Packet } from '../packet.js';
import type { PauseFrame, Place, Refusal, SwitchMemory } from '../parts.js';
import { ReferenceMemory } from '../reference/memory.js';

export function makeStandardMemory(plan: NetworkPlan, node: number): SwitchMemory {
  return plan.pools === undefined ? new ReferenceMemory(plan, node) : new PooledMemory(plan, node, plan.pools);
}

class PooledMemory implements SwitchMemory {
  readonly #lossless: ReferenceMemory;
  readonly #pools: PoolPlan;
  readonly #sharedBytes: number;
  /** By exit and class. */
  readonly #queueBytes = new Map<string, number>();

  constructor(plan: NetworkPlan, node: number, pools: PoolPlan) {
    const { bufferBytes, portCount } = plan.nodes[node];
    this.#lossless = new ReferenceMemory(plan, node, bufferBytes - pools.lossyBytes);
    this.#pools = pools;
    this.#sharedBytes = sharedOfPool(pools, portCount);
  }

  refusal(place: Place, packet: Packet): Refusal | undefined {
    if (!this.#isLossy(packet.trafficClass)) return this.#lossless.refusal(place, packet);
    const before = this.#queueBytes.get(keyOf(place, packet)) ?? 0;
    const beyond = this.#sharedUse(before + packet.lenBytes);
    const added = beyond - this.#sharedUse(before);
    const free = this.#sharedBytes - this.#inUse();
    return added === 0 || (added <= free && beyond <= this.#pools.alpha * free) ? undefined : 'out';
  }

  store(place: Place, packet: Packet): void {
    if (this.#isLossy(packet.trafficClass)) this.#add(place, packet, packet.lenBytes);
    else this.#lossless.store(place, packet);
  }

  release(place: Place, packet: Packet): void {
    if (this.#isLossy(packet.trafficClass)) this.#add(place, packet, -packet.lenBytes);
    else this.#lossless.release(place, packet);
  }

  framesAfterStore(place: Place, trafficClass: number): PauseFrame[] {
    return this.#isLossy(trafficClass) ? [] : this.#lossless.framesAfterStore(place, trafficClass);
  }

  framesAfterRelease(place: Place, trafficClass: number): PauseFrame[] {
    return this.#isLossy(trafficClass) ? [] : this.#lossless.framesAfterRelease(place, trafficClass);
  }

  forgetPauses(port: number): void {
    this.#lossless.forgetPauses(port);
  }

  pauseLasts(port: number, trafficClass: number, stuck: (port: number, trafficClass: number) => number): boolean {
    return this.#lossless.pauseLasts(port, trafficClass, stuck);
  }

  #isLossy(trafficClass: number): boolean {
    return (this.#pools.lossyClasses & (1 << trafficClass)) !== 0;
  }

  #sharedUse(queueBytes: number): number {
    return Math.max(0, queueBytes - this.#pools.reservedBytes);
  }

  #inUse(): number {
    return [...this.#queueBytes.values()].reduce((sum, bytes) => sum + this.#sharedUse(bytes), 0);
  }

  #add(place: Place, packet: Packet, bytes: number): void {
    const key = keyOf(place, packet);
    this.#queueBytes.set(key, (this.#queueBytes.get(key) ?? 0) + bytes);
  }
}

function keyOf({ exit }: Place, { trafficClass }: Packet): string {
  return `${exit} ${trafficClass}`;
}
