import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import * as cm from '../../src/wire/roce/cm.js';
import * as cmReq from '../../src/wire/roce/cm-req.js';
import { computeRoceV1Icrc } from '../../src/wire/roce/icrc-v1.js';
import { readIcrc } from '../../src/wire/roce/icrc.js';
import * as mad from '../../src/wire/roce/mad.js';
import { fromHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const codecs = [
  ['MAD header', mad.MAD_LAYOUT, mad.parseMad, mad.buildMad, mad.buildMadInto, 24],
  ['REQ', cmReq.CM_REQ_LAYOUT, cmReq.parseCmReq, cmReq.buildCmReq, cmReq.buildCmReqInto, 140],
  ['REP', cm.CM_REP_LAYOUT, cm.parseCmRep, cm.buildCmRep, cm.buildCmRepInto, 36],
  ['RTU', cm.CM_RTU_LAYOUT, cm.parseCmRtu, cm.buildCmRtu, cm.buildCmRtuInto, 8],
] as const;

describe('messages of connection management', () => {
  it.each(codecs)('%s: the layout is what the codec reads, and building is the inverse', (...codec) => {
    const [, layout, parse, build, buildInto, lenBytes] = codec;
    expectLayout(layout, parse);
    fc.assert(fc.property(fc.uint8Array({ minLength: lenBytes, maxLength: lenBytes }), (bytes) => {
      const value = parse(bytes) as never;
      expect(build(value)).toEqual(bytes);
      const target = new Uint8Array(lenBytes + 2);
      expect(buildInto(target, 1, value)).toBe(lenBytes + 1);
      expect(target.subarray(1, -1)).toEqual(bytes);
    }));
  });

  it.each(codecs)('%s: cut short is an error', (...codec) => {
    const [, , parse, , , lenBytes] = codec;
    expect(() => parse(new Uint8Array(lenBytes - 1))).toThrow(RoceError);
  });

  /** Offsets of Linux, include/rdma/ibta_vol1_c12.h. */
  it('have the fields of a connection where Linux has them', () => {
    const req = new Uint8Array(140);
    req.set([0, 2, 0], 32);
    req.set([0x12, 0x34, 0x56], 44);
    req[50] = 0x50;
    req.set(new Uint8Array(16).fill(7), 56);
    req[92] = 106;
    req.set([9], 115);
    expect(new cmReq.CmReqView(req)).toMatchObject({
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
    const { localCommId, remoteCommId, localQpn, localEecn, startingPsn } = new cm.CmRepView(rep);
    expect([localCommId, remoteCommId, localQpn, localEecn, startingPsn]).toEqual([7, 8, 0x118, 0x010203, 0x060504]);
    expect(new cm.CmRtuView(rep)).toMatchObject({ localCommId: 7, remoteCommId: 8 });
  });
});

describe('the ICRC of RoCEv1', () => {
  /** Computed with zlib's crc32, over 8 bytes 0xff and the packet with its variant fields as ones. */
  const PACKET = '66a12345 0018 1b 3f fe80000000000000020000fffe000001 fe80000000000000020000fffe000002' +
    '0440ffff00000118 80000102 0011223344556677';
  const ON_THE_WIRE = '8815c815';

  it('is that of an independent computation, at any place', () => {
    const packet = fromHex(`${PACKET} ${ON_THE_WIRE}`);
    const shifted = Uint8Array.from([1, 2, 3, ...packet, 4]);
    const icrcOffset = packet.length - 4;
    expect(computeRoceV1Icrc(packet, 0, icrcOffset)).toBe(readIcrc(packet, icrcOffset));
    expect(computeRoceV1Icrc(shifted, 3, icrcOffset + 3)).toBe(readIcrc(packet, icrcOffset));
  });

  it.each([[-1, 60], [0, 51], [0, 1000], [0.5, 60]])('rejects offsets %d and %d', (grhOffset, icrcOffset) => {
    expect(() => computeRoceV1Icrc(new Uint8Array(64), grhOffset, icrcOffset)).toThrow(RoceError);
  });
});
