import { beforeAll, describe, expect, it } from 'vitest';
import { ACK_NO_POWER } from '../../src/abi/ack-layout.js';
import { type HpccPintParameters, hpccPintNs3, PINT_BASE_MIN,
  validateHpccPint } from '../../src/config/algorithms/hpcc-pint.js';
import { parameterRecord } from '../../src/config/algorithms/registry.js';
import { STAGE_LIMIT, TARGET_UTILIZATION_MIN, WINDOW_MAX_BYTES } from '../../src/config/algorithms/algorithm.js';
import type { Ack } from '../../src/reference/algorithms/ack.js';
import { HpccPintModel } from '../../src/reference/algorithms/hpcc-pint/model.js';
import { gbps, us } from '../../src/units.js';
import { ackOf, expectRow, numbersOf } from '../support/golden-acks.js';
import { PINT_TRACES, pintGolden } from '../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden } from '../support/golden.js';
import { instantiatePart, WasmController, type WasmExports } from './support/harness.js';
import { Seeded } from '../support/seeded.js';
import { driveTwins, fieldsOf, randomRates, Stream, type Twins } from './support/streams.js';
import { CONTROLLER } from '../../src/abi/records/controllers.js';

const COLUMNS = ['last_update_seq_after', 'inc_stage', 'cur_rate_bps', 'rate_bps', 'win_from_rate'];
const KIND: Readonly<Record<string, string>> = { FIRST: 'first', UPDATE: 'update', FAST: 'fast', SKIP: 'skipped' };
const COMMITTED = 8;
/** Offset of tableAddress, after the fields that the host writes. */
const TABLE_FIELD = 128;
/** After all records; the largest table has 8 pages. */
const TABLE_ADDRESS = 8 * 65536;
const TABLE_PAGES = 9;
const STREAMS = 350;
const EVENTS = 900;

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/hpcc-entry.ts');
  wasm.memory.grow(TABLE_PAGES);
});

function controllerOf(parameters: HpccPintParameters): WasmController {
  wasm.fillPintTable(TABLE_ADDRESS, parameters.pintBase, parameters.pintBits);
  return new WasmController(wasm, 'hpccPint', [...parameterRecord(parameters), ['tableAddress', TABLE_ADDRESS]]);
}

describe('HPCC-PINT in wasm reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const traces = goldenFiles(folder, PINT_TRACES);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const qp = controllerOf(pintGolden(name));
    for (const row of readGolden(folder, name)) {
      const outcome = qp.onAck({ ...ackOf(row), pintPower: Number(row.power) });
      const actual = [qp.lastUpdateSeq, qp.u16(CONTROLLER.at.stage), qp.f64(COMMITTED), qp.rateBps, qp.windowBytes];
      expectRow([outcome, ...actual], [KIND[row.kind], ...numbersOf(row, COLUMNS)], row.time_ns);
    }
    qp.checkContained();
  });
});

describe("HPCC-PINT's parameters", () => {
  const parameters: HpccPintParameters = {
    algorithm: 'hpcc-pint',
    numbers: 'float64',
    maxRateBps: 40e9,
    minRateBps: 2e6,
    windowBytes: 61_725,
    windowMode: 'none',
    targetUtilization: 0.9,
    maxStage: 7,
    aiRateBps: 3e6,
    fastReact: false,
    pintBase: 1.25,
    pintBits: 6,
    pintProbability: 1,
    sequence: 'u32',
    sendGap: 'picoseconds',
  };
  const expected = [40e9, 2e6, 2e6, 40e9, 3e6, 0.9, 7, 0, 61_725, 0, 0, 0, 0, 1.25, 6];
  const fields = (more: Partial<HpccPintParameters>) =>
    fieldsOf(wasm, 'hpccPint', parameterRecord({ ...parameters, ...more }));

  it('are written to the engine fields of the same names', () => {
    expect(fields({})).toEqual(expected);
  });

  it.each<[Partial<HpccPintParameters>, number, number]>([
    [{ numbers: 'whole-bps' }, 7, 1],
    [{ windowMode: 'fixed' }, 9, 1],
    [{ windowMode: 'variable' }, 9, 2],
    [{ fastReact: true }, 10, 1],
    [{ sequence: 'psn24' }, 11, 1],
    [{ sendGap: 'ns3-nanoseconds' }, 12, 1],
  ])('%o changes only its own field', (more, slot, value) => {
    expect(fields(more)).toEqual(expected.with(slot, value));
  });

  it('are prepared with their own decode table and store its address', () => {
    fields({});
    const written = 3 * 65536;
    expect(wasm.hpccPintTableBytes(written)).toBe(8 * 64);
    const view = new DataView(wasm.memory.buffer);
    view.setFloat64(TABLE_ADDRESS + 8 * 64, -1, true);
    wasm.hpccPintPrepare(written, TABLE_ADDRESS);
    expect(view.getFloat64(written + TABLE_FIELD, true)).toBe(TABLE_ADDRESS);
    expect([0, 1, 2].map((p) => view.getFloat64(TABLE_ADDRESS + 8 * p, true))).toEqual([
      1 / 512,
      1.25 / 512,
      1.5625 / 512,
    ]);
    expect(view.getFloat64(TABLE_ADDRESS + 8 * 64, true)).toBe(-1);
  });
});

