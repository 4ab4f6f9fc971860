/** Events: the wasm engine and the reference model agree on any events in any order. */
import { isDeepStrictEqual } from 'node:util';
import { makeFuzzer } from './fuzzer.js';
import { makeEngine, readAll, step, STEP_LIMIT } from './engines.js';
import type { Random } from './random.js';

const STEPS = 200;
const GAPS_PS = [0, 1, 1000, 100_000, 4_000_000, 55_000_000, 1e9, 1e12];
const START_PS = 1e6;

const pair = [makeEngine('wasm'), makeEngine('js')] as const;
const initial = pair.map((engine) => engine.snapshot());

const make = (random: Random): number[] => Array.from({ length: STEPS }, () => random.below(STEP_LIMIT));

function check(codes: readonly number[]): void {
  pair.forEach((engine, index) => {
    engine.restore(initial[index]);
  });
  let nowPs = START_PS;
  codes.forEach((code, index) => {
    nowPs += GAPS_PS[Math.floor(code / 0x20000) % GAPS_PS.length];
    const [wasm, js] = pair.map((engine) => step(engine, code, nowPs));
    if (!isDeepStrictEqual(wasm, js)) {
      throw new Error(`step ${index}: wasm gave ${JSON.stringify(wasm)}, js ${JSON.stringify(js)}`);
    }
  });
  const [wasm, js] = pair.map(readAll);
  if (!isDeepStrictEqual(wasm, js)) throw new Error(`at the end: ${JSON.stringify(wasm)} and ${JSON.stringify(js)}`);
}

export const events = makeFuzzer('events', make, check);
