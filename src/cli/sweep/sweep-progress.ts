/** Progress of a sweep on standard error, with the remaining time: a bar on a terminal, otherwise an occasional line. */
import type { SingleBar } from 'cli-progress';
import { formatCount, formatSeconds } from '../format.js';
import type { OutputStream } from '../output.js';
import { printable } from '../printable.js';
import { progressBar } from '../progress-bar.js';

const LINE_EVERY_MS = 10_000;
const MS_PER_SECOND = 1e3;
const BAR_FORMAT = '{name} {bar} {percentage} % | {words}';
const BAR_CHARACTERS = 24;

/** Counts finished runs and shows progress. */
export class SweepProgress {
  readonly #stream: OutputStream;
  readonly #name: string;
  readonly #total: number;
  readonly #isQuiet: boolean;
  readonly #nowMs: () => number;
  readonly #beganMs: number;
  #toldMs: number;
  #bar: SingleBar | undefined;
  /** Finished runs, including failed ones and those from the cache. */
  #done = 0;
  #failed = 0;
  #known = 0;

  constructor(stream: OutputStream, name: string, total: number, isQuiet: boolean,
    nowMs: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#name = printable(name);
    this.#total = total;
    this.#isQuiet = isQuiet;
    this.#nowMs = nowMs;
    this.#beganMs = nowMs();
    this.#toldMs = this.#beganMs;
  }

  readonly addKnown = (): void => {
    this.#known++;
  };

  add(hasFailed: boolean): void {
    this.#done++;
    if (hasFailed) this.#failed++;
    if (this.#isQuiet) return;
    if (this.#stream.isTTY === true) this.#drawBar();
    else if (this.#nowMs() - this.#toldMs >= LINE_EVERY_MS) {
      this.#toldMs = this.#nowMs();
      this.#stream.write(`${this.#name}: ${this.words()}\n`);
    }
  }

  stop(): void {
    this.#bar?.stop();
  }

  /** `37 of 200 runs, 3 failed, 12 from the cache, 40 s left`. */
  words(): string {
    const parts = [`${formatCount(this.#done)} of ${formatCount(this.#total)} runs`];
    if (this.#failed > 0) parts.push(`${formatCount(this.#failed)} without a result`);
    if (this.#known > 0) parts.push(`${formatCount(this.#known)} from the cache`);
    const left = this.#secondsLeft();
    if (left !== undefined) parts.push(`${formatSeconds(left)} left`);
    return parts.join(', ');
  }

  /** Seconds left at the speed so far, which excludes runs from the cache, as they take no time. */
  #secondsLeft(): number | undefined {
    const run = this.#done - this.#known;
    if (run <= 0 || this.#done >= this.#total) return undefined;
    const elapsedS = (this.#nowMs() - this.#beganMs) / MS_PER_SECOND;
    return (elapsedS / run) * (this.#total - this.#done);
  }

  #drawBar(): void {
    const payload = { name: this.#name, words: this.words() };
    if (this.#bar === undefined) {
      this.#bar = progressBar(this.#stream, BAR_FORMAT, BAR_CHARACTERS, process.env);
      this.#bar.start(this.#total, 0, payload);
    }
    this.#bar.update(this.#done, payload);
  }
}
