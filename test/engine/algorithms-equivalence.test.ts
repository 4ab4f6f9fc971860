import { describe, expect, it } from 'vitest';
import { gbps, us, type Engine, type EngineOptions } from '../../src/index.js';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import { hpccNs3 } from '../../src/config/algorithms/hpcc/preset-ns3.js';
import { hpccPpDraft } from '../../src/config/algorithms/hpcc-pp/preset-draft.js';
import { nsccMrc } from '../../src/config/algorithms/nscc/preset-mrc.js';
import { nsccUet } from '../../src/config/algorithms/nscc/preset-uet.js';
import { rcccUet } from '../../src/config/algorithms/rccc/preset-uet.js';
import { timelySigcomm15 } from '../../src/config/algorithms/timely/preset-sigcomm15.js';
import type { AckFields, AckTelemetry } from '../../src/engine/ack-records.js';
import { Chains } from './support/chains.js';
import { Herd } from './support/herd.js';
import { ALGORITHM_EXAMPLES } from '../support/algorithm-examples.js';
import { caseCount } from '../support/effort.js';

const LINE = { lineRateBps: gbps(100) };
const RTT = { ...LINE, baseRttPs: us(10) };

/** One parameter set of each algorithm, and of its other forms. */
const PARAMETER_SETS: Readonly<Record<string, AlgorithmParameters>> = {
  ...ALGORITHM_EXAMPLES,
  'hpcc-int64': hpccNs3('run.py', RTT),
  'hpcc-per-hop': hpccNs3('multirate', RTT),
  'timely-sigcomm15': timelySigcomm15(LINE),
  'nscc-mrc': nsccMrc({ ...RTT, lastHopTrims: 'leave', nackRtt: 'ignore', adaptTargets: 0.5 }),
  'nscc-small': nsccUet({ ...RTT, initialWindowBytes: 9000, quickAdapt: false, targetDelayPs: us(20), fairGain: 100 }),
  'rccc-small': rcccUet({ ...RTT, initialCreditBytes: 3000, maxWindowBdps: 0.1, timeoutCredit: 'none' }),
  'hpcc-pp-timer': hpccPpDraft({
    ...RTT,
    clock: 'timer',
    signalSources: ['acks', 'cnps'],
    firstSample: 'queue-only',
    recoveryPeriodPs: 0,
  }),
};
const NAMES = Object.keys(PARAMETER_SETS);
const STEPS = caseCount('ROCE_EVENTS', { few: 20_000, all: 200_000 });
const BATCH = 64;

/** A separate small generator, so that a failing seed can be run again. */
class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }
}

function telemetry(chance: Chance, timePs: number): AckTelemetry | undefined {
  const kind = chance.below(8);
  if (kind === 0) return undefined;
  const count = chance.below(20) === 0 ? chance.below(6) : 1 + chance.below(3);
  if (kind < 5) {
    const hops = Array.from({ length: count }, (_, hop) => ({
      timePs: Math.max(0, timePs - chance.below(3) * 1_000_000 - hop * 1000),
      txBytes: Math.floor(timePs / 100) + chance.below(3) * 1000,
      qlenBytes: chance.below(3) === 0 ? 0 : chance.below(200_000),
      lineRateBps: gbps(chance.below(4) === 0 ? 400 : 100),
      hopId: chance.below(50) === 0 ? 7 : hop,
    }));
    return { kind: 'exact', hops, pathId: chance.below(60) === 0 ? 1 : 0 };
  }
  const hops = Array.from({ length: Math.min(count, 5) }, () => ({
    lineRateCode: chance.below(6),
    time: (Math.floor(timePs / 1000) + chance.below(5000)) % 2 ** 24,
    bytes: chance.below(2 ** 20),
    qlen: chance.below(2 ** 17),
  }));
  const isFull = hops.length === 5 && chance.below(4) === 0;
  return { kind: 'int64', hopCount: isFull ? 6 + chance.below(300) : hops.length, hops };
}

function ackFields(chance: Chance, timePs: number, sequence: number): AckFields {
  const gathered = telemetry(chance, timePs);
  return {
    ackSeq: sequence,
    sndNxt: sequence + chance.below(200) * 1000,
    ecnEcho: chance.below(3) === 0,
    ...(chance.below(10) === 0 ? {} : { sentTimePs: Math.max(0, timePs - us(5) - chance.below(us(100))) }),
    hostDelayPs: chance.below(4) === 0 ? us(1) : 0,
    pathHops: chance.below(6),
    ackedPackets: 1 + chance.below(4),
    ...(chance.below(10) === 0 ? {} : { ackedBytes: chance.below(20_000) }),
    ...(chance.below(8) === 0 ? {} : { pintPower: chance.below(256) }),
    ...(gathered ? { telemetry: gathered } : {}),
  };
}

