/** Load balancing under `standard`: each rule on several equal paths, in closed form where possible. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { EdgesSpec, FlowSpec, LoadBalancing, ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { gbps, us } from '../../src/units.js';

const MTU = 1024;
const DATA_BYTES = MTU + 82;
const ACK_BYTES = 86;
const WIRE_BYTES = 20;
const SPINES = 4;

const RULES = ['random', 'round-robin', 'flowlet', 'drill', 'conga', 'least-queue'] as const;

/** Picoseconds of a frame on the wire. */
const tx = (lenBytes: number, rateBps: number): number => Math.ceil(((lenBytes + WIRE_BYTES) * 8e12) / rateBps);

const flow = (packets: number, startUs = 0): FlowSpec => ({ from: 'h0', to: 'h1', sizeBytes: packets * MTU, startUs });

/** Two leaves with one host each; the default rate of a host is the sum of the uplinks. */
function twoLeaves(flows: readonly FlowSpec[], switches: SwitchSpec, rest: Partial<ScenarioSpec> = {},
  rateGbps = 400): ScenarioSpec {
  return {
    name: 'paths',
    topology: { kind: 'leaf-spine', leaves: 2, spines: SPINES, hostsPerLeaf: 1, rateGbps, uplink: { rateGbps: 100 } },
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows },
    switches: { ecn: { enabled: false }, ...switches },
    ...rest,
  };
}

/** The second spine's link to the second leaf is slower than the others. */
function slowPath(slowGbps: number): EdgesSpec {
  const names = ['h0', 'h1', 'leaf0', 'leaf1', 'spine0', 'spine1'];
  const links = [['h0', 'leaf0'], ['h1', 'leaf1'], ['leaf0', 'spine0'], ['spine0', 'leaf1'], ['leaf0', 'spine1']];
  return {
    kind: 'edges',
    nodes: names.map((name) => ({ name, kind: name.startsWith('h') ? 'host' : 'switch' })),
    links: [
      ...links.map(([from, to]) => ({ from: from!, to: to! })),
      { from: 'spine1', to: 'leaf1', rateGbps: slowGbps },
    ],
  };
}

const portNamed = ({ ports }: SimResult, name: string) => ports.find((port) => port.name === name)!;

/** Packets by uplink of the first leaf. */
const shares = (result: SimResult): number[] =>
  result.ports.filter(({ node, peer }) => node === 'leaf0' && peer.startsWith('spine')).map(({ txPackets }) =>
    txPackets
  );

const sharesOf = (loadBalancing: LoadBalancing, packets: number, more: SwitchSpec = {}): number[] =>
  shares(runScenarioSync(twoLeaves([flow(packets)], { loadBalancing, ...more }, {}, 100)));

describe('Round-robin over n idle paths', () => {
  const host = gbps(400);
  const uplink = gbps(100);

  it('uses the sum of their rates: m packets take m - 1 more serialisations at the host, to the picosecond', () => {
    const there = 2 * tx(DATA_BYTES, host) + 2 * tx(DATA_BYTES, uplink);
    const back = 2 * tx(ACK_BYTES, host) + 2 * tx(ACK_BYTES, uplink);
    for (const packets of [1, 4, 1000]) {
      const result = runScenarioSync(twoLeaves([flow(packets)], { loadBalancing: 'round-robin' }));
      expect(result.flows[0]!.completionPs).toBe((packets - 1) * tx(DATA_BYTES, host) + there + back + 8 * us(1));
      expect(result.totals).toMatchObject({ naks: 0, retransmittedPackets: 0 });
    }
  });

  it('sends the same number of packets over each path', () => {
    expect(shares(runScenarioSync(twoLeaves([flow(1000)], { loadBalancing: 'round-robin' })))).toEqual([
      250,
      250,
      250,
      250,
    ]);
  });

  it('takes a fourth of the time that the hash takes over one path', () => {
    const result = runScenarioSync(twoLeaves([flow(1000)], { loadBalancing: 'ecmp' }));
    const there = 2 * tx(DATA_BYTES, host) + 2 * tx(DATA_BYTES, uplink);
    const back = 2 * tx(ACK_BYTES, host) + 2 * tx(ACK_BYTES, uplink);
    expect(result.flows[0]!.completionPs).toBe(999 * tx(DATA_BYTES, uplink) + there + back + 8 * us(1));
    expect(shares(result).sort((a, b) => a - b)).toEqual([0, 0, 0, 1000]);
  });
});

describe('Equivalent rules', () => {
  it('make least-queue round-robin while no packets are queued', () => {
    expect(sharesOf('least-queue', 400)).toEqual([100, 100, 100, 100]);
  });

  it('make flowlets with a gap of 0 random, and keep a flow on its path with a long gap', () => {
    const random = sharesOf('random', 400);
    expect(Math.min(...random)).toBeGreaterThan(60);
    expect(new Set(random).size).toBeGreaterThan(1);
    expect(sharesOf('flowlet', 400, { flowletGapUs: 0 })).toEqual(random);
    expect(sharesOf('flowlet', 400, { flowletGapUs: 1000 }).filter((packets) => packets > 0)).toEqual([400]);
  });

  it('make DRILL(1, 0) random', () => {
    expect(sharesOf('drill', 400, { drill: { samples: 1, memory: 0 } })).toEqual(sharesOf('random', 400));
  });
});

