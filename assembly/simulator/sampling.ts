/**
 * Samples the queues by an event of the run, so that simultaneous events precede or follow a sample as in the reference simulator,
 * whose monitor reschedules itself each time.
 */
import { RUN_SAMPLE } from '../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from './event-queue';
import { addEvent } from './event-sources';
import { areFlowsDone, halt } from './halt';

let sampleEvent: u32 = 0;
let everyPs: i64 = 0;
let lastPs: i64 = 0;

/** Adds the event at which the host samples the queues. */
export function addSample(): void {
  sampleEvent = addEvent(sampleNow);
}

/** Schedules the first sample. Call after `simStart`. */
export function beginSampling(firstPs: i64, every: i64, last: i64): void {
  everyPs = every;
  lastPs = last;
  schedule(sampleEvent, firstPs, drawOrder());
}

/** Ends the slice, so that the host samples before the run continues. */
function sampleNow(): void {
  if (nowPs + everyPs <= lastPs && !areFlowsDone()) schedule(sampleEvent, nowPs + everyPs, drawOrder());
  halt(RUN_SAMPLE);
}
