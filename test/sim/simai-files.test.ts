/**
 * SimAI files together: settings of SimAI.conf reach the scenario, and cases from public files have the expected
 * results.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runScenarioSync, type SimResult } from '../../src/sim/index.js';
import { SIMAI_CONFIG_KEYS } from '../../src/sim/reference-files/config-file.js';
import { SIMAI_CONF_FORMAT } from '../../src/sim/reference-files/config-formats.js';
import { simaiScenario } from '../../src/sim/reference-files/simai-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { readSimai, readSimaiTopology } from '../../src/workloads/index.js';
import { rejectionOf } from '../support/rejection.js';
import { asSettings } from '../../src/sim/scenario/setting-words.js';
import { textsOf } from '../support/note-texts.js';

const fileOf = (name: string): Uint8Array => readFileSync(new URL(`cases/simai/${name}`, import.meta.url));
const CONF = new TextDecoder().decode(fileOf('SimAI.conf'));
const TOPOLOGY = await readSimaiTopology(fileOf('topo-error-rate'));

function scenario(config: string, topology = TOPOLOGY): ScenarioSpec {
  return simaiScenario({ name: 'simai', job: { kind: 'job', format: 'simai', file: 'w' }, topology, config });
}

const setting = (key: string, value: string): string =>
  new RegExp(`^${key} `, 'm').test(CONF) ?
    CONF.replace(new RegExp(`^${key} .*$`, 'm'), `${key} ${value}`) :
    `${CONF}\n${key} ${value}\n`;

async function run(workload: string, topo: string, config = CONF): Promise<SimResult> {
  const graph = await readSimai(fileOf(workload), { name: workload });
  return runScenarioSync(scenario(config, await readSimaiTopology(fileOf(topo))), { graphs: { w: graph } });
}

describe('SimAI inputs', () => {
  it('with rows of several micro-batches run unchanged, with any value of ga', async () => {
    const [one, two] = [await run('ga1.txt', 'topo-16g'), await run('ga2.txt', 'topo-16g')];
    expect([one.jobs?.[0]?.endPs, two.jobs?.[0]?.endPs]).toEqual([188_204_000, 188_204_000]);
    expect(textsOf(two.notes).join()).toContain(
      'ga 2: the file has the rows of all 2 passes, and they run as they are.',
    );
  });

  it('with collectives of 0 bytes run without them, as a note states', async () => {
    const [zero, none] = [await run('zero.txt', 'topo-64g'), await run('zero-none.txt', 'topo-64g')];
    expect([zero.jobs?.[0]?.endPs, none.jobs?.[0]?.endPs]).toEqual([236_123_000, 236_123_000]);
    expect(textsOf(zero.notes).join()).toContain(
      '2 collectives have a size of 0, and send nothing: first at zero.txt, line 9.',
    );
  });

  it('lose packets by ERROR_RATE_PER_LINK on each link without an explicit rate', async () => {
    const lossy = await run('error-rate.txt', 'topo-error-rate', setting('ERROR_RATE_PER_LINK', '0.01'));
    const sent = lossy.ports.reduce((sum, { txPackets }) => sum + txPackets, 0);
    const lost = lossy.ports.reduce((sum, { drops }) => sum + drops, 0);
    // Some 100,000 frames, each lost with a probability of 0.01: within four standard deviations.
    expect(Math.abs(lost - 0.01 * sent)).toBeLessThan(4 * Math.sqrt(0.01 * sent));
    expect(lost).toBeGreaterThan(500);
    expect(textsOf(lossy.notes).join()).toMatch(
      /no retransmission timeout: a message that loses its last packet never ends/,
    );
  });
});

describe('A scenario from SimAI.conf', () => {
  it('takes a link down at 2 s plus the time in LINK_DOWN', () => {
    expect(scenario(setting('LINK_DOWN', '2000 16 20')).faults).toEqual([
      { kind: 'link-down', between: ['s16', 's20'], fromUs: 2_002_000, toUs: 9_000_000_000 },
    ]);
    expect(scenario(setting('LINK_DOWN', '5 0 16')).faults).toMatchObject([{ between: ['h0', 's16'] }]);
    expect(textsOf(scenario(setting('LINK_DOWN', '5 0 16')).notes).join()).toContain(
      'LINK_DOWN 5 0 16: the time counts from 2 s',
    );
    expect(scenario(setting('LINK_DOWN', '0 0 99')).faults).toBeUndefined();
  });

  it.each(['5 0 17', '5 0 99', '5 20 21'])('is rejected if LINK_DOWN names no existing link: %s', (value) => {
    const { message, where } = rejectionOf(() => scenario(setting('LINK_DOWN', value)));
    expect(message).toContain('LINK_DOWN names two nodes without a link between them');
    expect(where).toMatch(/^SimAI\.conf, line \d+, LINK_DOWN$/);
  });

  it.each(['ERROR_RATE_PER_LINK 0.1', 'LINK_DOWN 5 0 1'])('requires a topology for %s', (line) => {
    const [key = '', ...value] = line.split(' ');
    const { message } = rejectionOf(() =>
      simaiScenario({
        name: 'x',
        gpus: 2,
        job: { kind: 'job', format: 'simai', file: 'w' },
        config: setting(key, value.join(' ')),
      })
    );
    expect(message).toContain(`${key} needs a topology file`);
  });

  it('ends at SIMULATOR_STOP_TIME', () => {
    expect(scenario(CONF).durationUs).toBeUndefined();
    expect(scenario(setting('SIMULATOR_STOP_TIME', '0.01')).durationUs).toBe(10_000);
  });

  it('needs no thresholds for rates of links between GPUs', async () => {
    const topology = await readSimaiTopology(
      new TextEncoder().encode(
        '3 2 0 1 3 A100\n2\n0 1 2400Gbps 0.000025ms 0\n0 2 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n',
      ),
    );
    expect(asSettings(scenario(CONF, topology).switches?.ecn)?.byRate?.map(({ rateGbps }) => rateGbps)).toEqual([400]);
  });
});

/** Another value of each key, in a file of the mode that uses it. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  SIMULATOR_STOP_TIME: '0.5',
  CC_MODE: '3',
  ENABLE_QCN: '0',
  PACKET_PAYLOAD_SIZE: '1000',
  ERROR_RATE_PER_LINK: '0.5',
  HAS_WIN: '0',
  GLOBAL_T: '1',
  VAR_WIN: '0',
  RATE_BOUND: '0',
  ACK_HIGH_PRIO: '1',
  LINK_DOWN: '1 0 16',
  KMAX_MAP: '2 200000000000 1201 400000000000 3201',
  KMIN_MAP: '2 200000000000 301 400000000000 801',
  PMAX_MAP: '2 200000000000 0.3 400000000000 0.3',
  BUFFER_SIZE: '33',
  MIN_RATE: '200Mb/s',
  L2_CHUNK_SIZE: '8000',
  L2_ACK_INTERVAL: '9000',
  L2_BACK_TO_ZERO: '1',
  CLAMP_TARGET_RATE: '1',
  RATE_AI: '51Mb/s',
  RATE_HAI: '101Mb/s',
  DCTCP_RATE_AI: '1001Mb/s',
  FAST_REACT: '0',
  INT_MULTI: '2',
  MULTI_RATE: '1',
  SAMPLE_FEEDBACK: '1',
  U_TARGET: '0.9',
  PINT_LOG_BASE: '1.1',
  PINT_PROB: '0.5',
  EWMA_GAIN: '0.5',
};

describe('A key of SimAI.conf', () => {
  it.each(SIMAI_CONF_FORMAT.items.map(({ name, treatment }) => [name, treatment] as const))('%s: %s',
    (key, treatment) => {
      const effect = SIMAI_CONFIG_KEYS[key]?.effect ?? 'run';
      const base = typeof effect === 'string' ? CONF : CONF.replace(/^CC_MODE .*$/m, `CC_MODE ${effect[0]}`);
      const ack = key === 'L2_CHUNK_SIZE' ? base.replace(/^L2_ACK_INTERVAL .*$/m, 'L2_ACK_INTERVAL 9000') : base;
      const value = OTHER_VALUES[key] ?? '7';
      const line = new RegExp(`^${key} .*$`, 'm');
      const changed = line.test(ack) ? ack.replace(line, `${key} ${value}`) : `${ack}\n${key} ${value}\n`;
      const [plain, other] = [scenario(ack), scenario(changed)];
      if (treatment === 'effective') expect({ ...other, notes: [] }).not.toEqual({ ...plain, notes: [] });
      else {
        expect({ ...other, notes: [] }).toEqual({ ...plain, notes: [] });
        expect(textsOf(other.notes).join('\n')).toMatch(new RegExp(`\\b${key}\\b`));
      }
    });

  it.each(
    SIMAI_CONF_FORMAT.items.filter(({ name }) => typeof SIMAI_CONFIG_KEYS[name]?.effect !== 'string').map(({ name }) =>
      name
    ),
  )('is noted under a CC_MODE that does not use it: %s', (key) => {
    const { effect } = SIMAI_CONFIG_KEYS[key] ?? {};
    const mode = Array.isArray(effect) && effect.includes(1) ? 3 : 1;
    const used = Array.isArray(effect) && effect.includes(mode);
    const { notes = [] } = scenario(setting(key, OTHER_VALUES[key] ?? '7').replace(/^CC_MODE .*$/m, `CC_MODE ${mode}`));
    expect(
      textsOf(notes).some((note) => note.startsWith('Without effect under') && new RegExp(`\\b${key}\\b`).test(note)),
    ).toBe(!used);
  });
});
