/** Validates JSON data as a sweep, key by key, with errors that name the axis. */
import { checkField, checkKeys, checkRecord, inRange, oneOf, reject as rejectConfig,
  wholeIn } from '../config/field-rules.js';
import { requirePlainJson } from '../config/json-limits.js';
import { RoceError, type RoceErrorFields } from '../errors.js';
import { checkMetric } from './metrics.js';
import type { SweepSpec } from './spec.js';
import { PATH_STEPS_MAX, stepsOfPath } from './value-path.js';

/** Maximum number of runs of any sweep. */
export const RUNS_MAX = 1_000_000;
/** Default maximum number of runs. */
export const DEFAULT_RUNS_MAX = 10_000;
const SEED_MAX = 2 ** 32 - 1;
const VALUES_MAX = 100_000;
const BUCKETS_MAX = 1000;
const FEW = 64;
const METRICS_MAX = 200;
const NUMBER_MAX = 1e300;

const SWEEP_KEYS = [
  '$schema',
  'name',
  'description',
  'base',
  'set',
  'axes',
  'seeds',
  'metrics',
  'sizeBuckets',
  'figures',
  'runsMax',
];

/**
 * Validates JSON data as a sweep.
 *
 * @throws RoceError `invalid-sweep`, naming the axis or key, its value and the allowed values.
 */
export function parseSweep(given: unknown): SweepSpec {
  return withCode(() => {
    requirePlainJson(given, 'invalid-sweep', 'sweep');
    const sweep = checkRecord(given, 'sweep');
    checkKeys(sweep, SWEEP_KEYS, 'sweep');
    checkField(sweep['name'], oneText(), 'sweep.name');
    if (sweep['description'] !== undefined) checkField(sweep['description'], text(), 'sweep.description');
    if (sweep['base'] === undefined) rejectConfig({ got: undefined, allowed: 'a scenario', where: 'sweep.base' });
    if (sweep['set'] !== undefined) checkValuesByPath(sweep['set'], 'sweep.set');
    if (sweep['axes'] !== undefined && !isEmpty(sweep['axes'])) checkEach(sweep['axes'], FEW, 'sweep.axes', checkAxis);
    checkSeeds(sweep['seeds']);
    if (sweep['metrics'] !== undefined) checkEach(sweep['metrics'], METRICS_MAX, 'sweep.metrics', checkMetric);
    checkBuckets(sweep['sizeBuckets']);
    if (sweep['figures'] !== undefined) checkEach(sweep['figures'], FEW, 'sweep.figures', checkFigure);
    if (sweep['runsMax'] !== undefined) checkField(sweep['runsMax'], wholeIn(1, RUNS_MAX), 'sweep.runsMax');
    return given as SweepSpec;
  });
}

/** Validates a job from another thread or machine, except for its scenario. @throws RoceError `invalid-sweep`. */
export function checkJob(given: unknown): void {
  withCode(() => {
    const job = checkRecord(given, 'job');
    checkKeys(job, ['scenario', 'metrics', 'sizeBuckets'], 'job');
    if (!isEmpty(job['metrics'])) checkEach(job['metrics'], METRICS_MAX, 'job.metrics', checkMetric);
    if (job['sizeBuckets'] !== null && !isEmpty(job['sizeBuckets'])) checkEdges(job['sizeBuckets'], 'job.sizeBuckets');
  });
}

/** Changes the code of errors to `invalid-sweep`. */
function withCode<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof RoceError && error.code === 'invalid-config' ?
      error.at(error.where, 'invalid-sweep') :
      error;
  }
}

/** Throws a RoceError `invalid-sweep`. */
export function rejectSweep(fields: RoceErrorFields): never {
  throw new RoceError('invalid-sweep', fields);
}

function text(): ReturnType<typeof oneOf> {
  return { allowed: 'text', accepts: (value) => typeof value === 'string' };
}

