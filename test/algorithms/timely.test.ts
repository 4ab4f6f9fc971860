import { beforeAll, describe, expect, it } from 'vitest';
import { STAGE_MAX } from '../../src/abi/codes.js';
import { timelyNs3, type TimelyParameters, TIMELY_FACTOR_MIN,
  validateTimely } from '../../src/config/algorithms/timely.js';
import { parameterRecord } from '../../src/config/algorithms/registry.js';
import { PERIOD_MAX_PS, RATE_MAX_BPS } from '../../src/config/algorithms/algorithm.js';
import { TimelyModel } from '../../src/reference/algorithms/timely/model.js';
import { gbps, ns, us } from '../../src/units.js';
import { ackOf, expectRow, numbersOf } from '../support/golden-acks.js';
import { TIMELY_TRACES, timelyGolden } from '../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden } from '../support/golden.js';
import { instantiatePart, WasmController, type WasmExports } from './support/harness.js';
import { Seeded } from '../support/seeded.js';
import { driveTwins, fieldsOf, randomRates, Stream, type Twins } from './support/streams.js';
import { CONTROLLER } from '../../src/abi/records/controllers.js';

const COLUMNS = ['last_update_seq', 'last_rtt_ns', 'rtt_diff', 'cur_rate_bps', 'rate_bps', 'inc_stage'];
const RTT_DIFF = 8;
const LAST_RTT = 16;
const STREAMS = 200;
const EVENTS = 600;

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/entry.ts');
});

function controllerOf(parameters: TimelyParameters): WasmController {
  return new WasmController(wasm, 'timely', parameterRecord(parameters));
}

describe('TIMELY in wasm reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const traces = goldenFiles(folder, TIMELY_TRACES);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const qp = controllerOf(timelyGolden(name));
    for (const row of readGolden(folder, name)) {
      const ack = ackOf(row);
      qp.onAck({ ...ack, sentTimePs: ack.timePs - ns(Number(row.rtt_ns)) });
      const stage = qp.u16(CONTROLLER.at.stage);
      const actual = [qp.lastUpdateSeq, qp.f64(LAST_RTT), qp.f64(RTT_DIFF), qp.rateBps, qp.rateBps, stage];
      expectRow(actual, numbersOf(row, COLUMNS), row.time_ns);
    }
    qp.checkContained();
  });
});

describe("TIMELY's parameters", () => {
  it('are written to the engine fields of the same names', () => {
    const parameters = validateTimely({
      algorithm: 'timely',
      numbers: 'whole-bps',
      maxRateBps: 40e9,
      minRateBps: 1e9,
      ewmaAlpha: 0.1,
      decreaseBeta: 0.2,
      lowRttPs: 50_001,
      highRttPs: 500_003,
      minRttPs: 20_007,
      aiRateBps: 3e6,
      haiRateBps: 7e6,
      hyperAfterSteps: 5,
      lowRttIncrease: 'staged',
      updateOn: 'round-trip',
      sequence: 'u32',
      sendGap: 'picoseconds',
    });
    const numbers = [40e9, 1e9, 3e6, 7e6, 0.1, 0.9, 0.2, 50.001, 500.003, 20.007, 5];
    const fields = (more: Partial<TimelyParameters>) =>
      fieldsOf(wasm, 'timely', parameterRecord({ ...parameters, ...more }));
    expect(fields({})).toEqual([...numbers, 1, 0, 0, 0, 0]);
    expect(fields({ numbers: 'float64' })).toEqual([...numbers, 0, 0, 0, 0, 0]);
    expect(fields({ lowRttIncrease: 'additive' })).toEqual([...numbers, 1, 1, 0, 0, 0]);
    expect(fields({ updateOn: 'ack' })).toEqual([...numbers, 1, 0, 1, 0, 0]);
    expect(fields({ sequence: 'psn24' })).toEqual([...numbers, 1, 0, 0, 1, 0]);
    expect(fields({ sendGap: 'ns3-nanoseconds' })).toEqual([...numbers, 1, 0, 0, 0, 1]);
  });
});

