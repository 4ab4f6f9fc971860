/**
 * HPCC through engine events: traces of the reference simulator, and random streams against the reference model.
 *
 * Runs of ACKs use the fast path for plain parameter sets (assembly/algorithms/hpcc/fast-acks.ts), which
 * test/algorithms bypasses because it calls the transitions. test/closed-forms/hpcc.test.ts checks closed forms through
 * the same events.
 */
import { describe, expect, it } from 'vitest';
import type { HpccParameters } from '../../src/config/algorithms/hpcc.js';
import { createEngineSync } from '../../src/engine/create.js';
import type { Engine } from '../../src/engine/engine.js';
import { RoceError } from '../../src/errors.js';
import type { Ack } from '../../src/reference/algorithms/ack.js';
import { HpccModel } from '../../src/reference/algorithms/hpcc/model.js';
import { txTimeNs } from '../../src/reference/algorithms/rate-numbers.js';
import { Seeded } from '../support/seeded.js';
import { HpccStream, randomHpcc } from '../algorithms/support/hpcc-twins.js';
import { ackOf, expectRow, hpccParametersOf, numbersOf, rowsBy, telemetryOf } from '../support/golden-acks.js';
import { GOLDEN_UNIT, goldenFiles, readGolden } from '../support/golden.js';
import { BACKENDS } from '../support/backends.js';

const LEN_BYTES = 1090;

describe.each(BACKENDS)('the %s engine reproduces the traces of the ns-3 reference simulator from events',
  (_, backend) => {
    const folder = GOLDEN_UNIT;
    const configs = rowsBy(folder, 'hpcc_configs.csv', 'config');
    const scenarios = rowsBy(folder, 'hpcc_scenarios.csv', 'scenario');

    it.each(goldenFiles(folder, /^hpcc__.*\.csv$/))('%s', (name) => {
      const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
      const parameters = hpccParametersOf(configs.get(config)!, scenarios.get(scenario)!);
      const inputs = readGolden(folder, `hpcc_input__${scenario}.csv`);
      const engine = createEngineSync({ backend, parameterSets: { default: parameters } });
      const qp = engine.openQp({ localQpn: 1 });
      readGolden(folder, name).forEach((row, index) => {
        const { timePs, ...ack } = ackOf(inputs[index]!);
        // The traces assume before each ACK that the QP may send now, so the gap of the packet is subtracted.
        const gapNs = txTimeNs(LEN_BYTES, engine.rateBps(qp));
        engine.events.sent(timePs, qp, LEN_BYTES);
        engine.events.ack(timePs, qp, { ...ack, telemetry: telemetryOf(inputs[index]!, parameters.intMultiplier) });
        engine.applyEvents();
        const got = [engine.rateBps(qp), engine.windowBytes(qp), engine.nextSendPs(qp) / 1000 - gapNs];
        expectRow(got, numbersOf(row, ['rate_bps', 'win_from_rate', 'next_avail_ns']), `row ${index}`);
      });
    });
  });

const STREAMS = 60;
const BATCHES = 60;

/** Random parameters of the plain form that assembly/algorithms/hpcc/simd.ts supports. */
function randomPlain(random: Seeded): HpccParameters {
  for (;;) {
    const parameters = randomHpcc(random);
    if (parameters.numbers !== 'float64') continue;
    return {
      ...parameters,
      fastReact: true,
      multiRate: false,
      sampleFeedback: false,
      ewma: 'adaptive',
      ewmaBeta: 0,
      records: 'exact',
      intMultiplier: 1,
      pathChange: 'reset',
      repeatedTimestamp: 'skip-hop',
      sequence: 'psn24',
      sendGap: 'picoseconds',
    };
  }
}

/** Adds an event to an engine; returns false when the engine rejects its numbers. */
function isAdded(add: () => void): boolean {
  try {
    add();
    return true;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-argument') return false;
    throw error;
  }
}

interface Flow {
  readonly qp: number;
  readonly model: HpccModel;
  readonly stream: HpccStream;
}

/** Adds an event to a QP and, if the engine accepts it, to its model. */
function addEvent(engine: Engine, { qp, model, stream }: Flow, isSent: boolean): number {
  if (isSent) {
    const timePs = stream.nextTime();
    if (
      isAdded(() => {
        engine.events.sent(timePs, qp, LEN_BYTES);
      })
    ) model.onSent(timePs, LEN_BYTES);
    return 0;
  }
  const ack: Ack = stream.nextAck();
  const { timePs, ackSeq, sndNxt, telemetry } = ack;
  const fields = telemetry ? { ackSeq, sndNxt, telemetry } : { ackSeq, sndNxt };
  if (
    !isAdded(() => {
      engine.events.ack(timePs, qp, fields);
    })
  ) return 0;
  return ['first', 'update', 'fast', 'new-path'].includes(model.onAck(ack)) ? 1 : 0;
}

function stateOf(engine: Engine, qp: number): number[] {
  const state = engine.qp(qp).algorithmState();
  if (state.algorithm !== 'hpcc') throw new Error(`QP ${qp} is under ${state.algorithm}`);
  return [state.rateBps, state.committed, state.utilization, state.windowBytes, state.nextSendPs, state.lastEventPs];
}

describe('runs of ACKs under plain parameters', () => {
  it('match the model of each QP bit for bit, on one or several QPs and between sent packets', () => {
    let applied = 0;
    let appliedByEngines = 0;
    for (let seed = 1; seed <= STREAMS; seed += 1) {
      const random = new Seeded(seed);
      const parameters = randomPlain(random);
      const engine = createEngineSync({
        parameterSets: { default: parameters },
        capacity: { qps: 8, events: 64 },
        rateActions: false,
      });
      const flows = Array.from({ length: random.pick([1, 2, 3, 5]) }, (_, i) => ({
        qp: engine.openQp({ localQpn: i + 1 }),
        model: new HpccModel(parameters),
        stream: new HpccStream(random, parameters),
      }));
      for (let batch = 0; batch < BATCHES; batch += 1) {
        for (let i = random.whole(1, 64); i > 0; i -= 1) {
          applied += addEvent(engine, random.pick(flows), random.chance(0.1));
        }
        engine.applyEvents();
        for (const { qp, model } of flows) {
          const { rateBps, committed, utilization, windowBytes, nextSendPs, lastEventPs } = model.state;
          expectRow(stateOf(engine, qp), [rateBps, committed, utilization, windowBytes, nextSendPs, lastEventPs],
            `seed ${seed}, batch ${batch}`);
        }
      }
      appliedByEngines += engine.stats().outcomes['ack-applied'];
    }
    expect(appliedByEngines).toBe(applied);
    expect(applied).toBeGreaterThan(50_000);
  }, 120_000);
});
