/**
 * Entropy value of an MRC packet: 32 bits that choose its path (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.3).
 *
 *   IPv6   low 16 bits of the flow label and UDP source port
 *   IPv4   UDP source port only; the other half is 0
 *
 * Published sources differ in which half is which (`MrcEvOrder`). The four upper bits of the flow label
 * are not part of it.
 */
import { requireChoice, requireField } from '../bytes.js';

/** Which field holds the upper half of an entropy value: the flow label (default), or the source port. */
export type MrcEvOrder = 'flow-label-high' | 'source-port-high';

/** The fields of a packet that carry its entropy value. */
export interface MrcEntropyFields {
  /** Low 16 bits of the flow label; the upper four are 0. */
  readonly flowLabel: number;
  /** UDP source port. */
  readonly sourcePort: number;
}

const HALF_MASK = 0xffff;
const FLOW_LABEL_MAX = 0xfffff;
const ORDERS = ['flow-label-high', 'source-port-high'] as const;

/**
 * The entropy value of a packet, 0..2^32 − 1.
 *
 * @param flowLabel 20 bits, of which the upper four are ignored; 0 for IPv4.
 * @param sourcePort UDP source port.
 */
export function mrcEntropy(flowLabel: number, sourcePort: number, order: MrcEvOrder = 'flow-label-high'): number {
  requireField('flowLabel', flowLabel, FLOW_LABEL_MAX);
  requireField('sourcePort', sourcePort, HALF_MASK);
  requireChoice('order', order, ORDERS);
  const half = flowLabel & HALF_MASK;
  const [high, low] = order === 'flow-label-high' ? [half, sourcePort] : [sourcePort, half];
  return ((high << 16) | low) >>> 0;
}

/** The fields that carry an entropy value over IPv6; the inverse of `mrcEntropy`. */
export function mrcEntropyFields(entropy: number, order: MrcEvOrder = 'flow-label-high'): MrcEntropyFields {
  requireField('entropy', entropy, 0xffffffff);
  requireChoice('order', order, ORDERS);
  const [high, low] = [entropy >>> 16, entropy & HALF_MASK];
  return order === 'flow-label-high' ?
    { flowLabel: high, sourcePort: low } :
    { flowLabel: low, sourcePort: high };
}
