/**
 * Precise flow control by ARNs inside runs (draft-hu-rtgwg-rocev2-fcn-00, section 4.1): levels, pause time, refresh, expiry,
 * resume; PFC on one side of an edge and ARNs on the other; PFC across the WAN and no flow control for comparison.
 */
import { describe, expect, test } from 'vitest';
import type { ScenarioSpec, WanFlowControlSpec, WanSpec } from '../../../src/sim/index.js';
import { lineWan, runWan, txPs, type WanRun } from './wan-runs.js';

const ARN_BYTES = 18 + 40 + 8 + 4 + 40 + 4;
const WAN_DELAY_PS = 1_000_000;
/** In a tunnel. */
const DATA_BYTES = 1146;

/** Two senders in dc0, two receivers in dc1; r0:r1 is the bottleneck of those that are led by r0. */
function held(flowControl: WanFlowControlSpec, more: Partial<ScenarioSpec> = {}, wan: WanSpec = {}): WanRun {
  return runWan(lineWan({ ...wan, flowControl }, {
    topology: {
      ...lineWan().topology,
      hostsPerLeaf: 2,
      wan: { edges: 1, routers: 2, delayNs: WAN_DELAY_PS / 1000, links: [{}, { rateGbps: 10 }, {}] },
    } as ScenarioSpec['topology'],
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h2', sizeBytes: 200 * 1024 }] },
    switches: { ecn: { enabled: false } },
    ...more,
  }));
}

const arnsOf = ({ packets }: WanRun, port: string) => packets.filter((one) => one.kind === 'arn' && one.port === port);
const dataOf = ({ packets }: WanRun, port: string) => packets.filter((one) => one.kind === 'data' && one.port === port);
const portOf = ({ result }: WanRun, name: string) => result.wan?.arnPorts?.find(({ port }) => port === name);
const expectBalance = ({ result: { totals } }: WanRun): void => {
  expect(totals.packetsIn).toBe(totals.packetsOut + totals.packetsDropped + totals.packetsInFlight);
  expect(totals.bytesIn).toBe(totals.bytesOut + totals.bytesDropped + totals.bytesInFlight);
};

describe('An ARN', () => {
  test('is sent at xoff bytes of its service in the buffer, pauses it upstream, and expires after its time', () => {
    const pausePs = 50_000_000;
    const run = held({
      kind: 'arn',
      pauseTimeUs: 50,
      refreshUs: 49,
      xoffBytes: 10 * DATA_BYTES,
      xonBytes: 0,
      resumes: false,
    });
    const into = dataOf(run, 'pe0:r0').map(({ timePs }) => timePs + txPs(DATA_BYTES) + WAN_DELAY_PS);
    const out = dataOf(run, 'r0:r1').map(({ timePs }) => timePs);
    // Bytes in the buffer: received, and not yet in transmission.
    const xoffPs = into.find((timePs, i) => i + 1 - out.filter((left) => left < timePs).length >= 10)!;
    const [first] = arnsOf(run, 'r0:pe0');
    expect(first).toMatchObject({ timePs: xoffPs, lenBytes: ARN_BYTES, arn: { key: 0, timePs: pausePs } });
    const heldPs = xoffPs + txPs(ARN_BYTES) + WAN_DELAY_PS;
    const sent = dataOf(run, 'pe0:r0').map(({ timePs }) => timePs);
    const last = sent.filter((timePs) => timePs <= heldPs).at(-1)!;
    const next = sent.find((timePs) => timePs > last)!;
    expect(next - last).toBeGreaterThan(pausePs - txPs(DATA_BYTES));
    expect(portOf(run, 'pe0:r0')!.arnsExpired).toBeGreaterThan(0);
    expect(portOf(run, 'r0:pe0')!.arnResumes).toBe(0);
    expect(run.result.ended).toBe('all-flows-done');
    expectBalance(run);
  });

  test('is repeated each refresh time during congestion, so the pause outlasts a single ARN', () => {
    const run = held({ kind: 'arn', pauseTimeUs: 10, refreshUs: 4, xoffBytes: 10 * DATA_BYTES, xonBytes: DATA_BYTES });
    const pauses = arnsOf(run, 'r0:pe0').filter(({ arn }) => arn!.timePs > 0).map(({ timePs }) => timePs);
    const resumes = arnsOf(run, 'r0:pe0').filter(({ arn }) => arn!.timePs === 0).map(({ timePs }) => timePs);
    const firstRound = pauses.filter((timePs) => timePs < resumes[0]!);
    expect(firstRound.length).toBeGreaterThan(2);
    expect(firstRound.slice(1).map((timePs, i) => timePs - firstRound[i]!)).toEqual(
      firstRound.slice(1).map(() => 4_000_000),
    );
    const upstream = portOf(run, 'pe0:r0')!;
    expect(upstream.arnsExpired).toBe(0);
    expect(upstream.heldPs).toBeGreaterThan(10_000_000);
    expect(portOf(run, 'r0:pe0')).toMatchObject({
      arnsRefreshed: pauses.length - resumes.length,
      arnResumes: resumes.length,
    });
  });

  test('resumes the service on arrival if its time is 0', () => {
    const run = held({ kind: 'arn', pauseTimeUs: 1000, xoffBytes: 10 * DATA_BYTES, xonBytes: 3 * DATA_BYTES });
    const [pause, resume] = arnsOf(run, 'r0:pe0');
    expect(resume!.arn).toEqual({ key: 0, timePs: 0 });
    const held1 = pause!.timePs + txPs(ARN_BYTES) + WAN_DELAY_PS;
    const free = resume!.timePs + txPs(ARN_BYTES) + WAN_DELAY_PS;
    const sent = dataOf(run, 'pe0:r0').map(({ timePs }) => timePs);
    expect(sent.filter((timePs) => timePs > held1 && timePs < free)).toEqual([]);
    expect(sent).toContain(free);
    expect(run.result.wan?.held?.[0]).toMatchObject({ level: 'service', name: 'default' });
  });

  test('has no further effect if it is lost, as all flows end despite losses', () => {
    const run = held({ kind: 'arn', pauseTimeUs: 50, xoffBytes: 5 * DATA_BYTES, xonBytes: 0 }, {
      faults: [{ kind: 'loss', between: ['pe0', 'r0'], share: 0.3, of: 'acks' }],
      seed: 3,
    });
    expect(run.result.totals.drops.loss).toBeGreaterThan(0);
    expect(run.result.ended).toBe('all-flows-done');
    expectBalance(run);
  });

  test('is discarded when its link fails', () => {
    const run = held({ kind: 'arn', pauseTimeUs: 100_000, xoffBytes: 5 * DATA_BYTES, xonBytes: 0, resumes: false }, {
      faults: [{ kind: 'link-down', between: ['pe0', 'r0'], fromUs: 20, toUs: 40 }],
      hosts: { retransmitTimeoutUs: 500 },
      durationUs: 20_000,
    });
    expect(portOf(run, 'pe0:r0')!.arnsExpired).toBe(0);
    expect(dataOf(run, 'pe0:r0').some(({ timePs }) => timePs > 40_000_000)).toBe(true);
    expectBalance(run);
  });
});

