/** Config, topology and flow files of simulators derived from the reference simulator. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { referenceFctParts } from '../../src/sim/files/reference-output.js';
import { CONFIG_KEYS, FOREIGN_OUTPUT_KEY, LOSSY_CONFIG_KEYS } from '../../src/sim/reference-files/config-file.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { readReferenceExperiment, type ReferenceExperiment } from '../../src/sim/reference-files/reference-scenario.js';
import { textsOf } from '../support/note-texts.js';

const textOf = (path: string): string => readFileSync(new URL(`cases/${path}`, import.meta.url), 'utf8');

function read(name: string, change: (config: string) => string = (config) => config,
  options: Partial<ReferenceExperiment> = {}) {
  return readReferenceExperiment({
    config: change(textOf(`${name}/config.txt`)),
    readFile: (file) => textOf(`${name}/${file}`),
    ...options,
  });
}

const adding = (...lines: readonly string[]) => (config: string): string => `${config}\n${lines.join('\n')}\n`;

describe('Keys of other simulators', () => {
  it('are ignored with a note if they only name outputs', () => {
    const [spec, plain] = [
      read('ns3-output-key'),
      read('ns3-output-key', (config) => config.replace(/QLEN_DUMP.*/, '')),
    ];
    expect(textsOf(spec.notes)).toContain(
      "Keys of another simulator's files that only name what it writes: QLEN_DUMP_INTERVAL (config.txt, line 61).",
    );
    expect({ ...spec, notes: [] }).toEqual({ ...plain, notes: [] });
  });

  // From config files in public repositories of derived simulators.
  it.each([
    'QLEN_DUMP_INTERVAL',
    'LINK_MON_FILE',
    'LINK_DUMP_INTERVAL',
    'OUTFLOW_MON_START',
    'BW_OUTPUT_FILE',
    'QUEUEING_OUTPUT_FILE',
    'THROUGHPUT_FILE',
    'GPUT_COUNT_END_TIME',
    'MON_ENABLE',
    'QP_MON_INTERVAL',
  ])('have the output key %s', (key) => {
    expect(FOREIGN_OUTPUT_KEY.test(key)).toBe(true);
    expect(() => read('ns3-output-key', adding(`${key} 1`))).not.toThrow();
  });

  it.each(['AGENT_NODE', 'PBT_MARKING_INTERVAL', 'CUSTOM_ALPHA', 'MEASUREMENT_CYCLE', 'ENABLE_PFC', 'OCS_MAP_FILE'])(
    'have %s, which is not an output key',
    (key) => {
      expect(FOREIGN_OUTPUT_KEY.test(key)).toBe(false);
    },
  );

  it('are all rejected in one error, each with its line', () => {
    const unknown = adding('AGENT_NODE 1 2', 'NO_CC_NODE 4 5', '6 7 8', 'ENABLE_PFC 0');
    expect(() => read('ns3-output-key', unknown)).toThrow(RoceError);
    try {
      read('ns3-output-key', unknown);
    } catch (error) {
      const { got, where, hint } = error as RoceError;
      expect(got).toBe(
        'AGENT_NODE (config.txt, line 63), NO_CC_NODE (config.txt, line 64), ENABLE_PFC (config.txt, line 66)',
      );
      expect(where).toBe('config.txt, line 63');
      expect(hint).toContain('--ignore-unknown-keys');
    }
  });

  it('are ignored on request, each in a note, and the keys after them apply', () => {
    const unknown = adding('AGENT_NODE 1 2', 'NO_CC_NODE 4 5', '6 7 8', 'L2_BACK_TO_ZERO 0');
    const change = (config: string): string => unknown(config.replace(/^L2_BACK_TO_ZERO.*\n/m, ''));
    const spec = read('ns3-output-key', change, { ignoreUnknownKeys: true });
    expect(textsOf(spec.notes)).toContain(
      'Unknown keys, ignored as requested: AGENT_NODE (config.txt, line 62), NO_CC_NODE (config.txt, line 63).',
    );
    expect({ ...spec, notes: [] }).toEqual({ ...read('ns3-output-key'), notes: [] });
  });

  it('are distinct from a word that is no key, which is still rejected', () => {
    expect(() => read('ns3-output-key', adding('and so on'), { ignoreUnknownKeys: true })).toThrow(/line 63/);
  });

  it.each([true, false])('are ignored by an option that accepts only true and false: %s', (ignoreUnknownKeys) => {
    expect(() => read('ns3-output-key', undefined, { ignoreUnknownKeys })).not.toThrow();
    expect(() => read('ns3-output-key', undefined, { ignoreUnknownKeys: 'yes' as unknown as boolean })).toThrow(
      RoceError,
    );
  });
});

