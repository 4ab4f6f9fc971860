/**
 * The sender of a flow: when it may send, and how it handles ACKs, NACKs, pulls and timeouts.
 *
 *   may send = something to send, and credit > 0 (receiver control), and cwnd >= in flight + next size (sender control)
 *   ACK request = nothing left, or credit <= 0, or in flight (including this packet) + size >= cwnd
 *
 * As in the reference: after a timeout the sender asks the NIC once more, although it may have sent already; the NIC
 * is then occupied for one byte, or the sender queues a second time. The delay of a NACK is measured from the latest copy
 * sent. Feedback on a timeout goes to path 0.
 */
import { NsccControl } from './sender-control.js';
import { Credit } from './receiver-control.js';
import type { NicClient } from './network.js';
import { HEADER_BYTES, LOW, MIDDLE, type Direction, type Packet, type PacketSink } from './packet.js';
import type { RunContext } from './run-context.js';
import { Scoreboard } from './scoreboard.js';
import { noSenderCounts, type SenderParts } from './flow.js';
import { Sleek, type SleekSender } from './sleek.js';

const MAP_WORD_BITS = 32;

export class Sender implements PacketSink, NicClient, SleekSender {
  readonly counts = noSenderCounts();
  readonly credit = new Credit();
  /** Number of the next new packet. */
  nextSeq = 0;
  /** Time of the start; -1 before it. */
  startPs = -1;
  finishPs = -1;
  readonly scoreboard: Scoreboard;
  readonly #context: RunContext;
  readonly #parts: SenderParts;
  readonly #sleek: Sleek | undefined;
  #toReceiver: Direction | undefined = undefined;
  /** Whether the sender is queued at the NIC. */
  #isWaiting = false;
  #pullTarget = 0;
  #receivedBytes = 0;
  #lastRtsPs = 0;

  constructor(context: RunContext, parts: SenderParts) {
    this.#context = context;
    this.#parts = parts;
    const { state, backlog, settings } = parts;
    this.scoreboard = new Scoreboard({
      events: context.events,
      timeoutPs: settings.parameters.timeoutPs,
      state,
      backlog,
      onExpiry: () => this.#onTimeout(),
    });
    this.#sleek = settings.isSleek && parts.control !== undefined ? new Sleek(context, parts, this) : undefined;
  }

  /** Sets the receiver. Called once, before the start. */
  connect(receiver: PacketSink): void {
    const { destination, senderId } = this.#parts.flow;
    this.#toReceiver = { endpoint: receiver, destination, flowId: senderId };
  }

  start(): void {
    this.startPs = this.#context.events.nowPs;
    this.credit.bytes = this.#parts.settings.shared.maxBytes;
    this.#trace('ST', this.#parts.state.windowBytes);
    this.trySend();
  }

  /** Whether the sender has nothing to send and is not queued at the NIC. */
  get isIdle(): boolean {
    return !this.#isWaiting && this.#parts.backlog.bytes === 0 && this.scoreboard.retransmissions.count === 0;
  }

