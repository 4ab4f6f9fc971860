/**
 * Transports in scenarios: precedence of settings, rejections, and results, files and explanations of a flow that
 * fails.
 */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import { flowsToCsv } from '../../src/sim/files/result-csv.js';
import { parseResultJson, resultToJson } from '../../src/sim/files/result-json.js';
import type { TransportsPlan } from '../../src/sim/plan.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { isHashRight } from '../../src/sim/results/result-hash.js';
import type { ScenarioSpec, Transport } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const BASE: ScenarioSpec = {
  name: 'settings',
  topology: { kind: 'star', hosts: 4 },
  workload: {
    kind: 'flows',
    flows: [{ from: 'h0', to: 'h3', sizeBytes: 50_000 }, { from: 'h1', to: 'h3', sizeBytes: 50_000 }],
  },
};

const plan = (more: Partial<ScenarioSpec>): TransportsPlan | undefined =>
  compileScenario(validateScenario({ ...BASE, ...more })).plan.transports;

const kinds = (more: Partial<ScenarioSpec>) => {
  const transports = plan(more);
  return [...(transports?.kindOf ?? [])].map((kind) => transports!.kinds[kind]);
};

function rejection(more: Partial<ScenarioSpec>): string {
  try {
    compileScenario(validateScenario({ ...BASE, ...more }));
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-scenario') return error.message;
    throw error;
  }
  return 'none';
}

describe("A flow's transport", () => {
  it('is plain go-back-N by default, which a plan omits', () => {
    expect(plan({})).toBeUndefined();
    expect(plan({ hosts: { transport: 'go-back-n', timeout: 5 } })).toBeUndefined();
  });

  it('is that of the flow, its workload, its sending host or all hosts, in this order', () => {
    const flows = [
      { from: 'h0', to: 'h3', sizeBytes: 1, transport: 'irn' },
      { from: 'h0', to: 'h3', sizeBytes: 1 },
      { from: 'h1', to: 'h3', sizeBytes: 1 },
      { from: 'h2', to: 'h3', sizeBytes: 1 },
    ] as const;
    const overrides = [{ nodes: ['h1'], host: { transport: 'go-back-n' } }] as const;
    const hosts = { transport: 'selective-repeat' } as const;
    const transports = (more: Partial<ScenarioSpec>) => kinds(more).map(({ transport }) => transport);
    expect(transports({ workload: { kind: 'flows', flows }, hosts, overrides })).toEqual([
      'irn',
      'selective-repeat',
      'go-back-n',
      'selective-repeat',
    ]);
    expect(transports({ workload: [{ kind: 'flows', flows, transport: 'irn' }], hosts, overrides })).toEqual(
      flows.map(() => 'irn'),
    );
    expect(transports({ workload: { kind: 'incast', senders: 2, sizeBytes: 1, transport: 'irn' } })).toEqual([
      'irn',
      'irn',
    ]);
  });

  it('uses the window of its receiver, and the retries and loss reaction of its sender', () => {
    const overrides: ScenarioSpec['overrides'] = [
      { nodes: ['h0'], host: { retryCount: 2, lossReaction: 'cnp', reorderingWindowPackets: 3 } },
      { nodes: ['h3'], host: { reorderingWindowPackets: 9, retryCount: 6 } },
    ];
    expect(kinds({ hosts: { transport: 'irn', retryCount: 7 }, overrides })).toEqual([
      { transport: 'irn', windowPackets: 9, retryCount: 2, lossReaction: 'cnp' },
      { transport: 'irn', windowPackets: 9, retryCount: 7, lossReaction: 'none' },
    ]);
  });

  it('has a default window of a BDP of the longest path, of at least 128 packets, and a cap of a BDP under irn', () => {
    const short = plan({ hosts: { transport: 'irn' } })!;
    expect(short.kinds).toEqual([{ transport: 'irn', windowPackets: 128, retryCount: null, lossReaction: 'none' }]);
    const topology = { kind: 'star', hosts: 4, delayNs: 10_000 } as const;
    const long = plan({ topology, hosts: { transport: 'irn' } })!;
    // 40 us, two packets of 1,126 bytes on the wire and two ACKs of 106, at 100 Gb/s.
    expect(long.irn.capBytes).toBe(502_464);
    expect(long.kinds[0].windowPackets).toBe(Math.ceil(long.irn.capBytes / 1024));
    expect(long.irn).toMatchObject({ timeoutLowPs: 100e6, timeoutHighPs: 320e6, fewPackets: 3 });
  });
});

