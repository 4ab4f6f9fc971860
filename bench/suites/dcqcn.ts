/**
 * DCQCN over batches of packet events: the engine, C on the same memory, objects in a Map, the js backend.
 *
 * "apply" times only the call that applies a batch whose events lie in the event region; "fill + apply" writes the
 * batch through `engine.events` first, which is what an event costs a caller who has it in JavaScript.
 */
import { EVENT_CNP, EVENT_SENT } from '../../src/abi/codes.js';
import { REGION_EVENTS, EVENT_BYTES } from '../../src/abi/layout.js';
import type { EngineOptions } from '../../src/config/engine-config.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import type { Engine } from '../../src/engine/engine.js';
import { gbps } from '../../src/units.js';
import { BenchEngine, checkSame } from '../support/bench-engine.js';
import { eventStream, limitingStream, type EventStream, type Spread, type Workload } from '../support/event-stream.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { JsEngine } from '../support/js-engine.js';
import { MapOfObjects } from '../support/map-of-objects.js';
import { loadNative } from '../support/native-addon.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const BATCH = 4096;
const SMALL_BATCH = 64;
const PARAMETERS = dcqcnSigcomm15({ lineRateBps: gbps(100) });
const NATIVE = 'native C';
/** Variants that note how many actions the last batch of 4096 told. */
const TELLS_ACTIONS = /^(native|wasm).*batch 4096$/;
/** The js backend is there to be read and compared with; a million models only fill the heap. */
const JS_QPS_MAX = 64_000;

export const dcqcnSuite: Suite = {
  name: 'dcqcn',
  about: 'DCQCN reaction point over batches of packet events',
  plan(size: SuiteSize): readonly CasePlan[] {
    const events = size.smoke ? 2 ** 14 : 2 ** 20;
    const counts = size.smoke ? [64, 8000] : [1000, 64_000, 1_000_000];
    return LOADS.flatMap((load) => counts.map((qps) => planOf({ ...load, qps, events })));
  },
};

/** Ratios to native are those of the first five; the last is the cost of reporting every new rate. */
const LOADS: readonly Omit<DcqcnOptions, 'qps' | 'events'>[] = [
  { workload: 'mix', spread: 'uniform', rateActions: true },
  { workload: 'mix', spread: 'zipf', rateActions: true },
  { workload: 'cnp', spread: 'uniform', rateActions: true },
  { workload: 'cnp', spread: 'zipf', rateActions: true },
  { workload: 'recovered', spread: 'uniform', rateActions: true },
  { workload: 'mix', spread: 'uniform', rateActions: false },
];

function planOf(options: DcqcnOptions): CasePlan {
  const { workload, spread, qps, rateActions } = options;
  const title = `${workload} ${spread} ${sizeName(qps)}${rateActions ? '' : ', no rate actions'}`;
  return { title, inBenny: qps <= 1000 && spread === 'uniform' && rateActions, make: () => dcqcnCase(title, options) };
}

export interface DcqcnOptions {
  readonly workload: Workload;
  readonly spread: Spread;
  readonly qps: number;
  readonly rateActions: boolean;
  readonly events: number;
}

function dcqcnCase(title: string, options: DcqcnOptions): BenchCase {
  const stream = eventStream(options.workload, options.spread, options.qps, options.events);
  const bench = limitedEngine(options);
  const onMemory = [...nativeVariants(bench, stream), ...wasmVariants(bench, stream)];
  const variants = [...onMemory, mapVariant(options, stream)];
  if (options.qps <= JS_QPS_MAX) variants.push(jsVariant(options, stream));
  return {
    title,
    unit: 'event',
    units: stream.length,
    base: `${NATIVE}, batch ${BATCH}`,
    variants,
    check() {
      // The action ring holds what the last batch told, so only equal batches leave equal actions.
      checkSame(title, bench, onMemory, 'state');
      checkSame(title, bench, onMemory.filter((variant) => TELLS_ACTIONS.test(variant.name)), 'all');
    },
  };
}

/** An engine with all QPs open and, but for `recovered`, limited and on their way. */
export function limitedEngine(options: DcqcnOptions): BenchEngine {
  const bench = new BenchEngine(engineOptions(options));
  for (let qp = 0; qp < options.qps; qp++) bench.engine.openQp({ localQpn: qp + 1 });
  if (options.workload !== 'recovered') {
    applyAll(bench, limitingStream(options.qps), BATCH, (n) => bench.abi.applyEvents(n));
  }
  bench.save();
  return bench;
}

function engineOptions(options: DcqcnOptions): EngineOptions {
  return {
    parameterSets: { default: PARAMETERS },
    rateActions: options.rateActions,
    capacity: { qps: options.qps, events: BATCH, packets: 1, frameBytes: 64 },
  };
}

/** Copies batch by batch into the event region and returns the time of the calls only, milliseconds. */
export function applyAll(bench: BenchEngine, stream: EventStream, batch: number, apply: (n: number) => number): number {
  const { u8 } = bench.views;
  const region = bench.region(REGION_EVENTS);
  let spent = 0;
  for (let from = 0; from < stream.length; from += batch) {
    const to = Math.min(from + batch, stream.length);
    u8.set(stream.records.subarray(from * EVENT_BYTES, to * EVENT_BYTES), region);
    const begun = performance.now();
    bench.actions = apply(to - from);
    spent += performance.now() - begun;
  }
  return spent;
}

