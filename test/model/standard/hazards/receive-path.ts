/**
 * A host's receive path that is slower than its link: packets wait in a buffer, in order, and pass one at a time.
 *
 *   drop     held + length > capacity
 *   pause    held >= xoff: data classes that are not paused yet
 *   resume   held <= xon: all of these except those that a storm pauses
 */
import type { ReceiverPlan } from '../../../../src/sim/plan.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { Packet } from '../../packet.js';
import type { PausingHost, ReceiveBuffer } from '../../parts.js';
import type { HostPauses } from './host-pauses.js';

const BIT_PS_PER_BYTE = 8e12;

export class ReceivePath implements ReceiveBuffer {
  readonly #world: World;
  readonly #plan: ReceiverPlan;
  readonly #port: Port;
  readonly #host: PausingHost;
  readonly #pauses: HostPauses;
  readonly #waiting: Packet[] = [];
  maxBytes = 0;
  drops = 0;

  constructor(world: World, plan: ReceiverPlan, port: Port, host: PausingHost, pauses: HostPauses) {
    this.#world = world;
    this.#plan = plan;
    this.#port = port;
    this.#host = host;
    this.#pauses = pauses;
    pauses.keptBy = (): boolean => plan.pfc && this.#heldBytes > plan.xonBytes;
  }

  take(packet: Packet): void {
    const { bufferBytes, xoffBytes, pfc } = this.#plan;
    if (this.#heldBytes + packet.lenBytes > bufferBytes) {
      this.#port.drops += 1;
      this.drops += 1;
      this.#world.count.dropped(packet, 'receiveBuffer');
      return;
    }
    this.#waiting.push(packet);
    this.maxBytes = Math.max(this.maxBytes, this.#heldBytes);
    if (this.#waiting.length === 1) this.#passNext();
    const { trafficClass } = packet;
    if (!pfc || this.#heldBytes < xoffBytes || this.#pauses.asks(trafficClass) || !this.#isOfData(trafficClass)) return;
    this.#host.sendPauseFrames(this.#port, this.#pauses.begin([trafficClass]));
  }

  [Symbol.iterator](): Iterator<Packet> {
    return this.#waiting[Symbol.iterator]();
  }

  get #heldBytes(): number {
    return this.#waiting.reduce((sum, { lenBytes }) => sum + lenBytes, 0);
  }

  #passNext(): void {
    const { events } = this.#world;
    const [packet] = this.#waiting;
    events.schedule(events.nowPs + Math.ceil((packet.lenBytes * BIT_PS_PER_BYTE) / this.#plan.rateBps), () => {
      this.#waiting.shift();
      if (this.#waiting.length > 0) this.#passNext();
      if (this.#plan.pfc && this.#heldBytes <= this.#plan.xonBytes)
        this.#host.sendPauseFrames(this.#port, this.#pauses.endAllButStorm());
      this.#host.handle(this.#port, packet);
    });
  }

  #isOfData(trafficClass: number): boolean {
    return ((this.#world.plan.rules.guaranteedClasses ?? 0) & (1 << trafficClass)) !== 0;
  }
}
