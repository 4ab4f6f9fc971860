/**
 * HPCC in a closed loop with a fluid link, compared with the closed forms derived in docs/reference/closed-forms.md.
 * The engine (wasm) receives only ACK events. Tolerances cover rounding, and the omitted terms of an expansion where
 * one is cut off after its first term.
 */
import { describe, expect, it } from 'vitest';
import { hpccSigcomm19, type HpccParameters } from '../../src/index.js';
import { CAPACITY_BYTES, HpccLink, LINE_BPS, RTT_PS } from './support/hpcc-link.js';

const ETA = 0.95;
/** Covers sums of a few hundred doubles with a relative error of 2^-53 each. */
const ROUNDING = 1e-9;

/** @param share the sum of the additive steps of all flows per round trip, divided by C. */
function parametersOf(flowCount: number, share: number, overrides: Partial<HpccParameters> = {}): HpccParameters {
  const aiWindowBytes = (share * CAPACITY_BYTES) / flowCount;
  return hpccSigcomm19({ lineRateBps: LINE_BPS, baseRttPs: RTT_PS, maxStage: 0, aiWindowBytes, ...overrides });
}

describe('an HPCC flow alone on a link, one ACK per round trip', () => {
  it.each([0.02, 0.1, 0.5, 0.9, 0.949, 0.96, 0.99])(
    'reaches eta plus its additive step with the first ACK, from a utilisation of %f',
    (start) => {
      const parameters = parametersOf(1, 0.001);
      const link = new HpccLink(parameters, 1, 1);
      link.spread([start * CAPACITY_BYTES], parameters);
      expect(link.load).toBeCloseTo(start, 9);
      for (let k = 1; k <= 20; k++) {
        link.step();
        expect(Math.abs(link.load - (ETA + 0.001))).toBeLessThan(ROUNDING);
      }
    },
  );

  it.each([0.02, 0.5, 0.9, 0.945, 0.949, 0.96])('reaches it after at most maxStage additive steps, from %f',
    (start) => {
      const parameters = parametersOf(1, 0.001, { maxStage: 5 });
      const link = new HpccLink(parameters, 1, 1);
      link.spread([start * CAPACITY_BYTES], parameters);
      // The last step of `spread` was multiplicative, so no additive step has been counted.
      let steps = 0;
      while (Math.abs(link.load - (ETA + 0.001)) > ROUNDING) {
        const before = link.load;
        link.step();
        steps += 1;
        expect(steps).toBeLessThanOrEqual(parameters.maxStage + 1);
        if (Math.abs(link.load - (ETA + 0.001)) > ROUNDING) expect(link.load).toBeCloseTo(before + 0.001, 9);
      }
      for (let k = 0; k < 10; k++) link.step();
      expect(Math.abs(link.load - (ETA + 0.001))).toBeLessThan(ROUNDING);
    });
});

describe('HPCC flows that all start at line rate', () => {
  const SHARE = 0.025;

  it.each([2, 8, 32])('drain the queue and reach eta plus their additive steps within the bound, with %i flows',
    (count) => {
      const parameters = parametersOf(count, SHARE);
      const link = new HpccLink(parameters, count, 1);
      const floor = (count * parameters.minRateBps) / LINE_BPS;
      const queueAfterTwo = (1 + ETA) * count + SHARE - 2;
      const bound = 6 + (queueAfterTwo + 2) / (1 - (SHARE + floor) / (1 - ETA / 2));
      let steps = 0;
      while (link.queueBytes > 0 || Math.abs(link.load - (ETA + SHARE)) > ROUNDING) {
        link.step();
        steps += 1;
        expect(steps).toBeLessThanOrEqual(bound);
        if (steps === 2) expect(link.queueBytes / CAPACITY_BYTES).toBeCloseTo(queueAfterTwo, 9);
      }
      // The link can't drain the queue faster than at its own rate.
      expect(steps).toBeGreaterThanOrEqual(2 + queueAfterTwo);
      for (let k = 0; k < 50; k++) link.step();
      expect(Math.abs(link.load - (ETA + SHARE))).toBeLessThan(ROUNDING);
      expect(link.queueBytes).toBe(0);
    });
});

describe('an HPCC flow that reacts to each of m ACKs per round trip', () => {
  it.each([8, 16, 64])('follows the linear map of the derivation, contracting by sqrt(r (1 - w)), for m = %i', (m) => {
    const link = new HpccLink(parametersOf(1, 0), 1, m);
    const w = 1 / m;
    const r = (1 - 2 * w) ** (m - 1);
    const start = Math.log(1 / ETA);
    let [reference, smoothed] = [start, start];
    const contraction = Math.sqrt(r * (1 - w));
    for (let k = 1; k <= 8; k++) {
      for (let j = 0; j < m; j++) link.step();
      const left = r * ((1 - w) * smoothed - (1 / 2 - w) * reference);
      [reference, smoothed] = [reference / 2 - left, reference / 2 + left];
      const actual = Math.log(link.load / ETA);
      // The logarithm of a mean equals the mean of the logarithms up to terms of second order, which shrink as well.
      expect(Math.abs(actual - reference)).toBeLessThan(2 * start ** 2 * contraction ** k);
      expect(Math.abs(actual)).toBeLessThan(2 * start * contraction ** k);
    }
  });
});

describe('HPCC flows that start at different rates', () => {
  it.each([2, 8, 32])('share the link within 5 % after the round trips of the closed form, with %i flows', (count) => {
    const share = (1 - ETA) / 2;
    const parameters = parametersOf(count, share);
    const link = new HpccLink(parameters, count, 1);
    const fair = ((ETA + share) * CAPACITY_BYTES) / count;
    // From 2 / (n + 1) of the mean up to 2 n / (n + 1).
    const starts = link.flows.map((_, i) => (2 * (i + 1) * fair) / (count + 1));
    link.spread(starts, parameters);
    const factor = ETA / (ETA + share);
    const farthest = Math.max(...starts.map((start) => Math.abs(start - fair)));
    const roundTrips = Math.ceil(Math.log((0.05 * fair) / farthest) / Math.log(factor));
    const distances = (): number[] => link.flows.map((qp) => Math.abs(link.engine.windowBytes(qp) - fair) / fair);
    for (let k = 1; k <= roundTrips; k++) {
      link.step();
      const wanted = (farthest / fair) * factor ** k;
      expect(Math.max(...distances())).toBeCloseTo(wanted, 9);
    }
    expect(Math.max(...distances())).toBeLessThanOrEqual(0.05);
    const ratesBps = link.flows.map((qp) => link.engine.rateBps(qp));
    expect(Math.max(...ratesBps) / Math.min(...ratesBps)).toBeLessThan(1.05 / 0.95);
    expect(link.queueBytes).toBe(0);
  });
});
