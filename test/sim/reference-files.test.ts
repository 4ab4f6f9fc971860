/** The reader of the reference simulator's files: their content, and errors with lines. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { readReferenceExperiment } from '../../src/sim/reference-files/reference-scenario.js';
import type { EdgesSpec, FlowListSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { goldenPlan, goldenRuns } from '../support/golden-plan.js';
import { GOLDEN_SYSTEM } from '../support/golden.js';
import { asSettings } from '../../src/sim/scenario/setting-words.js';
import { textsOf } from '../support/note-texts.js';

// A star around node 0, in the manner of the simulator's sample: more lines than counted, then prose.
const TOPOLOGY = `4 1 3
0
0 1 100Gbps 0.001ms 0
0 2 100Gbps 1us 0.5
0 3 25Gbps 1000ns 0
0 4 25Gbps 1000ns 0

First line: how many nodes, switches, links
`;
const FLOWS = `2
2 1 3 100 200000000 2
3 1 3 101 5000 2.000011
1 2 3 102 5000 2.5

and so on
`;
const CONFIG = `ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1

PACKET_PAYLOAD_SIZE 1000 {bytes}
TOPOLOGY_FILE mix/topology.txt
FLOW_FILE mix/flow.txt
TRACE_FILE mix/trace.txt
# a remark
SIMULATOR_STOP_TIME 4.00
CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 1
RP_TIMER 900
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 5
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
ERROR_RATE_PER_LINK 0.0000
HAS_WIN 1
GLOBAL_T 1
VAR_WIN 1
U_TARGET 0.95
RATE_BOUND 1
ACK_HIGH_PRIO 0
LINK_DOWN 0 0 0
KMAX_MAP 3 25000000000 400 50000000000 800 100000000000 1600
KMIN_MAP 3 25000000000 100 50000000000 200 100000000000 400
PMAX_MAP 3 25000000000 0.2 50000000000 0.2 100000000000 0.3
BUFFER_SIZE 32
`;

interface Files {
  readonly config?: string;
  readonly topology?: string;
  readonly flows?: string;
}

function read({ config = CONFIG, topology = TOPOLOGY, flows = FLOWS }: Files = {}): ScenarioSpec {
  const files: Readonly<Record<string, string>> = { 'mix/topology.txt': topology, 'mix/flow.txt': flows };
  return readReferenceExperiment({
    config,
    readFile: (name) => {
      if (name in files) return files[name];
      throw new Error('no such file');
    },
  });
}

/** The sample's config with one line instead of another. */
function configWith(key: string, line: string): string {
  expect(CONFIG).toMatch(new RegExp(`^${key} `, 'm'));
  return CONFIG.replace(new RegExp(`^${key} .*$`, 'm'), line);
}

function rejection(files: Files): { where: string; got: unknown; allowed: RoceError['allowed'] } {
  try {
    read(files);
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    const { code, where, got, allowed } = error as RoceError;
    expect(code).toBe('invalid-scenario');
    return { where, got, allowed };
  }
  throw new Error('not rejected');
}

