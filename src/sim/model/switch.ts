/**
 * A switch of the plain network model: routing, admission, PFC, queues per exit, marking and telemetry at departure.
 *
 *   arrival     route; admit; store; pause the neighbour; queue; send
 *   departure   release; mark by what stays behind; let the neighbour go on; telemetry; send
 *
 * Queue 0 holds pause frames: it comes first, is never paused and takes no packet memory. Queues 1 to 7 take turns
 * after the one served last.
 */
import type { NodePlan } from '../plan.js';
import { ecmpHash } from '../compile/ecmp-hash.js';
import { markProbability } from './marking.js';
import { pauseFrame, type Packet } from './packet.js';
import type { Device, Network, Port } from './port.js';
import { CLASS_COUNT, SharedBuffer } from './shared-buffer.js';
import { SwitchTelemetry } from './switch-telemetry.js';

interface Waiting {
  readonly packet: Packet;
  readonly arrival: Port;
}

/** What waits for one exit. */
class Exit {
  readonly queues: readonly Waiting[][] = Array.from({ length: CLASS_COUNT }, () => []);
  readonly queueBytes: number[] = Array.from({ length: CLASS_COUNT }, () => 0);
  lastServed = 0;

  /** Of all classes, pause frames too. */
  get bytes(): number {
    return this.queueBytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  push(queue: number, waiting: Waiting): void {
    this.queues[queue].push(waiting);
    this.queueBytes[queue] += waiting.packet.lenBytes;
  }

  shift(queue: number): Waiting | undefined {
    const waiting = this.queues[queue].shift();
    if (waiting !== undefined) this.queueBytes[queue] -= waiting.packet.lenBytes;
    return waiting;
  }

  /** The queue whose turn it is, or undefined. */
  next(paused: readonly boolean[]): number | undefined {
    if (this.queues[0].length > 0) return 0;
    for (let turn = 1; turn <= CLASS_COUNT; turn += 1) {
      const queue = (this.lastServed + turn) % CLASS_COUNT;
      if (queue !== 0 && !paused[queue] && this.queues[queue].length > 0) return queue;
    }
    return undefined;
  }
}

export class Switch implements Device {
  readonly node: number;
  readonly #network: Network;
  readonly #plan: NodePlan;
  readonly #buffer: SharedBuffer;
  readonly #exits: readonly Exit[];
  readonly #telemetry: SwitchTelemetry;

  constructor(network: Network, node: number) {
    const { plan } = network;
    this.node = node;
    this.#network = network;
    this.#plan = plan.nodes[node];
    const { firstPort, portCount, bufferBytes } = this.#plan;
    const { reservedBytes, resumeOffsetBytes } = plan.rules;
    this.#buffer = new SharedBuffer({ bufferBytes, reservedBytes, resumeOffsetBytes },
      plan.ports.slice(firstPort, firstPort + portCount));
    this.#exits = Array.from({ length: portCount }, () => new Exit());
    this.#telemetry = new SwitchTelemetry(network, portCount);
  }

  receive(port: Port, packet: Packet): void {
    const exit = this.#route(packet);
    if (exit === undefined) {
      this.#drop(port, packet, 'noRoute');
      return;
    }
    const local = this.#local(port);
    if (!this.#buffer.admits(local, packet.trafficClass, packet.lenBytes)) {
      this.#drop(exit, packet, 'buffer');
      return;
    }
    this.#buffer.store(local, packet.trafficClass, packet.lenBytes);
    if (this.#plan.pfc && this.#buffer.beginPause(local, packet.trafficClass)) {
      this.#sendPauseFrame(port, 'pause', packet.trafficClass);
    }
    this.#push(exit, packet.trafficClass, { packet, arrival: port });
    this.trySend(exit);
  }

  trySend(port: Port): void {
    if (port.busy) return;
    const exit = this.#exits[this.#local(port)];
    const queue = exit.next(port.paused);
    const waiting = queue === undefined ? undefined : exit.shift(queue);
    if (queue === undefined || waiting === undefined) return;
    if (queue !== 0) {
      exit.lastServed = queue;
      this.#depart(port, exit, waiting);
    }
    this.#telemetry.noteDeparture(this.#local(port), waiting.packet);
    port.transmit(waiting.packet);
  }

  /** Packets that wait, for the balance at the end. */
  *waiting(): Generator<Packet> {
    for (const exit of this.#exits) for (const queue of exit.queues) for (const { packet } of queue) yield packet;
  }

  #route(packet: Packet): Port | undefined {
    const { plan, ports } = this.#network;
    const group = plan.groups[plan.routes[this.node][packet.destination]];
    if ((group?.length ?? 0) === 0) return undefined;
    return ports[group[ecmpHash(packet.tuple, this.#plan.hashSeed) % group.length]];
  }

  #push(port: Port, queue: number, waiting: Waiting): void {
    const exit = this.#exits[this.#local(port)];
    exit.push(queue, waiting);
    port.maxClassQueueBytes = Math.max(port.maxClassQueueBytes, exit.queueBytes[queue]);
  }

  /** All that a packet does to the switch, and the switch to it, as it departs. */
  #depart(port: Port, exit: Exit, { packet, arrival }: Waiting): void {
    const local = this.#local(arrival);
    const { trafficClass } = packet;
    this.#buffer.release(local, trafficClass, packet.lenBytes);
    this.#mark(port, packet, exit.queueBytes[trafficClass]);
    if (this.#plan.pfc && this.#buffer.endPause(local, trafficClass)) {
      this.#sendPauseFrame(arrival, 'resume', trafficClass);
    }
    this.#telemetry.write(port, this.#local(port), packet, exit.bytes);
  }

  #mark(port: Port, packet: Packet, queueBytes: number): void {
    if (!port.plan.ecn) return;
    const probability = markProbability(port.plan, queueBytes);
    const { markRandom, count, events, listener } = this.#network;
    // On the ramp each decision takes a number, at its ends too.
    const onRamp = queueBytes > port.plan.kminBytes && queueBytes <= port.plan.kmaxBytes;
    if (onRamp ? markRandom.next() >= probability : probability === 0) return;
    packet.marked = true;
    port.marks += 1;
    count.marked(packet);
    listener?.(events.nowPs, 'mark', this.node, port.index, packet.flow, packet.sequence);
  }

  #sendPauseFrame(port: Port, kind: 'pause' | 'resume', trafficClass: number): void {
    const packet = pauseFrame(kind, trafficClass, this.#network.plan.rules.pauseFrameBytes);
    this.#network.count.made(packet);
    this.#network.markRandom.passOver();
    this.#push(port, 0, { packet, arrival: port });
    this.trySend(port);
  }

  #drop(port: Port, packet: Packet, reason: 'buffer' | 'noRoute'): void {
    const { count, events, listener } = this.#network;
    port.drops += 1;
    count.dropped(packet, reason);
    listener?.(events.nowPs, 'drop', this.node, port.index, packet.flow, packet.sequence);
  }

  #local(port: Port): number {
    return port.index - this.#plan.firstPort;
  }
}
