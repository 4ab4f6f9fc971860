import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndConSettings, END_CON_REJECTIONS, configureEndCon, createEndConCounters, endConReceive,
  type IngressPeSettings, configureIngressPe, ingressEncapsulate,
  ingressEncapsulateInto } from '../../src/tunnel/provider-edge.js';
import { totalEcnTunnelCounters } from '../../src/tunnel/ecn.js';
import { encapsulate } from '../../src/tunnel/encapsulation.js';
import type { WanNodeAnswer, WanNodeResult } from '../../src/tunnel/wan-node.js';
import { answerFromWan } from '../../src/tunnel/wan-node.js';
import { parseIpAddress, parsePrefix } from '../../src/wire/ip/ip-address.js';
import { Ipv6 } from '../../src/wire/ip/ipv6.js';
import { Cnp } from '../../src/wire/roce/cnp.js';
import { FastCnp } from '../../src/wire/roce/fast-cnp.js';
import { toHex } from '../wire/support/hex.js';
import { DATA_4, DATA_6, EGRESS_SID, END_CON_SID, RECEIVER, SENDER, WAN_LOOPBACK,
  withClass } from './support/packets.js';

const PE: IngressPeSettings = { endConSid: END_CON_SID, destination: EGRESS_SID };
const WAYPOINT = parseIpAddress('2001:db8:cccc::1');
const ANSWER: WanNodeAnswer = { switchAddress: WAN_LOOPBACK };
const LOCAL: EndConSettings = { localSids: [parseIpAddress('2001:db8:aaaa::1'), END_CON_SID] };

/** The packet that the ingress PE sends into the WAN. */
const inWan = (packet: Uint8Array, settings: Partial<IngressPeSettings> = {}): Uint8Array =>
  ingressEncapsulate(configureIngressPe({ ...PE, ...settings }), packet);

function sent(result: WanNodeResult): Uint8Array {
  if (result.action !== 'send') throw new Error(result.reason);
  return result.packet;
}

function receive(bytes: Uint8Array, settings: Partial<EndConSettings> = {}) {
  const counters = createEndConCounters();
  const result = endConReceive(configureEndCon({ ...LOCAL, ...settings }), counters, bytes);
  return { result, counters };
}

/** A Fast CNP on its way back to the PE. */
const RETURNING = sent(answerFromWan(inWan(DATA_6), ANSWER));
const returningWith = (change: (bytes: Uint8Array) => void): Uint8Array => {
  const bytes = RETURNING.slice();
  change(bytes);
  return bytes;
};