/** A loss, a NACK or credit. */
function rarerEvent(chance: Chance, timePs: number, qp: number): (engine: Engine) => void {
  if (chance.below(3) === 0) {
    // Mostly news: a number that grows with time, or one of long ago.
    const pullNumber = chance.below(4) === 0 ? chance.below(1000) : Math.floor(timePs / 1e4) + chance.below(100);
    return (engine) => engine.events.credit(timePs, qp, pullNumber);
  }
  const found = chance.below(2) === 0 ? 'fast' : 'timeout';
  if (chance.below(3) > 0) return (engine) => engine.events.loss(timePs, qp, found);
  const fields = {
    trimmedBytes: chance.below(5000),
    lastHop: chance.below(2) === 0,
    ...(chance.below(4) === 0 ? {} : { sentTimePs: Math.max(0, timePs - us(5) - chance.below(us(100))) }),
  };
  return (engine) => engine.events.nack(timePs, qp, fields);
}

/** Feeds a herd one random event after the other, in batches, with snapshots on the way. `afterBatch`: of all QPs open. */
function drive(options: Omit<EngineOptions, 'backend' | 'hashSeed'>, seed: number, steps: number,
  afterBatch?: (engine: Engine) => () => void): Herd {
  const herd = new Herd(options);
  const chance = new Chance(seed);
  const qps = NAMES.length * 3;
  herd.step((engine) => engine.addEndpoint());
  for (let qp = 0; qp < qps; qp++) {
    herd.step((engine) => engine.openQp({ localQpn: qp + 1, parameterSet: NAMES[qp % NAMES.length]! }));
  }
  const follow = afterBatch?.(herd.first);
  let timePs = 0;
  const sequences = new Array<number>(qps).fill(0);
  for (let i = 0; i < steps; i++) {
    timePs += chance.below(3) === 0 ? 0 : chance.below(us(3));
    const at = chance.below(100) === 0 ? Math.max(0, timePs - us(2)) : timePs;
    const qp = chance.below(qps);
    const kind = chance.below(10);
    if (kind < 4) {
      herd.step((engine) => {
        engine.events.sent(at, qp, 1000 + (i % 90));
      });
    } else if (kind < 8) {
      sequences[qp] += chance.below(20) * 1000;
      const fields = ackFields(chance, at, sequences[qp]!);
      herd.step((engine) => {
        engine.events.ack(at, qp, fields);
      });
    } else if (kind === 8) {
      herd.step(rarerEvent(chance, at, qp));
    } else if (chance.below(2) === 0) {
      herd.step((engine) => {
        engine.events.cnp(at, qp);
      });
    } else {herd.step((engine) => {
        engine.events.touch(at, qp);
      });}
    if (i % BATCH === BATCH - 1) {
      herd.step((engine) => engine.applyEvents());
      herd.check();
      follow?.();
      if (i - BATCH < steps / 2 && i >= steps / 2) herd.fork();
    }
  }
  herd.step((engine) => engine.applyEvents());
  herd.check();
  return herd;
}

describe('engines with every algorithm at once', () => {
  it.each(['reject', 'clamp'] as const)(
    `agree bit for bit on ${STEPS} random events, and resume from snapshots (late events: %s)`,
    (lateEvents) => {
      const herd = drive({ parameterSets: PARAMETER_SETS, lateEvents, capacity: { qps: 64, events: BATCH } },
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

  it.each(['reject', 'clamp'] as const)(
    'explain each change of a rate the same way, in chains without a gap (late events: %s)',
    (lateEvents) => {
      let chains: Chains | undefined;
      drive({ parameterSets: PARAMETER_SETS, lateEvents, trace: true, capacity: { qps: 64, events: BATCH } },
        20_261_122, STEPS, (engine) => {
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
    },
    600_000,
  );

  it('keep every rate between a thousandth of a bit per second and the line rate', () => {
    const herd = drive({ parameterSets: PARAMETER_SETS, capacity: { qps: 64, events: BATCH } }, 7, 20_000);
    for (const qp of herd.first.openQps()) {
      const rateBps = herd.first.rateBps(qp);
      expect(rateBps, `QP ${qp}`).toBeGreaterThan(1e-3);
      expect(rateBps, `QP ${qp}`).toBeLessThanOrEqual(gbps(100));
    }
  });
});
