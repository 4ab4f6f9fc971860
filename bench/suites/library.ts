/**
 * The library for C (`npm run native`) against the hand-written C of bench/native, paired: DCQCN's mix over batches of 4096 events. Goals:
 * at most 1.15, 1.0 and 0.9 of the hand-written C's time at 1,000, 64,000 and a million queue pairs.
 */
import { EVENT_BYTES } from '../../src/abi/layout.js';
import { eventStream, limitingStream, type EventStream } from '../support/event-stream.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { hasLibrary, LibraryEngine } from '../support/native-library.js';
import { loadNative } from '../support/native-addon.js';
import { applyAll, limitedEngine, type DcqcnOptions } from './dcqcn.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const BATCH = 4096;
const NATIVE = 'native C';

export const librarySuite: Suite = {
  name: 'library',
  about: 'the library for C against hand-written C, DCQCN mix',
  plan(size: SuiteSize): readonly CasePlan[] {
    const events = size.smoke ? 2 ** 14 : 2 ** 20;
    const counts = size.smoke ? [64, 8000] : [1000, 64_000, 1_000_000];
    return counts.map((qps) => ({ title: `mix uniform ${sizeName(qps)}`, make: () => libraryCase(qps, events) }));
  },
};

function libraryCase(qps: number, events: number): BenchCase {
  const options: DcqcnOptions = { workload: 'mix', spread: 'uniform', qps, rateActions: true, events };
  const stream = eventStream('mix', 'uniform', qps, events);
  const bench = limitedEngine(options);
  const native = loadNative().engine;
  const variants: Variant[] = native === undefined ? [] : [{
    name: NATIVE,
    reset() {
      bench.restore();
      bench.lend(native);
    },
    pass: () => applyAll(bench, stream, BATCH, (n) => native.applyEvents(n)),
  }];
  variants.push({
    name: 'wasm',
    reset: () => bench.restore(),
    pass: () => applyAll(bench, stream, BATCH, (n) => bench.abi.applyEvents(n)),
  });
  if (!hasLibrary)
    return {
      title: `mix uniform ${sizeName(qps)} (no library: npm run native)`,
      unit: 'event',
      units: stream.length,
      base: NATIVE,
      variants,
    };
  const library = new LibraryEngine(qps, BATCH);
  pass(library, limitingStream(qps));
  library.save();
  variants.push({ name: 'library', reset: () => library.restore(), pass: () => pass(library, stream) });
  return {
    title: `mix uniform ${sizeName(qps)}`,
    unit: 'event',
    units: stream.length,
    base: NATIVE,
    variants,
    check() {
      bench.restore();
      applyAll(bench, stream, BATCH, (n) => bench.abi.applyEvents(n));
      library.restore();
      pass(library, stream);
      const [wanted, got] = [bench.engine.stateHash(), library.stateHash()];
      if (got !== wanted) throw new Error(`the library's state is ${got}, the engine's ${wanted}`);
    },
  };
}

/** As `applyAll`: copies batch by batch into the library's buffer, and the time of the calls only. */
function pass(library: LibraryEngine, stream: EventStream): number {
  let spent = 0;
  for (let from = 0; from < stream.length; from += BATCH) {
    const to = Math.min(from + BATCH, stream.length);
    library.buffer.set(stream.records.subarray(from * EVENT_BYTES, to * EVENT_BYTES));
    const begun = performance.now();
    library.apply(to - from);
    spent += performance.now() - begun;
  }
  return spent;
}
