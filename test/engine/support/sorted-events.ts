/**
 * Batches of all events for two engines: runs of given lengths on one or several QPs, events that end a run, events for
 * unknown QPs, unknown kinds, and records that no ACK wrote.
 */
import { EVENT_ACK } from '../../../src/abi/codes.js';
import { us } from '../../../src/units.js';
import type { Seeded } from '../../support/seeded.js';
import { EventPair } from './event-pair.js';
import { RECEIVER, RECEIVER_QPN, SENDER, SENDER_QPN, SWITCH } from './network.js';

/** Lengths around the thresholds of assembly/batch/by-algorithm.ts for runs, prefetching and sorting. */
const LENGTHS = [1, 7, 8, 31, 32, 33, 255, 256, 257];
const UNKNOWN_KINDS = [7, 12, 15];
/** An index without a record, whose address (a multiple of 64 bytes per record) wraps to that of record 0. */
const WRAPPED_RECORD = 2 ** 26;

export class SortedEvents {
  readonly pair: EventPair;
  readonly #random: Seeded;
  readonly #hopCount: number;
  /** Open QPs and one that is closed after the first batch, which only the flags in its record show. */
  readonly #qps: readonly number[];
  readonly #closing: number;
  #timePs = us(500);
  #sequence = 1;

  /** @param hopCount hops of most ACKs; 0 = no telemetry. */
  constructor(options: ConstructorParameters<typeof EventPair>[0], qps: number, random: Seeded, hopCount = 3) {
    this.#hopCount = hopCount;
    this.#random = random;
    this.pair = new EventPair(options);
    this.pair.step((engine) => engine.addEndpoint([SENDER]));
    const names = Object.keys(options.parameterSets);
    for (let qp = 0; qp <= qps; qp++) {
      const flow = {
        localQpn: SENDER_QPN + qp,
        peerAddress: RECEIVER,
        peerQpn: RECEIVER_QPN + qp,
        parameterSet: names[qp % names.length]!,
      };
      this.pair.step((engine) => engine.openQp(flow));
    }
    this.#closing = qps;
    this.#qps = Array.from({ length: qps + 1 }, (_, qp) => qp);
  }

  get timePs(): number {
    return this.#timePs;
  }

  /** Fills a batch and applies it; the backends must agree. */
  batch(): void {
    const random = this.#random;
    const { events } = this.pair.first;
    if (random.chance(0.4)) this.#run(random.pick(LENGTHS), () => this.#anyQp());
    while (random.chance(0.6) && !events.isFull) {
      const qp = random.pick(this.#qps);
      this.#run(random.pick(LENGTHS), () => qp);
      if (random.chance(0.5)) {
        this.#run(1, () => qp, () => {
          this.#endOfRun(qp);
        });
      }
    }
    if (random.chance(0.5)) this.#run(events.capacity, () => this.#anyQp());
    this.pair.step((engine) => engine.applyEvents());
    this.pair.check();
    const closing = this.#closing;
    if (this.pair.first.isOpen(closing)) {
      this.pair.step((engine) => {
        engine.closeQp(closing);
      });
    }
  }

  #anyQp(): number {
    return this.#random.chance(0.01) ?
      this.#random.pick([this.pair.first.config.capacity.qps, 2 ** 32 - 1]) :
      this.#random.pick(this.#qps);
  }

  #run(length: number, qpOf: () => number, add = (qp: number) => {
    this.#event(qp);
  }): void {
    for (let i = 0; i < length && !this.pair.first.events.isFull; i++) add(qpOf());
  }

  /** Adds an event that concerns more than one QP, which ends a run. */
  #endOfRun(qp: number): void {
    const timePs = this.#timePs;
    const fields = { endpoint: 0, source: SWITCH, originalDestination: RECEIVER, destQpn: RECEIVER_QPN + qp };
    const isMarked = this.#random.chance(0.5);
    this.pair.step(({ events }) => {
      if (isMarked) events.marked(timePs, qp);
      else events.fastCnp(timePs, fields);
    });
  }

  #event(qp: number): void {
    const random = this.#random;
    this.#timePs += random.pick([0, 1, 300_000, 2_000_000]);
    const timePs = random.chance(0.01) ? random.pick([NaN, 2 ** 53, this.#timePs - us(9)]) : this.#timePs;
    const kind = random.whole(0, 19);
    const found = random.pick(['fast', 'timeout'] as const);
    if (kind < 11) this.#ack(timePs, qp);
    else if (kind < 15) {
      this.pair.step(({ events }) => {
        events.sent(timePs, qp, 1000);
      });
    } else if (kind < 18) {
      this.pair.step(({ events }) => {
        events.cnp(timePs, qp);
      });
    } else if (kind === 18) {
      this.pair.step(({ events }) => {
        events.loss(timePs, qp, found);
      });
    } else {
      this.pair.step(({ events }) => {
        events.touch(timePs, qp);
      });
      if (random.chance(0.1)) this.pair.rewriteLast(random.pick(UNKNOWN_KINDS), 0);
    }
  }

  #ack(timePs: number, qp: number): void {
    const random = this.#random;
    const ackSeq = this.#sequence++;
    const hops = Array.from({ length: random.chance(0.95) ? this.#hopCount : 2 }, (_, hopId) => ({
      timePs: this.#timePs,
      txBytes: Math.floor(this.#timePs / 100) + random.whole(0, 3000),
      qlenBytes: random.whole(0, 200_000),
      lineRateBps: 1e11,
      hopId,
    }));
    const fields = {
      ackSeq,
      sndNxt: ackSeq + 20,
      ecnEcho: random.chance(0.3),
      sentTimePs: this.#timePs - random.whole(us(5), us(100)),
      pintPower: random.whole(0, 255),
      ...(this.#hopCount > 0 ? { telemetry: { kind: 'exact' as const, hops } } : {}),
    };
    this.pair.step(({ events }) => {
      events.ack(timePs, qp, fields);
    });
    const { capacity } = this.pair.first.events;
    if (random.chance(0.1)) {
      this.pair.rewriteLast(EVENT_ACK, random.pick([0, 0, capacity - 1, capacity, WRAPPED_RECORD, 2 ** 28 - 1]));
    }
  }
}
