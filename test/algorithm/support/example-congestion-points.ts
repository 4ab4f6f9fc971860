/** The congestion points of examples/congestion-points, by the names of their files. */
import type { CustomCongestionPoint } from '../../../src/config/custom-congestion-point.js';

export type ExamplePoint = 'step-ecn' | 'ramp-ecn' | 'fast-cnp' | 'fast-cnp-on-rise';

/** The congestion point that a file of the folder exports. */
export async function examplePoint(name: ExamplePoint): Promise<CustomCongestionPoint> {
  const { default: point } = await import(`../../../examples/congestion-points/${name}.js`) as {
    default: CustomCongestionPoint;
  };
  return point;
}
