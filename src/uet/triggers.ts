/**
 * Triggers of a connection matrix: finished flows fire them, and they start other flows.
 *
 *   oneshot     starts all its flows;  a second firing is rejected, as the reference aborts
 *   multishot   each firing starts the next flow
 *   barrier     the last of `count` firings starts all its flows
 *
 * Flows started together run last in, first out, before the next event. `recv_done_trigger` never fires, as in the
 * reference.
 */
import type { MatrixTrigger } from '../workloads/htsim/matrix-lines.js';
import type { EventList } from './event-list.js';
import { rejectSecondFiring } from './rejections.js';

export class Trigger {
  readonly #events: EventList;
  readonly #id: number;
  readonly #definition: MatrixTrigger;
  readonly #targets: (() => void)[] = [];
  #firings = 0;

  constructor(events: EventList, id: number, definition: MatrixTrigger) {
    this.#events = events;
    this.#id = id;
    this.#definition = definition;
  }

  addTarget(start: () => void): void {
    this.#targets.push(start);
  }

  fire(): void {
    const { type, count } = this.#definition;
    this.#firings += 1;
    if (type === 'multishot') {
      this.#start(this.#targets.slice(this.#firings - 1, this.#firings));
      return;
    }
    if (type === 'oneshot' && this.#firings > 1) rejectSecondFiring(this.#id);
    if (this.#firings === count) this.#start(this.#targets);
  }

  #start(targets: readonly (() => void)[]): void {
    for (const target of targets) this.#events.trigger(target);
  }
}
