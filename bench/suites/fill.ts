/**
 * What it costs in JavaScript to put events and frames into linear memory, without applying them.
 */
import { EVENT_BYTES, REGION_EVENTS, REGION_FRAMES } from '../../src/abi/layout.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../src/units.js';
import { BenchEngine } from '../support/bench-engine.js';
import { eventStream, type EventStream } from '../support/event-stream.js';
import { frameStream } from '../support/frames.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { fill } from './dcqcn.js';
import type { CasePlan, Suite, SuiteSize } from './suite.js';

const BATCH = 4096;
const QPS = 1000;

export const fillSuite: Suite = {
  name: 'fill',
  about: 'filling a batch from JavaScript, nothing applied',
  plan(size: SuiteSize): readonly CasePlan[] {
    const count = size.smoke ? 2 ** 13 : 2 ** 18;
    return [
      { title: 'fill events', inBenny: true, make: () => eventsCase(count) },
      { title: 'fill frames', inBenny: true, make: () => framesCase(count) },
    ];
  },
};

function openEngine(): BenchEngine {
  const bench = new BenchEngine({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
    capacity: { events: BATCH, packets: BATCH },
  });
  for (let qp = 0; qp < QPS; qp++) bench.engine.openQp({ localQpn: qp + 1 });
  return bench;
}

function eventsCase(count: number): BenchCase {
  const bench = openEngine();
  const stream = eventStream('mix', 'uniform', QPS, count);
  const { events } = bench.engine;
  return {
    title: 'fill events',
    unit: 'event',
    units: count,
    base: 'engine.events',
    variants: [
      perBatch('engine.events', count, (from, to) => {
        fill(bench.engine, stream, from, to);
        events.clear();
      }),
      perBatch('typed arrays by hand', count, (from, to) => {
        fillByHand(bench, stream, from, to);
      }),
      perBatch('copy of ready records', count, (from, to) => {
        bench.views.u8.set(stream.records.subarray(from * EVENT_BYTES, to * EVENT_BYTES), bench.region(REGION_EVENTS));
      }),
    ],
  };
}

/** The least that JavaScript can do: three stores per event, no checks. */
function fillByHand(bench: BenchEngine, stream: EventStream, from: number, to: number): void {
  const { f64, u32 } = bench.views;
  const { timePs, qp, sentBytes } = stream;
  for (let i = from, at = bench.region(REGION_EVENTS); i < to; i++, at += EVENT_BYTES) {
    const bytes = sentBytes[i] ?? 0;
    f64[at >> 3] = timePs[i] ?? 0;
    u32[(at >> 2) + 2] = qp[i] ?? 0;
    u32[(at >> 2) + 3] = bytes === 0 ? 0x10000000 : bytes;
  }
}

function framesCase(count: number): BenchCase {
  const bench = openEngine();
  const stream = frameStream(QPS, count);
  const { packets } = bench.engine;
  const frames = Array.from(stream.offset,
    (offset, i) => stream.bytes.subarray(offset, offset + (stream.captured[i] ?? 0)));
  return {
    title: 'fill frames',
    unit: 'frame',
    units: count,
    base: 'engine.packets.add',
    variants: [
      perBatch('engine.packets.add', count, (from, to) => {
        for (let i = from; i < to; i++) {
          packets.add(stream.timePs[i] ?? 0, frames[i] ?? stream.bytes, stream.original[i]);
        }
        packets.clear();
      }),
      perBatch('one copy, then addInPlace', count, (from, to) => {
        const first = stream.offset[from] ?? 0;
        const end = to < count ? (stream.offset[to] ?? 0) : stream.bytes.length;
        bench.views.u8.set(stream.bytes.subarray(first, end), bench.region(REGION_FRAMES));
        for (let i = from; i < to; i++) {
          packets.addInPlace(stream.timePs[i] ?? 0, (stream.offset[i] ?? 0) - first, stream.captured[i] ?? 0,
            stream.original[i] ?? 0);
        }
        packets.clear();
      }),
    ],
  };
}

function perBatch(name: string, count: number, fillOne: (from: number, to: number) => void): Variant {
  return {
    name,
    reset() {
      // Nothing to put back: batches are overwritten.
    },
    pass() {
      const begun = performance.now();
      for (let from = 0; from < count; from += BATCH) fillOne(from, Math.min(from + BATCH, count));
      return performance.now() - begun;
    },
  };
}