  /** Sends while it is allowed to and the NIC is idle; queues at a busy NIC. */
  trySend(): void {
    const { nic } = this.#parts;
    while (!this.#isWaiting && this.#maySend()) {
      if (nic.ask(this)) nic.occupy(this.#sendOne());
      else this.#isWaiting = true;
    }
  }

  takeTurn(): void {
    const { nic } = this.#parts;
    this.#isWaiting = false;
    if (!this.#maySend()) {
      nic.yieldTurn();
      return;
    }
    nic.occupy(this.#sendOne());
    if (!this.#maySend()) return;
    nic.ask(this);
    this.#isWaiting = true;
  }

  receive(packet: Packet): void {
    if (packet.kind === 'ack') this.#onAck(packet);
    else if (packet.kind === 'nack') this.#onNack(packet);
    else this.#onPull(packet);
    this.#context.pool.deliver(packet);
  }

  /** Queues a packet for retransmission and tries to send, except while speculating under receiver control. */
  queue(seq: number, sizeBytes: number): void {
    this.scoreboard.retransmissions.add(seq, sizeBytes);
    if (!this.#parts.settings.isReceiverControlled || !this.credit.isSpeculating) this.trySend();
  }

  /** The entropy value of the next packet. */
  nextEv(): number {
    const { paths, state, settings } = this.#parts;
    return paths.next(this.nextSeq, Math.trunc(state.windowBytes / settings.parameters.payloadBytes));
  }

  /** Sends a header as a control packet. As in the reference, switches queue probes as data. */
  sendControl(kind: 'rts' | 'probe', seq: number, ev: number): void {
    const packet = this.#newPacket(kind, ev);
    packet.seq = seq;
    packet.pullNumber = this.#pullTarget;
    packet.isRetransmission = false;
    packet.wantsAck = false;
    packet.isHeaderOnly = kind === 'rts';
    this.#parts.nic.sendControl(packet);
  }

  #newPacket(kind: 'data' | 'rts' | 'probe', ev: number): Packet {
    if (this.#toReceiver === undefined) throw new TypeError('The sender has no receiver.');
    return this.#context.pool.take(kind, this.#toReceiver, ev);
  }

  #maySend(): boolean {
    const { backlog, settings, control, state } = this.#parts;
    const hasRetransmissions = this.scoreboard.retransmissions.count > 0;
    if (!hasRetransmissions && backlog.bytes === 0) return false;
    if (settings.isReceiverControlled && this.credit.bytes <= 0) return false;
    if (control === undefined) return true;
    if (hasRetransmissions && this.#sleek?.isRecovering === true) return true;
    const nextBytes = hasRetransmissions ? this.scoreboard.retransmissions.firstBytes : backlog.nextBytes;
    return state.windowBytes >= state.inFlightBytes + nextBytes;
  }

  /** Sends one packet and returns its bytes. */
  #sendOne(): number {
    return this.scoreboard.retransmissions.count > 0 ? this.#retransmit() : this.#sendNew();
  }

  #sendNew(): number {
    const { backlog, state, control, settings } = this.#parts;
    const seq = this.nextSeq;
    const sizeBytes = backlog.take(seq);
    this.#charge(sizeBytes);
    const packet = this.#newPacket('data', this.nextEv());
    const isLastCredit = settings.isReceiverControlled && this.credit.bytes <= 0;
    const isWindowFull = control !== undefined && state.inFlightBytes + sizeBytes >= state.windowBytes;
    packet.isRetransmission = false;
    packet.wantsAck = backlog.bytes === 0 || isLastCredit || isWindowFull;
    packet.hostClass = this.credit.isSpeculating ? LOW : MIDDLE;
    this.nextSeq += 1;
    this.counts.newPackets += 1;
    this.#pass(packet, seq, sizeBytes);
    return sizeBytes;
  }

  #retransmit(): number {
    const seq = this.scoreboard.retransmissions.firstSeq;
    const sizeBytes = this.scoreboard.retransmissions.remove(seq);
    this.#charge(sizeBytes);
    const packet = this.#newPacket('data', this.nextEv());
    packet.isRetransmission = true;
    packet.wantsAck = true;
    packet.hostClass = MIDDLE;
    this.scoreboard.countCopy(seq);
    this.counts.retransmissions += 1;
    this.#pass(packet, seq, sizeBytes);
    return sizeBytes;
  }

  /** Charges a packet to credit and window, and requests pulls. */
  #charge(sizeBytes: number): void {
    if (this.#parts.settings.isReceiverControlled) this.credit.bytes -= sizeBytes;
    this.#parts.state.inFlightBytes += sizeBytes;
    this.#pullTarget = this.#nextPullTarget();
  }

  #pass(packet: Packet, seq: number, sizeBytes: number): void {
    const { nowPs } = this.#context.events;
    const { windowBytes, inFlightBytes } = this.#parts.state;
    packet.seq = seq;
    this.#context.pool.fill(packet, sizeBytes);
    packet.isHeaderOnly = false;
    packet.pullNumber = this.#pullTarget;
    const copy = packet.isRetransmission ? 'R' : 'N';
    const isRequest = Number(packet.wantsAck);
    this.#trace('TX', seq, sizeBytes, copy, packet.ev, isRequest, windowBytes, inFlightBytes, this.#pullTarget);
    this.scoreboard.sent.add(seq, sizeBytes, nowPs);
    this.#parts.nic.pass(packet);
    this.scoreboard.timer.start(nowPs);
  }

