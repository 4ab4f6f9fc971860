/** Entropy states and timers of MRC: closed forms, and a link that silently loses packets. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, MrcSpec, ScenarioSpec, TimeoutsCount } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { PS_PER_US } from '../../src/units.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { rejectionOf } from '../support/rejection.js';

const MTU = 1024;
const ACTIVE = 16;

/** A flow over four spines. */
function overSpines(hosts: HostSpec, { packets = 400, ...rest }: Partial<ScenarioSpec> & {
  readonly packets?: number;
} = {}): ScenarioSpec {
  return {
    name: 'states',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 4,
      hostsPerLeaf: 1,
      rateGbps: 100,
      uplink: { rateGbps: 100 },
    },
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    hosts: { transport: 'mrc', pathSelection: 'entropy-states', entropies: ACTIVE, retransmitTimeoutUs: 50, ...hosts },
    switches: { pfc: false, ecn: false },
    record: { capture: ['h0:leaf0', 'leaf0:spine0', 'leaf0:h0'] },
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

/** The first port is that of the first host. */
const sentBy = (records: readonly PacketRecord[]): PacketRecord[] =>
  records.filter(({ kind, port }) => kind === 'data' && port === 0);

const hasFailed = ({ flows }: SimResult): boolean => flows[0]!.failure !== undefined;

/** Groups of consecutive packets, as many as there are entropies. */
const rounds = (ports: readonly number[]): number[][] =>
  Array.from({ length: Math.floor(ports.length / ACTIVE) }, (_, round) =>
    ports.slice(round * ACTIVE, (round + 1) * ACTIVE));

describe('The active set', () => {
  it('is used round-robin, in a different order in each rotation', () => {
    const ports = sentBy(captured(overSpines({})).records).map(({ sourcePort }) => sourcePort!);
    const all = rounds(ports);
    for (const round of all) expect(new Set(round).size).toBe(ACTIVE);
    expect(new Set(ports).size).toBe(ACTIVE);
    expect(Math.max(...ports) - Math.min(...ports)).toBe(ACTIVE - 1);
    expect(new Set(all.map((round) => round.join())).size).toBeGreaterThan(ACTIVE / 4);
  });

  it('skips marked entropies', () => {
    const { records, result } = captured(overSpines({ mrc: { sackBytes: 0 } }, {
      topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 1, rateGbps: 100, uplink: { rateGbps: 20 } },
      switches: { pfc: false, ecn: { kminKB: 1, kmaxKB: 1, pmax: 1 } },
    }));
    expect(result.flows[0]!.completionPs).not.toBeNull();
    expect(result.totals.marks).toBeGreaterThan(0);
    const ports = sentBy(records).map(({ sourcePort }) => sourcePort!);
    expect(new Set(ports).size).toBe(ACTIVE);
    // A round no longer contains all entropies.
    expect(rounds(ports).some((round) => new Set(round).size < ACTIVE)).toBe(true);
  });
});

describe('The seed', () => {
  /** Hash of the run, and the numbers of the entropies in the order of their packets, from the first one of the flow on. */
  const orderOf = (seed: number): { readonly hash: string; readonly order: readonly number[] } => {
    const { result: { hash }, records } = captured(overSpines({}, { seed }));
    const ports = sentBy(records).map(({ sourcePort }) => sourcePort!);
    const first = Math.min(...ports);
    return { hash, order: ports.map((port) => port - first) };
  };

  it('determines hash and order: equal seeds give equal results, others different ones', () => {
    const one = orderOf(1);
    expect(orderOf(1)).toEqual(one);
    const other = orderOf(2);
    expect(other.hash).not.toBe(one.hash);
    expect(other.order).not.toEqual(one.order);
    expect(new Set(other.order)).toEqual(new Set(one.order));
  });
});

describe('A link that silently loses all data', () => {
  const faults: ScenarioSpec['faults'] = [{ kind: 'loss', between: ['leaf0', 'spine0'], share: 1, of: 'data' }];
  const lostWith = (hosts: HostSpec): number =>
    captured(overSpines(hosts, { packets: 4000, faults })).result.totals.drops.loss;

  it('loses packets of an entropy only until the first loss is detected', () => {
    const { records } = captured(
      overSpines({ entropyStates: { inferredLoss: 'assumed-bad' }, mrc: { reorderUs: 0 } }, { packets: 4000, faults }),
    );
    const lost = records.filter(({ kind, port }) => kind === 'data' && port !== 0);
    expect(lost.length).toBeGreaterThan(0);
    const firstPs = new Map<number, number>();
    for (const { sourcePort = 0, timePs } of lost) {
      const sincePs = firstPs.get(sourcePort) ?? timePs;
      firstPs.set(sourcePort, sincePs);
      // Timers run from when the packet left its host, less than 1 us before.
      expect(timePs - sincePs).toBeLessThan(50 * PS_PER_US);
    }
  });

  it('loses less than a tenth of the packets if a loss inferred from SACKs counts as a failure', () => {
    expect(lostWith({ entropyStates: { inferredLoss: 'assumed-bad' } })).toBeLessThan(lostWith({}) / 10);
  });

  it('keeps the minimum number of active entropies if all fail', () => {
    const all: ScenarioSpec['faults'] = [0, 1, 2, 3].map((spine) => ({
      kind: 'loss',
      between: ['leaf0', `spine${spine}`],
      share: 1,
      of: 'data',
    }));
    const { records, result } = captured(
      overSpines({ entropyStates: { reserve: 0, minActive: 2 } }, { packets: ACTIVE, faults: all, durationUs: 3000 }),
    );
    expect(result.totals.timeouts).toBeGreaterThan(4);
    // From the second round on two entropies are usable, and both are used.
    const later = sentBy(records).slice(2 * ACTIVE, 3 * ACTIVE).map(({ sourcePort }) => sourcePort!);
    expect(new Set(later).size).toBeGreaterThanOrEqual(2);
    expect(hasFailed(result)).toBe(false);
  });
});

