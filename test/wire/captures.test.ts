import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { Cnp, FastCnp, fastCnpFor, parseIpAddress } from '../../src/wire/index.js';
import type { KnownFrame } from './support/frames.js';
import { readCapture } from './support/frames.js';
import { toHex } from './support/hex.js';

/** The whole corpus if available; `frames.csv` contains a part of it. */
describe('the corpus of captures', () => {
  const frames = readCapture('mixed');
  const ofClass = (name: string) => frames.filter(({ truth }) => truth.class.startsWith(name));
  /** The packet without the bytes that follow the datagram. */
  const packetOf = ({ truth, bytes }: KnownFrame) => {
    const trailer = /trailer(\d+)/.exec(truth.kind);
    return trailer ? bytes.subarray(0, -Number(trailer[1])) : bytes;
  };

  it('has CNPs that are all rebuilt byte for byte', () => {
    expect(ofClass('cnp').length).toBeGreaterThan(100);
    for (const frame of ofClass('cnp')) {
      const cnp = Cnp.read(frame.bytes, { link: 'ethernet' });
      expect(cnp).toMatchObject({ destQpn: Number(frame.truth.dest_qp), icrc: 'right' });
      expect(toHex(Cnp.write(cnp)), frame.truth.frame).toBe(toHex(packetOf(frame)));
    }
  });

  it('has Fast CNPs that are all read, and rebuilt byte for byte if they have standard padding', () => {
    expect(ofClass('fast_cnp').length).toBeGreaterThan(200);
    for (const frame of ofClass('fast_cnp')) {
      const { truth } = frame;
      const read = FastCnp.read(frame.bytes, { link: 'ethernet' });
      expect(read, truth.frame).toMatchObject({
        destQpn: Number(truth.dest_qp),
        originalDestination: parseIpAddress(truth.fastcnp_orig_dst),
        icrc: 'right',
        origin: truth.fastcnp_origin,
        option: truth.class === 'fast_cnp_1' ? 1 : 2,
      });
      if (!/fastcnp1_ii?\/|fastcnp2_std/.test(truth.kind)) continue;
      expect(toHex(FastCnp.write(read)), truth.frame).toBe(toHex(packetOf(frame)));
    }
  });

  it('has a Fast CNP for each of its IPv6 data packets', () => {
    const switchAddress = parseIpAddress('2001:db8:ffff::7');
    for (const { truth, bytes } of ofClass('data').filter((frame) => frame.truth.ip_version === '6')) {
      expect(FastCnp.read(fastCnpFor(bytes, { switchAddress })), truth.frame).toMatchObject({
        destQpn: Number(truth.dest_qp),
        originalDestination: parseIpAddress(truth.dst),
        pKey: Number(truth.pkey),
        destination: parseIpAddress(truth.src),
        option: truth.ioam_trace_type_hex ? 2 : 1,
        icrc: 'right',
      });
    }
  });

  it('has no other frame that is read as a CNP or Fast CNP, and no unexpected error for malformed ones', () => {
    for (const { truth, bytes } of [...frames, ...readCapture('malformed')]) {
      const isCnp = isRead(() => Cnp.read(bytes, { link: 'ethernet' }));
      const isFastCnp = isRead(() => FastCnp.read(bytes, { link: 'ethernet' }));
      expect(isCnp && isOther(truth.class, 'cnp'), truth.frame).toBe(false);
      expect(isFastCnp && isOther(truth.class, 'fast_cnp'), truth.frame).toBe(false);
      isRead(() => fastCnpFor(bytes, { switchAddress: parseIpAddress('2001:db8::7') }));
    }
  });
});

function isOther(name: string, expected: string): boolean {
  return name !== 'ambiguous' && !name.startsWith(expected);
}

function isRead(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return false;
  }
}
