/**
 * The three numeric policies of DCQCN: three kinds of rounding for one state machine.
 *
 * float64    alpha and rates are doubles.
 *              alpha up    (1 - g) alpha + g          alpha down  (1 - g) alpha, 0 below 2^-64
 *              cut         max(R (1 - alpha s), m R)  average     (R + T) / 2
 * whole-bps  as float64, but each new rate is truncated to whole bits per second; the two terms of an average are
 *            truncated separately (as in the ns-3 reference simulator, whose rates are 64-bit integers).
 *              cut         max(trunc(R (1 - alpha s)), trunc(m R))
 *              average     floor(R / 2) + floor(T / 2)
 * alpha-q10  alpha is an integer of 2^-10, 0..1023, with floor division; G = 1024 (1 - g).
 *              alpha up    min(1023, floor(G alpha / 1024) + 1024 - G)    alpha down  floor(G alpha / 1024)
 *              cut         R - min(floor(R alpha s / 1024), floor((1 - m) R))
 *              average     floor((R + T) / 2)
 *
 * s = cutScale, m = minDecreaseFactor. Sources: Zhu et al., SIGCOMM 2015, equation 1; NVIDIA "DCQCN CC parameters".
 * Known deviations: alpha is set to 0 below 2^-64, which bounds the decay and never affects a later state.
 */
import { ALPHA_FLOOR } from '../../../abi/codes.js';
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn/parameters.js';

/** The operations that a numeric policy defines. Rates in bits per second, alpha as the policy stores it. */
export interface DcqcnArithmetic {
  /** Stored value of alpha 1: 1, or 1024 under `alpha-q10`. */
  readonly alphaUnit: number;
  /** The stored form of the parameter initialAlpha. */
  readonly initialAlpha: number;
  alphaUp(alpha: number): number;
  alphaDown(alpha: number): number;
  /** R_C after a cut, before the floor minRateBps. */
  cut(rateBps: number, alpha: number): number;
  /** The mean of R_C and R_T. */
  average(rateBps: number, targetBps: number): number;
  /** Rounds a computed rate to the precision of the policy. */
  round(rateBps: number): number;
}

/** Makes the arithmetic of the policy `parameters.numbers`. */
export function createArithmetic(parameters: DcqcnParameters): DcqcnArithmetic {
  switch (parameters.numbers) {
    case 'float64':
      return createFloat64(parameters);
    case 'whole-bps':
      return createWholeBps(parameters);
    case 'alpha-q10':
      return createAlphaQ10(parameters);
  }
}

function createFloat64(parameters: DcqcnParameters): DcqcnArithmetic {
  const { alphaGain, cutScale, minDecreaseFactor } = parameters;
  const retention = 1 - alphaGain;
  return {
    alphaUnit: 1,
    initialAlpha: parameters.initialAlpha,
    alphaUp: (alpha) => retention * alpha + alphaGain,
    alphaDown(alpha) {
      const lower = retention * alpha;
      return lower < ALPHA_FLOOR ? 0 : lower;
    },
    cut(rateBps, alpha) {
      const cutRate = rateBps * (1 - alpha * cutScale);
      const floorRate = rateBps * minDecreaseFactor;
      return cutRate < floorRate ? floorRate : cutRate;
    },
    average: (rateBps, targetBps) => (rateBps + targetBps) * 0.5,
    round: (rateBps) => rateBps,
  };
}

function createWholeBps(parameters: DcqcnParameters): DcqcnArithmetic {
  const { cutScale, minDecreaseFactor } = parameters;
  return {
    ...createFloat64(parameters),
    cut(rateBps, alpha) {
      const cutRate = Math.floor(rateBps * (1 - alpha * cutScale));
      const floorRate = Math.floor(rateBps * minDecreaseFactor);
      return cutRate < floorRate ? floorRate : cutRate;
    },
    average: (rateBps, targetBps) => Math.floor(rateBps * 0.5) + Math.floor(targetBps * 0.5),
    round: Math.floor,
  };
}

function createAlphaQ10(parameters: DcqcnParameters): DcqcnArithmetic {
  const { cutScale, minDecreaseFactor } = parameters;
  const retention = (1 - parameters.alphaGain) * 1024;
  const gain = 1024 - retention;
  return {
    alphaUnit: 1024,
    initialAlpha: parameters.initialAlpha * 1024,
    alphaUp: (alpha) => Math.min(1023, Math.floor((retention * alpha) / 1024) + gain),
    alphaDown: (alpha) => Math.floor((retention * alpha) / 1024),
    cut(rateBps, alpha) {
      const byAlpha = Math.floor(rateBps * alpha * (cutScale / 1024));
      const atMost = Math.floor(rateBps * (1 - minDecreaseFactor));
      return rateBps - (byAlpha < atMost ? byAlpha : atMost);
    },
    average: (rateBps, targetBps) => Math.floor((rateBps + targetBps) * 0.5),
    round: Math.floor,
  };
}
