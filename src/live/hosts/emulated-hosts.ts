/**
 * Emulated hosts: RC senders and receivers whose congestion control is the engine's, as a state machine without a clock.
 *
 *   frame in   a pause is applied; a frame with a wrong ICRC is dropped. Otherwise the engine reads it: CE marks become
 *              CNPs, CNPs and Fast CNPs slow a QP down; then the transport: data is acknowledged by ACK or NAK, ACK and
 *              NAK advance the sender
 *   time       a port sends its responses, then packets of the due QPs in round-robin order
 *
 * Times come from the caller. A host that is called late sends what was due in the meantime, but catches up on at most
 * `catchUpPs`, and reports its maximum lateness and the time skipped.
 */
import type { Engine } from '../../engine/engine.js';
import { Aeth } from '../../wire/roce/extended-headers.js';
import { Cnp } from '../../wire/roce/cnp.js';
import { Opcode } from '../../wire/roce/bth.js';
import { FrameFacts, KIND_ACK, KIND_DATA, KIND_MAC_CONTROL } from '../switch/frame-facts.js';
import { hostEngine, HostQps, type Host, type HostCounters, type HostSink, type Receiver, type ReceivingQp, type Sender,
  type SendingQp } from './host.js';
import { Nic } from './nic.js';
import type { FlowSettings, HostSettings, HostsSettings } from './settings.js';
import { tracedTelemetry } from './congestion-control.js';

export type { HostCounters, HostSink, ReceivingQp, SendingQp };

const CNP_CLASS = 6;
const ACK_REQUEST_BIT = 0x80;
const BTH_ACK_REQUEST = 8;
const BTH_PSN = 9;
const BTH_BYTES = 12;
const BTH_FLAGS = 4;
const BECN_BIT = 0x40;
const FCS_BYTES = 4;

export class EmulatedHosts implements Disposable {
  readonly settings: HostsSettings;
  /** Maximum lateness of calls, and total time skipped because of late calls, picoseconds. */
  maxLagPs = 0;
  lostPs = 0;
  readonly #hosts = new Map<number, Host>();
  readonly #facts = new FrameFacts();
  readonly #sink: HostSink;
  readonly #qps: HostQps;
  readonly #reactionPoints: Engine;
  readonly #notificationPoints: Engine;

  /** @param nodes the nodes to emulate, by their index in the plan; the others are elsewhere. */
  constructor(settings: HostsSettings, nodes: readonly number[], sink: HostSink) {
    this.settings = settings;
    this.#sink = sink;
    this.#reactionPoints = hostEngine(settings, nodes.length);
    this.#notificationPoints = hostEngine(settings, nodes.length);
    this.#qps = new HostQps(this.#reactionPoints, this.#notificationPoints, settings);
    for (const host of settings.hosts) if (nodes.includes(host.node)) this.#addHost(host);
    for (const flow of settings.flows) this.#addFlow(flow);
  }

