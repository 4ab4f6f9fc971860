/** Parts of the model of uet-htsim alone: random numbers, order of events, arguments, topologies, matrices. */
import { describe, expect, it } from 'vitest';
import { readUetArguments } from '../../src/uet/arguments.js';
import { EventList, SimEvent } from '../../src/uet/event-list.js';
import { Fifo } from '../../src/uet/fifo.js';
import { runUetReference } from '../../src/uet/index.js';
import { MersenneTwister } from '../../src/uet/run-context.js';

const ARGUMENTS = ['-tm', 'conn.cm', '-nodes', '16', '-mtu', '4160'];
const MATRIX = 'Nodes 16\nConnections 1\n0->15 start 0 size 100000\n';

/** Runs one flow across three tiers. */
function runWith(argv: readonly string[], matrix = MATRIX, topology = '') {
  return runUetReference([...ARGUMENTS, ...argv], (name) => (name === 'conn.cm' ? matrix : topology));
}

describe('Random numbers', () => {
  it.each([
    [13, [1_192_722_770, 461_027_504, 1_020_231_754, 1_543_757_328, 1_392_765_670]],
    [1, [1_791_095_845, 2_135_392_491, 946_286_476]],
    [2, [1_872_583_848, 794_921_487, 111_352_301]],
  ])('of seed %i match MT19937 without the top bit', (seed, draws) => {
    const random = new MersenneTwister(seed);
    expect(draws.map(() => random.draw())).toEqual(draws);
    expect(random.draws).toBe(draws.length);
  });
});

describe('The event list', () => {
  it('runs by time, then by order of insertion, but triggers first, the latest one before the others', () => {
    const events = new EventList(100);
    const ran: string[] = [];
    const listed = (name: string, timePs: number) => {
      const event = new SimEvent(() => ran.push(name));
      events.schedule(event, timePs);
      return event;
    };
    listed('late', 20);
    listed('first', 10);
    const cancelled = listed('cancelled', 10);
    listed('second', 10);
    listed('at the end', 100);
    events.cancel(cancelled);
    events.trigger(() => ran.push('trigger 1'));
    events.trigger(() => ran.push('trigger 2'));
    events.run();
    expect(ran).toEqual(['trigger 2', 'trigger 1', 'first', 'second', 'late']);
  });
});

describe('The list of packets', () => {
  it('keeps its order while it grows across the end of its ring, and returns the newest packet', () => {
    const fifo = new Fifo<number>();
    for (let at = 0; at < 6; at += 1) fifo.push(at);
    for (let at = 0; at < 5; at += 1) fifo.shift();
    for (let at = 6; at < 20; at += 1) fifo.push(at);
    expect(fifo.pop()).toBe(19);
    expect(Array.from({ length: fifo.length }, () => fifo.shift())).toEqual(
      Array.from({ length: 14 }, (_, at) => at + 5),
    );
    expect([fifo.shift(), fifo.pop(), fifo.first]).toEqual([undefined, undefined, undefined]);
  });
});