describe('An ARN pauses', () => {
  /** Two flows over one tunnel, or over two; the second is small, and begins while the first is held. */
  const two = (flowControl: WanFlowControlSpec, services?: WanSpec['services'],
    classes: readonly [number, number] = [3, 3]) =>
    held({ kind: 'arn', pauseTimeUs: 200, xoffBytes: 10 * DATA_BYTES, xonBytes: 0, ...flowControl }, {
      workload: {
        kind: 'flows',
        flows: [
          { from: 'h0', to: 'h2', sizeBytes: 200 * 1024, trafficClass: classes[0] },
          { from: 'h1', to: 'h3', sizeBytes: 3 * 1024, startUs: 8, trafficClass: classes[1] },
        ],
      },
    }, services === undefined ? {} : { services });
  /** Whether the second flow enters the WAN while the first is paused there. */
  const passes = (run: WanRun): boolean => {
    const begin = arnsOf(run, 'r0:pe0')[0]!.timePs + txPs(ARN_BYTES) + WAN_DELAY_PS;
    const end = dataOf(run, 'pe0:r0').find(({ flow, timePs }) => flow === 0 && timePs > begin)!.timePs;
    return dataOf(run, 'pe0:r0').some(({ flow, timePs }) => flow === 1 && timePs > begin && timePs < end);
  };

  test('a service, so that other services pass, and flows of the same one do not', () => {
    expect(passes(two({ level: 'service' }, [{ name: 'gold', hosts: ['h1'] }]))).toBe(true);
    expect(passes(two({ level: 'service' }))).toBe(false);
  });

  test('a flow, so that other flows of the same service pass', () => {
    const run = two({ level: 'flow' });
    expect(passes(run)).toBe(true);
    expect(run.result.wan?.held?.map(({ level, name }) => [level, name])).toEqual([['flow', '0']]);
  });

  test('a priority, so that other classes pass, and flows of the same one do not, whatever their service', () => {
    expect(passes(two({ level: 'priority' }, undefined, [3, 4]))).toBe(true);
    expect(passes(two({ level: 'priority' }, [{ name: 'gold', hosts: ['h1'] }]))).toBe(false);
  });
});

