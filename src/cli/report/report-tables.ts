/** The tables of a report, as HTML; and its section on the path of one flow per run: a drawing, sentences, and tables. */
import type { FlowPath } from '../../sim/index.js';
import type { FlowResult, PortResult, SimResult } from '../../sim/result.js';
import { escapeHtml, formatBytes, formatCount, formatDuration, formatPlain, formatRate,
  formatShare } from '../../view/format.js';
import { PATH_COLORS, PATH_DASHES, pathSvg } from '../../view/path-svg.js';
import { kindName, PATH_PORT_COLUMNS, pathPortRows, pathSentences, ROUTE_COLUMNS, routeRows,
  type PathFormats } from '../../view/path-words.js';
import { metricRows, NONE } from '../run/run-tables.js';

const FLOW_ROWS_MAX = 400;
const PORT_ROWS_MAX = 100;
const PATH_FORMATS: PathFormats = { size: formatBytes, rate: formatRate, duration: formatDuration, count: formatCount };

/** All runs side by side. The last column explains each metric, since few users see tooltips. */
export function comparisonTable(results: readonly SimResult[], names: readonly string[]): string {
  const columns: HtmlColumn[] = [
    { head: 'Metric' },
    ...names.map((head) => ({ head, isNumeric: true })),
    { head: 'Meaning', isWide: true },
    { head: 'Key', title: 'In sweeps and tunings' },
  ];
  const rows = metricRows(results).map(({ title, values, meaning, key }) => [title, ...values, meaning, key ?? NONE]);
  return htmlTable(names.length === 1 ? 'The run in numbers' : 'The runs in numbers', columns, rows);
}

const FLOW_COLUMNS: readonly HtmlColumn[] = [
  { head: 'Flow' },
  { head: 'From' },
  { head: 'To' },
  { head: 'Algorithm' },
  { head: 'Size', isNumeric: true },
  { head: 'Start', isNumeric: true },
  { head: 'Completion', isNumeric: true, title: 'Start to last ACK' },
  { head: 'Slowdown', isNumeric: true, title: 'Over that of the flow alone in the network' },
  { head: 'CNPs', isNumeric: true },
  { head: 'Fast CNPs', isNumeric: true },
  { head: 'Notification delay', isNumeric: true, title: 'From the start until the sender is first notified' },
  { head: 'Retransmitted', isNumeric: true, title: 'Packets' },
  { head: 'Last rate', isNumeric: true },
];

export function flowTable(result: SimResult, name: string): string {
  const { flows } = result;
  const shown = flows.length <= FLOW_ROWS_MAX ? flows : slowest(flows);
  const which = shown.length === flows.length ?
    'all' :
    `the ${formatCount(shown.length)} slowest of ${formatCount(flows.length)}`;
  return htmlTable(`Flows of ${name}, ${which}`, FLOW_COLUMNS, shown.map(flowRow), { isSortable: true });
}

/** The slowest flows. Unfinished flows count as the slowest. */
function slowest(flows: readonly FlowResult[]): FlowResult[] {
  return [...flows].sort((a, b) => (b.slowdown ?? Infinity) - (a.slowdown ?? Infinity) || a.index - b.index).slice(0,
    FLOW_ROWS_MAX);
}

/** A cell that is sorted by its value, whatever unit the text has. */
const sorted = (value: number, format: (value: number) => string): HtmlCell => ({ text: format(value), value });

function flowRow(flow: FlowResult): HtmlCell[] {
  const {
    index,
    from,
    to,
    algorithm,
    sizeBytes,
    startPs,
    completionPs,
    slowdown,
    cnps,
    fastCnps,
    firstNotificationPs,
  } = flow;
  const undone = `not done: ${formatBytes(flow.deliveredBytes)}`;
  return [
    sorted(index, String),
    from,
    to,
    algorithm,
    sorted(sizeBytes, formatBytes),
    sorted(startPs, formatDuration),
    completionPs === null ? undone : sorted(completionPs, formatDuration),
    slowdown === null ? NONE : sorted(slowdown, formatPlain),
    sorted(cnps, formatCount),
    sorted(fastCnps, formatCount),
    firstNotificationPs === null ? NONE : sorted(firstNotificationPs - startPs, formatDuration),
    sorted(flow.retransmittedPackets, formatCount),
    flow.finalRateBps === undefined ? NONE : sorted(flow.finalRateBps, formatRate),
  ];
}

