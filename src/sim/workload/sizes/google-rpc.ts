/**
 * Sizes of Google's RPCs in 2008, from the 843 points of the traffic generator of the HPCC authors' simulator
 * (GoogleRPC2008.txt).
 *
 * The points are regular: between two knots, both the reciprocals of the sizes and the shares are equally spaced. So the knots
 * and the numbers of steps define all points; sizes agree with the file's whole bytes, shares with its four decimals.
 */
import type { SizeCdf } from '../../scenario/spec.js';

/** Size in bytes, cumulative percentage, and number of steps from the previous knot. */
const KNOTS: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [3, 6.488_26, 1],
  [32, 9.732_39, 1],
  [64, 15.5271, 5],
  [128, 35.1573, 6],
  [256, 49.7901, 8],
  [512, 78.4921, 11],
  [1024, 86.32, 14],
  [2048, 90.8862, 18],
  [4096, 93.4955, 24],
  [8192, 96.4309, 31],
  [16_384, 98.4694, 41],
  [32_768, 99.0402, 53],
  [65_536, 99.3256, 69],
  [131_072, 99.7129, 90],
  [262_144, 99.8453, 118],
  [524_288, 99.9498, 153],
  [15_158_197, 100, 199],
];

export function googleRpcPoints(): SizeCdf {
  return KNOTS.flatMap(([toBytes, toPercent, steps], index) => {
    if (steps <= 1) return [{ sizeBytes: toBytes, share: toPercent / 100 }];
    const [fromBytes, fromPercent] = KNOTS[index - 1];
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      return {
        sizeBytes: Math.round(1 / (1 / fromBytes + part * (1 / toBytes - 1 / fromBytes))),
        share: (fromPercent + part * (toPercent - fromPercent)) / 100,
      };
    });
  });
}
