import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLED_CAPTURE, BUNDLED_FLOWS, BUNDLED_SWITCH } from '../../src/cli/shipped-files.js';
import type { ReplayReport } from '../../src/replay/index.js';
import { LineOutput } from '../../src/cli/write-file.js';
import { TraceFile } from '../../src/cli/replay/run-replay.js';
import { createEngineSync, gbps, us, type RateChange } from '../../src/index.js';
import { options } from '../replay/support/incast.js';
import { CAPTURES } from '../support/captures.js';
import { run } from './support/run.js';

type Line = RateChange & { readonly flow: string };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-trace-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const linesOf = (text: string): Line[] => text.trimEnd().split('\n').map((line) => JSON.parse(line) as Line);

/**
 * Each change of a flow starts at the rate of the one before, from the line rate to the last rate of the report, in
 * order of time.
 */
function expectChains(lines: readonly Line[], flows: ReplayReport['flows']): void {
  const last = new Map(flows.map(({ flow }) => [flow, { toBps: gbps(100), timePs: -Infinity }]));
  for (const line of lines) {
    const before = last.get(line.flow);
    if (before?.toBps !== line.fromBps || line.timePs < before.timePs) expect(line).toMatchObject({ joins: before });
    last.set(line.flow, line);
  }
  expect(flows.map(({ flow }) => last.get(flow)?.toBps)).toEqual(flows.map(({ rateBps }) => rateBps));
}

describe('roce-cc replay --trace', () => {
  it('writes each rate change of the bundled incast, and the usual report', async () => {
    const [trace, report] = [path.join(folder, 'changes.jsonl'), path.join(folder, 'report.json')];
    const { exitCode, stdout, stderr } = await run(['replay', '--trace', trace, '-o', report]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('the bundled incast capture');
    const { flows, capture } = JSON.parse(readFileSync(report, 'utf8')) as ReplayReport;
    const lines = linesOf(readFileSync(trace, 'utf8'));
    expectChains(lines, flows);
    const cuts = (cause: string): number =>
      lines.filter((line) => line.reason === 'cut' && line.cause === cause).length;
    // As in the report: 127 CNPs arrived, some of which repeated a Fast CNP, and 67 Fast CNPs were accepted.
    expect(cuts('fast-cnp')).toBe(67);
    expect(cuts('cnp')).toBe(flows.reduce((sum, flow) => sum + flow.cnpsHandled, 0));
    for (const line of lines) {
      expect(line.timePs).toBeGreaterThanOrEqual(0);
      expect(line.timePs).toBeLessThanOrEqual(capture.durationPs);
    }
  });

  it('writes to standard output instead of the report', async () => {
    const { exitCode, stdout, stderr } = await run([
      'replay',
      BUNDLED_CAPTURE,
      '--flows',
      BUNDLED_FLOWS,
      '--trace',
      '-',
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = linesOf(stdout);
    expect(lines[0]).toMatchObject({ reason: 'cut', cause: 'cnp', fromBps: gbps(100), toBps: gbps(50), alpha: 1 });
    expect(Object.keys(lines[0]!)).toEqual([
      'timePs',
      'qp',
      'fromBps',
      'toBps',
      'cause',
      'reason',
      'alpha',
      'targetBps',
      'flow',
    ]);
  });

  it('is the same line by line with both backends', async () => {
    const [wasm, js] = await Promise.all(
      ['wasm', 'js'].map(async (backend) => (await run(['replay', '--trace', '-', '--backend', backend])).stdout),
    );
    expect(js).toBe(wasm);
  });

  it.each(['wasm', 'js'])('reports the hops in Fast CNPs under HPCC++ (%s)', async (backend) => {
    const report = path.join(folder, `plus-${backend}.json`);
    const { exitCode, stdout, stderr } = await run([
      'replay',
      '--preset',
      'hpcc-pp',
      '--rtt',
      '10us',
      '--backend',
      backend,
      '--trace',
      '-',
      '-o',
      report,
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = linesOf(stdout);
    expectChains(lines, (JSON.parse(readFileSync(report, 'utf8')) as ReplayReport).flows);
    const hops = lines.flatMap((line) => (line.cause === 'fast-cnp' && 'hop' in line && line.hop ? [line.hop] : []));
    expect(hops.length).toBeGreaterThan(50);
    // The congested port has 100 Gb/s, all others 400, and queues there are hundreds of kilobytes.
    expect(new Set(hops.map(({ lineRateBps }) => lineRateBps))).toEqual(new Set([gbps(100)]));
    expect(Math.max(...hops.map(({ queueBytes }) => queueBytes))).toBeGreaterThan(100_000);
    expect(lines.some(({ reason }) => reason === 'recovery-halfway')).toBe(true);
  });

  it('reads the capture from which the bundled one was extracted', async () => {
    const [trace, report] = [path.join(folder, 'corpus.jsonl'), path.join(folder, 'corpus.json')];
    const { exitCode, stderr } = await run([
      'replay',
      `${CAPTURES}incast.pcap`,
      '--flows',
      `${CAPTURES}flows.csv`,
      '--fast-cnp',
      '--allow',
      BUNDLED_SWITCH,
      '--trace',
      trace,
      '-o',
      report,
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = linesOf(readFileSync(trace, 'utf8'));
    expect(lines.length).toBeGreaterThan(100);
    expectChains(lines, (JSON.parse(readFileSync(report, 'utf8')) as ReplayReport).flows);
  });

  it.each([
    [['replay', '-', '--trace', '-'], "option '--trace' has no effect without '--flows'"],
    [['replay', '--trace', '-', '--json'], "'--trace <file>' cannot be used with option '--json'"],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('reports an unwritable file before it reads the input', async () => {
    const { exitCode, stdout, stderr } = await run([
      'replay',
      '--trace',
      path.join(folder, 'no', 'such', 'folder.jsonl'),
    ]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('no such file');
  });

  it('adds a line if the engine ran out of space, and counts missing changes', async () => {
    const engine = createEngineSync({ parameterSets: { one: options.parameters }, trace: { records: 1 } });
    const qp = engine.openQp({ localQpn: 1 });
    engine.cnp(us(1), qp);
    engine.touch(us(500), qp);
    const parts: string[] = [];
    const stdout = new Writable({
      write(text: Buffer, _encoding, done) {
        parts.push(text.toString());
        done();
      },
    });
    const file = new TraceFile(new LineOutput(stdout, 'trace.jsonl', () => undefined));
    for (const change of engine.trace) file.add({ ...change, flow: 'a' });
    file.add({ lost: engine.trace.lost });
    await file.close();
    expect(file.lost).toBe(engine.trace.lost);
    const lines = linesOf(parts.join(''));
    expect(lines[0]).toMatchObject({ reason: 'fast-recovery', flow: 'a' });
    expect(lines.at(-1)).toEqual({ lost: file.lost });
  });

  it('appears in the help', async () => {
    expect((await run(['replay', '--help'])).stdout).toMatch(/--trace <file>\s+write each rate change/);
  });
});
