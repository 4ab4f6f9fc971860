/**
 * The shape of a result that was read from a file: every member is there, and of its type. Whoever made the file, what
 * reads the result then finds numbers where it computes and texts where it quotes.
 */
import { RoceError } from '../../errors.js';
import type { FlowResult, JobResult, Percentiles, PortResult, SeriesResult, SimResult, Summary, Totals,
  WaysResult } from '../result.js';

type Kind = 'number' | 'text' | 'text?' | 'number or null' | 'number?' | 'texts?' | 'texts' | 'numbers' | 'numbers?'
  | 'numbers or null';
/** Every member of a record has its kind. */
type Shape<Fields> = { readonly [Name in keyof Required<Fields>]: Kind };

const KINDS: Readonly<Record<Kind, { readonly words: string; readonly fits: (value: unknown) => boolean }>> = {
  number: { words: 'a number', fits: isNumber },
  text: { words: 'a text', fits: isText },
  'text?': { words: 'a text', fits: (value) => value === undefined || isText(value) },
  'number or null': { words: 'a number or null', fits: (value) => value === null || isNumber(value) },
  'number?': { words: 'a number', fits: (value) => value === undefined || isNumber(value) },
  texts: { words: 'a list of texts', fits: (value) => isListOf(value, isText) },
  numbers: { words: 'a list of numbers', fits: (value) => isListOf(value, isNumber) },
  'numbers or null': {
    words: 'a list of numbers and nulls',
    fits: (value) => isListOf(value, (item) => item === null || isNumber(item)),
  },
  'numbers?': { words: 'a list of numbers', fits: (value) => value === undefined || isListOf(value, isNumber) },
  'texts?': { words: 'a list of texts', fits: (value) => value === undefined || isListOf(value, isText) },
};

const RESULT: Shape<Pick<SimResult, 'seed' | 'simulatedPs' | 'events' | 'packetHops' | 'hash' | 'fidelity' | 'ended'>> =
  {
    seed: 'number',
    simulatedPs: 'number',
    events: 'number',
    packetHops: 'number',
    hash: 'text',
    fidelity: 'text',
    ended: 'text',
  };
const FLOW: Shape<FlowResult> = {
  index: 'number',
  from: 'text',
  to: 'text',
  algorithm: 'text',
  sizeBytes: 'number',
  startPs: 'number',
  completionPs: 'number or null',
  idealPs: 'number',
  slowdown: 'number or null',
  deliveredBytes: 'number',
  retransmittedPackets: 'number',
  timeouts: 'number',
  cnps: 'number',
  fastCnps: 'number',
  duplicateNotifications: 'number',
  firstNotificationPs: 'number or null',
  finalRateBps: 'number',
  windowBytes: 'number?',
  failure: 'text?',
  outOfOrderPackets: 'number?',
  reorderingDepthPackets: 'number?',
  duplicatePackets: 'number?',
  naks: 'number?',
  retransmittedBytes: 'number?',
  sackedPackets: 'number?',
  beyondWindowPackets: 'number?',
  detours: 'number?',
  path: 'texts?',
};
const PORT: Shape<PortResult> = {
  name: 'text',
  node: 'text',
  peer: 'text',
  rateBps: 'number',
  txPackets: 'number',
  txBytes: 'number',
  utilization: 'number',
  maxClassQueueBytes: 'number',
  maxQueueBytes: 'number',
  meanQueueBytes: 'number',
  marks: 'number',
  drops: 'number',
  fastCnps: 'number',
  pausesSent: 'number',
  pausesReceived: 'number',
  pausedPs: 'number',
  kminBytes: 'number?',
  kmaxBytes: 'number?',
  maxIngressBytes: 'number?',
  minPauseThresholdBytes: 'number?',
};
const JOB: Shape<JobResult> = {
  name: 'text',
  ranks: 'number',
  operations: 'number',
  operationsDone: 'number',
  messages: 'number',
  messageBytes: 'number',
  startPs: 'number',
  endPs: 'number or null',
  completionPs: 'number or null',
  rankEndPs: 'numbers or null',
  rankComputePs: 'numbers',
  exposedCommunicationPs: 'numbers or null',
  straggler: 'number',
  hosts: 'texts',
  waiting: 'texts',
};
const TOTALS: Shape<Omit<Totals, 'drops'>> = {
  packetsIn: 'number',
  packetsOut: 'number',
  packetsInFlight: 'number',
  packetsDropped: 'number',
  bytesIn: 'number',
  bytesOut: 'number',
  bytesInFlight: 'number',
  bytesDropped: 'number',
  dataPackets: 'number',
  acks: 'number',
  naks: 'number',
  cnps: 'number',
  fastCnps: 'number',
  pauses: 'number',
  resumes: 'number',
  marks: 'number',
  dataMarks: 'number',
  retransmittedPackets: 'number',
  timeouts: 'number',
};
const SUMMARY: Shape<Omit<Summary, 'completionPs' | 'slowdown'>> = {
  flowsDone: 'number',
  flowsUnfinished: 'number',
  maxQueueBytes: 'number',
  maxQueuePort: 'text',
  meanQueueBytes: 'number',
  pausedPs: 'number',
  fairFromPs: 'number or null',
  meanFairness: 'number or null',
  goodputBps: 'number',
  outOfOrderPackets: 'number?',
  reorderingDepthPackets: 'number?',
  detours: 'number?',
  waysFairness: 'number?',
};
const WAYS: Shape<WaysResult> = { node: 'text', ports: 'texts', txBytes: 'numbers', fairness: 'number' };
const PERCENTILES: Shape<Percentiles> = {
  min: 'number',
  p50: 'number',
  p95: 'number',
  p99: 'number',
  max: 'number',
  mean: 'number',
};
const SERIES: Readonly<Record<keyof SeriesResult, 'number' | 'numbers' | 'columns' | 'columns?'>> = {
  intervalPs: 'number',
  timesPs: 'numbers',
  fairness: 'numbers',
  queueBytes: 'columns',
  utilization: 'columns',
  rateBps: 'columns',
  mostQueueBytes: 'columns?',
};

