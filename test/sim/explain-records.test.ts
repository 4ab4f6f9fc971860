/** Findings and reasons of every example are data: declared codes, and sentences that follow from the figures alone. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainResult, runScenarioSync, type ScenarioSpec, type SimResult } from '../../src/sim/index.js';
import { verdictOf, verdictWords } from '../../src/sim/explain/explain.js';
import { FINDING_CODES, partsOf, type Finding, REASON_CODES, whatOf,
  type Reason } from '../../src/sim/explain/explanation.js';
import { uetReference } from '../../src/uet/index.js';
import { IS_LONG } from '../support/effort.js';
import { incastResult } from '../support/sim-result.js';

const SLOW_MS = 240_000;
const FOLDER = path.join(import.meta.dirname, '../../examples/scenarios');
/** Seconds each. */
const LARGE = /^(fat-tree-k16|convergence-1024|leaf-spine-websearch|wan-|all-reduce|two-data)/;
const NAMES = readdirSync(FOLDER).map((file) => path.basename(file, '.json')).filter((name) =>
  IS_LONG || !LARGE.test(name)
);

const KEBAB = /^[a-z]+(-[a-z\d]+)*$/;

function resultOf(name: string): SimResult {
  const spec = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as ScenarioSpec;
  return runScenarioSync(spec, { uetReference });
}

function textOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join('');
}

/** As a program reads them from JSON. */
function expectOfRecords(result: SimResult): void {
  const verdict = verdictOf(result);
  const { outcome, bottleneck, advice } = verdict;
  const ofVerdict = {
    answer: verdictWords(verdict).join(' '),
    findings: [...outcome, bottleneck, advice],
    because: [],
  };
  for (const { answer, findings, because } of [ofVerdict, ...explainResult(result)]) {
    const read = JSON.parse(JSON.stringify({ findings, because })) as {
      readonly findings: readonly Finding[];
      readonly because: readonly Reason[];
    };
    expect(answer).toBe(read.findings.map(({ text }) => text).join(' '));
    for (const { code, figures, text, parts } of read.findings) {
      expect(FINDING_CODES).toContain(code);
      expect(partsOf(code, figures)).toEqual(parts);
      expect(textOf(parts)).toBe(text);
    }
    for (const { code, figures, what } of read.because) {
      expect(REASON_CODES).toContain(code);
      expect(whatOf(code, figures)).toBe(what);
    }
  }
}

describe('The codes of explanations', () => {
  it.each([['findings', FINDING_CODES], ['reasons', REASON_CODES]] as const)('of %s are in kebab case', (_, codes) => {
    for (const code of codes) expect(code).toMatch(KEBAB);
  });
});

describe('Findings and reasons are data', () => {
  it.each(NAMES)('of %s', (name) => {
    expectOfRecords(resultOf(name));
  }, SLOW_MS);

  it('of a run that ended early', () => {
    expectOfRecords(incastResult({
      flow: () => ({ completionPs: null, slowdown: null }),
      result: { simulatedPs: 1e8, ended: 'time' },
    }));
  });
});
