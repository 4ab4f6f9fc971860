/**
 * IPv6 Routing header of any type (RFC 8200, section 4.4).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 routing type | 3 segments left | 4 data
 *
 * While segments are left, the destination of the IPv6 header is the next waypoint, not the receiver. A node that does
 * not know the type goes on if no segments are left, else it discards the packet. Type 4 has its own codec
 * (segment-routing.ts).
 */
import { type HeaderValue, defineHeader } from '../header/define-header.js';
import { EXTENSION_UNIT_BYTES, extensionLength, requireExtensionHeader } from './extension-header.js';

const LAYER = 'routing header';

export const ROUTING = /* @__PURE__ */ defineHeader({
  title: 'IPv6 Routing header',
  source: 'RFC 8200, section 4.4',
  layer: LAYER,
  where: 'routingHeader',
  followedBy: 'data as the routing type says, 4 bytes and 8 more for each unit of headerExtLen',
  fields: (field) => ({
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.bits(8),
    /** 4 = segment routing. */
    routingType: field.bits(8),
    /** Waypoints still to be visited. */
    segmentsLeft: field.bits(8),
  }),
});

/** The drawing of docs/wire.md. */
export const ROUTING_HEADER_LAYOUT = ROUTING.layout;
/** The fixed part; then the data. */
export const ROUTING_DATA = ROUTING.bytes;
export const ROUTING_SEGMENTS_LEFT = ROUTING.offsetOf('segmentsLeft');

/** A Routing header of any type. */
export interface RoutingHeader extends HeaderValue<typeof ROUTING> {
  /** 4 bytes, or 8 more, and so on. */
  readonly data: Uint8Array;
}

/** What `buildRoutingHeader` needs; the length follows from the data, and must agree with them if given. */
export type RoutingHeaderFields = Omit<RoutingHeader, 'headerExtLen'> & Partial<RoutingHeader>;

/** Reads a Routing header in place. */
export class RoutingHeaderView extends ROUTING.View {
  get data(): Uint8Array {
    return this.bytes.subarray(this.offset + ROUTING_DATA, this.payloadOffset);
  }
  override get payloadOffset(): number {
    return this.offset + (this.headerExtLen + 1) * EXTENSION_UNIT_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireExtensionHeader(LAYER, bytes, offset);
  }
}

/**
 * Reads a Routing header; the inverse of `buildRoutingHeader`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseRoutingHeader(bytes: Uint8Array, offset = 0): RoutingHeader {
  const view = new RoutingHeaderView(bytes, offset);
  return { ...ROUTING.parse(bytes, offset), data: view.data.slice() };
}

/**
 * Writes a Routing header.
 * @throws RoceError `invalid-argument` naming a field out of range, or when the whole is not a multiple of 8 bytes,
 * 8..2048.
 */
export function buildRoutingHeader(header: RoutingHeaderFields): Uint8Array {
  const bytes = new Uint8Array(ROUTING_DATA + header.data.length);
  buildRoutingHeaderInto(bytes, 0, header);
  return bytes;
}

/** As `buildRoutingHeader`, into `target`. @returns the offset behind the header. */
export function buildRoutingHeaderInto(target: Uint8Array, offset: number, header: RoutingHeaderFields): number {
  const headerBytes = ROUTING_DATA + header.data.length;
  const headerExtLen = extensionLength('routingHeader', headerBytes, header.headerExtLen);
  const dataOffset = ROUTING.buildPartInto(target, offset, { ...header, headerExtLen }, headerBytes);
  target.set(header.data, dataOffset);
  return offset + headerBytes;
}
