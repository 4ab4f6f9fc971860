/**
 * Corners of runs of uet-htsim that random networks seldom reach: limits met to the picosecond or byte, sums beyond 32 bits, the end of
 * the kernel's memory. The kernel equals the readable model in every column, and both equal values computed by hand.
 */
import { describe, expect, it } from 'vitest';
import { runUetReference, type UetFlowResult, type UetResult } from '../../src/uet/index.js';
import { differencesOf, outcomeOf } from '../support/uet-agreement.js';
import { uetRandomRun, type UetRandomRun } from '../support/uet-networks.js';
import { Seeded } from '../support/seeded.js';

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

function runOf(argv: readonly string[], flows: readonly string[], topology = TREE): UetRandomRun {
  const triggers = flows.filter((line) => line.startsWith('trigger ')).length;
  const head = `Nodes 8\nConnections ${flows.length - triggers}\n${triggers > 0 ? `Triggers ${triggers}\n` : ''}`;
  const matrix = `${head}${flows.join('\n')}\n`;
  return {
    argv: ['-tm', 'conn.cm', '-topo', 'topo.topo', ...argv],
    read: (file: string) => (file === 'conn.cm' ? matrix : topology),
  };
}

/** Runs flows by the kernel and by the model, which agree. @param flows `from->to start µs size bytes`. */
function runBoth(argv: readonly string[], flows: readonly string[], topology = TREE): UetResult {
  const run = runOf(argv, flows, topology);
  const model = outcomeOf(run, 'model');
  expect(differencesOf(outcomeOf(run, 'kernel'), model)).toEqual([]);
  if (typeof model === 'string') throw new Error(model);
  return model;
}

/** The one flow of a run, between leaves. */
function runAlone(argv: readonly string[], sizeBytes: number, startUs = 0): UetFlowResult {
  return runBoth(argv, [`0->4 start ${startUs} size ${sizeBytes}`]).flows[0]!;
}

