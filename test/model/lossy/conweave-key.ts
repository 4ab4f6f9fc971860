/** The key by which ConWeave's leaves identify a flow. */
import type { FlowTuple } from '../../../src/switching/ecmp-hash.js';

export function weaveKey({ sourceAddress, destinationAddress, sourcePort, destinationPort }: FlowTuple): string {
  return `${sourceAddress} ${destinationAddress} ${sourcePort} ${destinationPort}`;
}
