/**
 * Whole runs of uet-htsim, by their own arguments and files: every column of every flow, every message, the totals with the
 * number of random draws, by the kernel and by the readable model; and where there is a trace, all of its lines in their order, by
 * the model.
 */
import { describe, expect, it } from 'vitest';
import { runUetReference, uetFlowsToCsv, uetMessagesToCsv, type UetImplementation } from '../../src/uet/index.js';
import { IS_LONG } from '../support/effort.js';
import { uetGoldenRuns, type UetGoldenRun } from '../support/golden-uet.js';

/** Packet limit of the runs that are part of `npm test`. */
const FEW_PACKETS = 4000;

const ALL = uetGoldenRuns();
const RUNS = IS_LONG ? ALL : ALL.filter(({ totals }) => totals.new_pkts + totals.rtx_pkts <= FEW_PACKETS);

/** The first line that differs; undefined if none does. */
function firstDifference(got: readonly string[], golden: readonly string[]): object | undefined {
  const line = golden.findIndex((text, at) => text !== got[at]);
  if (line >= 0) return { line: line + 1, got: got[line], golden: golden[line] };
  return got.length === golden.length ? undefined : { line: golden.length + 1, got: got[golden.length] };
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

function traceOf({ argv, read }: UetGoldenRun): string[] {
  const lines: string[] = [];
  runUetReference(argv, read, { trace: (timePs, ...event) => void lines.push([timePs, ...event].join(',')) });
  return lines;
}

function expectGolden({ argv, read, has, totals }: UetGoldenRun, implementation: UetImplementation): void {
  const result = runUetReference(argv, read, { implementation });
  expect(firstDifference(linesOf(uetFlowsToCsv(result)), linesOf(read('flows.csv')))).toBeUndefined();
  expect(result.totals).toEqual(totals);
  if (has('messages.csv')) expect(uetMessagesToCsv(result)).toBe(read('messages.csv'));
  else expect(result.messages).toEqual([]);
}

describe(`uet-htsim: the kernel in all ${ALL.length} golden runs`, () => {
  it.each(ALL)('$name: flows, messages and totals match', (run) => {
    expectGolden(run, 'kernel');
  });
});

describe(`uet-htsim: the model in ${RUNS.length} of ${ALL.length} golden runs`, () => {
  it.each(RUNS)('$name: flows, messages and totals match', (run) => {
    expectGolden(run, 'model');
  });

  it.each(RUNS.filter(({ has }) => has('trace.csv')))('$name: all events match, in order', (run) => {
    expect(firstDifference(traceOf(run), linesOf(run.read('trace.csv')))).toBeUndefined();
  });
});
