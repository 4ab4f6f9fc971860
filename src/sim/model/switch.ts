/**
 * A switch of the plain network model: routing, admission, PFC, queues per exit, marking and telemetry at departure.
 *
 *   arrival     choose the exit; admit; store; pause the neighbour; queue; send
 *   departure   release; mark by what stays behind; let the neighbour go on; telemetry; send
 *
 * Queue 0 (pause frames; ACKs of class 0) comes first, is never paused and takes no packet memory. Queues 1 to 7 take
 * turns after the one served last.
 */
import { ecmpHash } from '../compile/ecmp-hash.js';
import type { NodePlan } from '../plan.js';
import { Exit, type Waiting } from './exit.js';
import type { Device, Port } from './link-ends.js';
import { interfaceOf, type Network } from './network.js';
import { notification, pauseFrame, type Packet } from './packet.js';
import type { Balancer, Forwarder, Marker, MemoryState, PauseFrame, Place, Refusal, SwitchMemory } from './parts.js';
import { SwitchTelemetry } from './switch-telemetry.js';

export class Switch implements Device, Forwarder {
  readonly node: number;
  readonly #network: Network;
  readonly #plan: NodePlan;
  readonly #memory: SwitchMemory;
  readonly #marker: Marker;
  readonly #balancer: Balancer;
  readonly #exits: readonly Exit[];
  readonly #telemetry: SwitchTelemetry;

  constructor(network: Network, node: number) {
    const { plan, parts } = network;
    this.node = node;
    this.#network = network;
    this.#plan = plan.nodes[node];
    this.#memory = parts.makeMemory(node);
    this.#marker = parts.makeMarker(node);
    this.#balancer = parts.makeBalancer(this);
    this.#exits = Array.from({ length: this.#plan.portCount }, () => new Exit(plan.rules.strictClasses));
    this.#telemetry = new SwitchTelemetry(network, this.#plan.portCount);
  }

  receive(port: Port, packet: Packet): void {
    this.#balancer.receive(packet, port);
  }

  forward(packet: Packet, arrival: Port, exit: Port | undefined): void {
    if (exit === undefined) {
      this.#drop(arrival, packet, 'noRoute');
      return;
    }
    this.#reportRoute(packet, exit);
    if (packet.trafficClass === 0) {
      this.#push(exit, 0, { packet, arrival: undefined });
      this.trySend(exit);
      return;
    }
    const place = { arrival: this.#local(arrival), exit: this.#local(exit) };
    const why = this.#memory.refusal(place, packet);
    if (why !== undefined) {
      this.#refuse(arrival, exit, packet, why);
      return;
    }
    this.#memory.store(place, packet);
    this.#sendPauseFrames(arrival, this.#memory.framesAfterStore(place, packet.trafficClass));
    this.#reportMemory('stored', arrival, exit, packet);
    this.#push(exit, packet.trafficClass, { packet, arrival });
    if (this.#network.plan.rules.markAt === 'enqueue') this.#judge(exit, packet);
    this.trySend(exit);
  }

  trySend(port: Port): void {
    if (port.busy || !port.up) return;
    const exit = this.#exits[this.#local(port)];
    const queue = exit.next(port.paused);
    const waiting = queue === undefined ? undefined : exit.shift(queue);
    if (queue === undefined || waiting === undefined) return;
    const { packet, arrival } = waiting;
    if (arrival !== undefined) this.#depart(port, exit, packet, arrival);
    this.#telemetry.noteDeparture(this.#local(port), packet);
    port.transmit(packet);
  }

  ecmpExit(packet: Packet): Port | undefined {
    const exits = this.exits(packet);
    if (exits.length === 0) return undefined;
    const hash = ecmpHash(packet.tuple, this.#plan.hashSeed);
    const open = this.openExits(packet);
    return open.length === 0 ? undefined : open[hash % open.length];
  }

  openExits(packet: Packet): readonly Port[] {
    const { detours } = this.#network;
    const exits = this.exits(packet);
    return detours.areNeeded && exits.length > 0 ? detours.exits(this.node, packet.destination, exits) : exits;
  }

  exits({ destination }: Packet): readonly Port[] {
    const { plan, ports } = this.#network;
    const group = plan.routes[this.node][destination];
    return group < 0 ? [] : plan.groups[group].map((port) => ports[port]);
  }

  waitingBytes(port: Port): number {
    return this.#exits[this.#local(port)].bytes;
  }

  loseQueues(port: Port): void {
    const exit = this.#exits[this.#local(port)];
    exit.queues.forEach((queue, trafficClass) => {
      while (queue.length > 0) this.#lose(port, exit.shift(trafficClass));
    });
  }

  forgetPauses(port: Port): void {
    this.#memory.forgetPauses(this.#local(port));
  }

  /** Packets that wait, for the balance at the end. */
  *waiting(): Generator<Packet> {
    for (const exit of this.#exits) for (const queue of exit.queues) for (const { packet } of queue) yield packet;
    yield* this.#balancer.waiting();
  }

  #push(port: Port, queue: number, waiting: Waiting): void {
    const exit = this.#exits[this.#local(port)];
    exit.push(queue, waiting);
    port.maxClassQueueBytes = Math.max(port.maxClassQueueBytes, exit.queueBytes[queue]);
  }

  /** All that a packet does to the switch, and the switch to it, as it departs. */
  #depart(port: Port, exit: Exit, packet: Packet, arrival: Port): void {
    const place = { arrival: this.#local(arrival), exit: this.#local(port) };
    const { trafficClass } = packet;
    this.#memory.release(place, packet);
    if (this.#network.plan.rules.markAt === 'dequeue') this.#judge(port, packet);
    this.#sendPauseFrames(arrival, this.#memory.framesAfterRelease(place, trafficClass), port);
    this.#reportMemory('released', arrival, port, packet);
    this.#telemetry.write(port, this.#local(port), packet, exit.bytes);
  }

  #judge(port: Port, packet: Packet): void {
    if (!port.plan.ecn) return;
    const queueBytes = this.#exits[this.#local(port)].queueBytes[packet.trafficClass];
    const { mark, notify } = this.#marker.judge(port, packet, queueBytes);
    if (mark) this.#mark(port, packet);
    if (notify) this.#notify(port, packet);
  }

  /** A Fast CNP to the packet's sender, which waits among the CNPs, but takes no packet memory here. */
  #notify(port: Port, cause: Packet): void {
    const { plan: { rules, flows, fastCnp }, count } = this.#network;
    const fields = { destination: flows.source[cause.flow], trafficClass: rules.cnpClass };
    const packet = notification('fast-cnp', cause, { ...fields, lenBytes: rules.fastCnpBytes });
    if (fastCnp.option === 2) this.#telemetry.copy(port, cause, packet, this.#exits[this.#local(port)].bytes);
    count.made(packet);
    port.fastCnps += 1;
    const exit = this.ecmpExit(packet);
    if (exit === undefined) {
      count.dropped(packet, 'noRoute');
      return;
    }
    this.#push(exit, packet.trafficClass, { packet, arrival: undefined });
    // The port that is being served sends it next, by itself.
    if (exit !== port) this.trySend(exit);
  }

  #mark(port: Port, packet: Packet): void {
    const { count, events, listener } = this.#network;
    packet.marked = true;
    port.marks += 1;
    count.marked(packet);
    listener?.(events.nowPs, 'mark', this.node, port.index, packet.flow, packet.sequence);
  }

  /** @param served sends them next by itself: a detour may lead back to the port that a packet came from. */
  #sendPauseFrames(port: Port, frames: readonly PauseFrame[], served?: Port): void {
    const { plan, count, parts } = this.#network;
    for (const { kind, trafficClass } of frames) {
      const packet = pauseFrame(kind, trafficClass, plan.rules.pauseFrameBytes);
      count.made(packet);
      parts.onPauseFrame();
      this.#push(port, 0, { packet, arrival: undefined });
      if (port !== served) this.trySend(port);
    }
  }

