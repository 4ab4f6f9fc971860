import { describe, expect, it } from 'vitest';
import { Cnp, Ethernet, FastCnp, type FastCnpAnswer, Ipv6, Udp } from '../../src/wire/index.js';
import { fastCnpFor, fastCnpFieldsFor, parseIpAddress } from '../../src/wire/index.js';
import { readKnownFrames } from './support/frames.js';
import { V2, V3, fromHex, toHex } from './support/hex.js';

const SWITCH: FastCnpAnswer = { switchAddress: parseIpAddress('2001:db8:ffff::7'), dataLink: 'none' };

/** V3's packet with a Hop-by-Hop header of these options, padded to whole units, after its IPv6 header. */
function withHopByHop(options: Uint8Array, nextHeader = 0): Uint8Array {
  const length = Math.ceil((2 + options.length) / 8) * 8;
  const packet = new Uint8Array(V3.length + length);
  packet.set(V3.subarray(0, 40));
  packet[6] = nextHeader;
  packet.set([(V3.length - 40 + length) >> 8, (V3.length - 40 + length) & 255], 4);
  packet.set([17, length / 8 - 1], 40);
  packet.set(options, 42);
  packet.set(V3.subarray(40), 40 + length);
  return packet;
}

/** Hop-by-Hop options: PadN(2), then an IOAM trace with `nodeBytes` of node data, `freeWords` of it free. */
function ioam(nodeBytes: number, { type = 0x31, ioamType = 0, freeWords = 0 } = {}): Uint8Array {
  const option = new Uint8Array(2 + 4 + 8 + nodeBytes).fill(0x77);
  option.set([1, 0, type, 2 + 8 + nodeBytes, 0, ioamType]);
  option.set([0, 1, 0x08, freeWords, 0x80, 0, 0, 0], 6);
  option.fill(0, 14, 14 + 4 * freeWords);
  return option;
}

