/**
 * One end of a link: sends a packet at a time, and each arrives at the far end once it is whole and has travelled.
 *
 *   sent      now + tx         the owner looks for the next packet
 *   arrives   now + tx + delay
 *
 * The first is scheduled before the second; both count for the order of simultaneous events.
 */
import type { NetworkPlan, PortPlan } from '../plan.js';
import type { CongestionPointRandom } from '../../reference/cp/random.js';
import { TxTimes } from '../compile/tx-time.js';
import type { Counters } from './counters.js';
import type { EventQueue } from './event-queue.js';
import type { MarkRandom } from './mark-random.js';
import type { ModelListener, Packet } from './packet.js';
import { CLASS_COUNT } from './shared-buffer.js';

/** What all parts of a running network share. */
export interface Network {
  readonly plan: NetworkPlan;
  readonly events: EventQueue;
  /** By which switches mark. */
  readonly markRandom: MarkRandom;
  /** By which they round HPCC-PINT's utilisation. */
  readonly pintRandom: CongestionPointRandom;
  /** By their index in the plan. */
  readonly ports: readonly Port[];
  readonly count: Counters;
  readonly listener: ModelListener | undefined;
}

/** A host or a switch, as its ports see it. */
export interface Device {
  readonly node: number;
  receive(port: Port, packet: Packet): void;
  /** Sends what there is to send, if the port is free. */
  trySend(port: Port): void;
}

export class Port {
  readonly index: number;
  readonly plan: PortPlan;
  readonly device: Device;
  /** By class: has the far end asked for a pause? */
  readonly paused: boolean[] = Array.from({ length: CLASS_COUNT }, () => false);
  busy = false;
  txPackets = 0;
  txBytes = 0;
  marks = 0;
  drops = 0;
  pausesSent = 0;
  maxClassQueueBytes = 0;
  /** What has left here and not arrived. */
  readonly travelling = new Set<Packet>();
  readonly #network: Network;
  readonly #txTimes = new TxTimes('ns3');

  constructor(network: Network, index: number, device: Device) {
    this.#network = network;
    this.index = index;
    this.plan = network.plan.ports[index];
    this.device = device;
  }

  transmit(packet: Packet): void {
    const { events, listener } = this.#network;
    const sentPs = events.nowPs + this.#txTimes.ps(packet.lenBytes, this.plan.rateBps);
    this.busy = true;
    this.txPackets += 1;
    this.txBytes += packet.lenBytes;
    this.travelling.add(packet);
    if (packet.kind === 'pause') this.pausesSent += 1;
    listener?.(events.nowPs, 'send', this.device.node, this.index, packet.flow, packet.sequence);
    events.schedule(sentPs, () => {
      this.busy = false;
      this.device.trySend(this);
    });
    events.schedule(sentPs + this.plan.delayPs, () => {
      this.#arrive(packet);
    });
  }

  /** A pause frame has come in. */
  obeyPauseFrame({ kind, trafficClass }: Packet): void {
    this.paused[trafficClass] = kind === 'pause';
    if (kind === 'resume') this.device.trySend(this);
  }

  #arrive(packet: Packet): void {
    const { events, listener, ports, count } = this.#network;
    const far = ports[this.plan.peerPort];
    this.travelling.delete(packet);
    listener?.(events.nowPs, 'receive', far.device.node, far.index, packet.flow, packet.sequence);
    if (packet.kind !== 'pause' && packet.kind !== 'resume') {
      far.device.receive(far, packet);
      return;
    }
    count.ended(packet);
    far.obeyPauseFrame(packet);
  }
}
