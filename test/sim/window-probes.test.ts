/** Probes of a shut window, `hosts.mrc.windowProbes`: an incast of NSCC, whose windows shrink below what is in flight. */
import { describe, expect, it } from 'vitest';
import { PROBE_BYTES } from '../../src/sim/compile/packet-sizes.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const SENDERS = 8;
const TIMEOUT_US = 4000;
/** Two links there and back, 1 us each. */
const LEAST_RTT_PS = 4 * PS_PER_US;

function scenario(mrc: MrcSpec, senders = SENDERS): ScenarioSpec {
  return {
    name: 'an incast of NSCC',
    topology: { kind: 'star', hosts: senders + 1, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'incast', senders, sizeBytes: 300 * 1024 },
    algorithms: { only: { preset: 'nscc-mrc' } },
    switches: { pfc: false, trimming: { trimmedQueueBytes: 1e6 } },
    hosts: { transport: 'mrc', mtuBytes: 1024, retransmitTimeoutUs: TIMEOUT_US, mrc },
  };
}

function run(mrc: MrcSpec): { readonly result: SimResult; readonly records: readonly PacketRecord[] } {
  const records: PacketRecord[] = [];
  const spec = { ...scenario(mrc), record: { capture: ['h0:s0', 's0:h0'] } };
  return { result: runScenarioSync(spec, { onPackets: (some) => void records.push(...some) }), records };
}

const lastPs = ({ flows }: SimResult): number => Math.max(...flows.map(({ completionPs }) => completionPs ?? Infinity));

describe('When the window is full and nothing in flight requests a SACK', () => {
  it('a flow without probes waits for its timeout', () => {
    const { result } = run({});
    expect(result.totals.timeouts).toBeGreaterThan(0);
    expect(lastPs(result)).toBeGreaterThan(TIMEOUT_US * PS_PER_US);
    expect(result.totals).not.toHaveProperty('probes');
    expect(run({ windowProbes: false }).result.flows).toEqual(result.flows);
  });

  it('a probe replaces the timeout', () => {
    const { totals, flows } = run({ windowProbes: true }).result;
    expect(totals.timeouts).toBe(0);
    expect(totals.probes).toBeGreaterThan(0);
    expect([totals.probesAcknowledged, totals.probesLost]).toEqual([totals.probes, 0]);
    // The bottleneck is busy except for a few round trips.
    const leastPs = Math.max(...flows.map(({ idealPs }) => idealPs)) * SENDERS;
    expect(Math.max(...flows.map(({ completionPs }) => completionPs ?? Infinity))).toBeLessThan(1.2 * leastPs);
  });

  it('each probe has a number that its SACK repeats, and follows the previous one after at least a round trip', () => {
    const { records } = run({ windowProbes: true });
    const probes = records.filter(({ kind }) => kind === 'probe');
    expect(probes.length).toBeGreaterThan(0);
    for (const [i, probe] of probes.entries()) {
      expect(probe.lenBytes).toBe(PROBE_BYTES);
      expect(probe.mrc?.cause).toBe(0x8001 + i);
      const sacks = records.filter(({ kind, mrc }) =>
        kind === 'ack' && mrc?.probe === true && mrc.cause === 0x8001 + i
      );
      expect(sacks).toHaveLength(1);
      expect(sacks[0]!.timePs - probe.timePs).toBeGreaterThan(LEAST_RTT_PS / 2);
      const next = probes[i + 1];
      if (next !== undefined) expect(next.timePs - probe.timePs).toBeGreaterThan(LEAST_RTT_PS);
    }
  });

  it('a flow that no window limits sends no probes', () => {
    const spec = { ...scenario({ windowProbes: true }, 1), algorithms: { only: { preset: 'none' } } };
    expect(runScenarioSync(spec).totals).not.toHaveProperty('probes');
  });

  it.each([0, 0.5, 20])('kernel and model agree, with a reordering time of %d us', (reorderUs) => {
    const plan = planOf({ ...scenario({ windowProbes: true, reorderUs }, 6) });
    if (plan === undefined) throw new Error('The scenario does not compile.');
    expect(expectAgreement(plan).totals.probes).toBeGreaterThan(0);
  });
});

describe('The SACK of a probe that a later probe has replaced', () => {
  const DELAY_NS = 500;

  /** A range that shrinks and grows, over a path of 2 us and one of 41 us, so that SACKs of later packets overtake those of probes. */
  function overTwoPaths(seed: number): ScenarioSpec {
    const paths = [['near', DELAY_NS], ['long', 20_000]] as const;
    return {
      name: 'probes overtaken',
      seed,
      topology: {
        kind: 'edges',
        nodes: [
          ...['left', 'right', 'near', 'long'].map((name) => ({ name, kind: 'switch' as const })),
          ...['h0', 'h1'].map((name) => ({ name, kind: 'host' as const })),
        ],
        links: [
          { from: 'h0', to: 'left', delayNs: DELAY_NS },
          { from: 'h1', to: 'right', delayNs: DELAY_NS },
          ...paths.flatMap(([to, delayNs]) => ['left', 'right'].map((from) => ({ from, to, delayNs }))),
        ],
      },
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 8000 * 256 }] },
      algorithms: { only: { preset: 'none' } },
      switches: { pfc: false, ecn: false },
      hosts: {
        transport: 'mrc',
        mtuBytes: 256,
        retransmitTimeoutUs: 2000,
        reorderingWindowPackets: 2048,
        pathSelection: 'oblivious',
        entropies: 2,
        mrc: { dynamicRange: true, receiverRangePackets: 2048, windowProbes: true, sackBytes: 30_000, reorderUs: 0 },
      },
      changes: Array.from({ length: 40 }, (_, i) => ({
        atUs: 10 * (i + 1),
        set: { 'hosts.mrc.receiverRangePackets': i % 2 === 0 ? 128 : 2048 },
      })),
      record: { capture: ['h0:left', 'left:h0'] },
    };
  }

  it.each([4, 5, 8])('does not count, and the earlier probe is lost: seed %i', (seed) => {
    const records: PacketRecord[] = [];
    const { totals } = runScenarioSync(overTwoPaths(seed), { onPackets: (some) => void records.push(...some) });
    const events = records.filter(({ kind, mrc }) => kind === 'probe' || (kind === 'ack' && mrc?.probe === true))
      .map(({ kind, timePs, lenBytes, mrc }) => ({
        isProbe: kind === 'probe',
        id: mrc!.cause,
        atPs: kind === 'probe' ? timePs : timePs + 80 * (lenBytes + 20) + 1000 * DELAY_NS,
      })).sort((a, b) => a.atPs - b.atPs);
    let awaited: number | undefined;
    let [acknowledged, lost] = [0, 0];
    for (const { isProbe, id } of events) {
      if (isProbe) {
        lost += Number(awaited !== undefined);
        awaited = id;
      } else if (id === awaited) {
        acknowledged++;
        awaited = undefined;
      }
    }
    expect(lost).toBeGreaterThan(0);
    expect(totals).toMatchObject({ probes: acknowledged + lost, probesAcknowledged: acknowledged, probesLost: lost });
  });
});
