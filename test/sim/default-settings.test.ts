/**
 * Defaults as the schema publishes them, and so docs/scenario.schema.json, docs/guides/scenarios.md and the lab, are those in force: a
 * scenario that leaves a setting out is the same as one that states its default, and differs from one with another value.
 */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario, SCENARIO_SCHEMA, validateScenario } from '../../src/sim/index.js';
import { uetInputs } from '../../src/sim/features/reference-uet/inputs.js';
import { isUetScenario } from '../../src/sim/features/reference-uet/run.js';
import { FILE_DEFAULTS } from '../../src/workloads/job-formats.js';
import { parseGoal } from '../../src/workloads/index.js';
import { withValue, type Json, type Path } from '../../web/page/experiment/scenario-edit.js';

interface Schema {
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly type?: string;
  readonly default?: Json;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-defaults'?: Readonly<Record<string, Json>>;
  readonly 'x-network-defaults'?: Readonly<Record<string, Json>>;
}

interface Setting {
  /** Path as text, with the kind of each object that has one: `topology:edges.errorRate`. */
  readonly name: string;
  readonly path: Path;
  readonly schema: Schema;
  /** Names of the objects around it, from the outermost. */
  readonly within: readonly string[];
}

const DEFAULTS = ['default', 'x-defaults', 'x-network-defaults'];

/** All settings with a default. */
function settingsOf(schema: Schema, path: Path = [], name = '', within: readonly string[] = []): Setting[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const inner = typeof additionalProperties === 'object' ? { default: additionalProperties } : {};
  return [
    ...Object.entries({ ...properties, ...inner }).flatMap(([key, child]): Setting[] => {
      const below = name === '' ? key : `${name}.${key}`;
      const own = Object.keys(child).some((one) => DEFAULTS.includes(one)) ?
        [{ name: below, path: [...path, key], schema: child, within: [...within, below] }] :
        [];
      return [...own, ...settingsOf(child, [...path, key], below, [...within, below])];
    }),
    ...(items === undefined ? [] : settingsOf(items, [...path, 0], `${name}[]`, [...within, `${name}[]`])),
    ...[...oneOf, ...anyOf].flatMap((one): Setting[] => {
      // A variant for lists repeats the settings of its neighbours.
      if (one.items?.oneOf !== undefined) return [];
      const kind = (one.properties?.['kind'] ?? one.properties?.['model'])?.const;
      if (kind === undefined) return settingsOf(one, path, name, within);
      return settingsOf(one, path, `${name}:${String(kind)}`, [...within, `${name}:${String(kind)}`]);
    }),
  ];
}

const JOB = { kind: 'job', format: 'goal', file: 'a.goal' };
const HIERARCHICAL = { kind: 'collective', collective: 'all-reduce', by: 'hierarchical', sizeBytes: 5000 };
const GRAPH = parseGoal(
  'num_ranks 2\nrank 0 {\nl1: send 1000b to 1 tag 1\n}\nrank 1 {\nl1: recv 1000b from 0 tag 1\n}\n',
);
const WAN = { kind: 'two-data-centers', leaves: 1, spines: 1, hostsPerLeaf: 2, wan: { edges: 1, routers: 1 } };
const BASE: Readonly<Record<string, Json>> = {
  name: 'base',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 5000 },
};

