/**
 * Retransmissions and times of each transport on an idle star of two hosts, to the picosecond.
 *
 *   d   a data packet's time on a link        T   from the start of a packet to its ACK's arrival
 *
 * Packet i leaves at i d, as all n leave before the first ACK is back. Without a loss the flow takes (n - 1) d + T.
 */
import { describe, expect, it } from 'vitest';
import type { FlowResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, ScenarioSpec, Transport } from '../../src/sim/scenario/spec.js';
import { us } from '../../src/units.js';
import { d, dropsOf, type Loss, MTU, N, packets, RTO, T, TIMEOUT } from './support/idle-star.js';

const [LOW, HIGH] = [us(100), us(320)];

function scenario(transport: Transport, losses: readonly Loss[], hosts: HostSpec = {}): ScenarioSpec {
  return {
    name: 'losses',
    topology: { kind: 'star', hosts: 2 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: N * MTU }] },
    algorithms: { none: { preset: 'none' } },
    hosts: { transport, ...(transport === 'irn' ? {} : { timeout: TIMEOUT }), ...hosts },
    faults: dropsOf(losses),
  };
}

function lossy(transport: Transport, losses: readonly Loss[], hosts?: HostSpec): FlowResult {
  const result = runScenarioSync(scenario(transport, losses, hosts));
  expect(result.totals.packetsIn).toBe(result.totals.packetsOut + result.totals.packetsDropped);
  return result.flows[0];
}

it('Without a loss a flow takes (n - 1) d + T under every transport', () => {
  for (const transport of ['go-back-n', 'selective-repeat', 'irn'] as const)
    expect(lossy(transport, [])).toMatchObject({ completionPs: (N - 1) * d + T, retransmittedPackets: 0 });
});

describe('One lost packet k in mid-flow, whose NAK is back at (k + 1) d + T', () => {
  const k = 5;
  const nakPs = (k + 1) * d + T;

  it('makes go-back-n retransmit it and all packets after it', () => {
    expect(lossy('go-back-n', [{ packet: k }])).toMatchObject({
      completionPs: nakPs + (N - k - 1) * d + T,
      ...packets(N - k),
      timeouts: 0,
      naks: 1,
      outOfOrderPackets: N - k - 1,
      reorderingDepthPackets: N - k - 1,
    });
  });

  it('makes selective-repeat retransmit it alone, and the next ACK is that of the last packet', () => {
    expect(lossy('selective-repeat', [{ packet: k }])).toMatchObject({
      completionPs: nakPs + T,
      ...packets(1),
      timeouts: 0,
      naks: 1,
      outOfOrderPackets: N - k - 1,
      reorderingDepthPackets: N - k - 1,
    });
  });

  it('makes irn retransmit it alone, after a NAK and a SACK for each packet behind it', () => {
    expect(lossy('irn', [{ packet: k }])).toMatchObject({
      completionPs: nakPs + T,
      ...packets(1),
      timeouts: 0,
      naks: N - k - 1,
      sackedPackets: N - k - 1,
    });
  });

  it('lost twice makes go-back-n and selective-repeat time out and retransmit all, and irn only that packet', () => {
    const twice = [{ packet: k }, { packet: k, arrival: 2 }];
    expect(lossy('go-back-n', twice)).toMatchObject({
      completionPs: nakPs + RTO + (N - k - 1) * d + T,
      ...packets(2 * (N - k)),
      timeouts: 1,
    });
    expect(lossy('selective-repeat', twice)).toMatchObject({
      completionPs: nakPs + RTO + T,
      ...packets(1 + N - k),
      timeouts: 1,
      duplicatePackets: N - k - 1,
    });
    expect(lossy('irn', twice)).toMatchObject({ completionPs: nakPs + HIGH + T, ...packets(2), timeouts: 1 });
  });
});

