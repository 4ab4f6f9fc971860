/** Arranges studies as pages: the result and charts first, then how the study was made. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../catalog.js';
import type { BarChart } from './bar-chart.js';
import { chartBlock } from './chart-block.js';

/** The result of each study, in one or two sentences. */
const OUTCOMES: Readonly<Record<string, string>> = {
  'docs/studies/fast-cnp-study.md':
    'Fast CNPs help where the congested port is near the senders and the receiver is far: long flows over a WAN are notified ' +
    'after microseconds instead of milliseconds. At the last hop they change little, and short flows over a WAN are slower with them.',
  'docs/studies/wan-study.md':
    'A router of the WAN that notifies senders itself saves two thirds of the notification delay, and the queue falls by the same ' +
    'factor. With enough memory, flows complete later for it.',
  'docs/studies/paths-study.md':
    'Spraying over all paths needs a transport that tolerates packets out of order: with one, flows complete in less than half of the ' +
    'time that they take under ECMP; under go-back-N they take several times longer.',
  'docs/studies/loss-study.md':
    'Without PFC and without marks only IRN keeps its goodput. Selective repeat without a bound on its window is worse than ' +
    'go-back-N.',
  'docs/studies/configurations-study.md':
    'Errors that the linter finds show in runs as drops, pauses or missing marks. 1,024 flows take many times longer to converge ' +
    'than any reading of the proposal says.',
};

/** Reorders a study's text for readers; other pages are unchanged. */
export function studyText(source: string, text: string): string {
  const outcome = OUTCOMES[source];
  if (outcome === undefined) return text;
  const [opening = '', ...parts] = text.split(/^(?=## )/m);
  const [title = '', how = ''] = opening.split(/\n([\s\S]*)/);
  const charts = chartsOf(source).map(chartBlock);
  // Link definitions at the end may be moved anywhere.
  return [title, outcome, ...charts, parts.join('').trim(), '## How it was made', how.trim()].join('\n\n') + '\n';
}

/** Charts of a study: in a file next to its page, written by the same command. */
export function chartsOf(source: string): readonly BarChart[] {
  const file = path.join(ROOT, source.replace(/md$/, 'json'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly charts: readonly BarChart[] }).charts;
}
