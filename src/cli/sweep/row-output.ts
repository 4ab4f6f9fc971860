/** Writes rows as they arrive, to files that grow line by line or to standard output. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { csvLine } from '../../sim/files/csv.js';
import { rowColumns, rowToJson, rowValues, type SweepRow } from '../../sweep/run-sweep.js';
import type { SweepPlan } from '../../sweep/index.js';
import { describeError } from '../describe-error.js';
import { keepRest, type Warn, type KeptFile, LineOutput, makeFolderOf, namingFile } from '../write-file.js';
import type { Output } from '../output.js';
import { printableJson, printableLines } from '../printable.js';

const STANDARD_OUTPUT = '-';

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
