/** Notes as data: every code has a sentence that states its figures, and a result holds both in one order. */
import { describe, expect, it } from 'vitest';
import { hashResult, isHashRight, parseResultJson, resultToJson, runScenarioSync, type Note, type NoteCode,
  type NoteFigures, type SimResult } from '../../src/sim/index.js';
import { sentenceOf, SENTENCES } from '../../src/sim/note.js';

const PRESET = { algorithm: 'a', preset: 'dctcp-ns3', of: 'its simulator' };
const ALGORITHMS = { algorithms: ['dcqcn', 'hpcc'] };
const CNPS = { host: 'hosts', keys: ['cnpIntervalUs', 'cnpDelayUs'] };

/** Figures for each code: the list does not compile if one is missing. */
const EXAMPLES: { readonly [Code in NoteCode]: NoteFigures<Code> } = {
  'stated-by-scenario': { note: 'Stated.' },
  'stated-by-job': { job: 'train', note: { code: 'stated', figures: {}, text: 'Stated.' } },
  'discovery-done': { text: 'Discovery found 3 paths lossless.', paths: 3, endPs: 5e6 },
  'marks-unread': ALGORITHMS,
  'ecn-off-with-thresholds': {},
  'ecn-thresholds-twice': {},
  'no-marks': {},
  'congestion-point-without-ecn': { nodes: ['s0', 's1'] },
  'headroom-without-pfc': {},
  'memory-added': { nodes: ['s0'], bufferBytes: 48 * 2 ** 20 },
  'fast-cnp-under-reference': {},
  'fast-cnp-not-generated': {},
  'fast-cnp-off-with-settings': {},
  'fast-cnp-not-accepted': {},
  'fast-cnp-unread': ALGORITHMS,
  'fast-cnp-telemetry-unread': {},
  'no-equal-paths': { setting: 'hosts.pathSelection' },
  'no-flowlets': { setting: 'switches.flowletGapUs' },
  'balancing-rule-unused': { setting: 'switches.drill', rule: 'drill' },
  'no-choice-by-hash': { setting: 'hosts.pathSelection' },
  'no-marks-as-feedback': { setting: 'hosts.pathSelection' },
  'source-ports-kept': { setting: 'hosts.entropies' },
  'path-selection-unused': { setting: 'hosts.reps', rule: 'reps' },
  'no-detours': { setting: 'hosts.onFastCnp', reason: 'not-accepted' },
  'cnps-under-reference': CNPS,
  'cnps-unread': CNPS,
  'host-idle': { ...CNPS, nodes: ['h3'], role: 'receiver' },
  'acks-of-each-packet': {},
  'ack-chunks-unused': { setting: 'hosts.ackChunkBytes' },
  'transport-unused': { setting: 'hosts.irn', transport: 'irn' },
  'nothing-reordered': { setting: 'hosts.reorderingWindowPackets' },
  'irn-timeouts': { setting: 'hosts.timeout' },
  'nothing-trimmed': { setting: 'switches.trimming' },
  'timeouts-without-loss': { timeouts: 3 },
  'rates-without-code': { ratesBps: [10e9, 40e9] },
  'too-many-hops': { flow: 3, from: 'h0', to: 'h9', switches: 7 },
  'parallel-links': { between: [['h0', 's0'], ['s0', 's1']] },
  'algorithm-unused': { algorithm: 'a' },
  'window-unused': { algorithm: 'a', title: 'HPCC' },
  'parameter-idle': {
    algorithm: 'a',
    parameter: 'haiRateBps',
    reason: 'cuts-at-each-cnp',
    because: ["cutTrigger 'on-cnp'"],
  },
  'preset-cnp-interval': { ...PRESET, presetIntervalUs: 4, intervalUs: 50 },
  'preset-marking': {
    ...PRESET,
    presetMarking: { kminKB: 30, kmaxKB: 31, pmax: 1, rateBps: 10e9 },
    marking: { kminKB: 400, kmaxKB: 1600, pmax: 0.2, rateBps: 100e9 },
  },
  'flow-after-end': { flow: 3 },
  'flow-shares-cnp-class': { flow: 3, trafficClass: 6 },
  'no-arrivals': {},
  'own-flow-sizes': { sizes: 'web-search-roce-cc', published: 'web-search' },
  'job-setting-of-other-format': { setting: 'gpus', job: 'job.goal', format: 'simai' },
  'change-after-end': { change: 2, atPs: 5e6 },
  'settings-change': { change: 0, atPs: 1_234_500_000, set: { 'switches.ecn.kminKB': 5, 'switches.pfc': false } },
  'fault-after-end': { fault: 1 },
  'fault-without-chance': { fault: 1 },
  'fault-without-share': { fault: 1 },
  'fault-under-reference-lossy': { fault: 1, kind: 'loss' },
  'fault-without-cnps': { fault: 1, fidelity: 'reference' },
  'wan-unused': {},
  'wan-drops-fast-cnps': {},
  'wan-unmarked': { nodes: ['dc0.edge0'] },
  'wan-victim-ports': {},
  'wan-telemetry': {},
  'pauses-left-out': { pauses: 12 },
};

