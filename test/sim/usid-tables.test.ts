/** Switches whose tables lack a uSID: the dropped packets, and the reaction of MRC. */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { PS_PER_US } from '../../src/units.js';
import { runBalanced } from '../support/conservation.js';

const WITHOUT_SPINE1: FaultSpec = { kind: 'usid-withdrawn', node: 'leaf0', next: 'spine1' };

/** h0 sends 4 MB to h3 over two spines, by eight entropies. */
function spec(faults: readonly FaultSpec[], changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'a table without a uSID',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h3', sizeBytes: 4_000_000 }] },
    algorithms: { only: { preset: 'none' } },
    switches: { loadBalancing: 'source-route', pfc: false, ecn: false, usids: true },
    hosts: {
      transport: 'mrc',
      mtuBytes: 1024,
      pathSelection: 'entropy-states',
      entropies: 8,
      entropyStates: { reserve: 0, probes: false, inferredLoss: 'assumed-bad' },
    },
    faults,
    ...changes,
  };
}

interface Seen {
  readonly result: SimResult;
  /** Data packets, with the port that sent them. */
  readonly data: readonly (PacketRecord & { readonly name: string })[];
}

function run(of: ScenarioSpec): Seen {
  const { portNames } = compileScenario(validateScenario(of));
  const data: (PacketRecord & { readonly name: string })[] = [];
  const result = runScenarioSync({ ...of, record: { capture: portNames } }, {
    onPackets: (records) => {
      for (const record of records)
        if (record.kind === 'data') data.push({ ...record, name: portNames[record.port]! });
    },
  });
  return { result, data };
}

function rejectionOf(of: ScenarioSpec): Partial<RoceError> {
  try {
    compileScenario(validateScenario(of));
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not rejected');
}

const countOn = ({ data }: Seen, name: string): number => data.filter((one) => one.name === name).length;
const dropsAt = ({ result }: Seen, name: string): number => result.ports.find((port) => port.name === name)!.drops;

describe('A table without the uSID of a neighbour', () => {
  const seen = run(spec([WITHOUT_SPINE1]));
  const dropped = seen.result.totals.drops.wrongUsid ?? 0;

  it('drops only packets for that neighbour, counted at the ingress port and by reason', () => {
    expect(countOn(seen, 'leaf0:spine1')).toBe(0);
    expect(dropped).toBe(countOn(seen, 'h0:leaf0') - countOn(seen, 'leaf0:spine0'));
    expect(dropped).toBeGreaterThan(0);
    expect(dropsAt(seen, 'h0:leaf0') + dropsAt(seen, 'leaf0:h0')).toBe(dropped);
    expect(seen.result.totals.packetsDropped).toBe(dropped);
    runBalanced(spec([WITHOUT_SPINE1]));
  });

  it('makes the entropies of the path ASSUMED_BAD within 50 us of the first packet', () => {
    expect(seen.result.flows[0]!.completionPs).not.toBeNull();
    const sent = seen.data.filter(({ name }) => name === 'h0:leaf0');
    // Next hops are numbered from the last port: even source ports use spine1.
    const isBad = ({ sourcePort = 0 }: PacketRecord): boolean => sourcePort % 2 === 0;
    expect(new Set(sent.filter(isBad).map(({ sourcePort }) => sourcePort)).size).toBe(4);
    const lastBadPs = sent.findLast(isBad)!.timePs;
    expect(lastBadPs - sent[0]!.timePs).toBeLessThan(50 * PS_PER_US);
    expect(sent.at(-1)!.timePs).toBeGreaterThan(200 * PS_PER_US);
  });

  it('is explained', () => {
    const { answer } = explainResult(seen.result).find(({ topic }) => topic === 'loss')!;
    expect(answer).toContain('because the table of a switch lacked a uSID of their path');
  });

  it('drops data at the last switch too if the uSID of its host port is missing, but no responses', () => {
    const last = run(spec([{ kind: 'usid-withdrawn', node: 'leaf1', next: 'h3', toUs: 10 }]));
    const arrived = countOn(last, 'spine0:leaf1') + countOn(last, 'spine1:leaf1');
    expect(last.result.totals.drops.wrongUsid).toBe(arrived - countOn(last, 'leaf1:h3'));
    expect(last.result.totals.drops.wrongUsid).toBeGreaterThan(0);
    const back = run(spec([{ kind: 'usid-withdrawn', node: 'leaf0', next: 'h0' }]));
    expect(back.result.totals.drops.wrongUsid).toBeUndefined();
  });
});

it('A switch without its own uSID forwards no data', () => {
  const seen = run(spec([{ kind: 'usid-withdrawn', node: 'spine1' }]));
  expect(countOn(seen, 'leaf0:spine1')).toBeGreaterThan(0);
  expect(countOn(seen, 'spine1:leaf1')).toBe(0);
  expect(seen.result.totals.drops.wrongUsid).toBe(countOn(seen, 'leaf0:spine1'));
});

it('A uSID is missing during its interval, and overlapping faults count once', () => {
  const seen = run(spec([
    { kind: 'usid-withdrawn', node: 'leaf0', next: 'spine1', fromUs: 4, toUs: 6 },
    { kind: 'usid-withdrawn', node: 'leaf0', fromUs: 5, toUs: 7 },
  ]));
  const leaving = seen.data.filter(({ name }) => name.startsWith('leaf0:spine')).map(({ name, timePs }) => ({
    name,
    us: timePs / PS_PER_US,
  }));
  const between = (from: number, to: number): Set<string> =>
    new Set(leaving.filter(({ us }) => us > from && us < to).map(({ name }) => name));
  expect([...between(0, 4)].sort()).toEqual(['leaf0:spine0', 'leaf0:spine1']);
  expect([...between(4.2, 5)]).toEqual(['leaf0:spine0']);
  expect([...between(5.2, 7)]).toEqual([]);
  expect(between(7, 30).has('leaf0:spine0')).toBe(true);
});

it.each<[what: string, of: ScenarioSpec, where: string, got: unknown]>([
  [
    'without uSIDs',
    spec([{ kind: 'usid-withdrawn', node: 'leaf0' }], { switches: { loadBalancing: 'source-route', pfc: false } }),
    'faults[0]',
    'usid-withdrawn',
  ],
  ['at a host', spec([{ kind: 'usid-withdrawn', node: 'h0' }]), 'faults[0].node', 'h0'],
  ['of no neighbour', spec([{ kind: 'usid-withdrawn', node: 'leaf0', next: 'leaf1' }]), 'faults[0].next', 'leaf1'],
  ['with an early end', spec([{ kind: 'usid-withdrawn', node: 'leaf0', fromUs: 3, toUs: 3 }]), 'faults[0].toUs', 3],
  [
    'at an adapter',
    spec([{ kind: 'usid-withdrawn', node: 'nic0' }], {
      topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2, planes: 2 },
    }),
    'faults[0].node',
    'nic0',
  ],
])('A withdrawn uSID %s is rejected', (_, of, where, got) => {
  expect(rejectionOf(of)).toMatchObject({ code: 'invalid-scenario', where, got });
});