describe('Several lost packets', () => {
  it('that are apart are detected one after the other by selective-repeat, and at once by irn', () => {
    const [k, m] = [5, 12];
    const both = [{ packet: k }, { packet: m }];
    expect(lossy('selective-repeat', both)).toMatchObject({
      completionPs: (k + 1) * d + 3 * T,
      ...packets(2),
      naks: 2,
    });
    expect(lossy('irn', both)).toMatchObject({ completionPs: (m + 1) * d + 2 * T, ...packets(2), timeouts: 0 });
  });

  it('in a row take a round trip each under selective-repeat, and are sent back to back under irn: b packets', () => {
    const [k, b] = [5, 4];
    const row = Array.from({ length: b }, (_, i) => ({ packet: k + i }));
    expect(lossy('selective-repeat', row)).toMatchObject({ completionPs: (k + b) * d + T + b * T, ...packets(b) });
    expect(lossy('irn', row)).toMatchObject({ completionPs: (k + b) * d + T + (b - 1) * d + T, ...packets(b) });
    expect(lossy('go-back-n', row)).toMatchObject({ completionPs: (k + b) * d + T + (N - k - 1) * d + T });
  });
});

describe('A loss at the end', () => {
  const progressPs = (behind: number): number => (N - 1 - behind) * d + T;

  it('of the last packet takes a timeout, counted from the last progress', () => {
    const last = [{ packet: N - 1 }];
    for (const transport of ['go-back-n', 'selective-repeat'] as const) {
      expect(lossy(transport, last)).toMatchObject({
        completionPs: progressPs(1) + RTO + T,
        ...packets(1),
        timeouts: 1,
      });
    }
    expect(lossy('irn', last)).toMatchObject({ completionPs: progressPs(1) + LOW + T, ...packets(1), timeouts: 1 });
  });

  it('of five packets takes one timeout, and under irn one for each, high while more than three are in flight', () => {
    const tail = [5, 4, 3, 2, 1].map((i) => ({ packet: N - i }));
    for (const transport of ['go-back-n', 'selective-repeat'] as const) {
      expect(lossy(transport, tail)).toMatchObject({
        completionPs: progressPs(5) + RTO + 4 * d + T,
        ...packets(5),
        timeouts: 1,
      });
    }
    expect(lossy('irn', tail)).toMatchObject({
      completionPs: progressPs(5) + 2 * HIGH + 3 * LOW + 5 * T,
      ...packets(5),
      timeouts: 5,
    });
  });

  it('of the last ACK makes the last packet arrive twice', () => {
    const ack: Loss[] = [{ packet: N, of: 'ack' }];
    for (const transport of ['go-back-n', 'selective-repeat'] as const) {
      expect(lossy(transport, ack)).toMatchObject({
        completionPs: progressPs(1) + RTO + T,
        ...packets(1),
        duplicatePackets: 1,
      });
    }
    expect(lossy('irn', ack)).toMatchObject({ completionPs: progressPs(1) + LOW + T, duplicatePackets: 1 });
  });
});

it('Packets beyond a reordering window of w are dropped, and retransmitted after a timeout', () => {
  const [k, w] = [5, 8];
  const filledPs = (k + 1) * d + 2 * T;
  expect(lossy('selective-repeat', [{ packet: k }], { reorderingWindowPackets: w })).toMatchObject({
    completionPs: filledPs + RTO + (N - k - w - 1) * d + T,
    beyondWindowPackets: N - k - w,
    ...packets(1 + N - k - w),
    timeouts: 1,
  });
});

it('irn has at most c packets in flight, so it sends c per round trip', () => {
  const c = 7;
  const lastPs = Math.floor((N - 1) / c) * T + ((N - 1) % c) * d;
  expect(lossy('irn', [], { irn: { windowBytes: c * MTU } }).completionPs).toBe(lastPs + T);
  expect(lossy('irn', [], { irn: { windowBytes: c * MTU - 1 } }).completionPs).toBe(lastPs + T);
});

