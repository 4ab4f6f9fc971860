/** QPs that carry several messages: order, closed forms, idle time, errors. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { explainResult, runScenarioSync, type FlowSpec, type ScenarioSpec } from '../../src/sim/index.js';
import { sequenceFields } from '../../src/sim/files/capture-frames.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const MTU = 1024;
const ACKNOWLEDGE = 17;
const TRANSPORTS = ['go-back-n', 'selective-repeat', 'irn'] as const;
const PRESETS = ['dcqcn-sigcomm15', 'hpcc-sigcomm19', 'swift-sigcomm20', 'dctcp-ns3', 'timely-sigcomm15'] as const;

type Message = Pick<FlowSpec, 'sizeBytes'> & Partial<FlowSpec>;

/** Messages from h0 to h1 on one QP, and a second sender to h1. */
function scenario(messages: readonly Message[], other: number, more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  const flows = messages.map((message) => ({ from: 'h0', to: 'h1', qp: 'a', ...message }));
  const all = other === 0 ? flows : [...flows, { from: 'h2', to: 'h1', sizeBytes: other }];
  return {
    name: 'connections',
    topology: { kind: 'star', hosts: 3 },
    workload: { kind: 'flows', flows: all },
    ...more,
  };
}

function flowsOf(spec: ScenarioSpec) {
  return runScenarioSync(spec).flows;
}

const endOf = ({ startPs, completionPs }: { readonly startPs: number; readonly completionPs: number | null }): number =>
  startPs + (completionPs ?? NaN);

