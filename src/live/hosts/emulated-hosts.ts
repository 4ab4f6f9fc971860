/**
 * Emulated hosts: RC senders and receivers whose congestion control is the engine's, as a state machine without a clock.
 *
 *   frame in   a pause: obeyed. Wrong ICRC: dropped. Else the engine reads it: CE marks become CNPs, CNPs and Fast CNPs slow a QP down;
 *              then the transport: data is answered by ACK or NAK, ACK and NAK move the sender
 *   time       a port sends its answers, then the QP whose turn it is among those whose time has come
 *
 * Times come from the caller; a host that is called late sends what was due since, at most `catchUpPs` of it: beyond, it has lagged, and
 * says by how much.
 */
import { createEngineSync } from '../../engine/create.js';
import type { Engine } from '../../engine/engine.js';
import { buildCnp } from '../../wire/roce/cnp.js';
import { OPCODE_OPERATION_MASK, OPERATION_WRITE_LAST, OPERATION_WRITE_ONLY } from '../../wire/roce/opcodes.js';
import { SYNDROME_NAK } from '../../wire/roce/aeth.js';
import { FrameFacts, KIND_ACK, KIND_DATA, KIND_MAC_CONTROL } from '../switch/frame-facts.js';
import { AnswerFrames } from './answer-frames.js';
import { DataFrames } from './data-frames.js';
import type { Host, HostCounters, HostSink, Receiver, ReceivingQp, Sender, SendingQp } from './host.js';
import { Nic } from './nic.js';
import { Requester } from './requester.js';
import { Responder } from './responder.js';
import type { FlowSettings, HostSettings, HostsSettings } from './settings.js';

export type { HostCounters, HostSink, ReceivingQp, SendingQp };

const CNP_CLASS = 6;
const ACK_REQUEST_BIT = 0x80;
const BTH_ACK_REQUEST = 8;
const BTH_PSN = 9;
const BTH_BYTES = 12;

export class EmulatedHosts implements Disposable {
  readonly settings: HostsSettings;
  readonly engine: Engine;
  /** How late hosts were called at most, and in all what they let go, picoseconds. */
  maxLagPs = 0;
  lostPs = 0;
  readonly #hosts = new Map<number, Host>();
  readonly #facts = new FrameFacts();
  readonly #sink: HostSink;
  readonly #hostByEndpoint: Host[] = [];

  /** @param nodes those that are emulated here, by their index in the plan; others are elsewhere. */
  constructor(settings: HostsSettings, nodes: readonly number[], sink: HostSink) {
    this.settings = settings;
    this.#sink = sink;
    const { parameterSets, flows, cnpIntervalPs, acceptsFastCnps, duplicateWindowPs, seed } = settings;
    this.engine = createEngineSync({
      parameterSets: Object.fromEntries(parameterSets.map((set, index) => [`p${index}`, set])),
      capacity: {
        qps: Math.max(1, 2 * flows.length),
        endpoints: nodes.length,
        addresses: nodes.length,
        events: 1,
        packets: 1,
        frameBytes: 65_536,
      },
      parser: { icrc: 'check' },
      notificationPoint: { minTimeBetweenCnpsPs: cnpIntervalPs },
      fastCnp: { enabled: acceptsFastCnps, defaultAction: 'allow', duplicateWindowPs },
      rateActions: false,
      lateEvents: 'clamp',
      hashSeed: seed,
    });
    for (const host of settings.hosts) if (nodes.includes(host.node)) this.#addHost(host);
    for (const flow of flows) this.#addFlow(flow);
  }

