/**
 * Detects workers in an endless loop: while requests are open, a worker must show progress within a time that depends
 * on its stage. Time is counted in ticks of the page, so that a suspended page does not blame the worker.
 */
import type { BeatStage } from '../../protocol/algorithm-protocol.js';
import type { FromWorker, ToWorker } from '../../protocol/run-protocol.js';

const TICK_MS = 250;

/**
 * Time without progress after which a worker is terminated. Large scenarios take a while to compile, and so do their
 * results.
 */
export const LIMITS_MS: Readonly<Record<BeatStage, number>> = {
  code: 2000,
  scenario: 10_000,
  run: 2000,
  result: 10_000,
};

export class ProgressWatch {
  readonly #onStuck: (stage: BeatStage) => void;
  /** Open requests by id, and whether each is a run, which sends other messages before the final one. */
  readonly #open = new Map<number, boolean>();
  #stage: BeatStage = 'scenario';
  #ticks = 0;
  #isPaused = false;
  #isStopping = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(onStuck: (stage: BeatStage) => void) {
    this.#onStuck = onStuck;
  }

  /** Notes a message to the worker. */
  asked(message: ToWorker): void {
    if ('id' in message) this.#open.set(message.id, message.type === 'run');
    if (message.type === 'stop') this.#isStopping = true;
    else if (message.type === 'pause') this.#isPaused = true;
    else this.#isPaused = false;
    this.#ticks = 0;
    this.#update();
  }

  /** Notes a message from the worker. After a stop, only the end of the run counts as progress. */
  heard(message: FromWorker): void {
    if (message.type === 'beat') this.#stage = message.stage;
    else if (isFinal(message, this.#open.get(message.id) === true)) {
      this.#open.delete(message.id);
      this.#isStopping = false;
      this.#ticks = 0;
    }
    if (!this.#isStopping) this.#ticks = 0;
    this.#update();
  }

  end(): void {
    this.#open.clear();
    this.#update();
  }

  #update(): void {
    const isNeeded = this.#open.size > 0 && (!this.#isPaused || this.#isStopping);
    if (!isNeeded) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setInterval(() => {
        this.#tick();
      }, TICK_MS);
  }

  #tick(): void {
    if (++this.#ticks * TICK_MS < LIMITS_MS[this.#stage]) return;
    this.end();
    this.#onStuck(this.#stage);
  }
}

function isFinal({ type }: FromWorker, isRun: boolean): boolean {
  return type !== 'samples' && !(isRun && type === 'facts');
}
