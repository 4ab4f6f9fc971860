import { describe, expect, it } from 'vitest';
import * as codes from '../../src/abi/codes.js';
import type { ParsedFrame, ParseRules } from '../../src/reference/parse-frame.js';
import { ADDRESS_A, bth, cnp, ethernet, fastCnpOption1, fastCnpOption2, fragmentHeader, ioamData, ipv4, IPV4, ipv6,
  IPV6, NEXT, bytes, option, optionsHeader, sendOnly, udp, zeros } from './support/frame-builder.js';
import { parsers } from './support/parsers.js';
import { DOMAIN_RULES, SPLIT_TYPE_RULES, STRICT_RULES } from './support/rules.js';

const withDestination = (content: Uint8Array, upper: Uint8Array): Uint8Array =>
  ethernet(IPV6, ipv6(NEXT.destination, bytes(optionsHeader(NEXT.udp, content), udp(upper))));
const withHopByHop = (content: Uint8Array, upper: Uint8Array): Uint8Array =>
  ethernet(IPV6, ipv6(NEXT.hopByHop, bytes(optionsHeader(NEXT.udp, content), udp(upper))));
const plainIpv6 = (upper: Uint8Array): Uint8Array => ethernet(IPV6, ipv6(NEXT.udp, udp(upper)));
const plainIpv4 = (upper: Uint8Array): Uint8Array => ethernet(IPV4, ipv4(udp(upper)));