describe('An experiment of the reference simulator', () => {
  it('becomes a scenario of fidelity reference, with nodes under their numbers', () => {
    const spec = read();
    const topology = spec.topology as EdgesSpec;
    expect(spec.fidelity).toBe('reference');
    expect(topology.nodes).toEqual([
      { name: 's0', kind: 'switch' },
      { name: 'h1', kind: 'host' },
      { name: 'h2', kind: 'host' },
      { name: 'h3', kind: 'host' },
    ]);
    expect(topology.links).toEqual([
      { from: 's0', to: 'h1', rateGbps: 100, delayNs: 1000 },
      { from: 's0', to: 'h2', rateGbps: 100, delayNs: 1000, errorRate: 0.5 },
      { from: 's0', to: 'h3', rateGbps: 25, delayNs: 1000 },
    ]);
  });

  it('has as many flows as its file declares, with times to the nanosecond', () => {
    const { flows } = read().workload as FlowListSpec;
    expect(flows).toEqual([
      {
        from: 'h2',
        to: 'h1',
        trafficClass: 3,
        destinationPort: 100,
        sizeBytes: 200_000_000,
        startPs: 2_000_000_000_000,
      },
      { from: 'h3', to: 'h1', trafficClass: 3, destinationPort: 101, sizeBytes: 5000, startPs: 2_000_011_000_000 },
    ]);
  });

  it('stops when the simulator does, which truncates times to the nanosecond', () => {
    expect(read().durationUs).toBe(4_000_000);
    expect(read({ config: configWith('SIMULATOR_STOP_TIME', 'SIMULATOR_STOP_TIME 2.05') }).durationUs).toBe(
      2_049_999.999,
    );
  });

  it('may spread a map over several lines, as the simulator reads word by word', () => {
    const spread = CONFIG.replace('KMAX_MAP 3 ', 'KMAX_MAP\n3\n').replace('PMAX_MAP 3 25000000000 0.2',
      'PMAX_MAP 3 25000000000\n\n  0.2\n');
    expect(spread.split('\n').length).toBe(CONFIG.split('\n').length + 5);
    expect(read({ config: spread })).toEqual(read());
  });

  it('reads DCQCN and its parameters', () => {
    expect(read().algorithms).toEqual({
      dcqcn: {
        preset: 'dcqcn-ns3',
        set: 'dcqcn',
        window: 'variable',
        baseRtt: 'longest',
        parameters: {
          alphaPeriodPs: 1e6,
          cutPeriodPs: 4e6,
          increasePeriodPs: 900e6,
          alphaGain: 1 / 256,
          fastRecoverySteps: 5,
          aiRateBps: 50e6,
          haiRateBps: 100e6,
          minRateBps: 100e6,
          clampTargetRate: true,
          rateOnFirstCnpFraction: 1,
        },
      },
    });
  });

  it.each([
    [3, 'hpcc-ns3', { aiRateBps: 50e6, maxStage: 5, multiRate: true, intMultiplier: 1, targetUtilization: 0.95 }],
    [7, 'timely-ns3', { aiRateBps: 50e6, haiRateBps: 100e6 }],
    [8, 'dctcp-ns3', { aiRateBps: 1e9, alphaGain: 1 / 256, sequencePerPacket: 1000 }],
    [10, 'hpcc-pint-ns3', { pintBase: 1.05, pintBits: 8, pintProbability: 1 }],
  ])('reads the algorithm of CC_MODE %i', (mode, preset, parameters) => {
    const [spec] = Object.values(read({ config: configWith('CC_MODE', `CC_MODE ${mode}`) }).algorithms ?? {});
    expect(spec).toMatchObject({ preset, parameters });
  });

  it('has one byte for a coarse base of HPCC-PINT', () => {
    const config = `${configWith('CC_MODE', 'CC_MODE 10')}PINT_LOG_BASE 1.5\n`;
    expect(read({ config }).algorithms?.['hpcc-pint'].parameters).toMatchObject({ pintBase: 1.5, pintBits: 8 });
  });

  it('has two bytes for a fine base of HPCC-PINT', () => {
    const config = `${configWith('CC_MODE', 'CC_MODE 10')}PINT_LOG_BASE 1.01\n`;
    expect(read({ config }).algorithms?.['hpcc-pint'].parameters).toMatchObject({ pintBase: 1.01, pintBits: 11 });
  });

  it('has thresholds for the rates in use', () => {
    expect(read().switches).toEqual({
      bufferBytes: 32 * 1024 * 1024,
      pfc: true,
      ecn: {
        enabled: true,
        markAt: 'dequeue',
        byRate: [{ rateGbps: 100, kminKB: 400, kmaxKB: 1600, pmax: 0.3 }, {
          rateGbps: 25,
          kminKB: 100,
          kmaxKB: 400,
          pmax: 0.2,
        }],
      },
    });
    expect(read({ config: configWith('ENABLE_QCN', 'ENABLE_QCN 0') }).switches?.ecn).toEqual({ enabled: false });
  });

  it('has the settings of hosts', () => {
    expect(read().hosts).toEqual({ mtuBytes: 1000, paced: true, acksPausable: true });
    expect(read({ config: configWith('ACK_HIGH_PRIO', 'ACK_HIGH_PRIO 1') }).hosts?.acksPausable).toBe(false);
    expect(read({ config: configWith('RATE_BOUND', 'RATE_BOUND 0') }).hosts?.paced).toBe(false);
  });

  it('has the delayed ACKs of receivers; an interval up to 1 acknowledges every packet', () => {
    expect(read({ config: `${CONFIG}L2_ACK_INTERVAL 8000\n` }).hosts).toMatchObject({
      ackIntervalBytes: 8000,
      ackChunkBytes: 4000,
    });
    expect(read({ config: `${CONFIG}L2_ACK_INTERVAL 2\nL2_CHUNK_SIZE 3000\n` }).hosts).toMatchObject({
      ackIntervalBytes: 2,
      ackChunkBytes: 3000,
    });
    expect(read({ config: `${CONFIG}L2_ACK_INTERVAL 1\nL2_CHUNK_SIZE 0\n` }).hosts).toEqual(read().hosts);
  });

  it.each([['RATE_AI', 'aiRateBps'], ['RATE_HAI', 'haiRateBps']])('may have a step %s of 0', (key, field) => {
    expect(read({ config: configWith(key, `${key} 0Mb/s`) }).algorithms?.dcqcn.parameters).toMatchObject({
      [field]: 0,
    });
  });

  it('has a note that thresholds have no effect if nothing is marked', () => {
    const notes = textsOf(read({ config: configWith('ENABLE_QCN', 'ENABLE_QCN 0') }).notes);
    expect(notes).toContain('Without effect, because ENABLE_QCN is 0: KMAX_MAP, KMIN_MAP, PMAX_MAP.');
    expect(textsOf(read().notes).some((note) => note.includes('ENABLE_QCN'))).toBe(false);
  });

  it('has a note that the pause time of NICs is ignored', () => {
    const notes = textsOf(read({ config: `${CONFIG}NIC_TOTAL_PAUSE_TIME 0 {of no use}\n` }).notes);
    expect(notes.find((note) => note.includes('and here'))).toContain('NIC_TOTAL_PAUSE_TIME');
  });

  it('may have tabs and blanks before keys, and blank lines between switches and links', () => {
    const spaced = (text: string) => text.replace(/^(?=.)/gm, ' \t').replace(/\n/g, ' \n\n');
    const { notes = [], ...spec } = read({ config: spaced(CONFIG), topology: spaced(TOPOLOGY), flows: spaced(FLOWS) });
    // Their line numbers differ.
    const { notes: plain = [], ...same } = read();
    expect(spec).toEqual(same);
    expect(textsOf(notes).map((note) => note.replace(/line \d+/, ''))).toEqual(
      textsOf(plain).map((note) => note.replace(/line \d+/, '')),
    );
  });

  it.each([['HAS_WIN 0', 'none'], ['HAS_WIN 1', 'variable']])('has, with %s, the window %s', (line, window) => {
    expect(read({ config: configWith('HAS_WIN', line) }).algorithms?.dcqcn.window).toBe(window);
  });

  it('has the common error rate on links without one', () => {
    const spec = read({ config: configWith('ERROR_RATE_PER_LINK', 'ERROR_RATE_PER_LINK 0.01') });
    const { links } = validateScenario(spec).network;
    expect(links.map(({ errorRate }) => errorRate)).toEqual([0.01, 0.5, 0.01]);
  });

  it('may be a network of two hosts without a switch', () => {
    const topology = '2 0 1\n\n0 1 100Gbps 1000ns 0\n';
    const { plan } = compileScenario(validateScenario(read({ topology, flows: '1\n1 0 3 100 5000 2\n' })));
    expect(runPlan(plan).flows[0]?.completionPs).toBe(5 * 83_000 + 2 * 1_000_000 + 4_000);
  });

  it('has permanent link failures', () => {
    expect(read({ config: configWith('LINK_DOWN', 'LINK_DOWN 50 3 0') }).faults).toEqual([
      { kind: 'link-down', between: ['h3', 's0'], fromUs: 2_000_050, toUs: 4_000_000 },
    ]);
    expect(read().faults).toBeUndefined();
  });

  it('has notes on settings that have no effect or are ignored', () => {
    const notes = textsOf(read({ config: `${CONFIG}L2_ACK_INTERVAL 4000\nL2_BACK_TO_ZERO 1\n` }).notes);
    expect(notes.find((note) => note.includes('CC_MODE 1 (DCQCN)'))).toContain('U_TARGET.');
    expect(notes.find((note) => note.includes('and here'))).toContain('USE_DYNAMIC_PFC_THRESHOLD');
    expect(notes.find((note) => note.includes('own files'))).toContain('TRACE_FILE');
    expect(notes.find((note) => note.startsWith('L2_ACK_INTERVAL 4000'))).toContain(
      'at multiples of L2_CHUNK_SIZE 4000 alone',
    );
    expect(notes.find((note) => note.startsWith('L2_BACK_TO_ZERO'))).toContain('not modelled');
  });

  it('has notes on the defaults that it uses', () => {
    const notes = textsOf(read({ config: configWith('RP_TIMER', '') }).notes);
    expect(notes.find((note) => note.startsWith('Not given'))).toContain('RP_TIMER 1500');
    expect(textsOf(read().notes).some((note) => note.startsWith('Not given'))).toBe(false);
  });

  it('may consist of Windows files with a byte order mark', () => {
    const crlf = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    expect(read({ config: crlf(CONFIG), topology: crlf(TOPOLOGY), flows: crlf(FLOWS) })).toEqual(read());
  });

  it('may have no switches', () => {
    const { topology } = read({ topology: '2 0 1\n0 1 100Gbps 1us 0\n', flows: '1\n0 1 3 100 1000 2\n' });
    expect(topology).toMatchObject({ nodes: [{ kind: 'host' }, { kind: 'host' }] });
  });
});

