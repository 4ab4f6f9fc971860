/**
 * IPv6 Routing header of any type (RFC 8200, section 4.4).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 routing type | 3 segments left | 4 data
 *
 * While segments are left, the destination of the IPv6 header is the next waypoint, not the receiver. A node that does
 * not know the type goes on if no segments are left, else it discards the packet. Type 4 has its own codec
 * (segment-routing.ts).
 */
import type { HeaderLayout } from '../header/layout.js';
import { requireField } from '../bytes.js';
import { EXTENSION_LENGTH, EXTENSION_NEXT_HEADER, ExtensionHeaderView, beginExtensionHeader, requireExtensionHeader,
  requireExtensionLength } from './extension-header.js';

/** Offsets from the first byte of the header. */
export const ROUTING_TYPE = 2;
export const ROUTING_SEGMENTS_LEFT = 3;
export const ROUTING_DATA = 4;

/** The drawing of docs/wire.md. */
export const ROUTING_HEADER_LAYOUT: HeaderLayout = {
  title: 'IPv6 Routing header',
  source: 'RFC 8200, section 4.4',
  bytes: ROUTING_DATA,
  fields: [
    { name: 'nextHeader', offset: EXTENSION_NEXT_HEADER, bits: 8 },
    { name: 'headerExtLen', offset: EXTENSION_LENGTH, bits: 8 },
    { name: 'routingType', offset: ROUTING_TYPE, bits: 8 },
    { name: 'segmentsLeft', offset: ROUTING_SEGMENTS_LEFT, bits: 8 },
  ],
  followedBy: 'data as the routing type says, 4 bytes and 8 more for each unit of headerExtLen',
};

const LAYER = 'routing header';

/** A Routing header of any type. */
export interface RoutingHeader {
  readonly nextHeader: number;
  /** Bytes of the header / 8 - 1. */
  readonly headerExtLen: number;
  /** 4 = segment routing. */
  readonly routingType: number;
  /** Waypoints still to be visited. */
  readonly segmentsLeft: number;
  /** 4 bytes, or 8 more, and so on. */
  readonly data: Uint8Array;
}

/** What `buildRoutingHeader` needs; the length follows from the data, and must agree with them if given. */
export type RoutingHeaderFields = Omit<RoutingHeader, 'headerExtLen'> & Partial<RoutingHeader>;

/** Reads a Routing header in place. */
export class RoutingHeaderView extends ExtensionHeaderView {
  get routingType(): number {
    return this.bytes[this.offset + ROUTING_TYPE];
  }
  get segmentsLeft(): number {
    return this.bytes[this.offset + ROUTING_SEGMENTS_LEFT];
  }
  get data(): Uint8Array {
    return this.bytes.subarray(this.offset + ROUTING_DATA, this.payloadOffset);
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
  const { nextHeader, headerExtLen, routingType, segmentsLeft } = view;
  return { nextHeader, headerExtLen, routingType, segmentsLeft, data: view.data.slice() };
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
  requireExtensionLength('routingHeader', headerBytes, header.headerExtLen);
  requireField('routingHeader.routingType', header.routingType, 0xff);
  requireField('routingHeader.segmentsLeft', header.segmentsLeft, 0xff);
  beginExtensionHeader('routingHeader', target, offset, header.nextHeader, headerBytes);
  target[offset + ROUTING_TYPE] = header.routingType;
  target[offset + ROUTING_SEGMENTS_LEFT] = header.segmentsLeft;
  target.set(header.data, offset + ROUTING_DATA);
  return offset + headerBytes;
}
