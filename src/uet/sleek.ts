/**
 * SLEEK: loss recovery without trimming, and probes that detect losses early (`-sleek`).
 *
 *   threshold = max(min(trunc(1.5 cwnd), max window), 5 payloads)
 *   recovery    begins when the receiver has threshold / payload packets out of order, or a probe is acknowledged fast;
 *               retransmits missing packets from e (lowest missing number) to e + cwnd / payload;
 *               ends when everything sent before its beginning is acknowledged
 *   probe       due base RTT + target after an ACK if all is sent, else 3 base RTT; next one 5 base RTT after a probe
 *
 * In recovery the window does not block retransmissions. As in the reference, a packet that times out in recovery is excluded
 * from the timer and not retransmitted.
 */
import { SimEvent } from './event-list.js';
import type { Packet } from './packet.js';
import type { RunContext } from './run-context.js';
import type { Scoreboard, SentPacket } from './scoreboard.js';
import type { SenderCounts, SenderParts } from './flow.js';

const THRESHOLD_WINDOWS = 1.5;
const THRESHOLD_PAYLOADS_MIN = 5;
const PROBE_RTTS = 3;
const REPEATED_PROBE_RTTS = 5;

/** The part of the sender that SLEEK uses. */
export interface SleekSender {
  readonly nextSeq: number;
  readonly counts: SenderCounts;
  readonly scoreboard: Scoreboard;
  trySend(): void;
  queue(seq: number, sizeBytes: number): void;
  nextEv(): number;
  sendControl(kind: 'probe', seq: number, ev: number): void;
}

export class Sleek {
  isRecovering = false;
  readonly #context: RunContext;
  readonly #parts: SenderParts;
  readonly #sender: SleekSender;
  readonly #probe = new SimEvent(() => this.#sendProbe());
  /** Recovery ends when all numbers below this one are acknowledged. */
  #recoverySeq = 0;
  #highestResent = 0;
  /** Number and time of the last probe; 0 if there is none. */
  #probeSeq = 0;
  #probePs = 0;

  constructor(context: RunContext, parts: SenderParts, sender: SleekSender) {
    this.#context = context;
    this.#parts = parts;
    this.#sender = sender;
  }

  /** Delay of an ACK; undefined if it does not acknowledge the last probe. */
  delayOfProbe(ack: Packet): number | undefined {
    if (!ack.isProbe || ack.seq !== this.#probeSeq) return undefined;
    const { state } = this.#parts;
    const rawPs = this.#context.events.nowPs - this.#probePs;
    if (rawPs < state.baseRttPs) return 0;
    const delayPs = rawPs - state.baseRttPs;
    state.updateAverage(delayPs, ack.isMarked);
    return delayPs;
  }

  onAck(ack: Packet, delayPs: number): void {
    const sender = this.#sender;
    this.#armProbe(ack.cumulative);
    if (ack.isProbe && delayPs < this.#parts.settings.parameters.targetPs) {
      this.isRecovering = true;
      this.#recoverySeq = sender.nextSeq;
      this.#highestResent = ack.cumulative;
    }
    if (ack.cumulative >= this.#recoverySeq) this.isRecovering = false;
    const { payloadBytes } = this.#parts.settings.parameters;
    if (!this.isRecovering && ack.outOfOrder < Math.trunc(this.#threshold() / payloadBytes)) return;
    if (!this.isRecovering && sender.scoreboard.retransmissions.count === 0) {
      this.isRecovering = true;
      this.#recoverySeq = sender.nextSeq;
    }
    this.#resendMissing(ack.cumulative);
    sender.trySend();
  }

  /** Returns whether recovery handled the timeout. */
  onTimeout(packet: SentPacket): boolean {
    if (!this.isRecovering) return false;
    const { scoreboard } = this.#sender;
    scoreboard.sent.untime(packet);
    if (scoreboard.copiesOf(packet.seq) < 1) scoreboard.timer.startForOldest();
    else this.#highestResent = packet.seq;
    return true;
  }

  #threshold(): number {
    const { state, settings } = this.#parts;
    const windows = Math.trunc(Math.fround(THRESHOLD_WINDOWS * state.windowBytes));
    return Math.max(Math.min(windows, state.maxWindowBytes), THRESHOLD_PAYLOADS_MIN * settings.parameters.payloadBytes);
  }

  #resendMissing(cumulative: number): void {
    const { state, settings } = this.#parts;
    const { counts, scoreboard: { sent, retransmissions, timer } } = this.#sender;
    const { payloadBytes } = settings.parameters;
    for (let seq = cumulative; seq < this.#recoverySeq; seq += 1) {
      if (seq >= cumulative + Math.trunc(state.windowBytes / payloadBytes)) return;
      const packet = sent.get(seq);
      if (seq < this.#highestResent || packet === undefined || retransmissions.has(seq)) continue;
      sent.remove(packet);
      state.inFlightBytes -= packet.sizeBytes;
      this.#highestResent = seq + 1;
      counts.sleekPackets += 1;
      this.#sender.queue(seq, packet.sizeBytes);
      timer.onRemoved(packet);
    }
  }

  #armProbe(cumulative: number): void {
    const { events } = this.#context;
    const { backlog, state, settings } = this.#parts;
    events.cancel(this.#probe);
    if (cumulative >= this.#sender.nextSeq && backlog.bytes === 0) return;
    const afterAll = state.baseRttPs + settings.parameters.targetPs;
    events.schedule(this.#probe, events.nowPs + (backlog.bytes === 0 ? afterAll : PROBE_RTTS * state.baseRttPs));
  }

  #sendProbe(): void {
    const { events } = this.#context;
    this.#probeSeq += 1;
    this.#probePs = events.nowPs;
    this.#sender.sendControl('probe', this.#probeSeq, this.#sender.nextEv());
    events.schedule(this.#probe, events.nowPs + REPEATED_PROBE_RTTS * this.#parts.state.baseRttPs);
  }
}
