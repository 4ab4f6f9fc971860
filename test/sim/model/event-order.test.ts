import { describe, expect, it } from 'vitest';
import { dcqcnNs3 } from '../../../src/config/algorithms/dcqcn/preset-ns3.js';
import { DcqcnSender } from '../../model/dcqcn-sender.js';
import { EventQueue } from '../../../src/sim/event-queue.js';
import { gbps, ns, us } from '../../../src/units.js';

describe('The event queue', () => {
  it('is ordered by time, then by the order of scheduling', () => {
    const events = new EventQueue();
    const seen: string[] = [];
    for (const [timePs, name] of [[5, 'c'], [3, 'a'], [5, 'd'], [4, 'b'], [5, 'e']] as const) {
      events.schedule(timePs, () => seen.push(name));
    }
    expect(events.runUntil(10)).toBe(true);
    expect(seen.join('')).toBe('abcde');
  });

  it('puts an event for the current instant after all that are already due then', () => {
    const events = new EventQueue();
    const seen: string[] = [];
    events.schedule(7, () => {
      seen.push('a');
      events.schedule(7, () => seen.push('c'));
    });
    events.schedule(7, () => seen.push('b'));
    events.runUntil(7);
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('skips cancelled events, and stops at the end', () => {
    const events = new EventQueue();
    const seen: number[] = [];
    events.schedule(1, () => seen.push(1)).cancelled = true;
    events.schedule(2, () => seen.push(2));
    events.schedule(3, () => seen.push(3));
    expect(events.runUntil(2)).toBe(false);
    expect([seen, events.executed, events.nowPs]).toEqual([[2], 1, 2]);
  });

  it('orders many events as a sort would', () => {
    const events = new EventQueue();
    const seen: number[] = [];
    const times = Array.from({ length: 500 }, (_, i) => (i * 7919) % 101);
    times.forEach((timePs, i) => events.schedule(timePs, () => seen.push(i)));
    events.runUntil(Infinity);
    expect(seen).toEqual(times.map((_, i) => i).sort((a, b) => times[a] - times[b] || a - b));
  });
});

/**
 * Transitions of a QP whose cut check at 4001 ns arms the one at 8001 ns, at the time of a CNP scheduled at the given
 * time.
 */
function transitionsWhen(cnpScheduledPs: number): string[] {
  const events = new EventQueue();
  const seen: string[] = [];
  const sender = new DcqcnSender(dcqcnNs3('dcqcn', { lineRateBps: gbps(100) }), events, (timePs, kind) => {
    if (!kind.startsWith('ALPHA')) seen.push(`${kind} ${timePs / 1000}`);
  });
  const notify = () => {
    sender.onAck({ timePs: events.nowPs, ackSeq: 1, sndNxt: 1, ecnEcho: true });
  };
  events.schedule(0, notify);
  events.schedule(cnpScheduledPs, () => {
    events.schedule(ns(8001), notify);
  });
  events.runUntil(us(9));
  return seen;
}

describe('A cut check and a CNP of the same instant are handled in the order of scheduling', () => {
  it('the check cuts the rate if the CNP was in flight when the check was armed', () => {
    expect(transitionsWhen(ns(4000))).toEqual(['CNP1 0', 'DEC 4001', 'CNP 8001', 'DEC 8001']);
  });

  it('the check has no effect if it was armed before the CNP was sent', () => {
    expect(transitionsWhen(ns(4002))).toEqual(['CNP1 0', 'DEC 4001', 'CNP 8001']);
  });
});
