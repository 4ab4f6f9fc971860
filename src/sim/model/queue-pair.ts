/**
 * The sending end of one flow: what is sent, what is acknowledged, when the next packet may leave. What is sent again,
 * and when, is its `LossRecovery`'s.
 */
import { tupleOf } from '../compile/ecmp-hash.js';
import { ns3TxTimePs } from '../compile/tx-time.js';
import type { FlowPlan } from '../plan.js';
import { windowInUse } from '../../reference/algorithms/rate-numbers.js';
import type { Network } from './network.js';
import { dataPacket, type Packet } from './packet.js';
import type { LossRecovery, SendingFlow } from './parts.js';
import type { SenderControl } from './sender-control.js';

export class QueuePair implements SendingFlow {
  readonly index: number;
  readonly flow: FlowPlan;
  readonly control: SenderControl;
  readonly recovery: LossRecovery;
  readonly startPs: number;
  /** Next byte to send, first byte not acknowledged. */
  sndNxt = 0;
  sndUna = 0;
  nextAvailPs: number;
  /** When something was last acknowledged, or sent with nothing else in flight. */
  lastProgressPs: number;
  readonly #network: Network;
  readonly #mtuBytes: number;
  readonly #maxRateBps: number;
  #sentUpTo = 0;

  constructor(network: Network, index: number, control: SenderControl) {
    const { plan, events, parts } = network;
    this.#network = network;
    this.index = index;
    this.flow = plan.flows.get(index);
    this.control = control;
    this.startPs = events.nowPs;
    this.nextAvailPs = events.nowPs;
    this.lastProgressPs = events.nowPs;
    this.#mtuBytes = plan.nodes[this.flow.source].mtuBytes ?? plan.rules.mtuBytes;
    this.#maxRateBps = plan.parameterSets[this.flow.parameterSet].maxRateBps;
    this.recovery = parts.makeRecovery(this);
  }

  get isFinished(): boolean {
    return this.sndUna >= this.flow.sizeBytes;
  }

  get hasBytesLeft(): boolean {
    this.recovery.skipReceived();
    return this.sndNxt < this.flow.sizeBytes;
  }

  /** Payload of the packet that is next. */
  get nextPayloadBytes(): number {
    return Math.min(this.#mtuBytes, this.flow.sizeBytes - this.sndNxt);
  }

  /** Does a window hold it back? That of congestion control may be exceeded by less than a packet. */
  get isWindowBlocked(): boolean {
    if (!this.recovery.allows(this.nextPayloadBytes)) return true;
    const { windowMode, windowBytes } = this.flow;
    if (windowMode === 'none' || windowBytes === 0) return false;
    return this.sndNxt - this.sndUna >=
      windowInUse(windowMode, 'whole-bps', windowBytes, this.control.rateBps, this.#maxRateBps);
  }

  /** The packet that is next, which counts as sent from now on. */
  sendNext(): Packet {
    const { flow } = this;
    const { plan: { nodes }, events: { nowPs }, count, onStep } = this.#network;
    const payloadBytes = this.nextPayloadBytes;
    const sequence = this.sndNxt;
    const again = sequence < this.#sentUpTo;
    this.recovery.onSend(nowPs);
    this.sndNxt += payloadBytes;
    this.#sentUpTo = Math.max(this.#sentUpTo, this.sndNxt);
    count.flows[this.index].sent += 1;
    if (again) {
      count.flows[this.index].retransmitted += 1;
      count.totals.retransmittedPackets += 1;
    }
    onStep?.(nowPs, flow.source, { step: 'transmit', flow: this.index, sequence, payloadBytes, again });
    return dataPacket({
      flow: this.index,
      destination: flow.destination,
      tuple: tupleOf(nodes[flow.source].address, nodes[flow.destination].address, flow.udpSourcePort,
        flow.udpDestinationPort),
      trafficClass: flow.dataClass,
      sequence,
      payloadBytes,
      lenBytes: payloadBytes + flow.headerBytes,
      sentPs: nowPs,
    });
  }

  /** Spaces the next packet from the one that leaves now. */
  pace(lenBytes: number): void {
    const { plan: { rules }, events: { nowPs } } = this.#network;
    const rateBps = rules.pacing ? this.control.rateBps : this.#maxRateBps;
    this.nextAvailPs = nowPs + ns3TxTimePs(lenBytes, rateBps);
    this.control.onSent(nowPs, lenBytes);
  }

  /** Hands an ACK to the congestion control; returns whether that has moved the time of the next packet. */
  react(packet: Packet): boolean {
    const { plan: { rules }, events: { nowPs } } = this.#network;
    if (rules.notification === 'none') return false;
    const shiftPs = this.control.onAck({
      timePs: nowPs,
      ackSeq: packet.sequence,
      sndNxt: this.sndNxt,
      ecnEcho: packet.echo,
      sentTimePs: packet.sentPs,
      telemetry: { kind: 'int64', hopCount: packet.hopCount, hops: packet.hops },
      pintPower: packet.pintPower,
    });
    this.nextAvailPs += shiftPs ?? 0;
    return shiftPs !== undefined;
  }
}