it('irn uses the low timeout for as many packets in flight as fewPackets', () => {
  const tail = [2, 1].map((i) => ({ packet: N - i }));
  const completionPs = (N - 3) * d + 3 * T;
  expect(lossy('irn', tail, { irn: { fewPackets: 1 } }).completionPs).toBe(completionPs + HIGH + LOW);
  expect(lossy('irn', tail, { irn: { fewPackets: 0 } }).completionPs).toBe(completionPs + 2 * HIGH);
});

describe('Long flows, whose ACKs arrive while they send', () => {
  const long = (transport: Transport, count: number, losses: readonly number[], hosts?: HostSpec) => {
    const spec = scenario(transport, losses.map((packet) => ({ packet })), hosts);
    const workload = { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: count * MTU }] } as const;
    return runScenarioSync({ ...spec, workload }).flows[0];
  };

  it('shorten the wait from the high timeout to the low one at progress under irn', () => {
    const count = 2000;
    expect(count * d).toBeGreaterThan(LOW + us(50));
    expect(long('irn', count, [count - 1])).toMatchObject({
      completionPs: (count - 2) * d + T + LOW + T,
      ...packets(1),
      timeouts: 1,
    });
  });

  it('do not count a reused slot of the ring as a buffered packet', () => {
    const count = 300;
    const [repeated, irn] = (['selective-repeat', 'irn'] as const).map((transport) =>
      long(transport, count, [5, 100, 199], { reorderingWindowPackets: 60 })
    );
    for (const flow of [repeated, irn])
      expect(flow).toMatchObject({ ...packets(3), timeouts: 0, deliveredBytes: count * MTU });
    // Each packet that is retransmitted delays the others by one; under irn the cap holds them back as well.
    expect(repeated.completionPs).toBe((count + 2) * d + T);
    expect(irn.completionPs).toBeGreaterThan((count + 2) * d + T);
  });
});

describe('Retries', () => {
  const never: ScenarioSpec['faults'] = [{ kind: 'loss', between: ['h0', 's0'], share: 1, of: 'data' }];
  const fails = (transport: Transport, hosts: HostSpec) => {
    const result = runScenarioSync({ ...scenario(transport, [], hosts), faults: never });
    return { ...result.flows[0], ended: result.ended, simulatedPs: result.simulatedPs, summary: result.summary };
  };

  it('are exhausted after 1 + retryCount timeouts: the flow fails, and the run ends with its last packet', () => {
    for (const transport of ['go-back-n', 'selective-repeat'] as const) {
      expect(fails(transport, { retryCount: 3 })).toMatchObject({
        failure: 'retry-exceeded',
        completionPs: null,
        timeouts: 4,
        ...packets(3 * N),
        ended: 'stuck',
        simulatedPs: 4 * RTO,
        summary: { flowsDone: 0, flowsUnfinished: 1 },
      });
    }
    expect(fails('irn', { retryCount: 3 })).toMatchObject({ timeouts: 4, ...packets(3), simulatedPs: 4 * HIGH });
  });

  it('count a NAK, except under irn', () => {
    const none = { retryCount: 0 };
    for (const transport of ['go-back-n', 'selective-repeat'] as const) {
      expect(lossy(transport, [{ packet: 5 }], none)).toMatchObject({
        failure: 'retry-exceeded',
        naks: 1,
        timeouts: 0,
      });
    }
    expect(lossy('irn', [{ packet: 5 }], none)).toMatchObject({ naks: N - 6, timeouts: 0 });
    expect(lossy('irn', [{ packet: 5 }], none).failure).toBeUndefined();
  });

  it('are reset by progress: three single losses need one retry', () => {
    const apart = [5, 12, 20].map((packet) => ({ packet }));
    for (const transport of ['go-back-n', 'selective-repeat'] as const)
      expect(lossy(transport, apart, { retryCount: 1 }).failure).toBeUndefined();
    const again = [{ packet: 5 }, { packet: 5, arrival: 2 }];
    expect(lossy('go-back-n', again, { retryCount: 1 }).failure).toBe('retry-exceeded');
    expect(lossy('go-back-n', again, { retryCount: 2 }).failure).toBeUndefined();
  });
});
