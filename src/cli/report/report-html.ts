/**
 * The report as one HTML file: charts, tables, notes, scenarios, and the commands that reproduce it.
 *
 * The file loads nothing: it contains its script, style and data, and a content security policy forbids everything
 * else. Without scripts the tables remain.
 */
import { createHash } from 'node:crypto';
import type { FlowPath } from '../../sim/index.js';
import type { SimResult } from '../../sim/result.js';
import { explainResult, verdictOf, verdictWords } from '../../sim/explain/explain.js';
import { escapeHtml, formatCount, formatCountOf, formatDuration } from '../../view/format.js';
import { ganttSvg } from '../figures/gantt-svg.js';
import { networkSvg } from '../figures/network-svg.js';
import { endedWords, flowsOf } from '../run/run-tables.js';
import { uniqueNames } from '../run/run-names.js';
import { PAGE_LICENSE } from './page-assets.js';
import { pageData, type PageData } from './report-data.js';
import { chartSections } from './report-charts.js';
import { labLink } from './lab-link.js';
import { comparisonTable, flowTable, foldedHtml, foldedSection, portTable, shortTable,
  pathSection } from './report-tables.js';

/** Inputs of a page in addition to the results. */
export interface ReportAssets {
  /** Draws the charts; a classic script. */
  readonly script: string;
  readonly style: string;
  /** Version of the package. */
  readonly version: string;
  /** Command lines that reproduce the results, one or more. */
  readonly commands: readonly string[];
  /** Address of the lab that links open runs in. Default: no links. */
  readonly lab?: string | undefined;
  /** The path of a followed flow, one per run; undefined for a run without one. Default: none. */
  readonly paths?: readonly (FlowPath | undefined)[];
}

/** The content security policy: the page loads nothing, and only its own script and style apply. */
function contentPolicy(script: string, style: string): string {
  return `default-src 'none'; style-src '${hashOf(style)}'; script-src '${
    hashOf(script)
  }'; base-uri 'none'; form-action 'none'`;
}

/** Hash of an element's content, in the policy's format. */
function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

/** The HTML document. Equal results and assets give equal text. */
export function reportHtml(results: readonly SimResult[], assets: ReportAssets): string {
  const names = uniqueNames(results.map(({ scenario }) => scenario.name));
  const heading = names.length === 1 ? (names[0] ?? '') : `${names.length} runs compared`;
  const { paths = [] } = assets;
  const data = pageData(results, names, paths);
  const [first, ...others] = chartSections(data);
  const paragraphs = results.map((result, index) => introParagraph(result, names[index] ?? '', results.length > 1));
  return documentHtml({
    heading,
    // Descriptions of several runs would fill the first screen.
    intro: results.length === 1 ? paragraphs.join('\n') : `<p>${escapeHtml(names.join('; '))}</p>`,
    main: `${verdictSection(results, names)}
${first}
${shortTable(results, names)}
${results.length === 1 ? '' : foldedSection('about', 'The runs', paragraphs.join('\n'))}
${foldedSection('numbers', 'All numbers', comparisonTable(results, names))}
${pathSection(paths, names)}
${others.map(({ id, title, html }) => foldedSection(id, title, html)).join('\n')}
${results.map((result, index) => runSection(result, names[index] ?? '', index)).join('\n')}
${reproduceSection(results, names, assets)}`,
    data,
  }, assets);
}

/** Parts of a document: HTML, except the heading, which is plain text. */
interface DocumentParts {
  readonly heading: string;
  readonly intro: string;
  readonly main: string;
  /** Data that the script draws. */
  readonly data: PageData;
}

/** An HTML document that loads nothing, with these parts. */
export function documentHtml({ heading, intro, main, data }: DocumentParts,
  assets: Pick<ReportAssets, 'script' | 'style'>): string {
  const style = `\n${assets.style}\n`;
  const script = assets.script.replace(/<\/(script)/gi, '<\\/$1');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)} – roce-cc</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeHtml(heading)}</h1>
