/** Which input of switches came nearest to a pause. */
import type { PortResult } from '../result.js';
import { mostOf } from './most-of.js';

/** The port where what came in got nearest to its threshold, of those whose result says. */
export function tightestPort(ports: readonly PortResult[]): Required<PortResult> | undefined {
  const known = ports.filter(({ maxIngressBytes, minPauseThresholdBytes }) =>
    maxIngressBytes !== undefined && minPauseThresholdBytes !== undefined
  );
  return mostOf(known as Required<PortResult>[],
    ({ maxIngressBytes, minPauseThresholdBytes }) => maxIngressBytes / Math.max(1, minPauseThresholdBytes));
}
