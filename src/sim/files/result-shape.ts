/**
 * The shape of a result read from a file: every member is present, and of its type. So code that reads
 * the result can rely on numbers where it computes and on texts where it quotes, whatever wrote the file.
 */
import { checkDiscovery } from './discovery-shape.js';
import { checkJobParts } from './job-shape.js';
import { checkWanShape } from './wan-shape.js';
import { checkEach, checkFields, isListOf, isNumber, isRecord, isText, KINDS, record, wrong, type Members,
  type Shape } from './shape.js';
import type { DeadlockResult, FlowResult, JobResult, Percentiles, PortResult, SeriesResult, SimResult, Summary, Totals,
  EqualPathsResult } from '../result.js';

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
  endless: 'true?',
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
  qp: 'number?',
  beganPs: 'number or null?',
  beganRateBps: 'number?',
  restarted: 'true?',
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
  readRequests: 'number?',
  rnrNaks: 'number?',
  rnrWaitPs: 'number?',
  path: 'texts?',
  heldPs: 'number?',
  heldAt: 'text?',
  heldBy: 'text?',
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
  trimmedPackets: 'number?',
  trimmedByClass: 'numbers?',
  trimmedDropped: 'number?',
  watchdogStorms: 'number?',
  watchdogRestored: 'number?',
  watchdogDrops: 'number?',
  stormedPs: 'number?',
  maxReceiveBytes: 'number?',
  receiveDrops: 'number?',
};
const DEADLOCK: Shape<DeadlockResult> = {
  formedPs: 'number',
  foundPs: 'number',
  resolvedPs: 'number or null',
  ports: 'texts',
  trafficClasses: 'numbers',
  length: 'number',
};
const JOB: Shape<Omit<JobResult, 'iterationPs' | 'collectives' | 'criticalPath' | 'timeline' | 'messageSums'>> = {
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
  arns: 'number?',
  readRequests: 'number?',
  rnrNaks: 'number?',
  nacks: 'number?',
  trimmedPackets: 'number?',
  bytesTrimmed: 'number?',
  trimmedDropped: 'number?',
  marks: 'number',
  dataMarks: 'number',
  retransmittedPackets: 'number',
  timeouts: 'number',
};
const SUMMARY: Shape<Omit<Summary, 'completionPs' | 'slowdown'>> = {
  flowsDone: 'number',
  flowsUnfinished: 'number',
  flowsEndless: 'number?',
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
  pathFairness: 'number?',
};
const EQUAL_PATHS: Shape<EqualPathsResult> = { node: 'text', ports: 'texts', txBytes: 'numbers', fairness: 'number' };
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

/**
 * @param where the result's name in errors.
 * @throws RoceError `invalid-argument` naming the member that is missing or of another type.
 */
export function checkResultShape(result: Members, where: string): void {
  checkFields(result, RESULT, where);
  checkEach(result['flows'], FLOW, `${where}, flows`);
  checkEach(result['ports'], PORT, `${where}, ports`);
  if (result['equalPaths'] !== undefined) checkEach(result['equalPaths'], EQUAL_PATHS, `${where}, equalPaths`);
  if (result['jobs'] !== undefined) {
    checkEach(result['jobs'], JOB, `${where}, jobs`);
    (result['jobs'] as readonly Members[]).forEach((job, index) => {
      checkJobParts(job, `${where}, jobs[${index}]`);
    });
  }
  if (result['discovery'] !== undefined) checkDiscovery(record(result, 'discovery', where), `${where}, discovery`);
  if (result['deadlocks'] !== undefined) checkEach(result['deadlocks'], DEADLOCK, `${where}, deadlocks`);
  if (result['wan'] !== undefined) checkWanShape(record(result, 'wan', where), `${where}, wan`);
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