  /** The pull target to request. Under purely receiver-based control the window has no effect. */
  #nextPullTarget(): number {
    const { settings, control, state, backlog, nic } = this.#parts;
    if (!settings.isReceiverControlled) return 0;
    const { mtuBytes } = settings.parameters;
    return this.credit.target({
      backlogBytes: backlog.bytes,
      queuedBytes: this.scoreboard.retransmissions.bytes,
      windowBytes: control === undefined ? Infinity : state.windowBytes + mtuBytes,
      maxBytes: settings.shared.maxBytes,
      mtuBytes,
      senders: nic.waitingSenders,
    });
  }

  #onAck(ack: Packet): void {
    const { state, control, paths } = this.#parts;
    this.counts.acks += 1;
    if (ack.isMarked) this.counts.echoes += 1;
    const bytes = Math.max(0, ack.receivedBytes - this.#receivedBytes);
    this.#receivedBytes += bytes;
    state.acknowledge(bytes);
    const delayPs = this.#delayOf(ack);
    this.scoreboard.acknowledgeBelow(ack.cumulative);
    this.scoreboard.acknowledgeMapped(ack.mapBase, ack.mapLow);
    this.scoreboard.acknowledgeMapped(ack.mapBase + MAP_WORD_BITS, ack.mapHigh);
    paths.feedback(ack.ev, ack.isMarked ? 'ecn' : 'good');
    control?.onAck(ack.isMarked, delayPs, bytes);
    this.#traceAck(ack, bytes, delayPs);
    this.#sleek?.onAck(ack, delayPs);
    this.credit.stopSpeculating();
    this.#finishAt(ack.cumulative);
    if (this.finishPs < 0) this.trySend();
  }

  /** Measures the delay of the acknowledged packet; if that is impossible, returns the average. */
  #delayOf(ack: Packet): number {
    const { state } = this.#parts;
    const probed = this.#sleek?.delayOfProbe(ack);
    if (probed !== undefined) return probed;
    const packet = this.scoreboard.sent.get(ack.seq);
    if (ack.isProbe || packet === undefined) return state.averageDelayPs;
    if (this.scoreboard.copiesOf(ack.seq) !== Number(ack.isRetransmission)) return state.averageDelayPs;
    const rawPs = this.#context.events.nowPs - packet.sentPs;
    if (!ack.isForRts) state.updateBaseRtt(rawPs);
    if (rawPs < state.baseRttPs) return state.averageDelayPs;
    const delayPs = rawPs - state.baseRttPs;
    state.updateAverage(delayPs, ack.isMarked);
    return delayPs;
  }

  #finishAt(cumulative: number): void {
    const { backlog, onFinished } = this.#parts;
    if (this.finishPs >= 0 || !backlog.isFinished(cumulative, this.counts.requestsToSend)) return;
    this.finishPs = this.#context.events.nowPs;
    if (backlog.acknowledge === undefined) this.#trace('FIN', cumulative);
    onFinished();
    this.scoreboard.timer.cancel();
  }

  #onNack({ seq, ev, isMarked, isTrimmedAtLastHop }: Packet): void {
    const { state, control, paths, settings } = this.#parts;
    this.counts.nacks += 1;
    const packet = this.scoreboard.sent.get(seq);
    if (packet === undefined) return;
    if (settings.isBaseRttFromNacks) state.updateBaseRtt(this.#context.events.nowPs - packet.sentPs);
    control?.onNack(packet.sizeBytes, isTrimmedAtLastHop);
    this.scoreboard.sent.remove(packet);
    state.inFlightBytes -= packet.sizeBytes;
    this.#trace('NK', seq, Number(isTrimmedAtLastHop), Number(isMarked), state.windowBytes, state.inFlightBytes,
      state.averageDelayPs);
    this.credit.stopSpeculating();
    this.queue(seq, packet.sizeBytes);
    this.scoreboard.timer.onRemoved(packet);
    const ofLastHop = isMarked ? 'ecn' : 'good';
    paths.feedback(ev, isTrimmedAtLastHop ? ofLastHop : 'nack');
    this.trySend();
  }

  #onPull({ pullNumber }: Packet): void {
    this.counts.pulls += 1;
    this.credit.stopSpeculating();
    this.credit.pull(pullNumber, this.#parts.settings.shared.maxBytes);
    this.#trace('PL', pullNumber, this.credit.bytes);
    this.trySend();
  }

  #onTimeout(): void {
    const { state, control, paths, settings } = this.#parts;
    const packet = this.scoreboard.sent.oldest;
    if (packet === undefined) return;
    const { seq, sizeBytes } = packet;
    this.counts.timeouts += 1;
    this.#trace('TO', seq);
    paths.feedback(0, 'timeout');
    if (this.#sleek?.onTimeout(packet) === true) return;
    this.scoreboard.sent.remove(packet);
    this.scoreboard.timer.startForOldest();
    if (control !== undefined) {
      state.inFlightBytes -= sizeBytes;
      state.windowBytes = Math.max(state.windowBytes - sizeBytes, settings.parameters.mtuBytes);
    }
    if (this.scoreboard.retransmissions.count > 0) {
      this.credit.stopSpeculating();
      this.queue(seq, sizeBytes);
      if (settings.isReceiverControlled) this.#requestToSend();
      return;
    }
    this.queue(seq, sizeBytes);
    const isWindowFull = control !== undefined && state.windowBytes < sizeBytes + state.inFlightBytes;
    const isCreditGone = settings.isReceiverControlled && this.credit.bytes <= 0;
    if (isWindowFull || isCreditGone) this.#requestToSend();
    else this.#requestAgain();
  }

  #requestAgain(): void {
    const { nic } = this.#parts;
    if (!nic.ask(this)) return;
    this.#sendOne();
    nic.occupy(1);
  }

  /** Sends an RTS, at most one per round trip; without limit under purely receiver-based control. */
  #requestToSend(): void {
    const { control, settings } = this.#parts;
    const { nowPs } = this.#context.events;
    const intervalPs = control === undefined ? 0 : settings.parameters.rttPs;
    if (this.#lastRtsPs !== 0 && nowPs - this.#lastRtsPs < intervalPs) return;
    this.#lastRtsPs = nowPs;
    const seq = this.nextSeq;
    const ev = this.nextEv();
    this.#trace('RS', seq, ev);
    this.scoreboard.sent.add(seq, HEADER_BYTES, nowPs);
    this.sendControl('rts', seq, ev);
    this.nextSeq += 1;
    this.counts.requestsToSend += 1;
    this.scoreboard.timer.start(nowPs);
  }

  #traceAck({ cumulative, seq, mapBase, isMarked }: Packet, bytes: number, delayPs: number): void {
    if (this.#context.trace === undefined) return;
    const { state, control } = this.#parts;
    const { windowBytes, inFlightBytes, averageDelayPs, achievedBytes } = state;
    const increase = control instanceof NsccControl ? control.increase : 0;
    this.#trace('AK', cumulative, seq, mapBase, Number(isMarked), bytes, windowBytes, inFlightBytes, averageDelayPs,
      increase, delayPs, achievedBytes);
  }

  #trace(event: string, ...values: (number | string)[]): void {
    this.#context.trace?.(this.#context.events.nowPs, event, this.#parts.flow.index, ...values);
  }
}
