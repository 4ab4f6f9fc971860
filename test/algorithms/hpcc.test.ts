import { beforeAll, describe, expect, it } from 'vitest';
import type { HpccParameters } from '../../src/config/algorithms/hpcc.js';
import { hpccNs3, hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { parameterRecord } from '../../src/config/algorithms/registry.js';
import { HpccModel } from '../../src/reference/algorithms/hpcc/model.js';
import type { RawHop, Telemetry } from '../../src/reference/algorithms/hpcc/hops.js';
import { gbps, us } from '../../src/units.js';
import { instantiatePart, type WasmExports } from './support/harness.js';
import { Seeded } from '../support/seeded.js';
import { hpccController, hpccTwins, HpccStream, keptHops, randomHpcc, stateOf } from './support/hpcc-twins.js';
import { driveTwins, fieldsOf } from './support/streams.js';
import { caseCount } from '../support/effort.js';

const STREAMS = caseCount('ROCE_STREAMS', { few: 105, all: 420 });
const EVENTS = 800;
const PAPER = hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(10) });
const SIMULATOR = hpccNs3('run.py', { lineRateBps: gbps(100), baseRttPs: us(10) });

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/hpcc-entry.ts');
});

describe("HPCC's parameters", () => {
  const parameters: HpccParameters = {
    algorithm: 'hpcc',
    numbers: 'float64',
    primary: 'window',
    maxRateBps: 40e9,
    minRateBps: 2e6,
    baseRttPs: 12_345_001,
    windowBytes: 61_725,
    windowMode: 'variable',
    targetUtilization: 0.9,
    maxStage: 7,
    aiRateBps: 3e6,
    aiWindowBytes: 81,
    fastReact: false,
    multiRate: false,
    sampleFeedback: false,
    ewma: 'adaptive',
    ewmaBeta: 0.3,
    records: 'exact',
    intMultiplier: 4,
    pathChange: 'reset',
    repeatedTimestamp: 'skip-hop',
    sequence: 'u32',
    sendGap: 'picoseconds',
  };
  const expected = [
    40e9,
    2e6,
    (2e6 * 12_345_001) / 8e12,
    61_725,
    81,
    0.9,
    7,
    0,
    61_725,
    2,
    0,
    0,
    0,
    12_345_001,
    12_345.001,
    0,
    0,
    0,
    0,
    0.3,
    1 - 0.3,
    0,
    4,
    0,
    0,
  ];
  const fields = (more: Partial<HpccParameters>) => fieldsOf(wasm, 'hpcc', parameterRecord({ ...parameters, ...more }));

  it('are written to the engine fields of the same names', () => {
    expect(fields({})).toEqual(expected);
  });

  it.each<[Partial<HpccParameters>, Readonly<Record<number, number>>]>([
    [{ primary: 'rate' }, { 2: 2e6, 3: 40e9, 4: 3e6, 15: 1 }],
    [{ numbers: 'whole-bps' }, { 7: 1 }],
    [{ windowMode: 'none' }, { 9: 0 }],
    [{ windowMode: 'fixed' }, { 9: 1 }],
    [{ fastReact: true }, { 10: 1 }],
    [{ sequence: 'psn24' }, { 11: 1 }],
    [{ sendGap: 'ns3-nanoseconds' }, { 12: 1 }],
    [{ multiRate: true }, { 16: 1 }],
    [{ sampleFeedback: true }, { 17: 1 }],
    [{ ewma: 'constant' }, { 18: 1 }],
    [{ records: 'int64' }, { 21: 1 }],
    [{ pathChange: 'ignore' }, { 23: 1 }],
    [{ repeatedTimestamp: 'one-nanosecond' }, { 24: 1 }],
  ])('%o changes only the fields that depend on it', (more, changed) => {
    expect(fields(more)).toEqual(expected.map((value, slot) => changed[slot] ?? value));
  });
});

