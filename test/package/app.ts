/**
 * The smallest application of the package: a fixed workload in, the hash of the engine's state out. It is run by
 * Node, and by a browser after each bundler; all must give the same hash.
 */

import { createEngineSync, dcqcnSigcomm15, gbps } from 'roce-cc';

const QP_COUNT = 64;
const EVENT_COUNT = 20_000;
const BATCH_EVENTS = 1_000;
/** Mean 50 ns between events: about 3 µs per QP, so that timers run between most of them. */
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
