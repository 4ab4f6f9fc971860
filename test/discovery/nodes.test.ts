import { describe, expect, it } from 'vitest';
import { handleRequestAtDestination, deliverPacket, routePacket,
  handleRequest } from '../../src/discovery/node-packets.js';
import type { NodeFields } from '../../src/discovery/node.js';
import { RECOMMENDED_NODE_QOS, createNode } from '../../src/discovery/node.js';
import { findShortfalls } from '../../src/discovery/policy.js';
import { RoceError } from '../../src/errors.js';
import { QosData } from '../../src/wire/discovery/qos-data.js';
import { ReplyPacket, RequestPacket } from '../../src/wire/discovery/packets.js';
import { Ipv4 } from '../../src/wire/ip/ipv4.js';
import { POLICY, addressOf } from './support/network.js';

const address = addressOf('IPv4', 1);
const node = (fields: Omit<NodeFields, 'address'> = {}) => createNode({ address, ...fields });
const REQUEST = {
  flags: 0,
  idNumber: 0x1234,
  outboundHopCount: 4,
  returnHopCount: 0xffff,
  originator: addressOf('IPv4', 0),
  data: new Uint8Array(0),
};
const asking = (policy: QosData) => ({ ...REQUEST, data: QosData.write(policy) });

describe('a router', () => {
  it('increments the hop count, replies with the count and flag 0, and forwards the request', () => {
    const { reply, forwarded } = handleRequest(node(), REQUEST);
    expect(reply).toMatchObject({ code: 0, idNumber: 0x1234, flags: 0, outboundHopCount: 5 });
    expect(forwarded).toEqual({ ...REQUEST, outboundHopCount: 5 });
  });

  it('forwards the request regardless of its reply', () => {
    const unable = node({ capability: { supportsRoce: false } });
    const { reply, forwarded } = handleRequest(unable, REQUEST);
    expect(reply?.code).toBe(1);
    expect(forwarded.outboundHopCount).toBe(5);
  });

  it('forwards unchanged, without a reply, what is not a request or has the maximum hop count', () => {
    for (const fields of [{ returnHopCount: 0xfffe }, { outboundHopCount: 0xffff }]) {
      const request = { ...REQUEST, ...fields };
      const outcome = handleRequest(node(), request);
      expect(outcome.reply).toBeUndefined();
      expect(outcome.forwarded).toEqual(request);
    }
    expect(handleRequest(node(), { ...REQUEST, outboundHopCount: 0xfffe }).reply?.outboundHopCount).toBe(0xffff);
  });

  it('reports its configuration, with the whole DSCP map', () => {
    const told = QosData.read(handleRequest(node(), asking(POLICY)).reply!.data);
    expect(told).toEqual({ ...POLICY, kind: 2, mtuBytes: 9000, pfcLevels: 8 });
    const shares = [10, 0, 0, 80, 0, 0, 10, 0];
    const withShares = handleRequest(node({ qos: { etsShares: shares } }), REQUEST).reply!.data;
    expect(QosData.read(withShares).etsShares).toEqual(shares);
  });

  it.each([['hop-number', 5], ['copied', 0xffff], ['zero', 0]] as const)('sets return hop count by rule %s',
    (reading, count) => {
      expect(handleRequest(node({ returnHopCount: reading }), REQUEST).reply?.returnHopCount).toBe(count);
    });
});

describe('a destination', () => {
  it('does not increment the hop count, and replies with flag 1', () => {
    const { reply } = handleRequestAtDestination(node(), REQUEST);
    expect(reply).toMatchObject({ code: 0, flags: 1, outboundHopCount: 4, returnHopCount: 4 });
    expect(handleRequestAtDestination(node(), { ...REQUEST, returnHopCount: 0 }).reply).toBeUndefined();
  });
});

describe('the code of a reply', () => {
  const codeOf = (fields: Omit<NodeFields, 'address'>, request = asking(POLICY)) =>
    handleRequest(node(fields), request).reply!.code;

  it('is 0 when everything requested is met or exceeded', () => {
    expect(codeOf({})).toBe(0);
    expect(codeOf({ qos: { losslessPriorities: 0x18, pfcPriorities: 0xff, ecnPriorities: 0xff, mtuBytes: 9216 } }))
      .toBe(0);
  });

  it('is 1 without RoCE, and when no requested priority is lossless with PFC', () => {
    expect(codeOf({ capability: { supportsRoce: false } })).toBe(1);
    expect(codeOf({ qos: { losslessPriorities: 0x10 } })).toBe(1);
    expect(codeOf({ qos: { pfcPriorities: 0 } })).toBe(1);
  });

  it.each([
    ['ecn', { ecnPriorities: 0 }],
    ['trust', { trustMode: 1 }],
    ['mtu', { mtuBytes: 1500 }],
    ['roce-priority', { dscpToPriority: RECOMMENDED_NODE_QOS.dscpToPriority.with(26, 0) }],
    ['cnp-priority', { dscpToPriority: RECOMMENDED_NODE_QOS.dscpToPriority.with(48, 0) }],
    ['dscp-map', { dscpToPriority: RECOMMENDED_NODE_QOS.dscpToPriority.with(1, 5) }],
  ])('is 2 for a shortfall in %s', (shortfall, qos) => {
    expect(codeOf({ qos })).toBe(2);
    expect(findShortfalls({ ...RECOMMENDED_NODE_QOS, ...qos }, POLICY)).toContain(shortfall);
  });

  it('is 2 when one of two requested priorities is lossless', () => {
    const both = { ...POLICY, losslessPriorities: 0x18, pfcPriorities: 0x18 };
    expect(codeOf({}, asking(both))).toBe(2);
    expect(findShortfalls(RECOMMENDED_NODE_QOS, both)).toEqual(['lossless', 'pfc']);
  });

  it('is 2 for ETS shares that differ', () => {
    expect(codeOf({}, asking({ ...POLICY, etsShares: [10, 0, 0, 80, 0, 0, 10, 0] }))).toBe(2);
  });

  it("is 2 for unreadable data, and the reply carries the node's own data", () => {
    const { reply } = handleRequest(node(), { ...REQUEST, data: Uint8Array.of(0xff, 1, 2) });
    expect(reply?.code).toBe(2);
    expect(QosData.read(reply!.data).kind).toBe(2);
  });

  it('depends only on the node when nothing is requested', () => {
    expect(codeOf({}, REQUEST)).toBe(0);
    expect(codeOf({ qos: { pfcPriorities: 0 } }, REQUEST)).toBe(1);
    expect(codeOf({ qos: { roceDscp: 0 } }, REQUEST)).toBe(1);
  });
});