  #refuse(arrival: Port, exit: Port, packet: Packet, why: Refusal): void {
    const { events, count, onStep } = this.#network;
    const { flow, sequence, lenBytes, kind } = packet;
    if (kind === 'data') count.flows[flow].drops += 1;
    this.#drop(exit, packet, why === 'forced' ? 'loss' : 'buffer');
    onStep?.(events.nowPs, this.node, {
      step: 'refused',
      why,
      flow,
      sequence,
      lenBytes,
      ...this.#surroundings(arrival, exit, packet),
    });
  }

  /** The link of its exit is cut. */
  #lose(port: Port, waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    const { packet, arrival } = waiting;
    if (arrival !== undefined) {
      const place = { arrival: this.#local(arrival), exit: this.#local(port) };
      this.#memory.release(place, packet);
      this.#sendPauseFrames(arrival, this.#memory.framesAfterRelease(place, packet.trafficClass));
    }
    this.#drop(port, packet, 'linkDown');
  }

  #drop(port: Port, packet: Packet, reason: 'buffer' | 'noRoute' | 'loss' | 'linkDown'): void {
    const { count, events, listener } = this.#network;
    port.drops += 1;
    count.dropped(packet, reason);
    listener?.(events.nowPs, 'drop', this.node, port.index, packet.flow, packet.sequence);
  }

  #reportMemory(step: 'stored' | 'released', arrival: Port, exit: Port, packet: Packet): void {
    const { events, onStep } = this.#network;
    onStep?.(events.nowPs, this.node, {
      step,
      lenBytes: packet.lenBytes,
      ...this.#surroundings(arrival, exit, packet),
    });
  }

  #reportRoute(packet: Packet, exit: Port): void {
    const { events, onStep } = this.#network;
    if (onStep === undefined || packet.kind !== 'data') return;
    const { flow, sequence } = packet;
    const choices = this.exits(packet).length;
    onStep(events.nowPs, this.node, {
      step: 'routed',
      flow,
      sequence,
      exit: interfaceOf(this.#network, exit),
      choices,
    });
  }

  #surroundings(arrival: Port, exit: Port, { trafficClass }: Packet): Place & { memory: MemoryState | undefined } {
    const place = { arrival: this.#local(arrival), exit: this.#local(exit) };
    const memory = this.#memory.state?.(place, trafficClass);
    return { arrival: interfaceOf(this.#network, arrival), exit: interfaceOf(this.#network, exit), memory };
  }

  #local(port: Port): number {
    return port.index - this.#plan.firstPort;
  }
}
