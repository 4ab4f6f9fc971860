import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { OutputStream } from '../../src/cli/output.js';
import { commonScale, runCharts } from '../../src/cli/run/charts-text.js';
import { metricRows } from '../../src/cli/run/run-tables.js';
import { fileNamePart, fileOfRun, folderOfRun, uniqueNames } from '../../src/cli/run/run-names.js';
import { startRunProgress, timeLeftMs, wallTimeWords } from '../../src/cli/run/run-progress.js';
import type { PreparedEstimate } from '../../src/cli/run/simulator.js';
import { rateEnvelope, thinIndices } from '../../src/cli/run/series.js';
import { applySetValues, collectSetValue } from '../../src/cli/run/scenario-options.js';
import type { Progress } from '../../src/sim/result.js';
import { fakeResult, mainJobResults } from './support/fake-results.js';

const set = (target: unknown,
  ...texts:
    string[]): unknown => (applySetValues(target,
      texts.reduce<ReturnType<typeof collectSetValue>>((all, text) => collectSetValue(text, all), [])));

describe('--set', () => {
  it.each([
    ['a=1', { a: 1 }],
    ['a=text', { a: 'text' }],
    ['a="1"', { a: '1' }],
    ['a=[1,{"b":2}]', { a: [1, { b: 2 }] }],
    ['a=x=y', { a: 'x=y' }],
    ['a=', { a: '' }],
    ['a.b.c=true', { a: { b: { c: true } } }],
    ['algorithms."v1.2".preset=x', { algorithms: { 'v1.2': { preset: 'x' } } }],
  ])('%s parses to %j', (text, expected) => {
    expect(set({}, text)).toEqual(expected);
  });

  it('changes list items by index and appends to lists, without a change to the original', () => {
    const before = { list: [{ a: 1 }, 2] };
    expect(set(before, 'list[0].a=5', 'list.2=3', 'list[3].b=4')).toEqual({ list: [{ a: 5 }, 2, 3, { b: 4 }] });
    expect(before).toEqual({ list: [{ a: 1 }, 2] });
  });

  it('rejects paths through values, and beyond the end of a list', () => {
    expect(() => set({ a: 1 }, 'a.b=2')).toThrow(/^--set a\.b=2, at a[ :]/);
    expect(() => set({ a: [] }, 'a[1]=2')).toThrow(/--set a\[1\]=2, at a: the path must be 0 \(got "1"\)\.$/);
    expect(() => set({ a: [] }, 'a.length=2')).toThrow(/must be 0/);
  });

  it('sets a key named __proto__ like any other', () => {
    const changed = set({}, '__proto__.polluted=1');
    expect(Object.keys(changed as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('Names of runs and their files', () => {
  it('are unique', () => {
    expect(uniqueNames(['a', 'a', 'b', 'a'])).toEqual(['a', 'a (2)', 'b', 'a (3)']);
  });

  it('are distinct as file names, even in case-insensitive file systems', () => {
    const names = uniqueNames(['a/b', 'a-b', 'a-b-2', 'A b', 'é', 'É']);
    expect(names).toEqual(['a/b', 'a-b (2)', 'a-b-2 (2)', 'A b (3)', 'é', 'É (2)']);
    const files = names.map((name) => fileOfRun('r.json', name, 6).normalize('NFC').toLowerCase());
    expect(new Set(files).size).toBe(6);
  });

  it('stay in their folder unless the user names another one', () => {
    expect(['../x', 'a/b c', '..', '', 'ß-1.2'].map(fileNamePart)).toEqual(['x', 'a-b-c', 'run', 'run', 'ß-1.2']);
    expect(fileOfRun('out/r.json', '../x', 2)).toBe('out/r-x.json');
    expect(fileOfRun('out/r.json', '../x', 1)).toBe('out/r.json');
    expect([folderOfRun('d', 'a', 1), folderOfRun('d', 'a', 2)]).toEqual(['d', 'd/a']);
  });
});

describe('The table of runs', () => {
  const valuesOf = (label: string) => metricRows(mainJobResults()).find(({ title }) => title === label)?.values;

  it('has one line per value and one column per run', () => {
    expect(valuesOf('queue, max')).toEqual(['900 kB', '500 kB', '80 kB']);
    expect(valuesOf('Fast CNPs')).toEqual(['0', '187', '0']);
    expect(valuesOf('pause frames')).toEqual(['48', '0', '0']);
  });

  it('measures the time until rates are fair from the last start', () => {
    // 150 samples of 2 µs, and the last of 16 flows begins at 15 µs.
    expect(valuesOf('converged after')).toEqual(['285 µs', '165 µs', '25 µs']);
    expect(metricRows([fakeResult()]).find(({ title }) => title === 'converged after')?.values).toEqual(['never']);
  });

  it('omits optional lines without a value', () => {
    const labels = metricRows([fakeResult()]).map(({ title }) => title);
    expect(labels).not.toContain('dropped packets');
    expect(labels).not.toContain('paused time');
    expect(valuesOf('paused time')).toEqual(['144 µs', '0', '0']);
  });

  it('has no completion times if no flow is done', () => {
    const rows = metricRows([fakeResult({ ended: 'time' })]);
    expect(rows.find(({ title }) => title === 'completion time, mean')?.values).toEqual(['-']);
  });
});

describe('Charts on the terminal', () => {
  it('have the same scale for all compared runs', () => {
    const results = mainJobResults();
    const charts = results.map((result) => runCharts(result, commonScale(results), { columns: 100, isBold: false }));
    const ticksOf = (lines: readonly string[]) =>
      lines.map((line) => /^ *\d+┤/.exec(line)?.[0]).filter((tick) => tick !== undefined);
    expect(ticksOf(charts[0]!)).toHaveLength(3);
    expect(charts.map(ticksOf)).toEqual(results.map(() => ticksOf(charts[0]!)));
    expect(charts.every((lines) => lines.some((line) => line.includes('time, µs')))).toBe(true);
  });

  it('show both ends of the rate scale, for any values', () => {
    const result = fakeResult();
    const rateBps = Object.fromEntries(
      Object.entries(result.series.rateBps).map(([flow, rates]) => [flow, rates.map((rate) => Math.min(rate, 9.38e9))]),
    );
    const lines = runCharts({ ...result, series: { ...result.series, rateBps } },
      commonScale([{ ...result, series: { ...result.series, rateBps } }]), { columns: 60, isBold: false });
    expect(lines.filter((line) => /^ *[\d.]+┤/.test(line)).map((line) => Number.parseFloat(line)).slice(3)).toEqual([
      9.38,
      0.938,
    ]);
  });

  it('are omitted without series, and show a queue that stayed empty', () => {
    const { series, ...rest } = fakeResult();
    const style = { columns: 100, isBold: false };
    const empty = {
      ...rest,
      series: { ...series, timesPs: [], queueBytes: {}, utilization: {}, rateBps: {}, fairness: [] },
    };
    expect(runCharts(empty, commonScale([empty]), style)).toEqual([]);
    const empty0 = { 's0:h16': series.timesPs.map(() => 0) };
    const quiet = { ...rest, series: { ...series, queueBytes: empty0 } };
    expect(runCharts(quiet, commonScale([quiet]), style).join('\n')).toContain('queue at s0:h16');
    const idle = { ...rest, series: { ...series, queueBytes: empty0, rateBps: {} } };
    expect(runCharts(idle, commonScale([idle]), style)).toEqual([]);
  });

  it('omit the queue if no switch has one', () => {
    const { series, ...rest } = fakeResult();
    const direct = { ...rest, series: { ...series, queueBytes: {}, utilization: {} } };
    const lines = runCharts(direct, commonScale([direct]), { columns: 100, isBold: false });
    expect(lines.filter((line) => line.includes('queue'))).toEqual([]);
    expect(lines[0]).toContain('allowed rate: max > mean > min');
  });
});

describe('Rates over time', () => {
  it('are those of running flows', () => {
    const result = fakeResult({ senders: 2, samples: 4 });
    const flows = result.flows.map((flow, index) => ({ ...flow, startPs: index * 3e6, completionPs: 4e6 }));
    const series = {
      ...result.series,
      timesPs: [2e6, 4e6, 6e6, 8e6],
      rateBps: { 0: [10, 20, 0, 0], 1: [0, 40, 30, 0] },
    };
    expect(rateEnvelope({ ...result, flows, series })).toEqual({
      timesPs: [2e6, 4e6, 6e6],
      highestBps: [10, 40, 30],
      meanBps: [10, 40, 30],
      lowestBps: [10, 40, 30],
    });
  });

  it('keep their peaks with fewer points', () => {
    const values = Array.from({ length: 1000 }, (_, index) => (index === 437 ? 9 : 0));
    const kept = thinIndices(values, 50);
    expect(kept).toHaveLength(50);
    expect(kept).toContain(437);
    expect([...kept].sort((a, b) => a - b)).toEqual(kept);
  });
});

describe('The progress of a run', () => {
  const half: Progress = {
    nowPs: 2e9,
    flowsDone: 3,
    flowsTotal: 8,
    bytesDelivered: 50,
    bytesTotal: 100,
    packetHops: 2e6,
    events: 4e6,
  };
  const shown = (isTTY: boolean, elapsedMs: number, isQuiet = false, estimate?: PreparedEstimate): string => {
    const parts: string[] = [];
    const stream: OutputStream = Object.assign(new Writable({
      write(chunk: Buffer, _encoding, done) {
        parts.push(chunk.toString());
        done();
      },
    }), { isTTY, columns: 120, cursorTo: () => true, clearLine: () => true });
    let nowMs = 1000;
    const progress = startRunProgress(stream, 'mine', { isQuiet, estimate, nowMs: () => nowMs });
    nowMs += elapsedMs;
    progress.update(half);
    progress.stop();
    return parts.join('');
  };

  it('is a bar on a terminal once the run takes a while', () => {
    expect(shown(true, 1000)).toContain('50 % | 3 of 8 flows, 2 ms simulated, 2.0 M hops/s');
    expect(shown(true, 10)).toBe('');
  });

  it('is an occasional line in a log', () => {
    expect(shown(false, 10_000)).toBe('mine: 50 %, 3 of 8 flows, 2 ms simulated, 0.2 M hops/s, about 10 s left\n');
    expect(shown(false, 9000)).toBe('');
  });

  it('begins with the estimate of a long run, and shows the remaining time, by bytes or by simulated time', () => {
    const estimate: PreparedEstimate = {
      flows: 8,
      dataPackets: 10e6,
      packetHops: 80e6,
      memoryBytes: 1.5e9,
      packetMemoryBytes: 1e6,
      startPs: 1e9,
      endPs: 1e12,
    };
    const words = 'mine: 8 flows, about 10,000,000 data packets, 80,000,000 packet hops, 1.5 GB of memory\n';
    expect(shown(false, 3_600_000, false, estimate)).toBe(
      `${words}mine: 50 %, 3 of 8 flows, 2 ms simulated, 0.0 M hops/s, about 60 min left\n`,
    );
    // Its end is near, although half of its bytes are left.
    expect(shown(false, 90_000, false, { ...estimate, endPs: 2.5e9 })).toContain('about 45 s left');
    expect(shown(false, 9000, false, { ...estimate, packetHops: 19e6 })).toBe('');
    expect(shown(false, 9000, true, estimate)).toBe('');
  });

  it('shows no remaining time before any event', () => {
    expect(timeLeftMs({ ...half, bytesDelivered: 0, nowPs: 0 }, 5000, undefined)).toBeUndefined();
    expect(timeLeftMs({ ...half, bytesTotal: 0 }, 5000, { packetHops: 0, startPs: 0, endPs: 8e9 })).toBe(15_000);
    // 2 of 40 million hops.
    expect(timeLeftMs({ ...half, bytesDelivered: 1 }, 5000, { packetHops: 40e6, startPs: 0, endPs: 1e15 })).toBe(
      95_000,
    );
  });

  it.each([[999, 'under a second'], [90_000, 'about 90 s'], [150_000, 'about 3 min'], [9e6, 'about 2.5 h']])(
    'shows %d ms as %s',
    (timeMs, words) => {
      expect(wallTimeWords(timeMs)).toBe(words);
    },
  );

  it('is omitted with --quiet', () => {
    expect(shown(true, 60_000, true)).toBe('');
  });
});