  /** Senders that are emulated here. */
  get senders(): readonly SendingQp[] {
    return [...this.#hosts.values()].flatMap(({ senders }) => senders);
  }

  /** Receivers that are emulated here. */
  get receivers(): readonly ReceivingQp[] {
    return [...this.#hosts.values()].flatMap(({ receiversByQpn }) => [...receiversByQpn.values()]);
  }

  nicOf(node: number): Nic {
    return this.#host(node).nic;
  }

  countersOf(node: number): HostCounters {
    return this.#host(node).counters;
  }

  /** A frame has come to a host. */
  receive(node: number, frame: Uint8Array, timePs: number): void {
    const host = this.#host(node);
    const facts = this.#facts;
    host.counters.received += 1;
    facts.read(frame, 0, frame.length);
    if (facts.kind === KIND_MAC_CONTROL) {
      host.nic.obey(frame, facts.payloadOffset, frame.length, timePs);
      return;
    }
    this.engine.packets.add(timePs, frame);
    this.engine.applyPackets();
    const { icrc, class: name } = this.engine.packets.report(0);
    if (icrc === 'wrong') {
      host.counters.icrcWrong += 1;
      return;
    }
    if (name === 'cnp') host.counters.cnps += 1;
    else if (name === 'fast-cnp-1' || name === 'fast-cnp-2') host.counters.fastCnps += 1;
    else if (facts.kind === KIND_DATA) this.#takeData(host, frame, timePs);
    else if (facts.kind === KIND_ACK) this.#takeAck(host, frame, timePs);
    else host.counters.strays += 1;
  }

  /** When something is to be sent, or looked at, by itself; Infinity: nothing. */
  nextEventPs(): number {
    let nextPs = Infinity;
    for (const host of this.#hosts.values()) nextPs = Math.min(nextPs, this.#nextOf(host));
    return nextPs;
  }

  /** All that is due up to `timePs`. */
  run(timePs: number): void {
    for (const host of this.#hosts.values()) this.#runHost(host, timePs);
  }

  /** Nothing new is sent any more; what is unacknowledged still is. */
  stop(): void {
    for (const { requester } of this.senders) requester.stopped = true;
  }

  [Symbol.dispose](): void {
    this.engine.dispose();
  }

  #addHost(settings: HostSettings): void {
    const nic = new Nic({ rateBps: settings.rateBps, wireOverheadBytes: this.settings.wireOverheadBytes });
    const counters = { received: 0, marked: 0, cnpsSent: 0, cnps: 0, fastCnps: 0, icrcWrong: 0, strays: 0 };
    const host: Host = {
      settings,
      nic,
      senders: [],
      sendersByQpn: new Map<number, Sender>(),
      receiversByQpn: new Map<number, Receiver>(),
      counters,
      turn: 0,
    };
    this.#hosts.set(settings.node, host);
    this.#hostByEndpoint[this.engine.addEndpoint([settings.address])] = host;
  }

  #addFlow(flow: FlowSettings): void {
    const from = this.#hosts.get(flow.source);
    const to = this.#hosts.get(flow.destination);
    if (from !== undefined) this.#addSender(from, flow);
    if (to !== undefined) this.#addReceiver(to, flow);
  }

  #addSender(host: Host, flow: FlowSettings): void {
    const { shape, windowPackets, timeoutPs, hosts } = this.settings;
    const { senderQpn, receiverQpn, dscp, udpSourcePort, parameterSet, destination, packets, startPs } = flow;
    const peerAddress = addressOf(hosts, destination);
    const link = { source: host.settings.mac, destination: host.settings.peerMac };
    const qp = this.engine.openQp({
      endpoint: this.#hostByEndpoint.indexOf(host),
      localQpn: senderQpn,
      peerAddress,
      peerQpn: receiverQpn,
      parameterSet: `p${parameterSet}`,
    });
    const path = {
      link,
      source: host.settings.address,
      destination: peerAddress,
      dscp,
      udpSourcePort,
      destQpn: receiverQpn,
    };
    const sender: Sender = {
      flow,
      qp,
      requester: new Requester({ packets, windowPackets, timeoutPs }),
      frames: new DataFrames(path, shape),
      rateBps: () => this.engine.rateBps(qp),
      nextSendPs: startPs,
      openPs: startPs,
    };
    host.senders.push(sender);
    host.sendersByQpn.set(senderQpn, sender);
  }

  #addReceiver(host: Host, flow: FlowSettings): void {
    const { senderQpn, receiverQpn, dscp, udpSourcePort, source } = flow;
    const peerAddress = addressOf(this.settings.hosts, source);
    const link = { source: host.settings.mac, destination: host.settings.peerMac };
    const endpoint = this.#hostByEndpoint.indexOf(host);
    this.engine.openQp({ endpoint, localQpn: receiverQpn, peerAddress, peerQpn: senderQpn });
    const path = {
      link,
      source: host.settings.address,
      destination: peerAddress,
      dscp,
      udpSourcePort,
      destQpn: senderQpn,
    };
    host.receiversByQpn.set(receiverQpn, { flow, responder: new Responder(), frames: new AnswerFrames(path) });
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
    for (const action of this.engine.actions) {
      if (action.kind !== 'cnp') continue;
      host.counters.cnpsSent += 1;
      const { mac: source, peerMac: destination, address } = host.settings;
      const { udpSourcePort } = receiver.flow;
      const fields = { ...this.engine.cnpFields(action, address), link: { source, destination }, udpSourcePort };
      host.nic.pushAnswer(buildCnp(fields), CNP_CLASS, timePs);
    }
    const operation = frame[bthOffset] & OPCODE_OPERATION_MASK;
    const isLast = operation === OPERATION_WRITE_LAST || operation === OPERATION_WRITE_ONLY;
    const asks = (frame[bthOffset + BTH_ACK_REQUEST] & ACK_REQUEST_BIT) !== 0;
    const { responder, frames, flow } = receiver;
    const answer = responder.take(psnAt(frame, bthOffset + BTH_PSN), isLast, asks);
    if (answer === 'nothing') return;
    const { expected, messages } = responder;
    const made = answer === 'nak' ? frames.nak(expected, messages) : frames.ack(expected - 1, messages);
    host.nic.pushAnswer(made, flow.trafficClass, timePs);
  }

