import { describe, expect, it } from 'vitest';
import { OUTCOME_CNP_HANDLED } from '../../../src/abi/codes.js';
import type { DcqcnParameters } from '../../../src/config/algorithms/dcqcn.js';
import { DcqcnModel } from '../../../src/reference/algorithms/dcqcn/model.js';
import type { DcqcnListener } from '../../../src/reference/algorithms/dcqcn/machine.js';
import { ns, us } from '../../../src/units.js';
import { GOLDEN_UNIT, goldenFiles, readGolden, type Row } from '../../support/golden.js';
import { PAPER } from '../support/parameters.js';

/** The traces stop before this time, nanoseconds. */
const END_NS: Readonly<Record<string, number>> = {
  single: 8e6,
  periodic10us: 5e6,
  periodic60us: 8e6,
  bursts: 5e6,
  boundary: 4e5,
};

function parametersOf(row: Row): DcqcnParameters {
  return {
    ...PAPER,
    numbers: 'whole-bps',
    maxRateBps: Number(row.line_rate_bps),
    minRateBps: Number(row.min_rate_bps),
    alphaGain: Number(row.g),
    alphaUpdate: 'per-period',
    alphaPeriodPs: us(Number(row.alpha_interval_us)),
    cutTrigger: 'per-period',
    cutPeriodPs: us(Number(row.decrease_interval_us)),
    cutOffsetPs: 1000,
    rateOnFirstCnpFraction: Number(row.rate_on_first_cnp),
    clampTargetRate: row.clamp_target === '1',
    clampTargetRateAfterTimeIncrease: true,
    increasePeriodPs: us(Number(row.increase_timer_us)),
    increaseTimerStart: 'first-cut',
    byteCounterBytes: 0,
    fastRecoverySteps: Number(row.fast_recovery_times),
    stages: 'time',
    aiRateBps: Number(row.rai_bps),
    haiRateBps: Number(row.rhai_bps),
    hyperThreshold: 'above',
    hyperFactor: 'constant',
    limiterRelease: 'never',
    simultaneous: 'event-first',
  };
}

const flag = (value: boolean): number => (value ? 1 : 0);

/** Each row as one array: time in ps, transition, alpha, rate, target, stage, both flags. */
function expectedTrace(folder: string, name: string): (string | number)[][] {
  return readGolden(folder, name).map((row) => [
    ns(Number(row.time_ns)),
    row.event ?? '',
    Number(row.alpha),
    Number(row.rate_bps),
    Number(row.target_bps),
    Number(row.stage),
    Number(row.alpha_cnp_arrived),
    Number(row.decrease_cnp_arrived),
  ]);
}

function runTrace(parameters: DcqcnParameters, cnpTimesNs: readonly number[], endNs: number): (string | number)[][] {
  const rows: (string | number)[][] = [];
  const listener: DcqcnListener = (timePs, transition, state) => {
    const { alpha, rateBps, targetBps, timeStage, alphaCnp, cutPending } = state;
    rows.push([timePs, transition, alpha, rateBps, targetBps, timeStage, flag(alphaCnp), flag(cutPending)]);
  };
  const model = new DcqcnModel(parameters, { listener, shortcuts: 'off' });
  for (const timeNs of cnpTimesNs) expect(model.cnp(ns(timeNs))).toBe(OUTCOME_CNP_HANDLED);
  model.advance(ns(endNs) - 1);
  return rows;
}

describe('the model reproduces the traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const configs = new Map(readGolden(folder, 'dcqcn_configs.csv').map((row) => [row.config, parametersOf(row)]));
  const inputs = readGolden(folder, 'dcqcn_inputs.csv');
  const traces = goldenFiles(folder, /^dcqcn__.*\.csv$/);

  it('has traces to reproduce', () => {
    expect(traces.length).toBeGreaterThanOrEqual(6);
  });

  it.each(traces)('%s', (name) => {
    const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
    const parameters = configs.get(config);
    const endNs = END_NS[scenario];
    if (parameters === undefined || endNs === undefined) throw new Error(`no configuration or end for ${name}`);
    const cnpTimesNs = inputs.filter((row) => row.scenario === scenario).map((row) => Number(row.cnp_time_ns));
    const actual = runTrace(parameters, cnpTimesNs.filter((timeNs) => timeNs < endNs), endNs);
    const expected = expectedTrace(folder, name);
    const differs = expected.findIndex((row, index) => row.join() !== actual[index]?.join());
    expect(actual[differs]).toEqual(expected[differs]);
    expect(actual.length).toBe(expected.length);
  });
});
