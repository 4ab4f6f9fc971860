/**
 * The retransmission timer of a sender: one, for the packet that was sent first. The timeout is a constant.
 *
 *   start(t)   off: expires at max(t + RTO, now);  running: brought forward if t + RTO is earlier
 *   a packet leaves that was sent at the time remembered: off, and started for the oldest one left
 *
 * Kept of the reference: another packet sent at the same time counts too.
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

  /** @param sentPs when the packet was sent. */
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

  /** After a packet was acknowledged or NACKed. */
  onRemoved({ sentPs }: SentPacket): void {
    if (sentPs !== this.#sentPs) return;
    this.cancel();
    this.startForOldest();
  }

  cancel(): void {
    this.#events.cancel(this.#expiry);
  }
}