describe('ingress PE', () => {
  it('writes its END.CON SID as the outer source', () => {
    expect(Ipv6.read(inWan(DATA_6))).toMatchObject({ source: END_CON_SID, destination: EGRESS_SID, nextHeader: 41 });
    expect(Ipv6.read(inWan(DATA_4))).toMatchObject({ source: END_CON_SID, nextHeader: 4 });
    const target = new Uint8Array(200);
    const endOffset = ingressEncapsulateInto(target, 1, configureIngressPe(PE), DATA_6);
    expect(toHex(target.subarray(1, endOffset))).toBe(toHex(inWan(DATA_6)));
  });

  it('Checklist 25: uses the normal mode', () => {
    for (const settings of [{}, { ecnMode: 'normal' }] as const) {
      for (const ecn of [0, 1, 2, 3]) expect(Ipv6.read(inWan(withClass(DATA_6, 26, ecn), settings)).ecn).toBe(ecn);
    }
  });

  it('Checklist 25: rejects a configuration with compatibility mode and names the rule', () => {
    let error: unknown;
    try {
      configureIngressPe({ ...PE, ecnMode: 'compatibility' });
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({
      name: 'RoceError',
      code: 'invalid-config',
      got: 'compatibility',
      where: 'ingressPe.ecnMode',
      allowed: expect.stringMatching(/MUST.*draft-hu-rtgwg-rocev2-fcn-00, section 4\.2\.1/) as string,
    });
  });

  it.each([
    ['endConSid', new Uint8Array(4)],
    ['endConSid', new Uint8Array(16)],
    ['endConSid', EGRESS_SID],
    ['destination', parseIpAddress('ff02::1')],
    ['destination', 'b::1'],
    ['hopLimit', 0],
    ['hopLimit', 256],
    ['flowLabel', 2 ** 20],
    ['dscp', { model: 'pipe' }],
    ['dscp', { model: 'pipe', dscp: 64 }],
    ['dscp', 'uniform'],
    ['segments', [new Uint8Array(15)]],
    ['segments', Array<Uint8Array>(127).fill(WAYPOINT)],
    ['ecnMode', 'other'],
    ['mode', 'normal'],
  ])('names the setting %s if it is invalid, case %#', (name, value) => {
    const attempt = () => configureIngressPe({ ...PE, [name]: value });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-config' }) as Error);
    expect(attempt).toThrow(new RegExp(`ingressPe\\.${name}`));
  });

  it('accepts every valid setting, and is not affected by later changes of its addresses', () => {
    const sid = END_CON_SID.slice();
    const pe = configureIngressPe({
      endConSid: sid,
      destination: EGRESS_SID,
      segments: [WAYPOINT],
      hopLimit: 255,
      flowLabel: 5,
      dscp: { model: 'pipe', dscp: 8 },
      ecnMode: 'normal',
    });
    sid.fill(0);
    expect(Ipv6.read(ingressEncapsulate(pe, DATA_6))).toMatchObject({
      source: END_CON_SID,
      destination: WAYPOINT,
      hopLimit: 255,
      flowLabel: 5,
      dscp: 8,
      ecn: 2,
      nextHeader: 43,
    });
    expect(inWan(DATA_6, { segments: Array<Uint8Array>(126).fill(WAYPOINT) })).toHaveLength(48 + 2032 + DATA_6.length);
  });
});

describe('congested WAN node', () => {
  it('sends a Fast CNP for the inner packet to the outer source of the data packet', () => {
    expect(Ipv6.read(RETURNING)).toEqual({
      source: WAN_LOOPBACK,
      destination: END_CON_SID,
      nextHeader: 41,
      hopLimit: 64,
      dscp: 48,
      ecn: 1,
      flowLabel: Ipv6.read(DATA_6).flowLabel,
      payloadLength: RETURNING.length - 40,
    });
    expect(FastCnp.read(RETURNING, { offset: 40 })).toMatchObject({
      source: WAN_LOOPBACK,
      destination: SENDER,
      originalDestination: RECEIVER,
      destQpn: 0xd3,
      origin: 'network',
      icrc: 'right',
      option: 1,
    });
  });

  it('finds the inner packet behind an SRH with segments left, and in a packet truncated after the BTH', () => {
    for (const settings of [{}, { segments: [WAYPOINT] }]) {
      const whole = inWan(DATA_6, settings);
      expect(toHex(sent(answerFromWan(whole, ANSWER)))).toBe(toHex(RETURNING));
      const bthEnd = whole.length - DATA_6.length + 60;
      expect(toHex(sent(answerFromWan(whole.subarray(0, bthEnd), ANSWER)))).toBe(toHex(RETURNING));
      for (let length = 0; length < bthEnd; length++) {
        expect(answerFromWan(whole.subarray(0, length), ANSWER)).toMatchObject({
          action: 'reject',
          error: { code: 'invalid-packet' },
        });
      }
    }
  });

  it('has an option for each choice that the draft leaves open', () => {
    const returnPath = {
      source: parseIpAddress('2001:db8:ffff::99'),
      dscp: { model: 'pipe', dscp: 34 },
      hopLimit: 9,
      flowLabel: 3,
      ecnMode: 'compatibility',
      segments: [WAYPOINT],
    } as const;
    const packet = sent(answerFromWan(inWan(DATA_6), { ...ANSWER, ecn: 2, returnPath }));
    expect(Ipv6.read(packet)).toMatchObject({
      source: returnPath.source,
      dscp: 34,
      hopLimit: 9,
      flowLabel: 3,
      ecn: 0,
      destination: WAYPOINT,
      nextHeader: 43,
    });
    expect(toHex(packet.subarray(48, 64))).toBe(toHex(END_CON_SID));
    expect(FastCnp.read(packet, { offset: 80 })).toMatchObject({ source: WAN_LOOPBACK, ecn: 2, dscp: 48 });
  });

  it('rejects an inner packet over IPv4: Fast CNP exists for IPv6 only', () => {
    expect(answerFromWan(inWan(DATA_4), ANSWER)).toEqual({ action: 'reject', reason: 'inner-ipv4' });
  });

  it('rejects packets outside a tunnel, and those that must not cause a Fast CNP', () => {
    expect(answerFromWan(DATA_6, ANSWER)).toMatchObject({ action: 'reject', reason: 'no-tunnel' });
    expect(answerFromWan(DATA_4, ANSWER)).toMatchObject({ action: 'reject', reason: 'no-tunnel' });
    const cnp = Cnp.write({ source: SENDER, destination: RECEIVER, destQpn: 7 });
    const mapped = DATA_6.slice();
    mapped.set(parseIpAddress('10.0.0.1'), 8);
    for (const inner of [cnp, RETURNING.subarray(40), mapped, inWan(DATA_6)]) {
      expect(answerFromWan(inWan(inner), ANSWER)).toMatchObject({
        action: 'reject',
        reason: 'not-answerable',
        error: { code: 'invalid-packet' },
      });
    }
  });

  it('rejects an outer source that is not a unicast address, or not among the configured SIDs', () => {
    for (const source of [parseIpAddress('ff05::1'), new Uint8Array(16)]) {
      const bytes = encapsulate(DATA_6, { source, destination: EGRESS_SID });
      expect(answerFromWan(bytes, ANSWER)).toEqual({ action: 'reject', reason: 'no-end-con' });
    }
    const known = { ...ANSWER, knownEndConSids: [EGRESS_SID] };
    expect(answerFromWan(inWan(DATA_6), known)).toEqual({ action: 'reject', reason: 'no-end-con' });
    known.knownEndConSids.push(END_CON_SID);
    expect(toHex(sent(answerFromWan(inWan(DATA_6), known)))).toBe(toHex(RETURNING));
  });

  it('sends Fast CNPs to senders without ECN by default', () => {
    const bytes = inWan(withClass(DATA_6, 26, 0));
    expect(toHex(sent(answerFromWan(bytes, ANSWER)))).toBe(toHex(RETURNING));
    const rejecting = { ...ANSWER, innerNotEct: 'reject' } as const;
    expect(answerFromWan(bytes, rejecting)).toEqual({ action: 'reject', reason: 'inner-not-ect' });
    expect(toHex(sent(answerFromWan(inWan(DATA_6), rejecting)))).toBe(toHex(RETURNING));
  });

  it('throws for invalid options, not for malformed packets', () => {
    const bytes = inWan(DATA_6);
    expect(() => answerFromWan(bytes, { ...ANSWER, innerNotEct: 'x' as 'answer' })).toThrow(/innerNotEct/);
    expect(() => answerFromWan(bytes, { ...ANSWER, returnPath: { hopLimit: 256 } })).toThrow(/ipv6\.hopLimit/);
    expect(() => answerFromWan(bytes, { switchAddress: parseIpAddress('10.0.0.1') })).toThrow(/IPv6 only/);
  });
});

describe('END.CON', () => {
  it('forwards the Fast CNP by its inner destination, with the hop limit decremented', () => {
    const { result, counters } = receive(RETURNING);
    if (result.action !== 'forward') throw new Error(result.reason);
    expect(result.innerDestination).toEqual(SENDER);
    expect(result.sid).toEqual(END_CON_SID);
    const expected = RETURNING.slice(40);
    expected[7] = 63;
    expect(toHex(result.packet)).toBe(toHex(expected));
    expect(FastCnp.read(result.packet).icrc).toBe('right');
    expect(counters).toMatchObject({ received: 1, forwarded: 1, ignored: 0 });
  });

  it('accepts any IPv6 packet by default, and only Fast CNPs under accept fast-cnp', () => {
    const data = encapsulate(DATA_6, { source: WAN_LOOPBACK, destination: END_CON_SID });
    expect(receive(data).result).toMatchObject({ action: 'forward', innerDestination: RECEIVER });
    expect(receive(data, { accept: 'fast-cnp' }).result).toEqual({ action: 'drop', reason: 'not-a-fast-cnp' });
    expect(receive(RETURNING, { accept: 'fast-cnp' }).result.action).toBe('forward');
    const otherType = { accept: 'fast-cnp', optionType1: 0x8f, optionType2: 0x8f } as const;
    expect(receive(RETURNING, otherType).result).toEqual({ action: 'drop', reason: 'not-a-fast-cnp' });
  });

  it('ignores packets to other destinations and of other IP versions', () => {
    for (const bytes of [DATA_6, DATA_4, inWan(DATA_6)]) {
      const { result, counters } = receive(bytes);
      expect(result).toEqual({ action: 'ignore', reason: 'not-local' });
      expect(counters).toMatchObject({ received: 1, ignored: 1, forwarded: 0 });
    }
  });

  it('accepts an SRH only with no segments left', () => {
    const routed = sent(answerFromWan(inWan(DATA_6), { ...ANSWER, returnPath: { segments: [WAYPOINT] } }));
    routed.set(END_CON_SID, 24);
    expect(receive(routed).result).toEqual({ action: 'drop', reason: 'segments-left' });
    routed[43] = 0;
    expect(receive(routed).result).toMatchObject({ action: 'forward', innerDestination: SENDER });
  });

  it('accepts only next header 41', () => {
    const ipv4 = encapsulate(DATA_4, { source: WAN_LOOPBACK, destination: END_CON_SID });
    expect(receive(ipv4).result).toEqual({ action: 'drop', reason: 'next-header' });
    const icmp = returningWith((bytes) => {
      bytes[6] = 58;
    });
    expect(receive(icmp).result).toEqual({ action: 'drop', reason: 'next-header' });
  });

  it('rejects a packet as malformed if its inner packet has another version, is too long or is truncated', () => {
    const bad = [
      returningWith((bytes) => {
        bytes[40] = 0x40;
      }),
      returningWith((bytes) => {
        bytes[45]! += 1;
      }),
      returningWith((bytes) => {
        bytes[5] = 39;
      }),
      ...Array.from({ length: 40 }, (_, length) => RETURNING.subarray(0, length)),
      RETURNING.subarray(0, -1),
    ];
    for (const bytes of bad) expect(receive(bytes).result).toEqual({ action: 'drop', reason: 'malformed' });
  });

  it('accepts only inner and outer sources in the allowed prefixes, if given', () => {
    const allowedSources = [parsePrefix('2001:db8:ffff::/48')];
    expect(receive(RETURNING, { allowedSources }).result.action).toBe('forward');
    const outer = returningWith((bytes) => {
      bytes.set(SENDER, 8);
    });
    expect(receive(outer, { allowedSources }).result).toEqual({ action: 'drop', reason: 'outer-source' });
    const inner = returningWith((bytes) => {
      bytes.set(SENDER, 48);
    });
    expect(receive(inner, { allowedSources }).result).toEqual({ action: 'drop', reason: 'inner-source' });
    expect(receive(inner).result.action).toBe('forward');
    expect(receive(RETURNING, { allowedSources: [] }).result).toEqual({ action: 'drop', reason: 'outer-source' });
  });

  it('applies RFC 6040: a CE mark of the return path reaches the Fast CNP, or drops one without ECT', () => {
    const marked = withClass(RETURNING, 48, 3);
    const { result, counters } = receive(marked);
    expect(result.action === 'forward' && Ipv6.read(result.packet).ecn).toBe(3);
    expect(counters.ecn.cells[1 * 4 + 3]).toBe(1);
    const notEct = sent(answerFromWan(inWan(DATA_6), { ...ANSWER, ecn: 0 }));
    expect(receive(withClass(notEct, 48, 3)).result).toEqual({ action: 'drop', reason: 'ecn' });
  });

  it('drops a packet whose inner hop limit has expired, unless another node decrements it; ignores the outer one', () => {
    for (const hopLimit of [0, 1]) {
      const last = returningWith((bytes) => {
        bytes[47] = hopLimit;
      });
      expect(receive(last).result).toEqual({ action: 'drop', reason: 'hop-limit' });
      const kept = receive(last, { hopLimit: 'keep' }).result;
      expect(kept.action === 'forward' && kept.packet[7]).toBe(hopLimit);
    }
    const outerOut = returningWith((bytes) => {
      bytes[7] = 0;
    });
    expect(receive(outerOut).result.action).toBe('forward');
    const two = receive(returningWith((bytes) => {
      bytes[47] = 2;
    })).result;
    expect(two.action === 'forward' && two.packet[7]).toBe(1);
  });

  it('accounts for every packet, for any bytes', () => {
    const endCon = configureEndCon({ ...LOCAL, accept: 'fast-cnp' });
    const counters = createEndConCounters();
    const change = fc.record({ at: fc.nat(RETURNING.length - 1), byte: fc.nat(255) });
    const mutated = fc.tuple(fc.array(change, { maxLength: 3 }), fc.nat(RETURNING.length)).map(([changes, length]) =>
      returningWith((bytes) =>
        changes.forEach(({ at, byte }) => {
          bytes[at] = byte;
        })
      )
        .subarray(0, length < 30 ? length : RETURNING.length)
    );
    fc.assert(fc.property(mutated, (bytes) => {
      endConReceive(endCon, counters, bytes);
    }), { numRuns: 300 });
    const rejected = END_CON_REJECTIONS.reduce((sum, reason) => sum + counters.rejected[reason], 0);
    expect(counters.received).toBe(300);
    expect(counters.forwarded + counters.ignored + rejected).toBe(300);
    expect(totalEcnTunnelCounters(counters.ecn).packets).toBe(
      counters.forwarded + counters.rejected.ecn + counters.rejected['hop-limit'],
    );
    expect([counters.forwarded, counters.ignored, rejected].every((count) => count > 0)).toBe(true);
  });

  it.each([
    ['localSids', []],
    ['localSids', [new Uint8Array(4)]],
    ['localSids', [new Uint8Array(16)]],
    ['accept', 'strict'],
    ['allowedSources', ['2001:db8::/32']],
    ['allowedSources', [{ address: END_CON_SID, lengthBits: 129 }]],
    ['hopLimit', 64],
    ['optionType1', 0x1e],
    ['optionType2', 300],
    ['strict', true],
  ])('names the setting %s if it is invalid, case %#', (name, value) => {
    const attempt = () => configureEndCon({ ...LOCAL, [name]: value });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-config' }) as Error);
    expect(attempt).toThrow(new RegExp(`endCon\\.${name}`));
  });
});