describe('Arguments', () => {
  it('default to those of the program', () => {
    expect(readUetArguments(['-tm', 'a', '-nodes', '16'])).toMatchObject({
      mtuBytes: 4150,
      linkSpeedBps: 100e9,
      paths: 64,
      pathSelector: 'mixed',
      seed: 13,
      endPs: 1e9,
      tiers: 3,
      sender: 'nscc',
      isReceiverControlled: false,
    });
  });

  it.each([
    [['-receiver_cc_only'], { sender: undefined, isReceiverControlled: true }],
    [['-receiver_cc_only', '-sender_cc_algo', 'dctcp'], { sender: 'dctcp', isReceiverControlled: true }],
    [['-receiver_cc', '-sender_cc_only'], { sender: 'nscc', isReceiverControlled: false }],
    [['-strat', 'ecmp_ar', '-paths', '16'], { paths: 1 }],
    [['-oversubscribed_cc', '-force_disable_oversubscribed_cc'], { oversubscribed: { isOn: false, isByRatio: false } }],
  ])('are parsed: %j', (argv, options) => {
    expect(readUetArguments([...ARGUMENTS, ...argv])).toMatchObject(options);
  });

  it.each([
    [['-bogus'], 'the option'],
    [['-paths', '12'], '-paths'],
    [['-ecn', '5'], '-ecn'],
    [['-ecn', '5', '4'], '-ecn'],
    [['-mtu', '4e3'], '-mtu'],
    [['-ar_method', 'pause'], '-ar_method'],
    [['-planes', '2'], '-planes'],
    [['-queue_type', 'aeolus'], '-queue_type'],
    [['-receiver_cc_only', '-sleek'], '-sleek'],
    [['-nodes', '15'], '-nodes of 3 tiers'],
  ])('are rejected by name: %j', (argv, what) => {
    expect(() => runWith(argv)).toThrow(expect.objectContaining({ code: 'invalid-scenario', what }));
  });
});

describe('Inputs that the program rejects', () => {
  it.each([
    [
      'a link that is down',
      `Nodes 16\nConnections 1\nFailures 1\n0->1 start 0 size 1\nfailure switch_type TOR switch_id 0 link_id 0`,
    ],
    ['an unknown trigger', 'Nodes 16\nConnections 1\n0->1 id 1 trigger 5 size 1'],
    ['more hosts than the tree has', 'Nodes 17\nConnections 1\n0->1 start 0 size 1'],
    ['a message without -conn_reuse', 'Nodes 16\nConnections 1\n0->1 id 1 msg 1 start 0 size 1'],
  ])('include %s', (_, matrix) => {
    expect(() => runWith([], matrix)).toThrow(expect.objectContaining({ code: 'invalid-scenario' }));
  });

  it('include a topology with inconsistent numbers', () => {
    const tier = (number: number, radix: string) =>
      `Tier ${number}\nDownlink_speed_Gbps 100\n${radix}\nDownlink_Latency_ns 1000\n`;
    const topology = `Nodes 16\nTiers 2\nPodsize 16\n${tier(0, 'Radix_Down 8\nRadix_Up 2')}${tier(1, 'Radix_Down 2')}`;
    expect(() => runWith(['-topo', 'topo.topo'], MATRIX, topology))
      .toThrow(expect.objectContaining({ what: 'Radix_Down / Radix_Up of Tier 0' }));
  });

  it('include a oneshot trigger that fires twice', () => {
    const matrix = 'Nodes 16\nConnections 3\nTriggers 1\n0->1 id 1 send_done_trigger 1 start 0 size 1\n' +
      '1->2 id 2 send_done_trigger 1 start 0 size 1\n2->3 id 3 trigger 1 size 1\ntrigger id 1 oneshot';
    expect(() => runWith([], matrix)).toThrow(expect.objectContaining({ what: 'trigger 1' }));
  });
});

describe('A lone flow', () => {
  it('of one byte takes the times of a packet of 65 bytes and of its ACK', () => {
    const [flow] = runWith([], 'Nodes 16\nConnections 1\n0->1 start 0 size 1').flows;
    expect(flow).toMatchObject({ finish_ps: 2 * (5200 + 1e6) + 2 * (5120 + 1e6), new_pkts: 1, rx_bytes: 65 });
  });

  it.each(['ecmp_host', 'ecmp_rr', 'rr_ecmp', 'ecmp_ar', 'ecmp_host_ar', 'ecmp_host_ecn', 'reactive_ecn'])(
    'finishes under -strat %s with each path selector',
    (strategy) => {
      for (const selector of ['oblivious', 'bitmap', 'reps', 'reps_legacy', 'mixed']) {
        const { totals } = runWith(['-strat', strategy, '-load_balancing_algo', selector]);
        expect(totals).toMatchObject({ completed: 1, rtx_pkts: 0, drops: 0 });
      }
    },
  );
});
