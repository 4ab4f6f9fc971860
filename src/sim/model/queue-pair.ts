/** The sending end of one flow: what is sent, what is acknowledged, when the next packet may leave. */
import { tupleOf } from '../compile/ecmp-hash.js';
import { ns3TxTimePs } from '../compile/tx-time.js';
import type { FlowPlan, NetworkPlan } from '../plan.js';
import { windowInUse } from '../../reference/algorithms/rate-numbers.js';
import { dataPacket, type Packet } from './packet.js';
import type { SenderControl } from './sender-control.js';

export class QueuePair {
  readonly index: number;
  readonly flow: FlowPlan;
  readonly control: SenderControl;
  readonly startPs: number;
  /** Next byte to send, first byte not acknowledged. */
  sndNxt = 0;
  sndUna = 0;
  nextAvailPs: number;
  retransmittedPackets = 0;
  /** 0 = none. */
  readonly timeoutPs: number;
  /** When something was last acknowledged, or sent with nothing else in flight. */
  lastProgressPs: number;
  readonly #plan: NetworkPlan;
  readonly #maxRateBps: number;
  #sentUpTo = 0;

  constructor(plan: NetworkPlan, index: number, control: SenderControl, startPs: number) {
    this.#plan = plan;
    this.index = index;
    this.flow = plan.flows.get(index);
    this.control = control;
    this.startPs = startPs;
    this.nextAvailPs = startPs;
    this.lastProgressPs = startPs;
    this.timeoutPs = plan.nodes[this.flow.source].retransmitTimeoutPs ?? plan.rules.retransmitTimeoutPs;
    this.#maxRateBps = plan.parameterSets[this.flow.parameterSet].maxRateBps;
  }

  get isFinished(): boolean {
    return this.sndUna >= this.flow.sizeBytes;
  }

  get hasBytesLeft(): boolean {
    return this.sndNxt < this.flow.sizeBytes;
  }

  /** Does the window hold it back? It may be exceeded by less than a packet. */
  get isWindowBlocked(): boolean {
    const { windowMode, windowBytes } = this.flow;
    if (windowMode === 'none' || windowBytes === 0) return false;
    return this.sndNxt - this.sndUna >=
      windowInUse(windowMode, 'whole-bps', windowBytes, this.control.rateBps, this.#maxRateBps);
  }

  /** The packet that is next, which counts as sent from now on. */
  sendNext(timePs: number): Packet {
    const { flow } = this;
    const { rules, nodes } = this.#plan;
    const payloadBytes = Math.min(nodes[flow.source].mtuBytes ?? rules.mtuBytes, flow.sizeBytes - this.sndNxt);
    const sequence = this.sndNxt;
    if (sequence === this.sndUna) this.lastProgressPs = timePs;
    if (sequence < this.#sentUpTo) this.retransmittedPackets += 1;
    this.sndNxt += payloadBytes;
    this.#sentUpTo = Math.max(this.#sentUpTo, this.sndNxt);
    return dataPacket({
      flow: this.index,
      destination: flow.destination,
      tuple: tupleOf(nodes[flow.source].address, nodes[flow.destination].address, flow.udpSourcePort,
        flow.udpDestinationPort),
      trafficClass: flow.dataClass,
      sequence,
      payloadBytes,
      lenBytes: payloadBytes + flow.headerBytes,
      sentPs: timePs,
    });
  }

  /** Spaces the next packet from the one that leaves now. */
  pace(timePs: number, lenBytes: number): void {
    const rateBps = this.#plan.rules.pacing ? this.control.rateBps : this.#maxRateBps;
    this.nextAvailPs = timePs + ns3TxTimePs(lenBytes, rateBps);
    this.control.onSent(timePs, lenBytes);
  }

  /** Takes in what an ACK or NAK acknowledges. After a NAK all that follows is sent again. */
  acknowledge(timePs: number, { kind, sequence }: Packet): void {
    if (sequence > this.sndUna) {
      this.sndUna = sequence;
      this.lastProgressPs = timePs;
    }
    // An ACK may come that was in flight when a timeout sent the flow back.
    if (kind === 'nak' || this.sndNxt < this.sndUna) this.sndNxt = this.sndUna;
  }

  /** After a timeout all that is not acknowledged is sent again. */
  goBack(timePs: number): void {
    this.sndNxt = this.sndUna;
    this.lastProgressPs = timePs;
  }

  /** Hands an ACK to the congestion control; returns whether that has moved the time of the next packet. */
  react(timePs: number, packet: Packet): boolean {
    const shiftPs = this.control.onAck({
      timePs,
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
