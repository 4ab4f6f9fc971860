/** With many QPs, states are prefetched in blocks of 64 events, which must not change any result. */
import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, us, type EngineOptions, type EventBatch } from '../../src/index.js';
import { Seeded } from '../support/seeded.js';
import { BACKENDS } from '../support/backends.js';
import { dcqcnState } from '../support/dcqcn-state.js';

const LINE = { lineRateBps: gbps(100) };
const OPTIONS: Omit<EngineOptions, 'backend'> = {
  parameterSets: {
    short: { ...dcqcnSigcomm15(LINE), byteCounterBytes: 3000 },
    long: { ...dcqcnSigcomm15(LINE), limiterRelease: 'never', byteCounterBytes: 1000 },
  },
  hashSeed: 1,
  capacity: { qps: 4096, events: 300 },
};
const QPS = 100;
const BATCHES = 40;
/** The last batch ends within a block. */
const EVENTS = 3 * 64 + 17;

describe('DCQCN batches with a capacity of 4,096 QPs', () => {
  it('leave all backends in the same state', () => {
    const engines = BACKENDS.map(([, backend]) => createEngineSync({ ...OPTIONS, backend }));
    for (const engine of engines) {
      for (let qp = 0; qp < QPS; qp++)
        engine.openQp({ localQpn: qp + 1, parameterSet: qp % 2 === 0 ? 'short' : 'long' });
    }
    const draws = new Seeded(12);
    let timePs = us(1);
    for (let batch = 0; batch < BATCHES; batch++) {
      for (let event = 0; event < EVENTS; event++) {
        timePs += draws.whole(0, us(1));
        const [qp, kind, lenBytes] = [draws.whole(0, QPS), draws.whole(0, 7), draws.whole(64, 9000)];
        for (const { events } of engines) put(events, timePs, qp, kind, lenBytes);
      }
      engines.forEach((engine) => {
        engine.applyEvents();
      });
      const [hash, ...others] = engines.map((engine) => engine.stateHash());
      expect(others).toEqual(others.map(() => hash));
    }
    const stages = Array.from({ length: QPS }, (_, qp) => dcqcnState(engines[0]!, qp).byteStage);
    expect(Math.max(...stages)).toBeGreaterThan(20);
    expect(engines[0]!.stats().outcomes['unknown-qp']).toBeGreaterThan(0);
  });
});

/** Adds an event of a random kind: a CNP, a touch, or in most cases bytes sent. */
function put(events: EventBatch, timePs: number, qp: number, kind: number, lenBytes: number): void {
  if (kind === 0) events.cnp(timePs, qp);
  else if (kind === 1) events.touch(timePs, qp);
  else events.sent(timePs, qp, lenBytes);
}
