import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { Bth, Ethernet, FastCnp, type FastCnpFields, FastCnpOption2, Icrc,
  type IcrcPolicy } from '../../src/wire/index.js';
import { parseIpAddress } from '../../src/wire/index.js';
import { readKnownFrames } from './support/frames.js';
import { FAST_CNP_ICRC, FAST_CNP_WITHOUT_ICRC, fromHex, toHex } from './support/hex.js';

const FIELDS: FastCnpFields = {
  source: parseIpAddress('2001:db8:ffff::1'),
  destination: parseIpAddress('2001:db8:1::10'),
  originalDestination: parseIpAddress('2001:db8:2::20'),
  destQpn: 0x118,
};
/** A trace header with NodeLen 1 and `bytes` bytes of node data. */
const trace = (bytes: number) => {
  const data = new Uint8Array(8 + bytes).map((_, index) => index);
  data.set([0, 1, 0x08, 0, 0x80, 0, 0, 0]);
  return { ioamType: 0, data };
};
const OPTIONS = 40;

describe('Fast CNP with option 1', () => {
  const shared = { ...FIELDS, dscp: 48, ecn: 1, flowLabel: 0x12345, udpSourcePort: 0xc001 };

  const policies: IcrcPolicy[] = ['literal', 'omit', 'normalise'];
  it.each(policies)('has the known encodings, and the known ICRC of the policy %s', (icrcPolicy) => {
    const built = FastCnp.write({ ...shared, encoding: 'compact', icrcPolicy });
    const aligned = FastCnp.write({ ...shared, icrcPolicy });
    expect(built).toHaveLength(aligned.length);
    expect(toHex(built.subarray(OPTIONS, OPTIONS + 24))).toBe('11029e1020010db800020000000000000000002001020000');
    expect(toHex(aligned.subarray(OPTIONS, OPTIONS + 24))).toBe('1102010200009e1020010db8000200000000000000000020');
    expect(toHex(aligned.subarray(0, -4))).toBe(toHex(FAST_CNP_WITHOUT_ICRC));
    expect(toHex(aligned.subarray(-4))).toBe(FAST_CNP_ICRC[icrcPolicy]);
  });

  const rejects = (type: number) => {
    expect(() => FastCnp.write({ ...FIELDS, optionType1: type })).toThrow(/optionType1/);
    expect(() => FastCnp.read(FastCnp.write(FIELDS), { optionType1: type })).toThrow(/action bits 10/);
  };

  it('Checklist 3: has an option type with action bits 10, and rejects any other', () => {
    expect(FastCnp.write(FIELDS)[OPTIONS + 6]).toBe(0x9e);
    expect(FastCnp.write({ ...FIELDS, encoding: 'compact' })[OPTIONS + 2] & 0xc0).toBe(0x80);
    for (const type of [0x1e, 0x5e, 0xde]) rejects(type);
  });

  it('Checklist 4: has an option type with change bit 0, and rejects any other', () => {
    expect(FastCnp.write(FIELDS)[OPTIONS + 6] & 0x20).toBe(0);
    for (const type of [0xa0, 0xbe, 0xbf]) rejects(type);
  });

  it('Checklist 5: has 16 bytes of option data, the original destination', () => {
    const packet = FastCnp.write(FIELDS);
    expect(packet[OPTIONS + 7]).toBe(16);
    expect(packet.subarray(OPTIONS + 8, OPTIONS + 24)).toEqual(FIELDS.originalDestination);
    expect((OPTIONS + 8) % 8).toBe(0);
  });

  it('Checklist 5: is rejected with another length', () => {
    for (const length of [0, 4, 15]) {
      const packet = FastCnp.write({ ...FIELDS, encoding: 'compact' });
      packet[OPTIONS + 3] = length;
      expect(() => FastCnp.read(packet)).toThrow(RoceError);
    }
  });

  it('Checklist 20, Checklist 23: has 16 zero bytes and ECN 01, like a CNP', () => {
    const packet = FastCnp.write(FIELDS);
    expect(packet.subarray(-20, -4)).toEqual(new Uint8Array(16));
    expect(FastCnp.read(packet).ecn).toBe(1);
    expect(Bth.read(packet, 72)).toMatchObject({ opcode: 0x81, psn: 0, destQpn: 0x118, pKey: 0xffff });
  });

  it('distinguishes a receiver from a network element by its source address', () => {
    expect(FastCnp.read(FastCnp.write(FIELDS)).origin).toBe('network');
    expect(FastCnp.read(FastCnp.write({ ...FIELDS, source: FIELDS.originalDestination })).origin).toBe('receiver');
  });

  it('is the inverse of its reader', () => {
    const fields = {
      ...FIELDS,
      pKey: 0x8001,
      dscp: 5,
      ecn: 2,
      becn: false,
      fecn: true,
      hopLimit: 9,
      flowLabel: 0xabcde,
      udpSourcePort: 0xc123,
      udpChecksum: 'computed',
      link: 'none',
      encoding: 'compact',
    } as const;
    const packet = FastCnp.write(fields);
    expect(FastCnp.read(packet)).toEqual({
      ...fields,
      option: 1,
      optionType: 0x9e,
      origin: 'network',
      icrc: 'right',
    });
    const target = new Uint8Array(packet.length + 3);
    expect(FastCnp.writeInto(target, 2, fields)).toBe(packet.length + 2);
    expect(toHex(target.subarray(2, -1))).toBe(toHex(packet));
  });
});

