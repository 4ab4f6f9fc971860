/** Finds the addresses covered by UDP and ICMPv6 checksums (RFC 8200, section 8.1). */
import type { LayerSpec } from './layers.js';
import type { PseudoHeader } from './neighbours.js';

/** @returns the addresses of the innermost IP header before layer `index`, if it has them. */
export function pseudoHeaderAt(stack: readonly LayerSpec[], index: number): PseudoHeader | undefined {
  let lastSegment: Uint8Array | undefined;
  for (let at = index - 1; at >= 0; at--) {
    const layer = stack[at];
    if (layer.kind === 'segment-routing') lastSegment ??= lastSegmentOf(layer);
    if (layer.kind !== 'ipv4' && layer.kind !== 'ipv6') continue;
    if (!layer.value) return undefined;
    const { source, destination } = layer.value;
    return { version: layer.kind === 'ipv4' ? 4 : 6, source, destination: lastSegment ?? destination };
  }
  return undefined;
}

/** With no segments left, the IP header already has the final destination. */
function lastSegmentOf({ value }: Extract<LayerSpec, { kind: 'segment-routing' }>): Uint8Array | undefined {
  if (!value) return undefined;
  const { segments, segmentsLeft = segments.length - 1 } = value;
  return segmentsLeft > 0 ? segments[0] : undefined;
}