describe('A path that is slower after the first switch', () => {
  const run = (loadBalancing: LoadBalancing, more: SwitchSpec = {}, flows = [flow(1000)]): SimResult =>
    runScenarioSync({
      ...twoLeaves(flows, { pfc: false, loadBalancing, ...more }),
      topology: slowPath(10),
      durationUs: 20_000,
    });

  it('gets less traffic under CONGA than under random', () => {
    const slowShare = (loadBalancing: LoadBalancing): number => {
      const [fast, slow] = shares(
        run(loadBalancing, { flowletGapUs: 0, pfc: true, conga: { tauUs: 20 } }, [flow(3000)]),
      );
      return slow! / (fast! + slow!);
    };
    expect(slowShare('random')).toBeGreaterThan(0.45);
    expect(slowShare('conga')).toBeLessThan(0.3);
  });

  it('is tried again once its CONGA metric has aged', () => {
    // Long after the first flow, single packets of separate flows.
    const later = Array.from({ length: 40 }, (_, i) => flow(1, 2000 + 20 * i));
    const switches = { flowletGapUs: 0, conga: { tauUs: 20 } };
    const before = shares(run('conga', switches, [flow(300)]))[1]!;
    const kept = shares(run('conga', switches, [flow(300), ...later]))[1]! - before;
    const aged = shares(run('conga', { ...switches, conga: { tauUs: 20, ageingUs: 500 } }, [flow(300), ...later]))[1]! -
      before;
    expect(kept).toBeLessThan(3);
    expect(aged).toBeGreaterThan(10);
  });
});

describe('A slower first link', () => {
  const slowFirst = (): EdgesSpec => {
    const { nodes, links, ...rest } = slowPath(100);
    return {
      ...rest,
      nodes,
      links: links.map((link) => (link.from === 'leaf0' && link.to === 'spine1' ? { ...link, rateGbps: 10 } : link)),
    };
  };
  const queue = (switches: SwitchSpec): number => {
    const spec = twoLeaves([flow(500)], { pfc: false, ...switches });
    const result = runScenarioSync({ ...spec, topology: slowFirst(), durationUs: 20_000 });
    return portNamed(result, 'leaf0:spine1').maxQueueBytes;
  };

  it('has at most one packet queued under least-queue, and hundreds under round-robin', () => {
    expect(queue({ loadBalancing: 'least-queue' })).toBeLessThanOrEqual(DATA_BYTES);
    expect(queue({ loadBalancing: 'round-robin' })).toBeGreaterThan(100 * DATA_BYTES);
  });

  it('has a shorter queue under DRILL(1, 1), which remembers the last best port, than under DRILL(1, 0)', () => {
    expect(queue({ loadBalancing: 'drill', drill: { samples: 1, memory: 1 } })).toBeLessThanOrEqual(DATA_BYTES);
    expect(queue({ loadBalancing: 'drill', drill: { samples: 1, memory: 0 } })).toBeGreaterThan(100 * DATA_BYTES);
  });
});

describe.each(RULES)('%s', (loadBalancing) => {
  const isDown = (between: [string, string]): SimResult =>
    runScenarioSync(twoLeaves([flow(200), { ...flow(200), from: 'h1', to: 'h0' }], { loadBalancing, flowletGapUs: 0 }, {
      faults: [{ kind: 'link-down', between, fromUs: 0, toUs: 100_000 }],
      durationUs: 20_000,
    }));

  it.each([['leaf0', 'spine0'], ['spine0', 'leaf1']] as [string, string][])(
    'never uses a path over the link %s to %s while it is down',
    (...between) => {
      const result = isDown(between);
      expect(result.ended).toBe('all-flows-done');
      expect(portNamed(result, 'leaf0:spine0').txPackets + portNamed(result, 'spine0:leaf1').txPackets).toBe(0);
      expect(result.totals.packetsDropped).toBe(0);
    },
  );

  it('is reproducible, and a random rule differs with the seed', () => {
    const run = (seed: number) =>
      runScenarioSync(twoLeaves([flow(300)], { loadBalancing, flowletGapUs: 0 }, { seed }, 100));
    expect(run(1).hash).toBe(run(1).hash);
    const draws = !['round-robin', 'least-queue'].includes(loadBalancing);
    const same = JSON.stringify(run(1).ports) === JSON.stringify(run(2).ports);
    if (loadBalancing !== 'conga') expect(same).toBe(!draws);
  });
});

