/** Files of the reference simulator, run with one command: completion times match to the nanosecond. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { PS_PER_NS } from '../../src/units.js';
import { goldenExpectations } from '../support/golden-plan.js';
import { GOLDEN_SYSTEM } from '../support/golden.js';
import { run } from './support/run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-reference-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a config as a user would; the result as the command writes it. */
async function resultOf(config: string): Promise<SimResult> {
  const { exitCode, stdout, stderr } = await run(['run', '--reference', config, '--json', '-']);
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as SimResult;
}

const completions = ({ flows }: SimResult) => flows.map(({ completionPs }) => completionPs);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('roce-cc run --reference', () => {
  it.each([
    ['incast2_1MB', 'dcqcn_step'],
    ['incast2_1MB', 'hpcc'],
    ['incast2_1MB', 'timely'],
    ['incast2_1MB', 'dctcp'],
    ['incast16_1MB_buf2MB', 'dcqcn_step'],
    ['incast16_1MB_buf2MB', 'dcqcn'],
  ])('%s %s: completion times, marks and pauses match the reference simulator', async (scenario, cc) => {
    const result = await resultOf(path.join(GOLDEN_SYSTEM, scenario, `config_${cc}.txt`));
    const { completionPs, summary } = goldenExpectations(scenario, cc);
    expect(completions(result)).toEqual(completionPs);
    expect(result).toMatchObject({ ended: 'all-flows-done', fidelity: 'reference' });
    expect(result.totals).toMatchObject({ pauses: summary.pfcPause, marks: summary.ecnMarks, packetsDropped: 0 });
    expect(sum(result.ports.map(({ txPackets }) => txPackets))).toBe(summary.txPkts);
  });

  it('rejects a line of a mebibyte in a referenced file before it is split into words', async () => {
    const mix = path.join(folder, 'long');
    mkdirSync(mix);
    for (const name of ['config_dctcp.txt', 'flow.txt'])
      copyFileSync(path.join(GOLDEN_SYSTEM, 'incast2_1MB', name), path.join(mix, name));
    writeFileSync(path.join(mix, 'topology.txt'), `3 1 2\n${'2 '.repeat(2 ** 19 + 1)}`);
    const { exitCode, stderr } = await run(['run', '--reference', path.join(mix, 'config_dctcp.txt')]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/topology\.txt, line 2: the length of the line must be at most 1,048,576 characters/);
  });

  it('resolves file names relative to the folder in which the simulator starts', async () => {
    const mix = path.join(folder, 'simulation', 'mix');
    mkdirSync(mix, { recursive: true });
    const source = path.join(GOLDEN_SYSTEM, 'incast2_1MB');
    for (const name of ['topology.txt', 'flow.txt']) copyFileSync(path.join(source, name), path.join(mix, name));
    const config = readFileSync(path.join(source, 'config_hpcc.txt'), 'utf8')
      .replace('TOPOLOGY_FILE topology.txt', 'TOPOLOGY_FILE mix/topology.txt')
      .replace('FLOW_FILE flow.txt', 'FLOW_FILE mix/flow.txt');
    expect(config).toContain('mix/topology.txt');
    const neighbour = path.join(mix, 'config.txt');
    const apart = path.join(source, 'config_hpcc.txt');
    writeFileSync(neighbour, config);
    const [renamed, original] = [await resultOf(neighbour), await resultOf(apart)];
    expect(completions(renamed)).toEqual(completions(original));
    expect(completions(renamed)).toEqual([191_854 * PS_PER_NS, 173_458 * PS_PER_NS]);
  });

  it('names the file and the key if a file is missing', async () => {
    const config = path.join(folder, 'alone.txt');
    writeFileSync(config,
      readFileSync(path.join(GOLDEN_SYSTEM, 'incast2_1MB', 'config_hpcc.txt'), 'utf8').replace(
        'TOPOLOGY_FILE topology.txt',
        'TOPOLOGY_FILE mix/none.txt',
      ));
    const { exitCode, stdout, stderr } = await run(['run', '--reference', config]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/alone\.txt: the file mix\/none\.txt is in none of /);
  });
});
