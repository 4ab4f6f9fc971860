/**
 * The sending end of a QP with one flow or several messages: bytes sent, bytes acknowledged, and the time of the next
 * packet. Its `LossRecovery` decides on retransmissions.
 */
import { tupleOf } from '../../src/switching/ecmp-hash.js';
import type { FlowPlan } from '../../src/sim/plan.js';
import type { Network } from './network.js';
import { dataPacket, type Packet } from './packet.js';
import { MessageStream, type SendStream } from './send-stream.js';
import type { LossRecovery, PathSelection, SendingFlow, CongestionControl } from './parts.js';

const PORTS_END = 65_536;
const FIRST_SOURCE_PORT = 10_000;
const FIRST_ENTROPY_PORT = 49_152;
/** A sequence number that no packet of a flow has. */
const NO_SEQUENCE = -1;

export class QueuePair implements SendingFlow {
  readonly index: number;
  readonly flow: FlowPlan;
  readonly stream: SendStream;
  readonly congestionControl: CongestionControl;
  readonly recovery: LossRecovery;
  readonly startPs: number;
  /** The next byte to send, and the first byte that is not acknowledged. */
  sndNxt = 0;
  sndUna = 0;
  nextAvailPs: number;
  /** The time when bytes were last acknowledged, or sent with nothing else in flight. */
  lastProgressPs: number;
  readonly #network: Network;
  readonly #mtuBytes: number;
  readonly #sendProbe: (probe: Packet) => void;
  #isProbing = false;
  #sentUpTo = 0;
  #hasStopped = false;
  /** Whether it waits after an RNR NAK. */
  awaitsReceiver = false;
  #ackedBytes = 0;
  /** Undefined before the first packet, and if the flow keeps its UDP source port. */
  #selection: PathSelection | undefined;
  /** Entropies by the first byte of their packet. */
  readonly #entropies = new Map<number, number>();

  /** @param sendProbe queues a probe at the port. @param index of its flow, or of its first message. */
  constructor(network: Network, index: number, stream: SendStream, sendProbe: (probe: Packet) => void) {
    const { plan, events, parts } = network;
    this.#network = network;
    this.#sendProbe = sendProbe;
    this.index = index;
    this.flow = plan.flows.get(index);
    this.startPs = events.nowPs;
    this.nextAvailPs = events.nowPs;
    this.lastProgressPs = events.nowPs;
    this.stream = stream;
    this.#mtuBytes = plan.nodes[this.flow.source].mtuBytes ?? plan.rules.mtuBytes;
    this.congestionControl = parts.makeCongestionControl(index);
    this.recovery = parts.makeRecovery(this);
  }

  /** Whether everything is acknowledged, or nothing more is sent. */
  get isFinished(): boolean {
    return this.#hasStopped || (this.stream.isComplete && this.sndUna >= this.stream.end);
  }