describe.each(Object.entries(parsers))('the %s parser', (_name, parse) => {
  const read = (frame: Uint8Array, rules: ParseRules = DOMAIN_RULES, link = codes.LINK_ETHERNET): ParsedFrame =>
    parse(frame, frame.length, link, rules);
  const classAndWhy = (frame: Uint8Array, rules?: ParseRules): [number, number] => {
    const { classCode, why } = read(frame, rules);
    return [classCode, why];
  };

  it('reads RoCEv2 after up to two VLAN tags and classifies frames with more tags as other', () => {
    const datagram = ipv6(NEXT.udp, udp(sendOnly()));
    for (const tags of [[], [0x8100], [0x88a8], [0x9100], [0x88a8, 0x8100], [0x9100, 0x9100]]) {
      const record = read(ethernet(IPV6, datagram, tags));
      expect(record).toMatchObject({ classCode: codes.CLASS_DATA, ipOffset: 14 + 4 * tags.length, destQpn: 0x123456 });
    }
    expect(classAndWhy(ethernet(IPV6, datagram, [0x8100, 0x8100, 0x8100]))).toEqual([
      codes.CLASS_OTHER,
      codes.WHY_NONE,
    ]);
  });

  it('distinguishes raw IPv4 and IPv6 by the version field', () => {
    expect(read(ipv6(NEXT.udp, udp(cnp())), DOMAIN_RULES, codes.LINK_RAW_IP).ipVersion).toBe(6);
    expect(read(ipv4(udp(cnp())), DOMAIN_RULES, codes.LINK_RAW_IP).ipVersion).toBe(4);
    const odd = read(bytes(0x50, zeros(59)), DOMAIN_RULES, codes.LINK_RAW_IP);
    expect([odd.classCode, odd.why]).toEqual([codes.CLASS_MALFORMED, codes.WHY_IP_VERSION]);
  });

  it('ignores bytes after the datagram', () => {
    const frame = plainIpv6(cnp());
    expect(read(bytes(frame, zeros(7)))).toEqual(read(frame));
  });

  it('finds option 1 with and without padding and reports whether the original destination is the receiver', () => {
    const fromReceiver = withDestination(fastCnpOption1(), cnp());
    expect(read(fromReceiver)).toMatchObject({
      classCode: codes.CLASS_FAST_CNP_1,
      fromReceiver: 1,
      originalDestinationOffset: 58,
      bthOffset: 86,
    });
    const padded = withDestination(bytes([1, 2, 0, 0], fastCnpOption1(0x9e, ADDRESS_A)), cnp());
    expect(read(padded)).toMatchObject({
      classCode: codes.CLASS_FAST_CNP_1,
      fromReceiver: 0,
      originalDestinationOffset: 62,
    });
  });

  it('finds the trace of option 2 and the address after it', () => {
    const record = read(withDestination(bytes([1, 0], fastCnpOption2()), cnp()));
    expect(record).toMatchObject({
      classCode: codes.CLASS_FAST_CNP_2,
      ioamOffset: 62,
      ioamBytes: 16,
      originalDestinationOffset: 78,
      fromReceiver: 1,
    });
  });

  it('reports no trace when option 2 copies an IOAM option that is not a trace', () => {
    const record = read(withDestination(fastCnpOption2(0x9e, 8, 3), cnp()));
    expect(record).toMatchObject({ classCode: codes.CLASS_FAST_CNP_2, ioamOffset: 0, ioamBytes: 0 });
  });

  it('finds the trace in the Hop-by-Hop header of a data packet', () => {
    for (const type of [0x31, 0x11]) {
      const record = read(withHopByHop(bytes([1, 0], option(type, ioamData(0, 20))), sendOnly()));
      expect(record).toMatchObject({ classCode: codes.CLASS_DATA, ioamOffset: 62, ioamBytes: 28 });
    }
  });

  it.each([
    ['15 bytes', option(0x9e, zeros(15)), DOMAIN_RULES],
    ['25 bytes', option(0x9e, zeros(25)), DOMAIN_RULES],
    ['two options', bytes(fastCnpOption1(), fastCnpOption1()), DOMAIN_RULES],
    ['option 1 with the type of option 2', fastCnpOption1(0x96), SPLIT_TYPE_RULES],
    ['option 2 with the type of option 1', fastCnpOption2(0x92), SPLIT_TYPE_RULES],
  ])('rejects a Fast CNP option of %s', (_what, content, rules) => {
    expect(classAndWhy(withDestination(content, cnp()), rules)).toEqual([
      codes.CLASS_MALFORMED,
      codes.WHY_FAST_CNP_OPTION,
    ]);
  });

  it('classifies a data packet with a Fast CNP option as data', () => {
    const record = read(withDestination(fastCnpOption1(), sendOnly()));
    expect(record).toMatchObject({ classCode: codes.CLASS_DATA, originalDestinationOffset: 0, fromReceiver: 0 });
  });

  it('skips an unknown option or discards its packet, according to the action bits', () => {
    expect(read(withDestination(bytes(option(0x1e, [1]), fastCnpOption1()), cnp())).classCode).toBe(
      codes.CLASS_FAST_CNP_1,
    );
    for (const type of [0x5e, 0xbe, 0xde]) {
      const frame = withDestination(bytes(option(type, [1]), fastCnpOption1()), cnp());
      expect(classAndWhy(frame)).toEqual([codes.CLASS_DISCARD, codes.WHY_UNKNOWN_OPTION]);
    }
  });

  it('treats a Fast CNP option in a Hop-by-Hop header as an unknown option', () => {
    expect(classAndWhy(withHopByHop(fastCnpOption1(), cnp()))).toEqual([codes.CLASS_DISCARD, codes.WHY_UNKNOWN_OPTION]);
  });

  it('recognises only the configured option types', () => {
    expect(read(withDestination(fastCnpOption1(0x92), cnp()), SPLIT_TYPE_RULES).classCode).toBe(codes.CLASS_FAST_CNP_1);
    expect(classAndWhy(withDestination(fastCnpOption1(0x92), cnp()))).toEqual([
      codes.CLASS_DISCARD,
      codes.WHY_UNKNOWN_OPTION,
    ]);
  });

  it('discards RoCEv2 packets with an extension header in strict mode, and no other packets', () => {
    const discarded = [codes.CLASS_DISCARD, codes.WHY_EXTENSION_HEADER];
    expect(classAndWhy(withDestination(fastCnpOption1(), cnp()), STRICT_RULES)).toEqual(discarded);
    expect(classAndWhy(withDestination(bytes([1, 2, 0, 0], fastCnpOption1()), cnp()), STRICT_RULES)).toEqual(discarded);
    expect(classAndWhy(withHopByHop(option(0x31, ioamData(0, 20)), sendOnly()), STRICT_RULES)).toEqual(discarded);
    const otherPort = bytes(optionsHeader(NEXT.udp, fastCnpOption1()), udp(cnp(), 4792));
    expect(read(ethernet(IPV6, ipv6(NEXT.destination, otherPort)), STRICT_RULES).classCode).toBe(codes.CLASS_OTHER);
    expect(read(plainIpv6(cnp()), STRICT_RULES).classCode).toBe(codes.CLASS_CNP);
  });

  it('classifies a packet whose Destination Options header of zeros does not lead to UDP as other', () => {
    const chain = bytes(zeros(24), udp(cnp()));
    for (const rules of [DOMAIN_RULES, STRICT_RULES]) {
      expect(classAndWhy(ethernet(IPV6, ipv6(NEXT.destination, chain)), rules)[0]).toBe(codes.CLASS_OTHER);
    }
  });

  it('accepts IPv4 options and other flags in domain mode, and discards them in strict mode', () => {
    const discarded = [codes.CLASS_DISCARD, codes.WHY_IPV4_FIELDS];
    for (const datagram of [ipv4(udp(cnp()), 0), ipv4(udp(cnp()), 0xc000), ipv4(udp(cnp()), 0x4000, [1, 1, 1, 1])]) {
      expect(read(ethernet(IPV4, datagram)).classCode).toBe(codes.CLASS_CNP);
      expect(classAndWhy(ethernet(IPV4, datagram), STRICT_RULES)).toEqual(discarded);
    }
    expect(read(plainIpv4(cnp()), STRICT_RULES).classCode).toBe(codes.CLASS_CNP);
  });

  it('discards first fragments of RoCEv2 and classifies later ones as other', () => {
    const discarded = [codes.CLASS_DISCARD, codes.WHY_FRAGMENT];
    const inIpv6 = (offset: number, more: 0 | 1): Uint8Array =>
      ethernet(IPV6, ipv6(NEXT.fragment, bytes(fragmentHeader(NEXT.udp, offset, more), udp(sendOnly()))));
    expect(classAndWhy(ethernet(IPV4, ipv4(udp(sendOnly()), 0x2000)))).toEqual(discarded);
    expect(classAndWhy(inIpv6(0, 1))).toEqual(discarded);
    expect(classAndWhy(inIpv6(0, 0))).toEqual(discarded);
    expect(read(ethernet(IPV4, ipv4(udp(sendOnly()), 0x2007))).classCode).toBe(codes.CLASS_OTHER);
    expect(read(inIpv6(3, 0)).classCode).toBe(codes.CLASS_OTHER);
  });

  it('discards destination QP 0 and opcodes of unknown transports', () => {
    for (const plain of [plainIpv6, plainIpv4]) {
      expect(classAndWhy(plain(cnp(0)))).toEqual([codes.CLASS_DISCARD, codes.WHY_QP_ZERO]);
      expect(classAndWhy(plain(bth(0x80)))).toEqual([codes.CLASS_DISCARD, codes.WHY_OPCODE]);
      expect(classAndWhy(plain(bth(0xc1)))).toEqual([codes.CLASS_DISCARD, codes.WHY_OPCODE]);
      expect(read(plain(bth(0x1c))).classCode).toBe(codes.CLASS_DATA);
      expect(read(plain(bth(0xa4))).classCode).toBe(codes.CLASS_DATA);
    }
  });

  it('distinguishes NAK from ACK by the syndrome and requires a complete AETH', () => {
    const classes = [0x00, 0x1f, 0x20, 0x3f, 0x40, 0x60, 0x64, 0x80].map((syndrome) =>
      read(plainIpv6(bth(0x11, [syndrome, 0, 0, 1]))).classCode
    );
    const { CLASS_ACK, CLASS_NAK } = codes;
    expect(classes).toEqual([CLASS_ACK, CLASS_ACK, CLASS_NAK, CLASS_NAK, CLASS_ACK, CLASS_NAK, CLASS_NAK, CLASS_ACK]);
    expect(classAndWhy(plainIpv4(bth(0x11, [0, 0, 0])))).toEqual([codes.CLASS_MALFORMED, codes.WHY_AETH_SHORT]);
  });

  it('ends the packet at its UDP length, which must fit the datagram', () => {
    const datagram = ipv6(NEXT.udp, udp(sendOnly(), 4791, 40));
    expect(read(ethernet(IPV6, datagram))).toMatchObject({ classCode: codes.CLASS_DATA, endOffset: 54 + 40 });
    const tooLong = ipv6(NEXT.udp, udp(sendOnly(), 4791, 57));
    expect(classAndWhy(ethernet(IPV6, tooLong))).toEqual([codes.CLASS_MALFORMED, codes.WHY_UDP_LENGTH]);
    const tooShort = ipv6(NEXT.udp, udp(sendOnly(), 4791, 23));
    expect(classAndWhy(ethernet(IPV6, tooShort))).toEqual([codes.CLASS_MALFORMED, codes.WHY_BTH_SHORT]);
  });

  it('classifies a frame as cut when the capture ends within the BTH, as malformed when the frame does', () => {
    const frame = plainIpv6(sendOnly());
    const cut = (bytes: number, original: number): number =>
      parse(frame.subarray(0, bytes), original, codes.LINK_ETHERNET, DOMAIN_RULES).classCode;
    expect(cut(73, frame.length)).toBe(codes.CLASS_CUT);
    expect(cut(74, frame.length)).toBe(codes.CLASS_DATA);
    expect(cut(74, 74)).toBe(codes.CLASS_MALFORMED);
    expect(cut(13, frame.length)).toBe(codes.CLASS_CUT);
    expect(cut(13, 13)).toBe(codes.CLASS_MALFORMED);
  });

  it('checks the ICRC only when configured, without effect on the class', () => {
    const frame = plainIpv6(sendOnly());
    expect(read(frame)).toMatchObject({ classCode: codes.CLASS_DATA, icrc: codes.ICRC_WRONG });
    expect(read(frame, { ...DOMAIN_RULES, checksIcrc: false }).icrc).toBe(codes.ICRC_NOT_CHECKED);
    const cut = parse(frame.subarray(0, frame.length - 1), frame.length, codes.LINK_ETHERNET, DOMAIN_RULES);
    expect(cut).toMatchObject({ classCode: codes.CLASS_DATA, icrc: codes.ICRC_ABSENT });
  });

  it('classifies packets with any other extension header as other', () => {
    const inner = ipv6(NEXT.udp, udp(cnp()));
    expect(read(ethernet(IPV6, ipv6(NEXT.ipv6, inner))).classCode).toBe(codes.CLASS_OTHER);
    for (const next of [NEXT.routing, NEXT.ah, 59, 50, 135]) {
      const chain = bytes(NEXT.udp, 0, zeros(6), udp(cnp()));
      expect(read(ethernet(IPV6, ipv6(next, chain)))).toMatchObject({ classCode: codes.CLASS_OTHER, ipVersion: 6 });
    }
  });

  it('requires the enable vector and eight times in a PFC frame', () => {
    const pfc = ethernet(0x8808, bytes([1, 1, 0, 8], zeros(42)));
    expect(read(pfc).classCode).toBe(codes.CLASS_PFC);
    expect(read(pfc.subarray(0, 34)).classCode).toBe(codes.CLASS_PFC);
    expect(classAndWhy(pfc.subarray(0, 33))).toEqual([codes.CLASS_MALFORMED, codes.WHY_LINK_SHORT]);
    expect(read(ethernet(0x8808, bytes([0, 1], zeros(44)))).classCode).toBe(codes.CLASS_OTHER);
  });

  it('classifies a RoCEv2 datagram that ends beyond offset 65,535 as malformed', () => {
    const options = Array.from({ length: 4 }, () => optionsHeader(NEXT.destination, zeros(2040)));
    const last = optionsHeader(NEXT.udp, zeros(2));
    const upper = udp(bth(0x04, zeros(65505 - 8192 - 16)));
    const frame = ethernet(IPV6, ipv6(NEXT.destination, bytes(...options, last, upper)));
    expect(frame.length).toBeGreaterThan(65535);
    expect(classAndWhy(frame)).toEqual([codes.CLASS_MALFORMED, codes.WHY_UDP_LENGTH]);
  });
});
