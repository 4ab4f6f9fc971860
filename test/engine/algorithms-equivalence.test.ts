import { describe, expect, it } from 'vitest';
import { gbps, type Engine, type EngineOptions } from '../../src/index.js';
import { caseCount } from '../support/effort.js';
import { Chains } from './support/chains.js';
import { BATCH, EVERY_ALGORITHM, openAll, playEvents } from './support/every-algorithm.js';
import { Herd } from './support/herd.js';

const STEPS = caseCount('ROCE_EVENTS', { few: 20_000, all: 200_000 });

/** Feeds random events to all engines and restores snapshots between them. */
function drive(options: Omit<EngineOptions, 'backend' | 'hashSeed'>, seed: number, steps: number,
  afterBatch?: (engine: Engine) => () => void): Herd {
  const herd = new Herd(options);
  openAll(herd);
  const follow = afterBatch?.(herd.first);
  playEvents(herd, seed, steps, (_, done) => {
    follow?.();
    if (done - BATCH <= steps / 2 && done > steps / 2) herd.fork();
  });
  return herd;
}

describe('engines with every algorithm at once', () => {
  it.each(['reject', 'clamp'] as const)(
    `agree bit for bit on ${STEPS} random events, and resume from snapshots (late events: %s)`,
    (lateEvents) => {
      const herd = drive({ parameterSets: EVERY_ALGORITHM, lateEvents, capacity: { qps: 64, events: BATCH } },
        20_261_121, STEPS);
      const { outcomes } = herd.first.stats();
      for (
        const outcome of [
          'sent',
          'ack-applied',
          'ack-not-used',
          'ack-no-signal',
          'loss-applied',
          'loss-not-used',
          'credit-applied',
          'credit-not-used',
          'cnp-not-used',
          'cnp-handled',
        ] as const
      ) {
        expect(outcomes[outcome], outcome).toBeGreaterThan(0);
      }
    },
    600_000,
  );

  it.each(['reject', 'clamp'] as const)('trace every rate change identically (late events: %s)', (lateEvents) => {
    let chains: Chains | undefined;
    drive({ parameterSets: EVERY_ALGORITHM, lateEvents, trace: true, capacity: { qps: 64, events: BATCH } }, 20_261_122,
      STEPS, (engine) => {
      const followed = new Chains(engine);
      chains = followed;
      return () => {
        followed.follow();
      };
    });
    expect([...chains!.reasons.keys()]).toEqual(expect.arrayContaining([
      'additive',
      'cut',
      'dctcp-cut',
      'dctcp-increase',
      'fast-recovery',
      'hpcc-additive',
      'hpcc-multiplicative',
      'nscc-decrease',
      'nscc-increase',
      'nscc-loss',
      'nscc-quick-adapt',
      'nscc-timeout',
      'pint-multiplicative',
      'recovery-additive',
      'recovery-halfway',
      'swift-decrease',
      'swift-increase',
      'swift-loss',
      'swift-round-trip',
      'timely-gradient',
      'timely-low-rtt',
    ]));
  }, 600_000);

  it('keep every rate between a thousandth of a bit per second and the line rate', () => {
    const herd = drive({ parameterSets: EVERY_ALGORITHM, capacity: { qps: 64, events: BATCH } }, 7, 20_000);
    for (const qp of herd.first.openQps()) {
      const rateBps = herd.first.rateBps(qp);
      expect(rateBps, `QP ${qp}`).toBeGreaterThan(1e-3);
      expect(rateBps, `QP ${qp}`).toBeLessThanOrEqual(gbps(100));
    }
  });
});
