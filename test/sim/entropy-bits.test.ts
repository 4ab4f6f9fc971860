/**
 * Structured entropy values: each tier selects its next hop by its bits of the UDP source port, regardless of other
 * bits.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { EntropyBitsSpec, HostSpec, ScenarioSpec, TopologySpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const FAT_TREE: TopologySpec = { kind: 'fat-tree', k: 4 };
/** Five spines: next hops are no power of two. */
const FIVE_SPINES: TopologySpec = { kind: 'leaf-spine', leaves: 2, spines: 5, hostsPerLeaf: 2 };
const ENTROPY_STATES: HostSpec = { transport: 'mrc', mtuBytes: 1000, pathSelection: 'entropy-states', entropies: 64 };

function spec(topology: TopologySpec, entropyBits: EntropyBitsSpec, changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  const { from, to } = topology.kind === 'fat-tree' ? { from: 'h0', to: 'h15' } : { from: 'h0', to: 'h3' };
  return {
    name: 'structured entropy values',
    topology,
    workload: { kind: 'flows', flows: [{ from, to, sizeBytes: 400_000 }] },
    algorithms: { only: { preset: 'none' } },
    switches: { loadBalancing: 'entropy-bits', entropyBits, pfc: false, ecn: false, trimming: true },
    hosts: ENTROPY_STATES,
    ...changes,
  };
}

interface Sent {
  readonly flow: number;
  readonly sourcePort: number;
  /** The links of the packet, in order. */
  readonly path: string[];
}

/** The data packets of a run, in the order of their numbers. */
function packetsOf(of: ScenarioSpec): Sent[] {
  const capture = compileScenario(validateScenario(of)).portNames;
  const sent = new Map<string, Sent>();
  runScenarioSync({ ...of, record: { capture } }, {
    onPackets: (records) => {
      for (const { kind, flow, sequence, sourcePort = 0, port } of records) {
        if (kind !== 'data') continue;
        const key = `${flow} ${sequence}`;
        const one = sent.get(key) ?? { flow, sourcePort, path: [] };
        one.path.push(capture[port]!);
        sent.set(key, one);
      }
    },
  });
  return [...sent.values()];
}

/** The links by which packets leave a tier, by the value of some bits. Each value is expected to have one. */
function linksByBits(packets: readonly Sent[], hop: number, { offset, width }: { offset: number; width: number }): Map<
  number,
  string
> {
  const links = new Map<number, string>();
  for (const { sourcePort, path } of packets) {
    const bits = (sourcePort >> offset) & ((1 << width) - 1);
    expect(path[hop]).toBe(links.get(bits) ?? path[hop]);
    links.set(bits, path[hop]!);
  }
  return links;
}