describe('a node that handles packets', () => {
  const PACKET = {
    source: addressOf('IPv4', 0),
    destination: addressOf('IPv4', 9),
    request: REQUEST,
    protocol: 1,
    payload: Uint8Array.of(8, 0, 0xf7, 0xff, 0, 0, 0, 0),
  };

  it('replies to the originator and forwards with hop count and hop limit changed', () => {
    const outcome = routePacket(node(), RequestPacket.write(PACKET))!;
    const reply = ReplyPacket.read(outcome.replyPacket!)!;
    expect(reply).toMatchObject({ source: address, destination: REQUEST.originator });
    expect(reply.reply.outboundHopCount).toBe(5);
    const forwarded = RequestPacket.read(outcome.forwardedPacket!)!;
    expect(forwarded.request.outboundHopCount).toBe(5);
    expect(forwarded.hopLimit).toBe(63);
  });

  it('replies, but does not forward, when the hop limit has expired', () => {
    const outcome = routePacket(node(), RequestPacket.write({ ...PACKET, hopLimit: 1 }))!;
    expect(outcome.replyPacket).toBeDefined();
    expect(outcome.forwardedPacket).toBeUndefined();
  });

  it('sends no reply to a third party unless configured to', () => {
    const victim = addressOf('IPv4', 66);
    const packet = RequestPacket.write({ ...PACKET, request: { ...REQUEST, originator: victim } });
    const outcome = routePacket(node(), packet)!;
    expect(outcome.replyPacket).toBeUndefined();
    expect(RequestPacket.read(outcome.forwardedPacket!)?.request.outboundHopCount).toBe(5);
    expect(deliverPacket(node(), packet)?.replyPacket).toBeUndefined();
    const told = routePacket(node(), packet, { replyTo: 'anyone' })!;
    expect(ReplyPacket.read(told.replyPacket!)?.destination).toEqual(victim);
  });

  it('applies no policy from an originator to which it does not reply', () => {
    const policy = { ...POLICY, kind: 1, rocePriority: 4, losslessPriorities: 16, pfcPriorities: 16 };
    const { dscpToPriority: none, ...short } = policy;
    expect(none).toBeDefined();
    const request = { ...REQUEST, data: QosData.write(short), originator: addressOf('IPv4', 66) };
    const open = node({ policyFrom: [{ address: new Uint8Array(16), lengthBits: 0 }] });
    expect(routePacket(open, RequestPacket.write({ ...PACKET, request }))?.node).toBe(open);
    const own = RequestPacket.write({ ...PACKET, request: { ...request, originator: PACKET.source } });
    expect(routePacket(open, own)?.node.qos.losslessPriorities).toBe(16);
  });

  it('does not reply over an address family in which it has no address', () => {
    const outcome = routePacket(createNode({ address: addressOf('IPv6', 1) }), RequestPacket.write(PACKET))!;
    expect(outcome.replyPacket).toBeUndefined();
    expect(outcome.forwardedPacket).toBeDefined();
  });

  it('ignores other packets, and rejects malformed ones with a RoceError', () => {
    const plain = Ipv4.write({
      dscp: 0,
      ecn: 0,
      totalLength: 20,
      identification: 0,
      flags: 2,
      fragmentOffset: 0,
      ttl: 9,
      protocol: 17,
      source: PACKET.source,
      destination: PACKET.destination,
      options: new Uint8Array(0),
    });
    expect(routePacket(node(), plain)).toBeUndefined();
    expect(deliverPacket(node(), plain)).toBeUndefined();
    expect(() => routePacket(node(), plain.subarray(0, 19))).toThrow(RoceError);
    expect(() => deliverPacket(node(), new Uint8Array(0))).toThrow(RoceError);
  });
});

describe("a node's settings", () => {
  it('are rejected by name when invalid', () => {
    const bad: [RegExp, Partial<NodeFields>][] = [
      [/node\.address/, { address: new Uint8Array(4) }],
      [/losslessPriorities/, { qos: { losslessPriorities: 256 } }],
      [/dscpToPriority/, { qos: { dscpToPriority: [3] } }],
      [/etsShares/, { qos: { etsShares: [100] } }],
      [/etsShares\[0\]/, { qos: { etsShares: [101, 0, 0, 0, 0, 0, 0, 0] } }],
      [/pfcLevels/, { capability: { pfcLevels: 9 } }],
      [/returnHopCount/, { returnHopCount: 'other' as 'zero' }],
    ];
    for (const [words, fields] of bad) expect(() => createNode({ address, ...fields })).toThrow(words);
  });
});