describe('Rates, delays and times', () => {
  it.each([
    ['100Gbps', 100],
    ['0.5Gb/s', 0.5],
    ['10000Mb/s', 10],
    ['40000000kbps', 40],
    ['25000000000', 25],
    ['1.25GBps', 10],
    ['1000MB/s', 8],
  ])('%s are read as %d Gb/s', (rate, rateGbps) => {
    const { links } = read({ topology: `2 0 1\n0 1 ${rate} 1us 0\n`, flows: '1\n0 1 3 1 1 2\n' }).topology as EdgesSpec;
    expect(links[0].rateGbps).toBe(rateGbps);
  });

  it.each([['1us', 1000], ['0.001ms', 1000], ['1.5us', 1500], ['0ns', 0], ['0.0000025s', 2500]])('%s are read as %i ns',
    (delay, delayNs) => {
      const { links } = read({ topology: `2 0 1\n0 1 1Gbps ${delay} 0\n`, flows: '1\n0 1 3 1 1 2\n' })
        .topology as EdgesSpec;
      expect(links[0].delayNs).toBe(delayNs);
    });

  it.each([['0', 0], ['2', 2e12], ['2.000003', 2_000_002_999_000], ['2.05', 2_049_999_999_000], ['1e-6', 999_000], [
    '0.5',
    5e11,
  ]])('a start at %s s is read as %d ps', (start, startPs) => {
    const { flows } = read({ flows: `1\n2 1 3 1 1 ${start}\n` }).workload as FlowListSpec;
    expect(flows[0].startPs).toBe(startPs);
  });
});

