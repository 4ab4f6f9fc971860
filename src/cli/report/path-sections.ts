/** Report section on the path of one flow per run: a drawing, a description in words, and tables. */
import type { FlowPath } from '../../sim/index.js';
import { escapeHtml } from '../../view/format.js';
import { PATH_COLORS, PATH_DASHES, pathSvg } from '../../view/path-svg.js';
import { kindName, PATH_PORT_COLUMNS, pathPortRows, pathSentences, ROUTE_COLUMNS, routeRows,
  type PathFormats } from '../../view/path-words.js';
import { formatBytes, formatCount, formatDuration, formatRate } from '../format.js';
import { htmlTable, type HtmlColumn } from './report-tables.js';

const FORMATS: PathFormats = { size: formatBytes, rate: formatRate, duration: formatDuration, count: formatCount };

/** Empty if no flow was followed. @param paths one per run, in the order of `names`. */
export function pathSection(paths: readonly (FlowPath | undefined)[], names: readonly string[]): string {
  const parts = paths.flatMap((path, run) =>
    path === undefined ? [] : [onePath(path, names[run] ?? '', run, paths.length > 1)]
  );
  if (parts.length === 0) return '';
  return `<section aria-labelledby="path"><h2 id="path">The path of a flow</h2>\n${parts.join('\n')}\n</section>`;
}

function onePath(path: FlowPath, name: string, run: number, isNamed: boolean): string {
  const { flow } = path;
  const words = pathSentences(path, FORMATS).map((sentence) => `<p>${escapeHtml(sentence)}</p>`);
  return `${isNamed ? `<h3>${escapeHtml(name)}</h3>\n` : ''}${words.join('\n')}
<div class="drawing themed" data-path="${run}">${pathSvg(path, formatBytes)}</div>
${legend(path)}
${
    htmlTable(`Links that the packets of flow ${flow} of ${name} passed`, columns(ROUTE_COLUMNS),
      routeRows(path, FORMATS))
  }
${
    htmlTable(`Ports on the path of flow ${flow} of ${name}, in the whole run`, columns(PATH_PORT_COLUMNS),
      pathPortRows(path, FORMATS))
  }`;
}

function columns(heads: readonly (readonly [head: string, isNumeric: boolean])[]): HtmlColumn[] {
  return heads.map(([head, isNumeric]) => ({ head, isNumeric }));
}

function legend({ response, congestedPort, ports }: FlowPath): string {
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
