import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { requireRoomForRoutes, routeCount } from '../../src/sim/compile/estimates.js';
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

function rejection(spec: unknown): RoceError {
  try {
    compileScenario(validateScenario(spec));
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error('accepted');
}

describe('An invalid scenario is rejected by name', () => {
  it.each<[string, object, RegExp]>([
    [
      'no object',
      [] as object,
      /^scenario must be an object with the keys .*topology.* \(got \[\]\)\.$/,
    ],
    [
      'a missing key',
      { name: 'x', workload: base.workload },
      /^topology is missing; it must be an object with a kind: star, dumbbell, leaf-spine, fat-tree, two-data-centers, edges, file\.$/,
    ],
    [
      'an unknown key',
      { ...base, topolgy: 1 },
      /^topolgy[ :]/,
    ],
    [
      'an unknown key of a flow',
      { ...base, workload: flows({ ...flow, size: 3 }) },
      /^workload\.flows\[0\]\.size is not a known key \(got 3\); allowed: "from", "to", "sizeBytes".*\.$/,
    ],
    [
      'a bad size',
      { ...base, workload: [flows(flow, { ...flow, sizeBytes: 0.5 })] },
      /^workload\[0\]\.flows\[1\]\.sizeBytes must be a whole number between 1 and 9,007,199,254,740,991 \(got 0\.5\)\.$/,
    ],
    [
      'an unknown kind of topology',
      { ...base, topology: { kind: 'ring' } },
      /^topology\.kind must be "star", "dumbbell", "leaf-spine", "fat-tree", "two-data-centers", "edges" or "file" \(got "ring"\)\.$/,
    ],
    [
      'an unknown kind of workload',
      { ...base, workload: [{ kind: 'all' }] },
      /^workload\[0\].kind must be "flows", .* \(got "all"\)\.$/,
    ],
    [
      'a single workload of an unknown kind',
      { ...base, workload: { kind: 'all' } },
      /^workload.kind must be "flows", .* \(got "all"\)\.$/,
    ],
    [
      'a workload that is none',
      { ...base, workload: 3 },
      /^workload must be an object with a kind, or a list of such \(got 3\)\.$/,
    ],
    [
      'an odd k',
      { ...base, topology: { kind: 'fat-tree', k: 5 } },
      /^topology\.k must be a multiple of 2 between 2 and 62 \(got 5\)\.$/,
    ],
    [
      'a rate of zero',
      { ...base, topology: { ...star, rateGbps: 0 } },
      /^topology\.rateGbps must be between 0\.001 and 8,000 \(got 0\)\.$/,
    ],
    [
      'too many nodes',
      { ...base, topology: { kind: 'leaf-spine', leaves: 300, spines: 1, hostsPerLeaf: 300 } },
      /^topology: the number of nodes of a leaf-spine must be at most 65,535 \(got 90,301\)\.$/,
    ],
    [
      'too many links',
      { ...base, topology: { kind: 'leaf-spine', leaves: 20_000, spines: 20_000, hostsPerLeaf: 1 } },
      /^topology\.spines: the number of links between leaves and spines must be at most 1,048,576 \(got 400,000,000\)\.$/,
    ],
    [
      'a host that is not there',
      { ...base, workload: flows({ ...flow, to: 'h9' }) },
      /^workload.flows\[0\].to: the name of a host must be "h0", "h1", "h2" or "h3" \(got "h9"\)\.$/,
    ],
    [
      'a switch as an end',
      { ...base, workload: flows({ ...flow, to: 's0' }) },
      /^workload\.flows\[0\]\.to: the name of a host must be "h0", "h1", "h2" or "h3" \(got "s0"\)\.$/,
    ],
    [
      'a flow to itself',
      { ...base, workload: flows({ ...flow, to: 'h0' }) },
      /^workload.flows\[0\].to[ :]/,
    ],
    [
      'two starts',
      { ...base, workload: flows({ ...flow, startUs: 1, startPs: 1 }) },
      /^workload\.flows\[0\]\.startPs: the flow has two starts \(startUs is 1 and startPs 1\)\.$/,
    ],
    [
      'too many senders',
      { ...base, workload: { kind: 'incast', senders: 4, sizeBytes: 1 } },
      /^workload\.senders must be at most 3 \(got 4\)\. The network has 4 hosts, one of which receives\.$/,
    ],
    [
      'an algorithm that is not there',
      { ...base, workload: { ...base.workload, algorithm: 'x' } },
      /^workload.algorithm: the name of an algorithm must be "default" \(got "x"\)\.$/,
    ],
    [
      'a preset that is not there',
      { ...base, algorithms: { a: { preset: 'cubic' } } },
      /^algorithms.a.preset: the preset of algorithm a must be "dcqcn-sigcomm15", .* \(got "cubic"\)\.$/,
    ],
    [
      'a set that is not there',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', set: 'x' } } },
      /^algorithms\.a\.set: the set of algorithm a must be "dcqcn", "dcqcn_paper", "config\.txt" or "attribute-defaults" \(got "x"\)\.$/,
    ],
    [
      'a set of a preset without',
      { ...base, algorithms: { a: { preset: 'timely-ns3', set: 'x' } } },
      /^algorithms.a.set: the set of algorithm a must be absent \(got "x"\)\.$/,
    ],
    [
      'a bad parameter',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', parameters: { alphaGain: 2 } } } },
      /^algorithms\.a\.parameters\.alphaGain must be 0 or between 0\.000244140625 and 1 \(got 2\)\.$/,
    ],
    [
      'an unknown parameter',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', parameters: { gain: 2 } } } },
      /^algorithms.a.parameters.gain: a field of dcqcnNs3 must be one of .* \(got "gain"\)\.$/,
    ],
    [
      'a bad algorithm name',
      { ...base, algorithms: { 'a b': { preset: 'dcqcn-ns3' } } },
      /an object of parameter sets, each by a name/,
    ],
    [
      'thresholds the wrong way round',
      { ...base, switches: { ecn: { kminKB: 500 } } },
      /^switches.ecn.kminKB[ :]/,
    ],
    [
      'too little memory',
      { ...base, switches: { bufferBytes: 1000 } },
      /the memory of switch s0 must be above [\d,]+ and at most [\d,]+ bytes \(got 1,000\)\. Its 4 ports set memory aside/,
    ],
    [
      'an override without settings',
      { ...base, overrides: [{ nodes: ['h0'] }] },
      /^overrides\[0\][ :]/,
    ],
    [
      'an override of a host as a switch',
      { ...base, overrides: [{ nodes: ['h0'], switch: { pfc: false } }] },
      /^overrides\[0\].nodes\[0\]: the name of a switch must be "s0" \(got "h0"\)\.$/,
    ],
    [
      'an override of what all share',
      { ...base, overrides: [{ nodes: ['s0'], switch: { fastCnp: { option: 2 } } }] },
      /^overrides\[0\].switch.fastCnp.option[ :]/,
    ],
    [
      'an override of markAt',
      { ...base, overrides: [{ nodes: ['s0'], switch: { ecn: { markAt: 'enqueue' } } }] },
      /ecn.markAt must be the same for all switches/,
    ],
    [
      'a fault without a link',
      { ...base, faults: [{ kind: 'loss', between: ['h0', 'h1'], share: 0.1 }] },
      /^faults\[0\].between[ :]/,
    ],
    ['a link that comes up too soon', {
      ...base,
      faults: [{ kind: 'link-down', between: ['h0', 's0'], fromUs: 5, toUs: 5 }],
    }, /^faults\[0\].toUs: the end of the fault must be above 5 us \(got 5\)\.$/],
    [
      'a port that is not there',
      { ...base, record: { ports: ['h0:h1'] } },
      /^record.ports\[0\]: the name of a port must be "h0:s0", .* \(got "h0:h1"\)\.$/,
    ],
    [
      'two nodes of one name',
      { ...base, topology: { ...edges, nodes: [...nodes, nodes[0]] }, workload: ab },
      /^topology.nodes\[4\].name[ :]/,
    ],
    [
      'a link to nowhere',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'z' }] }, workload: ab },
      /^topology.links\[0\].to: the name of a node must be .* \(got "z"\)\.$/,
    ],
    [
      'a link to itself',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'a' }] }, workload: ab },
      /^topology\.links\[0\]\.to: link 0 goes from a node to itself \(got "a"\)\.$/,
    ],
    [
      'a bad link',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'x', delayNs: -1 }] }, workload: ab },
      /^topology\.links\[0\]\.delayNs must be between 0 and 1,000,000,000,000 \(got -1\)\.$/,
    ],
    [
      'a route by no neighbour',
      {
        ...base,
        topology: { ...edges, routes: [{ node: 'x', destination: 'b', via: ['y'] }] },
        workload: ab,
      },
      /^topology\.routes\[0\]\.via\[0\]: the route of x names a neighbour more often than there are links to it \(got "y"\)\.$/,
    ],
    ['a route to a switch', {
      ...base,
      topology: { ...edges, routes: [{ node: 'x', destination: 'y', via: ['b'] }] },
      workload: ab,
    }, /^topology.routes\[0\].destination: the name of a host must be "a" or "b" \(got "y"\)/],
    ['a flow without a path', {
      ...base,
      topology: { ...edges, links: [{ from: 'a', to: 'x' }, { from: 'b', to: 'y' }] },
      workload: ab,
    }, /^workload: no path leads from a to b \(flow is 0\)\. Links and switches must connect them, without loops\.$/],
    ['a loop by hand', {
      ...base,
      topology: {
        ...edges,
        links: [...links, { from: 'x', to: 'y' }],
        routes: [{ node: 'x', destination: 'b', via: ['y'] }],
      },
      workload: ab,
    }, /^workload: no path leads from a to b \(flow is 0\)\. Links and switches must connect them, without loops\.$/],
    [
      'a Poisson workload without an end',
      { ...base, workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch' } },
      /^workload\.flows: the Poisson workload needs either flows or arrivalsForUs \(flows is missing and arrivalsForUs missing\)\.$/,
    ],
    [
      'a Poisson workload with two ends',
      {
        ...base,
        workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 1, arrivalsForUs: 1 },
      },
      /^workload\.flows: the Poisson workload needs either flows or arrivalsForUs \(flows is 1 and arrivalsForUs 1\)\.$/,
    ],
    [
      'a load of zero',
      { ...base, workload: { kind: 'poisson', load: 0, sizes: 'WebSearch', flows: 1 } },
      /^workload\.load must be above 0 and at most 1 \(got 0\)\.$/,
    ],
    [
      'an unknown distribution',
      { ...base, workload: { kind: 'poisson', load: 1, sizes: 'Web', flows: 1 } },
      /^workload\.sizes must be 'WebSearch', 'FB_Hadoop', 'AliStorage', 'Solar', 'GoogleRPC', 'FB_Hadoop-roce-cc', 'AliStorage-roce-cc', a list of \{ sizeBytes, share \} or \{ file \} \(got "Web"\)\.$/,
    ],
    ['a distribution that goes down', {
      ...base,
      workload: {
        kind: 'poisson',
        load: 1,
        sizes: [{ sizeBytes: 5, share: 0.5 }, { sizeBytes: 4, share: 1 }],
        flows: 1,
      },
    }, /^workload.sizes\[1\].sizeBytes: the size must be at least 5 \(got 4\)/],
    [
      'a distribution that ends early',
      {
        ...base,
        workload: { kind: 'poisson', load: 1, sizes: [{ sizeBytes: 5, share: 0.5 }], flows: 1 },
      },
      /^workload\.sizes\[0\]\.share: the last share must be 1 \(got 0\.5\)\. Points of a distribution ascend, to a share of 1\.$/,
    ],
    [
      'a ring with empty chunks',
      { ...base, workload: { kind: 'ring-all-reduce', sizeBytes: 3 } },
      /^workload\.sizeBytes must be at least 4 bytes \(got 3\)\. Each host sends at least one byte in each step\.$/,
    ],
    [
      'a ring of too many',
      {
        ...base,
        topology: { kind: 'star', hosts: 3000 },
        workload: { kind: 'ring-all-reduce', sizeBytes: 1e6 },
      },
      /^workload\.hosts: the number of flows of a ring of 3000 hosts must be at most 16,777,216 \(got 17,994,000\)\.$/,
    ],
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
    }, /^algorithms: the number of parameter sets must be at most 16 \(got 17\)\. .*default at 1 Gb\/s/],
    [
      'two kinds of telemetry',
      {
        ...base,
        algorithms: { a: { preset: 'hpcc-sigcomm19' }, b: { preset: 'hpcc-ns3' } },
        workload: flows(flow, { ...flow, algorithm: 'b' }),
      },
      /^algorithms: all algorithms must read the same telemetry \(records is \["exact", "int64"\] and intMultiplier \[1, 4\]\)\.$/,
    ],
    [
      'exact telemetry under reference',
      {
        ...base,
        fidelity: 'reference',
        algorithms: { a: { preset: 'hpcc-sigcomm19' } },
      },
      /^algorithms: telemetry under fidelity reference must be "int64" \(got "exact"\)\. Presets such as hpcc-ns3 read it\.$/,
    ],
  ])('%s', (_, spec, message) => {
    const error = rejection(spec);
    expect(error.code).toBe('invalid-scenario');
    expect(error.message).toMatch(message);
  });

  it('the route table is too large', () => {
    const hosts = Array.from({ length: 6000 }, (_, i) => ({ name: `h${i}`, kind: 'host' as const }));
    const links = hosts.slice(1).map(({ name }, i) => ({ from: `h${i}`, to: name }));
    expect(rejection({ ...base, topology: { kind: 'edges', nodes: hosts, links } }).message).toMatch(
      /^topology: the size of the table of routes must be at most 33,554,432 \(got 35,988,000\)/,
    );
  });

  it('the distances of the largest fat-tree whose routes fit do not fit', () => {
    const valid = validateScenario({ ...base, topology: { kind: 'fat-tree', k: 62 } });
    expect(routeCount(valid.network)).toBe(1922 * 4805);
    expect(() => {
      requireRoomForRoutes(valid);
    }).not.toThrow();
    const faults = [{ kind: 'link-down' as const, between: ['edge0', 'agg0'] as const, fromUs: 1, toUs: 2 }];
    expect(rejection({ ...base, topology: { kind: 'fat-tree', k: 62 }, faults }).message).toMatch(
      /^faults: the size of the table of distances.* must be at most 268,435,456 \(got 309,379,535\)/,
    );
  });
});
