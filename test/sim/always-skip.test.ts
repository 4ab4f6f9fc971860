/**
 * MRC receivers that send ALWAYS_SKIP, `hosts.entropyStates.alwaysSkipMarks`: a flow over two paths, one of them slow.
 */
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { EcnSpec, EntropyStatesSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { readPackets } from '../support/mrc-captures.js';

const MTU = 1024;
const SLOW_GBPS = 5;

function scenario(states: EntropyStatesSpec, { packets = 1000, entropies = 8, ecn = {} }: {
  readonly packets?: number;
  readonly entropies?: number;
  readonly ecn?: EcnSpec;
} = {}): ScenarioSpec {
  return {
    name: 'a slow path',
    topology: {
      kind: 'edges',
      nodes: [
        { name: 'h0', kind: 'host' },
        { name: 'h1', kind: 'host' },
        ...['near', 'fast', 'slow', 'far'].map((name) => ({ name, kind: 'switch' as const })),
      ],
      links: [
        { from: 'h0', to: 'near', rateGbps: 50, delayNs: 500 },
        { from: 'near', to: 'fast', rateGbps: 100, delayNs: 500 },
        { from: 'near', to: 'slow', rateGbps: SLOW_GBPS, delayNs: 500 },
        { from: 'fast', to: 'far', rateGbps: 100, delayNs: 500 },
        { from: 'slow', to: 'far', rateGbps: 100, delayNs: 500 },
        { from: 'far', to: 'h1', rateGbps: 100, delayNs: 500 },
      ],
    },
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    hosts: {
      transport: 'mrc',
      mtuBytes: MTU,
      pathSelection: 'entropy-states',
      entropies,
      entropyStates: { reserve: 0, ...states },
      mrc: { reorderUs: 0 },
    },
    switches: { pfc: false, ecn: { kminKB: 2, kmaxKB: 2, pmax: 1, scaleWithRate: false, ...ecn } },
    record: { capture: ['h0:near', 'slow:far', 'far:h1', 'h1:far'] },
  };
}

interface Run {
  readonly result: SimResult;
  /** Packets of a kind at a port. */
  readonly of: (port: string, kind: PacketRecord['kind']) => PacketRecord[];
  readonly records: readonly PacketRecord[];
}

function run(spec: ScenarioSpec): Run {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  const of: Run['of'] = (name, kind) =>
    records.filter((one) => one.kind === kind && result.ports[one.port!]!.name === name);
  return { result, of, records };
}

/** The causes of the expected ALWAYS_SKIP SACKs, from the packets that reach the receiver. */
function wanted(arrivals: readonly PacketRecord[], marks: number): number[] {
  const inRow = new Map<number, number>();
  return arrivals.filter(({ sourcePort = 0, marked }) => {
    inRow.set(sourcePort, marked ? (inRow.get(sourcePort) ?? 0) + 1 : 0);
    return inRow.get(sourcePort)! >= marks;
  }).map(({ sequence }) => sequence / MTU);
}

describe('A receiver', () => {
  it.each([1, 2, 5])('sends ALWAYS_SKIP for each marked packet once %i consecutive packets of its entropy are marked',
    (alwaysSkipMarks) => {
      const { of } = run(scenario({ alwaysSkipMarks }));
      const said = of('h1:far', 'ack').filter(({ mrc }) => mrc?.alwaysSkip === true);
      expect(said.length).toBeGreaterThan(0);
      expect(said.map(({ mrc }) => mrc!.cause)).toEqual(wanted(of('far:h1', 'data'), alwaysSkipMarks));
      expect(said.every(({ mrc }) => mrc!.echo)).toBe(true);
    });

  it('restarts the count at each unmarked packet of the entropy', () => {
    // Longer queues mark more packets, so some entropies have both marked and unmarked ones.
    const { of } = run(scenario({ alwaysSkipMarks: 2 }, { ecn: { kminKB: 2, kmaxKB: 40, pmax: 1 } }));
    const said = of('h1:far', 'ack').filter(({ mrc }) => mrc?.alwaysSkip === true).map(({ mrc }) => mrc!.cause);
    const arrivals = of('far:h1', 'data');
    expect(said).toEqual(wanted(arrivals, 2));
    const [first = 0] = said;
    expect(arrivals.findIndex(({ sequence }) => sequence / MTU === first)).toBeGreaterThan(0);
  });

  it('counts up to 255 consecutive marks', () => {
    // The only entropy remains in use, and the queue that all its packets join marks them.
    const spec = scenario({ alwaysSkipMarks: 255 }, { entropies: 1, packets: 300 });
    const { of } = run({ ...spec, seed: 3 });
    const said = of('h1:far', 'ack').filter(({ mrc }) => mrc?.alwaysSkip === true).map(({ mrc }) => mrc!.cause);
    expect(said.length).toBeGreaterThan(0);
    expect(said).toEqual(wanted(of('far:h1', 'data'), 255));
  });

  it('sends no ALWAYS_SKIP by default', () => {
    const { of } = run(scenario({}));
    expect(of('h1:far', 'ack').some(({ mrc }) => mrc?.echo === true)).toBe(true);
    expect(of('h1:far', 'ack').some(({ mrc }) => mrc?.alwaysSkip !== undefined)).toBe(false);
  });
});

describe('A sender', () => {
  it('stops using a slow path at the first such SACK, and the flow ends sooner', () => {
    const { of, result } = run(scenario({ alwaysSkipMarks: 2 }));
    const skipped = new Map<number, number>();
    for (const { mrc, sourcePort = 0, timePs } of of('h1:far', 'ack'))
      if (mrc?.alwaysSkip === true && !skipped.has(sourcePort)) skipped.set(sourcePort, timePs);
    const slow = new Set(of('slow:far', 'data').map(({ sourcePort }) => sourcePort));
    expect(skipped.size).toBeGreaterThan(0);
    for (const port of skipped.keys()) expect(slow).toContain(port);
    // Four links of a SACK, 500 ns each; 118 bytes take 190 ns on the slow one, on which others may be before it.
    const RETURN_PS = 4e6;
    const late = of('h0:near', 'data').filter(({ sourcePort = 0, timePs }) =>
      timePs > (skipped.get(sourcePort) ?? Infinity) + RETURN_PS
    );
    expect(late).toEqual([]);
    expect(result.flows[0]!.completionPs).toBeLessThan(run(scenario({})).result.flows[0]!.completionPs!);
  });

  it('does not restore an entropy whose probes are acknowledged with ALWAYS_SKIP', () => {
    // Its packets are marked while the queue of the slow link is being emptied, and the probes behind them, too.
    const probing: EntropyStatesSpec = { alwaysSkipMarks: 1, probes: true, probeIntervalUs: 5, probesToReturn: 1 };
    const { of, records } = run(scenario(probing, { packets: 2000 }));
    const sacks = of('h1:far', 'ack').filter(({ mrc }) => mrc?.probe === true);
    expect(sacks.some(({ mrc }) => mrc?.alwaysSkip === true)).toBe(true);
    expect(sacks.some(({ mrc }) => mrc?.alwaysSkip !== true)).toBe(true);
    const resumed = new Map<number, number>();
    const bad = new Set<number>();
    for (const { kind, port, sourcePort = 0, timePs, mrc } of records) {
      if (kind === 'ack' && mrc?.probe === true && mrc.alwaysSkip !== true) bad.delete(sourcePort);
      else if (kind === 'ack' && mrc?.alwaysSkip === true) bad.add(sourcePort);
      else if (kind === 'data' && port === 0 && !bad.has(sourcePort)) resumed.set(sourcePort, timePs);
    }
    expect(resumed.size).toBe(8);
  });

  it('agrees in kernel and model', () => {
    for (const alwaysSkipMarks of [1, 3]) {
      for (const probes of [false, true]) {
        const states = { alwaysSkipMarks, probes, probeIntervalUs: 7, probesToReturn: 2, minActive: 2, reserve: 1 };
        const plan = planOf({ ...scenario(states), record: {} });
        if (plan === undefined) throw new Error('The scenario does not compile.');
        expectAgreement(plan);
      }
    }
  });
});

it('Captures show these SACKs with M = 2', async () => {
  const { spec, records } = { spec: scenario({ alwaysSkipMarks: 2 }, { packets: 200 }), records: [] as PacketRecord[] };
  runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  const marks = (await readPackets(spec, records)).flatMap(({ layers }) =>
    layers.flatMap((layer) => layer.kind === 'seth' ? [layer.value.mark] : [])
  );
  expect(new Set(marks)).toEqual(new Set([0, 1, 2]));
});