describe('Fast CNP with option 2', () => {
  const rejects = (type: number) => {
    expect(() => FastCnp.write({ ...FIELDS, trace: trace(4), optionType2: type })).toThrow(/optionType2/);
  };

  it('Checklist 6: has an option type with action bits 10, and rejects any other', () => {
    expect(FastCnp.write({ ...FIELDS, trace: trace(4) })[OPTIONS + 4]).toBe(0x9e);
    for (const type of [0x1e, 0x5e, 0xde]) rejects(type);
  });

  it('Checklist 7: has an option type with change bit 0, and rejects any other', () => {
    expect(FastCnp.write({ ...FIELDS, trace: trace(4) })[OPTIONS + 4] & 0x20).toBe(0);
    for (const type of [0xa0, 0xbe, 0xbf]) rejects(type);
  });

  it('holds 2 + L + 16 bytes of data: reserved, IOAM type, trace, original destination', () => {
    for (const nodeBytes of [0, 4, 8, 100, FastCnpOption2.TRACE_MAX_BYTES - 8]) {
      const sent = trace(nodeBytes);
      const packet = FastCnp.write({ ...FIELDS, trace: sent });
      const at = OPTIONS + 4;
      expect(packet[at + 1]).toBe(2 + 8 + nodeBytes + 16);
      expect([...packet.subarray(at + 2, at + 4)]).toEqual([0, 0]);
      expect(packet.subarray(at + 4, at + 12 + nodeBytes)).toEqual(sent.data);
      expect(packet.subarray(at + 12 + nodeBytes, at + 28 + nodeBytes)).toEqual(FIELDS.originalDestination);
      const read = FastCnp.read(packet);
      expect(read).toMatchObject({ option: 2, icrc: 'right', origin: 'network', trace: sent });
      expect(read.originalDestination).toEqual(FIELDS.originalDestination);
    }
  });

  it('can hold a trace of 236 bytes and no more', () => {
    expect(FastCnpOption2.TRACE_MAX_BYTES).toBe(236);
    expect(() => FastCnp.write({ ...FIELDS, trace: trace(232) })).toThrow(
      /length of the IOAM trace must be between 8 and 236 bytes/,
    );
    expect(() => FastCnp.write({ ...FIELDS, trace: { ioamType: 0, data: new Uint8Array(4) } })).toThrow(
      /length of the IOAM trace must be between 8 and 236 bytes/,
    );
  });

  it('is distinguished from option 1 by its type, when the types differ', () => {
    const types = { optionType1: 0x92, optionType2: 0x96 };
    for (const fields of [FIELDS, { ...FIELDS, trace: trace(4) }]) {
      const packet = FastCnp.write({ ...fields, ...types });
      expect(FastCnp.read(packet, types).option).toBe(fields === FIELDS ? 1 : 2);
      expect(() => FastCnp.read(packet, { optionType1: 0x96, optionType2: 0x92 })).toThrow(/wrong length/);
      expect(() => FastCnp.read(packet)).toThrow(/unknown and requires a discard/);
    }
  });
});