  /** Senders emulated here. */
  get senders(): readonly SendingQp[] {
    return [...this.#hosts.values()].flatMap(({ senders }) => senders);
  }

  /** Receivers emulated here. */
  get receivers(): readonly ReceivingQp[] {
    return [...this.#hosts.values()].flatMap(({ receiversByQpn }) => [...receiversByQpn.values()]);
  }

  nicOf(node: number): Nic {
    return this.#host(node).nic;
  }

  countersOf(node: number): HostCounters {
    return this.#host(node).counters;
  }

  /** Handles the arrival of a frame at a host. */
  receive(node: number, frame: Uint8Array, timePs: number): void {
    const host = this.#host(node);
    const facts = this.#facts;
    host.counters.received += 1;
    facts.read(frame, 0, frame.length);
    if (facts.kind === KIND_MAC_CONTROL) {
      host.nic.apply(frame, facts.payloadOffset, frame.length, timePs);
      return;
    }
    const sender = host.sendersByQpn.get(facts.destQpn) ?? host.sendersByPeerQpn.get(facts.destQpn);
    const couldSend = sender?.maySend;
    const engine = facts.kind === KIND_DATA ? this.#notificationPoints : this.#reactionPoints;
    engine.packets.add(timePs, frame);
    engine.applyPackets();
    const { icrc, class: name } = engine.packets.report(0);
    if (icrc === 'wrong') {
      host.counters.icrcWrong += 1;
      return;
    }
    if (name === 'cnp' || name === 'fast-cnp-1' || name === 'fast-cnp-2')
      this.#takeNotification(host, name, sender, timePs);
    else if (facts.kind === KIND_DATA) this.#takeData(host, frame, timePs);
    else if (facts.kind === KIND_ACK) this.#takeAck(host, frame, sender, timePs);
    else host.counters.strays += 1;
    // Packets that a window held back are sent no earlier than it opened.
    if (sender !== undefined && couldSend === false) sender.openPs = timePs;
  }

  /** When the next action is due without further input; Infinity if none is. */
  nextEventPs(): number {
    let nextPs = Infinity;
    for (const host of this.#hosts.values()) nextPs = Math.min(nextPs, this.#nextOf(host));
    return nextPs;
  }

  /** Performs all actions due up to `timePs`. */
  run(timePs: number): void {
    for (const host of this.#hosts.values()) this.#runHost(host, timePs);
  }

  /** Stops new data; unacknowledged data is still retransmitted. */
  stop(): void {
    for (const { requester } of this.senders) requester.stopped = true;
  }

  [Symbol.dispose](): void {
    this.#reactionPoints.dispose();
    this.#notificationPoints.dispose();
  }

  #addHost(settings: HostSettings): void {
    const nic = new Nic({ rateBps: settings.rateBps, wireOverheadBytes: this.settings.wireOverheadBytes });
    const counters = { received: 0, marked: 0, cnpsSent: 0, cnps: 0, fastCnps: 0, icrcWrong: 0, strays: 0 };
    const host: Host = {
      settings,
      nic,
      senders: [],
      sendersByQpn: new Map<number, Sender>(),
      sendersByPeerQpn: new Map<number, Sender>(),
      receiversByQpn: new Map<number, Receiver>(),
      counters,
      endpoint: this.#qps.addHost(settings.address),
      turn: 0,
    };
    this.#hosts.set(settings.node, host);
  }

  #addFlow(flow: FlowSettings): void {
    const from = this.#hosts.get(flow.source);
    const to = this.#hosts.get(flow.destination);
    if (from !== undefined) this.#qps.addSender(from, flow);
    if (to !== undefined) this.#qps.addReceiver(to, flow);
  }

  #host(node: number): Host {
    const host = this.#hosts.get(node);
    if (host === undefined) throw new RangeError(`node ${node} is not emulated here`);
    return host;
  }

  #takeData(host: Host, frame: Uint8Array, timePs: number): void {
    const { bthOffset, destQpn, ecn } = this.#facts;
    const receiver = host.receiversByQpn.get(destQpn);
    if (receiver === undefined) {
      host.counters.strays += 1;
      return;
    }
    if (ecn === 3) host.counters.marked += 1;
    for (const action of this.#notificationPoints.actions) {
      if (action.kind !== 'cnp') continue;
      host.counters.cnpsSent += 1;
      const { mac: source, peerMac: destination, address } = host.settings;
      const { udpSourcePort } = receiver.flow;
      const fields = {
        ...this.#notificationPoints.cnpFields(action, address),
        link: { source, destination },
        udpSourcePort,
      };
      host.nic.pushResponse(Cnp.write(fields), CNP_CLASS, timePs);
    }
    const operation = frame[bthOffset] & Opcode.OPERATION_MASK;
    const isLast = operation === Opcode.WRITE_LAST || operation === Opcode.WRITE_ONLY;
    const asks = (frame[bthOffset + BTH_ACK_REQUEST] & ACK_REQUEST_BIT) !== 0;
    const { responder, frames, flow } = receiver;
    const response = responder.take(psnAt(frame, bthOffset + BTH_PSN), isLast, asks);
    if (response === 'nothing') return;
    const { expected, messages } = responder;
    const { traceOffset, traceBytes } = this.#facts;
    const data = { frame, traceOffset, traceBytes, isMarked: flow.echoesMarks && ecn === 3 };
    const made = response === 'nak' ? frames.nak(expected, messages, data) : frames.ack(expected - 1, messages, data);
    host.nic.pushResponse(made, flow.trafficClass, timePs);
  }

