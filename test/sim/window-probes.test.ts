/** Probes of a shut window, `hosts.mrc.windowProbes`: an incast of NSCC, whose windows shrink below what is in flight. */
import { describe, expect, it } from 'vitest';
import { PROBE_BYTES } from '../../src/sim/compile/packet-sizes.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/unit-sizes.js';
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

describe('Where the window shuts and nothing in flight asks for a SACK', () => {
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
    // The bottleneck is busy but for some round trips.
    const leastPs = Math.max(...flows.map(({ idealPs }) => idealPs)) * SENDERS;
    expect(Math.max(...flows.map(({ completionPs }) => completionPs ?? Infinity))).toBeLessThan(1.2 * leastPs);
  });

  it('one at a time, whose SACK has its number, and no sooner than a round trip later', () => {
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

  it('a flow that no window holds back sends none', () => {
    const spec = { ...scenario({ windowProbes: true }, 1), algorithms: { only: { preset: 'none' } } };
    expect(runScenarioSync(spec).totals).not.toHaveProperty('probes');
  });

  it.each([0, 0.5, 20])('kernel and model agree, with a reordering time of %d us', (reorderUs) => {
    const plan = planOf({ ...scenario({ windowProbes: true, reorderUs }, 6) });
    if (plan === undefined) throw new Error('The scenario does not compile.');
    expect(expectAgreement(plan).totals.probes).toBeGreaterThan(0);
  });
});
