/**
 * HTML placeholders in which the page's script draws charts, with headings, captions with units, and texts for empty
 * charts.
 */
import { escapeHtml, formatCount } from '../../view/format.js';
import type { PageData, PageRun } from './report-data.js';

interface Chart {
  readonly id: string;
  /** Kind of chart. */
  readonly kind: 'queue' | 'utilization' | 'fairness' | 'completions' | 'sizes' | 'pauses' | 'rates' | 'figure';
  /** Index of the run or figure, for charts of a single one. */
  readonly run?: number;
  readonly title: string;
  readonly caption: string;
  /** Text shown if there is nothing to draw. */
  readonly empty?: string;
}

const ZOOM_HINT = '<p class="on-screen">Drag across a chart to look closer; a double click shows all again.</p>\n';

/** The first section, queues over time, and all other sections with charts. */
export function chartSections(
  { runs, figures }: PageData,
): readonly [first: string, ...others: readonly ChartSection[]] {
  const hasSeries = runs.some(({ timesUs }) => timesUs.length > 0);
  const noSeries = hasSeries ? {} : { empty: 'No series were recorded.' };
  return [
    section('over-time', 'Queues over time', ZOOM_HINT + portChoice(runs) + [
      {
        id: 'chart-queue',
        kind: 'queue',
        title: 'Queue',
        caption: queueCaption(runs),
        ...noSeries,
      } as const,
      {
        id: 'chart-utilization',
        kind: 'utilization',
        title: 'Utilization',
        caption: 'Share of each interval in which the port was sending, in percent, over time.',
        ...noSeries,
      } as const,
    ].map(figure).join('\n')),
    part('rates', 'Allowed rates of the senders',
      runs.map((run, index) => figure(rateChart(run, index))).join('\n') + figure({
        id: 'chart-fairness',
        kind: 'fairness',
        title: 'Fairness',
        caption: "Jain's index of the rates of the running flows, over time; 1 means all are equal.",
        ...fairnessGap(runs),
      })),
    part('completion', 'Completion times', [
      {
        id: 'chart-completions',
        kind: 'completions',
        title: 'Completion time, cumulative',
        caption: 'Share of the flows, in percent, that were done after this time from their start.',
        ...noneDone(runs),
      } as const,
      {
        id: 'chart-sizes',
        kind: 'sizes',
        title: 'Completion time by size',
        caption: sizesCaption(runs),
        ...noneDone(runs),
      } as const,
    ].map(figure).join('\n')),
    ...(figures.length === 0 ? [] : [part('sizes', 'Slowdown by flow size', figurePlaces(figures))]),
    part('pauses', 'Pauses', figure({
      id: 'chart-pauses',
      kind: 'pauses',
      title: 'Paused ports',
      caption: 'How long PFC kept each port from sending, summed over its classes; the ports paused longest.',
      ...(runs.some(({ pauses }) => pauses.length > 0) ?
        {} :
        { empty: runs.length === 1 ? 'No port was paused.' : 'No port was paused in any run.' }),
    })),
  ];
}

function queueCaption(runs: readonly PageRun[]): string {
  const ports = runs.flatMap((run) => run.ports);
  const marks = ports.some(({ kminBytes }) => kminBytes !== undefined);
  const pauses = ports.some(({ pauseBytes }) => pauseBytes !== undefined);
  return `Most bytes waiting at the port in each interval, over time.${
    marks ? ' Packets are marked with rising probability from Kmin, always from Kmax.' : ''
  }${
    pauses ?
      ' Dashed: the lowest XOFF threshold among the ingress ports of its switch. PFC compares it with ingress occupancy, not with this egress queue.' :
      ''
  }`;
}

function noneDone(runs: readonly PageRun[]): Pick<Chart, 'empty'> {
  return runs.some(({ completions }) => completions.length > 0) ? {} : { empty: 'No flow was done.' };
}

function sizesCaption(runs: readonly PageRun[]): string {
  const isWhole = runs.every(({ sizes, flowCount }) => sizes.sizeBytes.length === flowCount);
  return `Time from start to end over the size of the flow, both on logarithmic axes: a dot for each flow${
    isWhole ? '' : ' of some thousands, evenly chosen'
  }${runs.length > 1 ? ', rings from the second run on' : ''}.`;
}

/** A placeholder for each figure, in order. */
export function figurePlaces(figures: PageData['figures']): string {
  return figures.map(({ id, title, caption }, run) =>
    figure({ id: `chart-${id}`, kind: 'figure', run, title, caption })
  )
    .join('\n');
}

function rateChart({ name, flows, flowCount }: PageRun, run: number): Chart {
  const which = flows.length === flowCount ?
    `each of ${formatCount(flowCount)} flows` :
    `the first ${flows.length} of ${formatCount(flowCount)} flows`;
  return {
    id: `chart-rates-${run}`,
    kind: 'rates',
    run,
    title: `Allowed rates, ${name}`,
    caption: `Allowed rate of ${
      flowCount === 1 ? 'the flow' : which
    }, over time, while it is running, on a logarithmic scale. The thick line is their mean.`,
    ...(flows.length === 0 ? { empty: 'No rates were recorded.' } : {}),
  };
}

function fairnessGap(runs: readonly PageRun[]): Pick<Chart, 'empty'> {
  return runs.some(({ fairness }) => fairness.some((index) => index !== null)) ?
    {} :
    { empty: 'No two flows were running at once.' };
}

/** A section with charts below the first one. */
interface ChartSection {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

function part(id: string, title: string, html: string): ChartSection {
  return { id, title, html };
}

function section(id: string, title: string, html: string): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>\n${html}\n</section>`;
}

/** The menu of ports. Its first entry selects the port with the longest queue, in each run. */
function portChoice(runs: readonly PageRun[]): string {
  const names = [...new Set(runs.flatMap(({ ports }) => ports.map(({ name }) => name)))];
  if (names.length < 2) return '';
  const options = names.map((name) => `<option value="${escapeHtml(name)}">${escapeHtml(name)}</option>`);
  return `<p class="on-screen"><label>Port (node:peer) <select id="port"><option value="">longest queue of each run</option>${
    options.join('')
  }</select></label></p>\n`;
}

function figure({ id, kind, run, title, caption, empty }: Chart): string {
  const heading = `<figcaption id="${id}-caption"><strong>${escapeHtml(title)}</strong> <span>${
    escapeHtml(caption)
  }</span></figcaption>`;
  if (empty !== undefined) return `<figure>${heading}<p class="empty">${escapeHtml(empty)}</p></figure>`;
  const about = run === undefined ? '' : ` data-run="${run}"`;
  return `<figure>${heading}<div class="chart" id="${id}" data-chart="${kind}"${about} role="img" aria-labelledby="${id}-caption"></div></figure>`;
}
