/**
 * HPCC over batches of acknowledgements, each of which is a full update: the engine, C on the same memory, the js backend.
 *
 * Only the call that applies a batch is timed; events and AckEvent records lie in their regions.
 */
import { EVENT_SENT } from '../../src/abi/codes.js';
import { EVENT_BYTES, REGION_ACK_EVENTS, REGION_EVENTS } from '../../src/abi/layout.js';
import type { EngineOptions } from '../../src/config/engine-config.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc/preset-sigcomm19.js';
import { gbps, us } from '../../src/units.js';
import { ackStreams, type AckStream } from '../support/ack-stream.js';
import { BenchEngine, checkSame } from '../support/bench-engine.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { ackEventBytes } from '../support/memory-map.js';
import { loadNative } from '../support/native-addon.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const BATCH = 4096;
const SMALL_BATCH = 64;
const NATIVE = 'native C';
const PARAMETERS = hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(13) });
/** A packet of each QP is in flight. */
const SENT_BYTES = 4096;

export const hpccSuite: Suite = {
  name: 'hpcc',
  about: 'HPCC over batches of acknowledgements, all of them full updates',
  plan(size: SuiteSize): readonly CasePlan[] {
    const events = size.smoke ? 2 ** 12 : 2 ** 18;
    const counts = size.smoke ? [64, 8000] : [1000, 64_000, 1_000_000];
    return [5, 2].flatMap((hops) => counts.map((qps) => planOf({ hops, qps, events })));
  },
};

interface HpccOptions {
  readonly hops: number;
  readonly qps: number;
  readonly events: number;
}

function planOf(options: HpccOptions): CasePlan {
  const title = `hpcc ${options.hops} hops ${sizeName(options.qps)}`;
  return { title, inBenny: options.qps <= 1000, make: () => hpccCase(title, options) };
}

function hpccCase(title: string, { hops, qps, events }: HpccOptions): BenchCase {
  const bench = new BenchEngine(engineOptions(qps));
  const { first, rest } = ackStreams({ hops, qps, events, ackBytes: ackEventBytes(bench.config), batch: BATCH });
  begin(bench, qps, first);
  const variants = [...nativeVariants(bench, rest), ...wasmVariants(bench, rest)];
  return {
    title,
    unit: 'ACK',
    units: rest.length,
    base: `${NATIVE}, batch ${BATCH}`,
    variants,
    check() {
      checkSame(title, bench, variants, 'state');
      checkSame(title, bench, variants.filter((variant) => variant.name.endsWith(`batch ${BATCH}`)), 'all');
    },
  };
}

function engineOptions(qps: number): EngineOptions {
  return { parameterSets: { default: PARAMETERS }, capacity: { qps, events: BATCH, packets: 1, frameBytes: 64 } };
}

/** Opens all QPs, each with a packet on its way and a first ACK behind it. */
function begin(bench: BenchEngine, qps: number, first: AckStream): void {
  for (let qp = 0; qp < qps; qp++) {
    bench.engine.openQp({ localQpn: qp + 1 });
    bench.abi.applyEvent(EVENT_SENT, qp, 0, SENT_BYTES);
  }
  applyAcks(bench, first, BATCH, (n) => bench.abi.applyEvents(n));
  bench.save();
}

/** Copies batch by batch into the regions of events and acknowledgements; the time of the calls only, milliseconds. */
export function applyAcks(bench: BenchEngine, stream: AckStream, batch: number, apply: (n: number) => number): number {
  const { u8 } = bench.views;
  const events = bench.region(REGION_EVENTS);
  const acks = bench.region(REGION_ACK_EVENTS);
  let spent = 0;
  for (let from = 0; from < stream.length; from += BATCH) {
    const end = Math.min(from + BATCH, stream.length);
    u8.set(stream.acks.subarray(from * stream.ackBytes, end * stream.ackBytes), acks);
    for (let at = from; at < end; at += batch) {
      const to = Math.min(at + batch, end);
      u8.set(stream.records.subarray(at * EVENT_BYTES, to * EVENT_BYTES), events);
      const begun = performance.now();
      bench.actions = apply(to - at);
      spent += performance.now() - begun;
    }
  }
  return spent;
}

function nativeVariants(bench: BenchEngine, stream: AckStream): Variant[] {
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
      pass: () => applyAcks(bench, stream, BATCH, (n) => native.applyEvents(n)),
    },
    {
      name: `${NATIVE} with prefetch, batch ${BATCH}`,
      reset,
      pass: () => applyAcks(bench, stream, BATCH, (n) => native.applyEventsPrefetching(n)),
    },
  ];
}

function wasmVariants(bench: BenchEngine, stream: AckStream): Variant[] {
  const reset = (): void => {
    bench.restore();
  };
  const apply = (n: number): number => bench.abi.applyEvents(n);
  return [
    { name: `wasm, batch ${BATCH}`, reset, pass: () => applyAcks(bench, stream, BATCH, apply) },
    { name: `wasm, batch ${SMALL_BATCH}`, reset, pass: () => applyAcks(bench, stream, SMALL_BATCH, apply) },
  ];
}
