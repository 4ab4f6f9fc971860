/**
 * A host of the plain network model: QPs, receivers, and a NIC per port.
 *
 * An ACK is processed in this order: acknowledged bytes; completion; timer; going back on a NAK; congestion control,
 * even for the ACK that completes the flow; then the NIC polls for a packet to send.
 */
import type { Device, Port } from './link-ends.js';
import type { Network } from './network.js';
import { Nic } from './nic.js';
import { notification, pauseFrame, type Packet } from './packet.js';
import type { CreditPacer, NotificationPoint, PauseFrame, PausingHost, ReceiveBuffer, Receiver, Requester,
  RetransmitTimer } from './parts.js';
import { QueuePair } from './queue-pair.js';
import type { Retries } from './retries.js';
import { FlowStream, MessageStream, type SendStream } from './send-stream.js';

/** Called when a flow is fully acknowledged, when it is fully received, and when its retries are exhausted. */
export interface FlowWatcher {
  onFailed(flow: number): void;
  onCompleted(flow: number, completionPs: number): void;
  onDelivered(flow: number): void;
  /** Whether a flow is complete, or has failed. */
  isOver(flow: number): boolean;
}

/** A QP to which several messages are posted (ConnectionsPlan in src/sim/plan.ts). */
interface Connection {
  readonly sending: Sending;
  readonly stream: MessageStream;
  /** The time when the last byte in flight was acknowledged. */
  idleSincePs: number;
}

/** A flow that this host sends. */
interface Sending {
  readonly queuePair: QueuePair;
  readonly timer: RetransmitTimer;
  readonly retries: Retries;
  /** The number of waits after RNR NAKs. */
  rnrRetries: number;
}

export class Host implements Device, PausingHost {
  readonly node: number;
  readonly #network: Network;
  readonly #watcher: FlowWatcher;
  readonly #nics = new Map<number, Nic>();
  readonly #sending = new Map<number, Sending>();
  readonly #connections = new Map<number, Connection>();
  readonly #receivers = new Map<number, Receiver>();
  readonly #requesters = new Map<number, Requester>();
  readonly #receiveBuffers = new Map<Port, ReceiveBuffer>();
  readonly #creditPacers = new Map<number, CreditPacer>();
  readonly #notificationPoint: NotificationPoint;
  /** CNPs that their host is still processing. */
  readonly #delayed = new Set<Packet>();

  constructor(network: Network, node: number, watcher: FlowWatcher) {
    this.#network = network;
    this.node = node;
    this.#watcher = watcher;
    this.#notificationPoint = network.parts.makeNotificationPoint(node);
  }

  startFlow(index: number): void {
    const { events, listener, plan: { flows, connections } } = this.#network;
    const leader = connections?.leaderOf[index] ?? -1;
    if (leader >= 0) {
      this.#postMessage(leader, index);
      return;
    }
    listener?.(events.nowPs, 'start', this.node, flows.sourcePort[index], index, 0);
    this.#joinNic(index);
  }

  /** Posts a READ. */
  requestFlow(index: number): void {
    const { parts, count, plan: { flows } } = this.#network;
    const port = flows.responsePort[index];
    const requester = parts.makeRequester?.(index, {
      send: (request) => {
        count.made(request);
        this.#send(port, request);
      },
      noteTimeout: () => {
        count.totals.timeouts += 1;
        count.flows[index].timeouts += 1;
      },
      fail: () => {
        this.#watcher.onFailed(index);
      },
    });
    if (requester === undefined) return;
    this.#receivers.set(index, requester);
    this.#requesters.set(index, requester);
    requester.start();
  }

  /** A READ has ended, so its responder stops sending. */
  stopResponding(index: number): void {
    this.#sending.get(index)?.queuePair.stop();
  }

