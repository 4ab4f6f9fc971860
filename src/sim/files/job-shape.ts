/** The shape of additional results of jobs: their collectives, critical path and timeline. */
import type { CollectiveResult, CriticalPath, CriticalStep, JobTimeline, MessageSums, PortShare } from '../result.js';
import { checkEach, checkFields, record, wrong, type Members, type Shape } from './shape.js';

const COLLECTIVE: Shape<CollectiveResult> = {
  kind: 'text',
  name: 'text',
  ranks: 'number',
  sizeBytes: 'number',
  firstBeginPs: 'number or null',
  lastBeginPs: 'number or null',
  endPs: 'number or null',
  algorithmBps: 'number or null',
  busBps: 'number or null',
};
const PATH: Shape<Omit<CriticalPath, 'ports' | 'steps'>> = {
  computePs: 'number',
  overheadPs: 'number',
  messagePs: 'number',
  queueingPs: 'number',
  heldBackPs: 'number',
  otherPs: 'number',
  stepCount: 'number',
};
const PORT: Shape<PortShare> = { port: 'text', waitPs: 'number' };
const STEP: Shape<CriticalStep> = {
  kind: 'text',
  rank: 'number',
  operation: 'number',
  what: 'text',
  fromPs: 'number',
  toPs: 'number',
  waitedPs: 'number',
  flow: 'number',
};
const TIMELINE: Shape<JobTimeline> = {
  operations: 'numbers',
  rank: 'numbers',
  kind: 'numbers',
  lane: 'numbers',
  startPs: 'numbers',
  endPs: 'numbers',
  peer: 'numbers',
  amount: 'numbers',
  cause: 'numbers',
  match: 'numbers',
  names: 'texts',
};

const SUMS: Shape<MessageSums> = {
  done: 'number',
  deliveredBytes: 'number',
  retransmittedPackets: 'number',
  retransmittedBytes: 'number',
  timeouts: 'number',
  cnps: 'number',
  duplicateNotifications: 'number',
  outOfOrderPackets: 'number',
  reorderingDepthPackets: 'number',
  duplicatePackets: 'number',
  naks: 'number',
  completionPs: 'number',
  mostCompletionPs: 'number',
};

/** @throws RoceError `invalid-argument` naming the member that is of another type. */
export function checkJobParts(job: Members, where: string): void {
  if (job['iterationPs'] !== undefined) checkFields(job, { iterationPs: 'numbers or null' }, where);
  if (job['collectives'] !== undefined) checkEach(job['collectives'], COLLECTIVE, `${where}, collectives`);
  if (job['criticalPath'] !== undefined) {
    const path = record(job, 'criticalPath', where);
    checkFields(path, PATH, `${where}, criticalPath`);
    checkEach(path['ports'], PORT, `${where}, criticalPath, ports`);
    checkEach(path['steps'], STEP, `${where}, criticalPath, steps`);
  }
  if (job['messageSums'] !== undefined)
    checkFields(record(job, 'messageSums', where), SUMS, `${where}, messageSums`);
  if (job['timeline'] !== undefined) checkTimeline(record(job, 'timeline', where), `${where}, timeline`);
}

/** Columns of one length. */
function checkTimeline(timeline: Members, where: string): void {
  checkFields(timeline, TIMELINE, where);
  const { length } = timeline['operations'] as readonly unknown[];
  for (const name of Object.keys(TIMELINE)) {
    const got = (timeline[name] as readonly unknown[]).length;
    if (got !== length) throw wrong(`the length of ${name}`, got, String(length), where);
  }
}
