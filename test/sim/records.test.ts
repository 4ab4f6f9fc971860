/** What a run records on request: pauses, and lengths of queues. */
import { describe, expect, it } from 'vitest';
import { compileScenario, runScenarioSync, SimKernel, validateScenario,
  type ScenarioSpec } from '../../src/sim/index.js';

const INCAST: ScenarioSpec = {
  name: 'pauses',
  topology: { kind: 'star', hosts: 9 },
  workload: { kind: 'incast', senders: 8, sizeBytes: 500_000 },
  switches: { bufferBytes: 1_200_000, ecn: { enabled: false } },
  durationUs: 200,
};

describe('Records of pauses', () => {
  it.each<[string, ScenarioSpec]>([
    ['of a run to its end', { ...INCAST, durationUs: 10_000 }],
    ['of a run that ends before', INCAST],
    ['when a link fails', {
      ...INCAST,
      faults: [{ kind: 'link-down', between: ['h0', 's0'], fromUs: 60, toUs: 100 }],
    }],
  ])('%s: add up to the paused time of each port', (_, scenario) => {
    const { pauses = [], ports, totals } = runScenarioSync({ ...scenario, record: { pauses: true } });
    expect(totals.pauses).toBeGreaterThan(0);
    const lasted = new Map<string, number>();
    for (const { port, fromPs, toPs } of pauses) lasted.set(port, (lasted.get(port) ?? 0) + toPs - fromPs);
    expect([...lasted].filter(([, time]) => time > 0)).toEqual(
      expect.arrayContaining(
        ports.filter(({ pausedPs }) => pausedPs > 0).map(({ name, pausedPs }) => [name, pausedPs]),
      ),
    );
    expect(pauses.map(({ fromPs }) => fromPs)).toEqual(pauses.map(({ fromPs }) => fromPs).sort((a, b) => a - b));
  });

  it('contain the reason for the end of each pause', () => {
    const { pauses = [] } = runScenarioSync({
      ...INCAST,
      faults: [{ kind: 'link-down', between: ['h0', 's0'], fromUs: 60, toUs: 100 }],
      record: { pauses: true },
    });
    expect(new Set(pauses.map(({ endedBy }) => endedBy))).toEqual(new Set(['resume', 'lapse', 'run-end']));
    expect(pauses.filter(({ endedBy }) => endedBy === 'lapse')).toMatchObject([{ port: 'h0:s0', toPs: 60e6 }]);
  });

  it('are recorded only on request, and do not affect the run', () => {
    const [kept, unasked] = [runScenarioSync({ ...INCAST, record: { pauses: true } }), runScenarioSync(INCAST)];
    expect(unasked.pauses).toBeUndefined();
    expect(kept.flows).toEqual(unasked.flows);
  });
});

describe('A poll of many ports', () => {
  const lookOf = (kernel: SimKernel, ports: Int32Array, timePs: number) => {
    const values = () => new Float64Array(ports.length);
    const look = { queueBytes: values(), busyPs: values(), mostQueueBytes: values() };
    kernel.drainPorts(ports, timePs, look);
    return look;
  };

  it('matches single reads, with the maximum since the previous poll', () => {
    const { plan } = compileScenario(validateScenario(INCAST));
    const kernel = new SimKernel(plan);
    const ports = Int32Array.from(plan.ports.keys()).reverse();
    let mostBytes = 0;
    for (let timePs = 1e6; timePs <= 100e6; timePs += 1e6) {
      expect(kernel.run(timePs, 2 ** 30)).toBe('reached');
      const look = lookOf(kernel, ports, timePs);
      const sample = { queueBytes: new Float64Array(ports.length), busyPs: new Float64Array(ports.length) };
      kernel.readPorts(timePs, sample);
      ports.forEach((port, place) => {
        expect(look.queueBytes[place]).toBe(kernel.queueBytes(port));
        expect(sample.queueBytes[port]).toBe(kernel.queueBytes(port));
        expect(look.busyPs[place]).toBe(sample.busyPs[port]);
        expect(look.mostQueueBytes[place]).toBeGreaterThanOrEqual(look.queueBytes[place]!);
      });
      mostBytes = Math.max(mostBytes, ...look.mostQueueBytes);
      expect(lookOf(kernel, ports, timePs).mostQueueBytes).toEqual(look.queueBytes);
    }
    expect(mostBytes).toBe(Math.max(...Array.from(ports, (port) => kernel.port(port).maxQueueBytes)));
    expect(mostBytes).toBeGreaterThan(0);
  });

  it('rejects unknown ports, and arrays that are too small', () => {
    const kernel = new SimKernel(compileScenario(validateScenario(INCAST)).plan);
    expect(() => lookOf(kernel, Int32Array.of(0, -1), 0)).toThrow(/ports/);
    const [queueBytes, busyPs, mostQueueBytes] = [new Float64Array(1), new Float64Array(2), new Float64Array(2)];
    expect(() => kernel.drainPorts(Int32Array.of(0, 1), 0, { queueBytes, busyPs, mostQueueBytes })).toThrow(
      /into.queueBytes/,
    );
    expect(() => kernel.readPorts(0, { queueBytes, busyPs })).toThrow(/into.queueBytes/);
  });
});

describe('The histogram of queues', () => {
  it('counts each poll once for each switch port with a queue', () => {
    const queueHistogram = { fromUs: 10, toUs: 30, everyUs: 0.5 };
    const { queueHistogram: got } = runScenarioSync({ ...INCAST, record: { queueHistogram } });
    expect(got?.polls).toBe(41);
    expect(Object.keys(got!.ports)).toEqual(['s0:h8']);
    expect(got!.ports['s0:h8']!.reduce((sum, count) => sum + count, 0)).toBe(41);
  });

  it('is complete without traffic, and does not affect the run', () => {
    const queueHistogram = { fromUs: 0, toUs: 200, everyUs: 1 };
    const [counted, unasked] = [runScenarioSync({ ...INCAST, record: { queueHistogram } }), runScenarioSync(INCAST)];
    expect(counted.flows).toEqual(unasked.flows);
    expect(counted.events).toBe(unasked.events + counted.queueHistogram!.polls);
  });

  it.each([
    [{ fromUs: 5, toUs: 4 }, 'record.queueHistogram.toUs'],
    [{ fromUs: 0, toUs: 2e6 }, 'at most 10,000,000'],
  ])('is rejected with %j', (queueHistogram, why) => {
    expect(() => runScenarioSync({ ...INCAST, record: { queueHistogram } })).toThrow(why);
  });
});
