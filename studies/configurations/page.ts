/** docs/studies/configurations-study.md: findings of the linter, shown in runs; the convergence example with its readings. */
import { analyseConvergence } from '../../src/analysis/convergence.js';
import { lintPath } from '../../src/qos/lint-path.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { studyFiles, type StudyFile } from '../study-page.js';
import { CONVERGENCE_RUNS, convergenceOf } from './convergence.js';
import { LINT_EXAMPLES, NOT_SHOWN, type LintExample } from './lint-examples.js';
import { lintInput } from './lint-input.js';

/** Result of a lint example's run. */
export interface LintSeen {
  readonly errors: readonly string[];
  readonly drops: number;
  readonly pauses: number;
  readonly marks: number;
}

export function seeLint(spec: ScenarioSpec, path = lintInput(spec)): LintSeen {
  const { totals } = runScenarioSync(spec);
  const errors = lintPath(path, { profile: spec.network ?? 'lossless' }).filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule);
  return { errors: [...new Set(errors)], drops: totals.packetsDropped, pauses: totals.pauses, marks: totals.dataMarks };
}

/** Without and with the error. */
export function seeExample({ good, bad, settings }: LintExample): readonly [LintSeen, LintSeen] {
  return [seeLint(good), settings === undefined ? seeLint(bad) : seeLint(bad, settings(lintInput(good)))];
}

/** A row of the first table. */
export function lintRow(example: LintExample): string {
  const { rule, words, metric } = example;
  const [before, after] = seeExample(example);
  return `| \`${rule}\` | ${words} | ${metric} | ${before[metric]} | ${after[metric]} |`;
}

/** A row of the second table. */
export function convergenceRow(name: string): string {
  return textOfRow(convergenceRun(name));
}

/** Runs everything. */
export function configurationsStudy(): StudyFile[] {
  const rows = [...convergenceReadings(), ...Object.keys(CONVERGENCE_RUNS).map(convergenceRun)];
  const text = [
    '# The network configurations of "RoCE Network Proposal" in runs',
    '',
    'Written by `npm run study`; cases in `studies/configurations`. [scenarios.md](../guides/scenarios.md#network-configurations) defines the configurations,',
    '[loss-study.md](loss-study.md) compares what they cost.',
    '',
    '## Errors of the linter',
    '',
    'Each row compares a scenario without findings of the linter (`lintPath` of `roce-cc/qos`) with one that has the error, linted from the same scenario. If a',
    'scenario cannot express a setting, the linter gets the setting, and the run its effect, which the row states. Eight hosts send to one over two switches with',
    '1.5 MB, network `lossless`.',
    '',
    '| error | how | effect on | without | with |',
    '|---|---|---|---:|---:|',
    ...LINT_EXAMPLES.map(lintRow),
    '',
    'Errors that no scenario can have:',
    '',
    '| error | why |',
    '|---|---|',
    ...Object.entries(NOT_SHOWN).map(([rule, why]) => `| \`${rule}\` | ${why} |`),
    '',
    '## The convergence example',
    '',
    'On slide 6, 1,024 flows from 16 ports share one port of 100 Gb/s. The readings of the slide are those of `analyseConvergence`; the runs are of',
    '`examples/scenarios/convergence-1024.json` (`npx roce-cc run convergence-1024`). The table has the time at which the queue stops growing, and its length then.',
    '',
    '| | time, µs | buffer, kB |',
    '|---|---:|---:|',
    ...rows.map(textOfRow),
    '',
    '- **16 flows follow the staircase**, if each cut halves the rate: the queue stops growing within a cut period of that of the staircase, at three quarters of',
    '  its buffer.',
    '- **1,024 flows follow none of the readings.** A flow cuts only when one of its packets was marked. The port sends a packet in 90 ns, so one round of',
    '  marks to all flows takes 92 µs, and ten cuts take ten rounds: 0.9 ms, not 62 µs. Until then the excess input is 15 link rates. The readings assume that each flow',
    '  is notified in each period of 4 µs.',
    '- **As shipped, ConnectX cuts by less than half** when CNPs are this rare: alpha falls each microsecond without one. With 1,024 flows the queue grows until all 307 MB',
    '  have been sent.',
    '',
  ].join('\n');
  const bars = rows.map(({ label, timeUs }) => ({ label, value: timeUs }));
  return studyFiles('configurations', {
    text,
    charts: [{ title: 'Time until the queue stops growing', unit: 'µs', bars }],
  });
}

/** A row of the second table: a reading of the proposal, or a run. */
interface ConvergenceRow {
  readonly label: string;
  readonly timeUs: number;
  readonly queueBytes: number;
}

function convergenceReadings(): ConvergenceRow[] {
  const { readings, staircase } = analyseConvergence();
  const rows = readings.map(({ name, timePs, bufferBytes }) => ({
    label: `reading: ${name}`,
    timeUs: timePs / 1e6,
    queueBytes: bufferBytes,
  }));
  return [...rows, {
    label: 'reading: staircase',
    timeUs: rows.at(-1)?.timeUs ?? NaN,
    queueBytes: staircase.bufferBytes,
  }];
}

function convergenceRun(name: string): ConvergenceRow {
  const spec = CONVERGENCE_RUNS[name];
  if (spec === undefined) throw new Error(`no row ${name}`);
  return { label: `run: ${name}`, ...convergenceOf(spec) };
}

function textOfRow({ label, timeUs, queueBytes }: ConvergenceRow): string {
  return `| ${label} | ${timeUs} | ${Math.round(queueBytes / 1e3)} |`;
}
