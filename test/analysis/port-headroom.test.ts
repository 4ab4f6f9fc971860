import { describe, expect, it } from 'vitest';
import { interfaceDelay, CABLE_DELAY_PS_PER_M, portHeadroom,
  simulatorHeadroomBytes } from '../../src/analysis/headroom.js';
import { us } from '../../src/units.js';

const termsOf = (input: Parameters<typeof portHeadroom>[0]) =>
  Object.fromEntries(portHeadroom(input).terms.map(({ name, bytes }) => [name, bytes]));

describe('The headroom of a port', () => {
  it('is the sum of its terms', () => {
    expect(termsOf({ rateBps: 100e9, linkDelayPs: 300 * CABLE_DELAY_PS_PER_M })).toEqual({
      // 9,216 and 64 bytes, each with 20 bytes of preamble and gap.
      'own-frame': 9_236,
      'pfc-frame': 84,
      // 1.5 us at 12,500 bytes a microsecond, twice.
      cable: 37_500,
      // 394 quanta of 64 bytes at each end.
      interfaces: 2 * 394 * 64,
      // 120 quanta.
      response: 7_680,
      'peer-frame': 9_216,
    });
    expect(portHeadroom({ rateBps: 100e9, linkDelayPs: us(1.5) }).totalBytes).toBe(114_148);
  });

  it.each([[10, 67], [25, 80], [40, 118], [50, 147], [100, 394], [200, 453], [400, 905], [800, 905]])(
    'allows for a delay of each interface at %i Gb/s of %i quanta',
    (gbps, quanta) => {
      expect(termsOf({ rateBps: gbps * 1e9, linkDelayPs: 0 }).interfaces).toBe(2 * quanta * 64);
    },
  );

  it('uses the interface delay of the next lower listed rate, or of the lowest', () => {
    expect(interfaceDelay(123e9)).toEqual({ delayPs: interfaceDelay(100e9).delayPs, listedRateBps: 100e9 });
    expect(interfaceDelay(1.6e12)).toEqual({ delayPs: 579_200, listedRateBps: 800e9 });
    expect(interfaceDelay(1e6)).toEqual({ delayPs: 5_120_000, listedRateBps: 1e8 });
  });

  it('uses given values instead of the limits', () => {
    const given = { mtuBytes: 1_500, interfaceDelayPs: 0, responseDelayPs: us(1) };
    expect(portHeadroom({ rateBps: 100e9, linkDelayPs: 0, ...given }).totalBytes).toBe(1_520 + 84 + 12_500 + 1_500);
  });

  it('adds the space that packets of the worst length leave unused in cells', () => {
    const link = { rateBps: 100e9, linkDelayPs: 0, interfaceDelayPs: 0, responseDelayPs: 0, mtuBytes: 1_000 };
    // 1,020 + 84 bytes of the wire hold 14 packets of 64 bytes, which take a cell of 256 each; the peer's frame takes 4 cells.
    expect(termsOf({ ...link, cellBytes: 256 }).cells).toBe(14 * 256 + 1_024 - 1_104 - 1_000);
    // With cells of 64 bytes, packets of 65 bytes take two; 13 of them fit, at 85 bytes each on the wire.
    expect(termsOf({ ...link, cellBytes: 64 }).cells).toBe(14 * 64 + 1_024 - 1_104 - 1_000 + (13 * 128 - 14 * 64));
    expect(termsOf({ ...link, cellBytes: 1 }).cells).toBe(0);
  });

  it('is below the tables shipped with 400 Gb/s switches without cells, and above them with the worst cells', () => {
    const link = { rateBps: 400e9, linkDelayPs: 5 * CABLE_DELAY_PS_PER_M };
    const without = portHeadroom(link).totalBytes;
    const worst = portHeadroom({ ...link, cellBytes: 254 }).totalBytes;
    for (const shipped of [425_958, 445_770]) expect(without < shipped && shipped < worst).toBe(true);
  });

  it('exceeds the headroom that the simulator reserves on links of 100 m', () => {
    for (const rateBps of [25e9, 100e9, 400e9]) {
      const linkDelayPs = 100 * CABLE_DELAY_PS_PER_M;
      const simulated = simulatorHeadroomBytes({ rateBps, linkDelayPs }) + 3 * 9_216 + 8 * 64;
      expect(portHeadroom({ rateBps, linkDelayPs }).totalBytes).toBeGreaterThan(simulated);
    }
  });

  it.each([
    [{ rateBps: 0, linkDelayPs: 0 }, /^portHeadroom\.rateBps must be between 1/],
    [{ rateBps: 1e9, linkDelayPs: -1 }, /portHeadroom\.linkDelayPs/],
    [{ rateBps: 1e9, linkDelayPs: 0, mtuBytes: 63 }, /portHeadroom\.mtuBytes/],
    [{ rateBps: 1e9, linkDelayPs: 0, cellBytes: 0 }, /portHeadroom\.cellBytes/],
    [{ rateBps: 1e9, linkDelayPs: 0, interfaceDelayPs: NaN }, /portHeadroom\.interfaceDelayPs/],
    [{ rateBps: 1e9, linkDelayPs: 0, responseDelayPs: 0.5 }, /portHeadroom\.responseDelayPs/],
    [{ rateBps: 1e9, linkDelayPs: 0, extra: 1 }, /extra/],
  ])('rejects %j', (input, message) => {
    expect(() => portHeadroom(input)).toThrow(message);
  });
});
