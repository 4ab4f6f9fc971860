/** A flow as ConWeave's leaves know it. */
import type { FlowTuple } from '../../../src/switching/ecmp-hash.js';

export function weaveKey({ sourceAddress, destinationAddress, sourcePort, destinationPort }: FlowTuple): string {
  return `${sourceAddress} ${destinationAddress} ${sourcePort} ${destinationPort}`;
}
