/**
 * IPv6 Routing header of any type (RFC 8200, section 4.4).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 routing type | 3 segments left | 4 data
 *
 * While segments are left, the destination in the IPv6 header is the next waypoint, not the receiver. Nodes that do not
 * know the type ignore the header if no segments are left, else they discard the packet. Type 4 has its own codec
 * (segment-routing.ts).
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { EXTENSION_LENGTH_RULE } from './extension-header.js';

/** A Routing header of any type. When written, the length is computed from the data; if given, it must agree. */
export const RoutingHeader = /* @__PURE__ */ defineHeader({
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
    /** Number of waypoints still to be visited. */
    segmentsLeft: field.bits(8),
    /** 4, 12, 20, … bytes. */
    data: field.rest(),
  }),
});

/** Offset of "segments left" from the header's first byte: 3. */
export const ROUTING_SEGMENTS_LEFT = RoutingHeader.offsetOf('segmentsLeft');

/** A Routing header of any type. */
export interface RoutingHeader extends ValueOf<typeof RoutingHeader> {}
