/** A run in the background. */
import type { Progress, SimResult } from '../result.js';

/**
 * How long slices run before yielding to the event loop, milliseconds: half a frame at 30 frames per second, so that a page on
 * the same thread remains responsive. It has no effect on the simulation.
 */
export const TURN_MS = 16;

/** Makes the slices of a run, which end early once it is cancelled. Steps before and after the slices yield no progress. */
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
  /** A promise that the next slice resolves. */
  #nextSlice = this.#makeWait();

  /** @internal Use `runScenario`. */
  constructor(makeSlices: MakeSlices, turnMs = 0) {
    this.#turnMs = turnMs;
    this.result = this.#runAll(makeSlices(() => this.#isCancelled));
  }

  /** Ends the run after the current slices. `result` then covers the run so far, with `ended: 'cancelled'`. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /**
   * Progress every few milliseconds, or after each slice of `eventsPerSlice`. A reader that is slower than the run misses some.
   * @throws the error that rejects `result`.
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

  /** Runs one slice, and more while there is time. Other steps run as long as there is time. */
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

/** Yields to timers, messages and streams of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
