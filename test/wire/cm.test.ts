import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { CmRep, CmRtu, CmReq, Mad } from '../../src/wire/roce/cm.js';
import { computeRoceV1Icrc } from '../../src/wire/roce/roce-v1.js';
import { Icrc } from '../../src/wire/roce/icrc.js';
import { fromHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const headers = [['MAD header', Mad, 24], ['REQ', CmReq, 140], ['REP', CmRep, 36], ['RTU', CmRtu, 8]] as const;

describe('messages of connection management', () => {
  it.each(headers)('%s: the layout matches `read`, and `write` is its inverse', (_, header, lenBytes) => {
    expectLayout(header, header.read);
    fc.assert(fc.property(fc.uint8Array({ minLength: lenBytes, maxLength: lenBytes }), (bytes) => {
      const value = header.read(bytes) as never;
      expect(header.write(value)).toEqual(bytes);
      const target = new Uint8Array(lenBytes + 2);
      expect(header.writeInto(target, 1, value)).toBe(lenBytes + 1);
      expect(target.subarray(1, -1)).toEqual(bytes);
    }));
  });

  it.each(headers)('%s: truncated messages are rejected', (_, { read }, lenBytes) => {
    expect(() => read(new Uint8Array(lenBytes - 1))).toThrow(RoceError);
  });

  /** Offsets of Linux, include/rdma/ibta_vol1_c12.h. */
  it('have the fields of a connection at the offsets of Linux', () => {
    const req = new Uint8Array(140);
    req.set([0, 2, 0], 32);
    req.set([0x12, 0x34, 0x56], 44);
    req[50] = 0x50;
    req.set(new Uint8Array(16).fill(7), 56);
    req[92] = 106;
    req.set([9], 115);
    expect(new CmReq.View(req)).toMatchObject({
      localQpn: 0x200,
      startingPsn: 0x123456,
      pathMtu: 5,
      primaryLocalGid: new Uint8Array(16).fill(7),
      primaryTrafficClass: 106,
      alternateLocalGid: Uint8Array.from([...new Uint8Array(15), 9]),
    });
    const rep = new Uint8Array(36);
    rep.set([0, 0, 0, 7, 0, 0, 0, 8]);
    rep.set([0, 1, 0x18], 12);
    rep.set([1, 2, 3], 16);
    rep.set([6, 5, 4], 20);
    const { localCommId, remoteCommId, localQpn, localEecn, startingPsn } = new CmRep.View(rep);
    expect([localCommId, remoteCommId, localQpn, localEecn, startingPsn]).toEqual([7, 8, 0x118, 0x010203, 0x060504]);
    expect(new CmRtu.View(rep)).toMatchObject({ localCommId: 7, remoteCommId: 8 });
  });
});

describe('the ICRC of RoCEv1', () => {
  /** Computed with zlib's crc32, over 8 bytes 0xff and the packet with its variant fields as ones. */
  const PACKET = '66a12345 0018 1b 3f fe80000000000000020000fffe000001 fe80000000000000020000fffe000002' +
    '0440ffff00000118 80000102 0011223344556677';
  const ON_THE_WIRE = '8815c815';

  it('equals an independent computation, at any offset', () => {
    const packet = fromHex(`${PACKET} ${ON_THE_WIRE}`);
    const shifted = Uint8Array.from([1, 2, 3, ...packet, 4]);
    const icrcOffset = packet.length - 4;
    expect(computeRoceV1Icrc(packet, 0, icrcOffset)).toBe(Icrc.read(packet, icrcOffset));
    expect(computeRoceV1Icrc(shifted, 3, icrcOffset + 3)).toBe(Icrc.read(packet, icrcOffset));
  });

  it.each([[-1, 60], [0, 51], [0, 1000], [0.5, 60]])('rejects offsets %d and %d', (grhOffset, icrcOffset) => {
    expect(() => computeRoceV1Icrc(new Uint8Array(64), grhOffset, icrcOffset)).toThrow(RoceError);
  });
});
