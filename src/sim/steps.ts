/** Work in steps, and a clock that measures the phases of a run. */
import { checkField, oneOf, reject } from '../config/field-rules.js';

/** Work in steps, between which the same thread may do other work. The result does not depend on that. */
export type Steps<Made> = Generator<undefined, Made, undefined>;

/** Runs all steps in one call. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Phases of a run, in order. `sample` and `kernel` alternate. */
export const PHASES = ['validate', 'compile', 'plan', 'kernel', 'sample', 'result', 'hash'] as const;

/** A phase of a run. */
export type Phase = (typeof PHASES)[number];

/**
 * Adds up the time of each phase, with a clock that the caller provides. Neither the run nor its result depends on it.
 *
 * @example
 * const phases = new PhaseClock(() => performance.now());
 * runScenarioSync(scenario, { phases });
 * console.table(phases.totalMs);
 */
export class PhaseClock {
  /** Total time of each phase, milliseconds. */
  readonly totalMs: Readonly<Record<Phase, number>>;
  readonly #totalMs: Record<Phase, number>;
  readonly #nowMs: () => number;

  /** Uses a clock. @param nowMs a clock that never goes back, such as `performance.now`. */
  constructor(nowMs: () => number) {
    if (typeof nowMs !== 'function') reject({ got: nowMs, allowed: 'a clock', where: 'nowMs' });
    this.#nowMs = nowMs;
    this.#totalMs = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<Phase, number>;
    this.totalMs = this.#totalMs;
  }

  /** Runs work and adds its time to a phase. */
  time<Made>(phase: Phase, work: () => Made): Made {
    checkField(phase, oneOf(...PHASES), 'phase');
    if (typeof work !== 'function') reject({ got: work, allowed: 'a function', where: 'work' });
    const beganMs = this.#nowMs();
    try {
      return work();
    } finally {
      this.#totalMs[phase] += this.#nowMs() - beganMs;
    }
  }
}

/** Runs steps and adds their time to a phase. */
export function* timed<Made>(phases: PhaseClock, phase: Phase, steps: Steps<Made>): Steps<Made> {
  for (;;) {
    const step = phases.time(phase, () => steps.next());
    if (step.done === true) return step.value;
    yield;
  }
}

/** A clock for runs without timing. */
export function noClock(): PhaseClock {
  return new PhaseClock(() => 0);
}
