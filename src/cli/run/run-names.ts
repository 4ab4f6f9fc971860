/** Names of runs, for headings and file names. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * Adds a number to repeated names: `incast`, `incast (2)`. Names that would give the same file name also count as
 * repeated: `a/b` and `a-b`, or `A` and `a` on file systems that ignore case.
 */
export class UniqueNames {
  readonly #taken = new Set<string>();

  add(name: string): string {
    let unique = name;
    for (let number = 2; this.#taken.has(keyOf(unique)); number++) unique = `${name} (${number})`;
    this.#taken.add(keyOf(unique));
    return unique;
  }
}

function keyOf(name: string): string {
  return fileNamePart(name).normalize('NFC').toLowerCase();
}

/** All names, made unique. */
export function uniqueNames(names: readonly string[]): string[] {
  const unique = new UniqueNames();
  return names.map((name) => unique.add(name));
}

/** Maximum bytes of a name. File systems allow 255, which leaves space for a prefix and a suffix. */
const PART_BYTES_MAX = 160;
const HASH_DIGITS = 12;

/** A name reduced to letters, digits, dots and dashes. A long one is cut and ends with a hash of the whole. */
export function fileNamePart(name: string): string {
  const words = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '');
  let end = words.length;
  while (words[end - 1] === '-') end--;
  const part = words.slice(0, end);
  if (Buffer.byteLength(part) > PART_BYTES_MAX) {
    const start = Buffer.from(part).subarray(0, PART_BYTES_MAX - HASH_DIGITS - 1).toString().replaceAll('\ufffd', '');
    return `${start}-${createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)}`;
  }
  return part === '' ? 'run' : part;
}

/** `out.json` for a single run, `out-NAME.json` for one of several. */
export function fileOfRun(file: string, runName: string, runCount: number): string {
  if (runCount === 1) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${fileNamePart(runName)}${ext}`);
}

/** `DIR` for a single run, `DIR/NAME` for one of several. */
export function folderOfRun(folder: string, runName: string, runCount: number): string {
  return runCount === 1 ? folder : path.join(folder, fileNamePart(runName));
}
