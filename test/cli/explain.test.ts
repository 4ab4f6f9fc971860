import { explainResult } from '../../src/sim/explain/explain.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashResult, resultToJson, type SimResult } from '../../src/sim/index.js';
import { fakeResult } from './support/fake-results.js';
import { run } from './support/run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-explain-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  const target = path.join(folder, name);
  writeFileSync(target, content);
  return target;
}

describe('roce-cc explain', () => {
  const signed = (fake: SimResult): SimResult => ({ ...fake, hash: hashResult(fake) });
  const result = signed(fakeResult({ name: 'mine' }));

  it('prints each question and its answer, in lines that fit', async () => {
    const { exitCode, stdout, stderr } = await run(['explain', file('result.json', resultToJson(result))], 80);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^.*roce-cc explain: mine.*\n/);
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const words = lines.join(' ').replaceAll(/ +/g, ' ');
    for (const { question, answer } of explainResult(result)) expect(words).toContain(`${question} ${answer}`);
  });

  it('prints the same as JSON', async () => {
    const { stdout } = await run(['explain', '--json', file('again.json', resultToJson(result))]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(explainResult(result))));
  });

  it('rejects a result that was altered', async () => {
    const altered = { ...result, totals: { ...result.totals, marks: result.totals.marks + 1 } };
    const { exitCode, stdout, stderr } = await run(['explain', file('altered.json', resultToJson(altered))]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^roce-cc: .*altered\.json: the hash of the result must be .*altered since roce-cc run wrote it.*\n$/,
    );
  });

  const forged: [string, Partial<Record<keyof SimResult, unknown>>][] = [
    ['flows of another kind', { flows: [7] }],
    ['a number that is a text', { flows: [{ ...result.flows[0], cnps: '7' }] }],
    ['a missing member', { summary: { ...result.summary, goodputBps: undefined } }],
    ['series of another kind', { series: { ...result.series, rateBps: { 0: 'x' } } }],
    ['notes that are numbers', { notes: [1] }],
    ['drops by text', { totals: { ...result.totals, drops: { loss: 'many' } } }],
    ['a scenario of another kind', { scenario: { name: 'x', topology: [] } }],
  ];
  it.each(forged)('rejects %s, even with the correct hash', async (_what, change) => {
    const forgery = { ...result, ...change } as SimResult;
    const { exitCode, stdout, stderr } = await run([
      'explain',
      file('forged.json', JSON.stringify({ ...forgery, hash: hashResult(forgery) })),
    ]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^roce-cc: .*forged\.json.*\n$/);
  });

  it.each([
    ['an unknown file', () => 'none.json', /^roce-cc: no such file: none\.json\n$/],
    [
      'JSON of another kind',
      () => file('other.json', '{"format":"other"}'),
      /^roce-cc: .*other\.json.*roce-cc-result-2.*\n$/,
    ],
  ])('ends with exit code 1 and one line for %s', async (_what, target, message) => {
    const { exitCode, stdout, stderr } = await run(['explain', target()]);
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([1, '']);
  });

  it('ends with exit code 2 without a result', async () => {
    expect(await run(['explain'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