describe('NSCC, at its limits to the picosecond,', () => {
  /**
   * NICs of 200 Gb/s at links of 100: the round trip of a packet takes 4 (mtu + 64) 40 ps more than the base, which reckons with the NIC's
   * rate. 6,186 bytes make that 1 µs.
   */
  const MTU = 6186;
  const PAYLOAD = MTU - 64;
  const delayed = (mtuBytes: number, ...argv: string[]): string[] => [
    '-linkspeed',
    '200000',
    '-mtu',
    String(mtuBytes),
    '-cwnd',
    '1',
    '-q',
    '100',
    ...argv,
  ];
  const RTT_PS = 2 * HOPS * 1e6 + HOPS * (MTU + 64) * 40;
  /** Bandwidth-delay products of 150,000 bytes. */
  const SCALE = Math.trunc((RTT_PS / 1e12) * 25e9) / 150_000;

  it('counts a delay of exactly the target as late', () => {
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

  it('resets the window without delay at a delay of exactly 1 µs', () => {
    const target = ['-target_q_delay', '1.000002'];
    expect(runAlone(delayed(MTU, ...target), 3 * PAYLOAD).fast_inc).toBe(0);
    const shorter = MTU - 1;
    expect(runAlone(delayed(shorter, ...target), 3 * (shorter - 64)).fast_inc).toBeGreaterThan(0);
  });
});

describe('Quick adapt', () => {
  it('acts below the integer part of the largest window / 2^gate', () => {
    // The largest window is 337,500 bytes, and 5,273.4 / 2^6 of it; each packet comes 4 targets late or more.
    const quickBytes = (lastBytes: number): number => {
      const argv = ['-linkspeed', '200000', '-mtu', '6186', '-cwnd', '1', '-q', '100', '-target_q_delay', '0.01'];
      return runAlone([...argv, '-qa_gate', '6'], 6186 - 64 + lastBytes - 64).quick_dec;
    };
    expect(quickBytes(5273)).toBe(0);
    expect(quickBytes(5272)).not.toBe(0);
  });
});

describe('A network whose times are on a grid', () => {
  /** Packets of 330,240 ps, of which the base round trip takes 56, and the largest window 84: so times and limits meet exactly. */
  const MTU = 4128;
  const PACKET_PS = MTU * 80;
  const grid = TREE.replaceAll('1000\n', '2144\n');

  it('has a base round trip of 56 packet times', () => {
    const { flows: [flow] } = runBoth(['-mtu', String(MTU)], [`0->4 start 0 size ${MTU - 64}`], grid);
    expect(flow).toMatchObject({ base_rtt_ps: 56 * PACKET_PS, finish_ps: 56 * PACKET_PS, final_maxwnd: 84 * MTU });
  });

  it('does not decrease a window whose average delay is exactly the target', () => {
    // 1 / 80 of a packet's time: the average after one packet waited for another one.
    const argv = [
      '-mtu',
      String(MTU),
      '-target_q_delay',
      '0.004128',
      '-ecn',
      '0',
      '0',
      '-sack_threshold',
      '0',
      '-cwnd',
      '20',
    ];
    const flows = [0, 1].map((from) => `${from}->4 start 0 size ${6 * (MTU - 64)}`);
    const { flows: results } = runBoth([...argv, '-q', '100'], flows, grid);
    expect(results.some(({ multi_dec: bytes }) => bytes > 0)).toBe(true);
  });

  it('occupies an idle NIC for one byte at a timeout while the sender speculates', () => {
    // The timeout of the first flow, 15 µs and six packets after 1 µs, is the instant in which the second one ends and starts the third.
    const timeoutPs = 16e6 + 6 * PACKET_PS;
    const { flows: [timedOut, ended, started] } = runBoth(['-receiver_cc', '-mtu', String(MTU), '-q', '1'], [
      `0->4 id 1 start 1 size ${MTU - 64}`,
      '1->5 id 2 send_done_trigger 1 start 0 size 2464',
      `0->1 id 3 trigger 1 size ${MTU - 64}`,
      'trigger id 1 oneshot',
    ], grid);
    expect(timedOut!.timeouts).toBe(1);
    expect([ended!.finish_ps, started!.start_ps]).toEqual([timeoutPs, timeoutPs]);
    // The third one leaves a byte later, and waits for the rest of the packet of the first one; then two links each way.
    const bytePs = 80;
    expect(started!.base_rtt_ps).toBe(3 * PACKET_PS - bytePs + 4 * 2_144_000 + 2 * 64 * bytePs);
  });

  it('gives the same results in kernel and model, in 120 random variants', () => {
    const random = new Seeded(31);
    for (let count = 0; count < 120; count += 1) {
      const packets = random.pick([1, 2, 4, 8, 16]);
      const flows = Array.from({ length: random.whole(1, 5) }, (_, from) =>
        `${from === 4 ? 5 : from}->4 start 0 size ${random.whole(1, 200) * (MTU - 64)}`);
      runBoth([
        '-mtu',
        String(MTU),
        '-target_q_delay',
        String((packets * PACKET_PS) / 1e6),
        '-sack_threshold',
        random.pick(['0', '33024', '60000']),
        '-qa_gate',
        random.pick(['0', '1', '2', '3']),
        '-cwnd',
        String(random.pick([4, 28, 56, 84])),
        ...random.pick([['-ecn', '0', '0'], ['-ecn', '0', '2'], []]),
        '-q',
        String(random.pick([4, 20, 100])),
        ...random.pick([['-sender_cc_only'], ['-receiver_cc']]),
      ], flows, grid);
    }
  });
});

describe('Queues, at their limits to the byte,', () => {
  const incast = (sizeBytes: number): string[] => [0, 1, 2, 3, 5].map((from) => `${from}->4 start 0 size ${sizeBytes}`);

  it('accept headers up to exactly twice the limit', () => {
    // Four headers of 64 bytes are twice a packet of 128.
    const { totals } = runBoth(['-mtu', '128', '-q', '1', '-cwnd', '50'], incast(4000));
    expect(totals).toMatchObject({ max_high_queue_bytes: 256 });
    expect(totals.header_drops).toBeGreaterThan(0);
  });

  it('hold a packet even if shorter than one, depending on a random bit', () => {
    const spread = [0, 1, 2, 3].map((from) => `${from}->${from + 4} start 0 size 200000`);
    const { totals } = runBoth(['-q', '1', '-failed', '2'], spread);
    expect(totals.trims).toBeGreaterThan(0);
    expect(totals.tail_swaps).toBeLessThan(totals.trims);
  });

  it('have levels of adaptive routing that begin at exactly 5, 10 and 20 %, and expire after 100 ns', () => {
    // A twentieth of a queue is a packet, of 1,250 bytes or 100 ns.
    const flows = [0, 1, 2, 3].flatMap((from) => [4, 5, 6].map((to) => `${from}->${to} start 0 size 100000`));
    for (const [strategy, granularity] of [['ecmp_ar', 'packet'], ['ecmp_ar', 'flow'], ['ecmp_host_ar', 'packet']]) {
      for (const paths of ['1', '64'])
        runBoth(['-mtu', '1250', '-q', '20', '-strat', strategy!, '-ar_granularity', granularity!, '-paths', paths],
          flows);
    }
  });
});

describe('A receiver', () => {
  it('takes its share of marks from whole packets when most packets are trimmed', () => {
    const argv = ['-receiver_cc_only', '-oversubscribed_cc', '-mtu', '128', '-q', '1', '-end', '300'];
    const { totals } = runBoth(argv, [0, 1, 2, 3, 5, 6, 7].map((from) => `${from}->4 start 0 size 60000`));
    expect(totals.trims).toBeGreaterThan(totals.new_pkts / 2);
  });

  it('counts accepted bytes in 16 bits, so a larger threshold is never reached', () => {
    const argv = ['-mtu', '4160', '-cwnd', '100', '-q', '200', '-sack_threshold'];
    const acksAt = (threshold: string): number => runAlone([...argv, threshold], 1_000_000).acks;
    expect(acksAt('65600')).toBe(acksAt('1000000'));
    expect(acksAt('60000')).toBeGreaterThan(acksAt('65600'));
  });

  it('tracks 16,384 out-of-order packets', () => {
    const { totals, flows } = runBoth([
      '-mtu',
      '128',
      '-q',
      '2600',
      '-disable_trim',
      '-sender_cc_algo',
      'constant',
      '-cwnd',
      '30000',
      '-end',
      '700',
    ], [0, 1].map((from) => `${from}->4 start 0 size 1600000`));
    expect(totals.drops).toBeGreaterThan(0);
    expect(Math.max(...flows.map(({ rx_ooo: outOfOrder }) => outOfOrder))).toBeGreaterThan(8192);
  });
});

describe('A timeout', () => {
  it('is repeated while the round trip is longer', () => {
    const tree = TREE.replaceAll('1000\n', '30000\n');
    for (const control of ['-receiver_cc', '-receiver_cc_only']) {
      for (const size of [1000, 12_000, 40_000]) {
        const { totals } = runBoth([control, '-q', '2'], [4, 5, 6].map((to) => `0->${to} start 0 size ${size}`), tree);
        expect(totals.timeouts).toBeGreaterThan(0);
      }
    }
  });

  it('ends a run of REPS without trimming, with the same message in kernel and model', () => {
    const flows = [0, 1, 2, 3, 5].map((from) => `${from}->4 start 0 size 100000`);
    const run = runOf(['-load_balancing_algo', 'reps', '-disable_trim', '-q', '2'], flows);
    expect(outcomeOf(run, 'kernel')).toMatch(/^invalid-scenario: /);
    expect(outcomeOf(run, 'kernel')).toBe(outcomeOf(run, 'model'));
  });

  it('freezes REPS for 10 ms, after which it explores 16 values, whatever happens meanwhile', () => {
    const { totals } = runBoth([
      '-load_balancing_algo',
      'reps',
      '-linkspeed',
      '5000',
      '-mtu',
      '4160',
      '-q',
      '1',
      '-paths',
      '16',
      '-end',
      '25000',
      '-sender_cc_algo',
      'constant',
      '-cwnd',
      '8',
    ], [0, 1, 2, 3, 5, 6, 7].flatMap((from) => Array.from({ length: 4 }, () => `${from}->4 start 0 size 5000000`)),
      TREE.replaceAll('Gbps 100', 'Gbps 5'));
    expect(totals.timeouts).toBeGreaterThan(50);
  });
});

describe('The NSCC window without delay', () => {
  it('restarts after a marked and late ACK', () => {
    for (const startUs of [40, 50, 60]) {
      const crossing = [startUs, startUs + 20, startUs + 40].map((us) => `1->4 start ${us} size 60000`);
      const { flows: [flow] } = runBoth([
        '-mtu',
        '4160',
        '-cwnd',
        '4',
        '-target_q_delay',
        startUs === 60 ? '0.01' : '0.2',
        '-ecn',
        '0',
        '0',
        '-sack_threshold',
        '0',
      ], ['0->4 start 0 size 1500000', ...crossing]);
      expect(flow!.fast_inc).toBeGreaterThan(0);
      expect(flow!.ecn_echoes).toBeGreaterThan(0);
    }
  });
});

describe('Random networks of rare cases', () => {
  it.each([
    [1_000_216, 'a marked and late ACK ends a fast increase'],
    [1_000_519, 'a window is halved, and by no more'],
    [1_000_140, 'the fixed increase comes after exactly a round trip'],
    [1_000_128, 'a quick adapt begins the count of received bytes again'],
    [1_000_164, 'receivers that slowed down speed up from the smallest step, slower while there are marks'],
    [1_000_681, 'headers count in the level of a queue'],
    [1_000_211, 'receivers speed up to the rate of the link'],
  ])('%i: %s', (seed) => {
    const run = uetRandomRun(seed);
    expect(differencesOf(outcomeOf(run, 'kernel'), outcomeOf(run, 'model'))).toEqual([]);
  });
});

describe('Sums of 32 bits', () => {
  /** Jumbo packets, and 3 µs per link. */
  const MTU = 65_535;
  const PAYLOAD = MTU - 64;
  const far = TREE.replaceAll('1000\n', '3000\n');
  const RTT_PS = 2 * HOPS * 3e6 + HOPS * (MTU + 64) * 80;
  const BDP = Math.trunc((RTT_PS / 1e12) * 12.5e9);

  it('keep the low 32 bits of the due increase', () => {
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

  it('restart the bytes of a window without delay beyond 4 GiB', () => {
    const flow = runBoth(['-mtu', String(MTU), '-cwnd', '20', '-q', '100', '-linkspeed', '800000', '-end', '100000'], [
      `0->4 start 0 size ${2 ** 32 + 2 ** 27}`,
    ], TREE.replaceAll('Gbps 100', 'Gbps 800')).flows[0]!;
    expect(flow.finish_ps).toBeGreaterThan(0);
  });
});

describe('The memory of the kernel', () => {
  const argv = ['-tm', 'conn.cm', '-nodes', '16', '-load_balancing_algo', 'bitmap', '-paths', '65536', '-end', '20'];
  const matrix = (flows: number): string =>
    `Nodes 16\nConnections ${flows}\n${'0->15 start 0 size 1000\n'.repeat(flows)}`;

  it('is limited to 4 GiB, beyond which a typed error is thrown, and the next run is unaffected', () => {
    const run = (flows: number): UetResult => runUetReference(argv, () => matrix(flows));
    const before = run(2);
    // A byte per path and flow.
    expect(() => run(2 ** 16)).toThrow(expect.objectContaining({
      code: 'capacity',
      message: 'The run needs more memory than there is, at most 4 GiB.',
    }));
    expect(run(2)).toEqual(before);
  });

  it('may exceed 256 MiB', () => {
    expect(runUetReference([...argv, '-end', '1'], () => matrix(2 ** 12 + 2 ** 10)).totals.flows).toBe(5120);
  });
});
