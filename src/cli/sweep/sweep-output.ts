/**
 * The output of a sweep while it runs: rows as they arrive, in files that grow line by line or on standard output; and
 * progress on standard error, with the remaining time: a bar on a terminal, otherwise an occasional line.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { SingleBar } from 'cli-progress';
import { csvLine } from '../../sim/files/csv.js';
import type { SweepPlan } from '../../sweep/index.js';
import { rowColumns, rowToJson, rowValues, type SweepRow } from '../../sweep/run-sweep.js';
import { describeError } from '../describe-error.js';
import { formatCount, formatSeconds } from '../../view/format.js';
import type { Output, OutputStream } from '../output.js';
import { printableJson, printableLines, printable } from '../printable.js';
import { progressBar } from '../progress-bar.js';
import { keepRest, type Warn, type KeptFile, LineOutput, makeFolderOf, namingFile } from '../write-file.js';

const STANDARD_OUTPUT = '-';
const LINE_EVERY_MS = 10_000;
const MS_PER_SECOND = 1e3;
const BAR_FORMAT = '{name} {bar} {percentage} % | {words}';
const BAR_CHARACTERS = 24;

/** A destination for lines. */
interface Lines {
  write(text: string): Promise<void>;
  finish(): void;
}

/**
 * A file that others can read while it grows. If an interrupted sweep is continued, the file is rewritten from its
 * beginning.
 */
class GrowingFile implements Lines {
  readonly #file: string;
  readonly #warn: Warn;
  readonly #descriptor: number;
  #spare: KeptFile | undefined;
  #hasFailed = false;

  /** @throws system errors, which name the file. */
  constructor(file: string, warn: Warn) {
    this.#file = file;
    this.#warn = warn;
    makeFolderOf(file);
    this.#descriptor = namingFile(file, () => openSync(file, 'w'));
  }

  write(text: string): Promise<void> {
    if (this.#hasFailed) this.#spare?.write(text);
    else {
      try {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
      } catch (error) {
        this.#hasFailed = true;
        this.#spare = keepRest(describeError(error, this.#file), 'rows', this.#warn);
        this.#spare?.write(text);
      }
    }
    return Promise.resolve();
  }

  finish(): void {
    closeSync(this.#descriptor);
    this.#spare?.finish();
  }
}

/** Rows in one format at one destination. */
export interface RowOutput {
  add(row: SweepRow): Promise<void>;
  finish(): void;
}

/** Writes rows as CSV; the header is written immediately. @throws system errors, which name the file. */
export async function csvOutput(file: string, plan: SweepPlan, output: Output, warn: Warn): Promise<RowOutput> {
  const lines = linesTo(file, output, warn, 'rows.csv', withPlainEnds);
  await lines.write(csvLine(rowColumns(plan)));
  return {
    add: (row) => lines.write(csvLine(rowValues(row, plan))),
    finish: () => {
      lines.finish();
    },
  };
}

/** Writes rows as lines of JSON. @throws system errors, which name the file. */
export function jsonOutput(file: string, plan: SweepPlan, output: Output, warn: Warn): RowOutput {
  const lines = linesTo(file, output, warn, 'rows.jsonl', printableJson);
  return {
    add: (row) => lines.write(`${rowToJson(row, plan)}\n`),
    finish: () => {
      lines.finish();
    },
  };
}

function linesTo(file: string, { stdout }: Output, warn: Warn, name: string, shown: (text: string) => string): Lines {
  if (file !== STANDARD_OUTPUT) return new GrowingFile(file, warn);
  const lines = new LineOutput(stdout, name, warn);
  return {
    write: (text) => lines.write(shown(text)),
    finish: () => {
      lines.finish();
    },
  };
}

/** Removes the carriage returns of CSV, which a terminal would show. */
function withPlainEnds(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'));
}

/** Counts finished runs and shows progress. */
export class SweepProgress {
  readonly #stream: OutputStream;
  readonly #name: string;
  readonly #total: number;
  readonly #isQuiet: boolean;
  readonly #nowMs: () => number;
  readonly #beganMs: number;
  #printedMs: number;
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
    this.#printedMs = this.#beganMs;
  }

  readonly addKnown = (): void => {
    this.#known++;
  };

  add(hasFailed: boolean): void {
    this.#done++;
    if (hasFailed) this.#failed++;
    if (this.#isQuiet) return;
    if (this.#stream.isTTY === true) this.#drawBar();
    else if (this.#nowMs() - this.#printedMs >= LINE_EVERY_MS) {
      this.#printedMs = this.#nowMs();
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
