/**
 * A switch of the network model: routing, admission, PFC, queues per egress port, marking and telemetry at departure.
 *
 *   arrival     choose the egress port; trim if there is no room; admit; store; pause the neighbour; queue; send
 *   departure   release; mark by what remains; let the neighbour resume; telemetry; send
 *
 * Queue 0 (pause frames and ACKs of class 0) is served first, is never paused and uses no packet memory. Queues 1 to 7
 * are served round-robin.
 */
import { ecmpHash, tupleOf } from '../../src/switching/ecmp-hash.js';
import type { NodePlan } from '../../src/sim/plan.js';
import { Egress, type Waiting } from './egress.js';
import type { Device, Port, StuckBytes, SwitchQueues } from './link-ends.js';
import { interfaceOf, type Network } from './network.js';
import { arnFrame, notification, pauseFrame, type Arn, type Packet } from './packet.js';
import type { Balancer, Forwarder, Marker, MemoryState, PauseFrame, Place, Rejection, SwitchMemory } from './parts.js';
import { SwitchTelemetry } from './switch-telemetry.js';

type SwitchDrop = 'buffer' | 'noRoute' | 'loss' | 'linkDown' | 'watchdog' | 'accessList' | 'wrongUsid';

/** The fields of a packet that determine its path. */
type Routed = Pick<Packet, 'destination' | 'flow' | 'tunnel'>;

export class Switch implements Device, Forwarder, SwitchQueues {
  readonly node: number;
  readonly #network: Network;
  readonly #plan: NodePlan;
  readonly #memory: SwitchMemory;
  readonly #marker: Marker;
  readonly #balancer: Balancer;
  readonly #nextHops: readonly Egress[];
  readonly #telemetry: SwitchTelemetry;

  constructor(network: Network, node: number) {
    const { plan, parts } = network;
    this.node = node;
    this.#network = network;
    this.#plan = plan.nodes[node];
    this.#memory = parts.makeMemory(node);
    this.#marker = parts.makeMarker(node);
    this.#balancer = parts.makeBalancer(this);
    this.#nextHops = Array.from({ length: this.#plan.portCount }, () => new Egress(plan.rules.strictClasses));
    this.#telemetry = new SwitchTelemetry(network, this.#plan.portCount);
  }

  receive(port: Port, packet: Packet): void {
    const { wan } = this.#network.parts;
    if (packet.arn !== undefined) {
      this.#network.count.ended(packet);
      if (wan?.arns.apply(port, packet.arn) === true) this.trySend(port);
      return;
    }
    const inside = wan === undefined ? packet : wan.tunnels.arrive(this.node, port, packet);
    if (inside !== undefined) this.#balancer.receive(inside, port);
  }

