/**
 * The numeric policies of DCQCN: the value of a cut, an average and an alpha step.
 *
 * float64    IEEE doubles.
 * whole-bps  rates are whole bits per second: truncated after a product, halves truncated before they are added, as
 *            the ns-3 reference simulator does (its DataRate arithmetic).
 * alpha-q10  as whole-bps, but averages are truncated once, and alpha is an integer of 2^-10 with floor division (NVIDIA's
 *            documented form: alpha = G/1024 alpha + (1024 - G)).
 *
 * Each function takes the policy as an argument, so that a constant argument compiles to that policy's code only.
 * Only + - * and floor are used, in the same order as in the TypeScript model, which therefore gets the same bits.
 */
import { ALPHA_FLOOR, NUMBERS_ALPHA_Q10, NUMBERS_FLOAT64, NUMBERS_WHOLE_BPS } from '../../../src/abi/codes';
import { DcqcnParameterSet } from './record';

const Q10_MAX: f64 = 1023;
/** Value of one unit of an integer alpha. */
export const Q10_UNIT: f64 = 1.0 / 1024.0;

@inline export function averageRate(numbers: u32, rateBps: f64, targetBps: f64): f64 {
  if (numbers == NUMBERS_FLOAT64) return (rateBps + targetBps) * 0.5;
  if (numbers == NUMBERS_WHOLE_BPS) return floor<f64>(rateBps * 0.5) + floor<f64>(targetBps * 0.5);
  return floor<f64>((rateBps + targetBps) * 0.5);
}

@inline export function cutRate(p: DcqcnParameterSet, numbers: u32, rateBps: f64, alpha: f64): f64 {
  if (numbers == NUMBERS_ALPHA_Q10) return cutRateQ10(p, rateBps, alpha);
  let cut = rateBps * (1 - alpha * p.cutScale);
  let least = rateBps * p.minDecreaseFactor;
  if (numbers == NUMBERS_WHOLE_BPS) {
    cut = floor<f64>(cut);
    least = floor<f64>(least);
  }
  return cut < least ? least : cut;
}

function cutRateQ10(p: DcqcnParameterSet, rateBps: f64, alpha: f64): f64 {
  const byAlpha = floor<f64>(rateBps * alpha * (p.cutScale * Q10_UNIT));
  const most = floor<f64>(rateBps * (1 - p.minDecreaseFactor));
  return rateBps - (byAlpha < most ? byAlpha : most);
}

@inline export function alphaUp(p: DcqcnParameterSet, numbers: u32, alpha: f64): f64 {
  if (numbers != NUMBERS_ALPHA_Q10) return p.alphaRetention * alpha + p.alphaGain;
  const up = floor<f64>(p.alphaRetention * alpha * Q10_UNIT) + p.alphaGain;
  return up > Q10_MAX ? Q10_MAX : up;
}

/** Alpha after a period without a CNP. Set to 0 below 2^-64, where it can't affect any later state, so that decay ends. */
@inline export function alphaDown(p: DcqcnParameterSet, numbers: u32, alpha: f64): f64 {
  if (numbers == NUMBERS_ALPHA_Q10) return floor<f64>(p.alphaRetention * alpha * Q10_UNIT);
  const down = p.alphaRetention * alpha;
  return down < ALPHA_FLOOR ? 0 : down;
}

/** Rounds the result of any other product or division of rates. */
@inline export function wholeRate(numbers: u32, rateBps: f64): f64 {
  return numbers == NUMBERS_FLOAT64 ? rateBps : floor<f64>(rateBps);
}
