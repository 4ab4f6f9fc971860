/** How scenarios select custom congestion points, and how invalid names and definitions are rejected. */
import { describe, expect, it } from 'vitest';
import { defineCongestionPoint, type CustomCongestionPoint } from '../../src/algorithm/index.js';
import { RoceError } from '../../src/errors.js';
import { explainResult, runScenarioSync, validateScenario, type ScenarioFiles } from '../../src/sim/index.js';
import type { SimResult } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { exampleScenario, incast } from './support/point-scenarios.js';

const POINT = defineCongestionPoint({
  name: 'above',
  parameters: {
    bytes: { default: 50_000, min: 0, max: 1e9, unit: 'bytes' },
    signal: { default: 'mark', values: ['mark', 'fast-cnp'] },
  },
  dequeue(port, packet) {
    if (!packet.isData || port.queueBytes <= port.parameters.bytes) return;
    if (port.parameters.signal === 'mark') packet.mark();
    else packet.sendFastCnp();
  },
});
const FILES: ScenarioFiles = { congestionPoints: [POINT], congestionPointFiles: { './above.js': POINT } };

function run(scenario: ScenarioSpec, files: ScenarioFiles = FILES): SimResult {
  return runScenarioSync(scenario, files);
}

function signalsOf({ ports }: SimResult): { readonly marks: number; readonly fastCnps: number } {
  const sum = (key: 'marks' | 'fastCnps'): number => ports.reduce((total, port) => total + port[key], 0);
  return { marks: sum('marks'), fastCnps: sum('fastCnps') };
}

