/**
 * Entropies that a controller denies, `hosts.entropyStates.denied`: expected packets computed by hand, and invalid
 * lists.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { EntropyStatesSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { PS_PER_US } from '../../src/units.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { rejectionOf } from '../support/rejection.js';

const MTU = 1024;
const ACTIVE = 8;
const RESERVE = 4;

/** A flow of 84 us over four spines, and another one 20 us later. */
function scenario(states: EntropyStatesSpec, { planes = 1, ...rest }: Partial<ScenarioSpec> & {
  readonly planes?: number;
} = {}): ScenarioSpec {
  const sizeBytes = 1000 * MTU;
  return {
    name: 'denied',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 4,
      hostsPerLeaf: 1,
      rateGbps: 100 / planes,
      uplink: { rateGbps: 100 },
      planes,
    },
    algorithms: { only: { preset: 'none' } },
    workload: {
      kind: 'flows',
      flows: [{ from: 'h0', to: 'h1', sizeBytes }, { from: 'h1', to: 'h0', sizeBytes, startUs: 20 }],
    },
    hosts: {
      transport: 'mrc',
      pathSelection: 'entropy-states',
      entropies: ACTIVE,
      entropyStates: { reserve: RESERVE, ...states },
      retransmitTimeoutUs: 50,
    },
    switches: { pfc: false, ecn: false },
    record: { capture: planes === 1 ? ['h0:leaf0', 'h1:leaf1'] : ['h0:nic0', 'h1:nic1'] },
    ...rest,
  };
}

function run(spec: ScenarioSpec): { readonly result: SimResult; readonly records: readonly PacketRecord[] } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  return { result, records };
}

interface Sent {
  readonly timeUs: number;
  /** Number of an entropy, counted from the first one of its flow. */
  readonly number: number;
}

/** Data packets of a flow with their entropies; `lowest` is the lowest number in use. */
function sentBy(records: readonly PacketRecord[], flow: number, lowest: number): Sent[] {
  const data = records.filter((one) => one.kind === 'data' && one.flow === flow && one.port === flow);
  const first = Math.min(...data.map(({ sourcePort }) => sourcePort!)) - lowest;
  return data.map(({ timePs, sourcePort }) => ({ timeUs: timePs / PS_PER_US, number: sourcePort! - first }));
}

const numbersOf = (sent: readonly Sent[]): number[] =>
  [...new Set(sent.map(({ number }) => number))].sort((a, b) => a - b);