describe('Two messages in a row on a QP', () => {
  for (const preset of PRESETS) {
    for (const transport of TRANSPORTS) {
      it(`take as long as one message of their total size: ${preset}, ${transport}`, () => {
        const settings = { algorithms: { a: { preset } }, hosts: { transport } } satisfies Partial<ScenarioSpec>;
        const whole = runScenarioSync(scenario([{ sizeBytes: 400 * MTU }], 600 * MTU, settings));
        const parts = runScenarioSync(
          scenario([{ sizeBytes: 150 * MTU }, { sizeBytes: 250 * MTU }], 600 * MTU, settings),
        );
        expect(endOf(parts.flows[1]!)).toBe(endOf(whole.flows[0]!));
        expect(endOf(parts.flows[0]!)).toBeLessThan(endOf(parts.flows[1]!));
        expect(endOf(parts.flows[2]!)).toBe(endOf(whole.flows[1]!));
        expect(parts.totals).toEqual(whole.totals);
        expect(parts.flows[0]!.cnps + parts.flows[1]!.cnps).toBe(whole.flows[0]!.cnps);
      });
    }
  }

  it('send only their own bytes when the last packets of messages are short', () => {
    const { flows, totals, qps } = runScenarioSync(
      scenario([{ sizeBytes: 100 }, { sizeBytes: 2500 }, { sizeBytes: 1 }], 0),
    );
    expect(flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([100, 2500, 1]);
    expect(totals.dataPackets).toBe(1 + 3 + 1);
    expect(qps).toMatchObject([{ qp: 0, messages: 3, messagesDone: 3, sizeBytes: 2601, deliveredBytes: 2601 }]);
  });

  it('complete in the order in which they are posted', () => {
    const flows = flowsOf(scenario([{ sizeBytes: 100 * MTU, startUs: 3 }, { sizeBytes: 10 * MTU, startUs: 1 }, {
      sizeBytes: 1,
      startUs: 2,
    }], 0));
    expect(flows.map(({ startPs }) => startPs)).toEqual([3e6, 1e6, 2e6]);
    const ends = flows.map(endOf);
    expect(ends[1]).toBeLessThan(ends[2]!);
    expect(ends[2]).toBeLessThan(ends[0]!);
  });
});

describe('The next message of a QP', () => {
  it('starts at the current rate of the QP', () => {
    const spec = scenario([{ sizeBytes: 500 * MTU }, { sizeBytes: 100 * MTU, startUs: 200 }], 2000 * MTU);
    const [first, second] = flowsOf(spec);
    expect(first!.cnps).toBeGreaterThan(0);
    expect(second!.beganRateBps).toBeLessThan(99e9);
    const kernel = new SimKernel(compileScenario(validateScenario(spec)).plan);
    kernel.run(second!.beganPs!, 2 ** 30);
    expect(second!.beganRateBps).toBe(kernel.rateBps(0, second!.beganPs! - 1));
  });

  it('starts at a higher rate the longer the QP was idle, as DCQCN recovers', () => {
    const rates = [100, 1000, 4000, 40_000].map((startUs) => {
      const spec = scenario([{ sizeBytes: 500 * MTU }, { sizeBytes: MTU, startUs }], 2000 * MTU, {
        durationUs: 100_000,
      });
      return flowsOf(spec)[1]!.beganRateBps!;
    });
    expect(rates).toEqual([...rates].sort((a, b) => a - b));
    expect(rates[0]).toBeLessThan(60e9);
    expect(rates[3]).toBe(100e9);
  });

  it('starts at line rate on a new QP, and after an idle time that restarts the rate', () => {
    const messages = [{ sizeBytes: 500 * MTU }, { sizeBytes: MTU, startUs: 200 }];
    const [, ownQp] = flowsOf(scenario(messages.map((one, index) => ({ ...one, qp: `qp${index}` })), 2000 * MTU));
    expect(ownQp!.qp).toBeUndefined();
    const [, restarted] = flowsOf(scenario(messages, 2000 * MTU, { hosts: { idleRestartUs: 20 } }));
    expect(restarted).toMatchObject({ beganRateBps: 100e9, restarted: true });
    const [, kept] = flowsOf(scenario(messages, 2000 * MTU, { hosts: { idleRestartUs: 200 } }));
    expect(kept!.restarted).toBeUndefined();
  });

  it('is explained with its first rate and the reason for it', () => {
    const spec = scenario([{ sizeBytes: 500 * MTU }, { sizeBytes: 100 * MTU, startUs: 200 }], 2000 * MTU);
    const answer = explainResult(runScenarioSync(spec)).find(({ topic }) => topic === 'connection')?.answer;
    expect(answer).toMatch(
      /1 message began below line rate.*flow 1 .*, the rate of its QP .* flow 0, which had reacted to/,
    );
  });
});

describe('Messages of a workload', () => {
  const pairs = (connections: unknown) => {
    const flows = [4, 1, 1, 1, 8].map((packets) => ({ from: 'h0', to: 'h1', sizeBytes: packets * MTU }));
    const workload = { kind: 'flows', flows, connections };
    const valid = validateScenario({ name: 'x', topology: { kind: 'star', hosts: 2 }, workload });
    return [...compileScenario(valid).plan.connections?.leaderOf ?? []];
  };

  it('use a QP per message, one per pair of hosts, or several per pair', () => {
    expect(pairs('per-message')).toEqual([]);
    expect(pairs('per-pair')).toEqual([0, 0, 0, 0, 0]);
    expect(pairs({ perPair: 2 })).toEqual([0, 1, 0, 1, 0]);
    expect(pairs({ perPair: 2, choose: 'fewest-bytes' })).toEqual([-1, 1, 1, 1, 1]);
    expect(pairs({ perPair: 9 })).toEqual([]);
  });

  it('take the path of their QP', () => {
    const spec: ScenarioSpec = {
      name: 'x',
      topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 1 },
      workload: {
        kind: 'flows',
        flows: Array.from({ length: 8 }, () => ({ from: 'h0', to: 'h1', sizeBytes: MTU })),
        connections: { perPair: 4 },
      },
    };
    const paths = flowsOf(spec).map(({ path }) => path?.join());
    expect(new Set(paths.slice(0, 4)).size).toBeGreaterThan(1);
    expect(paths.slice(4)).toEqual(paths.slice(0, 4));
  });

  it('share QPs by default in jobs of fidelity standard', () => {
    const job = (more: object) => {
      const workload = { kind: 'collective', collective: 'all-reduce', sizeBytes: 1e5 };
      return compileScenario(validateScenario({ name: 'x', topology: { kind: 'star', hosts: 4 }, workload, ...more }))
        .plan.connections;
    };
    expect(job({})?.leaderOf.every((leader) => leader >= 0)).toBe(true);
    expect(job({ fidelity: 'reference' })).toBeUndefined();
  });
});