describe('Fast CNPs of other senders', () => {
  const fastCnps = readKnownFrames().filter(({ truth }) => truth.class.startsWith('fast_cnp'));
  const typesOf = (kind: string) => (kind.startsWith('alt_types') ? { optionType1: 0x92, optionType2: 0x96 } : {});

  it.each(fastCnps.map((frame) => [frame.truth.kind, frame] as const))('is read as intended: %s', (_, frame) => {
    const { truth, bytes } = frame;
    const read = FastCnp.read(bytes, { link: 'ethernet', ...typesOf(truth.kind) });
    expect(read).toMatchObject({
      source: parseIpAddress(truth.src),
      destination: parseIpAddress(truth.dst),
      dscp: Number(truth.dscp),
      ecn: Number(truth.ecn),
      udpSourcePort: Number(truth.udp_sport),
      destQpn: Number(truth.dest_qp),
      becn: truth.becn === '1',
      pKey: Number(truth.pkey),
      icrc: 'right',
      origin: truth.fastcnp_origin,
      originalDestination: parseIpAddress(truth.fastcnp_orig_dst),
      option: truth.class === 'fast_cnp_1' ? 1 : 2,
    });
    expect(toHex(read.trace?.data.subarray(4, 7) ?? new Uint8Array(0))).toBe(truth.ioam_trace_type_hex);
  });

  const standard = fastCnps.filter(({ truth }) => /fastcnp1_ii?\/|fastcnp2_std/.test(truth.kind));
  it.each(standard.map((frame) => [frame.truth.kind, frame] as const))(
    'is rebuilt byte for byte from the stated fields: %s',
    (_, { truth, bytes }) => {
      const read = FastCnp.read(bytes, { link: 'ethernet', ...typesOf(truth.kind) });
      const stated = {
        source: parseIpAddress(truth.src),
        destination: parseIpAddress(truth.dst),
        dscp: Number(truth.dscp),
        ecn: Number(truth.ecn),
        udpSourcePort: Number(truth.udp_sport),
        destQpn: Number(truth.dest_qp),
        becn: truth.becn === '1',
        pKey: Number(truth.pkey),
        originalDestination: parseIpAddress(truth.fastcnp_orig_dst),
        ...typesOf(truth.kind),
      };
      expect(toHex(FastCnp.write({ ...read, ...stated }))).toBe(toHex(bytes));
      if (read.udpChecksum === 'computed') return; // The UDP checksum covers the ICRC.
      for (const [icrcPolicy, icrc] of [['omit', truth.icrc_b_hex], ['normalise', truth.icrc_c_hex]] as const) {
        expect(toHex(FastCnp.write({ ...read, ...stated, icrcPolicy }).subarray(-4))).toBe(icrc);
      }
    },
  );

  it('is rejected if truncated at any length', () => {
    for (const packet of [FastCnp.write(FIELDS), FastCnp.write({ ...FIELDS, trace: trace(8) })]) {
      for (let length = 0; length < packet.length; length++) {
        expect(() => FastCnp.read(packet.subarray(0, length)), `${length} bytes`).toThrow(RoceError);
      }
    }
  });

  it('fails only with a RoceError, for any change of one byte', () => {
    const packet = FastCnp.write({ ...FIELDS, trace: trace(8) });
    for (let at = 0; at < packet.length; at++) {
      for (const value of [0, 1, 0x29, 0x3c, 0x7f, 0x80, 0xff]) {
        const changed = packet.slice();
        changed[at] = value;
        try {
          FastCnp.read(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(RoceError);
        }
      }
    }
  });

  it('skips an unknown option that asks for it, and rejects one that asks for a discard', () => {
    const packet = FastCnp.write(FIELDS);
    packet[OPTIONS + 2] = 0x1e; // replaces the PadN before the option
    expect(FastCnp.read(packet).option).toBe(1);
    packet[OPTIONS + 2] = 0xde;
    expect(() => FastCnp.read(packet)).toThrow(/requires a discard/);
  });

  it('is rejected with no Fast CNP option, with two, and without the options header', () => {
    const none = FastCnp.write(FIELDS);
    none[OPTIONS + 6] = 0x1e;
    expect(() => FastCnp.read(none)).toThrow(
      /^fast cnp option at offset 40 does not occur exactly once \(got 0\); allowed: one Fast CNP option\.$/,
    );
    const two = FastCnp.write({ ...FIELDS, trace: trace(20) });
    two.set(fromHex('9e1000'), OPTIONS + 4);
    two.set(fromHex('9e10'), OPTIONS + 22);
    two.set(fromHex('0106'), OPTIONS + 40);
    expect(() => FastCnp.read(two)).toThrow(
      /^fast cnp option at offset 40 does not occur exactly once \(got 2\); allowed: one Fast CNP option\.$/,
    );
    const cnp = readKnownFrames().find(({ truth }) => truth.class === 'cnp' && truth.ip_version === '6')!;
    expect(() => FastCnp.read(cnp.bytes, { link: 'ethernet' })).toThrow(/one of type 60/);
  });

  it('is defined for IPv6 only', () => {
    const address = parseIpAddress('10.0.0.1');
    expect(() => FastCnp.write({ ...FIELDS, source: address, destination: address })).toThrow(/IPv6 only/);
  });

  it('has an ICRC over the datagram without its link header', () => {
    const link = { destination: fromHex('020000000001'), source: fromHex('020000000002') };
    const frame = FastCnp.write({ ...FIELDS, link });
    const ip = frame.subarray(new Ethernet.View(frame).payloadOffset);
    expect(Icrc.read(ip, ip.length - 4)).toBe(Icrc.compute(ip.subarray(0, -4)));
    expect(toHex(ip)).toBe(toHex(FastCnp.write(FIELDS)));
  });
});