it('Rates that a map contains twice are noted, and the last value applies', () => {
  const map = (values: string) => (config: string): string => config.replace(/^PMAX_MAP .*$/m, `PMAX_MAP ${values}`);
  const twice = read('ns3-output-key', map('2 400000000000 0.5 400000000000 0.1'));
  expect(textsOf(twice.notes)).toContain(
    'PMAX_MAP gives these rates twice, and the last value holds, as in the reference simulator: 400000000000.',
  );
  expect({ ...twice, notes: [] }).toEqual({ ...read('ns3-output-key', map('1 400000000000 0.1')), notes: [] });
});

describe('The counts in the first lines', () => {
  it('may be four words: nodes, switches, leaves, links', () => {
    const spec = read('ns3-datacenter-4words');
    expect(textsOf(spec.notes)).toContain(
      'The number of leaves, 4 in examples/PowerTCP/topology.txt, line 1, changes nothing here.',
    );
    const three = readReferenceExperiment({
      config: textOf('ns3-datacenter-4words/config.txt'),
      readFile: (file) => textOf(`ns3-datacenter-4words/${file}`).replace('138 10 4 144', '138 10 144'),
    });
    expect({ ...spec, notes: [] }).toEqual({ ...three, notes: [] });
  });

  it('give the same network as three words, with a start of 0.3 s', () => {
    const { flows } = runScenarioSync(read('ns3-datacenter-4words'));
    expect(flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([500_614_000, 225_038_000, 91_723_000, 0]);
  });

  it('are rejected with more leaves than switches', () => {
    expect(() =>
      readReferenceExperiment({
        config: textOf('ns3-datacenter-4words/config.txt'),
        readFile: (file) => textOf(`ns3-datacenter-4words/${file}`).replace('138 10 4 144', '138 10 11 144'),
      })
    ).toThrow(/number of leaves/);
  });

  it('are noted if there are more flows than declared, with the first extra one', () => {
    const spec = read('ns3-more-flows');
    expect(spec.workload).toMatchObject({ flows: [{}] });
    expect(textsOf(spec.notes)).toContain(
      'There are 2 flows, but the first line says 1: left out from mix/flow.txt, line 3 on.',
    );
  });
});

/** A value different from the base config, for keys that do not accept any number. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  TOPOLOGY_FILE: 'mix/other.txt',
  FLOW_FILE: 'mix/other.txt',
  SIMULATOR_STOP_TIME: '0.5',
  FLOWGEN_START_TIME: '2.001',
  FLOWGEN_STOP_TIME: '2.5',
  CC_MODE: '7',
  LB_MODE: '2',
  LINK_DOWN: '5 0 4',
  X_DROP: '0 0 1',
  KMAX_MAP: '2 100000000000 300 400000000000 900',
  KMIN_MAP: '2 100000000000 90 400000000000 100',
  PMAX_MAP: '2 100000000000 0.5 400000000000 0.5',
  EWMA_GAIN: '0.25',
  U_TARGET: '0.5',
  PINT_LOG_BASE: '1.2',
  PINT_PROB: '0.5',
  ERROR_RATE_PER_LINK: '0.25',
  L2_CHUNK_SIZE: '5000',
  L2_ACK_INTERVAL: '3000',
  ...Object.fromEntries(['RATE_AI', 'RATE_HAI', 'MIN_RATE', 'DCTCP_RATE_AI'].map((key) => [key, '321Mb/s'])),
};
const FLAGS = [
  'ENABLE_QCN',
  'HAS_WIN',
  'GLOBAL_T',
  'VAR_WIN',
  'RATE_BOUND',
  'ACK_HIGH_PRIO',
  'CLAMP_TARGET_RATE',
  'FAST_REACT',
  'MULTI_RATE',
  'SAMPLE_FEEDBACK',
  'L2_BACK_TO_ZERO',
  'ENABLE_PFC',
  'ENABLE_IRN',
  'ENABLE_TRACE',
];

/** Keys that have an effect only with another key. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  L2_CHUNK_SIZE: ['L2_ACK_INTERVAL 4000'],
  FAST_REACT: ['CC_MODE 3', 'HAS_WIN 1'],
  U_TARGET: ['CC_MODE 3', 'HAS_WIN 1'],
  MI_THRESH: ['CC_MODE 3', 'HAS_WIN 1'],
  INT_MULTI: ['CC_MODE 3', 'HAS_WIN 1'],
  MULTI_RATE: ['CC_MODE 3', 'HAS_WIN 1'],
  SAMPLE_FEEDBACK: ['CC_MODE 3', 'HAS_WIN 1'],
  PINT_LOG_BASE: ['CC_MODE 10', 'HAS_WIN 1'],
  PINT_PROB: ['CC_MODE 10', 'HAS_WIN 1'],
  DCTCP_RATE_AI: ['CC_MODE 8'],
  VAR_WIN: ['HAS_WIN 1'],
  ...Object.fromEntries(
    ['TX_EXPIRY_TIME', 'REPLY_TIMEOUT_EXTRA', 'PATH_PAUSE_TIME', 'EXTRA_VOQ_FLUSH_TIME', 'DEFAULT_VOQ_WAITING_TIME']
      .map((key) => [`CONWEAVE_${key}`, ['LB_MODE 9']]),
  ),
};

/** Notes on defaults refer to keys that are missing. */
const withoutDefaults = (spec: ScenarioSpec): ScenarioSpec => ({
  ...spec,
  notes: textsOf(spec.notes).filter((note) => !note.startsWith('Not given')),
});

describe.each([
  { name: 'HPCC', base: 'ns3-output-key', table: CONFIG_KEYS, hasPint: true },
  { name: 'ConWeave', base: 'conweave-fct', table: LOSSY_CONFIG_KEYS, hasPint: false },
])('Each key of $name changes the run, is noted, or is rejected', ({ base, table, hasPint }) => {
  const own = textOf(`${base}/config.txt`);
  const given = new Map(
    own.split('\n').map((line) => line.trim().split(/\s+/)).map(([key, ...words]) => [key, words.join(' ')]),
  );

  it.each(Object.keys(table))('%s', (key) => {
    const changed = new Map([
      ...given,
      ...(WITH[key] ?? []).filter((line) => hasPint || line !== 'CC_MODE 10').map((line) =>
        line.split(/ (.*)/) as [string, string]
      ),
    ]);
    const value = OTHER_VALUES[key] ??
      (FLAGS.includes(key) ? String(1 - Number(given.get(key) ?? table[key].missing)) : '7');
    const outcome = (settings: ReadonlyMap<string, string>): ScenarioSpec | string => {
      const text = [...settings].filter(([one]) => one in table || one.startsWith('QLEN')).map((line) => line.join(' '))
        .join('\n');
      try {
        return withoutDefaults(read(base, () => text));
      } catch (error) {
        return (error as RoceError).message;
      }
    };
    const [before, after] = [outcome(changed), outcome(new Map([...changed, [key, value]]))];
    if (typeof before === 'string') throw new Error(`The base of ${key} is rejected: ${before}`);
    if (typeof after === 'string')
      expect(after).toContain(key in OTHER_VALUES && key.endsWith('_FILE') ? 'other.txt' : key);
    else if (JSON.stringify({ ...after, notes: [] }) === JSON.stringify({ ...before, notes: [] }))
      expect(textsOf(after.notes).join(' ')).toContain(key);
  });
});

describe("ConWeave's files", () => {
  it('have node numbers in completion times', () => {
    const result = runScenarioSync(read('conweave-fct'));
    expect([...referenceFctParts(result)].join('')).toBe('3 7 10000 100 4490 2000000212 4466 4538\n');
  });
});
