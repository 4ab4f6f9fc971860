/**
 * Checks that the batch path does not allocate. Fills and applies millions of events and adds up every growth of the JavaScript heap in
 * between. A collection can only shrink the heap, so what is allocated and collected again is counted all the same.
 */
import { getHeapStatistics } from 'node:v8';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import type { EventBatch } from '../../src/engine/event-batch.js';
import { gbps, us } from '../../src/units.js';
import { BenchEngine } from './bench-engine.js';

export interface Allocation {
  readonly events: number;
  /** All growth of the heap while they were filled and applied, the readings of the statistics included. */
  readonly grownBytes: number;
  readonly bytesPerEvent: number;
}

/** Bytes per event that the readings of the statistics account for. */
const NOTHING = 0.05;
const BATCH = 4096;
const QPS = 1024;
const BATCHES_PER_READING = 64;
const STEP_PS = us(20) / QPS;
/** Until everything on the path is compiled by the optimising tier. */
const WARM_UP_EVENTS = 2 ** 23;

/**
 * The least of some attempts, each with a new engine: V8 boxes a time when it passes it to a call that it has not
 * inlined, which the compiled code of one attempt may contain and that of the next no longer does.
 *
 * @param events how many to count per attempt, 10^7 if nothing is said.
 */
export function measureAllocation(events = 1e7, attempts = 3): Allocation {
  let least = measureOnce(events);
  for (let i = 1; i < attempts && least.bytesPerEvent > NOTHING; i++) {
    const next = measureOnce(events);
    if (next.bytesPerEvent < least.bytesPerEvent) least = next;
  }
  return least;
}

function measureOnce(events: number): Allocation {
  const bench = openEngine();
  let next = 0;
  // Call by call, not in one long call: the optimising tier then compiles the very code that is measured.
  while (next < WARM_UP_EVENTS) next = fillAndApply(bench, next, BATCHES_PER_READING);
  const first = next;
  let grownBytes = 0;
  while (next - first < events) {
    const before = getHeapStatistics().used_heap_size;
    next = fillAndApply(bench, next, BATCHES_PER_READING);
    grownBytes += Math.max(0, getHeapStatistics().used_heap_size - before);
  }
  const counted = next - first;
  return { events: counted, grownBytes, bytesPerEvent: grownBytes / counted };
}

function openEngine(): BenchEngine {
  const bench = new BenchEngine({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
    capacity: { qps: QPS, events: BATCH },
  });
  for (let qp = 0; qp < QPS; qp++) bench.engine.openQp({ localQpn: qp + 1 });
  return bench;
}

/** Fills and applies some batches; returns the number of the next event. */
function fillAndApply(bench: BenchEngine, first: number, batches: number): number {
  let event = first;
  for (let batch = 0; batch < batches; batch++, event += BATCH) {
    fillBatch(bench.engine.events, event);
    bench.engine.applyEvents();
  }
  return event;
}

/** Every tenth event a CNP, the rest data, QPs round-robin. A separate function, so that V8 inlines all that it calls. */
function fillBatch(events: EventBatch, first: number): void {
  for (let event = first; event < first + BATCH; event++) {
    const timePs = Math.floor(event * STEP_PS);
    const qp = (event * 7) % QPS;
    if (event % 10 === 0) events.cnp(timePs, qp);
    else events.sent(timePs, qp, 4096);
  }
}
