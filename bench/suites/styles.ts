/**
 * The calls that report an event, each followed by the query that a simulator makes: when may the QP send next?
 *
 *   one call      `engine.sent`, `engine.cnp`, `engine.ack`
 *   batch of 1    `engine.events.…`, `engine.applyEvents`
 *   batch of n    the same; the question is asked once the batch is applied
 */
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import type { EngineOptions } from '../../src/config/engine-config.js';
import type { AckFields } from '../../src/engine/ack-records.js';
import type { Engine } from '../../src/engine/engine.js';
import { gbps, us } from '../../src/units.js';
import { BenchEngine } from '../support/bench-engine.js';
import { eventStream, limitingStream, MEAN_GAP_PS, START_PS, type EventStream } from '../support/event-stream.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { randomFrom, uniform } from '../support/random.js';
import { fill } from './dcqcn.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const BATCH = 4096;
const SMALL_BATCH = 64;
const LINE = { lineRateBps: gbps(100) };
const SENT_BYTES = 4096;

export const stylesSuite: Suite = {
  name: 'styles',
  about: 'events one by one or in batches, and after each the time of the next packet',
  plan(size: SuiteSize): readonly CasePlan[] {
    const events = size.smoke ? 2 ** 12 : 2 ** 18;
    const counts = size.smoke ? [64] : [1000, 64_000];
    return counts.flatMap((qps) => [
      { title: `DCQCN ${sizeName(qps)}`, make: () => dcqcnCase(qps, events) },
      { title: `HPCC, 2 hops ${sizeName(qps)}`, make: () => hpccCase(qps, events) },
    ]);
  },
};

/** Reports event `index` of a stream alone, or adds those of a part of it to the batch. */
interface Style {
  readonly qp: Uint32Array;
  readonly one: (index: number) => void;
  readonly add: (from: number, to: number) => void;
}

function dcqcnCase(qps: number, events: number): BenchCase {
  const bench = openBench(qps, { parameterSets: { default: dcqcnSigcomm15(LINE) } });
  const limiting = limitingStream(qps);
  for (let from = 0; from < limiting.length; from += BATCH) {
    fill(bench.engine, limiting, from, Math.min(from + BATCH, limiting.length));
    bench.engine.applyEvents();
  }
  return caseOf(`DCQCN ${sizeName(qps)}`, bench, dcqcnStyle(bench.engine, eventStream('mix', 'uniform', qps, events)));
}

function dcqcnStyle(engine: Engine, stream: EventStream): Style {
  const { timePs, qp, sentBytes } = stream;
  return {
    qp,
    one(index) {
      const bytes = sentBytes[index] ?? 0;
      if (bytes === 0) engine.cnp(timePs[index] ?? 0, qp[index] ?? 0);
      else engine.sent(timePs[index] ?? 0, qp[index] ?? 0, bytes);
    },
    add(from, to) {
      fill(engine, stream, from, to);
    },
  };
}

function hpccCase(qps: number, events: number): BenchCase {
  const bench = openBench(qps, { parameterSets: { default: hpccSigcomm19({ ...LINE, baseRttPs: us(13) }) } });
  for (let qp = 0; qp < qps; qp++) bench.engine.sent(0, qp, SENT_BYTES);
  const { engine } = bench;
  const timePs = Float64Array.from({ length: events }, (_, i) => START_PS + Math.floor((i * MEAN_GAP_PS) / qps));
  const qp = Uint32Array.from({ length: events }, uniform(qps, randomFrom(42)));
  const acks = Array.from(timePs, (atPs, i) => ackAt(atPs, i));
  return caseOf(`HPCC, 2 hops ${sizeName(qps)}`, bench, {
    qp,
    one(index) {
      engine.ack(timePs[index] ?? 0, qp[index] ?? 0, acks[index] ?? NO_ACK);
    },
    add(from, to) {
      for (let i = from; i < to; i++) engine.events.ack(timePs[i] ?? 0, qp[i] ?? 0, acks[i] ?? NO_ACK);
    },
  });
}

const NO_ACK: AckFields = { ackSeq: 0, sndNxt: 0 };

/** Of two hops whose queues come and go. */
function ackAt(timePs: number, index: number): AckFields {
  const txBytes = index * SENT_BYTES;
  const hops = [0, 1].map((hop) => ({
    timePs: timePs - us(2 - hop),
    txBytes,
    qlenBytes: (index % 3) * 40_000,
    lineRateBps: LINE.lineRateBps,
    hopId: hop + 1,
  }));
  return { ackSeq: index + 1, sndNxt: index + 2, telemetry: { kind: 'exact', hops } };
}

function openBench(qps: number, options: Pick<EngineOptions, 'parameterSets'>): BenchEngine {
  const bench = new BenchEngine({ ...options, capacity: { qps, events: BATCH, packets: 1, frameBytes: 64 } });
  for (let qp = 0; qp < qps; qp++) bench.engine.openQp({ localQpn: qp + 1 });
  return bench;
}

function caseOf(title: string, bench: BenchEngine, style: Style): BenchCase {
  bench.save();
  const reset = (): void => {
    bench.restore();
  };
  const variants: Variant[] = [
    { name: 'one call', reset, pass: () => oneByOne(bench.engine, style) },
    { name: 'batch of 1', reset, pass: () => inBatches(bench.engine, style, 1) },
    { name: `batch of ${SMALL_BATCH}`, reset, pass: () => inBatches(bench.engine, style, SMALL_BATCH) },
    { name: `batch of ${BATCH}`, reset, pass: () => inBatches(bench.engine, style, BATCH) },
  ];
  return {
    title,
    unit: 'event',
    units: style.qp.length,
    base: 'one call',
    variants,
    check() {
      const hashes = variants.map((variant) => {
        variant.reset();
        variant.pass();
        return bench.engine.stateHash();
      });
      if (new Set(hashes).size > 1) throw new Error(`${title}: the styles differ, ${hashes.join(', ')}`);
    },
  };
}

/** Read from each QP that had an event, so that no style is spared the question. */
let latestPs = 0;

function oneByOne(engine: Engine, { qp, one }: Style): number {
  const begun = performance.now();
  for (let i = 0; i < qp.length; i++) {
    one(i);
    latestPs = Math.max(latestPs, engine.nextSendPs(qp[i] ?? 0));
  }
  return performance.now() - begun;
}

function inBatches(engine: Engine, { qp, add }: Style, batch: number): number {
  const begun = performance.now();
  for (let from = 0; from < qp.length; from += batch) {
    const to = Math.min(from + batch, qp.length);
    add(from, to);
    engine.applyEvents();
    for (let i = from; i < to; i++) latestPs = Math.max(latestPs, engine.nextSendPs(qp[i] ?? 0));
  }
  return performance.now() - begun;
}
