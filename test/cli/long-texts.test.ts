/** Texts of megabytes in every text input: each is read or rejected in linear time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../src/error-text.js';
import { importCcParams, importIrdma, importMlxconfig } from '../../src/config/importers/index.js';
import { RoceError } from '../../src/errors.js';
import { readKeyValues } from '../../src/config/importers/settings-text.js';
import { requireShallowText } from '../../src/config/json-limits.js';
import { readTextSync, SETTINGS_BYTES_MAX } from '../../src/cli/read-text.js';
import { describeError } from '../../src/cli/describe-error.js';
import { fileNamePart } from '../../src/cli/run/run-names.js';
import { collectSetValue } from '../../src/cli/run/scenario-options.js';
import { parseRate } from '../../src/cli/option-values.js';
import { parseDescription } from '../../src/cli/craft/description.js';
import { parseFlows } from '../../src/replay/index.js';
import { readReferenceExperiment, validateScenario } from '../../src/sim/index.js';

const LENGTH = 300_000;
/** A linear reader takes 30 ms, a quadratic pattern a minute. */
const LONGEST_MS = 1000;
/** Enough for patterns that need stack for each repetition. */
const LONG = 10_000_000;
const lineRateBps = 100e9;

/** Repetitions of one or two characters, the last of which may be invalid. */
const TEXTS = [
  'a',
  ' ',
  '\t',
  '\n',
  ' \n',
  '-',
  '=',
  'a=',
  'a: ',
  'A ',
  '{',
  '}',
  '{}',
  '"',
  '""',
  ',',
  '0',
  '9.',
  '#',
  '(',
  '[',
  '1e',
  'ä',
  'RO ',
  '* ',
].flatMap((unit) => {
  const text = unit.repeat(LENGTH / unit.length);
  return [['', text], ['"', text], ['A = ', `${text}\u2028x`], ['KMAX_MAP 2 ', `${text}!`]]
    .map(([front, rest]): [string, string] => [`${JSON.stringify(front)} and ${JSON.stringify(unit)}`, front + rest]);
});

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'describeError': (text) => describeError(new Error(`${text}x`)),
  'RoceError': (text) =>
    new RoceError('invalid-argument', { what: text, problem: text, got: text, where: text }).message,
  'fileNamePart': fileNamePart,
  'importCcParams': (text) => importCcParams(text, { lineRateBps }),
  'importIrdma': (text) => importIrdma(text, { lineRateBps, mssBytes: 4096, rttPs: 1e7 }),
  'importMlxconfig': (text) => importMlxconfig(text, { lineRateBps }),
  'parseFlows': (text) => parseFlows(text, 'flows.csv'),
  'parseDescription': (text) => parseDescription(text, 'packets.json'),
  'parseRate': parseRate,
  '--set': (text) => collectSetValue(text, []),
  'reference config': (config) => readReferenceExperiment({ config, readFile: () => '' }),
  'name of a scenario': (name) =>
    validateScenario({
      name,
      topology: { kind: 'star', hosts: name },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1 },
    }),
};

describe.each(Object.keys(READERS))('%s', (name) => {
  it('reads or rejects any text of 300 kB within a second', { timeout: 120_000 }, () => {
    const slow: string[] = [];
    for (const [what, text] of TEXTS) {
      const beganMs = performance.now();
      let message = '';
      try {
        READERS[name](text);
      } catch (error) {
        message = (error as Error).message;
      }
      const tookMs = performance.now() - beganMs;
      if (tookMs > LONGEST_MS || message.includes('Maximum call stack'))
        slow.push(`${what}: ${Math.round(tookMs)} ms ${message}`);
    }
    expect(slow).toEqual([]);
  });
});