  #takeAck(host: Host, frame: Uint8Array, sender: Sender | undefined, timePs: number): void {
    const { bthOffset, traceOffset, traceBytes } = this.#facts;
    if (sender === undefined || bthOffset + BTH_BYTES >= frame.length) {
      host.counters.strays += 1;
      return;
    }
    const psn = psnAt(frame, bthOffset + BTH_PSN);
    const isNak = (frame[bthOffset + BTH_BYTES] & Aeth.SYNDROME_NAK) === Aeth.SYNDROME_NAK;
    const { requester, congestionControl } = sender;
    const expected = requester.packetOf(psn) + (isNak ? 0 : 1);
    if (expected < 0 || expected > requester.sentUpTo) {
      host.counters.strays += 1;
      return;
    }
    const before = requester.acknowledged;
    const isLoss = isNak && requester.onNak(psn, timePs);
    if (!isNak) requester.onAck(psn, timePs);
    congestionControl.acknowledged({
      timePs,
      expected,
      next: requester.next,
      ackedPackets: requester.acknowledged - before,
      isMarked: (frame[bthOffset + BTH_FLAGS] & BECN_BIT) !== 0,
      telemetry: traceBytes === 0 ? undefined : tracedTelemetry(frame, traceOffset, traceBytes),
    });
    if (isLoss) congestionControl.lost('fast', timePs);
    sender.nextSendPs = congestionControl.moved(sender.nextSendPs, timePs);
  }

  /** The engine has already read the frame; only the pending send time may change as well. */
  #takeNotification({ counters }: Host, name: 'cnp' | 'fast-cnp-1' | 'fast-cnp-2', sender: Sender | undefined,
    timePs: number): void {
    if (name === 'cnp') counters.cnps += 1;
    else counters.fastCnps += 1;
    if (sender !== undefined) sender.nextSendPs = sender.congestionControl.moved(sender.nextSendPs, timePs);
  }

  #nextOf(host: Host): number {
    const { nic } = host;
    let nextPs = nic.pauseEndPs;
    nextPs = Math.min(nextPs, Math.max(nic.freePs, nic.responsePs));
    for (const sender of host.senders) {
      const sendPs = Math.max(nic.freePs, this.#readyPs(host, sender));
      nextPs = Math.min(nextPs, sender.requester.timeoutPs, sendPs);
    }
    return nextPs;
  }

  /** When a sender may send, regardless of the port; Infinity if it may not. */
  #readyPs({ nic }: Host, sender: Sender): number {
    const { flow: { trafficClass }, nextSendPs, openPs } = sender;
    if (!sender.maySend || nic.isPaused(trafficClass)) return Infinity;
    return Math.max(nextSendPs, openPs, nic.freedPs(trafficClass));
  }

  #runHost(host: Host, timePs: number): void {
    host.nic.endPauses(timePs);
    for (;;) {
      const duePs = this.#nextOf(host);
      if (duePs > timePs) return;
      if (!this.#endTimeouts(host, duePs, timePs)) this.#sendNext(host, this.#inTime(host, duePs, timePs));
    }
  }

  /**
   * Handles expired timeouts, also of packets sent late in this call; new timeouts run from `timePs`. @returns whether
   * any expired.
   */
  #endTimeouts({ senders }: Host, duePs: number, timePs: number): boolean {
    let hasEnded = false;
    for (const sender of senders) {
      const { requester } = sender;
      if (requester.timeoutPs > duePs) continue;
      const couldSend = sender.maySend;
      requester.onTimeout(timePs);
      sender.congestionControl.lost('timeout', timePs);
      sender.nextSendPs = sender.congestionControl.moved(sender.nextSendPs, timePs);
      if (!couldSend) sender.openPs = timePs;
      hasEnded = true;
    }
    return hasEnded;
  }

  /** When packets due at `duePs` are sent. */
  #inTime({ nic }: Host, duePs: number, timePs: number): number {
    const lagPs = timePs - duePs;
    this.maxLagPs = Math.max(this.maxLagPs, lagPs);
    const { catchUpPs } = this.settings;
    const earliestPs = Math.max(nic.freePs, duePs);
    if (lagPs <= catchUpPs) return earliestPs;
    const atPs = Math.max(earliestPs, timePs - catchUpPs);
    this.lostPs += atPs - earliestPs;
    return atPs;
  }

  #sendNext(host: Host, timePs: number): void {
    const { nic, settings: { node } } = host;
    if (nic.responsePs <= timePs) {
      const frame = nic.takeResponse();
      this.#sink(node, frame, timePs, nic.send(frame.length, timePs));
      return;
    }
    const sender = this.#nextSender(host, timePs);
    if (sender === undefined) return;
    const { requester, congestionControl, frames } = sender;
    const packet = requester.send(timePs);
    const frame = frames.frameOf(packet);
    const sentPs = nic.send(frame.length, timePs);
    sender.nextSendPs = congestionControl.sent(packet, frame.length + FCS_BYTES, timePs, requester.inFlight);
    this.#sink(node, frame, timePs, sentPs);
  }

  #nextSender(host: Host, timePs: number): Sender | undefined {
    const { senders } = host;
    for (let step = 0; step < senders.length; step += 1) {
      const at = (host.turn + step) % senders.length;
      const sender = senders[at];
      if (this.#readyPs(host, sender) > timePs) continue;
      host.turn = at + 1;
      return sender;
    }
    return undefined;
  }
}

function psnAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
}
