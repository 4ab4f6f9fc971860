/**
 * DCQCN in the network model: the state machine of `src/reference/algorithms/dcqcn/machine.ts` with its timers as
 * events of the common queue.
 *
 * A timer that is due together with an ACK therefore expires first if it was armed before the ACK left the neighbour,
 * otherwise last. The order of arming is that of the reference:
 *
 *   first CNP   alpha, then cut
 *   alpha       acts, then arms itself
 *   cut         arms itself, then acts; a cut arms the increase timer again
 *   increase    arms itself, then acts
 */
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import type { Ack } from '../../src/reference/algorithms/ack.js';
import { DcqcnMachine, type DcqcnTimer } from '../../src/reference/algorithms/dcqcn/machine.js';
import type { EventQueue, ScheduledEvent } from '../../src/sim/event-queue.js';
import type { ControlListener, SenderControl } from './sender-control.js';

const TIMERS: readonly DcqcnTimer[] = ['alpha', 'cut', 'increase'];

export class DcqcnSender implements SenderControl {
  readonly #events: EventQueue;
  readonly #machine: DcqcnMachine;
  readonly #armed = new Map<DcqcnTimer, ScheduledEvent>();
  #stopped = false;

  constructor(parameters: DcqcnParameters, events: EventQueue, listener: ControlListener) {
    this.#events = events;
    this.#machine = new DcqcnMachine(parameters, 'off', {
      listener: (timePs, transition, state) => {
        listener(timePs, transition, state.rateBps);
      },
    });
  }

  get rateBps(): number {
    return this.#machine.state.rateBps;
  }

  onSent(timePs: number, lenBytes: number): void {
    if (this.#stopped || !this.#machine.state.limited) return;
    this.#machine.countBytes(timePs, lenBytes);
    this.#armChanged();
  }

  /** A new rate applies from the next packet on, so the time of that packet does not change. */
  onAck({ timePs, ecnEcho }: Ack): undefined {
    if (!ecnEcho || this.#stopped) return;
    if (this.#machine.state.limited) this.#machine.takeLaterCnp(timePs);
    else this.#machine.takeFirstCnp(timePs);
    this.#armChanged();
  }

  stop(): void {
    this.#stopped = true;
    for (const event of this.#armed.values()) event.cancelled = true;
  }

  #expire(timer: DcqcnTimer, timePs: number): void {
    const cuts = timer === 'cut' && this.#machine.state.cutPending;
    this.#armed.delete(timer);
    this.#machine.expire(timer, timePs);
    this.#armChanged();
    if (cuts) this.#arm('increase');
  }

  /** Arms the timers whose times have changed; an unchanged one keeps its place in the queue. */
  #armChanged(): void {
    for (const timer of TIMERS) {
      if (this.#armed.get(timer)?.timePs !== this.#duePs(timer)) this.#arm(timer);
    }
  }

  #arm(timer: DcqcnTimer): void {
    const earlier = this.#armed.get(timer);
    if (earlier !== undefined) earlier.cancelled = true;
    this.#armed.delete(timer);
    const duePs = this.#duePs(timer);
    if (duePs === Infinity) return;
    this.#armed.set(timer, this.#events.schedule(duePs, () => {
      this.#expire(timer, duePs);
    }));
  }

  #duePs(timer: DcqcnTimer): number {
    const { nextAlphaPs, nextCutPs, nextIncreasePs } = this.#machine.state;
    if (timer === 'alpha') return nextAlphaPs;
    return timer === 'cut' ? nextCutPs : nextIncreasePs;
  }
}
