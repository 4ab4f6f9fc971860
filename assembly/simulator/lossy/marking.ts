/**
 * Marks at departure, depending on the remaining bytes S beyond the class's reserve. S > Kmax: always; Kmin < S <= Kmax: with
 * probability (S - Kmin) / (Kmax - Kmin) Pmax, by the switch's generator; otherwise never.
 *
 * Source: docs/specs/reference-lossy.md, section 8.
 */
import { nextUniform } from './mrg32k3a';
import { lossyNode } from './network';
import { markedBytes } from './pools';
import { SimPort } from '../../records/network';
import { LOSSY_NODE_GENERATOR } from '../../records/lossy';

/** Whether a packet of this class that leaves by the port is marked. */
export function isMarkDue(port: SimPort, cls: u32): bool {
  if (!port.ecn) return false;
  const bytes = <f64>markedBytes(port, cls);
  if (bytes > port.kmaxBytes) return true;
  if (port.kminBytes == port.kmaxBytes || bytes <= port.kminBytes) return false;
  const generator = changetype<usize>(lossyNode(port.node)) + LOSSY_NODE_GENERATOR;
  return nextUniform(generator) < (bytes - port.kminBytes) / (port.kmaxBytes - port.kminBytes) * port.pmax;
}
