import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlateReplies } from '../../src/discovery/probe.js';
import type { OriginatorState } from '../../src/discovery/originator.js';
import { createOriginator, finishProbe, nextProbeDeadlinePs, onProbeReply, onProbeTimeout,
  startProbe } from '../../src/discovery/originator.js';
import { RoceError } from '../../src/errors.js';
import { ms } from '../../src/units.js';
import { QosData } from '../../src/wire/discovery/qos-data.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { POLICY, addressOf } from './support/network.js';

const HERE = addressOf('IPv4', 0);
const destination = addressOf('IPv4', 9);
const fresh = () => createOriginator(HERE, { timeoutPs: ms(10), idHoldPs: ms(5) });
const replyFrom = (hop: number, idNumber: number, fields: object = {}) => ({
  from: addressOf('IPv4', hop),
  reply: {
    code: 0,
    idNumber,
    flags: 0,
    outboundHopCount: hop,
    returnHopCount: hop,
    data: new Uint8Array(0),
    ...fields,
  },
});

describe('an originator', () => {
  it('sends its own address, a hop count of 0, and a hop limit for routers and destination', () => {
    const { request, hopLimit, probe } = startProbe(fresh(), { destination, idNumber: 7, maxHops: 12 }, ms(1));
    expect(request).toEqual({
      flags: 0,
      idNumber: 7,
      outboundHopCount: 0,
      returnHopCount: 0xffff,
      originator: HERE,
      data: new Uint8Array(0),
    });
    expect(hopLimit).toBe(13);
    expect(probe).toMatchObject({ startedPs: ms(1), deadlinePs: ms(11), replies: [] });
  });

  it('sends as much of a policy as fits into the option', () => {
    const { request } = startProbe(fresh(), { destination, idNumber: 7, policy: POLICY }, 0);
    expect(request.data.length).toBeLessThanOrEqual(26);
    const { dscpToPriority, ...rest } = POLICY;
    expect(dscpToPriority).toHaveLength(64);
    expect(QosData.read(request.data)).toMatchObject(rest);
    const ipv6 = createOriginator(addressOf('IPv6', 0));
    const wide = startProbe(ipv6, { destination: addressOf('IPv6', 9), idNumber: 7, policy: POLICY }, 0);
    expect(QosData.read(wide.request.data)).toEqual(POLICY);
  });

  it('rejects an ID of a probe in flight, and accepts another', () => {
    const { state } = startProbe(fresh(), { destination, idNumber: 7 }, 0);
    expect(() => startProbe(state, { destination, idNumber: 7 }, 1)).toThrow(
      /^probe\.idNumber belongs to a probe in flight \(got 7\)\.$/,
    );
    expect(startProbe(state, { destination, idNumber: 8 }, 1).state.probes.size).toBe(2);
  });

  it('reserves an ID for a time after its probe, so that late replies match no new probe', () => {
    const { state } = startProbe(fresh(), { destination, idNumber: 7 }, 0);
    const { state: over, finished } = onProbeTimeout(state, ms(10));
    expect(finished.map(({ idNumber }) => idNumber)).toEqual([7]);
    expect(() => startProbe(over, { destination, idNumber: 7 }, ms(15) - 1)).toThrow(
      /^probe\.idNumber is still held after its last probe \(got 7\)\.$/,
    );
    const late = onProbeReply(over, replyFrom(1, 7), ms(15) - 1);
    expect(late).toMatchObject({ outcome: 'late', state: { lateCount: 1, unknownIdCount: 0 } });
    const again = startProbe(over, { destination, idNumber: 7 }, ms(15));
    expect(onProbeReply(again.state, replyFrom(1, 7), ms(16)).outcome).toBe('accepted');
  });

  it('distinguishes two probes in flight by their IDs', () => {
    const one = startProbe(fresh(), { destination, idNumber: 1 }, 0);
    const two = startProbe(one.state, { destination, idNumber: 2 }, 0);
    let state: OriginatorState = two.state;
    for (const [hop, id] of [[1, 1], [1, 2], [2, 2], [3, 1]] as const) {
      state = onProbeReply(state, replyFrom(hop, id), 5).state;
    }
    const hops = (id: number) => correlateReplies(state.probes.get(id)!).routers.map(({ hop }) => hop);
    expect(hops(1)).toEqual([1, 3]);
    expect(hops(2)).toEqual([1, 2]);
  });

  it('counts replies of unknown IDs and ignores them', () => {
    const { state } = startProbe(fresh(), { destination, idNumber: 7 }, 0);
    const { state: after, outcome, isComplete } = onProbeReply(state, replyFrom(1, 8), 5);
    expect({ outcome, isComplete }).toEqual({ outcome: 'unknown-id', isComplete: false });
    expect(after).toEqual({ ...state, unknownIdCount: 1 });
  });

  it('accepts no reply at or after the deadline, even before the timeout is handled', () => {
    const { state } = startProbe(fresh(), { destination, idNumber: 7 }, 0);
    expect(onProbeReply(state, replyFrom(1, 7), ms(10) - 1).outcome).toBe('accepted');
    expect(onProbeReply(state, replyFrom(1, 7), ms(10)).outcome).toBe('late');
  });

  it('distinguishes a repeated reply from one that contradicts it', () => {
    let { state } = startProbe(fresh(), { destination, idNumber: 7 }, 0);
    const step = (received: ReturnType<typeof replyFrom>) => {
      const result = onProbeReply(state, received, 5);
      ({ state } = result);
      return result.outcome;
    };
    expect(step(replyFrom(1, 7))).toBe('accepted');
    expect(step(replyFrom(1, 7))).toBe('duplicate');
    expect(step(replyFrom(1, 7, { code: 2 }))).toBe('conflict');
    expect(step(replyFrom(1, 7, { code: 2 }))).toBe('duplicate');
    expect(step(replyFrom(1, 7, { data: Uint8Array.of(1) }))).toBe('conflict');
    expect(step({ ...replyFrom(1, 7), from: HERE })).toBe('conflict');
    expect(step(replyFrom(1, 7, { flags: 1 }))).toBe('accepted');
    expect(state.probes.get(7)).toMatchObject({ duplicateCount: 2, conflicts: { length: 3 }, replies: { length: 2 } });
  });

  it('counts impossible replies: a router at hop 0, or hops beyond the limit', () => {
    let { state } = startProbe(fresh(), { destination, idNumber: 7, maxHops: 4 }, 0);
    for (
      const [hop, flags, outcome] of [[0, 0, 'impossible'], [0, 1, 'accepted'], [4, 0, 'accepted'], [
        5,
        0,
        'impossible',
      ]] as const
    ) {
      const result = onProbeReply(state, replyFrom(hop, 7, { flags }), 5);
      expect(result.outcome).toBe(outcome);
      ({ state } = result);
    }
    expect(state.probes.get(7)?.impossibleCount).toBe(2);
  });

  it('keeps a bounded number of replies, for any input', () => {
    let { state } = startProbe(fresh(), { destination, idNumber: 7, maxHops: 4 }, 0);
    for (let i = 0; i < 200; i++) {
      state = onProbeReply(state, { ...replyFrom(i % 7, 7, { flags: i % 3 }), from: addressOf('IPv4', i) }, 5).state;
    }
    const { replies, conflicts } = state.probes.get(7)!;
    expect(replies).toHaveLength(9);
    expect(conflicts).toHaveLength(5);
  });

  it('is complete once it has the destination and each router before it, in any order', () => {
    fc.assert(fc.property(fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }), (order) => {
      let { state } = startProbe(fresh(), { destination, idNumber: 7 }, 0);
      const complete = order.map((hop) => {
        const step = onProbeReply(state, hop === 4 ? replyFrom(3, 7, { flags: 1 }) : replyFrom(hop, 7), 5);
        ({ state } = step);
        return step.isComplete;
      });
      expect(complete).toEqual([false, false, false, true]);
    }));
  });

  it('finishes each probe once, at its deadline or earlier on request', () => {
    const one = startProbe(fresh(), { destination, idNumber: 1 }, ms(2));
    const two = startProbe(one.state, { destination, idNumber: 2 }, ms(1));
    const three = startProbe(two.state, { destination, idNumber: 3 }, ms(4));
    expect(nextProbeDeadlinePs(three.state)).toBe(ms(11));
    expect(onProbeTimeout(three.state, ms(11) - 1).finished).toEqual([]);
    const { state, finished } = onProbeTimeout(three.state, ms(13));
    expect(finished.map(({ idNumber }) => idNumber)).toEqual([2, 1]);
    expect(onProbeTimeout(state, ms(13)).finished).toEqual([]);
    const { state: done, probe } = finishProbe(state, 3, ms(13));
    expect(probe.idNumber).toBe(3);
    expect(nextProbeDeadlinePs(done)).toBeUndefined();
    expect(() => finishProbe(done, 3, ms(13))).toThrow(/^idNumber matches no probe in flight \(got 3\)\.$/);
    expect(onProbeTimeout(done, ms(18)).state.heldIds.size).toBe(0);
  });

  it('does not modify the given state', () => {
    const before = fresh();
    const { state } = startProbe(before, { destination, idNumber: 1 }, 0);
    const after = onProbeReply(state, replyFrom(1, 1), 1).state;
    onProbeTimeout(after, ms(10));
    expect(before.probes.size).toBe(0);
    expect(state.probes.get(1)?.replies).toEqual([]);
    expect(after.probes.get(1)?.replies).toHaveLength(1);
  });

  it('rejects out-of-range arguments by name', () => {
    const start = (fields: object) => () => startProbe(fresh(), { destination, idNumber: 1, ...fields }, 0);
    expect(start({ idNumber: 65536 })).toThrow(/probe\.idNumber/);
    expect(start({ maxHops: 255 })).toThrow(/probe\.maxHops/);
    expect(start({ destination: parseIpAddress('2001:db8::1') })).toThrow(/different families/);
    expect(() => startProbe(fresh(), { destination, idNumber: 1 }, NaN)).toThrow(/nowPs/);
    expect(() => createOriginator(new Uint8Array(4))).toThrow(RoceError);
    expect(() => createOriginator(HERE, { timeoutPs: 0 })).toThrow(/originator\.timeoutPs/);
    expect(() => createOriginator(HERE, { idHoldPs: 0.5 })).toThrow(/originator\.idHoldPs/);
  });
});