/** Figures that the sentence leaves to the reader of the data. */
const SILENT: Partial<Record<NoteCode, readonly string[]>> = {
  'discovery-done': ['paths', 'endPs'],
  'settings-change': ['change'],
};
const NOTES = Object.entries(EXAMPLES).map(([code, figures]) => ({ code, figures }) as Note);

describe('Codes of notes', () => {
  it.each(Object.keys(SENTENCES))('%s is in kebab case', (code) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it.each(NOTES)('$code: the sentence contains each figure', (example) => {
    const sentence = sentenceOf(example);
    expect(sentence).toMatch(/^\S.*\.$/);
    expect(sentence).not.toMatch(/undefined|NaN|\[object|\.\.$/);
    for (const [name, value] of Object.entries(example.figures)) {
      const isStated = sentenceOf(withOther(example, name, value)) !== sentence;
      expect({ name, isStated }).toEqual({ name, isStated: SILENT[example.code]?.includes(name) !== true });
    }
  });
});

/** The note with another value of one figure. */
function withOther({ code, figures }: Note, name: string, value: unknown): Note {
  return { code, figures: { ...figures, [name]: otherThan(value, name) } } as unknown as Note;
}

function otherThan(value: unknown, name: string): unknown {
  if (typeof value === 'number') return 2 * value + 1e9;
  if (value === 'cuts-at-each-cnp') return 'rate-set';
  if (typeof value === 'string') return { reason: 'not-sent', role: 'sender' }[name] ?? `${value}-other`;
  if (Array.isArray(value)) return (value as readonly unknown[]).map((one) => otherThan(one, ''));
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, otherThan(one, '')]));
}

describe('Notes of a result', () => {
  const result = runScenarioSync({
    name: 'noted',
    notes: ['From the author.'],
    topology: { kind: 'star', hosts: 3 },
    durationUs: 200,
    algorithms: { used: { preset: 'dctcp-ns3' }, idle: { preset: 'hpcc-sigcomm19' } },
    switches: { flowletGapUs: 5, loadBalancing: 'random' },
    hosts: { irn: { timeoutLowUs: 100 }, cnpIntervalUs: 4 },
    overrides: [{ nodes: ['h2'], host: { mtuBytes: 1024 } }],
    changes: [{ atUs: 50, set: { 'switches.ecn.kminKB': 20 } }],
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1e6, algorithm: 'used' }] },
  });
  const { notes, noteRecords = [] } = result;

  it('are sentences and data, in the same order', () => {
    expect(noteRecords.map(({ code }) => code)).toEqual(expect.arrayContaining([
      'stated-by-scenario',
      'no-equal-paths',
      'no-flowlets',
      'cnps-unread',
      'transport-unused',
      'host-idle',
      'algorithm-unused',
      'preset-marking',
      'settings-change',
    ]));
    expect(noteRecords.map(sentenceOf)).toEqual(notes);
    expect(noteRecords).toContainEqual({
      code: 'host-idle',
      figures: { host: 'overrides[0].host', keys: ['mtuBytes'], nodes: ['h2'], role: 'sender' },
    });
    expect(notes).toContain('overrides[0].host.mtuBytes is without effect where a host sends no flow: h2.');
  });

  it('survive JSON as data, and are not hashed', () => {
    expect(parseResultJson(resultToJson(result))).toEqual(result);
    const older: { -readonly [Key in keyof SimResult]: SimResult[Key] } = { ...result };
    delete older.noteRecords;
    expect(hashResult(older)).toBe(result.hash);
    expect(isHashRight(parseResultJson(resultToJson(older)))).toBe(true);
  });
});