${intro}
</header>
<main>
${main}
</main>
<footer>
${foldedHtml('Licence of the charts (uPlot)', `<pre class="scroll" tabindex="0">${escapeHtml(PAGE_LICENSE)}</pre>`)}
</footer>
<script type="application/json" id="data">${scriptJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** A summary for each run: outcome, bottleneck and what to try. */
function verdictSection(results: readonly SimResult[], names: readonly string[]): string {
  const verdicts = results.map((result, index) => {
    const name = results.length === 1 ? '' : `<strong>${escapeHtml(names[index] ?? '')}:</strong> `;
    return `<p>${name}${verdictWords(verdictOf(result)).map(escapeHtml).join(' ')}</p>`;
  });
  return `<section class="verdict" aria-label="In short">\n${verdicts.join('\n')}\n</section>`;
}

function introParagraph(result: SimResult, name: string, isNamed: boolean): string {
  const { scenario, fidelity, seed } = result;
  const facts = `${formatCountOf(flowsOf(result), 'flow')}, fidelity ${fidelity}, seed ${formatCount(seed)}.`;
  const sentences = [scenario.description, facts, endedWords(result)].filter((sentence) => sentence !== undefined);
  const intro = isNamed ? `<strong>${escapeHtml(name)}</strong> ` : '';
  return `<p>${intro}${escapeHtml(sentences.join(' '))}</p>`;
}

function runSection(result: SimResult, name: string, index: number): string {
  return foldedSection(`run-${index}`, `${name} in detail`, `${notesHtml(result.notes)}
${explanationsHtml(result)}
${drawingHtml('The network', networkSvg(result), true)}
${drawingHtml('Jobs over time', ganttSvg(result), false)}
${foldedHtml(`Flows (${formatCount(result.flows.length)})`, flowTable(result, name))}
${foldedHtml(`Ports (${formatCount(result.ports.length)})`, portTable(result, name))}
${
    foldedHtml('Scenario',
      `<pre class="scroll" tabindex="0">${escapeHtml(JSON.stringify(result.scenario, undefined, 2))}</pre>`)
  }`);
}

/** @param isThemed whether the drawing uses the page's colours. */
function drawingHtml(title: string, svg: string, isThemed: boolean): string {
  return svg === '' ?
    '' :
    `<h3>${title}</h3>\n<div class="scroll drawing${isThemed ? ' themed' : ''}" tabindex="0">${svg}</div>`;
}

/** Links into the lab: one for two runs side by side, otherwise one for each run. */
function labLinks(results: readonly SimResult[], names: readonly string[], lab: string | undefined): string {
  if (lab === undefined) return '';
  const groups = results.length === 2 ? [results] : results.map((result) => [result]);
  const items = groups.map((group, index) => {
    const name = results.length === 2 ? 'both runs' : (names[index] ?? '');
    const link = labLink(lab, group);
    return link === undefined ?
      `<li>${escapeHtml(name)}: too large for a link</li>` :
      `<li><a href="${escapeHtml(link)}">Open ${escapeHtml(name)} in the lab</a></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function notesHtml(notes: readonly string[]): string {
  return notes.length === 0 ?
    '' :
    `<h3>Notes</h3>\n<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('\n')}</ul>`;
}

function explanationsHtml(result: SimResult): string {
  const pairs = explainResult(result).map(({ question, findings }) =>
    [`<dt>${escapeHtml(question)}</dt>`, ...findings.map(({ text }) => `<dd>${escapeHtml(text)}</dd>`)]
      .join('')
  );
  return pairs.length === 0 ? '' : `<h3>Why?</h3>\n<dl>${pairs.join('\n')}</dl>`;
}

function reproduceSection(results: readonly SimResult[], names: readonly string[],
  { commands, version, lab }: ReportAssets): string {
  const rows = results.map(({ seed, hash, events, simulatedPs },
    index) => (`<li><strong>${escapeHtml(names[index] ?? '')}</strong>: seed ${seed}, ${formatCount(events)} events, ${
      formatDuration(simulatedPs)
    } simulated, result hash <code>${escapeHtml(hash)}</code></li>`)
  );
  return foldedSection('reproduce', 'The same again', `<p>With roce-cc ${escapeHtml(version)}:</p>
<pre class="scroll" tabindex="0">${escapeHtml(commands.join('\n'))}</pre>
<p>The same scenario and seed give the same hash on every machine.</p>
<ul>${rows.join('\n')}</ul>
${labLinks(results, names, lab)}`);
}

/** JSON that is safe in a script element: it can't end the element or begin a comment. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