/** Any valid parameter set; limits are as likely as usual values. */
function randomParameters(random: Seeded): HpccPintParameters {
  const rates = randomRates(random);
  const largest = Math.min(WINDOW_MAX_BYTES, Math.floor((2 ** 64 - 2 ** 12) / rates.maxRateBps));
  const [pintBase, pintBits] = random.pick([
    [1.05, 8],
    [1.01, 11],
    [2, 9],
    [2, 1],
    [PINT_BASE_MIN, 10],
    [1 + 2 ** -7 + random.next() / 2 ** 8, 12],
    [1.03125, 8],
  ] as const);
  return validateHpccPint({
    algorithm: 'hpcc-pint',
    ...rates,
    windowBytes: random.pick([1, largest, random.whole(1, largest)]),
    windowMode: random.pick(['none', 'fixed', 'variable', 'variable']),
    targetUtilization: random.pick([0.95, 1, TARGET_UTILIZATION_MIN, 0.5]),
    maxStage: random.pick([0, 1, 5, STAGE_LIMIT]),
    fastReact: random.chance(0.7),
    pintBase,
    pintBits,
    pintProbability: 1,
    sequence: random.pick(['u32', 'psn24']),
    sendGap: random.pick(['picoseconds', 'ns3-nanoseconds']),
  });
}

/** ACKs with powers near the target utilisation, and occasionally any other power. */
class PintStream extends Stream {
  readonly #near: number;
  readonly #spread: number;

  constructor(random: Seeded, { pintBase, pintBits, targetUtilization }: HpccPintParameters) {
    super(random);
    const atTarget = Math.log(512 * targetUtilization) / Math.log(pintBase);
    this.#near = Math.floor(Math.min(Math.max(0, atTarget), 2 ** pintBits - 1));
    this.#spread = random.pick([2, 20, 100]);
  }

  override nextAck(): Ack {
    const { random } = this;
    const ack = super.nextAck();
    const near = Math.max(0, this.#near + random.whole(-this.#spread, this.#spread));
    const pintPower = random.pick([near, near, near, near, 0, 255, random.whole(0, 65535), ACK_NO_POWER - 1]);
    return random.chance(0.03) ? ack : { ...ack, pintPower };
  }
}

function twinsOf(parameters: HpccPintParameters, outcomes = new Map<string, number>()): Twins {
  const inner = new HpccPintModel(parameters, {
    next: () => expect.unreachable('no number is drawn at probability 1'),
  });
  const qp = controllerOf(parameters);
  const model = {
    get rateBps() {
      return inner.rateBps;
    },
    get windowBytes() {
      return inner.windowBytes;
    },
    get nextSendPs() {
      return inner.nextSendPs;
    },
    onSent: (timePs: number, lenBytes: number) => inner.onSent(timePs, lenBytes),
    onAck: (ack: Ack) => {
      const outcome = inner.onAck(ack);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return outcome;
    },
  };
  return {
    model,
    wasm: qp,
    stateOfModel: () => {
      const s = inner.state;
      return [
        s.rateBps,
        inner.windowBytes,
        s.committed,
        s.incStage,
        Number(s.started),
        s.lastUpdateSeq,
        s.lastEventPs,
        s.nextSendPs,
        s.lastLenBytes,
      ];
    },
    stateOfWasm: () => [
      qp.rateBps,
      qp.windowBytes,
      qp.f64(COMMITTED),
      qp.u16(CONTROLLER.at.stage),
      Number(qp.started),
      qp.lastUpdateSeq,
      qp.lastEventPs,
      qp.nextSendPs,
      qp.u32(CONTROLLER.at.lastLenBytes),
    ],
  };
}

describe('HPCC-PINT in wasm', () => {
  it('matches its model bit for bit, under any parameters and events', () => {
    let acks = 0;
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= STREAMS; seed += 1) {
      const random = new Seeded(seed);
      const parameters = randomParameters(random);
      acks += driveTwins(twinsOf(parameters, outcomes), new PintStream(random, parameters), EVENTS);
    }
    expect(acks).toBeGreaterThan(200_000);
    for (const outcome of ['first', 'update', 'fast', 'skipped', 'no-signal']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(STREAMS / 2);
    }
  }, 120_000);

  it('opens a QP in the same state as its model', () => {
    const twins = twinsOf(hpccPintNs3({ lineRateBps: gbps(100), baseRttPs: us(10) }));
    expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
  });

  it('reports no signal and changes nothing without a power', () => {
    const qp = controllerOf(hpccPintNs3({ lineRateBps: gbps(100), baseRttPs: us(10) }));
    const ack = { timePs: us(1), ackSeq: 1, sndNxt: 2, ecnEcho: false };
    expect(qp.onAck(ack)).toBe('no-signal');
    expect(qp.onAck({ ...ack, pintPower: 0 })).toBe('first');
  });
});
