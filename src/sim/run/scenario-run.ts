/** A run that goes on in the background. */
import type { Progress, SimResult } from '../result.js';

/** Slices of a run, which ends early once it is cancelled. */
type MakeSlices = (isCancelled: () => boolean) => Generator<Progress, SimResult>;

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
  /** What the run comes to, also when it was cancelled. Rejected by what goes wrong on the way. */
  readonly result: Promise<SimResult>;
  #isCancelled = false;
  #isDone = false;
  #progress: Progress | undefined;
  #endWait: () => void = () => undefined;
  /** Settled by the next slice. */
  #nextSlice = this.#makeWait();

  /** @internal Use `runScenario`. */
  constructor(makeSlices: MakeSlices) {
    this.result = this.#runAll(makeSlices(() => this.#isCancelled));
  }

  /** Ends the run after its present slice: `result` is then what there is, `ended: 'cancelled'`. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /** Progress after each slice; a reader that is slower than the run misses some. @throws what rejects `result`. */
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

  async #runAll(slices: Generator<Progress, SimResult>): Promise<SimResult> {
    try {
      for (;;) {
        await nextTurn();
        const step = slices.next();
        if (step.done === true) return step.value;
        this.#progress = step.value;
        this.#endWait();
        this.#nextSlice = this.#makeWait();
      }
    } finally {
      this.#isDone = true;
      this.#endWait();
    }
  }

  #makeWait(): Promise<void> {
    return new Promise((resolve) => {
      this.#endWait = resolve;
    });
  }
}

/** Lets timers, messages and streams of the host have their turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
