/**
 * A minimal application of the package: it runs a fixed workload, and outputs the hash of the engine's state. It runs
 * in Node, and in a browser after each bundler; the hash must be the same.
 */

import { createEngineSync, dcqcnSigcomm15, gbps } from 'roce-cc';

const QP_COUNT = 64;
const EVENT_COUNT = 20_000;
const BATCH_EVENTS = 1_000;
/** A mean gap of 50 ns between events, or about 3 µs per QP, so that timers run between most of them. */
const MAX_GAP_PS = 100_000;
const CNP_PER_CENT = 10;

export function stateHashOfWorkload(): string {
  const engine = createEngineSync({ parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
  const qps = Array.from({ length: QP_COUNT }, (_, index) => engine.openQp({ localQpn: index + 1 }));
  const random = randomIntegers(1);
  let timePs = 0;
  for (let event = 1; event <= EVENT_COUNT; event += 1) {
    timePs += random(MAX_GAP_PS);
    const qp = qps[random(QP_COUNT)]!;
    if (random(100) < CNP_PER_CENT) engine.events.cnp(timePs, qp);
    else engine.events.sent(timePs, qp, 64 + random(4_096));
    if (event % BATCH_EVENTS === 0) engine.applyEvents();
  }
  return engine.stateHash();
}

/** Integers in [0, bound) from a linear congruential generator: the same sequence on every machine. */
function randomIntegers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
