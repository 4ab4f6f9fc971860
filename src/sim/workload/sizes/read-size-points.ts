/**
 * Files of flow sizes in the format of the reference simulators' traffic generators: each line has a size in bytes and the
 * cumulative percentage of flows up to it, both ascending, the last 100. They usually begin with size 0 at 0 %.
 */
import { reject } from '../../../config/field-rules.js';
import { linesOf, numberOf, rejectText, type Word } from '../../reference-files/reference-text.js';
import type { SizeCdf } from '../../scenario/spec.js';

const POINTS_MAX = 10_000;

/**
 * Parses such a file into the points of a distribution, for `sizes` of a Poisson workload. Lines that begin with `#` are
 * skipped.
 *
 * @param file its name, for errors.
 * @throws RoceError `invalid-scenario`, naming file and line, for words that are not numbers, descending sizes or percentages,
 * a last percentage other than 100, or more than 10,000 points.
 * @example
 * readSizePoints('0 0\n4000 22.93\n2000000 100\n', 'AliStorage2019.txt');
 */
export function readSizePoints(text: string, file: string): SizeCdf {
  for (const [where, got] of Object.entries({ text, file })) {
    if (typeof got !== 'string') reject({ got, allowed: 'a text', where });
  }
  const lines = linesOf(text, file).filter(([{ text: word }]) => !word.startsWith('#'));
  if (lines.length === 0 || lines.length > POINTS_MAX) {
    rejectText({
      what: 'the number of points',
      got: lines.length,
      allowed: { min: 1, max: POINTS_MAX },
      where: `text of ${file}`,
    });
  }
  const points = lines.map(pointOf);
  points.forEach((point, index) => {
    const before = points[index - 1] ?? { sizeBytes: 0, share: 0 };
    requireAscending('the size', point.sizeBytes, before.sizeBytes, lines[index][0]);
    requireAscending('the percentage', point.share * 100, before.share * 100, lines[index][1]);
  });
  const last = lines[lines.length - 1][1];
  if (points[points.length - 1].share !== 1) {
    rejectText({ what: 'the last percentage', got: last.text, allowed: [100], where: last.place });
  }
  return points;
}

function pointOf(words: readonly Word[]): SizeCdf[number] {
  if (words.length !== 2) {
    const got = words.map(({ text }) => text).join(' ');
    const allowed = '2 words: a size in bytes, and the cumulative percentage of flows up to it';
    rejectText({ what: 'the point', got, allowed, where: words[0].place });
  }
  const [size, percentage] = words;
  return {
    sizeBytes: numberOf(size, 'the size', 0, Number.MAX_SAFE_INTEGER),
    share: numberOf(percentage, 'the percentage', 0, 100) / 100,
  };
}

function requireAscending(what: string, got: number, least: number, { place }: Word): void {
  if (got < least) rejectText({ what, got, allowed: { min: least }, where: place });
}
