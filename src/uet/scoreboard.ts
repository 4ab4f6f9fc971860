/**
 * A sender's outstanding packets: those sent but not acknowledged, those waiting for retransmission, the number of
 * transmissions of each, and the timer.
 *
 * Queuing a packet for retransmission subtracts its bytes from those in flight. If it is acknowledged while it waits, the ACK
 * subtracts them a second time, so they are added back here.
 */
import type { Backlog } from './backlog.js';
import type { FlowState } from './control/flow-state.js';
import type { EventList } from './event-list.js';
import { RetransmissionTimer } from './retransmission-timer.js';
import { Retransmissions } from './retransmissions.js';
import { SentPackets } from './sent-packets.js';

const MAP_WORD_BITS = 32;

/** Components that a scoreboard uses. */
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
  /** Number of retransmissions by packet number. */
  readonly #copies = new Map<number, number>();
  #acknowledgedBelow = 0;

  constructor({ events, timeoutPs, state, backlog, onExpiry }: ScoreboardParts) {
    this.#state = state;
    this.#backlog = backlog;
    this.timer = new RetransmissionTimer(events, timeoutPs, this.sent, onExpiry);
  }

  /** Number of retransmissions of a packet so far. */
  copiesOf(seq: number): number {
    return this.#copies.get(seq) ?? 0;
  }

  countCopy(seq: number): void {
    this.#copies.set(seq, this.copiesOf(seq) + 1);
  }

  /** Acknowledges all numbers below `end`. */
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

  /** Acknowledges the numbers whose bits are set in a 32-bit word of the map that starts at `base`. */
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
