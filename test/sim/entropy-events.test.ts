/** Entropy states of MRC in kernel and model, compared after each event of random series. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ENTROPY_SUBJECTS, PROBE_INTERVAL_PS, type EntropySubject, type Mark,
  type Probe } from '../support/entropy-subjects.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_ENTROPY_EVENTS', { few: 300, all: 5000 });
const SEED = 20_261_128;

interface Step {
  readonly kind: 'next' | 'sack' | 'trim' | 'lose' | 'probe' | 'acknowledge' | 'deny';
  readonly number: number;
  readonly mark: Mark;
  readonly isLater: boolean;
}

/** Applies a step and returns the observable state. */
class Walk {
  readonly #all: EntropySubject;
  readonly #active: number;
  readonly #denied = new Set<number>();
  #probes: Probe[] = [];
  #timePs = 0;

  constructor(all: EntropySubject, active: number) {
    this.#all = all;
    this.#active = active;
  }

  apply({ kind, number, mark, isLater }: Step): unknown {
    const all = this.#all;
    if (isLater) all.passTime(this.#timePs += PROBE_INTERVAL_PS / 4);
    switch (kind) {
      case 'next':
        return Array.from({ length: 3 }, () => all.next());
      case 'sack':
        all.sack(number, mark);
        return undefined;
      case 'trim':
        all.trim(number, mark === 'marked' ? 'last-hop' : 'transit');
        return undefined;
      case 'lose':
        all.lose(number, mark === 'marked' ? 'timeout' : 'fast');
        return undefined;
      case 'probe':
        this.#probes = all.probe();
        return this.#probes;
      case 'acknowledge':
        for (const probe of this.#probes.slice(0, number % 3)) all.acknowledge(probe, mark);
        return undefined;
      case 'deny':
        this.#deny(number);
        return undefined;
    }
  }

  /** Denied entropies as in scenarios: odd numbers, fewer than the active set, so that one entropy remains. */
  #deny(number: number): void {
    const isDenied = this.#denied.has(number);
    if (isDenied) this.#denied.delete(number);
    else if (number % 2 === 0 || this.#denied.size + 1 >= this.#active) return;
    else this.#denied.add(number);
    this.#all.deny(number, !isDenied);
  }
}

it(`Kernel and model agree after each of ${RUNS} random series of events`, () => {
  const settings = fc.record({
    active: fc.constantFrom(2, 4, 8),
    reserve: fc.constantFrom(0, 1, 3),
    planes: fc.constantFrom(1, 2),
    seed: fc.integer({ min: 1, max: 1000 }),
    minActive: fc.constantFrom(1, 2),
    skip: fc.constantFrom('rotation' as const, 'base-rtt' as const),
    inferredLoss: fc.constantFrom('assumed-bad' as const, 'skip' as const),
    probesToReturn: fc.constantFrom(1, 2),
    markedProbe: fc.constantFrom('skip' as const, 'good' as const),
  });
  const steps = fc.array(fc.record<Step>({
    kind: fc.constantFrom('next', 'next', 'sack', 'trim', 'lose', 'probe', 'acknowledge', 'deny'),
    number: fc.nat(10),
    mark: fc.constantFrom('unmarked', 'marked', 'marked', 'always-skip'),
    isLater: fc.boolean(),
  }), { minLength: 20, maxLength: 60 });
  fc.assert(fc.property(settings, steps, (drawn, all) => {
    const count = drawn.active + drawn.reserve;
    const runs = ENTROPY_SUBJECTS.map(({ create }) => {
      const subject = create(drawn);
      const walk = new Walk(subject, drawn.active);
      return all.map((step) => [
        walk.apply({ ...step, number: step.number % count }),
        Array.from({ length: count }, (_, number) => subject.stateOf(number)),
      ]);
    });
    expect(runs[0]).toEqual(runs[1]);
  }), { seed: SEED, numRuns: RUNS });
}, 60_000 + 100 * RUNS);
