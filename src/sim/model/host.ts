/**
 * A host of the plain network model: QPs, receivers, and a NIC per port.
 *
 * An ACK's work, in order: what is acknowledged; completion; the timer; going back on a NAK; congestion control (even
 * on the ACK that completes); then the NIC looks for something to send.
 */
import { ALGORITHMS, readsAcks } from '../../config/algorithms/registry.js';
import { AckSender } from './ack-sender.js';
import { DcqcnSender } from './dcqcn-sender.js';
import type { Device, Port } from './link-ends.js';
import type { Network } from './network.js';
import { Nic } from './nic.js';
import type { Packet } from './packet.js';
import type { Receiver, RetransmitTimer } from './parts.js';
import { QueuePair } from './queue-pair.js';
import type { SenderControl } from './sender-control.js';

/** Called when a flow is acknowledged in full, and when it is received in full. */
export interface FlowWatcher {
  onCompleted(flow: number, completionPs: number): void;
  onDelivered(flow: number): void;
}

/** A flow that this host sends. */
interface Sending {
  readonly queuePair: QueuePair;
  readonly timer: RetransmitTimer;
}

export class Host implements Device {
  readonly node: number;
  readonly #network: Network;
  readonly #watcher: FlowWatcher;
  readonly #nics = new Map<number, Nic>();
  readonly #sending = new Map<number, Sending>();
  readonly #receivers = new Map<number, Receiver>();

  constructor(network: Network, node: number, watcher: FlowWatcher) {
    this.#network = network;
    this.node = node;
    this.#watcher = watcher;
  }

  startFlow(index: number): void {
    const { events, listener, parts } = this.#network;
    const queuePair = new QueuePair(this.#network, index, this.#makeControl(index));
    const nic = this.#nicOf(queuePair.flow.sourcePort);
    const timer = parts.makeTimer(queuePair, () => {
      this.#noteTimeout(index);
      this.trySend(nic.port);
    });
    this.#sending.set(index, { queuePair, timer });
    nic.turns.add(queuePair);
    listener?.(events.nowPs, 'start', this.node, queuePair.flow.sourcePort, index, 0);
    this.trySend(nic.port);
  }

  receive(port: Port, packet: Packet): void {
    this.#network.count.ended(packet);
    if (packet.kind === 'data') this.#receiveData(packet);
    else if (!this.#receiveAnswer(packet)) return;
    this.#network.parts.linkFaults.afterHandling(port);
  }

  trySend(port: Port): void {
    if (port.busy) return;
    const nic = this.#nicOf(port.index);
    if (nic.acks.length > 0 && !this.#acksPause(nic)) {
      const ack = nic.acks.shift();
      if (ack !== undefined) port.transmit(ack);
      return;
    }
    const queuePair = nic.turns.nextTurn();
    if (queuePair === undefined) nic.turns.wakeLater();
    else this.#sendData(port, queuePair);
  }

  /** What a flow's receiver knows of it goes. */
  forget(flow: number): void {
    this.#receivers.delete(flow);
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
    const timer = this.#sending.get(queuePair.index)?.timer;
    const packet = queuePair.sendNext();
    this.#network.count.made(packet);
    timer?.beforeTransmit();
    port.transmit(packet);
    queuePair.pace(packet.lenBytes);
    timer?.afterTransmit();
  }

  #noteTimeout(flow: number): void {
    const { count } = this.#network;
    count.totals.timeouts += 1;
    count.flows[flow].timeouts += 1;
  }

  #receiveData(packet: Packet): void {
    const { plan, events, count } = this.#network;
    const flow = plan.flows.get(packet.flow);
    const receiver = this.#receiverOf(packet.flow);
    const before = receiver.expected;
    count.received(packet, before);
    const answer = receiver.receive(events.nowPs, packet);
    this.#reportReceived(packet, before, receiver, answer);
    if (answer !== undefined) {
      const nic = this.#nicOf(flow.answerPort);
      count.made(answer);
      nic.acks.push(answer);
      this.trySend(nic.port);
    }
    if (before < flow.sizeBytes && receiver.expected >= flow.sizeBytes) this.#watcher.onDelivered(packet.flow);
  }

  #receiverOf(index: number): Receiver {
    const { plan, parts } = this.#network;
    const known = this.#receivers.get(index);
    if (known !== undefined) return known;
    const receiver = parts.makeReceiver(plan.flows.get(index));
    this.#receivers.set(index, receiver);
    return receiver;
  }

  #reportReceived({ flow, sequence, marked }: Packet, before: number, { expected }: Receiver,
    answer: Packet | undefined): void {
    const { onStep, events } = this.#network;
    const kind = answer?.kind === 'ack' || answer?.kind === 'nak' ? answer.kind : null;
    const outOfOrder = answer !== undefined && sequence > before;
    onStep?.(events.nowPs, this.node, {
      step: 'received',
      flow,
      sequence,
      answer: kind,
      expected,
      marked,
      outOfOrder,
    });
  }

  /** Returns whether the flow was still open. */
  #receiveAnswer(packet: Packet): boolean {
    const sending = this.#sending.get(packet.flow);
    if (sending === undefined) return false;
    const { queuePair, timer } = sending;
    const { events, count } = this.#network;
    const { turns, port } = this.#nicOf(queuePair.flow.sourcePort);
    count.answered(packet);
    queuePair.recovery.acknowledge(events.nowPs, packet);
    if (queuePair.isFinished) this.#complete(sending);
    else timer.onAnswer();
    queuePair.recovery.goBackFor(packet);
    const moved = queuePair.react(packet);
    this.#reportAnswer(packet, queuePair);
    if (moved) turns.wakeEarlier(queuePair);
    this.trySend(port);
    return true;
  }

  #reportAnswer({ kind, flow, sequence, received, echo }: Packet, queuePair: QueuePair): void {
    const { onStep, events } = this.#network;
    const { sndUna, sndNxt, control: { rateBps }, recovery: { recovering } } = queuePair;
    onStep?.(events.nowPs, this.node, {
      step: 'answered',
      kind: kind === 'nak' ? 'nak' : 'ack',
      flow,
      sequence,
      sackSequence: received?.sequence ?? 0,
      sackBytes: received?.bytes ?? 0,
      echo,
      sndUna,
      sndNxt,
      recovering,
      rateBps,
    });
  }

  #complete({ queuePair, timer }: Sending): void {
    const { events, listener, forgetReceiver } = this.#network;
    const completionPs = events.nowPs - queuePair.startPs;
    queuePair.control.stop();
    timer.stop();
    this.#sending.delete(queuePair.index);
    listener?.(events.nowPs, 'complete', this.node, queuePair.flow.sourcePort, queuePair.index, completionPs);
    this.#watcher.onCompleted(queuePair.index, completionPs);
    forgetReceiver(queuePair.index);
  }

  /** Class 0 is never paused. */
  #acksPause({ acks, port }: Nic): boolean {
    return port.paused[this.#network.plan.rules.ackPauseClass ?? acks[0].trafficClass];
  }

  #nicOf(portIndex: number): Nic {
    const known = this.#nics.get(portIndex);
    if (known !== undefined) return known;
    const port = this.#network.ports[portIndex];
    const nic = new Nic(port, this.#network.parts.makeTurns(port));
    this.#nics.set(portIndex, nic);
    return nic;
  }
}