const PORT_COLUMNS: readonly HtmlColumn[] = [
  { head: 'Port', title: 'node:peer' },
  { head: 'Rate', isNumeric: true },
  { head: 'Packets sent', isNumeric: true },
  { head: 'Sent', isNumeric: true },
  { head: 'Busy', isNumeric: true, title: 'Share of the simulated time' },
  { head: 'Queue, max', isNumeric: true },
  { head: 'Queue, mean', isNumeric: true },
  { head: 'Marks', isNumeric: true },
  { head: 'Fast CNPs', isNumeric: true },
  { head: 'Drops', isNumeric: true },
  { head: 'Pauses sent', isNumeric: true },
  { head: 'Paused', isNumeric: true, title: 'Time, summed over classes' },
];

export function portTable({ ports }: SimResult, name: string): string {
  const busiest = [...ports].filter(({ txPackets, drops }) => txPackets + drops > 0).sort((a, b) =>
    b.maxQueueBytes - a.maxQueueBytes
  );
  const shown = busiest.slice(0, PORT_ROWS_MAX);
  const which = shown.length === busiest.length ?
    'those that sent something' :
    `the ${formatCount(shown.length)} with the longest queues of ${formatCount(busiest.length)}`;
  return htmlTable(`Ports of ${name}, ${which}`, PORT_COLUMNS, shown.map(portRow), { isSortable: true });
}

function portRow(port: PortResult): HtmlCell[] {
  return [
    port.name,
    sorted(port.rateBps, formatRate),
    sorted(port.txPackets, formatCount),
    sorted(port.txBytes, formatBytes),
    sorted(port.utilization, (share) => formatShare(share, 1)),
    sorted(port.maxQueueBytes, formatBytes),
    sorted(port.meanQueueBytes, formatBytes),
    sorted(port.marks, formatCount),
    sorted(port.fastCnps, formatCount),
    sorted(port.drops, formatCount),
    sorted(port.pausesSent, formatCount),
    sorted(port.pausedPs, formatDuration),
  ];
}

/** Only the main metrics. */
export function shortTable(results: readonly SimResult[], names: readonly string[]): string {
  const columns: HtmlColumn[] = [{ head: 'Metric' }, ...names.map((head) => ({ head, isNumeric: true }))];
  return htmlTable('In short', columns, metricRows(results, true).map(({ title, values }) => [title, ...values]));
}

/**
 * The section on the path of one flow per run; empty if no flow was followed.
 *
 * @param paths one per run, in the order of `names`.
 */
export function pathSection(paths: readonly (FlowPath | undefined)[], names: readonly string[]): string {
  const parts = paths.flatMap((path, run) =>
    path === undefined ? [] : [pathOfRun(path, names[run] ?? '', run, paths.length > 1)]
  );
  if (parts.length === 0) return '';
  return `<section aria-labelledby="path"><h2 id="path">The path of a flow</h2>\n${parts.join('\n')}\n</section>`;
}

function pathOfRun(path: FlowPath, name: string, run: number, isNamed: boolean): string {
  const { flow } = path;
  const words = pathSentences(path, PATH_FORMATS).map((sentence) => `<p>${escapeHtml(sentence)}</p>`);
  return `${isNamed ? `<h3>${escapeHtml(name)}</h3>\n` : ''}${words.join('\n')}
<div class="drawing themed" data-path="${run}">${pathSvg(path, formatBytes)}</div>
${pathLegend(path)}
${
    htmlTable(`Links that the packets of flow ${flow} of ${name} passed`, pathColumns(ROUTE_COLUMNS),
      routeRows(path, PATH_FORMATS))
  }
${
    htmlTable(`Ports on the path of flow ${flow} of ${name}, in the whole run`, pathColumns(PATH_PORT_COLUMNS),
      pathPortRows(path, PATH_FORMATS))
  }`;
}