  forward(whole: Packet, arrival: Port, egress: Port | undefined): void {
    if (egress === undefined) {
      this.#drop(arrival, whole, 'noRoute');
      return;
    }
    this.#reportRoute(whole, egress);
    if (this.#network.rerouting.isDownUnnoticed(egress)) {
      this.#drop(egress, whole, 'linkDown');
      return;
    }
    if (whole.kind === 'data' && this.#network.withoutUsid.has(egress.index)) {
      this.#drop(arrival, whole, 'wrongUsid');
      return;
    }
    const packet = this.#trimmed(whole, arrival, egress);
    if (packet === undefined) return;
    if (packet.trafficClass === 0) {
      this.#push(egress, 0, { packet, arrival: undefined });
      this.trySend(egress);
      return;
    }
    const { wan } = this.#network.parts;
    if (wan?.tunnels.mayLeave(this.node, egress, packet) === false) {
      this.#drop(egress, packet, 'accessList');
      return;
    }
    const shut = this.#network.parts.hazards?.shutPort(arrival, egress, packet.trafficClass);
    if (shut !== undefined) {
      this.#drop(shut, packet, 'watchdog');
      return;
    }
    const place = { arrival: this.#local(arrival), egress: this.#local(egress) };
    const why = this.#memory.rejection(place, packet);
    if (why !== undefined) {
      this.#reject(arrival, egress, packet, why);
      return;
    }
    this.#memory.store(place, packet);
    if (wan?.arns.hasPauses(arrival) === false) wan.arns.countIn(arrival, packet, this.#putArn);
    else this.#sendPauseFrames(arrival, this.#memory.framesAfterStore(place, packet.trafficClass));
    this.#reportMemory('stored', arrival, egress, packet);
    this.#push(egress, packet.trafficClass, { packet, arrival });
    if (this.#network.plan.rules.markAt === 'enqueue') this.#judge(egress, packet);
    this.trySend(egress);
  }

  /** The packet, whole or trimmed; undefined: it was dropped. */
  #trimmed(whole: Packet, arrival: Port, egress: Port): Packet | undefined {
    const { plan: { ports, nodes }, parts: { trimming } } = this.#network;
    if (trimming === undefined) return whole;
    const place = { arrival: this.#local(arrival), egress: this.#local(egress) };
    const peer = ports[egress.plan.peerPort].node;
    const port = {
      leadsToHost: nodes[peer].kind === 'host' || nodes[peer].isAdapter === true,
      isUnlimited: this.#plan.isAdapter === true,
      queueBytes: (trafficClass: number) => this.#nextHops[place.egress].queueBytes[trafficClass],
      hasPlace: (one: Packet) => this.#memory.rejection(place, one) === undefined,
    };
    const packet = trimming.pass(egress.index, port, whole);
    if (packet === undefined) this.#drop(egress, trimming.rest(port, whole), 'buffer');
    return packet;
  }

  trySend(port: Port): void {
    if (port.busy || !port.up) return;
    const egress = this.#nextHops[this.#local(port)];
    const waiting = this.#takeNext(port, egress);
    if (waiting === undefined) return;
    const { packet, arrival } = waiting;
    if (arrival !== undefined) this.#depart(port, egress, packet, arrival);
    this.#telemetry.noteDeparture(this.#local(port), packet);
    port.transmit(packet);
  }

  #takeNext(port: Port, egress: Egress): Waiting | undefined {
    const arns = this.#network.parts.wan?.arns;
    if (arns?.holdsAny(port) === true) return egress.takeNotHeld(port.paused, (packet) => arns.isHeld(port, packet));
    const queue = egress.next(port.paused);
    return queue === undefined ? undefined : egress.shift(queue);
  }

  ecmpEgress(packet: Routed & Pick<Packet, 'tuple'>): Port | undefined {
    const nextHops = this.nextHops(packet);
    if (nextHops.length === 0) return undefined;
    const hash = ecmpHash(packet.tuple, this.#plan.hashSeed);
    const open = this.openNextHops(packet);
    return open.length === 0 ? undefined : open[hash % open.length];
  }

  openNextHops(packet: Routed): readonly Port[] {
    const { rerouting } = this.#network;
    const nextHops = this.nextHops(packet);
    return rerouting.areNeeded && nextHops.length > 0 ?
      rerouting.nextHops(this.node, this.#targetOf(packet), nextHops) :
      nextHops;
  }

  nextHops(packet: Routed): readonly Port[] {
    const { plan, ports } = this.#network;
    const group = plan.routes.group(this.node, this.#targetOf(packet));
    return group < 0 ? [] : plan.groups[group].map((port) => ports[port]);
  }

  #targetOf(packet: Routed): number {
    return this.#network.parts.wan?.tunnels.targetOf(this.node, packet) ?? packet.destination;
  }

  /** The bytes queued at a port, of one class and ingress port if given. */
  waitingBytes(port: Port, trafficClass?: number, from?: Port): number {
    const egress = this.#nextHops[this.#local(port)];
    if (trafficClass === undefined) return egress.bytes;
    const own = egress.queues[trafficClass].filter(({ arrival }) => from === undefined || arrival === from);
    return own.reduce((sum, { packet }) => sum + packet.lenBytes, 0);
  }

  get queues(): SwitchQueues {
    return this;
  }

  get ports(): readonly Port[] {
    const { firstPort, portCount } = this.#plan;
    return this.#network.ports.slice(firstPort, firstPort + portCount);
  }

  egressOf(flow: number): Port | undefined {
    const { source, destination, udpSourcePort, udpDestinationPort } = this.#network.plan.flows.get(flow);
    const { nodes } = this.#network.plan;
    const tuple = tupleOf(nodes[source].address, nodes[destination].address, udpSourcePort, udpDestinationPort);
    const { wan } = this.#network.parts;
    if (wan === undefined) return this.ecmpEgress({ destination, tuple, flow });
    // The path is that inside the tunnel.
    const end = wan.tunnels.targetOfData(this.node, flow);
    const tunnel = { end, rest: [], overheadBytes: 0, innerEcn: 0, outerEcn: 0, endCon: false };
    return this.ecmpEgress({ destination, tuple, flow, tunnel });
  }

  flowsHeld(port: Port, trafficClass: number): readonly number[] {
    const data = this.#nextHops[this.#local(port)].queues[trafficClass].filter(({ packet }) => packet.kind === 'data');
    return [...new Set(data.map(({ packet }) => packet.flow))];
  }

  takeOut(port: Port, trafficClass: number): Packet | undefined {
    const waiting = this.#nextHops[this.#local(port)].shift(trafficClass);
    if (waiting !== undefined) this.#giveBack(port, waiting);
    return waiting?.packet;
  }

  pauseLasts(arrival: Port, trafficClass: number, stuck: StuckBytes): boolean {
    const ofPort = (port: number, one: number): number => stuck(this.ports[port], one);
    return this.#memory.pauseLasts?.(this.#local(arrival), trafficClass, ofPort) ?? false;
  }

  loseQueues(port: Port): void {
    const egress = this.#nextHops[this.#local(port)];
    egress.queues.forEach((queue, trafficClass) => {
      while (queue.length > 0) this.#lose(port, egress.shift(trafficClass));
    });
  }

  forgetPauses(port: Port): void {
    this.#memory.forgetPauses(this.#local(port));
    this.#network.parts.wan?.arns.forget(port);
  }

  /** Packets that wait, for the accounting at the end. */
  *waiting(): Generator<Packet> {
    for (const egress of this.#nextHops)
      for (const queue of egress.queues) for (const { packet } of queue) yield packet;
    yield* this.#balancer.waiting();
  }

  #push(port: Port, queue: number, waiting: Waiting): void {
    const egress = this.#nextHops[this.#local(port)];
    egress.push(queue, waiting);
    port.maxClassQueueBytes = Math.max(port.maxClassQueueBytes, egress.queueBytes[queue]);
  }

  /** Updates the switch and the packet at departure. */
  #depart(port: Port, egress: Egress, packet: Packet, arrival: Port): void {
    const place = { arrival: this.#local(arrival), egress: this.#local(port) };
    const { trafficClass } = packet;
    const { wan } = this.#network.parts;
    this.#memory.release(place, packet);
    wan?.arns.countOut(arrival, packet, this.#putArn, port);
    if (this.#network.plan.rules.markAt === 'dequeue') this.#judge(port, packet);
    this.#sendPauseFrames(arrival, this.#memory.framesAfterRelease(place, trafficClass), port);
    this.#reportMemory('released', arrival, port, packet);
    if (packet.tunnel === undefined) this.#telemetry.write(port, this.#local(port), packet, egress.bytes);
  }

  #judge(port: Port, packet: Packet): void {
    if (!port.plan.ecn || (packet.kind === 'data' && packet.trimmed !== undefined)) return;
    const queueBytes = this.#nextHops[this.#local(port)].queueBytes[packet.trafficClass];
    const { wan } = this.#network.parts;
    const markable = wan === undefined || wan.tunnels.isMarkable(packet);
    if (!markable && !(this.#plan.fastCnp && packet.kind === 'data')) return;
    const { mark, notify } = this.#marker.judge(port, packet, queueBytes);
    if (mark && markable) this.#mark(port, packet);
    if (notify) this.#notify(port, packet);
  }

  /** Queues a Fast CNP to the sender of the packet in the class of CNPs; it uses no packet memory here. */
  #notify(port: Port, cause: Packet): void {
    const { plan: { rules, flows, fastCnp }, count, parts: { wan } } = this.#network;
    const fields = { destination: flows.source[cause.flow], trafficClass: rules.cnpClass };
    const made = notification('fast-cnp', cause, { ...fields, lenBytes: rules.fastCnpBytes, origin: this.node });
    if (fastCnp.option === 2) this.#telemetry.copy(port, cause, made, this.#nextHops[this.#local(port)].bytes);
    count.made(made);
    port.fastCnps += 1;
    const packet = wan === undefined ? made : wan.tunnels.wrap(this.node, made, cause);
    const egress = this.ecmpEgress(packet);
    if (egress === undefined) {
      count.dropped(packet, 'noRoute');
      return;
    }
    if (wan?.tunnels.mayLeave(this.node, egress, packet) === false) {
      this.#drop(egress, packet, 'accessList');
      return;
    }
    this.#push(egress, packet.trafficClass, { packet, arrival: undefined });
    // The port that is being served sends it next.
    if (egress !== port) this.trySend(egress);
  }

  #mark(port: Port, packet: Packet): void {
    const { count, events, listener } = this.#network;
    packet.marked = true;
    port.marks += 1;
    count.marked(packet);
    listener?.(events.nowPs, 'mark', this.node, port.index, packet.flow, packet.sequence);
  }

  /** @param served the port being served, to which a reroute may lead back from the ingress port. */
  #sendPauseFrames(port: Port, frames: readonly PauseFrame[], served?: Port): void {
    const { plan, count, parts } = this.#network;
    for (const { kind, trafficClass } of frames) {
      const packet = pauseFrame(kind, trafficClass, plan.rules.pauseFrameBytes);
      count.made(packet);
      if (kind === 'pause') port.pausesSent += 1;
      parts.onPauseFrame();
      this.#push(port, 0, { packet, arrival: undefined });
      if (port !== served) this.trySend(port);
    }
  }

  /** Queues an ARN before all other packets of a port. */
  readonly #putArn = (port: Port, arn: Arn): void => {
    const { plan: { wan }, count } = this.#network;
    const packet = arnFrame(arn, wan?.flowControl.arnBytes ?? 0);
    count.made(packet);
    this.#push(port, 0, { packet, arrival: undefined });
  };

  #reject(arrival: Port, egress: Port, packet: Packet, why: Rejection): void {
    const { events, count, onStep } = this.#network;
    const { flow, sequence, lenBytes, kind } = packet;
    if (kind === 'data') count.flows[flow].drops += 1;
    this.#drop(egress, packet, why === 'forced' ? 'loss' : 'buffer');
    onStep?.(events.nowPs, this.node, {
      step: 'rejected',
      why,
      flow,
      sequence,
      lenBytes,
      ...this.#context(arrival, egress, packet),
    });
  }

  /** Drops a packet because the link of its egress port is cut. */
  #lose(port: Port, waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.#giveBack(port, waiting);
    this.#drop(port, waiting.packet, 'linkDown');
  }

  #giveBack(port: Port, { packet, arrival }: Waiting): void {
    if (arrival === undefined) return;
    const place = { arrival: this.#local(arrival), egress: this.#local(port) };
    this.#memory.release(place, packet);
    this.#network.parts.wan?.arns.countOut(arrival, packet, this.#putArn, port);
    this.#sendPauseFrames(arrival, this.#memory.framesAfterRelease(place, packet.trafficClass), port);
  }

  #drop(port: Port, packet: Packet, reason: SwitchDrop): void {
    const { count, events, listener } = this.#network;
    port.drops += 1;
    count.dropped(packet, reason);
    listener?.(events.nowPs, 'drop', this.node, port.index, packet.flow, packet.sequence);
  }

  #reportMemory(step: 'stored' | 'released', arrival: Port, egress: Port, packet: Packet): void {
    const { events, onStep } = this.#network;
    onStep?.(events.nowPs, this.node, {
      step,
      lenBytes: packet.lenBytes,
      ...this.#context(arrival, egress, packet),
    });
  }

  #reportRoute(packet: Packet, egress: Port): void {
    const { events, onStep } = this.#network;
    if (onStep === undefined || packet.kind !== 'data') return;
    const { flow, sequence } = packet;
    const choices = this.nextHops(packet).length;
    onStep(events.nowPs, this.node, {
      step: 'routed',
      flow,
      sequence,
      egress: interfaceOf(this.#network, egress),
      choices,
    });
  }

  #context(arrival: Port, egress: Port, { trafficClass }: Packet): Place & { memory: MemoryState | undefined } {
    const place = { arrival: this.#local(arrival), egress: this.#local(egress) };
    const memory = this.#memory.state?.(place, trafficClass);
    return { arrival: interfaceOf(this.#network, arrival), egress: interfaceOf(this.#network, egress), memory };
  }

  #local(port: Port): number {
    return port.index - this.#plan.firstPort;
  }
}
