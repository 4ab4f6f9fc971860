/**
 * DCQCN's fixed point, section 3 of the CoNEXT 2016 paper: the engine (wasm), driven by the marking and CNP process of
 * the model, converges to the value of the equations; see docs/reference/closed-forms.md. A fixed seed makes every run
 * the same.
 *
 * The model replaces each product of random numbers by the product of their means and treats time as continuous, while
 * the engine takes steps. The tolerance for this is 8 % in queue and marking probability (measured: -5 to +7 %) and
 * 3 % in alpha (measured: up to 1.8 %). The published approximation for small p deviates by 16 to 30 % in the same
 * rows, so these tolerances distinguish the two.
 */
import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, ms } from '../../src/index.js';
import { CNP_SECONDS, dcqcnFixedPoint, K_MAX_BYTES, markingProbability, PACKET_BITS,
  P_MAX } from './support/dcqcn-fixed-point.js';
import { dcqcnState } from '../support/dcqcn-state.js';

/** Published rows: line rate in Gb/s, flows, p*, q* in kB (0: above Kmax), alpha*. */
const ROWS = [
  [40, 2, 7.770e-4, 20.15, 0.101],
  [40, 10, 6.032e-3, 122.6, 0.153],
  [40, 16, 1.087e-2, 0, 0.171],
  [40, 64, 5.91e-2, 0, 0.230],
  [100, 2, 2.387e-4, 9.65, 0.0788],
  [100, 10, 1.888e-3, 41.8, 0.122],
  [100, 16, 3.432e-3, 71.9, 0.137],
  [100, 64, 1.948e-2, 0, 0.191],
] as const;
const WITH_QUEUE = ROWS.filter(([, , , queueKb]) => queueKb > 0);
const BEYOND_KMAX = ROWS.filter(([, , , queueKb]) => queueKb === 0);

/** QPs that represent the N flows of a row: enough that the noise of their mean is negligible. */
const QPS = 96;
const STEPS_PER_CNP = 5;
const STEP_PS = (CNP_SECONDS * 1e12) / STEPS_PER_CNP;
/** The influence of the initial alpha decays by a factor of e in 14 ms. */
const WARM_UP_PS = ms(100);
const MEASURED_PS = ms(60);

interface Resolved {
  readonly queueBytes: number;
  readonly alpha: number;
  /** Mean rate of a QP divided by C / N. */
  readonly rateShare: number;
  /** How often the queue grew beyond Kmax. */
  readonly peaks: number;
}

class Chance {
  #state = 20_261_121;
  next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 2 ** 32;
  }
}

/** q' = N R - C with R the mean of the QPs; each QP gets a CNP per tau with probability 1 - (1 - p)^(packets in tau). */
function resolve(capacityBps: number, flows: number): Resolved {
  const parameters = dcqcnSigcomm15({ lineRateBps: capacityBps, limiterRelease: 'never' });
  const engine = createEngineSync({
    parameterSets: { one: parameters },
    capacity: { qps: QPS, events: 2 * QPS },
    rateActions: false,
  });
  const qps = Array.from({ length: QPS }, (_, i) => engine.openQp({ localQpn: i + 1 }));
  const chance = new Chance();
  const packets = new Float64Array(QPS);
  const sums = { queueBytes: 0, alpha: 0, rateBps: 0 };
  let queueBytes = 0;
  let peaks = 0;
  for (const qp of qps) engine.cnp(0, qp);
  const steps = (WARM_UP_PS + MEASURED_PS) / STEP_PS;
  for (let step = 1; step <= steps; step++) {
    const timePs = step * STEP_PS;
    const kept = 1 - markingProbability(queueBytes);
    let meanBps = 0;
    for (const qp of qps) {
      const rateBps = engine.rateBps(qp);
      meanBps += rateBps / QPS;
      packets[qp]! += (rateBps * STEP_PS) / 1e12 / PACKET_BITS;
      engine.events.sent(timePs, qp, Math.round((rateBps * STEP_PS) / 8e12));
      if ((step + qp) % STEPS_PER_CNP !== 0) continue;
      if (chance.next() < 1 - kept ** packets[qp]!) engine.events.cnp(timePs, qp);
      packets[qp] = 0;
    }
    engine.applyEvents();
    const before = queueBytes;
    queueBytes = Math.max(0, before + ((meanBps * flows - capacityBps) * STEP_PS) / 8e12);
    if (timePs <= WARM_UP_PS) continue;
    if (before < K_MAX_BYTES && queueBytes >= K_MAX_BYTES) peaks += 1;
    sums.queueBytes += queueBytes;
    sums.rateBps += meanBps;
    if (step % 10 === 0) { for (const qp of qps) sums.alpha += (10 * dcqcnState(engine, qp).alpha) / QPS; }
  }
  const measured = MEASURED_PS / STEP_PS;
  return {
    queueBytes: sums.queueBytes / measured,
    alpha: sums.alpha / measured,
    rateShare: (sums.rateBps / measured) * (flows / capacityBps),
    peaks,
  };
}

const part = (value: number, of: number): number => Math.abs(value / of - 1);

describe('the fixed point of the fluid model', () => {
  it.each(ROWS)('at %i Gb/s with %i flows has p* = %f', (capacityGbps, flows, probability, queueKb, alpha) => {
    const found = dcqcnFixedPoint(gbps(capacityGbps) / flows);
    // The tolerances follow from the digits of the published rows.
    expect(part(found.probability, probability)).toBeLessThan(1e-3);
    expect(part(found.alpha, alpha)).toBeLessThan(5e-3);
    if (queueKb > 0) expect(part(found.queueBytes / 1000, queueKb)).toBeLessThan(1e-3);
    else expect(found.probability).toBeGreaterThan(P_MAX);
  });
});

describe('the engine under the marking model', () => {
  it.each(WITH_QUEUE)('converges to the fixed point at %i Gb/s with %i flows', (capacityGbps, flows) => {
    const wanted = dcqcnFixedPoint(gbps(capacityGbps) / flows);
    const resolved = resolve(gbps(capacityGbps), flows);
    expect(part(resolved.rateShare, 1)).toBeLessThan(1e-3);
    expect(part(resolved.queueBytes, wanted.queueBytes)).toBeLessThan(0.08);
    expect(part(markingProbability(resolved.queueBytes), wanted.probability)).toBeLessThan(0.08);
    expect(part(resolved.alpha, wanted.alpha)).toBeLessThan(0.03);
  });

  it.each(BEYOND_KMAX)('exceeds Kmax repeatedly at %i Gb/s with %i flows, where p* is above Pmax',
    (capacityGbps, flows) => {
      const { queueBytes, peaks } = resolve(gbps(capacityGbps), flows);
      // At Kmax all flows are cut at once, so the queue drains before the next peak: at least one peak in 2 ms.
      expect(peaks).toBeGreaterThan(30);
      expect(queueBytes).toBeLessThan(K_MAX_BYTES);
    });
});
