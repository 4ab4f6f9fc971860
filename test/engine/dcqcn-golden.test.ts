import { describe, expect, it } from 'vitest';
import { createEngineSync } from '../../src/engine/create.js';
import type { Engine } from '../../src/engine/engine.js';
import { dcqcnNs3Custom } from '../../src/config/algorithms/dcqcn/preset-ns3.js';
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import { ns } from '../../src/units.js';
import { GOLDEN_UNIT, goldenFiles, readGolden, type Row } from '../support/golden.js';
import { BACKENDS } from '../support/backends.js';
import { dcqcnState } from '../support/dcqcn-state.js';

function parametersOf(row: Row): DcqcnParameters {
  return dcqcnNs3Custom({
    alphaIntervalUs: Number(row.alpha_interval_us),
    decreaseIntervalUs: Number(row.decrease_interval_us),
    increaseTimerUs: Number(row.increase_timer_us),
    g: Number(row.g),
    fastRecoveryTimes: Number(row.fast_recovery_times),
    raiBps: Number(row.rai_bps),
    rhaiBps: Number(row.rhai_bps),
    minRateBps: Number(row.min_rate_bps),
    clampTarget: row.clamp_target === '1',
    lineRateBps: Number(row.line_rate_bps),
    rateOnFirstCnp: Number(row.rate_on_first_cnp),
  });
}

const stateOf = (engine: Engine, qp: number): string => {
  const { rateBps, targetBps, alpha, timeStage, alphaCnp, cutPending } = dcqcnState(engine, qp);
  return [alpha, rateBps, targetBps, timeStage, Number(alphaCnp), Number(cutPending)].join();
};

const expectedOf = (row: Row): string =>
  [row.alpha, row.rate_bps, row.target_bps, row.stage, row.alpha_cnp_arrived, row.decrease_cnp_arrived].map(Number)
    .join();

/**
 * Drives one QP through a trace: at each instant CNPs come before timers, as in the reference, and one picosecond
 * earlier the state must equal that of the previous row.
 */
function replayTrace(engine: Engine, cnpTimesNs: ReadonlySet<number>, rows: readonly Row[]): void {
  const qp = engine.openQp({ localQpn: 1 });
  let state = stateOf(engine, qp);
  rows.forEach((row, index) => {
    const timePs = ns(Number(row.time_ns));
    const isNewInstant = row.time_ns !== rows[index - 1]?.time_ns;
    const isLastOfInstant = row.time_ns !== rows[index + 1]?.time_ns;
    if (isNewInstant) {
      engine.touch(timePs - 1, qp);
      expect(stateOf(engine, qp), `unchanged before ${row.time_ns} ns`).toBe(state);
      if (cnpTimesNs.has(Number(row.time_ns))) {
        engine.cnp(timePs, qp);
        expect(stateOf(engine, qp), `CNP at ${row.time_ns} ns`).toBe(expectedOf(row));
      }
    }
    if (!isLastOfInstant) return;
    engine.touch(timePs, qp);
    state = stateOf(engine, qp);
    expect(state, `${row.event} at ${row.time_ns} ns`).toBe(expectedOf(row));
  });
}

describe.each(BACKENDS)('the %s engine reproduces the ns-3 reference traces', (_, backend) => {
  const folder = GOLDEN_UNIT;
  const configs = new Map(readGolden(folder, 'dcqcn_configs.csv').map((row) => [row.config, parametersOf(row)]));
  const inputs = readGolden(folder, 'dcqcn_inputs.csv');

  it.each(goldenFiles(folder, /^dcqcn__/))('%s', (name) => {
    const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
    const parameterSet = configs.get(config);
    if (parameterSet === undefined) throw new Error(`no configuration ${config}`);
    const cnpTimes = inputs.filter((row) => row.scenario === scenario).map((row) => Number(row.cnp_time_ns));
    const rows = readGolden(folder, name);
    expect(rows.length).toBeGreaterThan(0);
    replayTrace(createEngineSync({ backend, parameterSets: { default: parameterSet } }), new Set(cnpTimes), rows);
  });
});
