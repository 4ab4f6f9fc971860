/**
 * Files whose content is not lost when writing fails: a file that can't be written at its path continues in the
 * temporary folder, with its content so far, and the new path is reported.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeError } from './describe-error.js';
import { type OutputStream, isReaderGone, writeOut } from './output.js';
import { FileWriter } from './write-file.js';

/** Called for each file that was written to another path or lost. */
export type Warn = (warning: string) => void;

/** Content of a file: a whole, or parts that may be too long to join. */
export type FileContent = string | Uint8Array | Iterable<string>;

/** Length limit for the name in the temporary folder. */
const SPARE_NAME_MAX = 60;

/** A file being written. It appears at its path only when it is complete. */
export class KeptFile {
  readonly #file: string;
  readonly #warn: Warn;
  /** Undefined if the temporary folder could not be written either. */
  #writer: FileWriter | undefined;
  #place: string;
  #isSpare = false;

  constructor(file: string, warn: Warn) {
    this.#file = file;
    this.#place = file;
    this.#warn = warn;
    this.#try(() => {
      this.#writer = new FileWriter(file);
    });
  }

  write(content: string | Uint8Array): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const before = writer.lenBytes;
    this.#try(() => {
      writer.write(bytes);
    }, () => this.#writer?.write(bytes.subarray(writer.lenBytes - before)));
  }

  /** Moves the file to its path; returns the final path, or undefined if there is none. */
  finish(): string | undefined {
    this.#try(() => this.#writer?.finish(), () => this.#writer?.finish());
    return this.#writer === undefined ? undefined : this.#place;
  }

  /** Removes the file. */
  abandon(): void {
    this.#writer?.abandon();
    this.#writer = undefined;
  }

  /** Performs `action` on the file; if that fails, moves to the spare file and performs `rest` there. */
  #try(action: () => void, rest: () => void = () => undefined): void {
    try {
      action();
    } catch (error) {
      if (this.#isSpare) this.#giveUp(error);
      else this.#moveToSpare(error, rest);
    }
  }

  #moveToSpare(error: unknown, rest: () => void): void {
    const warning = describeError(error, this.#file);
    const failed = this.#writer;
    this.#isSpare = true;
    try {
      this.#place = path.join(spareFolder(), path.basename(this.#file).slice(-SPARE_NAME_MAX));
      const spare = new FileWriter(this.#place);
      this.#writer = spare;
      failed?.copyInto(spare);
      rest();
      this.#warn(`${warning}; it is kept in ${this.#place}`);
    } catch (second) {
      this.#warn(warning);
      this.#giveUp(second);
    } finally {
      failed?.abandon();
    }
  }

  #giveUp(error: unknown): void {
    this.#warn(`${describeError(error, this.#place)}; ${path.basename(this.#file)} is lost`);
    this.abandon();
  }
}

/** Writes a file, or if that fails a spare file; returns its path. */
export function writeOrKeep(file: string, content: FileContent, warn: Warn): string | undefined {
  const kept = new KeptFile(file, warn);
  for (const part of partsOf(content)) kept.write(part);
  return kept.finish();
}

/** Writes output that could not be shown, because of `reason`, to a spare file. */
export function keepUnshown(reason: unknown, name: string, content: FileContent, warn: Warn): void {
  const kept = keepRest(reason, name, warn);
  for (const part of partsOf(content)) kept?.write(part);
  kept?.finish();
}

/** Opens a spare file for output that can no longer be shown; undefined if it can't be written. */
export function keepRest(reason: unknown, name: string, warn: Warn): KeptFile | undefined {
  try {
    const place = path.join(spareFolder(), name);
    const kept = new KeptFile(place, warn);
    warn(`${describeError(reason)}; it is kept in ${place}`);
    return kept;
  } catch (error) {
    warn(`${describeError(reason)}; ${describeError(error)}; ${name} is lost`);
    return undefined;
  }
}

function partsOf(content: FileContent): Iterable<string | Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}

function spareFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'roce-cc-'));
}

/** Writes lines to standard output as they are produced; if that fails, the rest goes to a spare file. */
export class LineOutput {
  /** Whether the reader of standard output is gone. */
  isReaderGone = false;
  readonly #stdout: OutputStream;
  readonly #spareName: string;
  readonly #warn: Warn;
  #spare: KeptFile | undefined;

  /** @param spareName name of the spare file, which `warn` reports if it is used. */
  constructor(stdout: OutputStream, spareName: string, warn: Warn) {
    this.#stdout = stdout;
    this.#spareName = spareName;
    this.#warn = warn;
  }

  /** Writes whole lines, and waits until they are written. */
  async write(text: string): Promise<void> {
    if (this.#spare === undefined && !this.isReaderGone) {
      try {
        await writeOut(this.#stdout, text);
        return;
      } catch (error) {
        this.isReaderGone = isReaderGone(error);
        if (!this.isReaderGone) this.#spare = keepRest(error, this.#spareName, this.#warn);
      }
    }
    this.#spare?.write(text);
  }

  finish(): void {
    this.#spare?.finish();
  }
}
