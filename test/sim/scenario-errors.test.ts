import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
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
    ['no object', [] as object, /^bad scenario: got \[\], allowed an object with the keys .*topology.* \(scenario\)$/],
    ['a missing key', { name: 'x', workload: base.workload }, /^missing topology: .*allowed .* \(topology\)$/],
    [
      'an unknown key',
      { ...base, topolgy: 1 },
      /^unknown key topolgy: got 1, allowed only the keys .*topology.* \(topolgy\)$/,
    ],
    [
      'an unknown key of a flow',
      { ...base, workload: flows({ ...flow, size: 3 }) },
      /^unknown key size of flow 0 \(h0 to h1\): got 3, allowed only the keys from, to, sizeBytes.* \(workload.flows\[0\].size\)$/,
    ],
    [
      'a bad size',
      { ...base, workload: [flows(flow, { ...flow, sizeBytes: 0.5 })] },
      /^bad sizeBytes of flow 1 \(h0 to h1\): got 0.5, allowed a whole number from 1 to 9007199254740991 \(workload\[0\].flows\[1\].sizeBytes\)$/,
    ],
    [
      'an unknown kind of topology',
      { ...base, topology: { kind: 'ring' } },
      /^bad kind of topology: got "ring", allowed one of star, .* \(topology.kind\)$/,
    ],
    [
      'an unknown kind of workload',
      { ...base, workload: [{ kind: 'all' }] },
      /^bad kind of workload 0 \(all\): got "all", allowed one of flows, .* \(workload\[0\].kind\)$/,
    ],
    [
      'a single workload of an unknown kind',
      { ...base, workload: { kind: 'all' } },
      /^bad kind of workload: got "all", allowed one of flows, .* \(workload.kind\)$/,
    ],
    [
      'a workload that is none',
      { ...base, workload: 3 },
      /^bad workload: got 3, allowed a workload, or a list of them \(workload\)$/,
    ],
    [
      'an odd k',
      { ...base, topology: { kind: 'fat-tree', k: 5 } },
      /^bad k of topology: got 5, allowed an even number from 2 to 62 \(topology.k\)$/,
    ],
    [
      'a rate of zero',
      { ...base, topology: { ...star, rateGbps: 0 } },
      /^bad rateGbps of topology: got 0, allowed a number from 0.001 to 8000/,
    ],
    [
      'too many nodes',
      { ...base, topology: { kind: 'leaf-spine', leaves: 300, spines: 1, hostsPerLeaf: 300 } },
      /^a leaf-spine of this size has too many nodes: got 90301, allowed at most 65536/,
    ],
    [
      'a host that is not there',
      { ...base, workload: flows({ ...flow, to: 'h9' }) },
      /^there is no node h9: got "h9", allowed names of nodes: h0, h1, h2, h3, s0 \(workload.flows\[0\].to\)$/,
    ],
    [
      'a switch as an end',
      { ...base, workload: flows({ ...flow, to: 's0' }) },
      /^s0 is a switch: got "s0", allowed names of hosts: h0, h1, h2, h3/,
    ],
    ['a flow to itself', { ...base, workload: flows({ ...flow, to: 'h0' }) }, /^a flow goes from h0 to itself/],
    [
      'two starts',
      { ...base, workload: flows({ ...flow, startUs: 1, startPs: 1 }) },
      /^a flow has two starts: got 1, allowed startUs or startPs, not both/,
    ],
    [
      'too many senders',
      { ...base, workload: { kind: 'incast', senders: 4, sizeBytes: 1 } },
      /^an incast has more senders .* got 4, allowed at most 3: .*\(workload.senders\)$/,
    ],
    [
      'an algorithm that is not there',
      { ...base, workload: { ...base.workload, algorithm: 'x' } },
      /^there is no algorithm x: got "x", allowed names of algorithms: default \(workload.algorithm\)$/,
    ],
    [
      'a preset that is not there',
      { ...base, algorithms: { a: { preset: 'cubic' } } },
      /^algorithm a has an unknown preset: got "cubic", allowed dcqcn-sigcomm15, .* \(algorithms.a.preset\)$/,
    ],
    [
      'a set that is not there',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', set: 'x' } } },
      /^algorithm a has an unknown set: got "x", allowed dcqcn, dcqcn_paper/,
    ],
    [
      'a set of a preset without',
      { ...base, algorithms: { a: { preset: 'timely-ns3', set: 'x' } } },
      /allowed no set: timely-ns3 has one only \(algorithms.a.set\)$/,
    ],
    [
      'a bad parameter',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', parameters: { alphaGain: 2 } } } },
      /^Alpha gain must be 0 or .* to 1, but is 2 \(algorithms.a.parameters.alphaGain\)\.$/,
    ],
    [
      'an unknown parameter',
      { ...base, algorithms: { a: { preset: 'dcqcn-ns3', parameters: { gain: 2 } } } },
      /^a field of dcqcnNs3 must be one of .*, but is "gain" \(algorithms.a.parameters.gain\)\.$/,
    ],
    [
      'a bad algorithm name',
      { ...base, algorithms: { 'a b': { preset: 'dcqcn-ns3' } } },
      /an object of parameter sets, each by a name/,
    ],
    [
      'thresholds the wrong way round',
      { ...base, switches: { ecn: { kminKB: 500 } } },
      /^ECN thresholds stand the wrong way round: got 500, allowed kminKB up to kmaxKB, 400 \(switches.ecn.kminKB\)$/,
    ],
    [
      'too little memory',
      { ...base, switches: { bufferBytes: 1000 } },
      /^switch s0 has no memory to share: got 1000, allowed above \d+: its 4 ports set that much aside/,
    ],
    [
      'an override without settings',
      { ...base, overrides: [{ nodes: ['h0'] }] },
      /^an override without settings: .* \(overrides\[0\]\)$/,
    ],
    [
      'an override of a host as a switch',
      { ...base, overrides: [{ nodes: ['h0'], switch: { pfc: false } }] },
      /^h0 is a host and has no settings of a switch/,
    ],
    [
      'an override of what all share',
      { ...base, overrides: [{ nodes: ['s0'], switch: { fastCnp: { option: 2 } } }] },
      /^option differs between switches: got 2, allowed one for all, as switches.fastCnp.option \(overrides\[0\].switch.fastCnp.option\)$/,
    ],
    [
      'an override of markAt',
      { ...base, overrides: [{ nodes: ['s0'], switch: { ecn: { markAt: 'enqueue' } } }] },
      /^markAt differs between switches/,
    ],
    [
      'a fault without a link',
      { ...base, faults: [{ kind: 'loss', between: ['h0', 'h1'], share: 0.1 }] },
      /^no link between h0 and h1: .* \(faults\[0\].between\)$/,
    ],
    ['a link that comes up too soon', {
      ...base,
      faults: [{ kind: 'link-down', between: ['h0', 's0'], fromUs: 5, toUs: 5 }],
    }, /^the link between h0 and s0 comes up before it goes down: got 5, allowed above fromUs, 5/],
    [
      'a port that is not there',
      { ...base, record: { ports: ['h0:h1'] } },
      /^there is no port h0:h1: got "h0:h1", allowed node:peer, .* \(record.ports\[0\]\)$/,
    ],
    [
      'two nodes of one name',
      { ...base, topology: { ...edges, nodes: [...nodes, nodes[0]] }, workload: ab },
      /^two nodes are named a: .* \(topology.nodes\[4\].name\)$/,
    ],
    [
      'a link to nowhere',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'z' }] }, workload: ab },
      /^there is no node z: .* \(topology.links\[0\].to\)$/,
    ],
    [
      'a link to itself',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'a' }] }, workload: ab },
      /^link 0 goes from a to itself/,
    ],
    [
      'a bad link',
      { ...base, topology: { ...edges, links: [{ from: 'a', to: 'x', delayNs: -1 }] }, workload: ab },
      /^bad delayNs of link 0 \(a to x\): got -1, allowed a number from 0 to/,
    ],
    ['a route by no neighbour', {
      ...base,
      topology: { ...edges, routes: [{ node: 'x', destination: 'b', via: ['y'] }] },
      workload: ab,
    }, /^the route of x to b has no link to y/],
    ['a route to a switch', {
      ...base,
      topology: { ...edges, routes: [{ node: 'x', destination: 'y', via: ['b'] }] },
      workload: ab,
    }, /^the route of x goes to a switch/],
    ['a flow without a way', {
      ...base,
      topology: { ...edges, links: [{ from: 'a', to: 'x' }, { from: 'b', to: 'y' }] },
      workload: ab,
    }, /^flow 0 has no path from a to b/],
    ['a loop by hand', {
      ...base,
      topology: {
        ...edges,
        links: [...links, { from: 'x', to: 'y' }],
        routes: [{ node: 'x', destination: 'b', via: ['y'] }],
      },
      workload: ab,
    }, /^flow 0 has no path from a to b: .*without loops/],
    [
      'a Poisson workload without an end',
      { ...base, workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch' } },
      /got "neither", allowed flows or arrivalsForUs/,
    ],
    ['a Poisson workload with two ends', {
      ...base,
      workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 1, arrivalsForUs: 1 },
    }, /got "both", allowed flows or arrivalsForUs/],
    [
      'a load of zero',
      { ...base, workload: { kind: 'poisson', load: 0, sizes: 'WebSearch', flows: 1 } },
      /^bad load of workload: got 0, allowed a number above 0, up to 1/,
    ],
    [
      'an unknown distribution',
      { ...base, workload: { kind: 'poisson', load: 1, sizes: 'Web', flows: 1 } },
      /^bad sizes of workload: got "Web", allowed 'WebSearch', 'FB_Hadoop'/,
    ],
    ['a distribution that goes down', {
      ...base,
      workload: {
        kind: 'poisson',
        load: 1,
        sizes: [{ sizeBytes: 5, share: 0.5 }, { sizeBytes: 4, share: 1 }],
        flows: 1,
      },
    }, /^sizes of a distribution go down: got 4, allowed at least 5/],
    ['a distribution that ends early', {
      ...base,
      workload: { kind: 'poisson', load: 1, sizes: [{ sizeBytes: 5, share: 0.5 }], flows: 1 },
    }, /^a distribution does not end at 1: got 0.5/],
    [
      'a ring with empty chunks',
      { ...base, workload: { kind: 'ring-all-reduce', sizeBytes: 3 } },
      /^a ring all-reduce has chunks without a byte/,
    ],
    ['a ring of too many', {
      ...base,
      topology: { kind: 'star', hosts: 1000 },
      workload: { kind: 'ring-all-reduce', sizeBytes: 1e6 },
    }, /^a ring of 1000 hosts has too many flows: got 1998000, allowed at most 1048576/],
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
    }, /^too many parameter sets: got "default at 1 Gb\/s, .*, allowed at most 16/],
    ['two kinds of telemetry', {
      ...base,
      algorithms: { a: { preset: 'hpcc-sigcomm19' }, b: { preset: 'hpcc-ns3' } },
      workload: flows(flow, { ...flow, algorithm: 'b' }),
    }, /^algorithms read different telemetry: got "exact with multiplier 1, and int64 with 4"/],
    ['exact telemetry under reference', {
      ...base,
      fidelity: 'reference',
      algorithms: { a: { preset: 'hpcc-sigcomm19' } },
    }, /^an algorithm reads exact telemetry/],
  ])('%s', (_, spec, message) => {
    const error = refusal(spec);
    expect(error.code).toBe('invalid-scenario');
    expect(error.message).toMatch(message);
  });

  it('the table of routes has a limit', () => {
    expect(refusal({ ...base, topology: { kind: 'fat-tree', k: 62 } }).message).toMatch(
      /^the table of routes is too large: got "4805 switches and 64387 nodes"/,
    );
  });
});