  #takeAck(host: Host, frame: Uint8Array, timePs: number): void {
    const { bthOffset, destQpn } = this.#facts;
    const sender = host.sendersByQpn.get(destQpn);
    if (sender === undefined || bthOffset + BTH_BYTES >= frame.length) {
      host.counters.strays += 1;
      return;
    }
    const psn = psnAt(frame, bthOffset + BTH_PSN);
    const isNak = (frame[bthOffset + BTH_BYTES] & SYNDROME_NAK) === SYNDROME_NAK;
    const { requester } = sender;
    const couldSend = requester.maySend;
    if (isNak) requester.onNak(psn, timePs);
    else requester.onAck(psn, timePs);
    if (!couldSend) sender.openPs = timePs;
  }

  #nextOf(host: Host): number {
    const { nic } = host;
    let nextPs = nic.pauseEndPs;
    nextPs = Math.min(nextPs, Math.max(nic.freePs, nic.answerPs));
    for (const sender of host.senders) {
      const sendPs = Math.max(nic.freePs, this.#readyPs(host, sender));
      nextPs = Math.min(nextPs, sender.requester.timeoutPs, sendPs);
    }
    return nextPs;
  }

  /** When a sender may send, but for the port; Infinity: it may not. */
  #readyPs({ nic }: Host, { requester, flow: { trafficClass }, nextSendPs, openPs }: Sender): number {
    if (!requester.maySend || nic.isPaused(trafficClass)) return Infinity;
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

  /** Also those of what was sent late in this call; the next ones run from `timePs`. @returns has any ended? */
  #endTimeouts({ senders }: Host, duePs: number, timePs: number): boolean {
    let hasEnded = false;
    for (const sender of senders) {
      const { requester } = sender;
      if (requester.timeoutPs > duePs) continue;
      const couldSend = requester.maySend;
      requester.onTimeout(timePs);
      if (!couldSend) sender.openPs = timePs;
      hasEnded = true;
    }
    return hasEnded;
  }

  /** When what was due is sent. */
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
    if (nic.answerPs <= timePs) {
      const frame = nic.takeAnswer();
      this.#sink(node, frame, timePs, nic.send(frame.length, timePs));
      return;
    }
    const sender = this.#nextSender(host, timePs);
    if (sender === undefined) return;
    const frame = sender.frames.frameOf(sender.requester.send(timePs));
    const sentPs = nic.send(frame.length, timePs);
    // Gaps count from when a packet begins to leave, as the simulator's do.
    sender.nextSendPs = Math.max(this.engine.sent(timePs, sender.qp, frame.length + 4), timePs);
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

function addressOf(hosts: readonly HostSettings[], node: number): Uint8Array {
  const host = hosts.find((one) => one.node === node);
  if (host === undefined) throw new RangeError(`node ${node} is no host`);
  return host.address;
}

function psnAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
}