describe('Denied entropies', () => {
  it('carry no packets, and reserve entropies take their slots', () => {
    const { records, result } = run(scenario({ denied: [{ entropies: [0, 3, 9] }] }));
    expect(result.flows.every(({ completionPs }) => completionPs !== null)).toBe(true);
    for (const flow of [0, 1]) {
      const sent = sentBy(records, flow, 1);
      expect(numbersOf(sent)).toEqual([1, 2, 4, 5, 6, 7, 8, 10]);
      for (let first = 0; first + ACTIVE <= sent.length; first += ACTIVE)
        expect(numbersOf(sent.slice(first, first + ACTIVE))).toHaveLength(ACTIVE);
    }
  });

  it('carry no packets even when the reserve is exhausted', () => {
    const { records } = run(scenario({ reserve: 0, denied: [{ entropies: [1, 2, 3, 4, 5, 6] }] }));
    expect(numbersOf(sentBy(records, 0, 0))).toEqual([0, 7]);
  });

  it('are denied from a given time, for current and later flows, and return to a free slot', () => {
    const { records } = run(scenario({ reserve: 0, denied: [{ entropies: [2, 5], fromUs: 10, toUs: 40 }] }));
    const within = ({ timeUs }: Sent): boolean => timeUs > 10 && timeUs < 40;
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const left = [0, 1, 3, 4, 6, 7];
    for (const flow of [0, 1]) {
      const sent = sentBy(records, flow, 0);
      expect(numbersOf(sent.filter(within))).toEqual(left);
      expect(numbersOf(sent.filter(({ timeUs }) => timeUs > 40))).toEqual(all);
    }
    expect(numbersOf(sentBy(records, 0, 0).filter(({ timeUs }) => timeUs < 10))).toEqual(all);
  });

  it.each([1, 2, 3, 4, 5, 6])('may be a whole plane of all flows, whichever entropies are initially active: seed %i',
    (seed) => {
      const { records } = run(scenario({ denied: [{ plane: 1, toUs: 50 }] }, { planes: 2, seed }));
      for (const flow of [0, 1]) {
        const data = records.filter((one) => one.kind === 'data' && one.flow === flow);
        const planesIn = (from: number, to: number): number[] => {
          const times = data.filter(({ timePs }) => timePs >= from * PS_PER_US && timePs < to * PS_PER_US);
          return [...new Set(times.map(({ sourcePort }) => sourcePort! % 2))].sort();
        };
        expect(planesIn(1, 50)).toEqual([0]);
        expect(planesIn(52, 80)).toEqual([0, 1]);
      }
    });

  it('are denied by plane or number, and GOOD again once neither denies them', () => {
    const denied = [{ plane: 1, fromUs: 5, toUs: 20 }, { entropies: [0, 1], fromUs: 10, toUs: 40 }];
    const { records } = run(scenario({ reserve: 0, denied }, { planes: 2 }));
    const left = numbersOf(sentBy(records, 0, 0).filter(({ timeUs }) => timeUs > 22 && timeUs < 39));
    expect(left).not.toContain(0);
    expect(left).not.toContain(1);
    expect(left).toHaveLength(ACTIVE - 2);
  });

  it('are not probed, whatever their earlier state', () => {
    const faults: ScenarioSpec['faults'] = [{ kind: 'loss', between: ['leaf0', 'spine0'], share: 1, of: 'data' }];
    const states: EntropyStatesSpec = {
      reserve: 0,
      inferredLoss: 'assumed-bad',
      probes: true,
      probeIntervalUs: 5,
    };
    const probed = run(scenario(states, { faults })).result.totals;
    expect(probed.probes).toBeGreaterThan(0);
    const denied = [{ entropies: Array.from({ length: ACTIVE - 1 }, (_, number) => number + 1), fromUs: 30 }];
    const { records } = run(scenario({ ...states, denied }, { faults, durationUs: 400 }));
    const probes = records.filter(({ kind }) => kind === 'probe');
    expect(probes.some(({ timePs }) => timePs < 30 * PS_PER_US)).toBe(true);
    // Only the remaining entropy may be assumed bad, and the minimum restores it to GOOD at once.
    expect(probes.every(({ timePs }) => timePs <= 30 * PS_PER_US)).toBe(true);
  });

  it('agree in kernel and model', () => {
    for (const minActive of [1, 6]) {
      const plan = planOf(scenario({
        reserve: 2,
        minActive,
        inferredLoss: 'assumed-bad',
        denied: [{ entropies: [0, 1, 2] }, { entropies: [2, 3, 8], fromUs: 10, toUs: 60 }],
      }, { record: {}, faults: [{ kind: 'loss', between: ['leaf0', 'spine1'], share: 0.5, of: 'data' }] }));
      if (plan === undefined) throw new Error('The scenario does not compile.');
      expectAgreement(plan);
    }
  });
});

describe('A list of denied entropies', () => {
  const rejected = (denied: EntropyStatesSpec['denied'], planes = 1): object | undefined =>
    rejectionOf(() => compileScenario(validateScenario(scenario({ denied: denied! }, { planes }))));
  const first = 'hosts.entropyStates.denied[0]';

  it('is rejected if it is empty or names unknown nodes or entropies', () => {
    expect(rejected([{ entropies: [ACTIVE + RESERVE] }])).toMatchObject({ where: `${first}.entropies[0]` });
    expect(rejected([{ plane: 2 }], 2)).toMatchObject({ where: `${first}.plane` });
    expect(rejected([{}])).toMatchObject({ where: first });
    expect(rejected([{ plane: 0, entropies: [1] }], 2)).toMatchObject({ where: first });
    expect(rejected([{ entropies: [1], fromUs: 3, toUs: 3 }])).toMatchObject({ where: `${first}.toUs` });
  });

  it('is rejected if it could leave no entropy at some time', () => {
    const where = 'hosts.entropyStates.denied';
    expect(rejected([{ plane: 0 }])).toMatchObject({ where });
    expect(rejected([{ plane: 0, fromUs: 5 }, { plane: 1, toUs: 6 }], 2)).toMatchObject({ where });
    expect(rejected([{ entropies: [0, 1, 2, 3] }, { entropies: [8, 9, 10, 11] }])).toMatchObject({ where });
    expect(
      compileScenario(
        validateScenario(
          scenario({ denied: [{ plane: 0, fromUs: 5, toUs: 6 }, { plane: 1, fromUs: 6 }] }, { planes: 2 }),
        ),
      ),
    ).toBeDefined();
  });
});
