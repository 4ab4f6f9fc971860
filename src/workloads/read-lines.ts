/** Reads the lines of a text as they arrive. */
import { readChunks, type WorkloadSource } from './byte-source.js';
import { CompleteLines } from './complete-lines.js';

/** Passes on each line without its line end; gzip is decompressed. @throws RoceError `invalid-workload`. */
export async function readLines(source: WorkloadSource, name: string, visit: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const lines = new CompleteLines((bytes, from, to) => {
    const text = decoder.decode(bytes.subarray(from, to));
    for (const line of text.replace(/\n$/, '').split('\n')) visit(line);
  }, name);
  await readChunks(source, name, (chunk) => {
    lines.push(chunk);
  });
  lines.finish();
}

/** Splits a line into words at white space, ignoring everything from `comment` on. */
export function wordsOf(line: string, comment = ''): string[] {
  const at = comment === '' ? -1 : line.indexOf(comment);
  return (at < 0 ? line : line.slice(0, at)).split(/\s+/).filter((word) => word !== '');
}

/** Parses a whole number in decimal digits; undefined if it is not one, or above `max`. */
export function wholeOf(text: string | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return number <= max ? number : undefined;
}
