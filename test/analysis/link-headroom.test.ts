import { describe, expect, it } from 'vitest';
import { linkHeadroom, pauseResponsePs, pfcHeadroomBytes } from '../../src/analysis/index.js';

const LINK = { rateBps: 100e9, linkDelayPs: 1.5e6, mtuBytes: 9216 };
const termsOf = (input: Parameters<typeof linkHeadroom>[0]) =>
  Object.fromEntries(linkHeadroom(input).terms.map(({ name, bytes }) => [name, bytes]));

describe('the headroom of a link', () => {
  it('is the sum of its terms', () => {
    expect(termsOf(LINK)).toEqual({
      'waiting-frame': 9236,
      'pause-frame': 84,
      interface: 394 * 64,
      cable: 37_500,
      response: 394 * 64,
      'begun-frame': 9216,
    });
    expect(linkHeadroom(LINK).bytes).toBe(106_468);
  });

  it('takes given delays instead of the bounds', () => {
    const given = { ...LINK, interfaceDelayPs: 80_000, responseDelayPs: 160_000 };
    expect(termsOf(given)).toMatchObject({ interface: 1000, response: 2000 });
    expect(linkHeadroom(given).terms.filter(({ isDefault }) => isDefault)).toEqual([]);
  });

  it.each([
    // A packet of 64 bytes alone in a cell of 256: three times its bytes more.
    [256, 100, 3 * (9236 + 84 + 2 * 25_216 + 37_500)],
    // Small cells: at most one byte in the second of two.
    [128, 100, Math.ceil((9236 + 84 + 2 * 25_216 + 37_500) * (256 / 129 - 1))],
    [256, 0, 0],
  ])('fills cells of %i bytes with %i %% small packets', (cellBytes, smallPacketPercent, cells) => {
    expect(termsOf({ ...LINK, cellBytes, smallPacketPercent })).toMatchObject({ cells });
  });

  it('has the response of IEEE 802.3, 31B.3.7, and above its speeds that of 400 Gb/s', () => {
    expect([10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9, 800e9].map(pauseResponsePs)).toEqual([
      3_430_400,
      1_638_400,
      1_510_400,
      1_505_280,
      2_017_280,
      1_159_680,
      1_158_400,
      1_158_400,
    ]);
  });

  it('is above the rule of the simulator on every link that a rack or a row has', () => {
    for (const rateBps of [25e9, 100e9, 400e9, 800e9]) {
      for (const linkDelayPs of [0, 5000, 50_000, 500_000]) {
        expect(linkHeadroom({ rateBps, linkDelayPs, mtuBytes: 1500 }).bytes)
          .toBeGreaterThan(pfcHeadroomBytes({ rateBps, linkDelayPs }));
      }
    }
  });

  it.each([
    [{ rateBps: 0 }, 'linkHeadroom.rateBps'],
    [{ mtuBytes: 63 }, 'linkHeadroom.mtuBytes'],
    [{ responseDelayPs: -1 }, 'linkHeadroom.responseDelayPs'],
    [{ cellBytes: 0.5 }, 'linkHeadroom.cellBytes'],
    [{ smallPacketPercent: 101 }, 'linkHeadroom.smallPacketPercent'],
  ])('rejects %j', (wrong, where) => {
    expect(() => linkHeadroom({ ...LINK, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid-config', where }),
    );
  });
});
