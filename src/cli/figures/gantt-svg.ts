/**
 * A Gantt chart of jobs as SVG: a row per rank with its compute phases, sends and receives, and lines for the messages
 * of the critical path. In the report it uses the page's colours; as a file it includes its own.
 */
import type { JobResult, JobTimeline, SimResult } from '../../sim/result.js';
import { PS_PER_US } from '../../units.js';
import { formatDuration } from '../../view/format.js';
import { svgDocument, svgElement, svgText, svgTitle } from '../../view/svg.js';
import { linearTicks } from './scales.js';

/** Maximum number of ranks drawn per job. */
const RANKS_SHOWN = 64;
const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [960, 76, 16, 26, 30];
const [ROW, BAR] = [22, 6];
const TICKS = 8;
const KINDS = ['compute', 'send', 'receive'] as const;
const FILLS = ['#0062b8', '#b84300', '#00705a'];
const CRITICAL = '#b00040';

interface Scale {
  readonly fromPs: number;
  readonly toPs: number;
}

/** Draws all jobs of a result, one below the other; empty if none has a timeline. */
export function ganttSvg({ jobs = [], scenario }: SimResult): string {
  const drawn = jobs.filter(({ timeline }) => (timeline?.operations.length ?? 0) > 0);
  if (drawn.length === 0) return '';
  const scale = {
    fromPs: Math.min(...drawn.map(({ startPs }) => startPs)),
    toPs: drawn.reduce((last, { timeline }) => lastEnd(timeline, last), 0),
  };
  const parts: string[] = [];
  let top = TOP;
  for (const job of drawn) {
    parts.push(jobSvg(job, scale, top));
    top += TOP + Math.min(job.ranks, RANKS_SHOWN) * ROW;
  }
  const height = top - TOP + BOTTOM + TOP;
  return svgDocument({
    width: WIDTH,
    height,
    title: `${scenario.name}: jobs over time`,
    paper: '#fff',
    ink: '#222',
    parts: [...parts, axisSvg(scale, top - TOP + 8), legendSvg(height - 8)],
  });
}

function lastEnd(timeline: JobTimeline | undefined, last: number): number {
  return (timeline?.endPs ?? []).reduce((most, endPs) => Math.max(most, endPs), last);
}

function jobSvg(job: JobResult, scale: Scale, top: number): string {
  const { timeline, name, ranks, hosts, criticalPath } = job;
  if (timeline === undefined) return '';
  const shown = Math.min(ranks, RANKS_SHOWN);
  const hidden = ranks > shown ? `, the first ${shown} of ${ranks} ranks` : '';
  const lines = [svgText(LEFT, top - 8, `${name}${hidden}`, { 'font-weight': '600' })];
  for (let rank = 0; rank < shown; rank++) {
    const y = top + rank * ROW;
    lines.push(lineSvg(LEFT, y + ROW - 1, WIDTH - RIGHT, y + ROW - 1, '#ddd'),
      svgText(LEFT - 6, y + 14, `${rank} ${hosts[rank] ?? ''}`, { 'text-anchor': 'end' }));
  }
  timeline.rank.forEach((rank, at) => {
    if (rank < shown) lines.push(barSvg(timeline, at, scale, top + rank * ROW + timeline.kind[at] * (BAR + 1)));
  });
  return [...lines, ...criticalLines(criticalPath?.steps ?? [], timeline, scale, { top, shown })].join('\n');
}

function barSvg(timeline: JobTimeline, at: number, scale: Scale, y: number): string {
  const kind = timeline.kind[at] ?? 0;
  const [fromPs, toPs] = [timeline.startPs[at] ?? 0, timeline.endPs[at] ?? 0];
  const x = xOf(fromPs, scale);
  const width = Math.max(0.6, xOf(toPs, scale) - x);
  const name = timeline.names[at] ?? '';
  const words = `${KINDS[kind] ?? ''}${name === '' ? '' : ` ${name}`}, rank ${timeline.rank[at] ?? 0}: ${
    formatDuration(toPs - fromPs)
  } from ${formatDuration(fromPs)}`;
  return svgElement('rect', {
    x,
    y: y + 1,
    width,
    height: BAR,
    fill: FILLS[kind] ?? '#888',
    opacity: kind === 2 ? '0.55' : undefined,
  }, svgTitle(words));
}

/** A line from sender to receiver for each message of the critical path. */
function criticalLines(steps: NonNullable<JobResult['criticalPath']>['steps'], timeline: JobTimeline, scale: Scale,
  { top, shown }: { readonly top: number; readonly shown: number }): string[] {
  const placeOf = new Map(timeline.operations.map((operation, at) => [operation, at]));
  return steps.flatMap(({ kind, rank, operation, fromPs, toPs }) => {
    const to = timeline.rank[placeOf.get(operation) ?? -1];
    if (kind !== 'message' || to === undefined || to >= shown || rank >= shown || to === rank) return [];
    const [y1, y2] = [top + rank * ROW + BAR + 4, top + to * ROW + 2 * BAR + 5];
    return [lineSvg(xOf(fromPs, scale), y1, xOf(toPs, scale), y2, CRITICAL)];
  });
}

function axisSvg({ fromPs, toPs }: Scale, y: number): string {
  const ticks = linearTicks(fromPs / PS_PER_US, Math.max(toPs, fromPs + 1) / PS_PER_US, TICKS);
  const lines = ticks.map((us) => {
    const x = xOf(us * PS_PER_US, { fromPs, toPs });
    return lineSvg(x, y - 6, x, y - 1, '#444') + svgText(x, y + 12, `${us} µs`, { 'text-anchor': 'middle' });
  });
  return lines.join('\n');
}

function legendSvg(y: number): string {
  const words = ['computes', 'sends', 'receives, from posted to done'];
  const boxes = words.map((text, kind) => {
    const x = LEFT + kind * 110;
    return svgElement('rect', { x, y: y - 9, width: 14, height: 9, fill: FILLS[kind] }) + svgText(x + 18, y, text);
  });
  const x = LEFT + 440;
  return [...boxes, lineSvg(x, y - 4, x + 18, y - 4, CRITICAL), svgText(x + 24, y, 'messages of the critical path')]
    .join('\n');
}

function lineSvg(x1: number, y1: number, x2: number, y2: number, stroke: string): string {
  return svgElement('line', { x1, y1, x2, y2, stroke });
}

function xOf(timePs: number, { fromPs, toPs }: Scale): number {
  return LEFT + ((WIDTH - LEFT - RIGHT) * (timePs - fromPs)) / Math.max(1, toPs - fromPs);
}
