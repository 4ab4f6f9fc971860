/**
 * Instants at which the host looks at the queues: an event of the run, so that what else happens at the same instant comes before it or
 * after it as it does in the reference simulator, whose monitor schedules itself again each time.
 */
import { RUN_SAMPLE } from '../../src/abi/sim-layout';
import { sampleEvent } from './event-numbers';
import { drawOrder, nowPs, schedule } from './event-queue';
import { areFlowsDone, halt } from './halt';

let everyPs: i64 = 0;
let lastPs: i64 = 0;

/** Expects the first instant; behind `simStart`. */
export function beginSampling(firstPs: i64, every: i64, last: i64): void {
  everyPs = every;
  lastPs = last;
  schedule(sampleEvent(), firstPs, drawOrder());
}

/** The instant is reached: the host samples, then the run continues. */
export function sampleNow(): void {
  if (nowPs + everyPs <= lastPs && !areFlowsDone()) schedule(sampleEvent(), nowPs + everyPs, drawOrder());
  halt(RUN_SAMPLE);
}
