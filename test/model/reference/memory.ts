/** The shared buffer of the reference (`src/switching/shared-buffer.ts`), which counts only by ingress port. */
import type { NetworkPlan } from '../../../src/sim/plan.js';
import { timesSetAside, SharedBuffer } from '../../../src/switching/shared-buffer.js';
import type { Packet } from '../packet.js';
import type { PauseFrame, Place, Rejection, SwitchMemory } from '../parts.js';

export class ReferenceMemory implements SwitchMemory {
  readonly #buffer: SharedBuffer;
  readonly #pauses: boolean;

  /** @param bufferBytes less than the memory of the switch if a part of it is reserved. */
  constructor({ nodes, ports, rules }: NetworkPlan, node: number, bufferBytes = nodes[node].bufferBytes) {
    const { firstPort, portCount, pfc } = nodes[node];
    const { reservedBytes, resumeOffsetBytes, guaranteedClasses } = rules;
    const sizes = { bufferBytes, reservedBytes, resumeOffsetBytes, guaranteedClasses };
    this.#buffer = new SharedBuffer({ ...sizes, timesSetAside: timesSetAside(rules) },
      ports.slice(firstPort, firstPort + portCount));
    this.#pauses = pfc;
  }

  rejection({ arrival }: Place, { trafficClass, lenBytes }: Packet): Rejection | undefined {
    return this.#buffer.admits(arrival, trafficClass, lenBytes) ? undefined : 'memory';
  }

  store({ arrival }: Place, { trafficClass, lenBytes }: Packet): void {
    this.#buffer.store(arrival, trafficClass, lenBytes);
  }

  release({ arrival }: Place, { trafficClass, lenBytes }: Packet): void {
    this.#buffer.release(arrival, trafficClass, lenBytes);
  }

  forgetPauses(port: number): void {
    this.#buffer.forgetPauses(port);
  }

  pauseLasts(port: number, trafficClass: number, stuck: (port: number, trafficClass: number) => number): boolean {
    return this.#buffer.pauseLasts(port, trafficClass, stuck);
  }

  framesAfterStore({ arrival }: Place, trafficClass: number): PauseFrame[] {
    return this.#pauses && this.#buffer.beginPause(arrival, trafficClass) ? [{ kind: 'pause', trafficClass }] : [];
  }

  framesAfterRelease({ arrival }: Place, trafficClass: number): PauseFrame[] {
    return this.#pauses && this.#buffer.endPause(arrival, trafficClass) ? [{ kind: 'resume', trafficClass }] : [];
  }
}
