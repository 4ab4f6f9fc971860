/** Results as JSON, CSV and traces, read back by independent readers. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { csvField, toCsv } from '../../src/sim/files/csv.js';
import { flowsToCsv, portsToCsv, seriesToCsv } from '../../src/sim/files/result-csv.js';
import { resultToPerfetto, traceEvents } from '../../src/sim/files/perfetto.js';
import { parseResultJson, resultToJson } from '../../src/sim/files/result-json.js';
import type { SimResult } from '../../src/sim/result.js';
import { LOSS_FIGURES } from '../../src/sim/result-schema/flows.js';
import { hashResult, isHashRight } from '../../src/sim/results/result-hash.js';
import { incastResult } from '../support/sim-result.js';

const rowsOf = (text: string) => parse(text, { columns: true }) as unknown as Record<string, string>[];
const reversed = <T>(value: T): T =>
  (Array.isArray(value) ?
    value.map(reversed) :
    typeof value === 'object' && value !== null ?
    Object.fromEntries(Object.entries(value).reverse().map(([key, member]) => [key, reversed(member)])) :
    value) as T;

describe('A result as JSON', () => {
  it('reads back as the same result, with its hash', () => {
    const result = incastResult({
      result: { pauses: [{ port: 'h0:s0', trafficClass: 3, fromPs: 5, toPs: 9, endedBy: 'resume' }] },
    });
    const back = parseResultJson(resultToJson(result));
    expect(back).toEqual(result);
    expect(isHashRight(back)).toBe(true);
  });

  it('has the same bytes for any order of keys, except in the scenario, where order is significant', () => {
    const result = incastResult();
    const turned = { ...reversed(result), scenario: result.scenario };
    expect(Object.keys(turned)[0]).not.toBe(Object.keys(result)[0]);
    expect(resultToJson({
      ...turned,
      flows: result.flows.map(reversed),
      ports: result.ports.map(reversed),
      series: reversed2(result),
    })).toBe(resultToJson(result));
    const algorithms = { second: { preset: 'hpcc-ns3' }, first: { preset: 'dcqcn-ns3' } };
    const text = resultToJson({ ...result, scenario: { ...result.scenario, algorithms } });
    expect(text.indexOf('"second"')).toBeLessThan(text.indexOf('"first"'));
  });

  it('has one line per flow and per port, and begins with the format', () => {
    const result = incastResult({ senders: 3 });
    const lines = resultToJson(result).split('\n');
    expect(lines.slice(0, 3)).toEqual(['{', '  "format": "roce-cc-result-2",', `  "hash": "${result.hash}",`]);
    expect(lines.filter((line) => line.startsWith('    {'))).toHaveLength(result.flows.length + result.ports.length);
    expect(resultToJson({ ...result, flows: [] })).toContain('"flows": [],');
  });

  it.each([
    ['not JSON', '{', /result\.json.*not JSON: /s],
    [
      'another format',
      '{"format":"x"}',
      /^result\.json: the format of a result must be "roce-cc-result-2" \(got "x"\)\.$/,
    ],
    ['a list', '[]', /^result\.json: the format of a result is missing; it must be "roce-cc-result-2"\.$/],
    [
      'a result of 0.1',
      '{"format":"roce-cc-result-1"}',
      /^result\.json: the format of a result must be "roce-cc-result-2" \(got "roce-cc-result-1"\)\. An earlier version wrote it: run its scenario again\.$/,
    ],
    [
      'half a result',
      '{"format":"roce-cc-result-2","flows":[]}',
      /^result\.json: hash of a result is missing; it must be a text\.$/,
    ],
  ])('is rejected if it is %s', (_, text, message) => {
    expect(() => parseResultJson(text, 'result.json')).toThrow(message);
  });
});

const reversed2 = ({ series }: SimResult): SimResult['series'] =>
  Object.fromEntries(Object.entries(series).reverse()) as unknown as SimResult['series'];

describe('Tables as CSV', () => {
  it('quote as RFC 4180 requires, and end lines with CR LF', () => {
    expect([csvField('a'), csvField('a,b'), csvField('say "x"'), csvField('a\nb'), csvField(null), csvField(1e21)])
      .toEqual(['a', '"a,b"', '"say ""x"""', '"a\nb"', '', '1e+21']);
    expect(toCsv([{ name: 'n', value: (n: number) => n }], [1, 2])).toBe('n\r\n1\r\n2\r\n');
  });

  it('contain no text that a spreadsheet would evaluate', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=HYPERLINK("http://x","y")']) {
      expect(csvField(text)).toMatch(/^"?'/);
    }
    expect([csvField(-1), csvField('a=1'), csvField("'x")]).toEqual(['-1', 'a=1', "'x"]);
  });

  it('have one row per flow, numbers to the last bit, and empty fields for unfinished flows', () => {
    const result = incastResult({
      flow: ({ index }) => (index === 1 ? { completionPs: null, slowdown: null, from: 'a,"b"' } : {}),
      result: { simulatedPs: 1e9 },
    });
    const rows = rowsOf(flowsToCsv(result));
    expect(rows.map((row) => Number(row['slowdown']))).toEqual(result.flows.map(({ slowdown }) => slowdown ?? 0));
    expect(rows[1]).toMatchObject({
      flow: '1',
      from: 'a,"b"',
      completion_ps: '',
      slowdown: '',
      size_bytes: '1048576',
      cnps: '4',
    });
    expect(rows[0]).toMatchObject({
      completion_ps: String(result.flows[0]!.completionPs),
      first_notification_ps: '12000000',
    });
  });

  it('have the columns of losses and reordering last, with 0 where the result omits them', () => {
    const result = incastResult({ flow: ({ index }) => (index === 1 ? { outOfOrderPackets: 7, naks: 2 } : {}) });
    const rows = rowsOf(flowsToCsv(result));
    const lost = (row: Readonly<Record<string, string>>) =>
      LOSS_FIGURES.map((name) => row[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
    expect(lost(rows[0]!)).toEqual(LOSS_FIGURES.map(() => '0'));
    expect(lost(rows[1]!)).toEqual(['7', '0', '0', '2', '0', '0', '0', '0']);
    expect(hashResult(result)).not.toBe(hashResult(incastResult()));
  });

  it('have a column for each number of a flow or port, except optional ones', () => {
    const result = incastResult();
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const optional = ['windowBytes', 'path', 'kminBytes', 'kmaxBytes', 'maxIngressBytes', 'minPauseThresholdBytes'];
    const expected = (row: object, key: string) =>
      Object.keys(row).filter((name) => !optional.includes(name)).map((
        name,
      ) => (name === key ? { index: 'flow', name: 'port' }[name] : snake(name)));
    const ofLosses = [
      ...LOSS_FIGURES,
      'detours',
      'qp',
      'beganPs',
      'beganRateBps',
      'readRequests',
      'rnrNaks',
      'rnrWaitPs',
    ].map(snake);
    expect(Object.keys(rowsOf(flowsToCsv(result))[0]!).sort())
      .toEqual([...expected(result.flows[0]!, 'index'), 'failure', ...ofLosses].sort());
    expect(Object.keys(rowsOf(portsToCsv(result))[0]!).sort()).toEqual(expected(result.ports[0]!, 'name').sort());
  });

  it('have one row per port', () => {
    const result = incastResult();
    expect(
      rowsOf(portsToCsv(result)).map((
        row,
      ) => [row['port'], Number(row['max_queue_bytes']), Number(row['utilization'])]),
    )
      .toEqual(result.ports.map((port) => [port.name, port.maxQueueBytes, port.utilization]));
  });

  it('have one row per sample of a series, and one named column per port and flow', () => {
    const { series } = incastResult({ senders: 2 });
    const rows = rowsOf(seriesToCsv({ series }));
    expect(Object.keys(rows[0]!)).toEqual([
      'time_ps',
      'fairness',
      'queue_bytes[s0:h2]',
      'utilization[s0:h2]',
      'rate_bps[0]',
      'rate_bps[1]',
    ]);
    expect(rows.map((row) => Number(row['time_ps']))).toEqual(series.timesPs);
    expect(rows.map((row) => Number(row['rate_bps[1]']))).toEqual(series.rateBps['1']);
  });
});

/** What ui.perfetto.dev takes, as the Trace Event Format describes it. */
const args = z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]));
const ts = z.number().min(0);
const TRACE = z.strictObject({
  displayTimeUnit: z.literal('ns'),
  otherData: z.record(z.string(), z.string()),
  traceEvents: z.array(z.discriminatedUnion('ph', [
    z.strictObject({
      ph: z.literal('C'),
      name: z.string().min(1),
      pid: z.int(),
      ts,
      args: z.record(z.string(), z.number()),
    }),
    z.strictObject({
      ph: z.literal('X'),
      name: z.string().min(1),
      cat: z.string(),
      pid: z.int(),
      tid: z.int(),
      ts,
      dur: z.number().min(0),
      args,
    }),
    z.strictObject({
      ph: z.literal('M'),
      name: z.enum(['process_name', 'thread_name', 'process_sort_index']),
      pid: z.int(),
      tid: z.int().optional(),
      args,
    }),
  ])),
});

