/**
 * The tolerant transport: retransmissions and their times on an idle star of two hosts, to the picosecond.
 *
 *   d   a data packet's time on a link        T   from the start of a packet to its ACK's arrival
 *
 * Packet i leaves at i d, and its ACK is back at i d + T, later than the last of n packets has left.
 */
import { describe, expect, it } from 'vitest';
import type { FlowResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { AlgorithmSpec, HostSpec, ScenarioSpec, TolerantSpec } from '../../src/sim/scenario/spec.js';
import { us } from '../../src/units.js';
import { d, dropsOf, type Loss, MTU, N, packets, RTO, T, TIMEOUT } from './support/idle-star.js';

interface Run {
  readonly losses?: readonly Loss[];
  readonly tolerant?: TolerantSpec;
  readonly hosts?: HostSpec;
  readonly packets?: number;
  readonly algorithm?: AlgorithmSpec;
  readonly sizeBytes?: number;
}

function scenario({ losses = [], tolerant, hosts, packets = N, algorithm = { preset: 'none' }, sizeBytes }: Run = {}) {
  const spec: ScenarioSpec = {
    name: 'losses',
    topology: { kind: 'star', hosts: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: sizeBytes ?? packets * MTU }] },
    algorithms: { only: algorithm },
    hosts: { transport: 'tolerant', timeout: TIMEOUT, ...(tolerant === undefined ? {} : { tolerant }), ...hosts },
    faults: dropsOf(losses),
  };
  return spec;
}

/** A flow's result, with omitted counters as 0. */
function flowOf(run: Run = {}): FlowResult {
  const result = runScenarioSync(scenario(run));
  expect(result.totals.packetsIn).toBe(result.totals.packetsOut + result.totals.packetsDropped);
  expect(result.totals.naks).toBe(0);
  return { retransmittedBytes: 0, duplicatePackets: 0, naks: 0, beyondWindowPackets: 0, ...result.flows[0] };
}

describe('Without a loss', () => {
  it('a flow takes as long as under go-back-N, with the same packets and bytes', () => {
    for (const sizeBytes of [1, MTU, 5 * MTU - 1, 1000 * MTU + 7]) {
      const [tolerant, goBackN] = (['tolerant', 'go-back-n'] as const).map((transport) => {
        const { flows: [flow], totals, summary } = runScenarioSync(scenario({ sizeBytes, hosts: { transport } }));
        return { flow, totals, summary };
      });
      expect(tolerant).toEqual(goBackN);
    }
    expect(flowOf()).toMatchObject({ completionPs: (N - 1) * d + T, ...packets(0) });
  });

  it('a reordering window of w packets limits the sender to w packets per round trip', () => {
    const w = 7;
    const completionPs = Math.floor((N - 1) / w) * T + ((N - 1) % w) * d + T;
    expect(flowOf({ hosts: { reorderingWindowPackets: w } })).toMatchObject({
      completionPs,
      ...packets(0),
      beyondWindowPackets: 0,
    });
  });
});

describe('A single lost packet k', () => {
  const [k, D] = [5, 8];
  const losses = [{ packet: k }];

  it('is detected by the ACK of packet k + distance, and is the only retransmission', () => {
    expect(flowOf({ losses, tolerant: { distancePackets: D } })).toMatchObject({
      completionPs: (k + D) * d + 2 * T,
      ...packets(1),
      timeouts: 0,
      naks: 0,
      sackedPackets: N - k - 1,
      outOfOrderPackets: N - k - 1,
      duplicatePackets: 0,
    });
  });

  it('is detected some time after the ACK of packet k + 1', () => {
    for (const lossTimeUs of [0.05, 3, 40]) {
      expect(flowOf({ losses, tolerant: { lossTimeUs } })).toMatchObject({
        completionPs: (k + 1) * d + us(lossTimeUs) + 2 * T,
        ...packets(1),
        timeouts: 0,
      });
    }
  });

  it('is detected by distance or time, whichever is first', () => {
    const [early, late] = [us(0.3), us(3)];
    expect(early).toBeLessThan((D - 1) * d);
    expect(late).toBeGreaterThan((D - 1) * d);
    expect(flowOf({ losses, tolerant: { distancePackets: D, lossTimeUs: 0.3 } }).completionPs)
      .toBe((k + 1) * d + early + 2 * T);
    expect(flowOf({ losses, tolerant: { distancePackets: D, lossTimeUs: 3 } })).toMatchObject({
      completionPs: (k + D) * d + 2 * T,
      ...packets(1),
    });
  });

  it('is otherwise detected by the timeout, and is still the only retransmission', () => {
    for (const tolerant of [undefined, { distancePackets: 0 }, { distancePackets: N - k }]) {
      expect(flowOf({ losses, ...(tolerant === undefined ? {} : { tolerant }) })).toMatchObject({
        completionPs: (k - 1) * d + T + RTO + T,
        ...packets(1),
        timeouts: 1,
      });
    }
  });

  it('whose retransmission is lost too is detected by a timeout from that retransmission', () => {
    expect(flowOf({ losses: [...losses, { packet: k, arrival: 2 }], tolerant: { distancePackets: D } })).toMatchObject({
      completionPs: (k + D) * d + T + RTO + T,
      ...packets(2),
      timeouts: 1,
    });
  });

  it('counts as a retry only if the timeout detects it', () => {
    const hosts = { retryCount: 0 };
    expect(flowOf({ losses, hosts, tolerant: { distancePackets: D } }).failure).toBeUndefined();
    expect(flowOf({ losses, hosts, tolerant: { lossTimeUs: 1 } }).failure).toBeUndefined();
    expect(flowOf({ losses, hosts }).failure).toBe('retry-exceeded');
  });
});