  get hasBytesLeft(): boolean {
    if (this.#hasStopped) return false;
    this.recovery.skipReceived();
    return this.sndNxt < this.stream.end;
  }

  /** Payload of the next packet. */
  get nextPayloadBytes(): number {
    return this.stream.payloadAt(this.sndNxt);
  }

  get bytesInFlight(): number {
    return this.stream.bytesBetween(this.sndUna, this.sndNxt);
  }

  /** Whether a window blocks it; less than one packet may exceed the window of congestion control. */
  get isWindowBlocked(): boolean {
    if (this.awaitsReceiver) return true;
    if (this.congestionControl.credit?.hasCredit === false) return true;
    return !this.recovery.allows(this.nextPayloadBytes) || this.#isWindowShut;
  }

  /** Takes the next packet, which then counts as sent. */
  sendNext(): Packet {
    const { flow } = this;
    const { plan: { nodes }, events: { nowPs }, count, onStep } = this.#network;
    const payloadBytes = this.nextPayloadBytes;
    const sequence = this.sndNxt;
    const again = sequence < this.#sentUpTo;
    this.#noteBegin(sequence, nowPs);
    const udpSourcePort = this.#selectPort(sequence);
    this.recovery.onSend(nowPs);
    this.sndNxt = this.stream.after(sequence);
    this.#sentUpTo = Math.max(this.#sentUpTo, this.sndNxt);
    count.flows[this.index].sent += 1;
    if (again) {
      count.flows[this.index].retransmitted += 1;
      count.flows[this.index].retransmittedBytes += payloadBytes;
      count.totals.retransmittedPackets += 1;
    }
    const asks = this.recovery.asksForSacks === true ? this.#asksForSack : undefined;
    this.recovery.noteAckRequest?.(sequence, asks === true || again);
    onStep?.(nowPs, flow.source, { step: 'transmit', flow: this.index, sequence, payloadBytes, again });
    return dataPacket({
      flow: this.index,
      destination: flow.destination,
      tuple: tupleOf(nodes[flow.source].address, nodes[flow.destination].address, udpSourcePort,
        flow.udpDestinationPort),
      trafficClass: flow.dataClass,
      sequence,
      payloadBytes,
      nextSequence: this.stream.after(sequence),
      lenBytes: payloadBytes + flow.headerBytes,
      sentPs: nowPs,
      asks,
      again,
    });
  }

  /** Whether the packet taken last requests a SACK. */
  get #asksForSack(): boolean {
    return !this.hasBytesLeft || this.isWindowBlocked || this.#isWindowSmall;
  }