function errorOf(action: () => unknown): RoceError {
  try {
    action();
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('A scenario', () => {
  it('selects a congestion point by name or by file, and sets its parameters', () => {
    const byName = run(incast({ congestionPoint: { preset: 'above', parameters: { bytes: 20_000 } } }));
    const byFile = run(incast({ congestionPoint: { file: './above.js', parameters: { bytes: 20_000 } } }));
    const higher = run(incast({ congestionPoint: { preset: 'above' } }));
    expect(signalsOf(byFile)).toEqual(signalsOf(byName));
    expect(signalsOf(byName).marks).toBeGreaterThan(signalsOf(higher).marks);
    expect(signalsOf(higher).marks).toBeGreaterThan(0);
  });

  it('with a congestion point has hosts that accept Fast CNPs by default', () => {
    const scenario = incast({ congestionPoint: { preset: 'above', parameters: { signal: 'fast-cnp' } } });
    const { flows, ...result } = run(scenario);
    expect(signalsOf({ flows, ...result }).fastCnps).toBeGreaterThan(0);
    expect(flows.some(({ fastCnps }) => fastCnps > 0)).toBe(true);
    const deaf = run({ ...scenario, hosts: { acceptFastCnp: false } });
    expect(deaf.flows.every(({ fastCnps }) => fastCnps === 0)).toBe(true);
  });

  it('can select a congestion point or the built-in rule for single switches', () => {
    const network = exampleScenario('wan-fast-cnp-end-con');
    const marking = (scenario: Partial<ScenarioSpec>): string[] => {
      const { ports } = run({ ...network, overrides: [], ...scenario, durationUs: 2000 });
      return [...new Set(ports.filter(({ marks }) => marks > 0).map(({ name }) => name.split(':')[0]!))];
    };
    const low = { preset: 'above', parameters: { bytes: 0 } };
    const all = marking({ switches: { congestionPoint: low } });
    expect(all.length).toBeGreaterThan(2);
    const [first = '', ...others] = all;
    expect(marking({
      switches: { ecn: { kminKB: 1e6, kmaxKB: 1e6 } },
      overrides: [{ nodes: [first], switch: { congestionPoint: low } }],
    }))
      .toEqual([first]);
    expect(marking({
      switches: { ecn: { kminKB: 1e6, kmaxKB: 1e6 }, congestionPoint: low },
      overrides: [{ nodes: [first], switch: { congestionPoint: { preset: 'built-in' } } }],
    })).toEqual(others);
  });

  it('in a result states the hash of the code of its congestion point, and is rejected with other code', () => {
    const scenario = incast({ congestionPoint: { preset: 'above' } }, {
      overrides: [{ nodes: ['s0'], switch: { congestionPoint: { file: './above.js' } } }],
    });
    const result = run(scenario);
    expect(result.scenario.switches?.congestionPoint).toEqual({ preset: 'above', sourceHash: POINT.sourceHash });
    expect(result.scenario.overrides?.[0]?.switch?.congestionPoint).toEqual({
      file: './above.js',
      sourceHash: POINT.sourceHash,
    });
    expect(run(result.scenario).hash).toBe(result.hash);
    const other = POINT.withSourceHash('0123456789abcdef');
    expect(
      errorOf(() => run(result.scenario, { congestionPoints: [other], congestionPointFiles: { './above.js': other } }))
        .message,
    )
      .toBe(
        'switches.congestionPoint.sourceHash: the code of congestion point above is not the one that the scenario states ' +
          `(got "0123456789abcdef"); allowed: "${POINT.sourceHash}".`,
      );
    expect(validateScenario(result.scenario, { withoutFiles: true }).hosts.acceptFastCnp).toBe(true);
  });

  it('has a note if its congestion point is never called', () => {
    const { notes } = run(incast({ ecn: false, congestionPoint: { preset: 'above' } }));
    expect(notes).toContain('ECN is off at s0: their congestion point (switches.congestionPoint) is not called.');
    expect(run(incast({ congestionPoint: { preset: 'above' } }, { hosts: { acceptFastCnp: true } })).notes).toEqual([]);
  });

  it('has an explanation that names the congestion point', () => {
    const explained = explainResult(run(incast({ congestionPoint: { preset: 'above', parameters: { bytes: 1e9 } } })));
    expect(explained.find(({ topic }) => topic === 'notification')?.answer)
      .toMatch(
        /^No packet was marked: the congestion point above decides at s0, where the longest queue was [\d.,]+ \w+\.$/,
      );
    expect(explained.some(({ topic }) => topic === 'fast-cnp')).toBe(false);
    const notified = explainResult(
      run(incast({ congestionPoint: { preset: 'above', parameters: { signal: 'fast-cnp' } } })),
    );
    expect(notified.find(({ topic }) => topic === 'fast-cnp')?.question).toBe('What did Fast CNPs do?');
  });

  it('without a congestion point is unchanged in the result of a run with a substitute', () => {
    const { scenario } = runScenarioSync(incast(), { substitutes: { 'congestion-point': POINT } });
    expect(scenario).toEqual(incast());
  });
});

describe('An invalid congestion point is rejected with an error that names the setting', () => {
  const dequeue = (): void => undefined;
  const scenarioWith = (congestionPoint: object, more: Partial<ScenarioSpec> = {}): ScenarioSpec =>
    incast({ congestionPoint } as ScenarioSpec['switches'], more);

  it.each<[string, ScenarioSpec, string, string]>([
    ['an unknown name', scenarioWith({ preset: 'below' }), 'switches.congestionPoint.preset', '"built-in" or "above"'],
    ['no name', scenarioWith({}), 'switches.congestionPoint.preset', '"built-in" or "above"'],
    ['a file that was not read', scenarioWith({ file: 'a.js' }), 'switches.congestionPoint.file', 'has not been read'],
    [
      'a file next to a name',
      scenarioWith({ preset: 'above', file: './above.js' }),
      'switches.congestionPoint',
      'with a preset',
    ],
    ['an unknown key', scenarioWith({ preset: 'above', kminKB: 1 }), 'switches.congestionPoint.kminKB', 'kminKB'],
    [
      'an unknown parameter',
      scenarioWith({ preset: 'above', parameters: { bites: 1 } }),
      'switches.congestionPoint.parameters.bites',
      'bites',
    ],
    [
      'a parameter out of range',
      scenarioWith({ preset: 'above', parameters: { bytes: -1 } }),
      'switches.congestionPoint.parameters.bytes',
      'between 0 and',
    ],
    [
      'a fidelity that does not support congestion points',
      scenarioWith({ preset: 'above' }, { fidelity: 'reference-lossy' }),
      'fidelity',
      'does not run',
    ],
  ])('%s', (_, scenario, where, text) => {
    const error = errorOf(() => run(scenario));
    expect(error).toMatchObject({ code: 'invalid-scenario', where });
    expect(error.message).toContain(text);
  });

  it.each<[string, object, string]>([
    ['an object that is not a congestion point', { congestionPoints: [{ name: 'x' }] }, 'options.congestionPoints[0]'],
    ['two congestion points with the same name', { congestionPoints: [POINT, POINT] }, 'options.congestionPoints[1]'],
    ['a file without a congestion point', { congestionPointFiles: { 'a.js': 1 } }, 'options.congestionPointFiles.a.js'],
    ['an invalid substitute', { substitutes: { 'congestion-point': {} } }, 'options.substitutes.congestion-point'],
    ['a substitute for an algorithm', { substitutes: { dcqcn: POINT } }, 'options.substitutes.dcqcn'],
  ])('%s', (_, options, where) => {
    expect(errorOf(() => run(incast(), options))).toMatchObject({ code: 'invalid-config', where });
  });

  it.each<[string, object, string]>([
    ['without handlers', { name: 'x' }, 'congestionPoint'],
    ['with a handler that is not a function', { name: 'x', enqueue: 1 }, 'congestionPoint.enqueue'],
    ['with a handler of an algorithm', { name: 'x', dequeue, ack: dequeue }, 'congestionPoint.ack'],
    ['with the name of the built-in rule', { name: 'built-in', dequeue }, 'congestionPoint.name'],
    ['with a string as state', { name: 'x', dequeue, flowState: { a: 'b' } }, 'congestionPoint.flowState.a'],
    [
      'with too large a state',
      { name: 'x', dequeue, portState: { a: new Array(129).fill(0) } },
      'congestionPoint.portState',
    ],
    [
      'with a default out of range',
      { name: 'x', dequeue, parameters: { a: { default: 2, max: 1 } } },
      'congestionPoint.parameters.a.default',
    ],
    ['with a module and a handler', { name: 'x', dequeue, module: new Uint8Array() }, 'congestionPoint.dequeue'],
  ])('a definition %s', (_, definition, where) => {
    const define = defineCongestionPoint as unknown as (definition: object) => CustomCongestionPoint;
    expect(errorOf(() => define(definition))).toMatchObject({ code: 'invalid-config', where });
  });
});