/** As `applyAll`, with the copies in the time: a clock reading costs as much as several events of a small batch. */
function copyAndApplyAll(bench: BenchEngine, stream: EventStream, batch: number, apply: (n: number) => number): number {
  const { u8 } = bench.views;
  const region = bench.region(REGION_EVENTS);
  const begun = performance.now();
  for (let from = 0; from < stream.length; from += batch) {
    const to = Math.min(from + batch, stream.length);
    u8.set(stream.records.subarray(from * EVENT_BYTES, to * EVENT_BYTES), region);
    bench.actions = apply(to - from);
  }
  return performance.now() - begun;
}

function nativeVariants(bench: BenchEngine, stream: EventStream): Variant[] {
  const native = loadNative().engine;
  if (native === undefined) return [];
  const reset = (): void => {
    bench.restore();
    bench.lend(native);
  };
  return [
    {
      name: `${NATIVE}, batch ${BATCH}`,
      reset,
      pass: () => applyAll(bench, stream, BATCH, (n) => native.applyEvents(n)),
    },
    {
      name: `${NATIVE} with prefetch, batch ${BATCH}`,
      reset,
      pass: () => applyAll(bench, stream, BATCH, (n) => native.applyEventsPrefetching(n)),
    },
    {
      name: `${NATIVE}, batch ${SMALL_BATCH}, copied in`,
      reset,
      pass: () => copyAndApplyAll(bench, stream, SMALL_BATCH, (n) => native.applyEvents(n)),
    },
  ];
}

function wasmVariants(bench: BenchEngine, stream: EventStream): Variant[] {
  const reset = (): void => {
    bench.restore();
  };
  const { abi } = bench;
  return [
    { name: `wasm, batch ${BATCH}`, reset, pass: () => applyAll(bench, stream, BATCH, (n) => abi.applyEvents(n)) },
    {
      name: `wasm, batch ${SMALL_BATCH}, copied in`,
      reset,
      pass: () => copyAndApplyAll(bench, stream, SMALL_BATCH, (n) => abi.applyEvents(n)),
    },
    { name: 'wasm, one call per event', reset, pass: () => callPerEvent(bench, stream) },
    { name: `fill + apply, batch ${BATCH}`, reset, pass: () => fillAndApply(bench.engine, stream, BATCH) },
    { name: `fill + apply, batch ${SMALL_BATCH}`, reset, pass: () => fillAndApply(bench.engine, stream, SMALL_BATCH) },
  ];
}

function callPerEvent(bench: BenchEngine, stream: EventStream): number {
  const { abi } = bench;
  const { timePs, qp, sentBytes } = stream;
  const begun = performance.now();
  for (let i = 0; i < stream.length; i++) {
    const bytes = sentBytes[i] ?? 0;
    abi.applyEvent(bytes === 0 ? EVENT_CNP : EVENT_SENT, qp[i] ?? 0, timePs[i] ?? 0, bytes);
  }
  return performance.now() - begun;
}

/** The public way in: `engine.events`, then `engine.applyEvents`. */
function fillAndApply(engine: Engine, stream: EventStream, batch: number): number {
  const begun = performance.now();
  for (let from = 0; from < stream.length; from += batch) {
    fill(engine, stream, from, Math.min(from + batch, stream.length));
    engine.applyEvents();
  }
  return performance.now() - begun;
}

/** Writes events `from` to `to` of a stream into the batch. */
export function fill(engine: Engine, stream: EventStream, from: number, to: number): void {
  const { events } = engine;
  const { timePs, qp, sentBytes } = stream;
  for (let i = from; i < to; i++) {
    const bytes = sentBytes[i] ?? 0;
    if (bytes === 0) events.cnp(timePs[i] ?? 0, qp[i] ?? 0);
    else events.sent(timePs[i] ?? 0, qp[i] ?? 0, bytes);
  }
}

function mapVariant(options: DcqcnOptions, stream: EventStream): Variant {
  const map = new MapOfObjects(options.qps, PARAMETERS);
  const limiting = limitingStream(options.qps);
  if (options.workload !== 'recovered') map.apply(limiting, 0, limiting.length, false);
  const saved = map.save();
  return {
    name: 'Map of objects',
    reset() {
      map.restore(saved);
    },
    pass() {
      const begun = performance.now();
      for (let from = 0; from < stream.length; from += BATCH) {
        map.apply(stream, from, Math.min(from + BATCH, stream.length), options.rateActions);
      }
      return performance.now() - begun;
    },
  };
}

function jsVariant(options: DcqcnOptions, stream: EventStream): Variant {
  const js = new JsEngine(engineOptions(options));
  for (let qp = 0; qp < options.qps; qp++) js.engine.openQp({ localQpn: qp + 1 });
  if (options.workload !== 'recovered') fillAndApply(js.engine, limitingStream(options.qps), BATCH);
  js.save();
  return {
    name: `js backend, batch ${BATCH}`,
    reset() {
      js.restore();
    },
    pass: () => fillAndApply(js.engine, stream, BATCH),
  };
}