describe('Switches with overrides', () => {
  it('have separate rules', () => {
    const spec: ScenarioSpec = {
      ...twoLeaves([flow(400), { ...flow(400), from: 'h1', to: 'h0' }], {}, {}, 100),
      overrides: [{ nodes: ['leaf0'], switch: { loadBalancing: 'round-robin' } }],
    };
    const result = runScenarioSync(spec);
    const data = (leaf: string) =>
      result.ports.filter(({ node, peer }) => node === leaf && peer.startsWith('spine'))
        .map(({ txPackets }) => txPackets).filter((packets) => packets > 0).length;
    expect([data('leaf0'), data('leaf1')]).toEqual([SPINES, expect.any(Number)]);
    // Data of the other leaf has one path, and its responses at most one more.
    expect(data('leaf1')).toBeLessThanOrEqual(2);
  });
});

describe('Invalid load balancing is rejected', () => {
  const compile = (spec: unknown) => () => compileScenario(validateScenario(spec));
  const base = twoLeaves([flow(1)], {});

  it.each([
    [{ kind: 'fat-tree', k: 4 }, 'needs a leaf-spine network'],
    [{ kind: 'dumbbell', left: 2, right: 2 }, 'needs a leaf-spine network'],
  ])('CONGA in %o', (topology, message) => {
    expect(compile({ ...base, topology, switches: { loadBalancing: 'conga' } })).toThrow(message);
  });

  it.each([
    [{ switches: { loadBalancing: 'letflow' } }, 'switches.loadBalancing under fidelity standard'],
    [{ switches: { loadBalancing: 'random' }, fidelity: 'reference-lossy' }, 'under fidelity reference-lossy'],
    [{ switches: { loadBalancing: 'ecmp' }, fidelity: 'reference' }, 'fidelities standard and reference-lossy'],
    [{ switches: { flowletGapUs: 1 }, fidelity: 'reference' }, 'is a setting of fidelity standard'],
    [{ hosts: { onFastCnp: 'slow-down' }, fidelity: 'reference-lossy' }, 'is a setting of fidelity standard'],
    [{ overrides: [{ nodes: ['spine0'], switch: { loadBalancing: 'conga' } }] }, 'the same for all switches'],
    [
      { switches: { loadBalancing: 'conga' }, overrides: [{ nodes: ['leaf0'], switch: { loadBalancing: 'drill' } }] },
      'the same for all switches',
    ],
    [{ overrides: [{ nodes: ['leaf0'], switch: { drill: { samples: 3 } } }] }, 'the same for all switches'],
    [{ switches: { drill: { samples: 0 } } }, 'samples'],
    [{ switches: { loadBalancing: 'shortest' } }, 'loadBalancing'],
  ])('%o', (change, message) => {
    expect(compile({ ...base, ...change })).toThrow(message);
  });

  it('manual routes that form cycles, although no hash selects one', () => {
    const { nodes, links } = slowPath(100);
    const routes = [
      { node: 'spine0', destination: 'h1', via: ['leaf1', 'leaf0'] },
      { node: 'spine1', destination: 'h1', via: ['leaf1', 'leaf0'] },
    ];
    const topology: EdgesSpec = { kind: 'edges', nodes, links, routes };
    const found = Array.from({ length: 20 }, (_, port) => ({ ...flow(1), sourcePort: 10_000 + port })).find((one) => {
      try {
        compile({ ...base, topology, workload: { kind: 'flows', flows: [one] } })();
        return true;
      } catch {
        return false;
      }
    })!;
    const spec = { ...base, topology, workload: { kind: 'flows', flows: [found] } };
    expect(compile({ ...spec, switches: { loadBalancing: 'random' } })).toThrow('in cycles');
  });
});

describe('Notes', () => {
  const notes = (change: Partial<ScenarioSpec>): readonly string[] =>
    compileScenario(validateScenario({ ...twoLeaves([flow(1)], {}), ...change })).notes;

  it.each<[Partial<ScenarioSpec>, string]>([
    [
      { topology: { kind: 'star', hosts: 2 }, switches: { loadBalancing: 'conga' } },
      'no switch has several equal paths',
    ],
    [{ switches: { loadBalancing: 'drill', flowletGapUs: 3 } }, 'switches.flowletGapUs is without effect'],
    [{ switches: { loadBalancing: 'random', drill: { samples: 2 } } }, 'switches.drill is without effect'],
    [{ switches: { loadBalancing: 'random', conga: { tauUs: 2 } } }, 'switches.conga is without effect'],
    [{ hosts: { onFastCnp: 'slow-down-and-detour' } }, 'no switch sends Fast CNPs'],
    [{
      algorithms: { only: { preset: 'timely-sigcomm15' } },
      hosts: { onFastCnp: 'slow-down-and-detour' },
      switches: { fastCnp: { enabled: true } },
    }, 'no algorithm in use reacts to them'],
  ])('%o', (change, note) => {
    expect(notes(change).join('\n')).toContain(note);
  });

  it('there are none if all settings have an effect', () => {
    expect(notes({ switches: { loadBalancing: 'flowlet', flowletGapUs: 3 } })).toEqual([]);
  });
});
