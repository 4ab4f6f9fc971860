/** Path selection of hosts: which UDP source ports packets have, and what feedback changes. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, PathSelection, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { rejectionOf } from '../support/rejection.js';
import { withSlowLink } from '../../studies/paths/slow-link.js';

const MTU = 1024;
const SPINES = 4;
const FIRST_ENTROPY_PORT = 49_152;

/** A flow over four spines, one of which is slow if `share` is below 1. */
function overSpines(hosts: HostSpec, { packets = 2000, share = 1, ...rest }: Partial<ScenarioSpec> & {
  readonly packets?: number;
  readonly share?: number;
} = {}): ScenarioSpec {
  const leafSpine = {
    kind: 'leaf-spine',
    leaves: 2,
    spines: SPINES,
    hostsPerLeaf: 1,
    rateGbps: 100,
    uplink: { rateGbps: 25 },
  } as const;
  return {
    name: 'paths',
    topology: share === 1 ? leafSpine : withSlowLink(leafSpine, ['spine0', 'leaf1'], share),
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    hosts: { transport: 'irn', irn: { windowBytes: 64 * MTU }, reorderingWindowPackets: 4096, ...hosts },
    switches: { ecn: { kminKB: 40, kmaxKB: 80, pmax: 1 } },
    record: { capture: ['h0:leaf0', 'leaf0:h0'] },
    ...rest,
  };
}

function captured(spec: ScenarioSpec): { readonly result: SimResult; readonly records: readonly PacketRecord[] } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, {
    onPackets: (some) => {
      records.push(...some);
    },
  });
  return { result, records };
}

/** Share of the first leaf's packets by the first spine. */
function shareOfFirst({ ports }: SimResult): number {
  const uplinks = ports.filter(({ node, peer }) => node === 'leaf0' && peer.startsWith('spine'));
  const all = uplinks.reduce((sum, { txPackets }) => sum + txPackets, 0);
  return uplinks.find(({ peer }) => peer === 'spine0')!.txPackets / all;
}

const portsOf = (records: readonly PacketRecord[], kind: PacketRecord['kind']): number[] =>
  records.filter((one) => one.kind === kind).map(({ sourcePort }) => sourcePort!);

/** Twice the expected number of packets that repeat the entropy of an earlier one by chance. */
const chanceOf = (drawn: number): number => drawn ** 2 / 16_384;

describe('UDP source ports', () => {
  it('are those of the flow by default', () => {
    const { result, records } = captured(overSpines({ pathSelection: 'flow' }));
    // Not recorded, as it is the flow's.
    expect(new Set(portsOf(records, 'data'))).toEqual(new Set([undefined]));
    expect(result.flows[0]!.path).toBeDefined();
  });

  it('of oblivious packets use each entropy once, then all of them again in a different order', () => {
    const { records, result } = captured(overSpines({ pathSelection: 'oblivious', entropies: 64 }));
    const ports = portsOf(records, 'data');
    const rounds = [0, 64, 128].map((begin) => ports.slice(begin, begin + 64));
    for (const round of rounds) expect(new Set(round).size).toBe(64);
    expect([...rounds[1]!].sort()).toEqual([...rounds[0]!].sort());
    expect(rounds[1]).not.toEqual(rounds[0]);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(FIRST_ENTROPY_PORT);
    // Packets have no single path.
    expect(result.flows[0]!.path).toBeUndefined();
    expect(result.equalPaths).toHaveLength(2);
  });

  it('of one entropy are constant', () => {
    for (const pathSelection of ['oblivious', 'bitmap', 'reps'] as const) {
      const { records } = captured(overSpines({ pathSelection, entropies: 1 }));
      expect(new Set(portsOf(records, 'data')).size, pathSelection).toBe(1);
    }
  });

  it('of ACKs and NAKs are those of the packets that they respond to', () => {
    for (const pathSelection of ['oblivious', 'bitmap', 'reps'] as const) {
      const { records } = captured(overSpines({ pathSelection }));
      const sent = new Set(portsOf(records, 'data'));
      for (const port of [...portsOf(records, 'ack'), ...portsOf(records, 'nak')]) expect(sent).toContain(port);
    }
  });
});

