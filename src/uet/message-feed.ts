/**
 * Messages of one connection as they become due. One event per distinct time is listed before the sender's own start, so
 * the first of them starts the sender, and the sender's own start finds it running.
 */
import { SimEvent, type EventList } from './event-list.js';
import { newMessage, type MessageBacklog, type UetMessage } from './messages.js';
import { HEADER_BYTES } from './packet.js';
import { rejectUet } from './reject.js';
import type { Sender } from './sender.js';
import type { UetConnection } from './traffic.js';

export class MessageFeed {
  readonly messages: readonly UetMessage[];
  readonly #events: EventList;
  readonly #sender: Sender;
  readonly #backlog: MessageBacklog;
  /** In the order of time, then line. */
  readonly #due: UetMessage[];

  constructor(events: EventList, sender: Sender, backlog: MessageBacklog,
    { connections, mtuBytes }: { readonly connections: readonly UetConnection[]; readonly mtuBytes: number }) {
    this.#events = events;
    this.#sender = sender;
    this.#backlog = backlog;
    this.messages = connections.map(({ line, startPs }, at) =>
      newMessage(at + 1, line.sizeBytes, startPs, mtuBytes - HEADER_BYTES)
    );
    this.#due = [...this.messages].sort((a, b) => a.duePs - b.duePs || a.number - b.number);
    this.#schedule(connections);
  }

  #schedule(connections: readonly UetConnection[]): void {
    const scheduled = new Set<number>();
    for (const { startPs } of connections) {
      if (!scheduled.has(startPs)) this.#events.schedule(new SimEvent(() => this.#feed()), startPs);
      if (scheduled.size === 0) this.#events.schedule(new SimEvent(() => this.#checkStarted()), startPs);
      scheduled.add(startPs);
    }
  }

  #feed(): void {
    const { nowPs } = this.#events;
    const count = this.#due.findIndex(({ duePs }) => duePs > nowPs);
    const due = this.#due.splice(0, count < 0 ? this.#due.length : count);
    const sender = this.#sender;
    if (sender.finishPs >= 0) {
      rejectUet({ what: 'the messages', problem: 'have a gap: all is acknowledged while a later one is not due yet' });
    }
    const isIdle = sender.isIdle;
    this.#backlog.add(due);
    if (sender.startPs < 0) sender.start();
    else if (isIdle) sender.trySend();
  }

  /** The reference starts a flow twice, and aborts, if its first packet could not leave at once. */
  #checkStarted(): void {
    if (this.#sender.nextSeq > 0) return;
    rejectUet({
      what: 'the first message',
      problem: 'cannot leave at its start, as the NIC is busy, where the reference aborts',
    });
  }
}