describe('The reordering setting', () => {
  const transports = (more: Partial<ScenarioSpec>) => kinds(more).map(({ transport }) => transport);

  it('selects the transport of that name, with the same plan', () => {
    expect(plan({ hosts: { reordering: 'none' } })).toBeUndefined();
    expect(plan({ hosts: { reordering: 'selective-repeat' } })).toEqual(
      plan({ hosts: { transport: 'selective-repeat' } }),
    );
    expect(plan({ hosts: { reordering: 'tolerant' } })).toEqual(plan({ hosts: { transport: 'tolerant' } }));
    expect(plan({ hosts: { reordering: 'tolerant', transport: 'tolerant' } })).toEqual(
      plan({ hosts: { transport: 'tolerant' } }),
    );
  });

  it('applies to a single sender too, and replaces the transport of a network preset', () => {
    const overrides: ScenarioSpec['overrides'] = [{ nodes: ['h1'], host: { reordering: 'tolerant' } }];
    expect(transports({ overrides })).toEqual(['go-back-n', 'tolerant']);
    expect(
      transports({ hosts: { reordering: 'tolerant' }, overrides: [{ nodes: ['h1'], host: { transport: 'irn' } }] }),
    )
      .toEqual(['tolerant', 'irn']);
    expect(transports({ network: 'lossy-1' })).toEqual(['selective-repeat', 'selective-repeat']);
    expect(transports({ network: 'lossy-1', hosts: { reordering: 'tolerant' } })).toEqual(['tolerant', 'tolerant']);
    expect(plan({ network: 'lossy-1', hosts: { reordering: 'none' } })).toBeUndefined();
  });

  it('does not change transports that flows set explicitly', () => {
    const workload: ScenarioSpec['workload'] = {
      kind: 'flows',
      flows: [{ from: 'h0', to: 'h3', sizeBytes: 1, transport: 'tolerant' }, { from: 'h1', to: 'h3', sizeBytes: 1 }],
    };
    expect(transports({ workload, hosts: { reordering: 'selective-repeat' } })).toEqual([
      'tolerant',
      'selective-repeat',
    ]);
  });

  it('of tolerant has a window of 1,024 packets or a BDP, and detects losses by the timeout alone', () => {
    expect(plan({ hosts: { transport: 'tolerant' } })).toMatchObject({
      kinds: [{ transport: 'tolerant', windowPackets: 1024, retryCount: null, lossReaction: 'algorithm' }],
      tolerant: { distancePackets: null, lossTimePs: null },
    });
    const tolerant = { distancePackets: 64, lossTimeUs: 12.5 };
    expect(plan({ hosts: { transport: 'tolerant', tolerant } })!.tolerant).toEqual({
      distancePackets: 64,
      lossTimePs: 12_500_000,
    });
    const topology = { kind: 'star', hosts: 4, delayNs: 100_000 } as const;
    const long = plan({ topology, hosts: { transport: 'tolerant' } })!;
    expect(long.kinds[0].windowPackets).toBe(Math.ceil(long.irn.capBytes / 1024));
  });

  it('has a note if settings of tolerant apply to no flow', () => {
    const notes = (hosts: ScenarioSpec['hosts']) =>
      compileScenario(validateScenario({ ...BASE, ...(hosts === undefined ? {} : { hosts }) })).notes;
    expect(notes({ tolerant: { distancePackets: 5 } })).toEqual([
      'hosts.tolerant is without effect: no flow has transport tolerant.',
    ]);
    expect(notes({ transport: 'tolerant', tolerant: { distancePackets: 5 }, reorderingWindowPackets: 2000 })).toEqual(
      [],
    );
  });
});

