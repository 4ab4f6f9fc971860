/**
 * Corners of runs of uet-htsim that random networks seldom reach: limits met to the picosecond or byte, sums beyond 32 bits, the end of
 * the kernel's memory. The kernel equals the readable model in every column, and both equal what is computed by hand.
 */
import { describe, expect, it } from 'vitest';
import { runUetReference, type UetFlowResult, type UetResult } from '../../src/uet/index.js';
import { differencesOf, outcomeOf } from '../support/uet-agreement.js';

/** Eight hosts below two leaves, 1 µs per link, 100 Gb/s. */
const TREE = `Nodes 8
Tiers 2
Podsize 8

Tier 0
Downlink_speed_Gbps 100
Radix_Down 4
Radix_Up 4
Downlink_Latency_ns 1000

Tier 1
Downlink_speed_Gbps 100
Radix_Down 2
Downlink_Latency_ns 1000
`;
/** One way between hosts of different leaves, links. */
const HOPS = 4;

/** Runs flows by the kernel and by the model, which agree. @param flows `from->to start µs size bytes`. */
function runBoth(argv: readonly string[], flows: readonly string[], topology = TREE): UetResult {
  const matrix = `Nodes 8\nConnections ${flows.length}\n${flows.join('\n')}\n`;
  const run = {
    argv: ['-tm', 'conn.cm', '-topo', 'topo.topo', '-sender_cc_only', ...argv],
    read: (file: string) => (file === 'conn.cm' ? matrix : topology),
  };
  const model = outcomeOf(run, 'model');
  expect(differencesOf(outcomeOf(run, 'kernel'), model)).toEqual([]);
  if (typeof model === 'string') throw new Error(model);
  return model;
}

/** The one flow of a run, between leaves. */
function runAlone(argv: readonly string[], sizeBytes: number, startUs = 0): UetFlowResult {
  return runBoth(argv, [`0->4 start ${startUs} size ${sizeBytes}`]).flows[0]!;
}

describe('NSCC, its limits met to the picosecond', () => {
  /**
   * NICs of 200 Gb/s at links of 100: the round trip of a packet takes 4 (mtu + 64) 40 ps more than the base, which reckons with the NIC's
   * rate. 6,186 bytes make that 1 µs.
   */
  const MTU = 6186;
  const PAYLOAD = MTU - 64;
  const delayed = (mtuBytes: number, ...argv: string[]): string[] =>
    ['-linkspeed', '200000', '-mtu', String(mtuBytes), '-cwnd', '1', '-q', '100', ...argv];
  const RTT_PS = 2 * HOPS * 1e6 + HOPS * (MTU + 64) * 40;
  /** Bandwidth-delay products of 150,000 bytes. */
  const SCALE = Math.trunc((RTT_PS / 1e12) * 25e9) / 150_000;

  it('a delay of exactly the target is late', () => {
    const flow = runAlone(delayed(MTU, '-target_q_delay', '1'), PAYLOAD, 100);
    const increase = Math.trunc(5 * PAYLOAD * SCALE * MTU);
    const windowBytes = MTU + Math.trunc(increase / MTU);
    expect(flow).toMatchObject({
      prop_inc: 0,
      fair_inc: Math.trunc(increase / windowBytes),
      final_cwnd: Math.trunc(windowBytes + 0.15 * PAYLOAD * SCALE),
    });
    const early = runAlone(delayed(MTU, '-target_q_delay', '1.000002'), PAYLOAD, 100);
    expect(early.fair_inc).toBe(0);
  });

  it('a delay of exactly 1 µs ends the window without delay', () => {
    const target = ['-target_q_delay', '1.000002'];
    expect(runAlone(delayed(MTU, ...target), 3 * PAYLOAD).fast_inc).toBe(0);
    const shorter = MTU - 1;
    expect(runAlone(delayed(shorter, ...target), 3 * (shorter - 64)).fast_inc).toBeGreaterThan(0);
  });
});

describe('NSCC, a window without delay', () => {
  it('begins again after a marked and late ACK', () => {
    for (const startUs of [40, 50, 60]) {
      const crossing = [startUs, startUs + 20, startUs + 40].map((us) => `1->4 start ${us} size 60000`);
      const { flows: [flow] } = runBoth(
        ['-mtu', '4160', '-cwnd', '4', '-target_q_delay', '0.2', '-ecn', '0', '0', '-sack_threshold', '0'],
        ['0->4 start 0 size 1500000', ...crossing],
      );
      expect(flow!.fast_inc).toBeGreaterThan(0);
      expect(flow!.ecn_echoes).toBeGreaterThan(0);
    }
  });
});

describe('Sums of 32 bits', () => {
  /** Jumbo packets, and 3 µs per link. */
  const MTU = 65_535;
  const PAYLOAD = MTU - 64;
  const far = TREE.replaceAll('1000\n', '3000\n');
  const RTT_PS = 2 * HOPS * 3e6 + HOPS * (MTU + 64) * 80;
  const BDP = Math.trunc((RTT_PS / 1e12) * 12.5e9);

  it('the increase that is due keeps the low 32 bits', () => {
    const argv = ['-mtu', String(MTU), '-cwnd', '1', '-q', '100'];
    const { flows: [flow] } = runBoth(argv, [`0->4 start 100 size ${PAYLOAD}`], far);
    const targetPs = Math.trunc(0.75 * RTT_PS);
    const scale = BDP / 150_000;
    const alpha = (4 * PAYLOAD * scale * (targetPs / 12e6)) / targetPs;
    const whole = Math.trunc(alpha * MTU * targetPs);
    expect(whole).toBeGreaterThan(2 ** 32);
    const windowBytes = MTU + Math.trunc((whole % 2 ** 32) / MTU);
    expect(flow!.final_cwnd).toBe(Math.trunc(windowBytes + 0.15 * PAYLOAD * scale));
  });

  it('the bytes of a window without delay begin again beyond 4 GiB', () => {
    const flow = runBoth(
      ['-mtu', String(MTU), '-cwnd', '20', '-q', '100', '-linkspeed', '800000', '-end', '100000'],
      [`0->4 start 0 size ${2 ** 32 + 2 ** 27}`],
      TREE.replaceAll('Gbps 100', 'Gbps 800'),
    ).flows[0]!;
    expect(flow.finish_ps).toBeGreaterThan(0);
  });
});

describe('The memory of the kernel', () => {
  const argv = ['-tm', 'conn.cm', '-nodes', '16', '-load_balancing_algo', 'bitmap', '-paths', '65536', '-end', '20'];
  const matrix = (flows: number): string =>
    `Nodes 16\nConnections ${flows}\n${'0->15 start 0 size 1000\n'.repeat(flows)}`;

  it('ends at 4 GiB with a typed error, and the next run is as any other', () => {
    const run = (flows: number): UetResult => runUetReference(argv, () => matrix(flows));
    const before = run(2);
    // A byte per path and flow.
    expect(() => run(2 ** 16)).toThrow(expect.objectContaining({
      code: 'capacity',
      message: 'The run needs more memory than there is, at most 4 GiB.',
    }));
    expect(run(2)).toEqual(before);
  });
});
