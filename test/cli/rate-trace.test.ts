/** `roce-cc run --trace` and `roce-cc explain --trace`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateChange } from '../../src/index.js';
import type { Explanation, SimResult } from '../../src/sim/index.js';
import { run } from './support/run.js';

const SCENARIO = {
  name: 'four senders',
  topology: { kind: 'star', hosts: 5 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 400_000 },
  algorithms: { only: { preset: 'dcqcn-sigcomm15' } },
};

let folder = '';
const at = (name: string): string => path.join(folder, name);
const write = (name: string, content: string): string => {
  writeFileSync(at(name), content);
  return at(name);
};
const changesIn = (file: string): RateChange[] =>
  readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as RateChange);
/** The last explanation is that of the rate changes. */
async function explained(...args: string[]): Promise<Explanation> {
  const { stdout, stderr } = await run(['explain', ...args, '--json']);
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as Explanation[]).at(-1)!;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-rates-'));
  write('scenario.json', JSON.stringify(SCENARIO));
  const files = ['--json', at('result.json'), '--trace', at('rates.jsonl')];
  expect((await run(['run', at('scenario.json'), ...files, '-q'])).exitCode).toBe(0);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('roce-cc run --trace', () => {
  it('writes changes in order of time, each starting at the previous rate', () => {
    const changes = changesIn(at('rates.jsonl'));
    const rates = new Map<number, number>();
    let lastPs = 0;
    for (const { timePs, qp, fromBps, toBps } of changes) {
      expect(timePs).toBeGreaterThanOrEqual(lastPs);
      expect(fromBps).toBe(rates.get(qp) ?? 100e9);
      rates.set(qp, toBps);
      lastPs = timePs;
    }
    expect([...rates.keys()].sort()).toEqual([0, 1, 2, 3]);
    const { summary } = JSON.parse(readFileSync(at('result.json'), 'utf8')) as SimResult;
    expect(summary.flowsDone).toBe(4);
  });

  it('writes the same changes for a single flow', async () => {
    await run(['run', at('scenario.json'), '--trace', at('of-2.jsonl'), '--flow', '2', '-q']);
    expect(changesIn(at('of-2.jsonl'))).toEqual(changesIn(at('rates.jsonl')).filter(({ qp }) => qp === 2));
  });

  it('prints the reasons of a custom algorithm', async () => {
    const file = path.resolve('examples/algorithms/aimd.js');
    await run(['run', at('scenario.json'), '-a', file, '--trace', at('aimd.jsonl'), '--json', at('aimd.json'), '-q']);
    const changes = changesIn(at('aimd.jsonl'));
    expect(new Set(changes.map(({ reason }) => reason))).toEqual(new Set(['custom']));
    expect(changes.some((change) => change.reason === 'custom' && change.text === 'mark')).toBe(true);
    const { answer, question } = await explained(at('aimd.json'), '--trace', at('aimd.jsonl'), '--flow', '1');
    expect(question).toBe('Why did the rate of flow 1 (h1 to h4) change?');
    expect(answer).toMatch(/"mark" \(ack\): \d+ times/);
  });
});

describe('roce-cc explain --trace', () => {
  it('counts each reason for a change of the flow', async () => {
    const { because } = await explained(at('result.json'), '--trace', at('rates.jsonl'), '--flow', '3');
    const ofFlow = changesIn(at('rates.jsonl')).filter(({ qp }) => qp === 3);
    const cuts = ofFlow.filter(({ reason }) => reason === 'cut').length;
    expect(because[0]).toEqual({
      code: 'rate-changes',
      figures: { flow: 3 },
      what: 'changes of the rate of flow 3',
      value: ofFlow.length,
      unit: 'changes',
    });
    expect(because).toContainEqual(expect.objectContaining({ what: 'cut (cnp)', value: cuts, unit: 'changes' }));
    expect(because).toContainEqual({
      code: 'lowest-rate',
      figures: {},
      what: 'lowest rate',
      value: Math.min(...ofFlow.map(({ toBps }) => toBps)),
      unit: 'bps',
    });
  });

  it('explains the slowest flow of the trace by default, and skips gaps', async () => {
    const { flows } = JSON.parse(readFileSync(at('result.json'), 'utf8')) as SimResult;
    const slowest = flows.reduce((a, b) => ((b.slowdown ?? 0) > (a.slowdown ?? 0) ? b : a)).index;
    const withGap = write('gap.jsonl', `{"lost":2}\n${readFileSync(at('rates.jsonl'), 'utf8')}`);
    expect((await explained(at('result.json'), '--trace', withGap)).question).toContain(`flow ${slowest} `);
  });

  it('reports a flow without changes', async () => {
    const empty = write('empty.jsonl', '');
    expect((await explained(at('result.json'), '--trace', empty, '--flow', '0')).answer).toMatch(/no change/);
  });

  it.each([
    ['no JSON', 'nonsense', /bad\.jsonl, line 2 must be a rate change .*got "nonsense"/],
    ['another object', '{"timePs":"1"}', /bad\.jsonl, line 2 must be a rate change/],
  ])('names the line that is %s', async (_, line, message) => {
    const [first] = readFileSync(at('rates.jsonl'), 'utf8').split('\n');
    const bad = write('bad.jsonl', `${first}\n${line}\n`);
    const { exitCode, stderr } = await run(['explain', at('result.json'), '--trace', bad]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('names an unknown flow', async () => {
    const args = ['explain', at('result.json'), '--trace', at('rates.jsonl'), '--flow', '4'];
    expect((await run(args)).stderr).toMatch(/--flow must be .* below 4 .*got 4/);
  });
});