describe('Invalid settings are rejected by name', () => {
  const lossy = { fidelity: 'reference-lossy', algorithms: { a: { preset: 'dcqcn-ns3' } } } as const;
  const reference = { ...lossy, fidelity: 'reference' } as const;
  const flows = [{ from: 'h0', to: 'h1', sizeBytes: 1, transport: 'irn' }] as const;

  it.each<[Partial<ScenarioSpec>, string]>([
    [
      { ...reference, hosts: { transport: 'irn' } },
      'hosts.transport is a setting of fidelities standard and reference-lossy',
    ],
    [{ ...lossy, hosts: { transport: 'selective-repeat' } }, 'hosts.transport is a setting of fidelity standard'],
    [{ ...lossy, hosts: { timeout: 3 } }, 'hosts.timeout is a setting of fidelity standard'],
    [{ ...lossy, hosts: { retryCount: 3 } }, 'hosts.retryCount is'],
    [{ ...lossy, hosts: { reorderingWindowPackets: 3 } }, 'hosts.reorderingWindowPackets is'],
    [{ ...lossy, hosts: { lossReaction: 'none' } }, 'hosts.lossReaction is'],
    [{ ...lossy, hosts: { irn: { fewPackets: 3 } } }, 'hosts.irn.fewPackets is'],
    [{ ...reference, hosts: { irn: { windowBytes: 3 } } }, 'hosts.irn is'],
    [{ ...lossy, overrides: [{ nodes: ['h0'], host: { transport: 'irn' } }] }, 'overrides[0].host.transport is'],
    [{ ...lossy, overrides: [{ nodes: ['h0'], host: { retryCount: 1 } }] }, 'overrides[0].host.retryCount is'],
    [{ ...lossy, workload: { kind: 'flows', flows } }, 'workload.flows[0].transport is'],
    [
      { ...lossy, workload: [{ kind: 'incast', senders: 1, sizeBytes: 1, transport: 'irn' }] },
      'workload[0].transport is',
    ],
    [{ ...reference, faults: [{ kind: 'drop', flow: 0, firstByte: 0, arrival: 1 }] }, 'faults[0] is'],
    [{ ...lossy, faults: [{ kind: 'drop', flow: 0, firstByte: 0, arrival: 1, of: 'ack' }] }, 'faults[0].of is'],
    [{ ...lossy, hosts: { transport: 'tolerant' } }, 'hosts.transport is a setting of fidelity standard'],
    [{ ...lossy, hosts: { reordering: 'none' } }, 'hosts.reordering is a setting of fidelity standard'],
    [{ ...reference, hosts: { reordering: 'tolerant' } }, 'hosts.reordering is a setting of fidelity standard'],
    [{ ...lossy, hosts: { tolerant: { lossTimeUs: 1 } } }, 'hosts.tolerant is a setting of fidelity standard'],
    [{ ...lossy, overrides: [{ nodes: ['h0'], host: { reordering: 'none' } }] }, 'overrides[0].host.reordering is'],
    [
      { hosts: { reordering: 'none', transport: 'irn' } },
      'hosts.transport contradicts hosts.reordering none (got "irn"); allowed: go-back-n.',
    ],
    [
      { overrides: [{ nodes: ['h0'], host: { reordering: 'tolerant', transport: 'selective-repeat' } }] },
      'overrides[0].host.transport contradicts overrides[0].host.reordering tolerant',
    ],
    [{ hosts: { tolerant: { distancePackets: -1 } } }, 'hosts.tolerant.distancePackets must be between 0 and 65,536'],
    [{ hosts: { timeout: 3, retransmitTimeoutUs: 5 } }, 'two timeouts'],
    [{ overrides: [{ nodes: ['h0'], host: { timeout: 3, retransmitTimeoutUs: 5 } }] }, 'overrides[0].host.timeout: '],
    [{ hosts: { timeout: 32 } }, 'hosts.timeout must be between 0 and 31 (got 32).'],
    [{ hosts: { retryCount: 8 } }, 'hosts.retryCount must be between 0 and 7 (got 8).'],
    [
      { hosts: { reorderingWindowPackets: 0 } },
      'hosts.reorderingWindowPackets must be between 1 and 65,536 (got 0).',
    ],
    [{ faults: [{ kind: 'drop', flow: 2, firstByte: 0, arrival: 1 }] }, 'flow of the fault'],
    [
      {
        workload: {
          kind: 'flows',
          flows: Array.from({ length: 20_000 }, () => ({ from: 'h0', to: 'h1', sizeBytes: 2 ** 40 })),
        },
        hosts: { transport: 'irn', irn: { windowBytes: 2 ** 32 - 1 } },
      },
      'memory for what transports keep',
    ],
  ])('case %#', (more, words) => {
    expect(rejection(more)).toContain(words);
  });
});

