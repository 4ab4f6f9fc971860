/**
 * Adds the messages of one connection to the backlog when they become due. There is one event per distinct time; the first
 * one precedes the sender's own start event, so it starts the sender, and the start event finds it running.
 */
import { SimEvent, type EventList } from './event-list.js';
import { feedsOf, inOrderOfDue, messagesOf, type MessageBacklog, type UetMessage } from './messages.js';
import { rejectBusyStart, rejectMessageGap } from './rejections.js';
import type { Sender } from './sender.js';
import type { UetConnection } from './traffic.js';

export class MessageFeed {
  readonly messages: readonly UetMessage[];
  readonly #events: EventList;
  readonly #sender: Sender;
  readonly #backlog: MessageBacklog;
  /** Messages that are not due yet, by time, then line. */
  readonly #due: UetMessage[];

  constructor(events: EventList, sender: Sender, backlog: MessageBacklog,
    { connections, mtuBytes }: { readonly connections: readonly UetConnection[]; readonly mtuBytes: number }) {
    this.#events = events;
    this.#sender = sender;
    this.#backlog = backlog;
    this.messages = messagesOf(connections, mtuBytes);
    this.#due = inOrderOfDue(this.messages);
    for (const { startPs, isCheck } of feedsOf(connections)) {
      const run = isCheck ? () => this.#checkStarted() : () => this.#feed();
      events.schedule(new SimEvent(run), startPs);
    }
  }

  #feed(): void {
    const { nowPs } = this.#events;
    const count = this.#due.findIndex(({ duePs }) => duePs > nowPs);
    const due = this.#due.splice(0, count < 0 ? this.#due.length : count);
    const sender = this.#sender;
    if (sender.finishPs >= 0) rejectMessageGap();
    const isIdle = sender.isIdle;
    this.#backlog.add(due);
    if (sender.startPs < 0) sender.start();
    else if (isIdle) sender.trySend();
  }

  /** If the first packet could not be sent immediately, the reference starts the flow twice and aborts. */
  #checkStarted(): void {
    if (this.#sender.nextSeq === 0) rejectBusyStart();
  }
}