function randomParameters(random: Seeded): TimelyParameters {
  const lowRttPs = Math.floor(random.pick([1000, random.scaled(1e6, 1e9), random.scaled(1000, PERIOD_MAX_PS)]));
  const high = random.pick([lowRttPs, PERIOD_MAX_PS, lowRttPs * 10]);
  return validateTimely({
    algorithm: 'timely',
    ...randomRates(random),
    haiRateBps: random.pick([0, 1, 1_000_000_000, RATE_MAX_BPS]),
    ewmaAlpha: random.pick([TIMELY_FACTOR_MIN, 1, 0.875, random.next() * 0.9 + 0.01]),
    decreaseBeta: random.pick([TIMELY_FACTOR_MIN, 1, 0.8, random.next() * 0.9 + 0.01]),
    lowRttPs,
    highRttPs: Math.min(high, PERIOD_MAX_PS),
    minRttPs: Math.floor(random.pick([1000, random.scaled(1000, PERIOD_MAX_PS), us(20)])),
    hyperAfterSteps: random.pick([0, 1, 5, STAGE_MAX]),
    lowRttIncrease: random.pick(['staged', 'additive']),
    updateOn: random.pick(['round-trip', 'ack']),
    sequence: random.pick(['u32', 'psn24']),
    sendGap: random.pick(['picoseconds', 'ns3-nanoseconds']),
  });
}

function twinsOf(parameters: TimelyParameters): Twins {
  const model = new TimelyModel(parameters);
  const qp = controllerOf(parameters);
  return {
    model,
    wasm: qp,
    stateOfModel: () => {
      const s = model.state;
      return [
        s.rateBps,
        s.rttDiffNs,
        s.lastRttNs,
        model.windowBytes,
        s.incStage,
        Number(s.started),
        s.lastEventPs,
        s.nextSendPs,
        s.lastLenBytes,
        s.lastUpdateSeq,
      ];
    },
    stateOfWasm: () => [
      qp.rateBps,
      qp.f64(RTT_DIFF),
      qp.f64(LAST_RTT),
      qp.windowBytes,
      qp.u16(CONTROLLER.at.stage),
      Number(qp.started),
      qp.lastEventPs,
      qp.nextSendPs,
      qp.u32(CONTROLLER.at.lastLenBytes),
      qp.lastUpdateSeq,
    ],
  };
}

describe('TIMELY in wasm', () => {
  it('matches its model bit for bit, under any parameters and events', () => {
    let acks = 0;
    for (let seed = 1; seed <= STREAMS; seed += 1) {
      const random = new Seeded(seed);
      const parameters = randomParameters(random);
      const stream = new Stream(random, [parameters.lowRttPs, parameters.highRttPs]);
      acks += driveTwins(twinsOf(parameters), stream, EVENTS);
    }
    expect(acks).toBeGreaterThan(STREAMS * EVENTS * 0.6);
  });

  it('opens a QP in the same state as its model', () => {
    const twins = twinsOf(timelyNs3({ lineRateBps: gbps(100) }));
    expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
  });

  it('saturates the stage at 65535 and keeps adding the hyperactive step', () => {
    const parameters = { ...timelyNs3({ lineRateBps: gbps(100) }), minRateBps: 1000, hyperAfterSteps: STAGE_MAX };
    const qp = controllerOf(parameters);
    const rtt = (i: number, rttPs: number) =>
      qp.onAck({
        timePs: us(1000 * i),
        sentTimePs: us(1000 * i) - rttPs,
        ackSeq: i,
        sndNxt: i,
        ecnEcho: false,
      });
    rtt(1, us(400));
    rtt(2, us(900));
    qp.state.setUint16(CONTROLLER.at.stage, STAGE_MAX - 1, true);
    const rates = [3, 4, 5].map((i) => {
      rtt(i, us(30));
      return [qp.rateBps, qp.u16(CONTROLLER.at.stage)];
    });
    expect(rates.map(([, stage]) => stage)).toEqual([STAGE_MAX, STAGE_MAX, STAGE_MAX]);
    expect(rates[1][0] - rates[0][0]).toBe(parameters.haiRateBps);
    expect(rates[2][0] - rates[1][0]).toBe(parameters.haiRateBps);
  });

  it('reports no signal and changes nothing without a round-trip time or with a negative one', () => {
    const qp = controllerOf(timelyNs3({ lineRateBps: gbps(100) }));
    const ack = { timePs: us(1), ackSeq: 1, sndNxt: 2, ecnEcho: false };
    expect(qp.onAck(ack)).toBe('no-signal');
    expect(qp.onAck({ ...ack, sentTimePs: us(2) })).toBe('no-signal');
    expect(qp.onAck({ ...ack, sentTimePs: us(1) })).toBe('first');
  });
});