describe('REPS', () => {
  it('reuses an entropy only after a response with it, once per response', () => {
    const { records } = captured(overSpines({ pathSelection: 'reps' }));
    const credit = new Map<number, number>();
    let [recycled, drawn, drawnTwice] = [0, 0, 0];
    for (const { kind, sourcePort = 0 } of records) {
      const left = credit.get(sourcePort);
      if (kind === 'data') {
        if (left !== undefined && left > 0) recycled += 1;
        else drawn += 1;
        if (left !== undefined && left <= 0) drawnTwice += 1;
        credit.set(sourcePort, (left ?? 1) - 1);
      } else credit.set(sourcePort, (left ?? 0) + 1);
    }
    expect(recycled).toBeGreaterThan(1000);
    expect(drawnTwice).toBeLessThan(chanceOf(drawn));
  });

  it('draws a new entropy for each packet beyond the unmarked responses', () => {
    const ecn = { kminKB: 0, kmaxKB: 0, pmax: 1 };
    const { records } = captured(
      overSpines({ pathSelection: 'reps' }, { switches: { ecn }, record: { capture: ['h0:leaf0', 'leaf1:h1'] } }),
    );
    const data = records.filter(({ kind }) => kind === 'data');
    // The first port is that of the first host.
    const sent = data.filter(({ port }) => port === 0);
    const arrived = data.filter(({ port }) => port !== 0);
    const unmarked = arrived.filter(({ marked }) => !marked).length;
    expect(unmarked).toBeLessThan(sent.length / 2);
    const drawn = sent.length - unmarked;
    expect(new Set(portsOf(sent, 'data')).size).toBeGreaterThan(drawn - chanceOf(drawn));
  });
});

describe('A slow path', () => {
  const shareWith = (pathSelection: PathSelection): number =>
    shareOfFirst(
      runScenarioSync(overSpines({ pathSelection, irn: { windowBytes: 256 * MTU } }, { share: 0.2, packets: 8000 })),
    );

  it('is used less than its share by policies that react to marks', () => {
    const oblivious = shareWith('oblivious');
    expect(oblivious).toBeGreaterThan(0.2);
    expect(shareWith('bitmap')).toBeLessThan(0.75 * oblivious);
    expect(shareWith('reps')).toBeLessThan(0.6 * oblivious);
  });
});

describe('Settings of path selection', () => {
  const reject = (hosts: HostSpec, rest: Partial<ScenarioSpec> = {}) =>
    rejectionOf(() => compileScenario(validateScenario(overSpines(hosts, rest))));

  it('are rejected where they contradict each other', () => {
    expect(reject({ pathSelection: 'reps', entropies: 48 })).toMatchObject({ where: 'hosts.entropies' });
    expect(reject({ pathSelection: 'reps', onFastCnp: 'slow-down-and-detour' })).toMatchObject({
      where: 'hosts.pathSelection',
    });
    expect(reject({ pathSelection: 'reps' }, { fidelity: 'reference-lossy' }).message).toContain('fidelity standard');
  });

  it('may differ between hosts', () => {
    const { records } = captured({
      ...overSpines({ pathSelection: 'reps' }),
      overrides: [{ nodes: ['h0'], host: { pathSelection: 'flow' } }],
    });
    expect(new Set(portsOf(records, 'data')).size).toBe(1);
  });

  it('are noted where they have no effect', () => {
    const notesOf = (hosts: HostSpec, rest: Partial<ScenarioSpec> = {}): string =>
      compileScenario(validateScenario(overSpines(hosts, rest))).notes.join('\n');
    const star = { topology: { kind: 'star', hosts: 2 }, record: {} } as const;
    expect(notesOf({ pathSelection: 'reps' }, star)).toContain('no switch has several equal paths');
    expect(notesOf({ pathSelection: 'reps' }, { switches: { loadBalancing: 'random' } })).toContain('by the hash');
    expect(notesOf({ pathSelection: 'bitmap' }, { switches: { ecn: false } })).toContain('no marks as feedback');
    expect(notesOf({ entropies: 16 })).toContain('hosts.entropies is without effect');
    expect(notesOf({ pathSelection: 'bitmap', reps: {} })).toContain('hosts.reps is without effect');
    expect(notesOf({ pathSelection: 'reps' })).not.toContain('without effect');
  });
});