  #joinNic(index: number): void {
    const { plan: { flows, nodes, rules } } = this.#network;
    const { sizeBytes, source } = flows.get(index);
    this.#open(index, new FlowStream(sizeBytes, nodes[source].mtuBytes ?? rules.mtuBytes));
  }

  #open(index: number, stream: SendStream): Sending {
    const { parts } = this.#network;
    const queuePair = new QueuePair(this.#network, index, stream, (probe) => {
      this.#network.count.made(probe);
      this.#send(queuePair.flow.sourcePort, probe);
    });
    const nic = this.#nicOf(queuePair.flow.sourcePort);
    const timer = parts.makeTimer(queuePair, (draws) => {
      this.#noteTimeout(sending, draws);
      this.trySend(nic.port);
      queuePair.probeShutWindow();
    }, () => {
      this.#lose(sending, 'fast');
      this.trySend(nic.port);
    }, () => {
      this.trySend(nic.port);
    });
    const sending: Sending = { queuePair, timer, retries: parts.makeRetries(index), rnrRetries: 0 };
    this.#sending.set(index, sending);
    nic.scheduler.add(queuePair);
    this.trySend(nic.port);
    return sending;
  }

  /** Adds a message to its QP; the first message opens the QP. */
  #postMessage(leader: number, index: number): void {
    const { events: { nowPs }, plan: { flows, nodes, rules }, streams, count } = this.#network;
    const { sizeBytes, source } = flows.get(index);
    const known = this.#connections.get(leader);
    const restarts = known !== undefined && this.#restarts(known);
    if (restarts) known.sending.queuePair.congestionControl.restart();
    const stream = known?.stream ?? streams.open(leader, nodes[source].mtuBytes ?? rules.mtuBytes);
    stream.post(index, sizeBytes, nowPs, {
      restarted: restarts,
      isFlushed: known?.sending.queuePair.hasFailed === true,
    });
    count.posted(leader, index);
    if (known === undefined) {
      this.#connections.set(leader, { sending: this.#open(leader, stream), stream, idleSincePs: nowPs });
      return;
    }
    const { queuePair } = known.sending;
    if (queuePair.hasFailed) {
      this.#watcher.onFailed(index);
      return;
    }
    const { port, scheduler } = this.#nicOf(queuePair.flow.sourcePort);
    this.trySend(port);
    scheduler.wakeEarlier(queuePair);
  }

  /** Whether a QP has been idle long enough to restart at line rate. */
  #restarts({ sending: { queuePair }, stream, idleSincePs }: Connection): boolean {
    const { events: { nowPs }, plan: { connections } } = this.#network;
    const isIdle = !queuePair.hasFailed && queuePair.sndUna === stream.end;
    return isIdle && nowPs - idleSincePs >= (connections?.idleRestartPs ?? Infinity);
  }

  receive(port: Port, packet: Packet): void {
    const buffer = this.#receiveBufferOf(port);
    if (buffer === undefined) this.handle(port, packet);
    else buffer.take(packet);
  }

  /** A packet has passed the receive path. */
  handle(port: Port, packet: Packet): void {
    const { count, parts } = this.#network;
    if (packet.corrupted) {
      port.drops += 1;
      count.dropped(packet, 'corrupt');
      return;
    }
    count.ended(packet);
    if (packet.portStatus !== undefined) this.#network.rerouting.takeEndpointPacket(packet);
    else if (packet.kind === 'data') this.#receiveData(packet);
    else if (packet.kind === 'cnp' || packet.kind === 'fast-cnp') this.#receiveNotification(packet);
    else if (packet.kind === 'read-request') this.#receiveRequest(packet);
    else if (packet.kind === 'rnr-nak') this.#receiveRnrNak(packet);
    else if (packet.kind === 'nack') this.#receiveNack(packet);
    else if (packet.kind === 'credit') this.#receiveCredit(packet);
    else if (!this.#receiveResponse(packet)) return;
    parts.linkFaults.afterHandling(port);
  }

  trySend(port: Port): void {
    if (port.busy || !port.up) return;
    const nic = this.#nicOf(port.index);
    const response = nic.responses.next(port.paused);
    if (response !== undefined) {
      port.transmit(response);
      return;
    }
    const queuePair = nic.scheduler.nextQp();
    if (queuePair === undefined) nic.scheduler.wakeLater();
    else this.#sendData(port, queuePair);
  }

  loseQueues(port: Port): void {
    for (const packet of this.#nicOf(port.index).responses.clear()) {
      port.drops += 1;
      this.#network.count.dropped(packet, 'linkDown');
    }
  }

  forgetPauses(): void {
    // Hosts do not pause neighbours.
  }

  /** Forgets the receiver state of a flow. */
  forget(flow: number): void {
    this.#receivers.delete(flow);
  }

  sendPauseFrames(port: Port, frames: readonly PauseFrame[]): void {
    const { plan, count } = this.#network;
    for (const { kind, trafficClass } of frames) {
      const packet = pauseFrame(kind, trafficClass, plan.rules.pauseFrameBytes);
      count.made(packet);
      if (kind === 'pause') port.pausesSent += 1;
      this.#nicOf(port.index).responses.push(packet);
    }
    if (frames.length > 0) this.trySend(port);
  }

  flowsHeld(port: Port, trafficClass: number): readonly number[] {
    const held = [...this.#sending.values()].filter(({ queuePair: { flow, isFinished, hasBytesLeft } }) =>
      flow.sourcePort === port.index && flow.dataClass === trafficClass && !isFinished && hasBytesLeft
    );
    return held.map(({ queuePair }) => queuePair.index);
  }

  /** Sends an endpoint packet of MRC. */
  sendEndpoint(packet: Packet): void {
    this.#network.count.made(packet);
    this.#send(this.#network.plan.nodes[this.node].firstPort, packet);
  }

  #receiveBufferOf(port: Port): ReceiveBuffer | undefined {
    const known = this.#receiveBuffers.get(port);
    if (known !== undefined) return known;
    const made = this.#network.parts.hazards?.makeReceiveBuffer(port, this);
    if (made !== undefined) this.#receiveBuffers.set(port, made);
    return made;
  }

  /** Packets that wait, for the accounting at the end. */
  *waiting(): Generator<Packet> {
    yield* this.#delayed;
    for (const buffer of this.#receiveBuffers.values()) yield* buffer;
    for (const nic of this.#nics.values()) yield* nic.responses;
  }

  #sendData(port: Port, queuePair: QueuePair): void {
    const timer = this.#sending.get(queuePair.index)?.timer;
    const packet = queuePair.sendNext();
    this.#network.count.made(packet);
    timer?.beforeTransmit();
    const sentPs = port.transmit(packet);
    queuePair.pace(packet.lenBytes);
    queuePair.askForCredit(packet, this.#waitingFor(queuePair));
    timer?.afterTransmit();
    const { scheduler, responses } = this.#nicOf(port.index);
    scheduler.afterSend(queuePair, sentPs, [...responses].length > 0);
  }

  /** The number of QPs of a port that wait for receiver credit, including the one that has just sent. */
  #waitingFor(sender: QueuePair): number {
    const others = [...this.#sending.values()].map(({ queuePair }) => queuePair).filter((queuePair) =>
      queuePair !== sender && queuePair.flow.sourcePort === sender.flow.sourcePort && !queuePair.isFinished
    );
    return 1 +
      others.filter(({ hasBytesLeft, congestionControl: { credit } }) => hasBytesLeft && credit?.hasCredit === true)
        .length;
  }

  #noteTimeout(sending: Sending, draws = 1): void {
    const { count } = this.#network;
    count.totals.timeouts += 1;
    count.flows[sending.queuePair.index].timeouts += 1;
    this.#lose(sending, 'timeout', { draws });
  }

  /** Reports a loss to congestion control, unless the flow fails by it. */
  #lose({ queuePair, retries }: Sending, found: 'fast' | 'timeout' | 'nack',
    { report = () => found !== 'nack' && queuePair.lose(found), draws = 1 } = {}): void {
    const progressBytes = queuePair.recovery.progressBytes ?? queuePair.sndUna;
    if (Array.from({ length: draws }, () => retries.allows(found, progressBytes)).includes(false)) {
      this.#fail(queuePair);
      return;
    }
    if (report()) this.#nicOf(queuePair.flow.sourcePort).scheduler.wakeEarlier(queuePair);
  }

  #fail(queuePair: QueuePair): void {
    queuePair.stop();
    for (const flow of this.#unfinished(queuePair)) this.#watcher.onFailed(flow);
  }

  /** The incomplete flows of a QP that fails. */
  #unfinished({ stream, index }: QueuePair): number[] {
    if (!(stream instanceof MessageStream)) return [index];
    return stream.messages.filter(({ isAcknowledged }) => !isAcknowledged).map((message) => message.index);
  }

  #receiveData(packet: Packet): void {
    const { plan, events, count } = this.#network;
    const flow = plan.flows.get(packet.flow);
    if (packet.probe !== undefined) {
      this.#acknowledgeProbe(packet, flow.responsePort);
      return;
    }
    if (packet.pullTarget !== undefined)
      this.#creditPacerOf(flow.responsePort)?.take(packet, this.#receiverOf(packet.flow));
    if (packet.marked && packet.trimmed === undefined) this.#responseMark(packet);
    const receiver = this.#receiverOf(packet.flow);
    const before = receiver.expected;
    if (receiver.rejects?.(events.nowPs, packet) !== true)
      count.received(packet, before, plan.nodes[flow.source].mtuBytes ?? plan.rules.mtuBytes);
    const response = receiver.receive(events.nowPs, packet);
    count.progress += receiver.expected - before;
    this.#reportReceived(packet, before, receiver, response);
    if (response !== undefined) {
      count.made(response);
      this.#send(flow.responsePort, response);
    }
    const messages = this.#network.streams.of(packet.flow);
    if (messages !== undefined) {
      for (const { index } of messages.takeDelivered(receiver.expected)) this.#watcher.onDelivered(index);
    } else if (before < flow.sizeBytes && receiver.expected >= flow.sizeBytes) this.#noteDelivered(packet.flow);
  }

  #acknowledgeProbe(probe: Packet, port: number): void {
    const sack = this.#receiverOf(probe.flow).acknowledgeProbe?.(probe);
    if (sack === undefined) return;
    this.#network.count.made(sack);
    this.#send(port, sack);
  }

  /** All data of a flow has arrived, which completes a READ. */
  #noteDelivered(flow: number): void {
    const requester = this.#requesters.get(flow);
    if (requester !== undefined) {
      this.#network.count.progress += 1;
      this.#watcher.onCompleted(flow, this.#network.events.nowPs - requester.startPs);
    }
    this.#watcher.onDelivered(flow);
  }

  /** Streams the data of a READ, or retransmits them from the requested byte on. */
  #receiveRequest({ flow, sequence }: Packet): void {
    if (this.#watcher.isOver(flow)) return;
    const sending = this.#sending.get(flow);
    if (sending === undefined) {
      this.#joinNic(flow);
      return;
    }
    const { queuePair } = sending;
    const { port, scheduler } = this.#nicOf(queuePair.flow.sourcePort);
    queuePair.sndNxt = sequence;
    if (queuePair.lose('fast')) scheduler.wakeEarlier(queuePair);
    this.trySend(port);
  }

  /** The receiver has posted no receive, so the QP waits and retransmits everything from the rejected packet on. */
  #receiveRnrNak({ flow, sequence }: Packet): void {
    const { events, count, parts } = this.#network;
    const sending = this.#sending.get(flow);
    if (sending === undefined || sending.queuePair.isFinished) return;
    const { queuePair } = sending;
    const { port } = this.#nicOf(queuePair.flow.sourcePort);
    count.flows[flow].rnrNaks += 1;
    if (queuePair.awaitsReceiver) return;
    const waitPs = parts.rnrWaitPs?.(flow, ++sending.rnrRetries);
    if (waitPs === undefined) {
      queuePair.stop();
      this.#watcher.onFailed(flow);
    } else {
      count.flows[flow].rnrWaitPs += waitPs;
      queuePair.sndNxt = sequence;
      queuePair.awaitsReceiver = true;
      events.schedule(events.nowPs + waitPs, () => {
        queuePair.awaitsReceiver = false;
        if (!queuePair.isFinished) this.trySend(port);
      });
    }
    this.trySend(port);
  }

  /** A packet was trimmed or rejected by its receiver, so it is retransmitted. */
  #receiveNack(packet: Packet): void {
    const sending = this.#sending.get(packet.flow);
    if (sending === undefined) return;
    const { queuePair } = sending;
    queuePair.noteTrim(packet);
    if (queuePair.isFinished) return;
    this.#network.count.responseReceived(packet);
    if (packet.rejected === 'unexpected-event') this.#fail(queuePair);
    else if (queuePair.recovery.takeNack?.(this.#network.events.nowPs, packet) === true)
      this.#lose(sending, 'nack', { report: () => packet.rejected === undefined && queuePair.loseTrimmed(packet) });
    else return;
    this.trySend(this.#nicOf(queuePair.flow.sourcePort).port);
    queuePair.probeShutWindow();
  }

  #receiveCredit({ flow, sequence }: Packet): void {
    const { events: { nowPs }, count } = this.#network;
    count.creditReceived();
    const sending = this.#sending.get(flow);
    if (sending === undefined || sending.queuePair.isFinished) return;
    const { queuePair, timer } = sending;
    queuePair.congestionControl.credit?.take(nowPs, sequence);
    timer.onCredit?.();
    this.trySend(this.#nicOf(queuePair.flow.sourcePort).port);
  }

  #creditPacerOf(port: number): CreditPacer | undefined {
    const { parts, count } = this.#network;
    const known = this.#creditPacers.get(port);
    if (known !== undefined) return known;
    const made = parts.makeCreditPacer?.(port, (credit) => {
      count.made(credit);
      this.#send(port, credit);
    });
    if (made !== undefined) this.#creditPacers.set(port, made);
    return made;
  }

  #send(port: number, response: Packet): void {
    const nic = this.#nicOf(port);
    nic.responses.push(response);
    this.trySend(nic.port);
  }

  /** Sends a CNP for a marked packet, now or later. */
  #responseMark(packet: Packet): void {
    const { plan: { flows, rules }, events, count } = this.#network;
    const delayPs = this.#notificationPoint.cnpDelayPs(events.nowPs, packet);
    if (delayPs === undefined) return;
    const { source: destination, responsePort } = flows.get(packet.flow);
    const cnp = notification('cnp', packet, { destination, trafficClass: rules.cnpClass, lenBytes: rules.cnpBytes });
    count.made(cnp);
    if (delayPs === 0) {
      this.#send(responsePort, cnp);
      return;
    }
    this.#delayed.add(cnp);
    events.schedule(events.nowPs + delayPs, () => {
      this.#delayed.delete(cnp);
      this.#send(responsePort, cnp);
    });
  }

  #receiveNotification(packet: Packet): void {
    const queuePair = this.#sending.get(packet.flow)?.queuePair;
    if (queuePair?.notify(packet) !== true) return;
    this.#nicOf(queuePair.flow.sourcePort).scheduler.wakeEarlier(queuePair);
  }

  #receiverOf(index: number): Receiver {
    const { plan, parts } = this.#network;
    const known = this.#receivers.get(index);
    if (known !== undefined) return known;
    const receiver = parts.makeReceiver(plan.flows.get(index), index);
    this.#receivers.set(index, receiver);
    return receiver;
  }

  #reportReceived({ flow, sequence, marked }: Packet, before: number, { expected }: Receiver,
    response: Packet | undefined): void {
    const { onStep, events } = this.#network;
    const kind = response?.kind === 'ack' || response?.kind === 'nak' ? response.kind : null;
    const outOfOrder = response !== undefined && sequence > before;
    onStep?.(events.nowPs, this.node, {
      step: 'received',
      flow,
      sequence,
      response: kind,
      expected,
      marked,
      outOfOrder,
    });
  }

  /** Returns whether the flow was still open. */
  #receiveResponse(packet: Packet): boolean {
    const sending = this.#sending.get(packet.flow);
    if (sending === undefined || sending.queuePair.isFinished) return false;
    const { queuePair, timer } = sending;
    const { count } = this.#network;
    if (packet.probe !== undefined && packet.ofWindow !== true) {
      queuePair.takeProbeAck(packet, packet.probe);
      return true;
    }
    const { scheduler, port } = this.#nicOf(queuePair.flow.sourcePort);
    count.responseReceived(packet);
    queuePair.acknowledge(packet);
    this.#completeMessages(queuePair);
    if (queuePair.isFinished) this.#complete(sending);
    else timer.onResponse();
    const isLoss = queuePair.recovery.goBackFor(packet);
    if (isLoss && !queuePair.isFinished) this.#lose(sending, 'fast');
    const moved = queuePair.react(packet);
    this.#reportResponse(packet, queuePair);
    if (moved) scheduler.wakeEarlier(queuePair);
    this.trySend(port);
    queuePair.probeShutWindow();
    return true;
  }

  /** Completes the messages that are fully acknowledged. */
  #completeMessages(queuePair: QueuePair): void {
    const { index: leader, sndUna } = queuePair;
    const { events: { nowPs }, count } = this.#network;
    const connection = this.#connections.get(leader);
    for (const { index, postedPs, end } of connection?.stream.takeAcknowledged(sndUna) ?? []) {
      count.completed(leader, index, queuePair.isFinished && queuePair.stream.end === end);
      this.#watcher.onCompleted(index, nowPs - postedPs);
      if (connection !== undefined) connection.idleSincePs = nowPs;
    }
  }

  #reportResponse({ kind, flow, sequence, received, echo }: Packet, queuePair: QueuePair): void {
    const { onStep, events } = this.#network;
    const { sndUna, sndNxt, congestionControl: { rateBps }, recovery: { recovering } } = queuePair;
    onStep?.(events.nowPs, this.node, {
      step: 'response',
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
    this.#network.count.progress += 1;
    queuePair.congestionControl.stop();
    timer.stop();
    listener?.(events.nowPs, 'complete', this.node, queuePair.flow.sourcePort, queuePair.index, completionPs);
    if (queuePair.stream instanceof FlowStream) this.#watcher.onCompleted(queuePair.index, completionPs);
    forgetReceiver(queuePair.index);
  }

  #nicOf(portIndex: number): Nic {
    const known = this.#nics.get(portIndex);
    if (known !== undefined) return known;
    const port = this.#network.ports[portIndex];
    const { parts } = this.#network;
    const nic = new Nic(port, parts.makeQpScheduler(port), parts.makeResponses());
    this.#nics.set(portIndex, nic);
    return nic;
  }
}
