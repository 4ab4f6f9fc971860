/**
 * What a sender has outstanding: packets sent and not acknowledged, packets that wait to be retransmitted, how often each
 * was sent, and the timer.
 *
 * An acknowledged packet that waited for retransmission was taken out of the bytes in flight when it was queued; as the
 * ACK takes its bytes out again, they are added back here.
 */
import type { Backlog } from './backlog.js';
import type { FlowState } from './control/flow-state.js';
import type { EventList } from './event-list.js';
import { RetransmissionTimer } from './retransmission-timer.js';
import { Retransmissions } from './retransmissions.js';
import { SentPackets } from './sent-packets.js';

const MAP_WORD_BITS = 32;

/** What a scoreboard works with. */
export interface ScoreboardParts {
  readonly events: EventList;
  readonly timeoutPs: number;
  readonly state: FlowState;
  readonly backlog: Backlog;
  readonly onExpiry: () => void;
}

export class Scoreboard {
  readonly sent = new SentPackets();
  readonly retransmissions = new Retransmissions();
  readonly timer: RetransmissionTimer;
  readonly #state: FlowState;
  readonly #backlog: Backlog;
  /** Copies after the first, of numbers that were retransmitted. */
  readonly #copies = new Map<number, number>();
  #acknowledgedBelow = 0;

  constructor({ events, timeoutPs, state, backlog, onExpiry }: ScoreboardParts) {
    this.#state = state;
    this.#backlog = backlog;
    this.timer = new RetransmissionTimer(events, timeoutPs, this.sent, onExpiry);
  }

  /** Retransmissions of a number so far. */
  copiesOf(seq: number): number {
    return this.#copies.get(seq) ?? 0;
  }

  countCopy(seq: number): void {
    this.#copies.set(seq, this.copiesOf(seq) + 1);
  }

  /** All numbers below `end` have arrived. */
  acknowledgeBelow(end: number): void {
    const { sent, retransmissions, timer } = this;
    while (retransmissions.count > 0 && retransmissions.firstSeq < end) {
      this.#state.inFlightBytes += retransmissions.remove(retransmissions.firstSeq);
    }
    for (let packet = sent.shiftBelow(end); packet !== undefined; packet = sent.shiftBelow(end)) {
      timer.onRemoved(packet);
      this.#copies.delete(packet.seq);
    }
    const backlog = this.#backlog;
    for (let seq = this.#acknowledgedBelow; backlog.acknowledge !== undefined && seq < end; seq += 1) {
      backlog.acknowledge(seq);
    }
    this.#acknowledgedBelow = Math.max(this.#acknowledgedBelow, end);
  }

  /** The numbers of a map's 32 bits from `base` on have arrived. */
  acknowledgeMapped(base: number, word: number): void {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const seq = base + MAP_WORD_BITS - 1 - Math.clz32(rest & -rest);
      const packet = this.sent.get(seq);
      if (packet === undefined) {
        this.#state.inFlightBytes += this.retransmissions.remove(seq);
      } else {
        this.sent.remove(packet);
        this.timer.onRemoved(packet);
      }
      this.#backlog.acknowledge?.(seq);
    }
  }
}
