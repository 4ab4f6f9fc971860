/**
 * How a batch of frames finds packets inside tunnels and after link headers that the engine does not read; implemented
 * by `frameLocator()` of roce-cc/packet.
 */

/** Finds the packet that a frame carries. The result is in its fields until the next call. */
export interface FrameLocator {
  /** LINK_*: how the engine is to read the packet. */
  readonly link: number;
  /** First byte that the engine reads, from the start of the arena. */
  readonly offset: number;
  /** Captured bytes from there on. */
  readonly capturedBytes: number;
  /** Bytes on the wire from there on. */
  readonly originalBytes: number;
  /** The tunnel around the packet, see `TunnelReport`; 0 if there is none. */
  readonly tunnel: number;
  /**
   * Finds the packet in the frame at `offset` of `arena`. May overwrite headers before the packet; updates the packet's
   * ECN field as decapsulation does (RFC 6040, section 4.2).
   */
  locate(arena: Uint8Array, offset: number, capturedBytes: number, originalBytes: number, linkType: number): void;
}

/** The tunnel around the packet of an applied frame. */
export interface TunnelReport {
  /** LAYER_* of roce-cc/packet: the header that carries the packet. */
  readonly kind: number;
  /** ECN field of the packet itself, 0..3. */
  readonly innerEcn: number;
  /**
   * ECN field that the outer headers pass on, 0..3; undefined if none of them has one, or if the frame was mirrored.
   */
  readonly outerEcn: number | undefined;
  /** Whether decapsulation drops the packet: outer CE over inner Not-ECT. */
  readonly isDropped: boolean;
}

const INNER_SHIFT = 8;
const OUTER_SHIFT = 10;
const NO_OUTER = 4;
const DROPPED = 1 << 13;

/** Encodes a tunnel as a number of 14 bits; `outerEcn` -1 means none. */
export function tunnelNumber(kind: number, innerEcn: number, outerEcn: number, isDropped: boolean): number {
  const outer = outerEcn < 0 ? NO_OUTER : outerEcn;
  return kind | (innerEcn << INNER_SHIFT) | (outer << OUTER_SHIFT) | (isDropped ? DROPPED : 0);
}

/** Decodes a tunnel; undefined for 0. */
export function tunnelReport(tunnel: number): TunnelReport | undefined {
  if (tunnel === 0) return undefined;
  const outer = (tunnel >> OUTER_SHIFT) & 7;
  return {
    kind: tunnel & 0xff,
    innerEcn: (tunnel >> INNER_SHIFT) & 3,
    outerEcn: outer === NO_OUTER ? undefined : outer,
    isDropped: (tunnel & DROPPED) !== 0,
  };
}