/** A scenario in which the object, or the setting, is valid. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  'topology:dumbbell': { topology: { kind: 'dumbbell', left: 2, right: 2 } },
  'topology:leaf-spine': { topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 } },
  'topology:fat-tree': { topology: { kind: 'fat-tree', k: 4 } },
  'topology:two-data-centers': { topology: { kind: 'two-data-centers', leaves: 1, spines: 1, hostsPerLeaf: 2 } },
  'topology:two-data-centers.wan.paths': { topology: WAN },
  'topology:two-data-centers.wan.routers': { topology: WAN },
  'topology:edges': {
    topology: {
      kind: 'edges',
      nodes: [{ name: 's0', kind: 'switch' }, ...['h0', 'h1', 'h2'].map((name) => ({ name, kind: 'host' }))],
      links: ['h0', 'h1', 'h2'].map((from) => ({ from, to: 's0' })),
    },
  },
  'workload:flows': { workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 5000 }] } },
  'workload:flows.connections': {
    workload: {
      kind: 'flows',
      flows: [5000, 1000, 1000].map((sizeBytes) => ({ from: 'h0', to: 'h1', sizeBytes })),
      connections: { perPair: 2 },
    },
  },
  'workload:permutation': { workload: { kind: 'permutation', sizeBytes: 5000 } },
  'workload:all-to-all': { workload: { kind: 'all-to-all', sizeBytes: 5000 } },
  'workload:ring-all-reduce': { workload: { kind: 'ring-all-reduce', sizeBytes: 5000 } },
  'workload:poisson': { workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 5 } },
  'workload:job': { workload: JOB },
  'workload:job.barrier': { workload: { ...JOB, iterations: 2 } },
  'workload:collective': { workload: { kind: 'collective', collective: 'all-reduce', sizeBytes: 5000 } },
  'workload:collective.servers': {
    topology: { kind: 'star', hosts: 4 },
    workload: { ...HIERARCHICAL, servers: { ranks: 2 } },
  },
  'workload:collective.servers.latencyNs': {
    topology: { kind: 'star', hosts: 4 },
    workload: { ...HIERARCHICAL, servers: { ranks: 2, rateGbps: 100 } },
  },
  'workload:collective.ranksPerHost': {
    workload: { kind: 'collective', collective: 'all-reduce', sizeBytes: 5000, ranks: 2 },
  },
  'workload:program': {
    workload: { kind: 'program', ranks: 2, steps: [{ kind: 'collective', collective: 'all-reduce', sizeBytes: 5000 }] },
  },
  'workload:program.barrier': {
    workload: {
      kind: 'program',
      iterations: 2,
      steps: [{ kind: 'collective', collective: 'all-reduce', sizeBytes: 5000 }],
    },
  },
  'algorithms.default': {
    topology: { kind: 'dumbbell', left: 2, right: 2, delayNs: 5000 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 5000 }] },
    algorithms: { default: { preset: 'hpcc-sigcomm19' } },
  },
  'switches.buffer:service-pools': { switches: { buffer: { model: 'service-pools', lossyBytes: 1_000_000 } } },
  'switches.watchdog': { switches: { watchdog: {} } },
  'switches.trimming': { switches: { trimming: {} }, hosts: { transport: 'mrc' } },
  'switches.usids.block': {
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 },
    switches: { loadBalancing: 'source-route', usids: {} },
    hosts: { transport: 'mrc', pathSelection: 'entropy-states' },
  },
  discovery: { discovery: {} },
  'discovery.routers[]': { discovery: { routers: [{ nodes: ['s0'] }] } },
  wan: { topology: WAN },
  'wan.flowControl': { topology: WAN, wan: { flowControl: { kind: 'arn' } } },
  'wan.flowControl.kind': { topology: WAN, wan: {} },
  'faults[]:loss': { faults: [{ kind: 'loss', between: ['h0', 's0'], share: 0.1 }] },
  'faults[]:drop': { faults: [{ kind: 'drop', flow: 0, firstByte: 0, arrival: 1 }] },
  'faults[]:slow-receiver': { faults: [{ kind: 'slow-receiver', host: 'h0', rateGbps: 10 }] },
  'faults[]:bit-errors': { faults: [{ kind: 'bit-errors', between: ['h0', 's0'] }] },
  'faults[]:bit-errors.perBit': { faults: [{ kind: 'bit-errors', between: ['h0', 's0'], perFrame: 0.1 }] },
  'faults[]:bit-errors.perFrame': { faults: [{ kind: 'bit-errors', between: ['h0', 's0'], perBit: 0.1 }] },
  'faults[]:bit-errors.direction': { faults: [{ kind: 'bit-errors', between: ['h0', 's0'], perBit: 0.1 }] },
  'record.flows': { workload: { kind: 'all-to-all', sizeBytes: 1000 }, topology: { kind: 'star', hosts: 10 } },
  'record.queueHistogram': { record: { queueHistogram: { fromUs: 0, toUs: 10 } } },
};

/** A different value, if it is neither a choice nor the next number. */
const OTHERS: Readonly<Record<string, Json>> = {
  'algorithms': { default: { preset: 'hpcc-sigcomm19' } },
  'switches.buffer': { model: 'service-pools', lossyBytes: 1_000_000 },
  'switches.buffer:service-pools.losslessClasses': [3],
  'switches.strictClasses': [3],
  'switches.fastCnp.option': 2,
  'switches.usids.block': 'fd00:1::',
  'record.ports': 'all',
};

/** Defaults of files, whose readers use the same constants. */
const OF_READERS = [...Object.keys(FILE_DEFAULTS).map((key) => `workload:job.${key}`), 'topology:file.servers'];

/** All workloads share the declaration of their QPs. */
const isRepeated = (name: string): boolean =>
  name.endsWith('.connections.choose') && name !== 'workload:flows.connections.choose';