describe('Several lost packets', () => {
  it('in a row are retransmitted back to back: b packets', () => {
    const [k, b, D] = [5, 4, 8];
    const losses = Array.from({ length: b }, (_, i) => ({ packet: k + i }));
    expect(flowOf({ losses, tolerant: { distancePackets: D } })).toMatchObject({
      completionPs: (k + b - 1 + D) * d + 2 * T,
      ...packets(b),
      timeouts: 0,
    });
    // All are overtaken by packet k + b.
    expect(flowOf({ losses, tolerant: { lossTimeUs: 2 } })).toMatchObject({
      completionPs: (k + b) * d + T + us(2) + (b - 1) * d + T,
      ...packets(b),
      timeouts: 0,
    });
  });

  it('that are apart are detected at different times', () => {
    const losses = [{ packet: 5 }, { packet: 12 }];
    expect(flowOf({ losses, tolerant: { lossTimeUs: 2 } })).toMatchObject({
      completionPs: 13 * d + us(2) + 2 * T,
      ...packets(2),
    });
  });

  it('at the end of a flow, five of them, are detected by a single timeout', () => {
    const losses = [5, 4, 3, 2, 1].map((i) => ({ packet: N - i }));
    expect(flowOf({ losses, tolerant: { distancePackets: 1, lossTimeUs: 1 } })).toMatchObject({
      completionPs: (N - 6) * d + T + RTO + 4 * d + T,
      ...packets(5),
      timeouts: 1,
    });
  });
});

describe('Lost ACKs', () => {
  const [k, D] = [5, 8];
  /** The ACK of packet k + i expects k, as that of k - 1 did. */
  const ackBehind = (i: number): Loss => ({ packet: k, of: 'ack', arrival: i + 1 });

  it('delay detection to the next ACK if the one that shows the loss is lost', () => {
    expect(flowOf({ losses: [{ packet: k }, ackBehind(D)], tolerant: { distancePackets: D } })).toMatchObject({
      completionPs: (k + D + 1) * d + 2 * T,
      ...packets(1),
      sackedPackets: N - k - 1,
    });
  });

  it('have no further effect if all but the last are lost, as its bitmap covers the others', () => {
    const losses = [{ packet: k }, ...Array.from({ length: N - k - 2 }, (_, i) => ackBehind(i + 1))];
    expect(flowOf({ losses, tolerant: { distancePackets: D } })).toMatchObject({
      completionPs: (N - 1) * d + 2 * T,
      ...packets(1),
      sackedPackets: N - k - 1,
    });
  });

  it('have no effect up to 63 of them, which the next bitmap covers, and cause a spurious retransmission at 64', () => {
    const acksLost = (count: number) => [{ packet: k }, ...Array.from({ length: count }, (_, i) => ackBehind(i + 1))];
    const run: Run = { packets: 200, tolerant: { distancePackets: 64 } };
    expect(flowOf({ ...run, losses: acksLost(63) })).toMatchObject({
      completionPs: 200 * d + T,
      ...packets(1),
      duplicatePackets: 0,
    });
    expect(flowOf({ ...run, losses: acksLost(64) })).toMatchObject({ ...packets(2), duplicatePackets: 1 });
  });

  it('beyond the length of a bitmap make the sender declare the packets before it lost', () => {
    const [count, first] = [200, 120];
    const losses = [{ packet: k }, ...Array.from({ length: first - k - 1 }, (_, i) => ackBehind(i + 1))];
    const inRoundTrip = Math.ceil(T / d);
    // One after the other, until the first retransmission is acknowledged and with it all of them.
    expect(first - 70 - k).toBeLessThan(inRoundTrip);
    expect(flowOf({ losses, packets: count, tolerant: { distancePackets: 70 } })).toMatchObject({
      ...packets(inRoundTrip),
      duplicatePackets: inRoundTrip - 1,
      timeouts: 0,
    });
  });
});

it('Received bytes are not in flight, so a window does not stall at a lost packet', () => {
  const [count, k] = [300, 5];
  const run: Run = {
    packets: count,
    losses: [{ packet: k }],
    algorithm: { preset: 'dcqcn-sigcomm15', window: 'fixed' },
  };
  expect(flowOf({ ...run, losses: [] })).toMatchObject({ completionPs: (count - 1) * d + T });
  expect(flowOf(run)).toMatchObject({
    completionPs: (k - 1) * d + T + RTO + T,
    ...packets(1),
    outOfOrderPackets: count - k - 1,
  });
});

it('Slots of the rings are reused by losses far apart in a long flow', () => {
  const [count, D] = [1000, 20];
  const lost = [5, 300, 301, 640, 977];
  expect(flowOf({
    packets: count,
    losses: lost.map((packet) => ({ packet })),
    tolerant: { distancePackets: D, lossTimeUs: 50 },
    hosts: { reorderingWindowPackets: 200 },
  })).toMatchObject({
    // Each retransmission delays the packets behind it by one; that of the last one is sent after all others.
    completionPs: (977 + D + lost.length - 1) * d + 2 * T,
    ...packets(lost.length),
    timeouts: 0,
    duplicatePackets: 0,
    deliveredBytes: count * MTU,
  });
});
