/**
 * HPCC over batches of acknowledgements, each of which is a full update: the engine, C on the same memory, the js backend.
 */
import type { EngineOptions } from '../../src/config/engine-config.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { gbps, us } from '../../src/units.js';
import { applyAcks, BATCH, begin, wasmVariants } from '../support/ack-batches.js';
import { ackStreams, type AckStream } from '../support/ack-stream.js';
import { BenchEngine, checkSame } from '../support/bench-engine.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { ackEventBytes } from '../support/memory-map.js';
import { loadNative } from '../support/native-addon.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const NATIVE = 'native C';
const PARAMETERS = hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(13) });

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