describe('Invalid connections are rejected', () => {
  const codeOf = (spec: unknown) => {
    try {
      compileScenario(validateScenario(spec));
    } catch (error) {
      return (error as { readonly where: string }).where;
    }
    return 'accepted';
  };
  const of = (workload: object, more: object = {}) =>
    codeOf({ name: 'x', topology: { kind: 'star', hosts: 3 }, workload, ...more });
  const collective = { kind: 'collective', collective: 'all-reduce', sizeBytes: 1e5, connections: 'per-pair' };

  it('if settings contradict each other', () => {
    const flows = [{ from: 'h0', to: 'h1', sizeBytes: 1, qp: 'a' }, { from: 'h0', to: 'h2', sizeBytes: 1, qp: 'a' }];
    expect(of({ kind: 'flows', flows })).toBe('workload');
    expect(of({ ...collective, connections: { perPair: 0 } })).toBe('workload.connections.perPair');
    expect(of({ ...collective, connections: 'per-host' })).toBe('workload.connections');
    expect(of(collective, { fidelity: 'reference' })).toBe('workload.connections');
    expect(of(collective, { record: { messages: 'sums' } })).toBe('workload.connections');
    const shared = { kind: 'collective', collective: 'all-reduce', sizeBytes: 1e5 };
    expect(of(shared, { record: { messages: 'sums' } })).toBe('workload.connections');
    expect(of({ ...shared, connections: 'per-message' }, { record: { messages: 'sums' } })).toBe('accepted');
    const list = { kind: 'flows', flows: [flows[0]] };
    expect(of(list, { fidelity: 'reference' })).toBe('workload.flows[0].qp');
    expect(of({ kind: 'incast', senders: 2, sizeBytes: 1 }, { fidelity: 'reference', hosts: { idleRestartUs: 1 } }))
      .toBe('hosts.idleRestartUs');
  });
});

describe('A QP whose retries are exhausted', () => {
  it('fails its current messages and those that are posted later', () => {
    const { flows, ended } = runScenarioSync(
      scenario([{ sizeBytes: MTU }, { sizeBytes: 9 * MTU, startUs: 50 }, { sizeBytes: 1, startUs: 3000 }], 0, {
        hosts: { retryCount: 1, retransmitTimeoutUs: 100 },
        faults: [{ kind: 'link-down', between: ['h1', 's0'], fromUs: 30, toUs: 5000 }],
      }),
    );
    expect(flows.map(({ failure }) => failure)).toEqual([undefined, 'retry-exceeded', 'retry-exceeded']);
    expect(ended).not.toBe('all-flows-done');
  });

  it('sends nothing of a message that is posted later: no bytes are delivered and no packets dropped', () => {
    const lost = { kind: 'drop', flow: 0, firstByte: 5 * MTU, arrival: 1 } as const;
    // Packet 440 of the failed message is on the way when the other one is posted.
    const onTheWay = { kind: 'drop', flow: 1, firstByte: 440 * MTU, arrival: 1 } as const;
    const { flows, totals } = runScenarioSync(
      scenario([{ sizeBytes: 600 * MTU }, { sizeBytes: 600 * MTU, startUs: 43 }], 0, {
        topology: { kind: 'star', hosts: 2, delayNs: 10_000 },
        hosts: { transport: 'selective-repeat', retryCount: 0 },
        faults: [lost, onTheWay],
      }),
    );
    expect(flows.map(({ failure }) => failure)).toEqual(['retry-exceeded', 'retry-exceeded']);
    expect(flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([5 * MTU, 0]);
    expect(totals.drops.loss).toBe(1);
  });
});

describe('A capture of a QP with several messages', () => {
  it('has the opcodes of each message, consecutive PSNs, and MSNs that count the messages', () => {
    const spec = scenario([{ sizeBytes: 3 * MTU }, { sizeBytes: 1 }, { sizeBytes: 2 * MTU + 1 }], 0, {
      record: { capture: ['h0:s0', 'h1:s0'] },
    });
    const { plan } = compileScenario(validateScenario(spec));
    const fields: ReturnType<typeof sequenceFields>[] = [];
    runScenarioSync(spec, {
      onPackets: (records) => {
        fields.push(...records.map((record) => sequenceFields(plan, record)));
      },
    });
    const ofKind = (isAck: boolean) => fields.filter(({ opcode }) => (opcode === ACKNOWLEDGE) === isAck);
    const [first, middle, last, only] = [0, 1, 2, 4];
    expect(ofKind(false).map(({ opcode, psn }) => [opcode, psn])).toEqual([
      [first, 0],
      [middle, 1],
      [last, 2],
      [only, 3],
      [first, 4],
      [middle, 5],
      [last, 6],
    ]);
    expect(ofKind(true).map(({ psn, msn }) => [psn, msn])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 2],
      [6, 3],
    ]);
  });
});
