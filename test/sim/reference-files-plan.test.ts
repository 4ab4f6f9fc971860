/**
 * The golden runs' own files, read and compiled by the library, against the plans made by hand from the same files: the
 * same network, flow by flow and port by port.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { readReferenceExperiment } from '../../src/sim/reference-files/reference-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { goldenPlan, goldenRuns } from '../support/golden-plan.js';
import { GOLDEN_SYSTEM } from '../support/golden.js';
import { textsOf } from '../support/note-texts.js';

const compile = (spec: ScenarioSpec) => compileScenario(validateScenario(spec));

function readFiles(scenario: string, config: string): ScenarioSpec {
  const readFile = (name: string) => readFileSync(`${GOLDEN_SYSTEM}${scenario}/${name}`, 'utf8');
  return readReferenceExperiment({ config, readFile });
}

/** Next ports by node and destination, whatever the groups' numbers. */
function nextHopsOf({ nodes, routes, groups }: NetworkPlan): (readonly number[])[][] {
  return nodes.map(({ kind }, node) =>
    nodes.map((_, destination) =>
      kind === 'host' || destination === node ? [] : groups[routes.group(node, destination)] ?? []
    )
  );
}

/** Rules without an effect on these runs; the simulator has a separate formula for ideal times. */
const IDLE_RULES = ['cnpBytes', 'fastCnpBytes', 'cnpIntervalPs', 'cnpDelayPs', 'cnpClass', 'intMultiplier'];

function effective(plan: NetworkPlan): object {
  const { rules, flows, nodes, ports, parameterSets, endPs, linkEvents } = plan;
  return {
    endPs,
    linkEvents,
    parameterSets,
    rules: Object.fromEntries(Object.entries(rules).filter(([key]) => !IDLE_RULES.includes(key))),
    flows: flows.map((flow) => ({ ...flow, idealPs: 0 })),
    nodes: nodes.map(({ hashSeed, ...node }) => (node.kind === 'switch' ? { ...node, hashSeed } : node)),
    ports: ports.map((port) => (port.ecn ? port : { ...port, kminBytes: 0, kmaxBytes: 0, pmax: 0 })),
    nextHops: nextHopsOf(plan),
  };
}

describe('Files of the golden runs, read and compiled', () => {
  it.each(goldenRuns())('%s %s: give the same plan as written by hand', (scenario, cc) => {
    const config = readFileSync(`${GOLDEN_SYSTEM}${scenario}/config_${cc}.txt`, 'utf8');
    const { plan } = compile(readFiles(scenario, config));
    const expected = goldenPlan(scenario, cc);
    expect(effective(plan)).toEqual(effective(expected));
    if (expected.rules.telemetry === 'int64') expect(plan.rules.intMultiplier).toBe(expected.rules.intMultiplier);
  });

  it.each([['GLOBAL_T 0', 'hpcc'], ['RATE_BOUND 0', 'hpcc'], ['ENABLE_QCN 0', 'dcqcn_step']])('%s takes effect',
    (line, cc) => {
      const scenario = 'incast2_1MB';
      const config = readFileSync(`${GOLDEN_SYSTEM}${scenario}/config_${cc}.txt`, 'utf8');
      const changed = config.replace(new RegExp(`^${line.split(' ')[0]} .*$`, 'm'), line);
      const { plan } = compile(readFiles(scenario, changed));
      const { ports, rules, flows } = plan;
      const seen = {
        'GLOBAL_T 0': flows.get(0).windowBytes,
        'RATE_BOUND 0': rules.pacing,
        'ENABLE_QCN 0': ports.some(({ ecn }) => ecn),
      }[line];
      expect(seen).toBe({ 'GLOBAL_T 0': 52_000, 'RATE_BOUND 0': false, 'ENABLE_QCN 0': false }[line]);
    });

  it('have the expected notes', () => {
    const config = readFileSync(`${GOLDEN_SYSTEM}incast2_1MB/config_hpcc.txt`, 'utf8');
    const spec = readFiles('incast2_1MB', config);
    expect((compile(spec)).notes).toEqual(expect.arrayContaining(textsOf(spec.notes)));
  });
});
