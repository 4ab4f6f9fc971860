/**
 * What each transport retransmits, and how long it takes, on an idle star of two hosts: to the picosecond.
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

it('no loss: (n - 1) d + T under every transport', () => {
  for (const transport of ['go-back-n', 'selective-repeat', 'irn'] as const)
    expect(lossy(transport, [])).toMatchObject({ completionPs: (N - 1) * d + T, retransmittedPackets: 0 });
});

describe('One packet k of the middle lost: its NAK is back at (k + 1) d + T', () => {
  const k = 5;
  const nakPs = (k + 1) * d + T;

  it('go-back-n sends it and all behind it', () => {
    expect(lossy('go-back-n', [{ packet: k }])).toMatchObject({
      completionPs: nakPs + (N - k - 1) * d + T,
      ...packets(N - k),
      timeouts: 0,
      naks: 1,
      outOfOrderPackets: N - k - 1,
      reorderingDepthPackets: N - k - 1,
    });
  });

  it('selective-repeat sends it alone, and its ACK is that of the last packet', () => {
    expect(lossy('selective-repeat', [{ packet: k }])).toMatchObject({
      completionPs: nakPs + T,
      ...packets(1),
      timeouts: 0,
      naks: 1,
      outOfOrderPackets: N - k - 1,
      reorderingDepthPackets: N - k - 1,
    });
  });

  it('irn too, with a NAK and a SACK for each packet behind it', () => {
    expect(lossy('irn', [{ packet: k }])).toMatchObject({
      completionPs: nakPs + T,
      ...packets(1),
      timeouts: 0,
      naks: N - k - 1,
      sackedPackets: N - k - 1,
    });
  });

  it('lost twice: go-back-n and selective-repeat time out and retransmit all, irn only that packet', () => {
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

describe('Several packets lost', () => {
  it('two apart: selective-repeat learns of the second when the first is filled, irn by SACKs', () => {
    const [k, m] = [5, 12];
    const both = [{ packet: k }, { packet: m }];
    expect(lossy('selective-repeat', both)).toMatchObject({
      completionPs: (k + 1) * d + 3 * T,
      ...packets(2),
      naks: 2,
    });
    expect(lossy('irn', both)).toMatchObject({ completionPs: (m + 1) * d + 2 * T, ...packets(2), timeouts: 0 });
  });

  it('b in a row: selective-repeat takes a round trip for each, irn sends them one behind the other', () => {
    const [k, b] = [5, 4];
    const row = Array.from({ length: b }, (_, i) => ({ packet: k + i }));
    expect(lossy('selective-repeat', row)).toMatchObject({ completionPs: (k + b) * d + T + b * T, ...packets(b) });
    expect(lossy('irn', row)).toMatchObject({ completionPs: (k + b) * d + T + (b - 1) * d + T, ...packets(b) });
    expect(lossy('go-back-n', row)).toMatchObject({ completionPs: (k + b) * d + T + (N - k - 1) * d + T });
  });
});

describe('The end lost', () => {
  const progressPs = (behind: number): number => (N - 1 - behind) * d + T;

  it('last packet: a timeout from the last progress', () => {
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

  it('last five: all at once, but one by one under irn, with the high timeout while more than three are in flight', () => {
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

  it('last ACK: the last packet arrives twice', () => {
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

it('a reordering window of w: what comes w or more ahead is dropped, and retransmitted after a timeout', () => {
  const [k, w] = [5, 8];
  const filledPs = (k + 1) * d + 2 * T;
  expect(lossy('selective-repeat', [{ packet: k }], { reorderingWindowPackets: w })).toMatchObject({
    completionPs: filledPs + RTO + (N - k - w - 1) * d + T,
    beyondWindowPackets: N - k - w,
    ...packets(1 + N - k - w),
    timeouts: 1,
  });
});

it('irn has c packets in flight at most: c per round trip', () => {
  const c = 7;
  const lastPs = Math.floor((N - 1) / c) * T + ((N - 1) % c) * d;
  expect(lossy('irn', [], { irn: { windowBytes: c * MTU } }).completionPs).toBe(lastPs + T);
  expect(lossy('irn', [], { irn: { windowBytes: c * MTU - 1 } }).completionPs).toBe(lastPs + T);
});

it('irn: few packets are as many as fewPackets says', () => {
  const tail = [2, 1].map((i) => ({ packet: N - i }));
  const completionPs = (N - 3) * d + 3 * T;
  expect(lossy('irn', tail, { irn: { fewPackets: 1 } }).completionPs).toBe(completionPs + HIGH + LOW);
  expect(lossy('irn', tail, { irn: { fewPackets: 0 } }).completionPs).toBe(completionPs + 2 * HIGH);
});

describe('Long flows, whose ACKs come while they send', () => {
  const long = (transport: Transport, count: number, losses: readonly number[], hosts?: HostSpec) => {
    const spec = scenario(transport, losses.map((packet) => ({ packet })), hosts);
    const workload = { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: count * MTU }] } as const;
    return runScenarioSync({ ...spec, workload }).flows[0];
  };

  it('irn: progress shortens the wait from the high timeout to the low one', () => {
    const count = 2000;
    expect(count * d).toBeGreaterThan(LOW + us(50));
    expect(long('irn', count, [count - 1])).toMatchObject({
      completionPs: (count - 2) * d + T + LOW + T,
      ...packets(1),
      timeouts: 1,
    });
  });

  it('a slot of the ring that is reused does not count as a buffered packet', () => {
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

  it('exhausted: after 1 + retryCount timeouts the flow fails, and the run is over when its last packet is', () => {
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

  it('a NAK counts as one, but under irn', () => {
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

  it('progress resets them: three losses of one packet each, one retry', () => {
    const apart = [5, 12, 20].map((packet) => ({ packet }));
    for (const transport of ['go-back-n', 'selective-repeat'] as const)
      expect(lossy(transport, apart, { retryCount: 1 }).failure).toBeUndefined();
    const again = [{ packet: 5 }, { packet: 5, arrival: 2 }];
    expect(lossy('go-back-n', again, { retryCount: 1 }).failure).toBe('retry-exceeded');
    expect(lossy('go-back-n', again, { retryCount: 2 }).failure).toBeUndefined();
  });
});