describe('An invalid file is rejected by line', () => {
  it.each([
    ['unknown key', `${CONFIG}CC_MOD 1\n`, 'config.txt, line 32', 'CC_MOD'],
    ['key given twice', `${CONFIG}CC_MODE 1\n`, 'config.txt, line 32', '1'],
    ['no value', configWith('CC_MODE', 'CC_MODE'), 'config.txt, line 10', ''],
    ['two values', configWith('CC_MODE', 'CC_MODE 1 2'), 'config.txt, line 10', '1 2'],
    ['unknown algorithm', configWith('CC_MODE', 'CC_MODE 4'), 'config.txt, line 10, CC_MODE', 4],
    ['bad rate', configWith('RATE_AI', 'RATE_AI 50Mbit'), 'config.txt, line 17, RATE_AI', '50Mbit'],
    ['bad flag', configWith('ENABLE_QCN', 'ENABLE_QCN yes'), 'config.txt, line 1, ENABLE_QCN', 'yes'],
    ['no buffer', configWith('BUFFER_SIZE', 'BUFFER_SIZE 0'), 'config.txt, line 31, BUFFER_SIZE', '0'],
    ['gain above 1', configWith('EWMA_GAIN', 'EWMA_GAIN 1.5'), 'config.txt, line 15, EWMA_GAIN', '1.5'],
    ['short map', configWith('KMAX_MAP', 'KMAX_MAP 3 25000000000 400'), 'config.txt, line 28', '3 25000000000 400'],
    [
      'short map over lines',
      configWith('KMAX_MAP', 'KMAX_MAP 3\n25000000000 400\n50000000000'),
      'config.txt, line 28',
      '3 25000000000 400 50000000000',
    ],
    [
      'short map before a remark',
      configWith('KMAX_MAP', 'KMAX_MAP 1\n# 100 Gb/s\n100000000000 400'),
      'config.txt, line 28',
      '1',
    ],
    [
      'long map over lines',
      configWith('KMAX_MAP', 'KMAX_MAP 1\n25000000000\n400 800'),
      'config.txt, line 28',
      '1 25000000000 400 800',
    ],
    [
      'bad value of a map on another line',
      configWith('KMAX_MAP', 'KMAX_MAP 1\n100000000000\nmany'),
      'config.txt, line 30',
      'many',
    ],
    ['empty map', configWith('KMAX_MAP', 'KMAX_MAP'), 'config.txt, line 28', ''],
    [
      "map without a link's rate",
      configWith('KMAX_MAP', 'KMAX_MAP 1 25000000000 400'),
      'mix/topology.txt, line 3',
      100_000_000_000,
    ],
    [
      'kmin above kmax',
      configWith('KMAX_MAP', 'KMAX_MAP 2 25000000000 50 100000000000 1600'),
      'config.txt, line 29, KMIN_MAP',
      { kminKB: 100, kmaxKB: 50 },
    ],
    ['missing key', configWith('BUFFER_SIZE', ''), 'config.txt', undefined],
    ['link that is not there', configWith('LINK_DOWN', 'LINK_DOWN 50 1 2'), 'config.txt, line 27, LINK_DOWN', [1, 2]],
    ['half a fault', configWith('LINK_DOWN', 'LINK_DOWN 50 x 2'), 'config.txt, line 27', 'x'],
    [
      'file that is not there',
      configWith('FLOW_FILE', 'FLOW_FILE nowhere.txt'),
      'config.txt, line 6, FLOW_FILE',
      'nowhere.txt',
    ],
    [
      'payload too large',
      configWith('PACKET_PAYLOAD_SIZE', 'PACKET_PAYLOAD_SIZE 65001'),
      'config.txt, line 4, PACKET_PAYLOAD_SIZE',
      '65001',
    ],
    [
      'no payload',
      configWith('PACKET_PAYLOAD_SIZE', 'PACKET_PAYLOAD_SIZE 0'),
      'config.txt, line 4, PACKET_PAYLOAD_SIZE',
      '0',
    ],
    ['no least rate', configWith('MIN_RATE', 'MIN_RATE 0Mb/s'), 'config.txt, line 19, MIN_RATE', '0Mb/s'],
    ['chunk of 0', `${CONFIG}L2_ACK_INTERVAL 4000\nL2_CHUNK_SIZE 0\n`, 'config.txt, line 33, L2_CHUNK_SIZE', 0],
  ])('config: %s', (_, config, where, got) => {
    expect(rejection({ config })).toMatchObject({ where, got });
  });

  it('config: HPCC needs a window', () => {
    const config = configWith('CC_MODE', 'CC_MODE 3').replace('HAS_WIN 1', 'HAS_WIN 0');
    expect(rejection({ config })).toMatchObject({ where: 'config.txt, line 21, HAS_WIN', got: '0' });
  });

  it('config: an unknown key is rejected with the known ones', () => {
    expect(rejection({ config: `${CONFIG}CC_MOD 1\n` }).allowed).toContain('CC_MODE');
  });

  it.each([
    ['empty', '', 'mix/topology.txt', undefined],
    ['short first line', '4 1\n0\n', 'mix/topology.txt, line 1', '4 1'],
    ['switch out of range', '4 1 3\n4\n', 'mix/topology.txt, line 2', '4'],
    ['switch twice', '4 2 3\n0 0\n', 'mix/topology.txt, line 2', '0'],
    ['more switches than counted', '4 1 3\n0 1\n', 'mix/topology.txt, line 2', 2],
    ['fewer links than counted', '4 1 2\n0\n0 1 1Gbps 1us 0\n', 'mix/topology.txt', undefined],
    ['link of four words', '4 1 1\n0\n\n0 1 1Gbps 1us\n', 'mix/topology.txt, line 4', '0 1 1Gbps 1us'],
    ['node out of range', '4 1 1\n0\n0 9 1Gbps 1us 0\n', 'mix/topology.txt, line 3', '9'],
    ['node that is no number', '4 1 1\n0\n0 -1 1Gbps 1us 0\n', 'mix/topology.txt, line 3', '-1'],
    ['link to itself', '4 1 1\n0\n1 1 1Gbps 1us 0\n', 'mix/topology.txt, line 3', '1 1'],
    ['no unit of rate', '4 1 1\n0\n0 1 1Gbit 1us 0\n', 'mix/topology.txt, line 3', '1Gbit'],
    ['rate 0', '4 1 1\n0\n0 1 0Gbps 1us 0\n', 'mix/topology.txt, line 3', '0Gbps'],
    ['no unit of delay', '4 1 1\n0\n0 1 1Gbps 1000 0\n', 'mix/topology.txt, line 3', '1000'],
    ['half a nanosecond', '4 1 1\n0\n0 1 1Gbps 0.5ns 0\n', 'mix/topology.txt, line 3', '0.5ns'],
    ['error rate above 1', '4 1 1\n0\n0 1 1Gbps 1us 2\n', 'mix/topology.txt, line 3', '2'],
  ])('topology: %s', (_, topology, where, got) => {
    expect(rejection({ topology })).toMatchObject({ where, got });
  });

  it.each([
    ['fewer flows than counted', '2\n1 2 3 100 1 2\n', 'mix/flow.txt', undefined],
    ['no flows', '0\n', 'mix/flow.txt, line 1', '0'],
    ['flow of a switch', '1\n1 0 3 100 1 2\n', 'mix/flow.txt, line 2', '0'],
    ['flow to itself', '1\n1 1 3 100 1 2\n', 'mix/flow.txt, line 2', '1 1'],
    ['class 0', '1\n1 2 0 100 1 2\n', 'mix/flow.txt, line 2', '0'],
    ['class 8', '1\n1 2 8 100 1 2\n', 'mix/flow.txt, line 2', '8'],
    ['port too high', '1\n1 2 3 65536 1 2\n', 'mix/flow.txt, line 2', '65536'],
    ['no bytes', '1\n1 2 3 100 0 2\n', 'mix/flow.txt, line 2', '0'],
    ['no start', '1\n1 2 3 100 1\n', 'mix/flow.txt, line 2', '1 2 3 100 1'],
    ['start before the one above', '2\n1 2 3 100 1 2\n1 2 3 100 1 1.9\n', 'mix/flow.txt, line 3', '1.9'],
  ])('flows: %s', (_, flows, where, got) => {
    expect(rejection({ flows })).toMatchObject({ where, got });
  });
});