function pathColumns(heads: readonly (readonly [head: string, isNumeric: boolean])[]): HtmlColumn[] {
  return heads.map(([head, isNumeric]) => ({ head, isNumeric }));
}

function pathLegend({ response, congestedPort, ports }: FlowPath): string {
  const line = (role: 'data' | 'response'): string =>
    `<path d="M0 6H28" fill="none" stroke="${PATH_COLORS[role]}" stroke-width="2.5" stroke-dasharray="${
      PATH_DASHES[role]
    }"/>`;
  const entries: [drawing: string, words: string][] = [
    [line('data'), 'the data packet: level while it waits at a node, sloping while it is on a link'],
    ...(response === null ? [] : [[line('response'), `the ${kindName(response.kind)}`] as [string, string]]),
    ...(congestedPort === null ?
      [] :
      [[
        `<circle cx="14" cy="6" r="4.5" fill="${PATH_COLORS.paper}" stroke="${PATH_COLORS.data}" stroke-width="2.5"/>`,
        `leaves ${congestedPort}, the congested port`,
      ] as [string, string]]),
    [
      `<path d="M0 12L28 2V12Z" fill="${PATH_COLORS.queue}"/>`,
      'queue of the port, each by its own longest in this time',
    ],
    ...(ports.some(({ held }) => held.length > 0) ?
      [[`<rect y="4" width="28" height="5" fill="${PATH_COLORS.held}"/>`, "the flow's data is held there"] as [
        string,
        string,
      ]] :
      []),
  ];
  return `<ul class="legend">${
    entries.map(([drawing, words]) =>
      `<li><svg width="28" height="12" aria-hidden="true">${drawing}</svg> ${escapeHtml(words)}</li>`
    ).join('')
  }</ul>`;
}

/** A section that is closed until its heading is clicked; on paper it is open. */
export function foldedSection(id: string, title: string, html: string): string {
  return `<details class="section"><summary><h2 id="${id}">${escapeHtml(title)}</h2></summary>\n${html}\n</details>`;
}

/** HTML that is hidden until its summary line is clicked. */
export function foldedHtml(summary: string, html: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n${html}\n</details>`;
}

interface HtmlColumn {
  readonly head: string;
  /** Tooltip that explains the column. */
  readonly title?: string;
  readonly isNumeric?: boolean;
  /** Whether the column contains sentences. */
  readonly isWide?: boolean;
}

/** A text, or a text with the number to sort it by. */
type HtmlCell = string | { readonly text: string; readonly value: number };

/**
 * A table that scrolls sideways; its first column contains row headers.
 *
 * @param rows plain text, not HTML.
 */
export function htmlTable(caption: string, columns: readonly HtmlColumn[], rows: readonly (readonly HtmlCell[])[],
  { isSortable = false }: { readonly isSortable?: boolean } = {}): string {
  const heads = columns.map((column) =>
    `<th scope="col"${cellClass(column)}${hint(column.title)}>${escapeHtml(column.head)}</th>`
  );
  const body = rows.map((row) =>
    `<tr>${row.map((cell, index) => htmlCell(cell, index, columns[index])).join('')}</tr>`
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table${
    isSortable ? ' data-sortable' : ''
  }>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>`;
}

function htmlCell(cell: HtmlCell, index: number, column: HtmlColumn | undefined): string {
  const [text, value] = typeof cell === 'string' ? [cell, ''] : [cell.text, ` data-value="${cell.value}"`];
  return index === 0 ?
    `<th scope="row"${value}>${escapeHtml(text)}</th>` :
    `<td${cellClass(column)}${value}>${escapeHtml(text)}</td>`;
}

function cellClass(column: HtmlColumn | undefined): string {
  if (column?.isNumeric === true) return ' class="number"';
  return column?.isWide === true ? ' class="wide"' : '';
}

function hint(title: string | undefined): string {
  return title === undefined ? '' : ` title="${escapeHtml(title)}"`;
}