describe('Notes', () => {
  const notes = (hosts: NonNullable<ScenarioSpec['hosts']>) =>
    compileScenario(validateScenario({ ...BASE, hosts })).notes;

  it('list settings of transports that no flow uses', () => {
    expect(notes({ irn: { windowBytes: 5000 }, reorderingWindowPackets: 5 })).toEqual([
      'hosts.irn is without effect: no flow has transport irn.',
      'hosts.reorderingWindowPackets is without effect: receivers of go-back-n keep nothing.',
    ]);
    expect(notes({ transport: 'irn', timeout: 5 })).toEqual([
      expect.stringMatching(/^hosts\.timeout is without effect: all flows have transport irn/),
    ]);
    expect(notes({ transport: 'irn', retransmitTimeoutUs: 5 })[0]).toMatch(
      /^hosts\.retransmitTimeoutUs is without effect/,
    );
    expect(notes({ transport: 'selective-repeat', timeout: 5, reorderingWindowPackets: 5 })).toEqual([]);
    expect(notes({ transport: 'irn', irn: { windowBytes: 5000 }, reorderingWindowPackets: 5 })).toEqual([]);
  });
});

describe('Timeout code n', () => {
  it('is 4.096 us 2^n, and 0 means none', () => {
    const timeoutOf = (timeout: number) => compileScenario(validateScenario({ ...BASE, hosts: { timeout } })).plan;
    expect(timeoutOf(14).rules.retransmitTimeoutPs).toBe(67_108_864_000);
    expect(timeoutOf(0).rules.retransmitTimeoutPs).toBe(0);
    expect(timeoutOf(14).flows.get(0).pathTimeoutPs).toBeUndefined();
  });
});

