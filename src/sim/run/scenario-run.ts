/** A run in the background. */
import type { Progress, SimResult } from '../result.js';

/**
 * How long slices run before the host gets control, milliseconds: half of a frame of smooth motion (30 frames
 * per second), so that a page on the same thread remains responsive. It decides when to yield, and nothing of the simulation.
 */
export const TURN_MS = 16;

/** Slices of a run, which ends early once it is cancelled; steps before and after them have no progress to report. */
type MakeSlices = (isCancelled: () => boolean) => Generator<Progress | undefined, SimResult>;

/**
 * A run in the background, as `runScenario` starts it: await its result, watch its progress, or cancel it. A loop over
 * it ends with the run; leaving the loop does not end the run.
 *
 * @example
 * const run = runScenario(scenario);
 * button.onclick = () => run.cancel();
 * for await (const { flowsDone, flowsTotal } of run) show(flowsDone / flowsTotal);
 * const { ended, summary } = await run.result;
 */
export class ScenarioRun implements AsyncIterable<Progress> {
  /** The result, also of a cancelled run. Rejected by later errors. */
  readonly result: Promise<SimResult>;
  #isCancelled = false;
  #isDone = false;
  #progress: Progress | undefined;
  readonly #turnMs: number;
  #endWait: () => void = () => undefined;
  /** Resolved by the next slice. */
  #nextSlice = this.#makeWait();

  /** @internal Use `runScenario`. */
  constructor(makeSlices: MakeSlices, turnMs = 0) {
    this.#turnMs = turnMs;
    this.result = this.#runAll(makeSlices(() => this.#isCancelled));
  }

  /** Ends the run after its present slices: `result` then covers the run so far, `ended: 'cancelled'`. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /**
   * Progress after each turn of some milliseconds, or each slice of `eventsPerSlice`; a reader that is slower than the run misses
   * some. @throws what rejects `result`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Progress, void> {
    let seen: Progress | undefined;
    while (!this.#isDone) {
      if (this.#progress === seen) await this.#nextSlice;
      if (this.#progress === undefined || this.#progress === seen) continue;
      seen = this.#progress;
      yield seen;
    }
    await this.result;
  }

  async #runAll(slices: Generator<Progress | undefined, SimResult>): Promise<SimResult> {
    try {
      for (;;) {
        await nextTurn();
        const step = this.#takeTurn(slices);
        if (step.done === true) return step.value;
        if (step.value === undefined) continue;
        this.#progress = step.value;
        this.#endWait();
        this.#nextSlice = this.#makeWait();
      }
    } finally {
      this.#isDone = true;
      this.#endWait();
    }
  }

  /** One slice, and more of them while there is time; other steps run as long as there is time. */
  #takeTurn(slices: Generator<Progress | undefined, SimResult>): IteratorResult<Progress | undefined, SimResult> {
    const beganMs = performance.now();
    for (;;) {
      const step = slices.next();
      const turnMs = step.value === undefined ? TURN_MS : this.#turnMs;
      if (step.done === true || performance.now() >= beganMs + turnMs) return step;
    }
  }

  #makeWait(): Promise<void> {
    return new Promise((resolve) => {
      this.#endWait = resolve;
    });
  }
}

/** Yields to timers, messages and streams of the host. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
