import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { requireRoomForRoutes, routeCount } from '../../src/sim/compile/room-for-routes.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const star = { kind: 'star', hosts: 4 };
const flow = { from: 'h0', to: 'h1', sizeBytes: 1000 };
const flows = (...list: object[]) => ({ kind: 'flows', flows: list });
const base = { name: 'test', topology: star, workload: flows(flow) };
const nodes = [{ name: 'a', kind: 'host' }, { name: 'b', kind: 'host' }, { name: 'x', kind: 'switch' }, {
  name: 'y',
  kind: 'switch',
}];
const links = [{ from: 'a', to: 'x' }, { from: 'b', to: 'x' }];
const edges = { kind: 'edges', nodes, links };
const ab = flows({ from: 'a', to: 'b', sizeBytes: 1 });

function refusal(spec: unknown): RoceError {
  try {
    compileScenario(validateScenario(spec));
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error('accepted');
}

describe('a bad scenario is refused by name', () => {
  it.each<[string, object, RegExp]>([
    [
      'no object',
      [] as object,
      /^The scenario must be an object with the keys .*topology.*, but is \[\] \(scenario\)\.$/,
    ],
    [
      'a missing key',
      { name: 'x', workload: base.workload },
      /^Topology must be an object with a kind: .*, but is missing \(topology\)\.$/,
    ],
    [
      'an unknown key',
      { ...base, topolgy: 1 },
      /^Key topolgy is unknown: 1; allowed is .*\"topology\".* \(topolgy\)\.$/,
    ],
    [
      'an unknown key of a flow',
      { ...base, workload: flows({ ...flow, size: 3 }) },
      /^Key size of flow 0 \(h0 to h1\) is unknown: 3; allowed is "from", "to", "sizeBytes".* \(workload.flows\[0\].size\)\.$/,
    ],
    [
      'a bad size',
      { ...base, workload: [flows(flow, { ...flow, sizeBytes: 0.5 })] },
      /^sizeBytes of flow 1 \(h0 to h1\) must be a whole number from 1 to 9,007,199,254,740,991, but is 0.5 \(workload\[0\].flows\[1\].sizeBytes\)\.$/,
    ],
    [
      'an unknown kind of topology',
      { ...base, topology: { kind: 'ring' } },
      /^Kind of topology must be "star", .*, but is "ring" \(topology.kind\)\.$/,
    ],
    [
      'an unknown kind of workload',
      { ...base, workload: [{ kind: 'all' }] },
      /^Kind of workload 0 \(all\) must be "flows", .*, but is "all" \(workload\[0\].kind\)\.$/,
    ],
    [
      'a single workload of an unknown kind',
      { ...base, workload: { kind: 'all' } },
      /^Kind of workload must be "flows", .*, but is "all" \(workload.kind\)\.$/,
    ],
    [
      'a workload that is none',
      { ...base, workload: 3 },
      /^Workload must be an object with a kind, or a list of such, but is 3 \(workload\)\.$/,
    ],
    [
      'an odd k',
      { ...base, topology: { kind: 'fat-tree', k: 5 } },
      /^k of topology must be a multiple of 2 from 2 to 62, but is 5 \(topology.k\)\.$/,
    ],
    [
      'a rate of zero',
      { ...base, topology: { ...star, rateGbps: 0 } },
      /^rateGbps of topology must be 0.001 to 8,000, but is 0 /,
    ],
    [
      'too many nodes',
      { ...base, topology: { kind: 'leaf-spine', leaves: 300, spines: 1, hostsPerLeaf: 300 } },
      /^The number of nodes of a leaf-spine must be at most 65,535, but is 90,301 /,
    ],
    [
      'a host that is not there',
      { ...base, workload: flows({ ...flow, to: 'h9' }) },
      /^The name of a host must be "h0", "h1", "h2" or "h3", but is "h9" \(workload.flows\[0\].to\)\.$/,
    ],
    [
      'a switch as an end',
      { ...base, workload: flows({ ...flow, to: 's0' }) },
      /^The name of a host must be "h0", "h1", "h2" or "h3", but is "s0" /,
    ],
    [
      'a flow to itself',
      { ...base, workload: flows({ ...flow, to: 'h0' }) },
      /^The flow goes from a host to itself: "h0" \(workload.flows\[0\].to\)\.$/,
    ],
    [
      'two starts',
      { ...base, workload: flows({ ...flow, startUs: 1, startPs: 1 }) },
      /^The flow has two starts: startUs is 1 and startPs 1 /,
    ],
    [
      'too many senders',
      { ...base, workload: { kind: 'incast', senders: 4, sizeBytes: 1 } },
      /^Senders must be at most 3, but is 4 \(workload.senders\)\. The network has 4 hosts/,
    ],
    [
      'an algorithm that is not there',
      { ...base, workload: { ...base.workload, algorithm: 'x' } },
      /^The name of an algorithm must be "default", but is "x" \(workload.algorithm\)\.$/,
    ],
    [
      'a preset that is not there',
      { ...base, algorithms: { a: { preset: 'cubic' } } },
      /^The preset of algorithm a must be "dcqcn-sigcomm15", .*, but is "cubic" \(algorithms.a.preset\)\.$/,
    ],
    [
      'a set that is not there',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', set: 'x' } } },
      /^The set of algorithm a must be "dcqcn", "dcqcn_paper".*, but is "x"/,
    ],
    [
      'a set of a preset without',
      { ...base, algorithms: { a: { preset: 'timely-ns3', set: 'x' } } },
      /^The set of algorithm a must be absent, but is "x" \(algorithms.a.set\)\.$/,
    ],
    [
      'a bad parameter',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', parameters: { alphaGain: 2 } } } },
      /^Alpha gain must be 0 or .* to 1, but is 2 \(algorithms.a.parameters.alphaGain\)\.$/,
    ],
    [
      'an unknown parameter',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', parameters: { gain: 2 } } } },
      /^A field of dcqcnNs3 must be one of .*, but is "gain" \(algorithms.a.parameters.gain\)\.$/,
    ],
    [
      'a bad algorithm name',
      { ...base, algorithms: { 'a b': { preset: 'dcqcn-ns3' } } },
      /an object of parameter sets, each by a name/,
    ],
    [
      'thresholds the wrong way round',
      { ...base, switches: { ecn: { kminKB: 500 } } },
      /^Kmin must not exceed Kmax: kminKB is 500 and kmaxKB 400 \(switches.ecn.kminKB\)\.$/,
    ],
    [
      'too little memory',
      { ...base, switches: { bufferBytes: 1000 } },
      /^The memory of switch s0 must be above [\d,]+ and at most [\d,]+ bytes, but is 1,000 .* Its 4 ports set memory aside/,
    ],
    [
      'an override without settings',
      { ...base, overrides: [{ nodes: ['h0'] }] },
      /^The override needs settings of switch or host: .* \(overrides\[0\]\)\.$/,
    ],
    [
      'an override of a host as a switch',
      { ...base, overrides: [{ nodes: ['h0'], switch: { pfc: false } }] },
      /^The name of a switch must be "s0", but is "h0" \(overrides\[0\].nodes\[0\]\)\.$/,
    ],
    [
      'an override of what all share',
      { ...base, overrides: [{ nodes: ['s0'], switch: { fastCnp: { option: 2 } } }] },
      /^fastCnp.option must be the same for all switches: 2 \(overrides\[0\].switch.fastCnp.option\)\. .*switches.fastCnp.option\.$/,
    ],
    [
      'an override of markAt',
      { ...base, overrides: [{ nodes: ['s0'], switch: { ecn: { markAt: 'enqueue' } } }] },
      /^ecn.markAt must be the same for all switches/,
    ],
    [
      'a fault without a link',
      { ...base, faults: [{ kind: 'loss', between: ['h0', 'h1'], share: 0.1 }] },
      /^The fault names two nodes without a link between them: \["h0", "h1"\] \(faults\[0\].between\)\.$/,
    ],
    ['a link that comes up too soon', {
      ...base,
      faults: [{ kind: 'link-down', between: ['h0', 's0'], fromUs: 5, toUs: 5 }],
    }, /^The end of the fault must be above 5 us, but is 5 \(faults\[0\].toUs\)\.$/],
    [
      'a port that is not there',
      { ...base, record: { ports: ['h0:h1'] } },
      /^The name of a port must be "h0:s0", .*, but is "h0:h1" \(record.ports\[0\]\)\.$/,
    ],
    [
      'two nodes of one name',
      { ...base, topology: { ...edges, nodes: [...nodes, nodes[0]] }, workload: ab },
      /^The name of a node is used twice: "a" \(topology.nodes\[4\].name\)\.$/,
    ],
    [
      'a link to nowhere',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'z' }] }, workload: ab },
      /^The name of a node must be .*, but is "z" \(topology.links\[0\].to\)\.$/,
    ],
    [
      'a link to itself',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'a' }] }, workload: ab },
      /^Link 0 goes from a node to itself: "a" /,
    ],
    [
      'a bad link',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'x', delayNs: -1 }] }, workload: ab },
      /^delayNs of link 0 \(a to x\) must be 0 to .*, but is -1 /,
    ],
    ['a route by no neighbour', {
      ...base,
      topology: { ...edges, routes: [{ node: 'x', destination: 'b', via: ['y'] }] },
      workload: ab,
    }, /^The route of x names a neighbour more often than there are links to it: "y"/],
    ['a route to a switch', {
      ...base,
      topology: { ...edges, routes: [{ node: 'x', destination: 'y', via: ['b'] }] },
      workload: ab,
    }, /^The name of a host must be "a" or "b", but is "y" \(topology.routes\[0\].destination\)/],
    ['a flow without a path', {
      ...base,
      topology: { ...edges, links: [{ from: 'a', to: 'x' }, { from: 'b', to: 'y' }] },
      workload: ab,
    }, /^No path leads from a to b: flow is 0 /],
    ['a loop by hand', {
      ...base,
      topology: {
        ...edges,
        links: [...links, { from: 'x', to: 'y' }],
        routes: [{ node: 'x', destination: 'b', via: ['y'] }],
      },
      workload: ab,
    }, /^No path leads from a to b: .*without loops/],
    [
      'a Poisson workload without an end',
      { ...base, workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch' } },
      /^The Poisson workload needs either flows or arrivalsForUs: flows is missing and arrivalsForUs missing/,
    ],
    ['a Poisson workload with two ends', {
      ...base,
      workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 1, arrivalsForUs: 1 },
    }, /needs either flows or arrivalsForUs: flows is 1 and arrivalsForUs 1 /],
    [
      'a load of zero',
      { ...base, workload: { kind: 'poisson', load: 0, sizes: 'WebSearch', flows: 1 } },
      /^Load of workload must be above 0 and at most 1, but is 0 /,
    ],
    [
      'an unknown distribution',
      { ...base, workload: { kind: 'poisson', load: 1, sizes: 'Web', flows: 1 } },
      /^Sizes of workload must be 'WebSearch', 'FB_Hadoop', .*, but is "Web"/,
    ],
    ['a distribution that goes down', {
      ...base,
      workload: {
        kind: 'poisson',
        load: 1,
        sizes: [{ sizeBytes: 5, share: 0.5 }, { sizeBytes: 4, share: 1 }],
        flows: 1,
      },
    }, /^The size must be at least 5, but is 4 \(workload.sizes\[1\].sizeBytes\)/],
    ['a distribution that ends early', {
      ...base,
      workload: { kind: 'poisson', load: 1, sizes: [{ sizeBytes: 5, share: 0.5 }], flows: 1 },
    }, /^The last share must be 1, but is 0.5 /],
    [
      'a ring with empty chunks',
      { ...base, workload: { kind: 'ring-all-reduce', sizeBytes: 3 } },
      /^Size must be at least 4 bytes, but is 3 \(workload.sizeBytes\)/,
    ],
    ['a ring of too many', {
      ...base,
      topology: { kind: 'star', hosts: 3000 },
      workload: { kind: 'ring-all-reduce', sizeBytes: 1e6 },
    }, /^The number of flows of a ring of 3000 hosts must be at most 16,777,216, but is 17,994,000 /],
    ['too many parameter sets', {
      ...base,
      topology: {
        kind: 'edges',
        nodes: [
          { name: 'x', kind: 'switch' },
          ...Array.from({ length: 18 }, (_, i) => ({ name: `h${i}`, kind: 'host' })),
        ],
        links: Array.from({ length: 18 }, (_, i) => ({ from: 'x', to: `h${i}`, rateGbps: i + 1 })),
      },
      workload: flows(...Array.from({ length: 17 }, (_, i) => ({ from: `h${i}`, to: 'h17', sizeBytes: 1 }))),
    }, /^The number of parameter sets must be at most 16, but is 17 .*default at 1 Gb\/s/],
    ['two kinds of telemetry', {
      ...base,
      algorithms: { a: { preset: 'hpcc-sigcomm19' }, b: { preset: 'hpcc-ns3' } },
      workload: flows(flow, { ...flow, algorithm: 'b' }),
    }, /^All algorithms must read the same telemetry: records is \["exact", "int64"\] and intMultiplier \[1, 4\]/],
    ['exact telemetry under reference', {
      ...base,
      fidelity: 'reference',
      algorithms: { a: { preset: 'hpcc-sigcomm19' } },
    }, /^Telemetry under fidelity reference must be "int64", but is "exact"/],
  ])('%s', (_, spec, message) => {
    const error = refusal(spec);
    expect(error.code).toBe('invalid-scenario');
    expect(error.message).toMatch(message);
  });

  it('the table of routes has a limit', () => {
    const hosts = Array.from({ length: 6000 }, (_, i) => ({ name: `h${i}`, kind: 'host' as const }));
    const links = hosts.slice(1).map(({ name }, i) => ({ from: `h${i}`, to: name }));
    expect(refusal({ ...base, topology: { kind: 'edges', nodes: hosts, links } }).message).toMatch(
      /^The size of the table of routes must be at most 33,554,432, but is 35,988,000 .*\(topology\)/,
    );
  });

  it('the largest fat-tree has room for its routes, but not for distances beside them', () => {
    const valid = validateScenario({ ...base, topology: { kind: 'fat-tree', k: 62 } });
    expect(routeCount(valid.network)).toBe(1922 * 4805);
    expect(() => {
      requireRoomForRoutes(valid);
    }).not.toThrow();
    const faults = [{ kind: 'link-down' as const, between: ['edge0', 'agg0'] as const, fromUs: 1, toUs: 2 }];
    expect(refusal({ ...base, topology: { kind: 'fat-tree', k: 62 }, faults }).message).toMatch(
      /^The size of the table of distances.* must be at most 268,435,456, but is 309,379,535 .*\(faults\)/,
    );
  });
});