describe('A flow whose retries are exhausted', () => {
  const failing: ScenarioSpec = {
    ...BASE,
    hosts: { timeout: 5, retryCount: 2 },
    faults: [{ kind: 'loss', between: ['h0', 's0'], share: 1, of: 'data' }],
  };

  it('is named in the result, in flows.csv and in its explanation, and the other flow completes', () => {
    const result = runScenarioSync(failing);
    expect(result.flows.map(({ failure, completionPs }) => [failure, completionPs === null])).toEqual([
      ['retry-exceeded', true],
      [undefined, false],
    ]);
    expect(flowsToCsv(result).split('\r\n')[1]).toContain('retry-exceeded');
    const why = explainResult(result).find(({ topic }) => topic === 'unfinished');
    expect(why?.answer).toMatch(
      /retries are exhausted \(retry-exceeded, hosts\.retryCount\), after 3 timeouts and 0 NAKs/,
    );
    const back = parseResultJson(resultToJson(result));
    expect(back).toEqual(result);
    expect(isHashRight(back)).toBe(true);
    const flows = back.flows.map((flow, index) => (index === 0 ? { ...flow, failure: 'other' as never } : flow));
    expect(isHashRight({ ...back, flows })).toBe(false);
  });

  it('blocks the operations of a job that depend on it, which report it', () => {
    const result = runScenarioSync({
      ...failing,
      workload: { kind: 'collective', collective: 'broadcast', by: 'binomial', sizeBytes: 10_000, hosts: ['h0', 'h1'] },
    });
    expect(result).toMatchObject({ ended: 'stuck', jobs: [{ completionPs: null }] });
    expect(result.jobs![0].waiting[0]).toMatch(/has sent its message, whose retries are exhausted \(retry-exceeded\)/);
  });

  it('blocks the flows that start after it', () => {
    const workload = { kind: 'ring-all-reduce', hosts: 3, sizeBytes: 9000 } as const;
    const result = runScenarioSync({ ...failing, workload });
    expect(result.ended).toBe('stuck');
    expect(result.flows.some(({ failure }) => failure !== undefined)).toBe(true);
    expect(result.flows.some(({ failure, completionPs }) => failure === undefined && completionPs === null)).toBe(true);
  });
});

describe('The loss reaction', () => {
  const rateAfterLoss = (hosts: NonNullable<ScenarioSpec['hosts']>, preset: string): number =>
    runScenarioSync({
      ...BASE,
      algorithms: { a: { preset } },
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h3', sizeBytes: 200_000 }] },
      hosts,
      faults: [{ kind: 'drop', flow: 0, firstByte: 10_240, arrival: 1 }],
    }).flows[0].finalRateBps ?? NaN;

  it('cnp halves the rate of DCQCN at a loss, as a CNP does, and is not the default', () => {
    for (const transport of ['go-back-n', 'selective-repeat', 'irn'] as const) {
      expect(rateAfterLoss({ transport, lossReaction: 'cnp' }, 'dcqcn-sigcomm15')).toBeLessThan(100e9);
      expect(rateAfterLoss({ transport }, 'dcqcn-sigcomm15')).toBe(100e9);
    }
  });

  it('applies once per recovery under irn, and once per gap under other transports', () => {
    const drop = (firstByte: number) => ({ kind: 'drop', flow: 0, firstByte, arrival: 1 }) as const;
    const cnpsAfter = (transport: Transport, faults: ScenarioSpec['faults']) =>
      runScenarioSync({
        ...BASE,
        workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h3', sizeBytes: 400 * 1024 }] },
        hosts: { transport, lossReaction: 'cnp' },
        faults: faults ?? [],
      }).flows[0].cnps;
    const [close, apart] = [[drop(5 * 1024), drop(8 * 1024)], [drop(5 * 1024), drop(200 * 1024)]];
    expect([cnpsAfter('irn', close), cnpsAfter('irn', apart)]).toEqual([1, 2]);
    expect([cnpsAfter('selective-repeat', close), cnpsAfter('selective-repeat', apart)]).toEqual([2, 2]);
  });

  it('algorithm lowers the rate of Swift; none, the default of irn, does not', () => {
    const [applying, ignoring] = (['algorithm', 'none'] as const).map((lossReaction) =>
      rateAfterLoss({ transport: 'selective-repeat', lossReaction }, 'swift-sigcomm20')
    );
    expect(applying).toBeLessThan(ignoring);
    expect(rateAfterLoss({ transport: 'selective-repeat' }, 'swift-sigcomm20')).toBe(applying);
    expect(rateAfterLoss({ transport: 'irn' }, 'swift-sigcomm20'))
      .toBe(rateAfterLoss({ transport: 'irn', lossReaction: 'none' }, 'swift-sigcomm20'));
    expect(rateAfterLoss({ transport: 'irn', lossReaction: 'algorithm' }, 'swift-sigcomm20'))
      .toBeLessThan(rateAfterLoss({ transport: 'irn' }, 'swift-sigcomm20'));
  });
});
