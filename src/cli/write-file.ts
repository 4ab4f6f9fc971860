/**
 * Writes files so that they are either complete or absent: written next to their final path, then renamed. Paths are
 * checked before the work whose results go there; output that can't be written after all is kept elsewhere
 * (kept-file.ts).
 */
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync,
  writeSync } from 'node:fs';
import path from 'node:path';

const COPY_BYTES = 1024 * 1024;

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
    closeSync(openSync(besideOf(place), 'w'));
    rmSync(besideOf(place));
  });
}

/** A file being written, next to its final path until it is finished. */
export class FileWriter {
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
      return [place, place === undefined ? openSync(file, 'w') : openSync(besideOf(place), 'w+')];
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
      if (place !== undefined) renameSync(besideOf(place), place);
      this.#close();
    });
  }

  /** Removes the unfinished file. */
  abandon(): void {
    this.#close();
    if (this.#place !== undefined) rmSync(besideOf(this.#place), { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
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
function besideOf(place: string): string {
  return path.join(path.dirname(place), `.roce-cc-${process.pid}-${hashOf(path.basename(place))}`);
}

function hashOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash.toString(16);
}