type Members = Readonly<Record<string, unknown>>;

/**
 * @param where what errors call the result.
 * @throws RoceError `invalid-argument` naming the member that is missing or of another type.
 */
export function checkResultShape(result: Members, where: string): void {
  checkFields(result, RESULT, where);
  checkEach(result['flows'], FLOW, `${where}, flows`);
  checkEach(result['ports'], PORT, `${where}, ports`);
  if (result['ways'] !== undefined) checkEach(result['ways'], WAYS, `${where}, ways`);
  if (result['jobs'] !== undefined) checkEach(result['jobs'], JOB, `${where}, jobs`);
  if (!isListOf(result['notes'], isText)) throw wrong('notes', result['notes'], 'a list of texts', where);
  checkTotals(record(result, 'totals', where), `${where}, totals`);
  checkSummary(record(result, 'summary', where), `${where}, summary`);
  checkSeries(record(result, 'series', where), `${where}, series`);
  if (result['pauses'] !== undefined) checkEach(result['pauses'], PAUSE, `${where}, pauses`);
  if (result['queueHistogram'] !== undefined) checkHistogram(record(result, 'queueHistogram', where), where);
}

const PAUSE: Shape<NonNullable<SimResult['pauses']>[number]> = {
  port: 'text',
  trafficClass: 'number',
  fromPs: 'number',
  toPs: 'number',
  endedBy: 'text',
  renewedPs: 'numbers?',
};

function checkHistogram(histogram: Members, where: string): void {
  checkFields(histogram, { looks: 'number' }, `${where}, queueHistogram`);
  for (const [name, counts] of Object.entries(record(histogram, 'ports', where))) {
    if (!isListOf(counts, isNumber)) throw wrong(`queueHistogram.ports.${name}`, counts, 'a list of numbers', where);
  }
}

function checkTotals(totals: Members, where: string): void {
  checkFields(totals, TOTALS, where);
  for (const [reason, count] of Object.entries(record(totals, 'drops', where))) {
    if (!isNumber(count)) throw wrong(`drops.${reason}`, count, KINDS.number.words, where);
  }
}

function checkSummary(summary: Members, where: string): void {
  checkFields(summary, SUMMARY, where);
  for (const name of ['completionPs', 'slowdown']) {
    if (summary[name] !== null) checkFields(record(summary, name, where), PERCENTILES, `${where}, ${name}`);
  }
}

function checkSeries(series: Members, where: string): void {
  for (const [name, kind] of Object.entries(SERIES)) {
    const value = series[name];
    if (kind === 'number' ? isNumber(value) : kind === 'numbers' ? isListOf(value, isNumber) : isColumns(value, kind)) {
      continue;
    }
    throw wrong(name, value, kind === 'number' ? 'a number' : kind === 'numbers' ? 'numbers' : 'lists of numbers',
      where);
  }
}

function isColumns(value: unknown, kind: 'columns' | 'columns?'): boolean {
  if (value === undefined) return kind === 'columns?';
  return isRecord(value) && Object.values(value).every((column) => isListOf(column, isNumber));
}

function checkEach(list: unknown, shape: Readonly<Record<string, Kind>>, where: string): void {
  if (!Array.isArray(list)) throw wrong(where, list, 'a list', where);
  list.forEach((item: unknown, index) => {
    if (!isRecord(item)) throw wrong(`entry ${index}`, item, 'an object', where);
    checkFields(item, shape, `${where}[${index}]`);
  });
}

function checkFields(fields: Members, shape: Readonly<Record<string, Kind>>, where: string): void {
  for (const [name, kind] of Object.entries(shape)) {
    if (!KINDS[kind].fits(fields[name])) throw wrong(name, fields[name], KINDS[kind].words, where);
  }
}

function record(parent: Members, name: string, where: string): Members {
  const value = parent[name];
  if (isRecord(value)) return value;
  throw wrong(name, value, 'an object', where);
}

function wrong(member: string, got: unknown, allowed: string, where: string): RoceError {
  return new RoceError('invalid-argument', { what: `${member} of a result`, got, allowed, where });
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
