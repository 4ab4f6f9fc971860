/**
 * Scenarios of fidelity `reference-uet`: golden runs of uet-htsim as scenarios give the program's own numbers, and what that program does
 * not have is rejected by name.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario, parseResultJson, readMetrics, resultToJson, runScenario, runScenarioSync, validateScenario,
  type ScenarioSpec } from '../../src/sim/index.js';
import { uetFlowsToCsv, uetReference } from '../../src/uet/index.js';
import { uetGoldenScenarios } from '../support/uet-golden-scenarios.js';

const GOLDEN = uetGoldenScenarios();

const BASE: ScenarioSpec = {
  name: 'incast',
  fidelity: 'reference-uet',
  durationUs: 3000,
  topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 4 },
  workload: { kind: 'incast', senders: 7, sizeBytes: 300_000 },
};

describe(`${GOLDEN.length} golden runs as scenarios`, () => {
  it('cover all kinds', () => {
    const controls = new Set(GOLDEN.map(({ spec }) => spec.uet?.control));
    expect([...controls].sort()).toEqual(['constant', 'dctcp', 'nscc', 'nscc+rccc', 'rccc']);
    const selections = new Set(GOLDEN.map(({ spec }) => spec.uet?.pathSelection));
    expect([...selections].sort()).toEqual(['bitmap', 'mixed', 'oblivious', 'reps', 'reps-legacy']);
    expect(GOLDEN.filter(({ spec }) => spec.uet?.trimming === false).length).toBeGreaterThan(3);
    expect(GOLDEN.length).toBeGreaterThan(70);
  });

  it.each(GOLDEN)('$name: flows match to the picosecond, and totals exactly', ({ run, spec }) => {
    const result = runScenarioSync(spec, { uetReference });
    if (result.uet === undefined) throw new Error('no numbers of uet-htsim');
    expect(uetFlowsToCsv(result.uet)).toBe(run.read('flows.csv'));
    expect(result.uet.totals).toEqual(run.totals);
    const { summary, totals, flows } = result;
    expect(flows.map(({ startPs, completionPs }) => completionPs === null ? -1 : startPs + completionPs))
      .toEqual(result.uet.flows.map(({ finish_ps: finishPs }) => finishPs));
    expect(summary.flowsDone).toBe(run.totals.completed);
    expect(totals).toMatchObject({
      dataPackets: run.totals.new_pkts + run.totals.rtx_pkts,
      retransmittedPackets: run.totals.rtx_pkts,
      packetsDropped: run.totals.drops + run.totals.header_drops,
      marks: run.totals.ecn_marks,
      timeouts: run.totals.timeouts,
      packetsIn: totals.packetsOut + totals.packetsInFlight + totals.packetsDropped,
      bytesIn: totals.bytesOut + totals.bytesInFlight + totals.bytesDropped + (totals.bytesTrimmed ?? 0),
    });
    expect(totals.trimmedPackets ?? 0).toBe(run.totals.trims);
    expect(Math.min(...flows.map(({ slowdown }) => slowdown ?? 1))).toBeGreaterThanOrEqual(1);
  });

  it.each(GOLDEN.filter(({ name }) => /^single_.*(nscc|default_mtu|400G)/.test(name)))(
    '$name: lone flows take the ideal time to the picosecond',
    ({ spec }) => {
      const { flows } = runScenarioSync(spec, { uetReference });
      expect(flows.map(({ slowdown }) => slowdown)).toEqual(flows.map(() => 1));
    },
  );
});

const run = (spec: ScenarioSpec = BASE) => runScenarioSync(spec, { uetReference });
const withUet = (uet: ScenarioSpec['uet']): ScenarioSpec => ({ ...BASE, uet: uet ?? {} });

describe('A run of a scenario under uet-htsim', () => {
  it('is the same in the background, and as JSON read back', async () => {
    const result = run();
    expect((await runScenario(BASE, { uetReference }).result).hash).toBe(result.hash);
    expect(parseResultJson(resultToJson(result))).toEqual(result);
  });

  it('has the metrics of other runs, except those of ports and samples', () => {
    expect(
      readMetrics(run(), ['flowsDone', 'maxQueueBytes', 'meanQueueBytes', 'pauses', 'trimmedPackets', 'fairFromPs']),
    )
      .toMatchObject({ flowsDone: 7, meanQueueBytes: null, pauses: 0, fairFromPs: null });
    expect(run()).toMatchObject({ ports: [], series: { timesPs: [] }, ended: 'all-flows-done' });
  });

  it.each(['incast', 'permutation', 'all-to-all'] as const)('runs the pattern %s', (kind) => {
    const workload = kind === 'incast' ? BASE.workload : { kind, sizeBytes: 20_000 };
    expect(run({ ...BASE, workload }).summary.flowsUnfinished).toBe(0);
  });

  it('reports the bytes that arrived if its time is too short', () => {
    const { ended, simulatedPs, summary, flows } = run({ ...BASE, durationUs: 60 });
    expect([ended, simulatedPs, summary.flowsUnfinished]).toEqual(['time', 60e6, 7]);
    expect(flows.every(({ deliveredBytes, sizeBytes }) => deliveredBytes > 0 && deliveredBytes < sizeBytes)).toBe(true);
  });

  it('has the defaults of the program', () => {
    const stated: ScenarioSpec['uet'] = { control: 'nscc', pathSelection: 'mixed', paths: 64, nextHops: 'ecmp-host' };
    const { totals, flows } = run({ ...withUet(stated), hosts: { mtuBytes: 4086 } });
    expect([totals, flows]).toEqual([run().totals, run().flows]);
  });
});

describe('A setting that uet-htsim does not support', () => {
  const ALL = { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1 }] } as const;
  const cases: readonly (readonly [string, Partial<ScenarioSpec>, RegExp])[] = [
    [
      'hosts.transport',
      { hosts: { transport: 'irn' } },
      /^hosts\.transport is not a setting of the fidelity reference-uet/,
    ],
    ['switches', { switches: { pfc: false } }, /^switches is not a setting of the fidelity reference-uet/],
    ['algorithms', { algorithms: { a: { preset: 'nscc-uet' } } }, /^algorithms is not a setting of the fidelity/],
    ['faults', { faults: [] }, /^faults is not a setting/],
    ['record', { record: { flows: 2 } }, /^record is not a setting/],
    [
      'a key of a flow',
      { workload: { ...ALL, flows: [{ ...ALL.flows[0], operation: 'read' }] } },
      /^workload\.flows\[0\]\.operation is not a setting/,
    ],
    [
      'a key of a list of workloads',
      { workload: [{ ...ALL, trafficClass: 4 }] },
      /^workload\[0\]\.trafficClass is not a setting/,
    ],
    [
      'a kind of workload',
      { workload: { kind: 'ring-all-reduce', sizeBytes: 8 } },
      /^workload\.kind.* must be "flows", "incast", "permutation" or "all-to-all" \(got "ring-all-reduce"\)/,
    ],
    [
      'a topology',
      { topology: { kind: 'star', hosts: 4 } },
      /^topology\.kind.* must be "leaf-spine" or "fat-tree" \(got "star"\)/,
    ],
    ['planes', { topology: { kind: 'fat-tree', k: 4, planes: 2 } }, /^topology\.planes is not a setting/],
    [
      'spines that do not fit',
      { topology: { kind: 'leaf-spine', leaves: 2, spines: 3, hostsPerLeaf: 4 } },
      /spines.*\(got 3\)/,
    ],
    [
      'more uplinks than hosts',
      { workload: ALL, topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 2 } },
      /spines.*\(got 4\)/,
    ],
    ['parts of Gb/s', { topology: { kind: 'fat-tree', k: 4, rateGbps: 2.5 } }, /^topology\.rateGbps.*\(got 2\.5\)/],
    ['parts of ns', { topology: { kind: 'fat-tree', k: 4, delayNs: 0.5 } }, /^topology\.delayNs.*\(got 0\.5\)/],
    ['parts of a duration', { durationUs: 0.5 }, /^durationUs.*\(got 0\.5\)/],
    [
      'parts of a start',
      { workload: { kind: 'incast', senders: 2, sizeBytes: 1, staggerUs: 0.5 } },
      /start of flow 1 must be .*\(got 0\.5\)/,
    ],
    ['paths', { uet: { paths: 12 } }, /^uet\.paths must be a power of two \(got 12\)/],
    ['thresholds', { uet: { ecn: { lowPackets: 5, highPackets: 4 } } }, /^uet\.ecn\.highPackets must be at least 5/],
    ['SLEEK without senders', { uet: { sleek: true, control: 'rccc' } }, /^uet\.sleek needs control by senders/],
    ['two limits of queues', { uet: { queuePackets: 8, queueBdps: 2 } }, /^uet\.queueBdps has no effect/],
    ['a rate of NICs', { uet: { nicGbps: 0.0001 } }, /^uet\.nicGbps must be a multiple of 0\.001 Gb\/s/],
    ['REPS without trimming', {
      uet: { pathSelection: 'reps', trimming: false, queuePackets: 2, ecn: { lowPackets: 1, highPackets: 2 } },
    }, /is not supported after a timeout/],
  ];

  it.each(cases)('is rejected by name: %s', (_, change, message) => {
    expect(() => run({ ...BASE, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', message: expect.stringMatching(message) as string }),
    );
  });

  it('is checked without a run', () => {
    expect(() => validateScenario({ ...BASE, switches: {} })).toThrow(/^switches is not a setting/);
    expect(validateScenario(BASE).uet).toMatchObject({ control: 'nscc', nicMbps: 100_000, queuePackets: null });
  });
});

describe('A setting that only uet-htsim supports', () => {
  it('is rejected under other fidelities', () => {
    expect(() => validateScenario({ ...BASE, fidelity: 'standard', uet: {} })).toThrow(
      /^uet is a setting of fidelity reference-uet, and the fidelity is standard/,
    );
  });

  it('requires the uetReference option, and has no compiled form', () => {
    expect(() => runScenarioSync(BASE)).toThrow(/uetReference of roce-cc\/uet/);
    expect(() => compileScenario(validateScenario(BASE))).toThrow(/has no compiled form/);
  });
});
