/**
 * IPv6 Routing header of any type (RFC 8200, section 4.4).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 routing type | 3 segments left | 4 data
 *
 * While segments are left, the destination of the IPv6 header is the next waypoint, not the receiver. A node that does
 * not know the type ignores the header if no segments are left, else it discards the packet. Type 4 has its own codec
 * (segment-routing.ts).
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';
import { EXTENSION_LENGTH_RULE } from './extension-header.js';

export const ROUTING = /* @__PURE__ */ defineHeader({
  title: 'IPv6 Routing header',
  source: 'RFC 8200, section 4.4',
  layer: 'routing header',
  where: 'routingHeader',
  followedBy: 'data as the routing type says, 4 bytes and 8 more for each unit of headerExtLen',
  fields: (field) => ({
    /** Protocol number of the next header or payload (IANA, "Protocol Numbers"). */
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.length(8, EXTENSION_LENGTH_RULE),
    /** 4 = segment routing. */
    routingType: field.bits(8),
    /** Waypoints still to be visited. */
    segmentsLeft: field.bits(8),
    /** 4 bytes, or 8 more, and so on. */
    data: field.rest(),
  }),
});

/** The drawing of docs/wire.md. */
export const ROUTING_HEADER_LAYOUT = ROUTING.layout;
/** Length of the fixed part, 4 bytes; then the data. */
export const ROUTING_DATA = ROUTING.bytes;
/** Offset of "segments left" from the header's first byte: 3. */
export const ROUTING_SEGMENTS_LEFT = ROUTING.offsetOf('segmentsLeft');

/** A Routing header of any type. */
export interface RoutingHeader extends HeaderValue<typeof ROUTING> {}

/** Input of `buildRoutingHeader`; the length follows from the data, and must agree with them if given. */
export interface RoutingHeaderFields extends HeaderFields<typeof ROUTING> {}

/** Reads a Routing header in place. */
export class RoutingHeaderView extends ROUTING.View {}

/**
 * Reads a Routing header; the inverse of `buildRoutingHeader`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export const parseRoutingHeader: ParseHeader<RoutingHeader> = ROUTING.parse;
/**
 * Writes a Routing header.
 * @throws RoceError `invalid-argument` naming a field out of range, or when the whole is not a multiple of 8 bytes,
 * 8..2048.
 */
export const buildRoutingHeader: BuildHeader<RoutingHeaderFields> = ROUTING.build;
/** As `buildRoutingHeader`, into `target`. @returns the offset behind the header. */
export const buildRoutingHeaderInto: BuildHeaderInto<RoutingHeaderFields> = ROUTING.buildInto;