describe('An edge between WAN and data centre', () => {
  const small = { headroomBytes: 40_000, bufferBytes: 400_000, ecn: { enabled: false } } as const;
  const arn = { kind: 'arn', pauseTimeUs: 300, xoffBytes: 10 * DATA_BYTES, xonBytes: 0 } as const;
  const workload = { kind: 'flows', flows: [{ from: 'h0', to: 'h2', sizeBytes: 600 * 1024 }] } as const;

  test('converts ARNs to PFC if gateways do not support ARNs, hop by hop to the sender', () => {
    const run = held(arn, { switches: small, workload });
    const pausing = run.packets.filter(({ kind }) => kind === 'pause').map(({ port }) => port);
    expect(pausing).toContain('pe0:dc0.gateway');
    expect(pausing.some((port) => port.startsWith('r') || port.endsWith(':r0'))).toBe(false);
    expect(arnsOf(run, 'pe0:dc0.gateway')).toEqual([]);
    expect(run.result.totals.packetsDropped).toBe(0);
  });

  test('forwards ARNs if gateways support them, and the gateway sends PFC towards its spines', () => {
    const run = held({ ...arn, gateways: 'arn' }, { switches: small, workload });
    expect(arnsOf(run, 'pe0:dc0.gateway').length).toBeGreaterThan(0);
    const pausing = run.packets.filter(({ kind }) => kind === 'pause').map(({ port }) => port);
    expect(pausing).toContain('dc0.gateway:dc0.spine0');
    expect(pausing).not.toContain('pe0:dc0.gateway');
    expect(run.result.totals.packetsDropped).toBe(0);
  });

  test('converts PFC of the far gateway to ARNs', () => {
    const run = held(arn, {
      switches: small,
      workload,
      topology: {
        ...lineWan().topology,
        hostsPerLeaf: 2,
        wan: { edges: 1, routers: 2, delayNs: WAN_DELAY_PS / 1000 },
      } as ScenarioSpec['topology'],
      faults: [{ kind: 'slow-receiver', host: 'h2', rateGbps: 5 }],
    });
    const pausing = new Set(run.packets.filter(({ kind }) => kind === 'pause').map(({ port }) => port));
    expect(pausing).toContain('dc1.gateway:pe1');
    expect(arnsOf(run, 'pe1:r1').length).toBeGreaterThan(0);
    expect(run.result.totals.packetsDropped).toBe(0);
    expectBalance(run);
  });
});

describe('A WAN', () => {
  /** Flow 0 meets the slow link behind r0; flow 1 goes by another row of routers to another edge. */
  const bystander = (kind: 'pfc' | 'arn' | 'none') =>
    held(kind === 'arn' ? { kind, pauseTimeUs: 300, xoffBytes: 12 * DATA_BYTES, xonBytes: 4 * DATA_BYTES } : { kind }, {
      topology: {
        ...lineWan().topology,
        hostsPerLeaf: 2,
        wan: {
          edges: 2,
          routers: 1,
          delayNs: 1000,
          rateGbps: 10,
          access: { rateGbps: 100 },
          links: [{ rateGbps: 100 }, {}],
        },
      } as ScenarioSpec['topology'],
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h2', sizeBytes: 800 * 1024 }, {
          from: 'h1',
          to: 'h3',
          sizeBytes: 100 * 1024,
          startUs: 60,
        }],
      },
      switches: { headroomBytes: 60_000, bufferBytes: 500_000, ecn: { enabled: false } },
      algorithms: { none: { preset: 'none' } },
    }, { services: [{ name: 'other', hosts: ['h1'], edges: ['pe0', 'pe3'] }] });
  const completionOf = ({ result }: WanRun, flow: number) => result.flows[flow]!.completionPs!;

  test('blocks a flow behind the congested one under PFC, and not under ARNs per service', () => {
    const [pfc, arn] = [bystander('pfc'), bystander('arn')];
    expect(pfc.packets.some(({ kind, port }) => kind === 'pause' && port === 'r0:pe0')).toBe(true);
    expect(arn.packets.some(({ kind, port }) => kind === 'pause' && port === 'r0:pe0')).toBe(false);
    for (const run of [pfc, arn]) expect(run.result.totals.packetsDropped).toBe(0);
    expect(completionOf(arn, 1)).toBeLessThan(completionOf(pfc, 1));
  });

  test('loses packets without flow control when buffers are full', () => {
    const run = bystander('none');
    expect(run.packets.some(({ kind, port }) => (kind === 'pause' && port === 'r0:pe0') || kind === 'arn')).toBe(false);
    expect(run.result.totals.drops.buffer).toBeGreaterThan(0);
    expectBalance(run);
  });
});
