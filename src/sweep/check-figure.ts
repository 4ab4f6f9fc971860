/** Validates the figures of a sweep, key by key. Whether their axes exist is checked with the plan. */
import { checkField, checkKeys, checkRecord, oneOf } from '../config/field-rules.js';
import { checkMetric } from './metrics.js';

/** Required and optional keys, by kind. Metrics must exist; all other keys are texts. */
const KEYS: Readonly<
  Record<
    string,
    { readonly axes: readonly string[]; readonly metrics: readonly string[]; readonly optional: readonly string[] }
  >
> = {
  'size-buckets': { axes: [], metrics: [], optional: ['title', 'series', 'percentile'] },
  cdf: { axes: [], metrics: [], optional: ['title', 'series', 'of'] },
  lines: { axes: ['x'], metrics: ['metric'], optional: ['title', 'series'] },
  'heat-map': { axes: ['x', 'y'], metrics: ['metric'], optional: ['title'] },
  pareto: { axes: [], metrics: ['x', 'y'], optional: ['title', 'series'] },
};
const TEXT = { allowed: 'text', accepts: (value: unknown) => typeof value === 'string' && value !== '' };

export function checkFigure(given: unknown, where: string): void {
  const figure = checkRecord(given, where);
  const { kind, percentile, of } = figure;
  checkField(kind, oneOf(...Object.keys(KEYS)), `${where}.kind`);
  const { axes, metrics, optional } = KEYS[kind as string];
  checkKeys(figure, ['kind', ...axes, ...metrics, ...optional], where);
  for (const axis of axes) checkField(figure[axis], TEXT, `${where}.${axis}`);
  for (const metric of metrics) checkMetric(figure[metric], `${where}.${metric}`);
  for (const text of ['title', 'series']) {
    if (figure[text] !== undefined) checkField(figure[text], TEXT, `${where}.${text}`);
  }
  if (percentile !== undefined) checkField(percentile, oneOf(50, 95, 99), `${where}.percentile`);
  if (of !== undefined) checkField(of, oneOf('slowdown', 'completion'), `${where}.of`);
}
