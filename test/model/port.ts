/**
 * One end of a link, which sends one packet at a time. A packet arrives at the far end after transmission and
 * propagation.
 *
 *   sent      now + tx         the owner polls for the next packet
 *   arrives   now + tx + delay
 *
 * The first is scheduled before the second, and both take a sequence number in the event order.
 */
import type { PortPlan } from '../../src/sim/plan.js';
import { CLASS_COUNT } from '../../src/switching/shared-buffer.js';
import type { ScheduledEvent } from '../../src/sim/event-queue.js';
import type { Device, Port } from './link-ends.js';
import { interfaceOf, type Network } from './network.js';
import type { Packet } from './packet.js';

export class LinkEnd implements Port {
  readonly index: number;
  readonly plan: PortPlan;
  readonly device: Device;
  readonly paused: boolean[] = Array.from({ length: CLASS_COUNT }, () => false);
  busy = false;
  txPackets = 0;
  txBytes = 0;
  marks = 0;
  drops = 0;
  pausesSent = 0;
  maxClassQueueBytes = 0;
  fastCnps = 0;
  pausesReceived = 0;
  pausedPs = 0;
  up = true;
  readonly #network: Network;
  /** The arrival events of packets in flight from here. */
  readonly #travelling = new Map<Packet, ScheduledEvent>();
  readonly #pausedSincePs: number[] = [];
  readonly #pauseEnds: (ScheduledEvent | undefined)[] = [];

  constructor(network: Network, index: number, device: Device) {
    this.#network = network;
    this.index = index;
    this.plan = network.plan.ports[index];
    this.device = device;
  }

  transmit(packet: Packet): number {
    const { plan, events, txTimes, listener } = this.#network;
    const sentPs = events.nowPs + txTimes.ps(packet.lenBytes + plan.rules.wireOverheadBytes, this.plan.rateBps);
    this.busy = true;
    this.txPackets += 1;
    this.txBytes += packet.lenBytes;
    listener?.(events.nowPs, 'send', this.device.node, this.index, packet.flow, packet.sequence);
    events.schedule(sentPs, () => {
      this.busy = false;
      this.device.trySend(this);
    });
    const arrival = events.schedule(sentPs + this.plan.delayPs, () => {
      this.#arrive(packet);
    });
    this.#travelling.set(packet, arrival);
    return sentPs;
  }

  get travelling(): Iterable<Packet> {
    return this.#travelling.keys();
  }

  /** Accounts for current pauses up to a time. */
  accountPauses(timePs: number): void {
    this.paused.forEach((paused, trafficClass) => {
      if (!paused) return;
      this.pausedPs += timePs - this.#pausedSincePs[trafficClass];
      this.#pausedSincePs[trafficClass] = timePs;
    });
  }

  /** The link went down or came up: packets in flight and in queues are lost, and pauses end. */
  resolve(): void {
    if (!this.up) {
      this.#loseWire();
      this.device.loseQueues(this);
    }
    this.#network.parts.hazards?.forgetPauses(this);
    this.paused.forEach((_, trafficClass) => {
      this.unpause(trafficClass);
    });
    this.device.forgetPauses(this);
    this.device.trySend(this);
  }

  /** A packet has arrived from the far end. */
  receive(packet: Packet): void {
    const { events, listener, parts, count, onStep } = this.#network;
    listener?.(events.nowPs, 'receive', this.device.node, this.index, packet.flow, packet.sequence);
    const loss = parts.linkFaults.lossOf(this, packet);
    if (loss !== undefined) {
      count.dropped(packet, loss);
      this.#network.ports[this.plan.peerPort].drops += 1;
      onStep?.(events.nowPs, this.device.node, {
        step: 'damaged',
        port: interfaceOf(this.#network, this),
        lenBytes: packet.lenBytes,
      });
      return;
    }
    if (packet.kind !== 'pause' && packet.kind !== 'resume') {
      this.device.receive(this, packet);
      return;
    }
    count.ended(packet);
    this.#apply(packet.kind, packet.trafficClass);
  }

  #apply(kind: 'pause' | 'resume', trafficClass: number): void {
    const { events, onStep } = this.#network;
    onStep?.(events.nowPs, this.device.node, { step: 'paused', kind, port: interfaceOf(this.#network, this) });
    const pending = this.#pauseEnds[trafficClass];
    if (pending !== undefined) pending.cancelled = true;
    if (this.#network.parts.hazards?.takesFrame(this, kind, trafficClass) === true) {
      if (kind === 'pause') this.pausesReceived += 1;
      return;
    }
    if (kind === 'pause') this.#pause(trafficClass);
    else this.#resume(trafficClass);
  }

  #pause(trafficClass: number): void {
    const { events, parts: { pauseTimePs, hazards } } = this.#network;
    this.pausesReceived += 1;
    if (!this.paused[trafficClass]) {
      this.#pausedSincePs[trafficClass] = events.nowPs;
      this.paused[trafficClass] = true;
      hazards?.pauseBegan(this, trafficClass);
    }
    if (pauseTimePs === undefined) return;
    this.#pauseEnds[trafficClass] = events.schedule(events.nowPs + pauseTimePs, () => {
      this.#resume(trafficClass);
    });
  }

  #resume(trafficClass: number): void {
    this.unpause(trafficClass);
    this.device.trySend(this);
  }

  pausedSincePs(trafficClass: number): number {
    return this.#pausedSincePs[trafficClass];
  }

  unpause(trafficClass: number): void {
    if (!this.paused[trafficClass]) return;
    this.#network.parts.hazards?.pauseEnds(this, trafficClass);
    this.paused[trafficClass] = false;
    this.pausedPs += this.#network.events.nowPs - this.#pausedSincePs[trafficClass];
  }

  #loseWire(): void {
    for (const [packet, arrival] of this.#travelling) {
      arrival.cancelled = true;
      this.drops += 1;
      this.#network.count.dropped(packet, 'linkDown');
    }
    this.#travelling.clear();
  }

  #arrive(packet: Packet): void {
    this.#travelling.delete(packet);
    this.#network.ports[this.plan.peerPort].receive(packet);
  }
}
