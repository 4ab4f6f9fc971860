import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { Bth, Cnp, type CnpFields } from '../../src/wire/index.js';
import { parseIpAddress } from '../../src/wire/index.js';
import { readKnownFrames } from './support/frames.js';
import { V1, V2, V3, fromHex, toHex } from './support/hex.js';

const IPV4: CnpFields = {
  source: parseIpAddress('10.0.17.1'),
  destination: parseIpAddress('10.0.18.1'),
  destQpn: 0x118,
};
const IPV6: CnpFields = {
  source: parseIpAddress('2001:db8::1'),
  destination: parseIpAddress('2001:db8::2'),
  destQpn: 0x118,
};
const LINK = { destination: fromHex('020000000001'), source: fromHex('020000000002') };

describe('CNP', () => {
  it('equals that of a ConnectX-4 Lx byte for byte (V1)', () => {
    expect(toHex(Cnp.write({ ...IPV4, ecn: 2, ipv4Identification: 0x718c }))).toBe(toHex(V1));
  });

  it('reads every field of V1', () => {
    expect(Cnp.read(V1)).toEqual({
      ...IPV4,
      pKey: 0xffff,
      dscp: 48,
      ecn: 2,
      becn: true,
      fecn: false,
      hopLimit: 64,
      flowLabel: 0,
      ipv4Identification: 0x718c,
      udpSourcePort: 0,
      udpChecksum: 'zero',
      link: 'none',
      icrc: 'right',
    });
  });

  it('has 74 bytes over IPv4 and 94 over IPv6 with an Ethernet header', () => {
    expect(Cnp.write({ ...IPV4, link: LINK })).toHaveLength(74);
    expect(Cnp.write({ ...IPV6, link: LINK })).toHaveLength(94);
  });

  const cnps = readKnownFrames().filter(({ truth }) => truth.class === 'cnp');
  it.each(cnps.map((frame) => [frame.truth.kind, frame] as const))(
    'is rebuilt byte for byte from the stated fields: %s',
    (_, { truth, bytes }) => {
      const read = Cnp.read(bytes, { link: 'ethernet' });
      // Fields that the corpus states are used; the rest (link header, hop limit, ...) are from the frame.
      const stated = {
        source: parseIpAddress(truth.src),
        destination: parseIpAddress(truth.dst),
        dscp: Number(truth.dscp),
        ecn: Number(truth.ecn),
        udpSourcePort: Number(truth.udp_sport),
        destQpn: Number(truth.dest_qp),
        becn: truth.becn === '1',
        pKey: Number(truth.pkey),
      };
      expect(read).toMatchObject({ ...stated, icrc: 'right' });
      expect(toHex(Cnp.write({ ...read, ...stated }))).toBe(toHex(bytes));
    },
  );

  it('is the inverse of its reader', () => {
    const fields = {
      ...IPV6,
      pKey: 0x8001,
      dscp: 5,
      ecn: 3,
      becn: false,
      fecn: true,
      hopLimit: 9,
      flowLabel: 0xabcde,
      ipv4Identification: 0,
      udpSourcePort: 0xc123,
      udpChecksum: 'computed',
      link: { ...LINK, tags: [] },
    } as const;
    expect(Cnp.read(Cnp.write(fields), { link: 'ethernet' })).toEqual({ ...fields, icrc: 'right' });
  });

  it('can be written into the middle of a buffer', () => {
    const target = new Uint8Array(100).fill(0xee);
    expect(Cnp.writeInto(target, 10, { ...IPV4, ecn: 2, ipv4Identification: 0x718c })).toBe(70);
    expect(toHex(target.subarray(10, 70))).toBe(toHex(V1));
    expect(target[9]).toBe(0xee);
    expect(target[70]).toBe(0xee);
    expect(Cnp.read(target, { offset: 10 }).destQpn).toBe(0x118);
    expect(() => Cnp.writeInto(target, 41, IPV4)).toThrow(/needs .* available/);
  });

  it('Checklist 16: has the fields that Annex A17 requires: opcode 0x81, PSN 0, SE 0, M 0, the given P_Key', () => {
    expect(Bth.read(Cnp.write({ ...IPV6, pKey: 0x1234 }), 48)).toEqual({
      opcode: 0x81,
      destQpn: 0x118,
      pKey: 0x1234,
      psn: 0,
      solicitedEvent: false,
      migrationRequest: false,
      padCount: 0,
      transportVersion: 0,
      ackRequest: false,
      fecn: false,
      becn: true,
      reserved6: 0,
      reserved7: 0,
    });
  });

  it('Checklist 17: does not identify a marked packet, so one CNP can report several of a QP', () => {
    expect(toHex(Cnp.write(IPV4))).toBe(toHex(Cnp.write(IPV4)));
    expect(Bth.read(Cnp.write(IPV4), 28).psn).toBe(0);
  });

  it('Checklist 20: has 16 reserved bytes that are zero when sent and ignored when received', () => {
    const sent = Cnp.write(IPV4);
    expect(sent.subarray(40, 56)).toEqual(new Uint8Array(16));
    const odd = sent.slice();
    odd.fill(0x55, 40, 56);
    const { icrc, ...fields } = Cnp.read(odd);
    expect(icrc).toBe('wrong');
    expect({ ...fields, icrc: 'right' }).toEqual(Cnp.read(sent));
  });

  it('Checklist 21: is recognised with any FECN and BECN', () => {
    for (const byte of [0x00, 0x40, 0x80, 0xc0]) {
      const cnp = V1.slice();
      cnp[32] = byte;
      expect(Cnp.read(cnp)).toMatchObject({ destQpn: 0x118, becn: (byte & 0x40) !== 0, icrc: 'right' });
    }
  });

  it("Checklist 23: has ECN '01' by default, so that routers mark it rather than drop it", () => {
    expect(Cnp.read(Cnp.write(IPV4)).ecn).toBe(1);
    expect(Cnp.read(Cnp.write(IPV6)).ecn).toBe(1);
  });

  it.each([0, 1, 2, 3])('is recognised with ECN %i', (ecn) => {
    expect(Cnp.read(Cnp.write({ ...IPV6, ecn })).ecn).toBe(ecn);
  });

  it('is rejected if truncated at any length', () => {
    for (const packet of [V1, Cnp.write(IPV6)]) {
      for (let length = 0; length < packet.length; length++) {
        expect(() => Cnp.read(packet.subarray(0, length)), `${length} bytes`).toThrow(RoceError);
      }
    }
  });

  it('is rejected in a packet of another kind', () => {
    expect(() => Cnp.read(V2)).toThrow(/^cnp at offset 40 has another opcode \(got 36\); allowed: 129\.$/);
    expect(() => Cnp.read(V3)).toThrow(/another opcode/);
    const port = V1.slice();
    port[23] = 0xb8;
    expect(() => Cnp.read(port)).toThrow(
      /^udp header at offset 20 has an unexpected destination port \(got 4,792\); allowed: 4,791\.$/,
    );
    const length = V1.slice();
    length[25] = 41;
    expect(() => Cnp.read(length)).toThrow(/wrong length/);
    const fragment = V1.slice();
    fragment[6] = 0x20;
    expect(() => Cnp.read(fragment)).toThrow(/fragment/);
  });

  it('requires addresses of one family and fields in range', () => {
    expect(() => Cnp.write({ ...IPV4, destination: IPV6.destination })).toThrow(/different families/);
    expect(() => Cnp.write({ ...IPV4, destQpn: 2 ** 24 })).toThrow(/bth\.destQpn/);
    expect(() => Cnp.write({ ...IPV6, dscp: 64 })).toThrow(/ipv6\.dscp/);
    expect(() => Cnp.write({ ...IPV6, flowLabel: 2 ** 20 })).toThrow(/ipv6\.flowLabel/);
    expect(() => Cnp.write({ ...IPV4, source: new Uint8Array(4) })).toThrow(/source/);
  });
});