function oneText(): ReturnType<typeof oneOf> {
  return {
    allowed: 'text of at least one character',
    accepts: (value) => typeof value === 'string' && value.trim() !== '',
  };
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

function checkEach(given: unknown, lengthMax: number, where: string,
  check: (member: unknown, where: string) => void): void {
  if (!Array.isArray(given) || given.length === 0 || given.length > lengthMax)
    rejectConfig({ got: given, allowed: `a list of 1 to ${lengthMax} members`, where });
  for (let index = 0; index < given.length; index++) check((given as unknown[])[index], `${where}[${index}]`);
}

function checkAxis(given: unknown, where: string): void {
  const axis = checkRecord(given, where);
  if ('zip' in axis) {
    checkKeys(axis, ['zip'], where);
    checkEach(axis['zip'], FEW, `${where}.zip`, checkPlainAxis);
  } else if ('sample' in axis) {
    checkKeys(axis, ['sample', 'count', 'seed', 'ranges'], where);
    checkField(axis['sample'], oneOf('random', 'latin-hypercube'), `${where}.sample`);
    checkField(axis['count'], wholeIn(1, VALUES_MAX), `${where}.count`);
    if (axis['seed'] !== undefined) checkField(axis['seed'], wholeIn(0, SEED_MAX), `${where}.seed`);
    checkEach(axis['ranges'], FEW, `${where}.ranges`, checkSampledAxis);
  } else checkPlainAxis(given, where);
}

function checkPlainAxis(given: unknown, where: string): void {
  const axis = checkRecord(given, where);
  if ('cases' in axis) checkCases(axis, where);
  else if ('values' in axis) checkList(axis, where);
  else checkRange(axis, where, ['count']);
}

function checkSampledAxis(given: unknown, where: string): void {
  const axis = checkRecord(given, where);
  if ('cases' in axis) checkCases(axis, where);
  else if ('values' in axis) checkList(axis, where);
  else checkRange(axis, where, []);
}

function checkCases(axis: Record<string, unknown>, where: string): void {
  checkKeys(axis, ['name', 'cases'], where);
  checkField(axis['name'], oneText(), `${where}.name`);
  const cases = Object.entries(checkRecord(axis['cases'], `${where}.cases`));
  if (cases.length === 0) rejectConfig({ got: axis['cases'], allowed: 'at least one case', where: `${where}.cases` });
  for (const [name, values] of cases) checkValuesByPath(values, `${where}.cases.${name}`);
}

function checkList(axis: Record<string, unknown>, where: string): void {
  checkKeys(axis, ['path', 'name', 'values'], where);
  checkPathAndName(axis, where);
  checkEach(axis['values'], VALUES_MAX, `${where}.values`, (value, place) => {
    if (value === undefined) rejectConfig({ got: value, allowed: 'a value', where: place });
  });
}

function checkRange(axis: Record<string, unknown>, where: string, more: readonly string[]): void {
  if (!('from' in axis) && !('to' in axis)) {
    const allowed = 'an axis with values, from and to, cases, zip or sample';
    rejectConfig({ what: 'the axis', got: axis, allowed, where });
  }
  checkKeys(axis, ['path', 'name', 'from', 'to', 'scale', 'whole', ...more], where);
  checkPathAndName(axis, where);
  if (axis['scale'] !== undefined) checkField(axis['scale'], oneOf('linear', 'log'), `${where}.scale`);
  if (axis['whole'] !== undefined) checkField(axis['whole'], oneOf(true, false), `${where}.whole`);
  const isLog = axis['scale'] === 'log';
  const rule = inRange(isLog ? { above: 0, max: NUMBER_MAX } : { min: -NUMBER_MAX, max: NUMBER_MAX });
  checkField(axis['from'], rule, `${where}.from`);
  checkField(axis['to'], rule, `${where}.to`);
  if (more.includes('count')) checkField(axis['count'], wholeIn(1, VALUES_MAX), `${where}.count`);
}

function checkPathAndName(axis: Record<string, unknown>, where: string): void {
  checkPath(axis['path'], `${where}.path`);
  if (axis['name'] !== undefined) checkField(axis['name'], oneText(), `${where}.name`);
}

function checkPath(got: unknown, where: string): void {
  const steps = typeof got === 'string' && got !== '' ? stepsOfPath(got) : undefined;
  if (steps !== undefined && steps.length <= PATH_STEPS_MAX) return;
  rejectConfig({ what: 'the path', got, allowed: 'such as switches.ecn.kminKB or workload[0].senders', where });
}

function checkValuesByPath(given: unknown, where: string): void {
  for (const path of Object.keys(checkRecord(given, where))) checkPath(path, where);
}

function checkSeeds(seeds: unknown): void {
  if (seeds === undefined) return;
  const rule = wholeIn(0, SEED_MAX);
  if (Array.isArray(seeds)) checkEach(seeds, VALUES_MAX, 'sweep.seeds', (seed, place) => checkField(seed, rule, place));
  else checkField(seeds, wholeIn(1, VALUES_MAX), 'sweep.seeds');
}

function checkBuckets(buckets: unknown): void {
  if (buckets === undefined || buckets === 'WebSearch' || buckets === 'FB_Hadoop') return;
  const where = 'sweep.sizeBuckets';
  if (!Array.isArray(buckets))
    rejectConfig({ got: buckets, allowed: 'WebSearch, FB_Hadoop or a list of sizes in bytes', where });
  checkEdges(buckets, where);
}

function checkEdges(edges: unknown, where: string): void {
  let last = 0;
  checkEach(edges, BUCKETS_MAX, where, (size, place) => {
    checkField(size, inRange({ above: last, max: Number.MAX_SAFE_INTEGER, unit: 'bytes' }), place);
    last = size as number;
  });
}

/** Required and optional keys of figures, by kind. Whether their axes exist is checked with the plan. Metrics must exist; all other keys are texts. */
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

function checkFigure(given: unknown, where: string): void {
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
