/**
 * Writes files so that they are either complete or absent: written next to their final path, then renamed. Paths are
 * checked before the work whose results go there. Output that can't be written after all is not lost: it continues in
 * the temporary folder, with its content so far, and the new path is reported.
 */
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync,
  writeSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { describeError } from './describe-error.js';
import { type OutputStream, isReaderGone, writeOut } from './output.js';

const COPY_BYTES = 1024 * 1024;
/** Length limit for the name in the temporary folder. */
const SPARE_NAME_MAX = 60;

/** Called for each file that was written to another path or lost. */
export type Warn = (warning: string) => void;

/** Content of a file: a whole, or parts that may be too long to join. */
export type FileContent = string | Uint8Array | Iterable<string>;

/** Performs an action; adds the file's name to a system error. */
export function namingFile<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && 'code' in error) Object.assign(error, { path: file });
    throw error;
  }
}

/** Creates the parent folders of a file. Node's own recursive call never returns for folders in /proc. */
export function makeFolderOf(file: string): void {
  namingFile(file, () => {
    makeFolder(path.dirname(path.resolve(file)));
  });
}

function makeFolder(folder: string): void {
  const whole = path.resolve(folder);
  const above = path.dirname(whole);
  if (above !== whole && !existsSync(above)) makeFolder(above);
  if (existsSync(whole) && statSync(whole).isDirectory()) return;
  mkdirSync(whole);
}

/**
 * Checks that a file can be written, without changing it.
 *
 * @throws system errors, which name the file.
 */
export function requireWritable(file: string): void {
  namingFile(file, () => {
    const place = placeOf(file);
    if (place === undefined) {
      closeSync(openSync(file, 'a'));
      return;
    }
    const isThere = existsSync(place);
    closeSync(openSync(place, 'a'));
    if (!isThere) rmSync(place);
    closeSync(openSync(unfinishedPathOf(place), 'w'));
    rmSync(unfinishedPathOf(place));
  });
}

/** A file being written, next to its final path until it is finished. Errors are thrown. */
class FileWriter {
  /** Bytes written so far. */
  lenBytes = 0;
  readonly #file: string;
  readonly #place: string | undefined;
  readonly #descriptor: number;
  #isOpen = true;

  /** @throws system errors, which name the file. */
  constructor(file: string) {
    this.#file = file;
    [this.#place, this.#descriptor] = namingFile(file, () => {
      const place = placeOf(file);
      // Opened for reading as well, for `copyInto`.
      return [place, place === undefined ? openSync(file, 'w') : openSync(unfinishedPathOf(place), 'w+')];
    });
  }

  write(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    // writeSync may write less than it is given.
    namingFile(this.#file, () => {
      for (let at = 0; at < bytes.length;) {
        const written = writeSync(this.#descriptor, bytes, at);
        at += written;
        this.lenBytes += written;
      }
    });
  }

  /** Copies the content so far, even if the folder has been removed. */
  copyInto(other: FileWriter): void {
    const chunk = Buffer.allocUnsafe(COPY_BYTES);
    namingFile(this.#file, () => {
      for (let at = 0; at < this.lenBytes;) {
        const count = readSync(this.#descriptor, chunk, 0, Math.min(COPY_BYTES, this.lenBytes - at), at);
        other.write(chunk.subarray(0, count));
        at += count;
      }
    });
  }

  /** Moves the file to its final path. If that fails, its content can still be copied. */
  finish(): void {
    const place = this.#place;
    namingFile(this.#file, () => {
      if (place !== undefined) renameSync(unfinishedPathOf(place), place);
      this.#close();
    });
  }

  /** Removes the unfinished file. */
  abandon(): void {
    this.#close();
    if (this.#place !== undefined) rmSync(unfinishedPathOf(this.#place), { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}

/** A file being written that appears at its path only when it is complete; if that fails, a spare file. */
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

/** Final path of a file, with links followed; undefined for devices and pipes, which cannot be replaced. */
function placeOf(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return path.resolve(file);
  const place = found.isSymbolicLink() && existsSync(file) ? realpathSync(file) : file;
  const status = statSync(place, { throwIfNoEntry: false });
  return status === undefined || status.isFile() || status.isDirectory() ? path.resolve(place) : undefined;
}

/** Path of the unfinished file; short, as the file's own name may already have the maximum length. */
function unfinishedPathOf(place: string): string {
  return path.join(path.dirname(place), `.roce-cc-${process.pid}-${hashOf(path.basename(place))}`);
}

function hashOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash.toString(16);
}
