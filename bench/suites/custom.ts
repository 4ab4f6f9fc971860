/**
 * Custom algorithms in the simulator: the examples that equal a built-in algorithm to the bit, in its place. What differs is the time
 * of their handlers.
 */
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { ScenarioFiles } from '../../src/sim/scenario/scenario-files.js';
import type { ScenarioSpec, TopologySpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { MISSING, type Language } from '../../test/algorithm/support/build-module.js';
import { exampleSubstitutes } from '../../test/algorithm/support/example-algorithms.js';
import { MODULE_NAMES, moduleSubstitutes } from '../../test/algorithm/support/module-algorithms.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import type { CasePlan, Suite, SuiteSize } from './suite.js';

type Substitutes = NonNullable<ScenarioFiles['substitutes']>;

const BUDGET = 2 ** 30;
const BUILT_IN = 'built-in';
const PRESETS = {
  dcqcn: 'dcqcn-sigcomm15',
  hpcc: 'hpcc-sigcomm19',
  'hpcc-pp': 'hpcc-pp-draft',
  swift: 'swift-sigcomm20',
  dctcp: 'dctcp-ns3',
} as const;
type Name = keyof typeof PRESETS;

/** By form; of each the algorithms that it has. */
const forms = new Map<string, Substitutes>();

export const customSuite: Suite = {
  name: 'custom',
  about: 'custom algorithms in the simulator, and the built-in ones that they equal',
  prepare: async () => {
    forms.set('JavaScript', await exampleSubstitutes());
    for (const [form, language] of [['AssemblyScript', 'assemblyscript'], ['C', 'c']] as const)
      if (canBuild(language)) forms.set(form, await moduleSubstitutes(language));
  },
  plan({ smoke }: SuiteSize): readonly CasePlan[] {
    const scale = smoke ? 1 / 200 : 1;
    const incast = { kind: 'incast', senders: 16, sizeBytes: Math.round(4e6 * scale) } as const;
    const flows = {
      kind: 'poisson',
      load: 0.5,
      sizes: [{ sizeBytes: 1000, share: 0 }, { sizeBytes: 2 ** 20, share: 1 }],
      flows: smoke ? 20 : 200,
    } as const;
    return (Object.keys(PRESETS) as Name[]).flatMap((name) => [
      casePlan(name, 'incast 16 x 4 MB', { kind: 'star', hosts: 17 }, incast),
      casePlan(name, 'fat-tree k=4, 200 flows', { kind: 'fat-tree', k: 4 }, flows),
    ]);
  },
};

function canBuild(language: Language): boolean {
  return MISSING[language] === undefined;
}

function casePlan(name: Name, network: string, topology: TopologySpec, workload: WorkloadSpec): CasePlan {
  const title = `custom ${name}, ${network}`;
  const spec: ScenarioSpec = { name: 'bench', topology, workload, algorithms: { only: { preset: PRESETS[name] } } };
  return { title, make: () => caseOf(title, name, spec) };
}

function caseOf(title: string, name: Name, spec: ScenarioSpec): BenchCase {
  const variants = [
    new KernelVariant(BUILT_IN, spec, {}),
    ...[...forms].filter(([form]) => form === 'JavaScript' || MODULE_NAMES.some((module) => module === name)).map((
      [form, substitutes],
    ) => new KernelVariant(form, spec, { [name]: substitutes[name] })),
  ];
  const hops = variants.map((variant) => variant.packetHops());
  return {
    title,
    unit: 'packet-hop',
    units: hops[0],
    base: BUILT_IN,
    variants,
    check: () => {
      if (hops.some((one) => one !== hops[0])) throw new Error(`${title}: packet-hops differ: ${hops.join(', ')}`);
    },
  };
}

class KernelVariant implements Variant {
  readonly name: string;
  readonly #plan;
  #kernel: SimKernel;

  constructor(name: string, spec: ScenarioSpec, substitutes: Substitutes) {
    this.name = name;
    this.#plan = compileScenario(validateScenario(spec, { substitutes })).plan;
    this.#kernel = new SimKernel(this.#plan);
  }

  reset(): void {
    this.#kernel = new SimKernel(this.#plan);
  }

  pass(): number {
    const beginMs = performance.now();
    while (this.#kernel.run(this.#plan.endPs, BUDGET) === 'budget');
    return performance.now() - beginMs;
  }

  /** Of one pass. */
  packetHops(): number {
    this.reset();
    this.pass();
    return this.#kernel.packetHops;
  }
}
