/** Default timeouts expire only after a loss; others are reported if nothing was lost. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

/** Without marks a queue of megabytes builds up at a port of 10 Gb/s: a packet waits milliseconds there. */
const scenario = (hosts: HostSpec, more: Partial<ScenarioSpec> = {}): ScenarioSpec => ({
  name: 'a long queue and no loss',
  topology: { kind: 'star', hosts: 10, rateGbps: 10 },
  workload: [
    { kind: 'incast', senders: 8, sizeBytes: 500_000 },
    { kind: 'flows', startUs: 300, flows: [{ from: 'h8', to: 'h9', sizeBytes: 50_000 }] },
  ],
  switches: { ecn: { enabled: false } },
  hosts,
  ...more,
});

describe('The retransmission timeout', () => {
  it('never expires by default on a lossless network, however long the queues', () => {
    const { totals, notes } = runScenarioSync(scenario({}));
    expect([totals.packetsDropped, totals.timeouts, totals.retransmittedPackets]).toEqual([0, 0, 0]);
    expect(notes.filter((note) => note.includes('timer'))).toEqual([]);
  });

  it('expires as configured even without a loss, which a note and the explanation state', () => {
    const result = runScenarioSync(scenario({ retransmitTimeoutUs: 500 }));
    expect(result.totals.packetsDropped).toBe(0);
    expect(result.totals.timeouts).toBeGreaterThan(0);
    expect(result.notes).toContainEqual(expect.stringMatching(/^Retransmission timers? ran out.*no packet was lost/));
    const answers = explainResult(result).map(({ answer }) => answer).join('\n');
    expect(answers).not.toContain('Packets were lost');
    expect(answers).toContain('although none was lost');
  });

  it('still detects losses by default', () => {
    const faults: ScenarioSpec['faults'] = [{ kind: 'loss', between: ['h0', 's0'], share: 0.1, of: 'data' }];
    const { totals, flows } = runScenarioSync(scenario({}, { faults }));
    expect(totals.packetsDropped).toBeGreaterThan(0);
    expect(totals.timeouts).toBeGreaterThan(0);
    expect(flows.every(({ completionPs }) => completionPs !== null)).toBe(true);
  });

  it('is a step of 4.096 us 2^n above the longest queueing on the path', () => {
    const { plan } = compileScenario(validateScenario(scenario({})));
    // 32 MiB at 10 Gb/s are 26.8 ms.
    expect(plan.flows.get(0).pathTimeoutPs).toBe(4_096_000 * 2 ** 13);
    const given = compileScenario(validateScenario(scenario({ retransmitTimeoutUs: 500 }))).plan;
    expect(given.flows.get(0).pathTimeoutPs).toBeUndefined();
  });
});

describe('The longest queue per interval', () => {
  it('is recorded with the samples, matches the maximum of the run, and is not hashed', () => {
    const result = runScenarioSync({ ...scenario({}), record: { intervalUs: 50, maxSamples: 10 } });
    const { mostQueueBytes = {}, queueBytes } = result.series;
    const most = mostQueueBytes['s0:h9']!;
    expect(Math.max(...most)).toBe(result.summary.maxQueueBytes);
    expect(most.every((bytes, sample) => bytes >= queueBytes['s0:h9']![sample]!)).toBe(true);
    expect(most).not.toEqual(queueBytes['s0:h9']);
  });
});
