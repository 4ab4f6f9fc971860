/** Links that go down: switches compute other routes, packets queued for the link are lost, and their memory is freed. */
import { describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FlowSpec, ScenarioSpec, TopologySpec } from '../../src/sim/scenario/spec.js';

const FOREVER_US = 1e6;
const SIZE_BYTES = 1_000_000;

/** Each host sends to the host `step` places after it. */
function shifted(hosts: number, step: number): FlowSpec[] {
  return Array.from({ length: hosts },
    (_, host) => ({ from: `h${host}`, to: `h${(host + step) % hosts}`, sizeBytes: SIZE_BYTES }));
}

function withDown(topology: TopologySpec, flows: FlowSpec[], between: readonly [string, string], toUs: number,
  rest: Partial<ScenarioSpec> = {}): SimResult {
  return runScenarioSync({
    name: 'down',
    topology,
    workload: { kind: 'flows', flows },
    durationUs: 20_000,
    faults: [{ kind: 'link-down', between, fromUs: 20, toUs }],
    ...rest,
  });
}

const port = (result: SimResult, name: string) => result.ports.find((one) => one.name === name)!;

describe('When a link goes down for good', () => {
  it.each([
    { topology: { kind: 'fat-tree', k: 4 }, hosts: 16, between: ['agg0', 'core0'] },
    { topology: { kind: 'fat-tree', k: 4 }, hosts: 16, between: ['edge0', 'agg0'] },
    {
      topology: { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 4 },
      hosts: 12,
      between: ['leaf0', 'spine0'],
    },
  ] satisfies { topology: TopologySpec; hosts: number; between: [string, string] }[])(
    'between $between of a $topology.kind, every flow is rerouted, at any distance from the link',
    ({ topology, hosts, between }) => {
      const { ended, totals } = withDown(topology, shifted(hosts, 5), between, FOREVER_US);
      expect(ended).toBe('all-flows-done');
      expect(totals.drops.linkDown).toBeGreaterThan(0);
      expect(totals).toMatchObject({ packetsInFlight: 0, bytesInFlight: 0, drops: { noRoute: 0 } });
    },
  );

  it('flows are rerouted even over a path longer than any planned one', () => {
    const names = ['h0', 'h1', 'a', 'b', 'c'];
    const nodes = names.map((name) => ({ name, kind: name.startsWith('h') ? 'host' as const : 'switch' as const }));
    const links = [['h0', 'a'], ['h1', 'b'], ['a', 'b'], ['a', 'c'], ['c', 'b']].map(([from, to]) => ({
      from: from!,
      to: to!,
    }));
    const result = withDown({ kind: 'edges', nodes, links }, [{ from: 'h0', to: 'h1', sizeBytes: SIZE_BYTES }], [
      'a',
      'b',
    ], FOREVER_US);
    expect(result.ended).toBe('all-flows-done');
    expect(port(result, 'a:c').txPackets).toBeGreaterThan(500);
  });

  it('to a host, only flows to that host are stuck, and no memory is held for them', () => {
    const to = (host: string, sizeBytes: number, startUs: number): FlowSpec[] =>
      Array.from({ length: 8 }, (_, index) => ({ from: `h${index}`, to: host, sizeBytes, startUs }));
    const flows = [...to('h9', 4_000_000, 0), ...to('h8', SIZE_BYTES, 30)];
    const result = withDown({ kind: 'star', hosts: 10 }, flows, ['s0', 'h9'], FOREVER_US, {
      switches: { bufferBytes: 6_000_000 },
    });
    expect(result.flows.filter(({ completionPs }) => completionPs === null).map(({ to: host }) => host)).toEqual(
      Array(8).fill('h9'),
    );
    expect(result.totals.drops.linkDown).toBeGreaterThan(500);
    expect(result.totals.packetsInFlight).toBeLessThan(100);
  });
});

describe('When a link goes down and comes up', () => {
  const topology: TopologySpec = { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 4 };

  it('its path is used again as before', () => {
    const flows = shifted(8, 4);
    const result = withDown(topology, flows, ['leaf0', 'spine0'], 40);
    const whole = runScenarioSync({ name: 'up', topology, workload: { kind: 'flows', flows } });
    expect(result.ended).toBe('all-flows-done');
    const used = port(whole, 'leaf0:spine0').txPackets;
    expect(used).toBeGreaterThan(500);
    expect(port(result, 'leaf0:spine0').txPackets).toBeGreaterThan(used / 2);
  });

  it.each<[string, readonly (readonly [number, number])[]]>([
    ['one within the other', [[20, 60], [30, 50]]],
    ['one into the other', [[35, 60], [20, 45]]],
    ['one after the other', [[20, 40], [40, 60]]],
  ])('it is down while any of several faults is active: %s', (_name, times) => {
    const between = ['leaf0', 'spine0'] as const;
    const { flows, totals, ports } = withDown(topology, shifted(8, 4), between, 60);
    const several = withDown(topology, shifted(8, 4), between, 60, {
      faults: times.map(([fromUs, toUs]) => ({ kind: 'link-down', between, fromUs, toUs })),
    });
    expect(totals.drops.linkDown).toBeGreaterThan(0);
    expect(several).toMatchObject({ flows, totals, ports });
  });
});