describe('A result as a trace', () => {
  const pauses = [
    { port: 'h0:s0', trafficClass: 3, fromPs: 1e6, toPs: 3e6, endedBy: 'resume' as const },
    { port: 'h1:s0', trafficClass: 3, fromPs: 2e6, toPs: 4e6, endedBy: 'resume' as const },
    { port: 'h0:s0', trafficClass: 3, fromPs: 8e6, toPs: 9e6, endedBy: 'resume' as const },
  ];

  it('has the shape of the Trace Event Format', () => {
    const trace = TRACE.parse(JSON.parse(resultToPerfetto(incastResult({ result: { pauses } }))));
    expect(new Set(trace.traceEvents.map(({ ph }) => ph))).toEqual(new Set(['C', 'X', 'M']));
    expect(trace.otherData).toMatchObject({ scenario: 'incast', seed: '1' });
  });

  it('has a slice for each started flow, from its start to its end or to that of the run, in microseconds', () => {
    const result = incastResult({
      senders: 3,
      result: { simulatedPs: 900e6 },
      flow: ({ index }) =>
        [{ startPs: 5e6 }, { completionPs: null, slowdown: null }, {
          startPs: 901e6,
          completionPs: null,
          slowdown: null,
        }][index]!,
    });
    const slices = traceEvents(result).filter((event) => event.ph === 'X');
    expect(slices).toMatchObject([
      { name: 'flow 0 h0 to h3', tid: 0, ts: 5, dur: result.flows[0]!.completionPs! / 1e6, args: { finished: true } },
      { name: 'flow 1 h1 to h3', tid: 1, ts: 0, dur: 900, args: { finished: false } },
    ]);
  });

  it('has a track of pauses per port and class', () => {
    const slices = traceEvents(incastResult({ result: { pauses } })).filter((event) =>
      event.ph === 'X' && event.cat === 'pause'
    );
    expect(slices).toMatchObject([{ tid: 0, ts: 1, dur: 2 }, { tid: 1, ts: 2, dur: 2 }, { tid: 0, ts: 8, dur: 1 }]);
  });

  it('has counters with units, and writes constant values only at both ends', () => {
    const base = incastResult({ senders: 2 });
    const queue = [5, 0, 0, 0, 0, 7];
    const series = {
      ...base.series,
      timesPs: queue.map((_, index) => 1e6 * (index + 1)),
      queueBytes: { 's0:h2': queue },
      utilization: {},
      rateBps: { 0: [25e9] },
      fairness: [],
    };
    const counters = traceEvents({ ...base, series }).flatMap((
      event,
    ) => (event.ph === 'C' ? [[event.name, event.ts, event.args]] : []));
    expect(counters).toEqual([
      ['queue s0:h2', 1, { bytes: 5 }],
      ['queue s0:h2', 2, { bytes: 0 }],
      ['queue s0:h2', 5, { bytes: 0 }],
      ['queue s0:h2', 6, { bytes: 7 }],
      ['rate flow 0', 1, { gbps: 25 }],
    ]);
  });
});