describe('Structured entropy values', () => {
  it('select the uplink of a leaf by its bits modulo five spines, regardless of all other bits', () => {
    const field = { offset: 2, width: 4 };
    const packets = packetsOf(spec(FIVE_SPINES, { tiers: [field] }));
    const links = linksByBits(packets, 1, field);
    expect(packets).toHaveLength(400);
    expect(links.size).toBe(16);
    // Next hops are numbered from the last port.
    for (const [bits, link] of links) expect(link).toBe(`leaf0:spine${4 - (bits % 5)}`);
    for (const { path } of packets) expect(path).toHaveLength(4);
  });

  it('are read by each tier at its own bit positions, in any order', () => {
    const [edges, aggs] = [{ offset: 5, width: 1 }, { offset: 1, width: 1 }];
    const packets = packetsOf(spec(FAT_TREE, { tiers: [edges, aggs] }));
    for (const { sourcePort, path } of packets) {
      const agg = 1 - ((sourcePort >> 5) & 1);
      const core = 2 * agg + 1 - ((sourcePort >> 1) & 1);
      expect(path.slice(1, 3)).toEqual([`edge0:agg${agg}`, `agg${agg}:core${core}`]);
    }
    expect(new Set(packets.map(({ path }) => path[2])).size).toBe(4);
  });

  it('use only some of the paths if two tiers share the same bits', () => {
    const field = { offset: 0, width: 1 };
    const packets = packetsOf(spec(FAT_TREE, { tiers: [field, field] }));
    expect([...new Set(packets.map(({ path }) => path[2]))].sort()).toEqual(['agg0:core0', 'agg1:core3']);
  });

  it('default to as many bits per tier as it needs: three for five spines', () => {
    const packets = packetsOf(spec(FIVE_SPINES, {}));
    expect([...linksByBits(packets, 1, { offset: 0, width: 3 })].sort(([a], [b]) => a - b).map(([, link]) => link))
      .toEqual([4, 3, 2, 1, 0, 4, 3, 2].map((spine) => `leaf0:spine${spine}`));
  });

  it('select the plane at the host, and then the path in it', () => {
    const topology: TopologySpec = { ...FIVE_SPINES, planes: 3 } as TopologySpec;
    const [plane, leaves] = [{ offset: 0, width: 4 }, { offset: 4, width: 2 }];
    const packets = packetsOf(spec(topology, { plane, tiers: [leaves] }));
    expect(new Set(packets.map(({ sourcePort }) => sourcePort & 63)).size).toBe(64);
    for (const { sourcePort, path } of packets) {
      const at = `p${2 - ((sourcePort & 15) % 3)}`;
      const spine = 4 - ((sourcePort >> 4) & 3);
      expect(path.slice(1, 3)).toEqual([`nic0:${at}.leaf0`, `${at}.leaf0:${at}.spine${spine}`]);
    }
  });

  it('replace an entropy by one with the same plane bits', () => {
    const topology: TopologySpec = { ...FIVE_SPINES, planes: 4 } as TopologySpec;
    const plane = { offset: 1, width: 2 };
    const bitsOf = ({ sourcePort }: Sent): number => (sourcePort >> plane.offset) & 3;
    const packets = packetsOf(spec(topology, { plane, tiers: [{ offset: 3, width: 1 }] }, {
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h3', sizeBytes: 3_000_000 }] },
      faults: [{ kind: 'loss', between: ['p1.leaf0', 'p1.spine3'], share: 1, of: 'data' }],
      hosts: {
        ...ENTROPY_STATES,
        entropies: 16,
        entropyStates: { reserve: 16, probes: false },
        retransmitTimeoutUs: 30,
      },
    }));
    for (const one of packets) expect(one.path[1]).toBe(`nic0:p${3 - bitsOf(one)}.leaf0`);
    const ported = (some: readonly Sent[]): Set<number> => new Set(some.map(({ sourcePort }) => sourcePort));
    const early = ported(packets.slice(0, 16));
    const joined = packets.filter(({ sourcePort }) => !early.has(sourcePort));
    expect(ported(joined).size).toBeGreaterThan(1);
    expect([...new Set(joined.map(bitsOf))]).toEqual([2]);
  });

  it('are the UDP source port of a flow that does not select its entropies', () => {
    const workload: ScenarioSpec['workload'] = {
      kind: 'flows',
      flows: [0, 1, 2, 3, 4, 5].map((i) => ({
        from: 'h0',
        to: 'h3',
        sizeBytes: 20_000,
        sourcePort: 12_000 + 8 * i,
      })),
    };
    const packets = packetsOf(spec(FIVE_SPINES, {}, {
      workload,
      hosts: { mtuBytes: 1000 },
      switches: { loadBalancing: 'entropy-bits', entropyBits: { tiers: [{ offset: 3, width: 3 }] }, ecn: false },
    }));
    // 12,000 is 1500 times 8: the bits are 4, 5, 6, 7, 0 and 1, which modulo 5 are 4, 0, 1, 2, 0 and 1.
    const spines = [0, 4, 3, 2, 4, 3];
    expect(packets).toHaveLength(120);
    for (const { flow, path } of packets) expect(path[1]).toBe(`leaf0:spine${spines[flow]}`);
  });

  const DOWN = [{ kind: 'link-down', between: ['leaf0', 'spine2'], fromUs: 5, toUs: 100_000 }] as const;

  it('select a link even while it is down: packets are lost, and the sender avoids the entropy', () => {
    const field = { offset: 0, width: 3 };
    const run = runScenarioSync(spec(FIVE_SPINES, { tiers: [field] }, {
      faults: DOWN,
      hosts: { ...ENTROPY_STATES, entropyStates: { reserve: 0, probes: false }, retransmitTimeoutUs: 30 },
    }));
    expect(run.totals.drops.noRoute).toBeGreaterThan(5);
    expect(run.totals.drops.noRoute).toBeLessThan(100);
    expect(run.flows[0]!.completionPs).toBeGreaterThan(0);
  });

  it.each<[string, TopologySpec, EntropyBitsSpec, string]>([
    [
      'bits beyond the source port',
      FIVE_SPINES,
      { tiers: [{ offset: 14, width: 3 }] },
      'switches.entropyBits.tiers[0]',
    ],
    ['a plane without planes', FIVE_SPINES, { plane: { offset: 0, width: 2 } }, 'switches.entropyBits.plane'],
    ['a tier without bits', FAT_TREE, { tiers: [{ offset: 0, width: 1 }] }, 'switches.entropyBits.tiers'],
    [
      'planes that no bits select',
      { ...FIVE_SPINES, planes: 3 } as TopologySpec,
      { plane: { offset: 0, width: 1 } },
      'switches.entropyBits.plane.width',
    ],
    [
      'bits for the plane in which the entropies of a flow do not differ',
      { ...FIVE_SPINES, planes: 2 } as TopologySpec,
      { plane: { offset: 6, width: 1 } },
      'switches.entropyBits.plane',
    ],
  ])('reject %s', (_, topology, bits, where) => {
    expect(() => runScenarioSync(spec(topology, bits))).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where }),
    );
  });
});