describe('HPCC in wasm', () => {
  it('matches its model bit for bit, under any parameters and events', () => {
    let acks = 0;
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= STREAMS; seed += 1) {
      const random = new Seeded(seed);
      const parameters = randomHpcc(random);
      const twins = hpccTwins(wasm, parameters, (outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
      acks += driveTwins(twins, new HpccStream(random, parameters), EVENTS);
    }
    expect(acks).toBeGreaterThan(STREAMS * 475);
    for (const outcome of ['first', 'update', 'fast', 'new-path', 'skipped', 'no-signal']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(STREAMS);
    }
  }, 120_000);

  it.each([PAPER, SIMULATOR, { ...PAPER, primary: 'rate' } as const])('opens a QP like its model', (parameters) => {
    const twins = hpccTwins(wasm, parameters, () => undefined);
    expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
  });

  /** An ACK that causes a full update, with this telemetry. */
  const ackOf = (i: number, telemetry: Telemetry) => ({
    timePs: us(i),
    ackSeq: 10 * i + 1,
    sndNxt: 10 * i + 5,
    ecnEcho: false,
    telemetry,
  });

  it('handles raw fields beyond their ranges as the model does, without stray writes', () => {
    const odd: RawHop[] = [0, 1, 2 ** 17, 2 ** 20, 2 ** 24 + 3, 2 ** 31, 2 ** 32 - 1].map((value) => ({
      lineRateCode: value,
      time: value,
      bytes: value,
      qlen: value,
    }));
    const random = new Seeded(5);
    const parameters = { ...SIMULATOR, maxStage: 5 };
    const [model, qp] = [new HpccModel(parameters), hpccController(wasm, parameters)];
    for (let i = 1; i < 2000; i += 1) {
      const slots = Array.from({ length: 5 },
        () => ({ ...random.pick(odd), lineRateCode: random.pick([2, 5, 2 ** 32 - 1]), time: random.pick(odd).time }));
      const ack = ackOf(i, { kind: 'int64', hopCount: random.pick([1, 5, 6, 255]), hops: slots });
      expect(qp.onAck(ack)).toBe(model.onAck(ack));
      const { hops, ...state } = model.state;
      expect(stateOf(qp)).toEqual(state);
      expect(keptHops(qp, 5)).toEqual(hops);
    }
    qp.checkContained();
  });

  it('handles numbers that no hop reports as the model does, and keeps the rate within its limits', () => {
    const odd = [0, 1, -1, 1e-300, 1e300, -1e300, Infinity, -Infinity, NaN];
    const random = new Seeded(6);
    for (const multiRate of [false, true]) {
      const parameters = { ...PAPER, multiRate };
      const [model, qp] = [new HpccModel(parameters), hpccController(wasm, parameters)];
      for (let i = 1; i < 2000; i += 1) {
        const value = () => (random.chance(0.3) ? random.pick(odd) : random.scaled(1, 1e9));
        const hops = Array.from({ length: 4 },
          () => ({ timePs: value(), txBytes: value(), qlenBytes: Math.max(0, value()), lineRateBps: value() }));
        const ack = ackOf(i, { kind: 'exact', hops });
        expect(qp.onAck(ack)).toBe(model.onAck(ack));
        expect([qp.rateBps, qp.windowBytes]).toEqual([model.rateBps, model.windowBytes]);
        expect(qp.rateBps).toBeGreaterThanOrEqual(parameters.minRateBps * (1 - 1e-12));
        expect(qp.rateBps).toBeLessThanOrEqual(parameters.maxRateBps);
      }
      qp.checkContained();
    }
  });

  it('reports no signal and changes nothing without telemetry or with records of the other kind', () => {
    const none = { timePs: us(1), ackSeq: 1, sndNxt: 2, ecnEcho: false };
    const exact: Telemetry = { kind: 'exact', hops: [{ timePs: 1, txBytes: 1, qlenBytes: 1, lineRateBps: 100e9 }] };
    const int64: Telemetry = {
      kind: 'int64',
      hopCount: 1,
      hops: Array.from({ length: 5 }, () => ({ lineRateCode: 2, time: 1, bytes: 1, qlen: 1 })),
    };
    for (const [parameters, wanted, other] of [[PAPER, exact, int64], [SIMULATOR, int64, exact]] as const) {
      const qp = hpccController(wasm, parameters);
      expect(qp.onAck(none)).toBe('no-signal');
      expect(qp.onAck({ ...none, telemetry: other })).toBe('no-signal');
      expect(qp.onAck({ ...none, telemetry: wanted })).toBe('first');
    }
  });
});
