/**
 * A host of the plain network model: QPs, receivers, and a NIC per port.
 *
 * An ACK's work, in order: what is acknowledged; completion; going back on a NAK; congestion control (even on the ACK
 * that completes); then the NIC looks for something to send.
 *
 * Where a host has a timeout, it begins with a flow's first packet; nothing acknowledged for the whole of it: back to
 * what is not.
 */
import { ALGORITHMS, readsAcks } from '../../config/algorithms/registry.js';
import { AckSender } from './ack-sender.js';
import { DcqcnSender } from './dcqcn-sender.js';
import { Nic } from './nic.js';
import type { Packet } from './packet.js';
import type { Device, Network, Port } from './port.js';
import { QueuePair } from './queue-pair.js';
import { Receiver } from './receiver.js';
import type { SenderControl } from './sender-control.js';

/** Called when a flow is acknowledged in full, and when it is received in full. */
export interface FlowWatcher {
  onCompleted(flow: number, completionPs: number): void;
  onDelivered(flow: number): void;
}

export class Host implements Device {
  readonly node: number;
  readonly #network: Network;
  readonly #watcher: FlowWatcher;
  readonly #nics = new Map<number, Nic>();
  readonly #queuePairs = new Map<number, QueuePair>();
  readonly #receivers = new Map<number, Receiver>();
  /** Flows whose timeout is pending. */
  readonly #awaited = new Set<number>();

  constructor(network: Network, node: number, watcher: FlowWatcher) {
    this.#network = network;
    this.node = node;
    this.#watcher = watcher;
  }

  startFlow(index: number): void {
    const { plan, events, listener } = this.#network;
    const flow = plan.flows.get(index);
    const queuePair = new QueuePair(plan, index, this.#makeControl(index), events.nowPs);
    const nic = this.#nicOf(flow.sourcePort);
    this.#queuePairs.set(index, queuePair);
    nic.add(queuePair);
    listener?.(events.nowPs, 'start', this.node, flow.sourcePort, index, 0);
    this.trySend(nic.port);
  }

  receive(_port: Port, packet: Packet): void {
    this.#network.count.ended(packet);
    if (packet.kind === 'data') this.#receiveData(packet);
    else this.#receiveAnswer(packet);
  }

  trySend(port: Port): void {
    if (port.busy) return;
    const nic = this.#nicOf(port.index);
    if (nic.acks.length > 0 && !this.#acksPause(nic)) {
      const ack = nic.acks.shift();
      if (ack !== undefined) port.transmit(ack);
      return;
    }
    const queuePair = nic.nextTurn();
    if (queuePair === undefined) nic.wakeLater();
    else this.#sendData(port, queuePair);
  }

  /** Packets that wait, for the balance at the end. */
  *waiting(): Generator<Packet> {
    for (const nic of this.#nics.values()) yield* nic.acks;
  }

  #makeControl(index: number): SenderControl {
    const { plan, events, listener } = this.#network;
    const { parameterSet, sourcePort } = plan.flows.get(index);
    const parameters = plan.parameterSets[parameterSet];
    if (readsAcks(parameters, ALGORITHMS)) return new AckSender(parameters);
    return new DcqcnSender(parameters, events, (timePs, kind, rateBps) => {
      listener?.(timePs, kind, this.node, sourcePort, index, rateBps);
    });
  }

  #sendData(port: Port, queuePair: QueuePair): void {
    const { events, count } = this.#network;
    const before = queuePair.retransmittedPackets;
    const packet = queuePair.sendNext(events.nowPs);
    count.made(packet);
    count.totals.retransmittedPackets += queuePair.retransmittedPackets - before;
    if (queuePair.timeoutPs > 0) this.#awaitTimeout(queuePair, events.nowPs + queuePair.timeoutPs);
    port.transmit(packet);
    queuePair.pace(events.nowPs, packet.lenBytes);
  }

  /**
   * One timeout of a flow is pending at a time; it is set again when it comes, while there is something to wait for.
   */
  #awaitTimeout(queuePair: QueuePair, timePs: number): void {
    if (this.#awaited.has(queuePair.index)) return;
    this.#awaited.add(queuePair.index);
    this.#network.events.schedule(timePs, () => {
      this.#awaited.delete(queuePair.index);
      if (!queuePair.isFinished && queuePair.sndNxt > queuePair.sndUna) this.#timeOut(queuePair);
    });
  }

  #timeOut(queuePair: QueuePair): void {
    const { events, count } = this.#network;
    const duePs = queuePair.lastProgressPs + queuePair.timeoutPs;
    if (duePs > events.nowPs) {
      this.#awaitTimeout(queuePair, duePs);
      return;
    }
    count.totals.timeouts += 1;
    queuePair.goBack(events.nowPs);
    this.#awaitTimeout(queuePair, events.nowPs + queuePair.timeoutPs);
    this.trySend(this.#nicOf(queuePair.flow.sourcePort).port);
  }

  #receiveData(packet: Packet): void {
    const { plan, events, count } = this.#network;
    const flow = plan.flows.get(packet.flow);
    const receiver = this.#receivers.get(packet.flow) ??
      new Receiver(flow, plan.rules,
        (plan.nodes[flow.source].retransmitTimeoutPs ?? plan.rules.retransmitTimeoutPs) > 0);
    this.#receivers.set(packet.flow, receiver);
    const before = receiver.expected;
    const answer = receiver.receive(events.nowPs, packet);
    if (answer !== undefined) {
      const nic = this.#nicOf(flow.answerPort);
      count.made(answer);
      nic.acks.push(answer);
      this.trySend(nic.port);
    }
    if (before < flow.sizeBytes && receiver.expected >= flow.sizeBytes) this.#watcher.onDelivered(packet.flow);
  }

  #receiveAnswer(packet: Packet): void {
    const queuePair = this.#queuePairs.get(packet.flow);
    if (queuePair === undefined) return;
    const { events } = this.#network;
    const nic = this.#nicOf(queuePair.flow.sourcePort);
    queuePair.acknowledge(events.nowPs, packet);
    if (queuePair.isFinished) this.#complete(queuePair);
    if (queuePair.react(events.nowPs, packet)) nic.wakeEarlier(queuePair);
    this.trySend(nic.port);
  }

  #complete(queuePair: QueuePair): void {
    const { events, listener } = this.#network;
    const completionPs = events.nowPs - queuePair.startPs;
    queuePair.control.stop();
    this.#queuePairs.delete(queuePair.index);
    listener?.(events.nowPs, 'complete', this.node, queuePair.flow.sourcePort, queuePair.index, completionPs);
    this.#watcher.onCompleted(queuePair.index, completionPs);
  }

  /** Class 0 is never paused. */
  #acksPause({ acks, port }: Nic): boolean {
    return port.paused[this.#network.plan.rules.ackPauseClass ?? acks[0].trafficClass];
  }

  #nicOf(portIndex: number): Nic {
    const known = this.#nics.get(portIndex);
    if (known !== undefined) return known;
    const nic = new Nic(this.#network.ports[portIndex], this.#network.events);
    this.#nics.set(portIndex, nic);
    return nic;
  }
}
