/** Formats the results of runs as plain text: tables and charts. */
import { explainResult, verdictOf, verdictWords } from '../../sim/explain/explain.js';
import type { SimResult, WanNodeResult } from '../../sim/result.js';
import { formatByUnit, formatCount, formatCountOf, formatPerSecond, formatSeconds } from '../../view/format.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { fittingTables, stacked, type Column, table } from '../text-table.js';
import { commonScale, runCharts, type ChartScale } from './charts-text.js';
import { jobSection, endedWords, flowsOf, metricRows } from './run-tables.js';
import type { Outcome } from './run-all.js';

export interface RunReport {
  readonly outcomes: readonly Outcome[];
  /** Scenarios that were not run because the user cancelled. */
  readonly skipped: readonly string[];
  /** Files written, each with a description. */
  readonly files: readonly WrittenFile[];
  /** Suggestions of what to try next. */
  readonly hints: readonly string[];
  /** Whether to fit the report on one screen: the main metrics and explanations, without charts and notes. */
  readonly isShort?: boolean;
}

export interface WrittenFile {
  readonly what: string;
  readonly file: string;
}

/** The whole report of compared runs, with a line end. */
export function renderRuns(report: RunReport, style: TextStyle): string {
  const lines = report.isShort === true ?
    shortSection(report, style) :
    [...withoutGap(groupSection(report.outcomes, style)), ...endSection(report, style)];
  return textOf(lines);
}

/** The text of a single run, with a line end. */
export function renderRun(outcome: Outcome, isFirst: boolean, style: TextStyle): string {
  const lines = groupSection([outcome], style);
  return textOf(isFirst ? withoutGap(lines) : lines);
}

/** The text after all runs, with a line end; may be empty. */
export function renderEnd(report: Omit<RunReport, 'isShort'>, style: TextStyle): string {
  const lines = endSection(report, style);
  return textOf(report.outcomes.length === 0 ? withoutGap(lines) : lines);
}

function textOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function withoutGap(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first);
}

/** The short report, for terminals of 24 lines. */
function shortSection(report: RunReport, style: TextStyle): string[] {
  const { outcomes, skipped, files, hints } = report;
  const [title = '', ...intro] = wrap(outcomes[0]?.result.scenario.description ?? '', style, 0).map((line) =>
    line.trim()
  );
  return [
    ...(title === '' ? [] : [title, ...intro]),
    ...(outcomes.length === 0 ? [] : metricTables(outcomes, style, true)),
    '',
    ...outcomes.flatMap(({ scenario, result }) => wrap(`${scenario.name}: ${reasonsInShort(result)}`, style)),
    ...(skipped.length === 0 ? [] : wrap(`Cancelled before: ${skipped.join(', ')}.`, style)),
    ...files.map(({ what, file }) => `  ${what}  ${file}`),
    ...hints,
  ];
}

/** Short explanations: what kept queues in check, and what delayed the slowest flow. */
function reasonsInShort(result: SimResult): string {
  const ended = endedWords(result);
  return [
    ...(ended === undefined ? [] : [ended]),
    ...explainResult(result).flatMap(({ inShort }) => inShort ?? []),
  ].join(' ');
}

function groupSection(outcomes: readonly Outcome[], style: TextStyle): string[] {
  if (outcomes.length === 0) return [];
  const results = outcomes.map(({ result }) => result);
  const scale = commonScale(results);
  const title = outcomes.length === 1 ?
    `roce-cc run: ${outcomes[0]?.scenario.name ?? ''}` :
    `roce-cc run: ${outcomes.length} runs compared`;
  return [
    ...heading(title, style),
    ...(outcomes.length === 1 ? verdictLines(results, style) : []),
    ...outcomes.flatMap((outcome) => headLines(outcome, outcomes.length > 1, style)),
    '',
    ...metricTables(outcomes, style),
    ...outcomes.flatMap(({ result, alonePs }) => jobSection(result, style, alonePs)),
    ...outcomes.flatMap(({ result }) => wanSection(result, style)),
    ...outcomes.flatMap((outcome) => chartSection(outcome, scale, outcomes.length > 1, style)),
    ...noteSection(outcomes, style),
  ];
}

/** The summary at the top: outcome, bottleneck, what to try. */
function verdictLines([result]: readonly SimResult[], style: TextStyle): string[] {
  return [...verdictWords(verdictOf(result)).flatMap((sentence) => wrap(sentence, style)), ''];
}

/** Minimum wall-clock time from which a speed is shown. */
const SPEED_FROM_SECONDS = 2;

function headLines({ scenario, result, wallSeconds }: Outcome, isNamed: boolean, style: TextStyle): string[] {
  const { description } = result.scenario;
  // Start-up and compilation would dominate in a short run.
  const speed = wallSeconds < SPEED_FROM_SECONDS ?
    '' :
    `, ${formatPerSecond(result.packetHops / wallSeconds, 'packet hops')}`;
  const facts = `${formatCountOf(flowsOf(result), 'flow')}, fidelity ${result.fidelity}, seed ${result.seed}; took ${
    formatSeconds(wallSeconds)
  }${speed}`;
  const ended = endedWords(result);
  const intro = isNamed ? `${scenario.name}: ` : '';
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(isNamed ? verdictWords(verdictOf(result)).slice(0, 1) : []),
    facts,
    ...(ended === undefined ? [] : [ended]),
  ];
  return sentences.flatMap((sentence, index) =>
    wrap(index === 0 ? `${intro}${sentence}` : sentence, style, index === 0 || !isNamed ? undefined : 4)
  );
}

