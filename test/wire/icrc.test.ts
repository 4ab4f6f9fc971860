import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { Cnp, Ethernet, FastCnp, Icrc, type IcrcPolicy } from '../../src/wire/index.js';
import { readKnownFrames } from './support/frames.js';
import { FAST_CNP_ICRC, FAST_CNP_WITHOUT_ICRC, V1, V2, V3, toHex } from './support/hex.js';

const POLICIES: IcrcPolicy[] = ['literal', 'omit', 'normalise'];

function onWire(datagram: Uint8Array, policy: IcrcPolicy = 'literal'): string {
  const target = new Uint8Array(4);
  Icrc.write(target, 0, Icrc.compute(datagram, policy));
  return toHex(target);
}

describe('Invariant CRC', () => {
  it.each([
    ['V1, a CNP of a ConnectX-4 Lx over IPv4', V1],
    ['V2, UC SEND ONLY over IPv4', V2],
    ['V3, UC SEND ONLY over IPv6', V3],
  ])('reproduces %s under every policy', (_, packet) => {
    for (const policy of POLICIES) {
      expect(onWire(packet.subarray(0, -4), policy)).toBe(toHex(packet.subarray(-4)));
      expect(Icrc.isRight(packet, policy)).toBe(true);
    }
  });

  it.each(POLICIES)('treats extension headers according to the policy %s', (policy) => {
    expect(onWire(FAST_CNP_WITHOUT_ICRC, policy)).toBe(FAST_CNP_ICRC[policy]);
  });

  it('is sent with its least significant byte first', () => {
    expect(Icrc.read(V1, V1.length - 4)).toBe(0x2a00fd82);
  });

  it('agrees with the frames of the corpus, also if it omits extension headers', () => {
    for (const { truth, bytes } of readKnownFrames()) {
      const ip = bytes.subarray(new Ethernet.View(bytes).payloadOffset);
      const length = truth.ip_version === '4' ? (ip[2] << 8) | ip[3] : 40 + ((ip[4] << 8) | ip[5]);
      const covered = ip.subarray(0, length - 4);
      expect(onWire(covered), truth.kind).toBe(truth.icrc_wire_hex);
      if (truth.icrc_b_hex === '') continue;
      expect(onWire(covered, 'omit'), truth.kind).toBe(truth.icrc_b_hex);
      expect(onWire(covered, 'normalise'), truth.kind).toBe(truth.icrc_c_hex);
    }
  });

  it('ignores the fields that change in transit, and depends on every other bit', () => {
    const variant = { 4: [1, 8, 10, 11, 26, 27, 32], 6: [1, 2, 3, 7, 46, 47, 52] };
    for (const packet of [V1, V3]) {
      const version = packet === V1 ? 4 : 6;
      for (let at = 1; at < packet.length; at++) {
        if (at === 9 && version === 4) continue; // With another protocol there is no UDP header.
        if (at === 6 && version === 6) continue;
        const changed = packet.slice();
        changed[at] ^= 0x10;
        expect(Icrc.isRight(changed), `byte ${at}`).toBe(variant[version].includes(at));
      }
    }
  });

  it('equals the bit-by-bit definition at every length', () => {
    for (let extra = 0; extra < 20; extra++) {
      const datagram = new Uint8Array(40 + extra);
      datagram.set(V1.subarray(0, 40));
      for (let i = 0; i < extra; i++) datagram[40 + i] = (i * 37 + 11) & 255;
      expect(Icrc.compute(datagram)).toBe(bitByBit(datagram));
    }
  });

  it('rejects packets without a UDP header or BTH to mask', () => {
    const tcp = V1.slice();
    tcp[9] = 6;
    const tcp6 = V3.slice();
    tcp6[6] = 6;
    for (const bytes of [tcp, tcp6, new Uint8Array(0), V1.subarray(0, 39), V3.subarray(0, 59)]) {
      expect(() => Icrc.compute(bytes)).toThrow(RoceError);
    }
  });
});

describe('ICRC of a parsed packet', () => {
  it('is wrong if a byte of the packet is', () => {
    const bad = V1.slice();
    bad[bad.length - 6] = 1;
    expect(Cnp.read(V1).icrc).toBe('right');
    expect(Cnp.read(bad).icrc).toBe('wrong');
  });

  it('is checked under the policy of the caller', () => {
    const packet = new Uint8Array(FAST_CNP_WITHOUT_ICRC.length + 4);
    packet.set(FAST_CNP_WITHOUT_ICRC);
    for (const policy of POLICIES) {
      Icrc.write(packet, packet.length - 4, Icrc.compute(FAST_CNP_WITHOUT_ICRC, policy));
      for (const icrcPolicy of POLICIES) {
        expect(FastCnp.read(packet, { icrcPolicy }).icrc).toBe(policy === icrcPolicy ? 'right' : 'wrong');
      }
    }
  });
});

/** The ICRC over IPv4, bit by bit: of 64 ones and the datagram with its variant fields set to ones. */
function bitByBit(datagram: Uint8Array): number {
  const masked = new Uint8Array(8 + datagram.length).fill(0xff);
  masked.set(datagram, 8);
  for (const at of [1, 8, 10, 11, 26, 27, 32]) masked[8 + at] = 0xff;
  let crc = 0xffffffff;
  for (const byte of masked) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
