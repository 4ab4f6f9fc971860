/** The C simulator has the counters of the npm package, in shipped scenarios and for flows added during a run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileScenario, nativePlan, openNativePlan, openSimulation, SimKernel, validateScenario,
  type OpenScenarioSpec, type ScenarioSpec } from '../../src/sim/index.js';
import { us } from '../../src/units.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { Seeded } from '../support/seeded.js';
import { ensureLibrary, MISSING, ROOT } from './support/library.js';
import { buildProgram, run, temporaryFolder } from './support/programs.js';

const TIME_LIMIT_MS = 600_000;
/** The second needs uet.wasm, which the library does not have. */
const SKIPPED = ['fat-tree-k16-10000-flows.json', 'incast-8-uet.json'];
const SCENARIOS = readFileSync(join(ROOT, 'bench/hashes.txt'), 'utf8').trim().split('\n')
  .filter((line) => line.startsWith('result')).map((line) => line.split(' ')[1]!).filter((file) =>
    !SKIPPED.includes(file)
  );

const STATED = { hosts: { retransmitTimeoutUs: 500 } };
const OPEN: Readonly<Record<string, OpenScenarioSpec>> = {
  'DCQCN in a fat tree': { name: 'open', topology: { kind: 'fat-tree', k: 4 }, ...STATED },
  'HPCC and DCQCN': {
    name: 'open',
    topology: { kind: 'star', hosts: 6 },
    algorithms: { hpcc: { preset: 'hpcc-sigcomm19' }, dcqcn: { preset: 'dcqcn-sigcomm15' } },
    ...STATED,
  },
  'the reference fidelity': {
    name: 'open',
    topology: { kind: 'fat-tree', k: 4 },
    fidelity: 'reference',
    algorithms: { d: { preset: 'dcqcn-ns3' } },
  },
  'IRN': {
    name: 'open',
    topology: { kind: 'star', hosts: 6 },
    hosts: { transport: 'irn', retransmitTimeoutUs: 500 },
    switches: { pfc: false },
  },
};

ensureLibrary();

describeNeeding(MISSING, 'The C simulator', () => {
  const folder = temporaryFolder('sim');
  const program = MISSING === undefined ? buildProgram('test/native/c/simulate.c', folder) : '';

  it.each(SCENARIOS)('has the counters of the npm package in %s', { timeout: TIME_LIMIT_MS }, (file) => {
    const scenario = JSON.parse(readFileSync(join(ROOT, 'examples/scenarios', file), 'utf8')) as ScenarioSpec;
    const path = join(folder, 'closed.plan');
    writeFileSync(path, nativePlan(scenario));
    const kernel = new SimKernel(compileScenario(validateScenario(scenario)).plan);
    while (['budget', 'flow-done'].includes(kernel.run(kernel.plan.endPs, 2 ** 30)));
    expect(run(program, [path])).toBe(
      `${kernel.stateHash()} ${kernel.events} events, ${kernel.flowsDone} flows done\n`,
    );
  });

  it.each(Object.entries(OPEN))('has the counters of openSimulation for flows added during the run, under %s',
    (_name, scenario) => {
      const simulation = openSimulation(scenario, { flows: 64 });
      const hosts = simulation.kernel.plan.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
      const names = Object.keys(scenario.algorithms ?? { default: {} });
      const random = new Seeded(3);
      let startPs = 0;
      const lines = Array.from({ length: 40 }, (_, index) => {
        if (random.chance(0.7)) startPs += Math.floor(random.next() * us(20));
        const [from, to] = [hosts[index % hosts.length]!, hosts[(index * 3 + 1) % hosts.length]!];
        const algorithm = names[index % names.length]!;
        const sizeBytes = 1 + Math.floor(random.next() * 200_000);
        simulation.advance(Math.max(simulation.nowPs, startPs));
        const target = from === to ? hosts[(index + 1) % hosts.length]! : to;
        simulation.send({ from, to: target, sizeBytes, startPs, ...(scenario.algorithms ? { algorithm } : {}) });
        return `${from} ${target} ${sizeBytes} ${startPs} ${algorithm}\n`;
      });
      while (simulation.next() !== undefined);
      const plan = join(folder, 'open.plan');
      const flows = join(folder, 'flows.txt');
      writeFileSync(plan, openNativePlan(scenario, { flows: 64 }));
      writeFileSync(flows, lines.join(''));
      const wanted = `${simulation.stateHash()} ${simulation.kernel.events} events, 40 flows done\n`;
      expect(run(program, [plan, flows])).toBe(wanted);
      expect(run(program, [plan, flows, 'cb'])).toBe(wanted);
    });

  it('rejects a file that is not a plan of its build', () => {
    const plan = nativePlan({
      name: 'a',
      topology: { kind: 'star', hosts: 2 },
      workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
    });
    const path = join(folder, 'damaged.plan');
    for (
      const [at, sentence] of [[0, 'not a plan'], [4, 'of version'], [64, 'another build'], [200, 'damaged']] as const
    ) {
      const damaged = plan.slice();
      damaged[at]! ^= 1;
      writeFileSync(path, damaged);
      expect(() => run(program, [path])).toThrow();
      expect(sentenceOf(program, path)).toContain(sentence);
    }
  });
});

function sentenceOf(program: string, path: string): string {
  try {
    return run(program, [path]);
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}