describe('The files of the golden runs', () => {
  it.each(goldenRuns())('%s %s: links, flows, thresholds and parameters match the handwritten plan', (scenario, cc) => {
    const folder = `${GOLDEN_SYSTEM}${scenario}/`;
    const readFile = (name: string) => readFileSync(folder + name, 'utf8');
    const spec = readReferenceExperiment({ config: readFile(`config_${cc}.txt`), readFile });
    const plan = goldenPlan(scenario, cc);
    const topology = spec.topology as EdgesSpec;
    const { flows } = spec.workload as FlowListSpec;
    const [algorithm] = Object.values(spec.algorithms!);

    expect(topology.nodes).toEqual(plan.nodes.map(({ name, kind }) => ({ name, kind })));
    expect(topology.links.length * 2).toBe(plan.ports.length);
    expect(
      flows.map((
        { from, to, sizeBytes, startPs, destinationPort, trafficClass },
      ) => [from, to, sizeBytes, startPs, destinationPort, trafficClass]),
    )
      .toEqual(plan.flows.map((flow) => [
        plan.nodes[flow.source].name,
        plan.nodes[flow.destination].name,
        flow.sizeBytes,
        flow.startPs,
        flow.udpDestinationPort,
        flow.dataClass,
      ]));
    for (const { rateBps, kminBytes, kmaxBytes, pmax } of plan.ports.filter(({ ecn }) => ecn)) {
      expect(asSettings(spec.switches!.ecn)!.byRate).toContainEqual({
        rateGbps: rateBps / 1e9,
        kminKB: kminBytes / 1000,
        kmaxKB: kmaxBytes / 1000,
        pmax,
      });
    }
    expect(spec.switches!.bufferBytes).toBe(plan.nodes.find(({ kind }) => kind === 'switch')!.bufferBytes);
    expect(spec.durationUs! * 1e6).toBe(plan.endPs);
    expect(algorithm.window).toBe(plan.flows.get(0).windowMode);
    expect(plan.parameterSets[0]).toMatchObject(algorithm.parameters!);
    expect(ALGORITHMS).toHaveProperty(plan.parameterSets[0].algorithm);
  });
});