describe('Fast CNP for a data packet', () => {
  it('takes its addresses and destination QP from the fields specified in the draft', () => {
    const data = Ipv6.read(V3);
    expect(FastCnp.read(fastCnpFor(V3, SWITCH))).toMatchObject({
      source: SWITCH.switchAddress,
      destination: data.source,
      originalDestination: data.destination,
      destQpn: 0xd3,
      option: 1,
      origin: 'network',
      icrc: 'right',
    });
  });

  it('copies P_Key, source port and flow label and sets DSCP 48 and ECT(1), unless stated otherwise', () => {
    expect(FastCnp.read(fastCnpFor(V3, SWITCH))).toMatchObject({
      pKey: 0xffff,
      udpSourcePort: Udp.read(V3, 40).sourcePort,
      flowLabel: Ipv6.read(V3).flowLabel,
      dscp: 48,
      ecn: 1,
      becn: true,
      hopLimit: 64,
      udpChecksum: 'zero',
      link: 'none',
    });
    const own = {
      pKey: 0x7fff,
      udpSourcePort: 0,
      flowLabel: 5,
      dscp: 26,
      ecn: 0,
      becn: false,
      hopLimit: 255,
      udpChecksum: 'computed',
      link: { destination: fromHex('020000000001'), source: fromHex('020000000002'), tags: [] },
    } as const;
    expect(FastCnp.read(fastCnpFor(V3, { ...SWITCH, ...own }), { link: 'ethernet' })).toMatchObject(own);
  });

  it('is receiver-originated when the receiver sends it', () => {
    const answer = { ...SWITCH, switchAddress: Ipv6.read(V3).destination };
    expect(FastCnp.read(fastCnpFor(V3, answer)).origin).toBe('receiver');
  });

  it('requires only the headers of the data packet', () => {
    const whole = toHex(fastCnpFor(V3, SWITCH));
    expect(toHex(fastCnpFor(V3.subarray(0, 60), SWITCH))).toBe(whole);
    for (let length = 0; length < 60; length++) {
      expect(() => fastCnpFor(V3.subarray(0, length), SWITCH)).toThrow(/needs .* available/);
    }
  });

  it('carries option 2 with the IOAM trace of the data packet, if there is one', () => {
    const traced = readKnownFrames().filter(({ truth }) => truth.kind.startsWith('hbh_ioam'));
    expect(traced.length).toBeGreaterThan(3);
    for (const { truth, bytes } of traced) {
      const read = FastCnp.read(fastCnpFor(bytes, { ...SWITCH, dataLink: 'ethernet' }));
      expect(read).toMatchObject({
        option: 2,
        optionType: 0x9e,
        icrc: 'right',
        destQpn: Number(truth.dest_qp),
        originalDestination: parseIpAddress(truth.dst),
        destination: parseIpAddress(truth.src),
      });
      const { data } = read.trace!;
      expect(toHex(data.subarray(4, 7))).toBe(truth.ioam_trace_type_hex);
      expect(data[3] & 127).toBe(Number(truth.ioam_remlen));
      const at = new Ethernet.View(bytes).payloadOffset + 40;
      expect(toHex(bytes.subarray(at, at + 8 * (bytes[at + 1] + 1)))).toContain(toHex(data));
    }
  });

  it.each([
    ['no IOAM option', fromHex('1e0401020304')],
    ['an IOAM option that may not change en route', ioam(8, { type: 0x11 })],
    ['IOAM edge-to-edge data', ioam(8, { ioamType: 3 })],
    ['a trace shorter than its own header', fromHex('310600000001080080000000')],
  ])('carries option 1 for a Hop-by-Hop header with %s', (_, options) => {
    expect(FastCnp.read(fastCnpFor(withHopByHop(options), SWITCH)).option).toBe(1);
  });

  it('carries an incremental trace too', () => {
    const read = FastCnp.read(fastCnpFor(withHopByHop(ioam(8, { ioamType: 1 })), SWITCH));
    expect(read).toMatchObject({ option: 2, trace: { ioamType: 1 } });
  });

  it('carries a trace of up to 236 bytes, and option 1 for a longer one', () => {
    expect(FastCnp.read(fastCnpFor(withHopByHop(ioam(228)), SWITCH))).toMatchObject({ option: 2 });
    for (const nodeBytes of [232, 244]) {
      expect(FastCnp.read(fastCnpFor(withHopByHop(ioam(nodeBytes)), SWITCH)).option).toBe(1);
    }
  });

  it('rejects a trace that is too long, under the policy reject', () => {
    const answer = { ...SWITCH, oversizeTrace: 'reject' } as const;
    expect(() => fastCnpFor(withHopByHop(ioam(232)), answer)).toThrow(/at most 236 bytes/);
    expect(FastCnp.read(fastCnpFor(withHopByHop(ioam(228)), answer)).option).toBe(2);
  });

  it('trims the free space of a trace that is too long, under the policy trim-free-space', () => {
    const answer = { ...SWITCH, oversizeTrace: 'trim-free-space' } as const;
    const { trace } = fastCnpFieldsFor(withHopByHop(ioam(244, { freeWords: 4 })), answer);
    expect(trace?.data).toHaveLength(8 + 244 - 16);
    expect(toHex(trace!.data.subarray(0, 12))).toBe('000108008000000077777777');
    // A trace of 236 bytes is not trimmed, nor are the records of nodes.
    expect(fastCnpFieldsFor(withHopByHop(ioam(228, { freeWords: 4 })), answer).trace?.data).toHaveLength(236);
    expect(fastCnpFieldsFor(withHopByHop(ioam(244, { freeWords: 3 })), answer).trace).toBeUndefined();
    expect(fastCnpFieldsFor(withHopByHop(ioam(244, { freeWords: 4, ioamType: 1 })), answer).trace).toBeUndefined();
  });

  it('rejects a RemainingLen that exceeds the trace', () => {
    const lying = ioam(244);
    lying[9] = 0x7f;
    const answer = { ...SWITCH, oversizeTrace: 'trim-free-space' } as const;
    expect(fastCnpFieldsFor(withHopByHop(lying), answer).trace).toBeUndefined();
  });

  it('is not sent for IPv4, for a CNP, for a Fast CNP or for an acknowledgement', () => {
    expect(() => fastCnpFor(V2, SWITCH)).toThrow(/not IPv6/);
    const cnp = Cnp.write({ ...Cnp.read(cnpOverIpv6()), link: 'none' });
    expect(() => fastCnpFor(cnp, SWITCH)).toThrow(/carries no data/);
    expect(() => fastCnpFor(fastCnpFor(V3, SWITCH), SWITCH)).toThrow(/carries no data/);
    for (const opcode of [0x11, 0x12, 0xb1]) {
      const acknowledgement = V3.slice();
      acknowledgement[48] = opcode;
      expect(() => fastCnpFor(acknowledgement, SWITCH)).toThrow(/carries no data/);
    }
  });

  it('is not sent to a multicast or unspecified address', () => {
    for (const source of ['ff02::1', '::']) {
      const packet = V3.slice();
      packet.set(parseIpAddress(source), 8);
      expect(() => fastCnpFor(packet, SWITCH)).toThrow(/no unicast source/);
    }
  });

  it('is not sent if the destination is not the final one', () => {
    const routed = withHopByHop(fromHex('0401000000000000000000000000000000000000000000'), 43);
    expect(() => fastCnpFor(routed, SWITCH)).toThrow(/segments left/);
    routed[43] = 0;
    expect(FastCnp.read(fastCnpFor(routed, SWITCH)).option).toBe(1);
  });

  it.each(['oversizeTrace', 'encoding', 'icrcPolicy', 'udpChecksum'])('rejects an unknown choice of %s', (name) => {
    const answer = { ...SWITCH, [name]: 'whatever' };
    expect(() => fastCnpFor(V3, answer)).toThrow(expect.objectContaining({ got: 'whatever', where: name }));
  });

  it('is not sent for another protocol or port', () => {
    const tcp = V3.slice();
    tcp[6] = 6;
    expect(() => fastCnpFor(tcp, SWITCH)).toThrow(/carries no UDP/);
    const dns = V3.slice();
    dns.set(Udp.write({ sourcePort: 1, destinationPort: 53, length: 44 }), 40);
    expect(() => fastCnpFor(dns, SWITCH)).toThrow(/has an unexpected destination port/);
  });
});

function cnpOverIpv6(): Uint8Array {
  return Cnp.write({ source: parseIpAddress('2001:db8::1'), destination: parseIpAddress('2001:db8::2'), destQpn: 7 });
}