describe('Retransmission timeouts', () => {
  const T = 50;
  const dead = (mrc: MrcSpec, durationUs = 20_000): ReturnType<typeof captured> =>
    captured(overSpines({ mrc }, {
      packets: 1,
      faults: [{ kind: 'loss', between: ['h0', 'leaf0'], share: 1, of: 'data' }],
      durationUs,
    }));
  const timesUs = ({ records }: ReturnType<typeof captured>): number[] =>
    sentBy(records).map(({ timePs }) => timePs / PS_PER_US);

  it('grow linearly, then double, and the last one fails the flow', () => {
    const run = dead({ linearTimeouts: 3, exponentialTimeouts: 5 });
    expect(timesUs(run)).toEqual([0, 1, 2, 3, 5, 9, 17, 33].map((times) => times * T));
    expect(run.result.flows[0]).toMatchObject({ timeouts: 8 });
    expect(hasFailed(run.result)).toBe(true);
    expect(timesUs(dead({ linearTimeouts: 1, exponentialTimeouts: 2 }))).toEqual([0, T, 3 * T]);
  });

  it('double twenty times at most', () => {
    const times = timesUs(dead({ linearTimeouts: 1, exponentialTimeouts: 22 }, T * 2 ** 23));
    const gaps = times.slice(1).map((timeUs, index) => timeUs - times[index]!);
    expect(gaps.slice(-3)).toEqual([2 ** 19, 2 ** 20, 2 ** 20].map((intervals) => intervals * T));
  });

  it('are unlimited by default, as retries are', () => {
    const { result } = dead({});
    expect(hasFailed(result)).toBe(false);
    // 3 T, then 2 T to 128 T: 257 T; the next one is 256 T later.
    expect(result.flows[0]!.timeouts).toBe(10);
  });

  it('count as one retry for all packets in flight, or as one for each packet', () => {
    const outage = (timeoutsCount: TimeoutsCount): SimResult =>
      captured(overSpines({ retryCount: 2, mrc: { timeoutsCount } }, {
        packets: 8,
        faults: [{ kind: 'link-down', between: ['leaf1', 'h1'], fromUs: 0, toUs: 60 }],
      })).result;
    expect(hasFailed(outage('rounds'))).toBe(false);
    expect(hasFailed(outage('packets'))).toBe(true);
  });
});

describe('Kernel and model agree', () => {
  const topology = {
    kind: 'leaf-spine',
    leaves: 2,
    spines: 4,
    hostsPerLeaf: 1,
    rateGbps: 100,
    uplink: { rateGbps: 20 },
  } as const;
  const faults: ScenarioSpec['faults'] = [0, 1, 2].map((spine) => ({
    kind: 'loss',
    between: ['leaf0', `spine${spine}`],
    share: 0.5,
    of: 'data',
  }));

  it.each(['rotation', 'base-rtt'] as const)('on marks and failures with few entropies, skip %s', (skip) => {
    for (const minActive of [1, 3]) {
      const plan = planOf(overSpines({
        entropies: 4,
        mrc: { sackBytes: 0 },
        entropyStates: { reserve: 2, minActive, skip, inferredLoss: 'assumed-bad' },
      }, { topology, faults, switches: { pfc: false, ecn: { kminKB: 1, kmaxKB: 1, pmax: 1 } }, record: {} }));
      if (plan === undefined) throw new Error('The scenario does not compile.');
      expectAgreement(plan);
    }
  });
});

describe('Settings of entropy states', () => {
  const reject = (hosts: HostSpec, rest: Partial<ScenarioSpec> = {}): ReturnType<typeof rejectionOf> =>
    rejectionOf(() => compileScenario(validateScenario(overSpines(hosts, rest))));

  it('are rejected where they contradict each other', () => {
    expect(reject({ transport: 'tolerant' })).toMatchObject({ where: 'hosts.pathSelection' });
    expect(reject({ transport: 'go-back-n' })).toMatchObject({ where: 'hosts.pathSelection' });
    expect(reject({ entropies: 48 })).toMatchObject({ where: 'hosts.entropies' });
    expect(reject({ entropies: 16_384 })).toMatchObject({ where: 'hosts.entropyStates.reserve' });
    expect(reject({ entropyStates: { minActive: 17 } })).toMatchObject({ where: 'hosts.entropyStates.minActive' });
  });

  it('are noted where they have no effect', () => {
    const notes = compileScenario(validateScenario(overSpines({ pathSelection: 'bitmap', entropyStates: {} }))).notes;
    expect(notes.join('\n')).toContain('hosts.entropyStates is without effect');
  });
});