describe('A text of 10 MB', () => {
  const packet = (bytes: string): string => JSON.stringify({ packets: [{ layers: [{ kind: 'undecoded', bytes }] }] });
  const rejectionOf = (read: () => unknown): string => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(RoceError);
      return (error as RoceError).message;
    }
    return '';
  };

  it.each(['a', ' ', '\n', '-', '[', '{', '""', '"', ',', '{\n', 'a b\n'])(
    'of %j is read or rejected by all file readers',
    (unit) => {
      const text = unit.repeat(LONG / unit.length);
      expect(rejectionOf(() => parseFlows(text, 'flows.csv')).length).toBeLessThan(4000);
      expect(rejectionOf(() => parseDescription(text, 'packets.json')).length).toBeLessThan(4000);
    },
    120_000,
  );

  it('of hex digits is a packet', () => {
    const [{ layers }] = parseDescription(packet('0a'.repeat(LONG / 2)), 'packets.json');
    expect(layers).toMatchObject([{ kind: 'undecoded' }]);
    expect(rejectionOf(() => parseDescription(packet(`${'0'.repeat(LONG)}x`), 'packets.json'))).toMatch(/hex digits/);
  }, 120_000);

  it('is rejected before it is read as settings, which are short', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-long-'));
    try {
      const file = path.join(folder, 'settings.txt');
      writeFileSync(file, ' '.repeat(LONG));
      expect(rejectionOf(() => readTextSync(file, SETTINGS_BYTES_MAX))).toMatch(
        /at most 1,048,576 bytes \(got 10,000,000\)/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of nested lists is rejected before it is parsed, while smaller depths are accepted', () => {
    const check = (text: string): string =>
      rejectionOf(() => {
        requireShallowText(text, 'invalid-scenario', 'x.json');
      });
    expect(check('['.repeat(LONG))).toMatch(/depth of the JSON must be at most 64 levels/);
    expect(check('[{'.repeat(5000))).toBe('');
    expect(check(`"${'['.repeat(LONG)}\\"${'['.repeat(LONG)}"`)).toBe('');
    expect(check('[]{}'.repeat(LONG / 4))).toBe('');
  }, 120_000);

  it('of members of one object is rejected before it is parsed, while many objects are accepted', () => {
    const check = (text: string): string =>
      rejectionOf(() => {
        requireShallowText(text, 'invalid-scenario', 'x.json');
      });
    expect(check(`{${'"a":1,'.repeat(65_536)}"b":1}`)).toMatch(
      /members of one object must be at most 65,536 \(got 65,537\)/,
    );
    expect(check(`{${'"a":1,'.repeat(65_535)}"b":1}`)).toBe('');
    expect(check(`[${'{"a":1},'.repeat(1e6)}{":":{"::":1}}]`)).toBe('');
  });

  it('of invalid list items is rejected at the first one, as soon as it is read', () => {
    const flows = Array.from({ length: 1e6 }, () => ({}));
    const topology = { kind: 'star', hosts: 4 };
    const beganMs = performance.now();
    const message = rejectionOf(() => validateScenario({ name: 'x', topology, workload: { kind: 'flows', flows } }));
    expect(message).toMatch(/workload\.flows\[0\]\.from .*must be a name/);
    // Reporting each invalid item took ten microseconds or more.
    expect(performance.now() - beganMs).toBeLessThan(5 * LONGEST_MS);
    expect(rejectionOf(() => parseDescription('{}\n'.repeat(1e6), 'x.txt'))).toMatch(/layers .*must be a list/);
  }, 120_000);

  it('is rejected as a packet of more than 1,024 layers', () => {
    const text = `{"packets":[{"layers":[${'{},'.repeat(1024)}{}]}]}`;
    expect(rejectionOf(() => parseDescription(text, 'x.json'))).toMatch(
      /number of layers must be at most 1,024 \(got 1,025\)/,
    );
  });

  it('is rejected as a table of more than 1,000 columns', () => {
    expect(rejectionOf(() => parseFlows(','.repeat(1000), 'x.csv'))).toMatch(/has more than 1000 fields/);
    expect(rejectionOf(() => parseFlows(','.repeat(999), 'x.csv'))).toMatch(/lacks sender_addr/);
  });
});

describe('Texts read without backtracking', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '=', ':', '\n'), maxLength: 12 });

  it('have the same names and values as with a pattern', () => {
    fc.assert(fc.property(text, (given) => {
      const line = given.replaceAll('\n', ' ').trim();
      const found = /^(\S*[^\s=:])(?:\s*[=:]\s*|\s+)(\S+)$/.exec(line);
      const read = (): unknown => readKeyValues(line).map(({ name, value }) => [name, value]);
      if (line === '') expect(read()).toEqual([]);
      else if (found === null) expect(read).toThrow(RoceError);
      else expect(read()).toEqual([[found[1], found[2]]]);
    }), { numRuns: 5000 });
  });

  it('are joined into one line as with a pattern', () => {
    fc.assert(fc.property(text, (given) => {
      expect(oneLine(given)).toBe(given.replace(/\s*\n\s*/g, ' '));
    }), { numRuns: 2000 });
  });
});

describe('fileNamePart', () => {
  it('keeps long names within the limit of file systems, and distinct', () => {
    const [a, b] = ['a', 'b'].map((end) => fileNamePart('é'.repeat(400) + end));
    expect(Buffer.byteLength(a)).toBeLessThanOrEqual(160);
    expect(a).not.toBe(b);
    expect(fileNamePart('..-incast (2)--')).toBe('incast-2');
  });
});
