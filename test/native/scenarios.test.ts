/** Scenarios as JSON, from C and Python, have the results and error messages of the npm package. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileScenario, openSimulation, runScenarioSync, SimKernel, validateScenario,
  type ScenarioSpec } from '../../src/sim/index.js';
import { resultJsonParts } from '../../src/sim/files/result-json.js';
import { RoceError } from '../../src/errors.js';
import { describeNeeding, foreignTool } from '../support/foreign-tools.js';
import { ensureLibrary, LIBRARY_FILE, MISSING, ROOT } from './support/library.js';
import { buildProgram, run, temporaryFolder } from './support/programs.js';

const TIME_LIMIT_MS = 600_000;
/** The first takes most of a minute; the second needs uet.wasm, which the library does not have. */
const SKIPPED = ['fat-tree-k16-10000-flows.json', 'incast-8-uet.json'];
const HASHES = readFileSync(join(ROOT, 'bench/hashes.txt'), 'utf8').trim().split('\n').map((line) => line.split(' '))
  .filter(([kind, file]) => kind === 'result' && !SKIPPED.includes(file!)).map(([, file, hash]) =>
    [file!, hash!] as const
  );
const scenarioFile = (file: string): string => join(ROOT, 'examples/scenarios', file);
const MISSING_PYTHON = MISSING ?? (foreignTool('python3') === undefined ? 'python3 is not installed' : undefined);

ensureLibrary();

describeNeeding(MISSING, 'A scenario as JSON, in C,', () => {
  const folder = temporaryFolder('scenarios');
  const program = MISSING === undefined ? buildProgram('test/native/c/scenario.c', folder) : '';

  it.each(HASHES)('has the hash of the npm package: %s', { timeout: TIME_LIMIT_MS }, (file, hash) => {
    expect(run(program, [scenarioFile(file)])).toBe(`${hash}\n`);
  });

  it.each(['incast-16.json', 'wan-all.json', 'all-reduce.json'])('has the JSON of the npm package: %s', (file) => {
    const made = join(folder, 'result.json');
    run(program, [scenarioFile(file), made]);
    const scenario = JSON.parse(readFileSync(scenarioFile(file), 'utf8')) as ScenarioSpec;
    expect(readFileSync(made, 'utf8') === Array.from(resultJsonParts(runScenarioSync(scenario))).join('')).toBe(true);
  }, TIME_LIMIT_MS);

  const star = { name: 'x', topology: { kind: 'star', hosts: 3 } } as const;
  it.each<[string, object]>([
    ['a number out of range', { ...star, topology: { kind: 'star', hosts: 0 } }],
    ['a missing workload', star],
    ['an unknown setting', { ...star, workload: { kind: 'incast', senders: 2, sizeBytes: 1000 }, hots: {} }],
    ['a name with a letter outside ASCII', {
      ...star,
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'hö', sizeBytes: 1 }] },
    }],
  ])('is rejected with the message of the npm package: %s', (_, scenario) => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, JSON.stringify(scenario));
    expect(run(program, [file])).toBe(`invalid-config: ${messageOf(scenario)}\n`);
  });

  it('is rejected under fidelity reference-uet', () => {
    expect(run(program, [scenarioFile('incast-8-uet.json')])).toMatch(/^invalid-config: .*fidelity reference-uet/);
  });

  it.each([
    ['text that is not JSON', '{', /^invalid-config: scenario is not JSON/],
    ['an empty text', '', /^invalid-config: scenario is not JSON/],
    ['unclosed lists', '['.repeat(1_000_000), /^invalid-config: scenario is not JSON/],
  ])('is rejected: %s', (_, text, message) => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, text);
    expect(run(program, [file])).toMatch(message);
  });

  it('is rejected if arguments are missing', () => {
    expect(run(program, [])).toMatch(/^(?:invalid-argument: .*\n){3}$/);
  });

  it('opens as a simulation with the state of the npm package', () => {
    const scenario = JSON.parse(readFileSync(scenarioFile('incast-16.json'), 'utf8')) as ScenarioSpec;
    const kernel = new SimKernel(compileScenario(validateScenario(scenario)).plan);
    while (['budget', 'flow-done'].includes(kernel.run(kernel.plan.endPs, 2 ** 30)));
    expect(run(program, [scenarioFile('incast-16.json'), '--open'])).toBe(`${kernel.stateHash()}\n`);
  }, TIME_LIMIT_MS);

  it('opens as a simulation to which flows are added', () => {
    const scenario = { ...star, hosts: { retransmitTimeoutUs: 500 } };
    const file = join(folder, 'open.json');
    writeFileSync(file, JSON.stringify(scenario));
    const simulation = openSimulation(scenario, { flows: 8 });
    for (const from of ['h0', 'h1']) simulation.send({ from, to: 'h2', sizeBytes: 1e6 });
    while (simulation.next() !== undefined);
    expect(run(program, [file, '--add'])).toBe(`${simulation.stateHash()}\n`);
  });
});

describeNeeding(MISSING_PYTHON, 'A scenario from Python by ctypes', () => {
  it('prints the longest queue as CSV', () => {
    const csv = run('python3', [
      join(ROOT, 'examples/native/scenario.py'),
      LIBRARY_FILE,
      scenarioFile('incast-16.json'),
    ]);
    const scenario = JSON.parse(readFileSync(scenarioFile('incast-16.json'), 'utf8')) as ScenarioSpec;
    const { series } = runScenarioSync(scenario);
    const longest = Object.values(series.queueBytes).reduce((most, queue) =>
      Math.max(...queue) > Math.max(...most) ? queue : most
    );
    const rows = csv.trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
    expect(rows).toStrictEqual(Array.from(longest, (bytes, i) => [series.timesPs[i]! / 1e6, bytes]));
  }, TIME_LIMIT_MS);
});

function messageOf(scenario: object): string {
  try {
    runScenarioSync(scenario as ScenarioSpec);
  } catch (error) {
    if (error instanceof RoceError) return error.message;
  }
  throw new Error('the npm package runs it');
}