/** Maximum width of a run's name, in characters, when several are side by side. */
const HEAD_WIDTH = 18;

/** The table, split into several if its runs don't fit side by side. */
function metricTables(outcomes: readonly Outcome[], style: TextStyle, isShort = false): string[] {
  const rows = metricRows(outcomes.map(({ result }) => result), isShort);
  const first: Column = { head: '', align: 'left' };
  const columns = outcomes.map(({ scenario }): Column => ({
    // A single run is already named in the heading.
    head: outcomes.length > 1 ? stacked(scenario.name, HEAD_WIDTH) : '',
  }));
  const spread = rows.map(({ title, values }) => ({ repeated: [title], spread: values }));
  return fittingTables([first], columns, spread, style.columns).flatMap((lines, index) => [
    ...(index === 0 ? [] : ['']),
    ...withoutGap(lines),
  ]);
}

function chartSection({ scenario, result }: Outcome, scale: ChartScale, isNamed: boolean, style: TextStyle): string[] {
  const charts = runCharts(result, scale, style);
  if (charts.length === 0) return [];
  return [...heading(isNamed ? `${scenario.name} over time` : 'Over time', style), ...charts];
}

function noteSection(outcomes: readonly Outcome[], style: TextStyle): string[] {
  const isNamed = outcomes.length > 1;
  const notes = outcomes.flatMap(({ scenario, result, captures }) => {
    const all = new Set([...result.notes, ...captures.flatMap((capture) => capture.notes.map(({ text }) => text))]);
    return [...all].map((note) => (isNamed ? `${scenario.name}: ${note}` : note));
  });
  return notes.length === 0 ? [] : [...heading('Notes', style), ...notes.flatMap((note) => wrap(`- ${note}`, style))];
}

function endSection({ skipped, files, hints }: RunReport, style: TextStyle): string[] {
  const cancelled = skipped.length === 0 ? [] : ['', ...wrap(`Cancelled before: ${skipped.join(', ')}.`, style, 0)];
  const width = files.reduce((widest, { what }) => Math.max(widest, what.length), 0);
  // Paths are not wrapped, so that they can be copied.
  const written = files.length === 0 ?
    [] :
    [...heading('Written', style), ...files.map(({ what, file }) => `  ${what.padEnd(width)}  ${file}`)];
  return [...cancelled, ...written, ...(hints.length === 0 ? [] : ['', ...hints])];
}

/** Results of outcomes, in order. */
export function resultsOf(outcomes: readonly Outcome[]): SimResult[] {
  return outcomes.map(({ result }) => result);
}

/** Maximum number of held services, flows or classes shown. */
const HELD_SHOWN = 8;
const NODES: readonly Column[] = [
  { head: 'node', align: 'left' },
  { head: 'encapsulated' },
  { head: 'decapsulated' },
  { head: 'END.CON sent' },
  { head: 'received' },
  { head: 'denied in' },
  { head: 'denied out' },
  { head: 'ECN warnings' },
  { head: 'dropped' },
];
const PORTS: readonly Column[] = [
  { head: 'port', align: 'left' },
  { head: 'ARNs sent' },
  { head: 'refreshed' },
  { head: 'resumes' },
  { head: 'received' },
  { head: 'expired' },
  { head: 'held' },
];
const HELD: readonly Column[] = [{ head: 'held', align: 'left' }, { head: 'for' }];

/** Tables of tunnels, provider edges and ARNs; empty for runs without a WAN with provider edges. */
export function wanSection({ wan }: SimResult, style: TextStyle): string[] {
  if (wan === undefined) return [];
  const { nodes, arnPorts = [], held = [] } = wan;
  return [
    ...heading('WAN', style),
    ...table(NODES, nodes.map(nodeRow)),
    ...(arnPorts.length === 0 ?
      [] :
      [
        '',
        ...table(PORTS, arnPorts.map((port) => [
          port.port,
          formatCount(port.arnsSent),
          formatCount(port.arnsRefreshed),
          formatCount(port.arnResumes),
          formatCount(port.arnsReceived),
          formatCount(port.arnsExpired),
          formatByUnit(port.heldPs, 'ps'),
        ])),
      ]),
    ...(held.length === 0 ?
      [] :
      [
        '',
        ...table(HELD, held.slice(0, HELD_SHOWN).map(({ level, name, heldPs }) => [
          `${level} ${name}`,
          formatByUnit(heldPs, 'ps'),
        ])),
      ]),
  ];
}

function nodeRow(node: WanNodeResult): string[] {
  const { encapsulated, decapsulated, endConSent, endConReceived, fastCnpsDeniedIn, fastCnpsDeniedOut } = node;
  return [
    node.node,
    ...[encapsulated, decapsulated, endConSent, endConReceived, fastCnpsDeniedIn, fastCnpsDeniedOut]
      .map((count) => formatCount(count)),
    formatCount(node.ecnUnused + node.ecnDangerous),
    formatCount(node.ecnDropped),
  ];
}
