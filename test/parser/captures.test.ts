import { describe, expect, it } from 'vitest';
import { ICRC_NORMALISE, ICRC_OMIT, ICRC_RIGHT, ICRC_WRONG } from '../../src/abi/codes.js';
import type { ParseRules } from '../../src/reference/parse-frame.js';
import { CAPTURE_FILES, CAPTURES } from '../support/captures.js';
import { type CapturedFrame, readCapture } from './support/captures.js';
import { readCorpus } from './support/corpus.js';
import { parsers } from './support/parsers.js';
import { DOMAIN_RULES, SPLIT_TYPE_RULES } from './support/rules.js';
import { disagreements, isRoceV2, readRows, type Row } from './support/truth.js';

interface Case {
  readonly row: Row;
  readonly frame: CapturedFrame;
  readonly rules: ParseRules;
}

function readCases(capture: string, csv: string): Case[] {
  const rows = readRows(CAPTURES + csv);
  const frames = readCapture(CAPTURES + capture);
  expect(frames.length).toBe(rows.length);
  const rules = capture.startsWith('alt_types') ? SPLIT_TYPE_RULES : DOMAIN_RULES;
  return frames.flatMap((frame, i) => {
    const row = rows[i];
    return row ? [{ row, frame, rules }] : [];
  });
}

const ownCases = (): Case[] =>
  readCorpus().map((entry) => ({
    ...entry,
    rules: entry.row['capture'] === 'alt_types' ? SPLIT_TYPE_RULES : DOMAIN_RULES,
  }));

const sources: readonly (readonly [name: string, read: () => Case[]])[] = [
  ['the small corpus', ownCases],
  ...CAPTURE_FILES.map(([capture, csv]) => [capture, () => readCases(capture, csv)] as const),
];

describe.each(sources)('%s', (_name, read) => {
  const cases = read();

  it.each(['dissector', 'wasm'] as const)('is parsed by the %s parser as its CSV specifies', (name) => {
    const wrong = cases.flatMap(({ row, frame, rules }) => {
      const record = parsers[name](frame.bytes, frame.original, frame.link, rules);
      const found = disagreements(row, frame.bytes, record);
      return found.length > 0 ? [`frame ${row['frame']} ${row['reason']} ${row['kind']}: ${found.join('; ')}`] : [];
    });
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  it.each([
    ['omitted', ICRC_OMIT, 'icrc_b_hex'],
    ['normalised away', ICRC_NORMALISE, 'icrc_c_hex'],
  ] as const)('matches the ICRC of its CSV with extension headers %s', (_policy, icrcPolicy, column) => {
    for (const { row, frame, rules } of cases) {
      const icrc = row[column] ?? '';
      if (icrc === '' || row['icrc_ok'] !== '1') continue;
      for (const parse of Object.values(parsers)) {
        const verdictOf = (bytes: Uint8Array): number =>
          parse(bytes, frame.original, frame.link, { ...rules, icrcPolicy }).icrc;
        const { endOffset, classCode } = parse(frame.bytes, frame.original, frame.link, rules);
        expect(isRoceV2(classCode)).toBe(true);
        const resealed = Uint8Array.from(frame.bytes);
        resealed.set(Buffer.from(icrc, 'hex'), endOffset - 4);
        expect(verdictOf(resealed), `frame ${row['frame']}`).toBe(ICRC_RIGHT);
        expect(verdictOf(frame.bytes), `frame ${row['frame']}`).toBe(ICRC_WRONG);
      }
    }
  });
});
