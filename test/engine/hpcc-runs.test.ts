import { describe, expect, it } from 'vitest';
import { gbps, us } from '../../src/index.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { timelyNs3 } from '../../src/config/algorithms/timely.js';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import type { HpccParameters } from '../../src/config/algorithms/hpcc.js';
import type { AckFields, ExactHop } from '../../src/engine/ack-records.js';
import { Seeded } from '../support/seeded.js';
import { Herd } from './support/herd.js';

const PAPER = hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(10) });
const BY_RATE: HpccParameters = { ...PAPER, primary: 'rate', aiRateBps: 5e7, aiWindowBytes: 0 };
/** Parameter sets of the fast path, and some that each differ from it in one parameter. */
const PARAMETER_SETS: Readonly<Record<string, AlgorithmParameters>> = {
  window: PAPER,
  'rate, window follows': BY_RATE,
  'rate, fixed window': { ...BY_RATE, windowMode: 'fixed', maxStage: 0 },
  'rate, no window': { ...BY_RATE, windowMode: 'none' },
  constant: { ...PAPER, ewma: 'constant', ewmaBeta: 0.3 },
  sampled: { ...PAPER, sampleFeedback: true },
  slow: { ...PAPER, fastReact: false },
  u32: { ...PAPER, sequence: 'u32' },
  timely: timelyNs3({ lineRateBps: gbps(100) }),
};
const NAMES = Object.keys(PARAMETER_SETS);
const BATCHES = 150;

/** The telemetry of one path, with occasional anomalies. */
class Path {
  readonly #random: Seeded;
  #hops: ExactHop[] = [];
  #sequence = 1;

  constructor(random: Seeded) {
    this.#random = random;
    this.#change();
  }

  next(timePs: number): AckFields {
    const random = this.#random;
    if (random.chance(0.01)) this.#change();
    // Equal queues without traffic make hops equally busy over different intervals; that of the first one counts.
    const isEven = random.chance(0.2);
    this.#hops = this.#hops.map((hop) => ({
      ...hop,
      timePs: random.chance(0.01) ? hop.timePs : timePs + random.whole(0, 300) * 1000,
      txBytes: random.chance(0.01) ? 0 : hop.txBytes + (isEven ? 0 : random.whole(0, 200_000)),
      qlenBytes: isEven ? 64 : random.chance(0.1) ? 0 : random.whole(100, 100_000),
      lineRateBps: random.chance(0.003) ? 0 : gbps(isEven ? 100 : random.pick([100, 400])),
    }));
    this.#sequence = (this.#sequence + random.pick([0, 1, 5])) % 2 ** 24;
    return {
      ackSeq: this.#sequence,
      sndNxt: this.#sequence + random.pick([0, 10]),
      sentTimePs: Math.max(0, timePs - us(20)),
      ...(random.chance(0.01) ? {} : { telemetry: { kind: 'exact' as const, hops: this.#hops, pathId: 3 } }),
    };
  }

  #change(): void {
    const count = this.#random.pick([0, 1, 2, 3, 5, 5, 5, 8, 16]);
    this.#hops = Array.from({ length: count },
      (_, i) => ({ timePs: 0, txBytes: 0, qlenBytes: 0, lineRateBps: gbps(100), hopId: i }));
  }
}

/** Applies batches of almost only ACKs and compares the backends after each. */
function drive(names: readonly string[], qps: number, seed: number): Herd {
  const random = new Seeded(seed);
  const herd = new Herd({ parameterSets: PARAMETER_SETS, capacity: { qps, events: 128 } });
  for (let qp = 0; qp < qps; qp++) {
    herd.step((engine) => engine.openQp({ localQpn: qp + 1, parameterSet: names[qp % names.length]! }));
  }
  const paths = Array.from({ length: qps }, () => new Path(random));
  let timePs = us(1);
  for (let batch = 0; batch < BATCHES; batch++) {
    const length = random.whole(1, 128);
    for (let i = 0; i < length; i++) {
      timePs += random.pick([0, 1, 300_000, 2_000_000]);
      const at = random.chance(0.01) ? timePs - us(1) : timePs;
      const qp = random.chance(0.005) ? qps : random.whole(0, qps - 1);
      if (random.chance(0.05)) {
        herd.step((engine) => {
          engine.events.sent(at, qp, 1500);
        });
      } else {
        const fields = paths[qp % qps]!.next(at);
        herd.step((engine) => {
          engine.events.ack(at, qp, fields);
        });
      }
    }
    herd.step((engine) => engine.applyEvents());
    herd.check();
  }
  return herd;
}

describe('runs of ACKs', () => {
  it.each(NAMES)('under one parameter set agree between the backends, with actions in order: %s', (name) => {
    const { outcomes } = drive([name], 5, 11).first.stats();
    expect(outcomes['ack-applied']).toBeGreaterThan(1000);
    expect(outcomes['time-backwards']).toBeGreaterThan(0);
  });

  it('under many parameter sets agree between the backends, with actions in order', () => {
    drive(NAMES, 40, 12);
    drive(NAMES.slice(0, 2), 4, 13);
  });

  it('of a single QP agree between the backends', () => {
    drive(['window'], 1, 14);
  });
});
