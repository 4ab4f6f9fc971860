/**
 * The retransmission timer of a sender, for its oldest outstanding packet. The timeout is constant.
 *
 *   start(t)   off: expires at max(t + RTO, now);  running: brought forward if t + RTO is earlier
 *   the packet for which it was started is removed: off, then started for the oldest remaining packet
 *
 * As in the reference, the packet is identified by its send time, so another one sent at the same time also counts.
 */
import { SimEvent, type EventList } from './event-list.js';
import type { SentPacket, SentPackets } from './sent-packets.js';

const NEVER_PS = -1;

export class RetransmissionTimer {
  readonly #events: EventList;
  readonly #timeoutPs: number;
  readonly #sent: SentPackets;
  readonly #expiry: SimEvent;
  #sentPs = NEVER_PS;

  constructor(events: EventList, timeoutPs: number, sent: SentPackets, onExpiry: () => void) {
    this.#events = events;
    this.#timeoutPs = timeoutPs;
    this.#sent = sent;
    this.#expiry = new SimEvent(onExpiry);
  }

  /** @param sentPs time when the packet was sent. */
  start(sentPs: number): void {
    const expiry = this.#expiry;
    const duePs = sentPs + this.#timeoutPs;
    if (expiry.isListed) {
      if (duePs >= expiry.timePs) return;
      this.#events.cancel(expiry);
    }
    this.#sentPs = sentPs;
    this.#events.schedule(expiry, Math.max(duePs, this.#events.nowPs));
  }

  startForOldest(): void {
    const { oldest } = this.#sent;
    if (oldest !== undefined) this.start(oldest.sentPs);
  }

  /** Called after a packet was acknowledged or NACKed. */
  onRemoved({ sentPs }: SentPacket): void {
    if (sentPs !== this.#sentPs) return;
    this.cancel();
    this.startForOldest();
  }

  cancel(): void {
    this.#events.cancel(this.#expiry);
  }
}
