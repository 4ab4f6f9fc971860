/** The algorithms of examples/algorithms reproduce the single-QP traces of the ns-3 reference simulator, row by row. */
import { describe, expect, it } from 'vitest';
import { dcqcnNs3Custom } from '../../src/config/algorithms/dcqcn/preset-ns3.js';
import type { BuiltInParameters } from '../../src/config/algorithms/registry.js';
import { createEngineSync, ns, type Engine } from '../../src/index.js';
import type { CustomState } from '../../src/engine/algorithm-state.js';
import { ackOf, expectRow, hpccParametersOf, numbersOf, rowsBy, telemetryOf } from '../support/golden-acks.js';
import { DCTCP_TRACES, dctcpGolden, PINT_TRACES, pintGolden, TIMELY_TRACES,
  timelyGolden } from '../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden, type Row } from '../support/golden.js';
import { exampleSubstitutes, type BuiltInName } from './support/example-algorithms.js';
import { NETWORK } from './support/presets.js';

const HOPS = [0, 1, 2, 3, 4];
const folder = GOLDEN_UNIT;
const substitutes = await exampleSubstitutes();

function engineOf(parameters: BuiltInParameters): Engine {
  const custom = substitutes[parameters.algorithm as BuiltInName].substituteFor(parameters, NETWORK);
  const engine = createEngineSync({ parameterSets: { default: custom } });
  engine.openQp({ localQpn: 1 });
  return engine;
}

/** The state of the QP, with a getter of its numbers by name. */
function stateOf(engine: Engine): CustomState & { readonly number: (name: string) => number } {
  const state = engine.qp(0).algorithmState() as CustomState;
  return { ...state, number: (name) => Number(state.state[name]) };
}

/** Passes the ACK of a row to the engine, at the time of the row. */
function acknowledge(engine: Engine, row: Row, more: object): void {
  const { timePs, ...fields } = ackOf(row);
  engine.ack(timePs, 0, { ...fields, ...more });
}

describe('timely.js', () => {
  it.each(goldenFiles(folder, TIMELY_TRACES))('%s', (name) => {
    const engine = engineOf(timelyGolden(name));
    for (const row of readGolden(folder, name)) {
      acknowledge(engine, row, { sentTimePs: ackOf(row).timePs - ns(Number(row.rtt_ns)) });
      const { rateBps, number } = stateOf(engine);
      const actual = [number('lastUpdateSeq'), number('lastRttNs'), number('rttDiffNs'), rateBps, number('stage')];
      expectRow(actual, numbersOf(row, ['last_update_seq', 'last_rtt_ns', 'rtt_diff', 'rate_bps', 'inc_stage']),
        row.time_ns!);
    }
  });
});

describe('dctcp.js', () => {
  const columns = ['last_update_seq', 'alpha', 'ecn_cnt', 'batch_size', 'cwr_state', 'cwr_high_seq', 'rate_bps'];
  const names = ['lastUpdateSeq', 'alpha', 'markedAcks', 'batchPackets', 'isCut', 'cutUntilSeq'];
  it.each(goldenFiles(folder, DCTCP_TRACES))('%s', (name) => {
    const engine = engineOf(dctcpGolden(name));
    for (const row of readGolden(folder, name)) {
      acknowledge(engine, row, {});
      const { rateBps, number } = stateOf(engine);
      expectRow([...names.map(number), rateBps], numbersOf(row, columns), row.time_ns!);
    }
  });
});

describe('hpcc-pint.js', () => {
  const columns = ['last_update_seq_after', 'inc_stage', 'cur_rate_bps', 'rate_bps', 'win_from_rate'];
  it.each(goldenFiles(folder, PINT_TRACES))('%s', (name) => {
    const engine = engineOf(pintGolden(name));
    for (const row of readGolden(folder, name)) {
      acknowledge(engine, row, { pintPower: Number(row.power) });
      const { rateBps, windowBytes, number } = stateOf(engine);
      const actual = [number('lastUpdateSeq'), number('stage'), number('committed'), rateBps, windowBytes];
      expectRow(actual, numbersOf(row, columns), row.time_ns!);
    }
  });
});

describe('hpcc.js', () => {
  const configs = rowsBy(folder, 'hpcc_configs.csv', 'config');
  const scenarios = rowsBy(folder, 'hpcc_scenarios.csv', 'scenario');
  const columns = ['last_update_seq_after', 'u', 'cur_rate_bps', 'rate_bps', 'win_from_rate'];

  it.each(goldenFiles(folder, /^hpcc__.*\.csv$/))('%s', (name) => {
    const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
    const parameters = hpccParametersOf(configs.get(config)!, scenarios.get(scenario)!);
    const inputs = readGolden(folder, `hpcc_input__${scenario}.csv`);
    const engine = engineOf(parameters);
    readGolden(folder, name).forEach((row, index) => {
      acknowledge(engine, inputs[index]!, { telemetry: telemetryOf(inputs[index]!, parameters.intMultiplier) });
      const { rateBps, windowBytes, number, state } = stateOf(engine);
      const actual = [number('lastUpdateSeq'), number('utilization'), number('committed'), rateBps, windowBytes];
      // With a rate per hop, the simulator copies a stage that it never sets, so the stage is not compared.
      const stage = parameters.multiRate ? [] : ['inc_stage'];
      expectRow([...actual, ...stage.map(() => number('stage'))], numbersOf(row, [...columns, ...stage]),
        `row ${index}`);
      if (!parameters.multiRate) return;
      const lists = ['hopUtilization', 'hopCommitted', 'hopStage'].map((list) => state[list] as readonly number[]);
      const wanted = HOPS.flatMap((i) => numbersOf(row, [`h${i}_u`, `h${i}_rc_bps`, `h${i}_stage`]));
      expectRow(HOPS.flatMap((i) => lists.map((list) => list[i])), wanted, `row ${index}`);
    });
  });
});

describe('dcqcn.js', () => {
  const configs = new Map(readGolden(folder, 'dcqcn_configs.csv').map((row) => [row.config, dcqcnParametersOf(row)]));
  const inputs = readGolden(folder, 'dcqcn_inputs.csv');

  function dcqcnParametersOf(row: Row): BuiltInParameters {
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

  function rowOf(engine: Engine): number[] {
    const { rateBps, number } = stateOf(engine);
    const stages = ['targetBps', 'timeStage', 'hasCnp', 'isCutPending'].map(number);
    return [number('alpha'), rateBps, ...stages];
  }

  const columns = ['alpha', 'rate_bps', 'target_bps', 'stage', 'alpha_cnp_arrived', 'decrease_cnp_arrived'];

  /** At equal times, CNPs come before timers, as in the reference. */
  it.each(goldenFiles(folder, /^dcqcn__/))('%s', (name) => {
    const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
    const engine = engineOf(configs.get(config)!);
    const cnpTimes = new Set(inputs.filter((row) => row.scenario === scenario).map((row) => Number(row.cnp_time_ns)));
    const rows = readGolden(folder, name);
    expect(rows.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      const timeNs = Number(row.time_ns);
      const wanted = numbersOf(row, columns);
      if (row.time_ns !== rows[index - 1]?.time_ns && cnpTimes.has(timeNs)) {
        engine.cnp(ns(timeNs), 0);
        expectRow(rowOf(engine), wanted, `CNP at ${timeNs} ns`);
      }
      if (row.time_ns === rows[index + 1]?.time_ns) return;
      engine.touch(ns(timeNs), 0);
      expectRow(rowOf(engine), wanted, `${row.event} at ${timeNs} ns`);
    });
  });
});
