/** Explanations of real runs, compared with the events of the run. */
import { describe, expect, it } from 'vitest';
import { explainResult, type Explanation, type ExplanationTopic } from '../../src/sim/explain/explain.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

function run(more: Partial<ScenarioSpec>): SimResult {
  return runScenarioSync({
    name: 'incast',
    topology: { kind: 'star', hosts: 17 },
    workload: { kind: 'incast', senders: 16, sizeBytes: 1_000_000 },
    ...more,
  });
}

function about(result: SimResult, topic: ExplanationTopic): Explanation {
  const found = explainResult(result).find((explanation) => explanation.topic === topic);
  if (found === undefined) throw new Error(`nothing about ${topic}`);
  return found;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

describe('The explanation of a run', () => {
  it('names the threshold that was reached where an incast into 2 MB causes pauses', () => {
    const result = run({ switches: { bufferBytes: 2 * 2 ** 20 } });
    expect(result.totals.pauses).toBeGreaterThan(0);
    const { question, answer } = about(result, 'pause');
    expect(question).toBe('Why were pause frames sent?');
    expect(answer).toContain(`${grouped(result.totals.pauses)} pauses in all`);
    expect(answer).toMatch(/threshold there fell to [\d.]+ kB at its lowest/);
    expect(answer).toMatch(/h\d+:s0 was paused longest/);
    expect(about(result, 'work').answer).toMatch(/both did the work\. |PFC hardly fired/);
  });

  it('states how near a port came to its threshold if there was no pause, with no field missing', () => {
    const result = run({});
    const { answer, because, missing } = about(result, 'pause');
    expect([result.totals.pauses, missing]).toEqual([0, []]);
    const [held, threshold] = because.map(({ value }) => value as number);
    expect(held).toBeLessThan(threshold!);
    expect(answer).toMatch(/nearest was s0:h\d+, whose incoming frames held at most/);
  });

  it('counts no CNPs under HPCC, whose windows bound the queue', () => {
    const result = run({ algorithms: { hpcc: { preset: 'hpcc-sigcomm19' } } });
    expect(about(result, 'pause').answer).toMatch(
      /Windows hold the 16 flows through s0:h16 to [\d.]+ [kM]B of payload/,
    );
    const cnpCount = result.flows.reduce((sum, { cnps }) => sum + cnps, 0);
    expect(cnpCount).toBe(0);
    expect(about(result, 'work').answer).toMatch(/by acknowledgements \(hpcc\)/);
    expect(about(result, 'slow').answer).not.toMatch(/Its rate was cut by/);
  });

  it('names the drops without PFC and with little memory, as neither mechanism kept queues short', () => {
    const result = run({ switches: { bufferBytes: 2 ** 20, pfc: false } });
    expect(result.totals.drops.buffer).toBeGreaterThan(0);
    expect(about(result, 'pause').answer).toMatch(/^PFC is off at the only switch/);
    expect(about(result, 'loss').answer).toContain(
      `${grouped(result.totals.packetsDropped)} packets were dropped because no memory was left.`,
    );
    expect(about(result, 'loss').answer).toMatch(/Most at s0:h16 .*PFC is off at s0/);
    expect(about(result, 'work').answer).toMatch(/^Neither kept queues short enough/);
    expect(about(result, 'slow').answer).toMatch(/Packets were lost: [\d,]+ packets? retransmitted/);
  });

  it('names the link that went down, the time, and the losses that it caused', () => {
    const result = run({
      topology: { kind: 'dumbbell', left: 2, right: 2 },
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h2', sizeBytes: 20_000_000 }, { from: 'h1', to: 'h3', sizeBytes: 100_000 }],
      },
      durationUs: 3000,
      faults: [{ kind: 'link-down', between: ['s0', 's1'], fromUs: 300, toUs: 5000 }],
    });
    const { drops } = result.totals;
    const { answer } = about(result, 'unfinished');
    expect(answer).toContain('The link at s0:s1 on its path was down from 300 µs to the end of the run.');
    expect(answer).toContain(`${grouped(drops.linkDown + drops.noRoute)} packets of all flows`);
    expect(about(result, 'work').answer).toMatch(/but packets were lost otherwise/);
    expect(about(result, 'slow').question).toBe('Why was flow 1 (h1 to h3) the slowest of those that are done?');
  });

  it('names the long queue in which a short flow waited', () => {
    const result = run({
      topology: { kind: 'star', hosts: 6 },
      switches: { ecn: { enabled: false } },
      workload: [
        { kind: 'incast', senders: 4, sizeBytes: 4_000_000, to: 'h5' },
        { kind: 'flows', flows: [{ from: 'h4', to: 'h5', sizeBytes: 1000, startUs: 200 }] },
      ],
    });
    const short = result.flows.find(({ from }) => from === 'h4')!;
    const { question, answer } = about(result, 'slow');
    expect(question).toContain(`flow ${short.index} (h4 to h5)`);
    const waitedUs = Number(/a packet waited ([\d.]+) µs there/.exec(answer)?.[1]);
    expect(waitedUs).toBeGreaterThan(0.5 * (short.completionPs! - short.idealPs) / 1e6);
    expect(waitedUs).toBeLessThan(1.5 * short.completionPs! / 1e6);
  });

  it('counts the Fast CNPs that switches sent', () => {
    const result = run({ switches: { fastCnp: { enabled: true } } });
    expect(about(result, 'fast-cnp').answer).toContain(`${grouped(result.totals.fastCnps)} Fast CNPs were sent`);
    expect(about(result, 'notification').answer).toMatch(/^16 of 16 flows were notified/);
  });
});

describe('The explanation of tolerant receivers', () => {
  const lossy = (hosts: ScenarioSpec['hosts']) =>
    about(run({
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 100_000 }] },
      hosts: { reordering: 'tolerant', ...hosts },
      faults: [{ kind: 'drop', flow: 0, firstByte: 10_240, arrival: 1 }],
    }), 'loss').answer;

  it('gives the reason of a retransmission: later packets, or a timeout', () => {
    expect(lossy({ tolerant: { distancePackets: 20 } })).toContain(
      'The tolerant transport retransmitted 1 packet, after SACKs of later packets and 0 timeouts.',
    );
    expect(lossy({})).toContain('The tolerant transport retransmitted 1 packet, after 1 timeout.');
  });
});

describe('The explanation under reference-lossy', () => {
  it('gives the reason of a stuck flow: IRN with pauses has no timeout', () => {
    const result = run({
      fidelity: 'reference-lossy',
      durationUs: 3000,
      workload: { kind: 'incast', senders: 16, sizeBytes: 200_000 },
      algorithms: { none: { preset: 'none' } },
      hosts: { transport: 'irn' },
      switches: { bufferBytes: 2 ** 20, ecn: { enabled: false } },
    });
    expect(about(result, 'unfinished').answer).toMatch(/IRN has no timeout where a switch sends pauses/);
    expect(about(result, 'loss').answer).toMatch(/IRN retransmitted \d+ packets/);
  });
});