const ALL = settingsOf(SCENARIO_SCHEMA as Schema).filter(({ name }) => !OF_READERS.includes(name) && !isRepeated(name));
const SETTINGS = ALL.filter(({ schema }) => 'default' in schema || 'x-defaults' in schema);
const OF_NETWORKS = ALL.flatMap(({ name, path, schema }) =>
  Object.entries(schema['x-network-defaults'] ?? {}).map(([network, value]) => ({ name, path, network, value }))
);
const FIDELITIES = ['standard', 'reference', 'reference-lossy', 'reference-uet'];
/** A network of uet-htsim has two tiers or three. */
const UET_BASE = { ...BASE, topology: { kind: 'leaf-spine', leaves: 1, spines: 3, hostsPerLeaf: 3 } };

function scenarioFor({ within }: Setting, fidelity: string): Json {
  const needed = within.map((one) => NEEDED[one] ?? {});
  return Object.assign({}, fidelity === 'reference-uet' ? UET_BASE : BASE, ...needed,
    fidelity === 'standard' ? {} : { fidelity }) as Json;
}

function anotherThan(value: Json, { name, schema }: Setting): Json {
  const other = OTHERS[name];
  if (other !== undefined) return other;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return (schema.enum ?? []).find((one) => one !== value) ?? 'none';
  if (typeof value !== 'number') throw new Error(`OTHERS has nothing for ${name}`);
  const { maximum = Infinity } = schema;
  return value + 1 <= maximum ? value + 1 : value / 2;
}

/** The complete scenario and the plan, as text. */
function outcome(scenario: Json): { readonly valid: string; readonly plan: string } {
  const valid = validateScenario(scenario, { graphs: { 'a.goal': GRAPH } });
  if (isUetScenario(valid)) return { valid: textOf({ ...valid, spec: undefined }), plan: textOf(uetInputs(valid)) };
  const { plan } = compileScenario(valid);
  return { valid: textOf({ ...valid, spec: undefined }), plan: textOf({ ...plan, flows: [...plan.flows] }) };
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return String(one);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return Symbol.iterator in one ? [...one as Iterable<unknown>] : Object.fromEntries(Object.entries(one).sort());
  });
}

/** undefined: the fidelity does not support it. */
function outcomeOf(scenario: Json): ReturnType<typeof outcome> | undefined {
  try {
    return outcome(scenario);
  } catch (error) {
    if (error instanceof RoceError && /fidelit|is modelled|not modelled/.test(error.message)) return undefined;
    throw error;
  }
}

/** Whether a different value changes the plan, or only the complete scenario, or nothing. */
function changesBy(scenario: Json, base: ReturnType<typeof outcome>): 'plan' | 'valid' | 'nothing' {
  try {
    const { plan, valid } = outcome(scenario);
    return plan !== base.plan ? 'plan' : valid !== base.valid ? 'valid' : 'nothing';
  } catch {
    return 'valid';
  }
}

/** Fidelities that support the setting, each with the effective default. */
function checkedUnder(setting: Setting): string[] {
  return FIDELITIES.filter((fidelity) => {
    const { path, schema, name } = setting;
    const value = schema['x-defaults']?.[fidelity] ?? schema.default;
    const left = scenarioFor(setting, fidelity);
    const base = outcomeOf(left);
    if (value === undefined || base === undefined || (name === 'fidelity' && fidelity !== 'standard')) return false;
    const stated = outcomeOf(withValue(left, path, value));
    if (stated === undefined) return false;
    const seen = changesBy(withValue(left, path, anotherThan(value, setting)), base);
    expect(seen, `what ${name} changes under ${fidelity}`).not.toBe('nothing');
    if (seen === 'plan') expect(stated.plan, `${name} under ${fidelity}`).toBe(base.plan);
    else expect(stated.valid, `${name} under ${fidelity}`).toBe(base.valid);
    return true;
  });
}

describe('The default in the schema', () => {
  it.each(SETTINGS.map((setting) => [setting.name, setting] as const))('of %s is the value that takes effect',
    (_, setting) => {
      expect(checkedUnder(setting)).not.toEqual([]);
    });

  it.each(OF_NETWORKS)('of $name is the value that takes effect under network $network', ({ path, network, value }) => {
    const base = { ...BASE, network };
    expect(outcome(withValue(base, path, value))).toEqual(outcome(base));
  });

  it('is absent from overrides, which keep the common settings', () => {
    const { overrides } = (SCENARIO_SCHEMA as Schema).properties!;
    expect(settingsOf(overrides!)).toEqual([]);
  });
});
