/**
 * The networks that the fidelities are compared on: golden runs of the reference simulator, from its own files, and one with losses,
 * which it has none of.
 */
import { readFileSync } from 'node:fs';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { readReferenceExperiment } from '../../src/sim/reference-files/reference-scenario.js';
import type { AlgorithmSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import type { Measured } from './measured.js';

export interface FidelityCase {
  readonly name: string;
  /** Prefix of its topology and flow files, and the middle of its config's name. */
  readonly network: 'incast16' | 'leafspine32' | 'fattree4';
  readonly config: 'dcqcn' | 'dcqcn-paper' | 'hpcc';
  /** MiB, where not as in the config. */
  readonly bufferMiB?: number;
  /** Share of packets lost on each link, where not as in the config: 0. */
  readonly errorRate?: number;
  /** Results of the reference simulator itself (its own summary); none: it was not run. */
  readonly golden?: Pick<Measured, 'meanNs' | 'maxQueueBytes' | 'marks' | 'pauses'>;
}

export const CASES: readonly FidelityCase[] = [
  {
    name: '16-to-1 incast, DCQCN',
    network: 'incast16',
    config: 'dcqcn',
    golden: { meanNs: 2_236_673.375, maxQueueBytes: 2_638_864, marks: 9189, pauses: 0 },
  },
  {
    name: '16-to-1 incast, DCQCN, 2 MiB of memory',
    network: 'incast16',
    config: 'dcqcn',
    bufferMiB: 2,
    golden: { meanNs: 2_319_066.3125, maxQueueBytes: 1_398_032, marks: 5842, pauses: 112 },
  },
  {
    name: "16-to-1 incast, DCQCN with the paper's timers",
    network: 'incast16',
    config: 'dcqcn-paper',
    golden: { meanNs: 1_329_082.25, maxQueueBytes: 15_338_528, marks: 15_593, pauses: 0 },
  },
  {
    name: 'leaf-spine, 32 hosts, 48 flows, DCQCN',
    network: 'leafspine32',
    config: 'dcqcn',
    golden: { meanNs: 10_546_502 / 48, maxQueueBytes: 701_320, marks: 3487, pauses: 0 },
  },
  {
    name: 'fat-tree k=4, 32 flows, DCQCN',
    network: 'fattree4',
    config: 'dcqcn',
    golden: { meanNs: 245_389.84375, maxQueueBytes: 734_648, marks: 5294, pauses: 0 },
  },
  {
    name: '16-to-1 incast, HPCC',
    network: 'incast16',
    config: 'hpcc',
    golden: { meanNs: 1_363_753, maxQueueBytes: 854_560, marks: 17, pauses: 0 },
  },
  {
    name: 'leaf-spine, 32 hosts, 48 flows, HPCC',
    network: 'leafspine32',
    config: 'hpcc',
    golden: { meanNs: 8_128_412 / 48, maxQueueBytes: 194_080, marks: 0, pauses: 0 },
  },
  {
    name: 'fat-tree k=4, 32 flows, HPCC',
    network: 'fattree4',
    config: 'hpcc',
    golden: { meanNs: 210_857.1875, maxQueueBytes: 194_452, marks: 0, pauses: 0 },
  },
  {
    name: 'leaf-spine, 32 hosts, 48 flows, DCQCN, one packet in 1,000 lost on each link',
    network: 'leafspine32',
    config: 'dcqcn',
    errorRate: 0.001,
  },
];

const DATA = new URL('data/', import.meta.url);

function readText(name: string): string {
  return readFileSync(new URL(name, DATA), 'utf8');
}

/** The case as its files say, under fidelity `reference`. */
export function referenceSpec({ network, config, bufferMiB, errorRate }: FidelityCase): ScenarioSpec {
  let text = readText(`config-${config}.txt`);
  if (bufferMiB !== undefined) text = text.replace(/^BUFFER_SIZE .*$/m, `BUFFER_SIZE ${bufferMiB}`);
  if (errorRate !== undefined) text = text.replace(/^ERROR_RATE_PER_LINK .*$/m, `ERROR_RATE_PER_LINK ${errorRate}`);
  return readReferenceExperiment({ config: text, readFile: (name) => readText(`${network}-${name}`) });
}

/** The same under fidelity `standard`: what the files say of hosts' packets makes room for its defaults, all else stays. */
export function standardSpec(one: FidelityCase): ScenarioSpec {
  const { hosts = {}, algorithms = {}, ...spec } = referenceSpec(one);
  const { paced = true } = hosts;
  return {
    ...spec,
    fidelity: 'standard',
    hosts: { paced },
    algorithms: Object.fromEntries(Object.entries(algorithms).map(exact)),
  };
}

/** `standard` has telemetry in full. */
function exact([name, spec]: [string, AlgorithmSpec]): [string, AlgorithmSpec] {
  return [
    name,
    spec.preset === 'hpcc-ns3' ?
      { ...spec, parameters: { ...spec.parameters, records: 'exact', intMultiplier: 1 } } :
      spec,
  ];
}

export function planOf(spec: ScenarioSpec): NetworkPlan {
  return compileScenario(validateScenario(spec)).plan;
}
