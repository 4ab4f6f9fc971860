import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { OverrideSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const INCAST: ScenarioSpec = {
  name: 'four to one',
  topology: { kind: 'star', hosts: 5 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 2_000_000 },
  algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
  switches: { fastCnp: { enabled: true } },
};

function pick({ flows, totals }: SimResult): Pick<SimResult, 'flows' | 'totals'> {
  return { flows, totals };
}

describe('Hosts with overrides', () => {
  it('get marks and CNPs from the receiver if they do not accept Fast CNPs', () => {
    const { flows, totals } = runScenarioSync({
      ...INCAST,
      overrides: [{ nodes: ['h1'], host: { acceptFastCnp: false } }],
    });
    expect(flows.map(({ fastCnps }) => fastCnps > 0)).toEqual([true, false, true, true]);
    expect(flows.map(({ cnps }) => cnps > 0)).toEqual([false, true, false, false]);
    expect(totals.dataMarks).toBeGreaterThan(0);
  });

  it('send CNPs later by exactly the delay of their notification point', () => {
    const plain = { ...INCAST, switches: { fastCnp: { enabled: false } } };
    const first = (spec: ScenarioSpec): number => runScenarioSync(spec).flows[0]!.firstNotificationPs!;
    const slow = first({ ...plain, overrides: [{ nodes: ['h4'], host: { cnpDelayUs: 7 } }] });
    expect(slow - first(plain)).toBe(7_000_000);
    expect(slow).toBe(first({ ...plain, hosts: { cnpDelayUs: 7 } }));
  });

  it('send CNPs at their own interval, without an effect on other hosts', () => {
    const cross: ScenarioSpec = {
      ...INCAST,
      workload: [{ kind: 'incast', senders: 3, to: 'h3', sizeBytes: 2_000_000 }, {
        kind: 'incast',
        senders: 3,
        to: 'h4',
        sizeBytes: 2_000_000,
      }],
      switches: { ecn: { kminKB: 5, kmaxKB: 5, pmax: 1 } },
    };
    const { flows } = runScenarioSync({
      ...cross,
      overrides: [{ nodes: ['h3'], host: { cnpIntervalUs: 0 } }, { nodes: ['h4'], host: { cnpIntervalUs: 1e6 } }],
    });
    const cnpsTo = (host: string): number[] => flows.filter(({ to }) => to === host).map(({ cnps }) => cnps);
    expect(cnpsTo('h4')).toEqual([1, 1, 1]);
    for (const cnps of cnpsTo('h3')) expect(cnps).toBeGreaterThan(20);
  });

  it('give the same counts with a common CNP interval as with an equal one per host', () => {
    const each = { ...INCAST, switches: {}, overrides: [{ nodes: ['h4'], host: { cnpIntervalUs: 4 } }] };
    const { flows, totals } = runScenarioSync(each);
    expect({ flows, totals }).toEqual(pick(runScenarioSync({ ...INCAST, switches: {}, hosts: { cnpIntervalUs: 4 } })));
    expect({ flows, totals }).not.toEqual(pick(runScenarioSync({ ...INCAST, switches: {} })));
  });

  it('retransmit after their own timeout, and not at all without one', () => {
    const cut: ScenarioSpec = {
      ...INCAST,
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h4', sizeBytes: 1024 }, { from: 'h1', to: 'h4', sizeBytes: 1024 }, {
          from: 'h2',
          to: 'h4',
          sizeBytes: 1024,
        }],
      },
      switches: {},
      hosts: { retransmitTimeoutUs: 700 },
      faults: [{ kind: 'link-down', between: ['s0', 'h4'], fromUs: 0, toUs: 5 }],
      overrides: [{ nodes: ['h1'], host: { retransmitTimeoutUs: 200 } }, {
        nodes: ['h2'],
        host: { retransmitTimeoutUs: 0 },
      }],
    };
    const { flows, ended } = runScenarioSync(cut);
    expect(ended).toBe('stuck');
    expect(flows.map(({ timeouts }) => timeouts)).toEqual([1, 1, 0]);
    expect(flows.map(({ completionPs }) => completionPs && Math.floor(completionPs / 1e8))).toEqual([7, 2, null]);
    expect(explainResult(runScenarioSync(cut)).find(({ topic }) => topic === 'unfinished')?.answer).toMatch(
      /flow 2.*without a retransmission timeout/i,
    );
  });

  it('send packets with their own payload, which also determines parameters, ideal times and headroom', () => {
    const spec: ScenarioSpec = {
      ...INCAST,
      switches: { ecn: { enabled: false } },
      algorithms: { a: { preset: 'hpcc-sigcomm19' } },
    };
    const { plan } = compileScenario(
      validateScenario({ ...spec, overrides: [{ nodes: ['h1'], host: { mtuBytes: 4096 } }] }),
    );
    const { plan: all } = compileScenario(validateScenario({ ...spec, hosts: { mtuBytes: 4096 } }));
    const { plan: none } = compileScenario(validateScenario(spec));
    const parameterSetOf = ({ flows, parameterSets }: typeof plan, flow: number): unknown =>
      parameterSets[flows.get(flow).parameterSet];
    expect([parameterSetOf(plan, 0), plan.flows.get(0).idealPs]).toEqual([
      parameterSetOf(none, 0),
      none.flows.get(0).idealPs,
    ]);
    expect([parameterSetOf(plan, 1), plan.flows.get(1).idealPs]).toEqual([
      parameterSetOf(all, 1),
      all.flows.get(1).idealPs,
    ]);
    expect(plan.ports.map(({ headroomBytes }) => headroomBytes)).toEqual(
      all.ports.map(({ headroomBytes }) => headroomBytes),
    );
    const { totals } = runScenarioSync({ ...spec, overrides: [{ nodes: ['h1'], host: { mtuBytes: 4096 } }] });
    expect(totals.dataPackets).toBe(3 * Math.ceil(2_000_000 / 1024) + Math.ceil(2_000_000 / 4096));
  });

  it.each([
    [
      { mtuBytes: 100 },
      /^overrides\[1\]\.host\.mtuBytes of h3 under fidelity standard must be between 256 and 4,096 bytes \(got 100\)\.$/,
    ],
    [{ cnpIntervalUs: -1 }, /^overrides\[1\]\.host\.cnpIntervalUs must be between 0 and 9,000,000,000 \(got -1\)\.$/],
    [
      { retransmitTimeoutUs: 'long' },
      /^overrides\[1\]\.host\.retransmitTimeoutUs must be a number between 0 and 9,000,000,000 \(got "long"\)\.$/,
    ],
    [{ paced: false }, /^overrides\[1\]\.host\.paced is not a known key/],
  ])('are rejected with host and key if a setting is invalid: %j', (host, message) => {
    const overrides = [{ nodes: ['h4'], host: { cnpDelayUs: 1 } }, { nodes: ['h3'], host }];
    expect(() => validateScenario({ ...INCAST, overrides })).toThrow(message);
  });

  it('are rejected if their name is not text', () => {
    const overrides = [{ nodes: ['h3', Object.create(null) as unknown, 7], host: { cnpIntervalUs: 1 } }];
    expect(() => validateScenario({ ...INCAST, overrides })).toThrow(
      /^overrides\[0\]\.nodes\[1\] must be a name of 1 to 64 characters without blanks and colons \(got \{\}\)\.$/,
    );
  });

  it.each<[OverrideSpec, Partial<ScenarioSpec>, RegExp | undefined]>([
    [
      { nodes: ['h4', 'h1'], host: { cnpIntervalUs: 1 } },
      {},
      /overrides\[0\]\.host\.cnpIntervalUs is without effect where a host receives no flow: h1\./,
    ],
    [
      { nodes: ['h4', 'h1'], host: { retransmitTimeoutUs: 1 } },
      {},
      /overrides\[0\]\.host\.retransmitTimeoutUs is without effect where a host sends no flow: h4\./,
    ],
    [
      { nodes: ['h4'], host: { cnpIntervalUs: 1, cnpDelayUs: 1 } },
      { fidelity: 'reference', switches: {} },
      /host\.cnpIntervalUs and cnpDelayUs are without effect under fidelity reference/,
    ],
    [
      { nodes: ['h4'], host: { cnpIntervalUs: 1 } },
      { algorithms: { a: { preset: 'timely-sigcomm15' } }, switches: {} },
      /host\.cnpIntervalUs is without effect: no algorithm/,
    ],
    [{ nodes: ['h4'], host: { cnpIntervalUs: 1 } }, {}, undefined],
    [{ nodes: ['h0'], host: { retransmitTimeoutUs: 1 } }, { fidelity: 'reference', switches: {} }, undefined],
  ])('get a note if a setting changes nothing: %j', (override, changes, note) => {
    const { notes } = compileScenario(validateScenario({ ...INCAST, ...changes, overrides: [override] }));
    const told = notes.filter((text) => text.startsWith('overrides'));
    expect(told).toHaveLength(note === undefined ? 0 : 1);
    if (note !== undefined) expect(told[0]).toMatch(note);
  });

  it.each([
    [
      { nodes: ['s0'], host: { cnpDelayUs: 1 } },
      /^overrides\[0\]\.nodes\[0\]: the name of a host must be "h0", "h1", "h2", "h3" or "h4" \(got "s0"\)\.$/,
    ],
    [
      { nodes: ['h0'], switch: { pfc: false } },
      /^overrides\[0\]\.nodes\[0\]: the name of a switch must be "s0" \(got "h0"\)\.$/,
    ],
    [
      { nodes: ['h9'], host: { cnpDelayUs: 1 } },
      /^overrides\[0\]\.nodes\[0\]: the name of a node must be "h0", "h1", "h2", "h3", "h4" or "s0" \(got "h9"\)\.$/,
    ],
  ])('are rejected if the node is a switch or missing: %j', (override, message) => {
    expect(() => runScenarioSync({ ...INCAST, overrides: [override] })).toThrow(message);
  });
});
