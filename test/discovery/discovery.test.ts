import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIpAddress } from '../../src/wire/ip/ip-address.js';
import { ReplyPacket } from '../../src/wire/discovery/packets.js';
import type { Family } from './support/network.js';
import { DESTINATION_HOP, POLICY, addressOf, buildNetwork, discover } from './support/network.js';

const FAMILIES: Family[] = ['IPv4', 'IPv6'];
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe.each(FAMILIES)('discovery over %s', (family) => {
  it.each([0, 1, 2, 30])('finds each node of a correct path of %i routers, and reports it lossless', (count) => {
    for (const policy of [undefined, POLICY]) {
      const { path, report, isComplete, outcomes } = discover(buildNetwork(family, count), policy && { policy });
      expect(path.routers.map(({ hop }) => hop)).toEqual(upTo(count));
      expect(path.routers.map(({ address }) => address)).toEqual(upTo(count).map((hop) => addressOf(family, hop)));
      expect(path.routers.every(({ code, isDestination }) => code === 0 && !isDestination)).toBe(true);
      expect(path.destination).toMatchObject({ hop: count, code: 0, isDestination: true });
      expect(path.hopCount).toBe(count);
      expect(report.findings).toEqual([]);
      expect(report).toMatchObject({ verdict: 'lossless', reasons: [] });
      expect(isComplete).toBe(true);
      expect(new Set(outcomes)).toEqual(new Set(['accepted']));
    }
  });

  it('distinguishes the last router from the destination, though both report the same hop count', () => {
    const { path } = discover(buildNetwork(family, 3));
    expect(path.routers.at(-1)).toMatchObject({ hop: 3, address: addressOf(family, 3) });
    expect(path.destination).toMatchObject({ hop: 3, address: addressOf(family, DESTINATION_HOP) });
  });

  it('reports the round-trip time of each node', () => {
    const { path } = discover(buildNetwork(family, 2));
    expect([...path.routers, path.destination!].map(({ roundTripPs }) => roundTripPs)).toEqual([1e6, 2e6, 3e6]);
  });

  it('identifies the router whose reply is lost, at any hop', () => {
    for (const lost of upTo(6)) {
      const { path, report, isComplete } = discover(buildNetwork(family, 6), { replyLostOf: [lost] });
      expect(path.missingHops).toEqual([lost]);
      expect(path.hopCount).toBe(6);
      expect(isComplete).toBe(false);
      expect(report.verdict).toBe('not-lossless');
      expect(report.reasons).toEqual([
        `Hop ${lost} did not reply: request or reply was lost, so lossless treatment can't be assumed there.`,
      ]);
    }
  });

  it('has the verdict unknown for a lost reply if missing hops are configured as unknown', () => {
    const { report } = discover(buildNetwork(family, 3), { replyLostOf: [2], report: { missingHop: 'unknown' } });
    expect(report.verdict).toBe('unknown');
  });

  it("reports no hop count and the verdict unknown when the destination's reply is lost", () => {
    const { path, report } = discover(buildNetwork(family, 3), { replyLostOf: [4] });
    expect(path.hopCount).toBeUndefined();
    expect(path.missingHops).toEqual([]);
    expect(report.verdict).toBe('unknown');
    const name = formatIpAddress(addressOf(family, DESTINATION_HOP));
    expect(report.reasons).toEqual([`The destination (${name}) did not reply: the last reply is that of hop 3.`]);
  });

  it('reports the nodes reached when the request is lost on any link', () => {
    for (const lost of upTo(6)) {
      const { path, report } = discover(buildNetwork(family, 5), { requestLostBefore: lost });
      expect(path.routers.map(({ hop }) => hop)).toEqual(upTo(lost - 1));
      expect(path.destination).toBeUndefined();
      expect(report.verdict).toBe('unknown');
      const reached = lost === 1 ? 'no node replied' : `the last reply is that of hop ${lost - 1}`;
      expect(report.reasons[0]).toContain(reached);
    }
  });

  it('reports exactly the lost replies as missing, for every combination', () => {
    const lost = fc.uniqueArray(fc.integer({ min: 1, max: 9 }));
    const requestLost = fc.option(fc.integer({ min: 1, max: 9 }), { nil: 99 });
    fc.assert(fc.property(lost, requestLost, (replyLostOf, requestLostBefore) => {
      const { path, report } = discover(buildNetwork(family, 8), { replyLostOf, requestLostBefore });
      const heard = upTo(9).filter((hop) => hop < requestLostBefore && !replyLostOf.includes(hop));
      const lastHop = heard.includes(9) ? 8 : (heard.at(-1) ?? 0);
      expect(path.routers.map(({ hop }) => hop)).toEqual(heard.filter((hop) => hop <= 8));
      expect(path.missingHops).toEqual(upTo(lastHop).filter((hop) => !heard.includes(hop)));
      expect(path.destination !== undefined).toBe(heard.includes(9));
      expect(report.verdict === 'lossless').toBe(heard.length === 9);
    }), { numRuns: 50 });
  });

  it('finds the same path for any order and repetition of replies', () => {
    const shuffled = fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 4], { minLength: 11 });
    const { path: straight } = discover(buildNetwork(family, 4));
    fc.assert(fc.property(shuffled, (order) => {
      const shuffle = (packets: readonly Uint8Array[]) => order.map((index) => packets[index]!);
      const { path, report, outcomes } = discover(buildNetwork(family, 4), { shuffle });
      const bare = ({ hop, address, isDestination }: typeof path.routers[number]) => ({ hop, address, isDestination });
      expect([...path.routers, path.destination!].map(bare)).toEqual(
        [...straight.routers, straight.destination!].map(bare),
      );
      expect(report.verdict).toBe('lossless');
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(5);
      expect(path.probe.duplicateCount).toBe(6);
    }), { numRuns: 30 });
  });

  it('finds no node beyond an access list that drops the ICMP type', () => {
    const type = family === 'IPv4' ? 253 : 200;
    const accessList = (hop: number, dropped: number) => hop === 2 && dropped === type;
    const { path, report } = discover(buildNetwork(family, 4), { accessList });
    expect(path.routers.map(({ hop }) => hop)).toEqual([1, 2]);
    expect(report.verdict).toBe('unknown');
  });

  it('reports a missing hop where an access list drops a reply by its ICMP code', () => {
    const network = buildNetwork(family, 4, { 3: { capability: { supportsRoce: false } } });
    const { path } = discover(network, { accessList: (hop, _, code) => hop === 1 && code === 1 });
    expect(path.missingHops).toEqual([3]);
  });

  it('ends at the hop limit, which suffices for `maxHops` routers and a destination', () => {
    const { path: enough } = discover(buildNetwork(family, 5), { maxHops: 5 });
    expect(enough.hopCount).toBe(5);
    const { path, report } = discover(buildNetwork(family, 5), { maxHops: 4 });
    expect(path.routers.map(({ hop }) => hop)).toEqual([1, 2, 3, 4]);
    expect(path.destination).toBeUndefined();
    expect(path.probe.impossibleCount).toBe(1);
    expect(report.verdict).toBe('unknown');
  });

  it('works with other option types, ICMP types and option headers', () => {
    const options = {
      ipv4OptionType: 0xde,
      head: 'flags',
      ipv6OptionType: 0x3f,
      icmpType: 254,
      icmpv6Type: 201,
    } as const;
    const { report } = discover(buildNetwork(family, 3), { options, policy: POLICY });
    expect(report).toMatchObject({ verdict: 'lossless', findings: [] });
  });

  it('reports a router beyond the destination, a second destination and a second node at a hop', () => {
    const change = (packet: Uint8Array, from: number, fields: object) => {
      const { reply } = ReplyPacket.read(packet)!;
      return ReplyPacket.write({
        source: addressOf(family, from),
        destination: addressOf(family, 0),
        reply: { ...reply, ...fields },
      });
    };
    const shuffle = (packets: readonly Uint8Array[]) => [
      ...packets,
      change(packets[0]!, 77, { outboundHopCount: 5 }),
      change(packets[2]!, 88, { outboundHopCount: 1 }),
      change(packets[1]!, 99, {}),
    ];
    const { path, report, outcomes } = discover(buildNetwork(family, 2), { shuffle });
    expect(outcomes.slice(3)).toEqual(['accepted', 'accepted', 'conflict']);
    expect(path.hopCount).toBe(2);
    expect(path.routers).toHaveLength(2);
    expect(report.verdict).toBe('unknown');
    const name = (hop: number) => formatIpAddress(addressOf(family, hop));
    expect(report.reasons).toEqual([
      `Hop 5 (${name(77)}) lies beyond the destination, which counts 2 hops.`,
      `The destination (${name(88)}) replied at 1 hops too, after a reply at 2.`,
      `Hop 2 (${name(99)}) contradicts the reply of ${name(2)} for the same place.`,
    ]);
  });

  it("reports a final reply from an address other than the destination's", () => {
    const network = buildNetwork(family, 1);
    network.destination = { ...network.destination, address: addressOf(family, 66) };
    const { report } = discover(network);
    expect(report.verdict).toBe('unknown');
    expect(report.reasons[0]).toMatch(/^The final reply came from (10\.0\.66\.1|2001:db8:0:42::1), not from/);
  });
});
