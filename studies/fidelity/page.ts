/** docs/reference/fidelity.md: the differences with their values from the rules, and what each does in numbers. */
import { RULES } from '../../src/sim/compile/rules.js';
import type { Rules } from '../../src/sim/plan.js';
import { BYTES_PER_KB, NS_PER_US, PS_PER_US } from '../../src/units.js';
import { pageFile, type StudyFile } from '../study-page.js';
import { CASES } from './cases.js';
import { OTHER_DIFFERENCES, RULE_DIFFERENCES, type Difference } from './differences.js';
import { measureCase, type CaseResult } from './measure.js';
import type { Measured } from './measured.js';
import { INTRODUCTION, LIMITS, LOSSY, READING } from './texts.js';

/** Runs everything. */
export function fidelityStudy(): StudyFile[] {
  const cases = CASES.map(measureCase);
  const text = [
    INTRODUCTION,
    '## Rules',
    '',
    'The table has the fields of `Rules` (`src/sim/plan.ts`) with their values in `src/sim/compile/rules.ts`, each followed by its source. Effect: the range of the change of',
    'the mean completion and of the longest queue, over the runs without losses below; for a row that builds on others (the rules of CNPs), the change beyond theirs.',
    '',
    table(['rule', 'reference', 'standard', 'effect'],
      RULE_DIFFERENCES.map((difference) => ruleRow(difference, cases))),
    '',
    '## Beyond the rules',
    '',
    table(['what', 'reference', 'standard', 'effect'],
      OTHER_DIFFERENCES.map((difference) => otherRow(difference, cases))),
    '',
    READING,
    '## Measured',
    '',
    MEASURED_TEXT,
    '',
    ...cases.flatMap((one) => [`### ${one.name}`, '', caseTable(one), '']),
    LIMITS,
    LOSSY,
  ].join('\n');
  return [pageFile('docs/reference/fidelity.md', text)];
}

const MEASURED_TEXT =
  `Each row changes one difference in the plan of \`reference\` to that of \`standard\`, together with the rows that it builds on.
Longest queue: of one class, at a switch's port. Retransmitted: data packets. The first row of each table but the last is the result
of the reference simulator itself, which the command checks before it writes.`;

function ruleRow(difference: Difference, cases: readonly CaseResult[]): string[] {
  const field = difference.name as keyof Rules;
  const cell = (fidelity: 'reference' | 'standard'): string => {
    const value = valueOf(field, RULES[fidelity][field]);
    return value === '' ? difference[fidelity] : `${value}: ${difference[fidelity]}`;
  };
  return [`\`${field}\``, cell('reference'), cell('standard'), effectOf(difference, cases)];
}

function otherRow(difference: Difference, cases: readonly CaseResult[]): string[] {
  return [difference.name, difference.reference, difference.standard, effectOf(difference, cases)];
}

/** A rule's value with its unit; empty where each run has its own. */
function valueOf(field: keyof Rules, value: Rules[keyof Rules]): string {
  if (value === undefined || field === 'telemetry' || field === 'intMultiplier') return '';
  if (field.endsWith('Ps')) return `**${Number(value) / PS_PER_US} µs**`;
  if (typeof value === 'object') return `**up to ${value.upToBytes} bytes, but for multiples of ${value.chunkBytes}**`;
  return field.endsWith('Bytes') ? `**${value} bytes**` : `**${value}**`;
}

/** The range over all runs without losses, each against the row that this one builds on. */
function effectOf({ name, apply, on = [] }: Difference, cases: readonly CaseResult[]): string {
  if (apply === undefined) return 'not measured here: the same, or not reached';
  const pairs = cases.map(({ reference, changed }) => {
    const before = changed.get(on.at(-1) ?? '') ?? reference;
    return { before, after: changed.get(name) ?? reference, hasLosses: reference.sentAgain > 0 };
  });
  const runs = pairs.filter(({ hasLosses }) => !hasLosses);
  const change = (key: 'meanNs' | 'maxQueueBytes'): number[] =>
    runs.map(({ before, after }) => after[key] / before[key] - 1);
  const [means, queues] = [change('meanNs'), change('maxQueueBytes')];
  if ([...means, ...queues].some((share) => share !== 0)) return `mean ${range(means)}; queue ${range(queues)}`;
  if (runs.some(({ before, after }) => !isEqual(before, after))) return 'only on marks or pauses';
  return pairs.some(({ before, after }) => !isEqual(before, after)) ? 'with losses only' : 'none';
}

function range(shares: readonly number[]): string {
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return least === most ? percent(least) : `${percent(least)} to ${percent(most)}`;
}

function percent(share: number): string {
  const text = (share * 100).toFixed(Math.abs(share) < 0.1 ? 1 : 0);
  if (share !== 0 && Number(text) === 0) return share > 0 ? 'below +0.1 %' : 'above -0.1 %';
  return `${share > 0 ? '+' : ''}${Number(text) === 0 ? '0' : text} %`;
}

/** A run's rows: those that change something, and the names of those that don't. */
export function caseTable({ reference, standard, changed }: CaseResult): string {
  const rows = [...changed].filter(([, measured]) => !isEqual(measured, reference));
  const idle = [...changed].filter(([, measured]) => isEqual(measured, reference)).map(([name]) => name);
  const cells: readonly (readonly [string, Measured])[] = [['`reference`', reference], ...rows, [
    '`standard`, all of it',
    standard,
  ]];
  return [
    table([
      'with',
      'mean completion, µs',
      'change',
      'longest queue, kB',
      'marks',
      'pauses',
      'retransmitted',
      'unfinished',
    ], cells.map(([name, measured]) => [name, ...numbers(measured, reference)])),
    '',
    `No change from: ${idle.join(', ')}.`,
  ].join('\n');
}

function numbers(measured: Measured, reference: Measured): string[] {
  const { meanNs, maxQueueBytes, marks, pauses, sentAgain, unfinished } = measured;
  const change = measured === reference ? '' : percent(meanNs / reference.meanNs - 1);
  return [
    (meanNs / NS_PER_US).toFixed(3),
    change,
    (maxQueueBytes / BYTES_PER_KB).toFixed(1),
    ...[marks, pauses, sentAgain, unfinished].map(String),
  ];
}

function isEqual(a: Measured, b: Measured): boolean {
  return (Object.keys(a) as (keyof Measured)[]).every((key) => a[key] === b[key]);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const isNumbers = heads.length > 4;
  const ruler = heads.map((_, column) => (isNumbers && column > 0 ? '---:' : '---'));
  return [line(heads), `|${ruler.join('|')}|`, ...rows.map(line)].join('\n');
}