  get #isWindowSmall(): boolean {
    const { mrc } = this.#network.plan.transports ?? {};
    const windowBytes = this.congestionControl.windowBytes();
    if (mrc?.requestsAckInSmallWindow !== true || windowBytes === 0) return false;
    return windowBytes < mrc.sackEveryBytes || windowBytes - this.#limitedBytes < this.#mtuBytes;
  }

  /** The bytes that the window limits. */
  get #limitedBytes(): number {
    return this.recovery.limitedBytes ?? this.recovery.inFlightBytes ?? this.bytesInFlight;
  }

  #noteBegin(sequence: number, timePs: number): void {
    const message = this.stream instanceof MessageStream ? this.stream.messageAt(sequence) : undefined;
    if (message === undefined || message.beganPs !== undefined) return;
    message.beganPs = timePs;
    message.beganRateBps = this.congestionControl.rateAt(timePs);
  }

  /** Sets the gap between the packet that leaves now and the next one. */
  pace(lenBytes: number): void {
    this.nextAvailPs = this.congestionControl.onSent(this.#network.events.nowPs, lenBytes);
  }

  /** Sets the pull target of a packet after its credit was consumed. @param senders waiting QPs of the port. */
  askForCredit(packet: Packet, senders: number): void {
    const { credit } = this.congestionControl;
    if (credit === undefined) return;
    this.#network.count.creditUsed(packet.lenBytes);
    packet.pullTarget = credit.pullTarget(this.#backlogBytes, senders);
    if (packet.asks === false) packet.asks = !credit.hasCredit;
  }

  /** The bytes on the wire that remain to be sent or retransmitted. */
  get #backlogBytes(): number {
    const { newFrom, heldBytes = 0, inFlightBytes } = this.recovery;
    if (newFrom === undefined || inFlightBytes === undefined) return this.#onWire(this.stream.end - this.sndNxt);
    const lostBytes = newFrom - this.sndUna - heldBytes - inFlightBytes;
    return this.#onWire(this.stream.end - newFrom) + this.#onWire(lostBytes);
  }

  #onWire(bytes: number): number {
    return bytes + Math.ceil(bytes / this.#mtuBytes) * this.flow.headerBytes;
  }

  /** Applies what a response acknowledges. */
  acknowledge(response: Packet): void {
    const { nowPs } = this.#network.events;
    this.#noteMark(response);
    const beforeBytes = this.sndUna + (this.recovery.heldBytes ?? 0);
    this.recovery.acknowledge(nowPs, response);
    const { probe } = response;
    if (probe !== undefined && this.recovery.takeProbeAck?.(probe) === true)
      this.#network.count.probeEnded('acknowledged');
    this.#ackedBytes = this.sndUna + (this.recovery.heldBytes ?? 0) - beforeBytes;
  }

  /** Reports a trimmed packet to path selection, unless it was trimmed at the last hop, which all paths share. */
  noteTrim({ tuple, trimmed }: Packet): void {
    if (trimmed === 'transit') this.#selection?.onTrim(tuple.destinationPort - FIRST_ENTROPY_PORT);
  }

  /** Its retries are exhausted, or the READ that it responds to has ended. */
  stop(): void {
    this.#hasStopped = true;
  }

  get hasFailed(): boolean {
    return this.#hasStopped;
  }

  /** Handles a loss; returns whether the time of the next packet has changed. */
  lose(found: 'fast' | 'timeout'): boolean {
    const { nowPs } = this.#network.events;
    this.#selection?.onLoss(nowPs, Math.floor(this.sndUna / this.#mtuBytes), found);
    return this.#moveTo(this.congestionControl.onLoss(this.#network.events.nowPs, found));
  }

  /** Handles a NACK of a trimmed packet, from which path selection gets the entropy. */
  loseTrimmed(nack: Packet): boolean {
    const payloadBytes = this.stream.after(nack.sequence) - nack.sequence;
    return this.#moveTo(this.congestionControl.onNack?.(this.#network.events.nowPs, nack, payloadBytes));
  }

  /** Passes the response to congestion control; returns whether the time of the next packet has changed. */
  react(response: Packet): boolean {
    return this.#moveTo(this.congestionControl.onResponse(this, response, this.#ackedBytes));
  }

  /** Handles a CNP or Fast CNP; returns whether the time of the next packet has changed. */
  notify(packet: Packet): boolean {
    const { taken, nextAvailPs } = this.congestionControl.onNotification(this.#network.events.nowPs, packet);
    if (taken && packet.kind === 'fast-cnp' && this.#takesDetours) this.#network.count.flows[this.index].detours += 1;
    return this.#moveTo(nextAvailPs);
  }

  /** The UDP source port of the packet that begins with a byte, or (undefined) of a probe. */
  #selectPort(sequence: number | undefined): number {
    this.#selection ??= this.#network.parts.makePathSelection?.(this.flow);
    if (this.#selection === undefined) return this.#sourcePort;
    const entropy = this.#selection.next(sequence === undefined ? undefined : Math.floor(sequence / this.#mtuBytes));
    if (sequence !== undefined) this.#entropies.set(sequence, entropy);
    return FIRST_ENTROPY_PORT + entropy;
  }

  losePath(sequence: number, found: 'fast' | 'timeout'): void {
    const entropy = this.#entropies.get(sequence);
    if (entropy === undefined) return;
    this.#selection?.onPacketLost?.(entropy, found);
    this.#expectProbes();
  }

  /** Handles the SACK of a probe, which concerns only the path. */
  takeProbeAck(sack: Packet, id: number): void {
    const { tuple, echo, alwaysSkip } = sack;
    const entropy = tuple.destinationPort - FIRST_ENTROPY_PORT;
    this.#noteMark(sack);
    const isTaken = this.#selection?.probes?.onAcknowledged(entropy, id, alwaysSkip === true ? 'always-skip' : echo);
    if (isTaken === true) this.#network.count.probeEnded('acknowledged');
  }

  #noteMark({ tuple, echo, alwaysSkip }: Packet): void {
    const entropy = tuple.destinationPort - FIRST_ENTROPY_PORT;
    if (alwaysSkip === true) {
      this.#selection?.onAlwaysSkip?.(entropy);
      this.#expectProbes();
    } else this.#selection?.onResponse(this.#network.events.nowPs, entropy, echo);
  }

  get #probeIntervalPs(): number {
    const { nodes, rules } = this.#network.plan;
    const timeoutPs = nodes[this.flow.source].retransmitTimeoutPs ?? rules.retransmitTimeoutPs;
    return this.#selection?.probes?.intervalPs ?? Math.max(timeoutPs, this.flow.pathTimeoutPs ?? 0);
  }

  #expectProbes(): void {
    const duePs = this.#selection?.probes?.dueAt(this.#probeIntervalPs);
    if (duePs === undefined || this.#isProbing) return;
    this.#isProbing = true;
    this.#network.events.schedule(duePs, () => {
      this.#isProbing = false;
      if (!this.isFinished) this.#probe();
    });
  }

  #probe(): void {
    const { plan: { nodes }, events: { nowPs }, count } = this.#network;
    const { flow, index } = this;
    const selection = this.#selection;
    for (const { entropy, id, isOneLost } of selection?.probes?.take(nowPs, this.#probeIntervalPs) ?? []) {
      if (isOneLost) count.probeEnded('lost');
      this.#sendProbe(dataPacket({
        flow: index,
        destination: flow.destination,
        tuple: tupleOf(nodes[flow.source].address, nodes[flow.destination].address, FIRST_ENTROPY_PORT + entropy,
          flow.udpDestinationPort),
        trafficClass: flow.dataClass,
        sequence: NO_SEQUENCE,
        payloadBytes: 0,
        nextSequence: NO_SEQUENCE,
        lenBytes: selection?.probes?.lenBytes ?? 0,
        sentPs: nowPs,
        probe: id,
      }));
    }
    this.#expectProbes();
  }

  /** Sends a probe if the window or the last announced range is closed and no SACK is expected. */
  probeShutWindow(): void {
    const { index, flow, recovery } = this;
    const { plan: { nodes, transports }, events: { nowPs }, count } = this.#network;
    const lenBytes = transports?.mrc?.windowProbeBytes;
    if (lenBytes === undefined || this.isFinished || !this.hasBytesLeft) return;
    if (!this.#isWindowShut && recovery.isRangeShut !== true) return;
    const taken = recovery.takeProbe?.(nowPs);
    if (taken === undefined) return;
    if (taken.isOneLost) count.probeEnded('lost');
    this.#sendProbe(dataPacket({
      flow: index,
      destination: flow.destination,
      tuple: tupleOf(nodes[flow.source].address, nodes[flow.destination].address, this.#selectPort(undefined),
        flow.udpDestinationPort),
      trafficClass: flow.dataClass,
      sequence: NO_SEQUENCE,
      payloadBytes: 0,
      nextSequence: NO_SEQUENCE,
      lenBytes,
      sentPs: nowPs,
      probe: taken.id,
      ofWindow: true,
    }));
  }

  get #isWindowShut(): boolean {
    const windowBytes = this.congestionControl.windowBytes();
    const inFlightBytes = this.#limitedBytes;
    if (windowBytes === 0) return false;
    if (this.recovery.sendsWholePackets === true && inFlightBytes > 0)
      return inFlightBytes + this.#mtuBytes > windowBytes;
    return inFlightBytes >= windowBytes;
  }

  get #takesDetours(): boolean {
    return this.#network.plan.balancing?.detours[this.flow.source] === true;
  }

  /** Each source-port change selects the next port; 10,000 follows 65,535. */
  get #sourcePort(): number {
    const port = this.flow.udpSourcePort + this.#network.count.flows[this.index].detours;
    return port < PORTS_END ? port : FIRST_SOURCE_PORT + ((port - PORTS_END) % (PORTS_END - FIRST_SOURCE_PORT));
  }

  #moveTo(timePs: number | undefined): boolean {
    this.nextAvailPs = timePs ?? this.nextAvailPs;
    return timePs !== undefined;
  }
}
