/** Names of runs: for headings, and for the files of each. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * Names with a number behind those that were there before: `incast`, `incast (2)`. Before counts too what would have the
 * same file: `a/b` and `a-b`, and where file systems don't tell them apart `A` and `a`.
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

/** All of them, each unlike those before it. */
export function uniqueNames(names: readonly string[]): string[] {
  const unique = new UniqueNames();
  return names.map((name) => unique.add(name));
}

/** Systems allow 255 bytes for a name; the rest is for the prefix and suffix. */
const PART_BYTES_MAX = 160;
const HASH_DIGITS = 12;

/** A name as part of a file's name: letters, digits, dots, dashes. Of a long one the beginning, and a hash of the whole. */
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

/** `out.json` of the only run; of one among several `out-NAME.json`. */
export function fileOfRun(file: string, runName: string, runCount: number): string {
  if (runCount === 1) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${fileNamePart(runName)}${ext}`);
}

/** `DIR` of the only run; of one among several `DIR/NAME`. */
export function folderOfRun(folder: string, runName: string, runCount: number): string {
  return runCount === 1 ? folder : path.join(folder, fileNamePart(runName));
}
