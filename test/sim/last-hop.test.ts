/** Marks at the last hop, `switches.ecn.lastHop`: all paths of a flow meet there, so MRC's networks do not mark, and a trimmed packet means an incast. */
import { describe, expect, it } from 'vitest';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { Fidelity, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const MTU = 1024;
const ENTROPIES = 8;
const SENDERS = 3;
const PACKETS = 256;
const MARKING = { kminKB: 2, kmaxKB: 2, pmax: 1 };

/** Hosts of one leaf send to the host of another one, over more capacity than that has. */
function incast(lastHop: boolean, { planes = 1, rest = {} }: {
  readonly planes?: number;
  readonly rest?: Partial<ScenarioSpec>;
} = {}): ScenarioSpec {
  return {
    name: 'incast',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 4,
      hostsPerLeaf: SENDERS,
      rateGbps: 100,
      uplink: { rateGbps: 400 },
      planes,
    },
    algorithms: { only: { preset: 'none' } },
    workload: {
      kind: 'flows',
      flows: Array.from({ length: SENDERS },
        (_, i) => ({ from: `h${i}`, to: `h${SENDERS}`, sizeBytes: PACKETS * MTU })),
    },
    hosts: {
      transport: 'mrc',
      mtuBytes: MTU,
      pathSelection: 'entropy-states',
      entropies: ENTROPIES,
      entropyStates: { reserve: 0 },
      mrc: { sackBytes: 0 },
    },
    switches: { pfc: false, trimming: { lastHopQueueBytes: 20_000 }, ecn: { ...MARKING, lastHop } },
    record: { capture: planes === 1 ? ['h0:leaf0'] : [] },
    ...rest,
  };
}

function run(spec: ScenarioSpec): { readonly result: SimResult; readonly records: readonly PacketRecord[] } {
  const records: PacketRecord[] = [];
  return { result: runScenarioSync(spec, { onPackets: (some) => void records.push(...some) }), records };
}

const marksAt = ({ ports }: SimResult, isLastHop: (name: string) => boolean): number =>
  ports.filter(({ name }) => isLastHop(name)).reduce((sum, { marks }) => sum + marks, 0);
const leadsToHost = (name: string): boolean => /:(h|nic)\d+$/.test(name);

describe('An incast of MRC whose last hop does not mark', () => {
  const { result, records } = run(incast(false));

  it('trims packets there, marks none, and keeps all entropies in use', () => {
    expect(result.totals.marks).toBe(0);
    expect(result.totals.trimmedPackets).toBeGreaterThan(0);
    expect(result.ports.filter(({ trimmedPackets = 0 }) => trimmedPackets > 0).map(({ name }) => name)).toEqual([
      `leaf1:h${SENDERS}`,
    ]);
    expect(result.totals.drops).toMatchObject({ buffer: 0 });
    const ports = records.filter(({ kind, port }) => kind === 'data' && port === 0)
      .map(({ sourcePort }) => sourcePort!);
    expect(ports.length).toBeGreaterThan(PACKETS);
    // No entropy is ever in SKIP, so each rotation contains all of them.
    for (let first = 0; first + ENTROPIES <= ports.length; first += ENTROPIES)
      expect(new Set(ports.slice(first, first + ENTROPIES)).size).toBe(ENTROPIES);
  });

  it('has no thresholds for these ports, and explains missing marks by the other ports', () => {
    const of = (name: string): object => result.ports.find((port) => port.name === name)!;
    expect(of(`leaf1:h${SENDERS}`)).not.toHaveProperty('kminBytes');
    expect(of('leaf0:spine0')).toHaveProperty('kminBytes', 8000);
    const text = JSON.stringify(explainResult(run(incast(false, {
      rest: { algorithms: { only: { preset: 'dcqcn-sigcomm15' } }, hosts: {} },
    })).result));
    expect(text).not.toContain(`Kmin at leaf1:h${SENDERS}`);
  });
});

describe('ECN marks', () => {
  it('are set at the last hop by default', () => {
    const { result } = run(incast(true));
    expect(marksAt(result, leadsToHost)).toBeGreaterThan(0);
    const { switches } = incast(true);
    const byDefault = run(incast(true, { rest: { switches: { ...switches, ecn: MARKING } } }));
    expect(byDefault.result.ports).toEqual(result.ports);
    expect(byDefault.result.flows).toEqual(result.flows);
  });

  it('are set by all other ports, also in networks of several planes', () => {
    for (const planes of [1, 2]) {
      const spec = incast(false, { planes, rest: { switches: { pfc: false, ecn: { ...MARKING, lastHop: false } } } });
      const topology = { ...spec.topology, uplink: { rateGbps: 25 } } as ScenarioSpec['topology'];
      const { result } = run({ ...spec, topology });
      expect(marksAt(result, leadsToHost)).toBe(0);
      expect(marksAt(result, (name) => !leadsToHost(name))).toBeGreaterThan(0);
    }
  });

  it.each<Fidelity>(['standard', 'reference', 'reference-lossy'])('can be disabled at one switch under %s',
    (fidelity) => {
      const spec: ScenarioSpec = {
        name: 'two leaves',
        fidelity,
        topology: { kind: 'dumbbell', left: 3, right: 3, rateGbps: 10, bottleneck: { rateGbps: 100 } },
        algorithms: { only: { preset: 'dcqcn-sigcomm15' } },
        workload: {
          kind: 'flows',
          flows: [0, 1].flatMap((i) => [
            { from: `h${i}`, to: 'h3', sizeBytes: 100_000 },
            { from: `h${3 + i}`, to: 'h0', sizeBytes: 100_000 },
          ]),
        },
        switches: { ecn: MARKING },
        overrides: [{ nodes: ['s1'], switch: { ecn: { lastHop: false } } }],
      };
      const result = runScenarioSync(spec);
      expect(marksAt(result, (name) => name.startsWith('s0:h'))).toBeGreaterThan(0);
      expect(marksAt(result, (name) => name.startsWith('s1:h'))).toBe(0);
    });

  it('agree in kernel and model', () => {
    for (const planes of [1, 2]) {
      const plan = planOf({ ...incast(false, { planes }), record: {} });
      if (plan === undefined) throw new Error('The scenario does not compile.');
      expectAgreement(plan);
    }
  });
});
