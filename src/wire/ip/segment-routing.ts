/**
 * Segment Routing Header, SRH: IPv6 Routing header of type 4 (RFC 8754, section 2).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 routing type 4 | 3 segments left
 *   4 last entry | 5 flags | 6 tag (2) | 8 segment list (16 each) | TLVs to the end
 *
 * The segment list is in reverse: element 0 is the last segment of the path, element "last entry" the first. Element
 * "segments left" is the active one, which is also the IPv6 destination. A reduced SRH omits the first segment from the
 * list (section 4.1.1); segments left is then last entry + 1 until the first hop is reached.
 *
 * The checks are those of section 4.3.1.1 before advancing to the next segment: last entry within the length, segments
 * left at most last entry + 1. The section skips both if segments left is 0; here a list that does not fit is always
 * rejected, since list and TLVs could not be distinguished. TLVs are kept unchanged.
 */
import { invalidArgument, invalidPacket, lengthOf, NO_BYTES, requireField, requireLength, requireList,
  requireRecord } from '../bytes.js';
import { type ValueOf, defineHeader, requireImplied, extendHeader } from '../header/define-header.js';
import { EXTENSION_LENGTH_RULE } from './ipv6.js';
import { IP_ADDRESS_BYTES } from './ip-address.js';

const ROUTING_TYPE_SEGMENT_ROUTING = 4;
const LAYER = 'segment routing header';

const SRH = /* @__PURE__ */ defineHeader({
  title: 'Segment Routing Header (SRH)',
  source: 'RFC 8754, section 2',
  layer: LAYER,
  where: 'srh',
  followedBy: 'segment list, 16 bytes each, the last segment first; TLVs',
  fields: (field) => ({
    /** Protocol number of the next header or payload (IANA, "Protocol Numbers"). */
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.length(8, EXTENSION_LENGTH_RULE),
    /** Index of the active segment; `lastEntry` + 1 in a reduced SRH before its first hop. */
    segmentsLeft: field.constant('routingType', 8, ROUTING_TYPE_SEGMENT_ROUTING).bits(8),
    /** Index of the last element of `segments`. */
    lastEntry: field.bits(8),
    /** Eight bits, all unused in RFC 8754. */
    flags: field.bits(8, 0),
    /** Class of packets, 0 if unused. */
    tag: field.bits(16, 0),
  }),
});

/** A Segment Routing header, as a value. */
export interface SegmentRouting extends ValueOf<typeof SRH> {
  /** 16 bytes each; element 0 is the last segment of the path. 1 to 127 elements. */
  readonly segments: readonly Uint8Array[];
  /** As received, a multiple of 8 bytes. */
  readonly tlvs: Uint8Array;
}

/**
 * Input of `SegmentRouting.write`. Defaults: the first segment of the path is active (segments left = last entry),
 * flags and tag are 0, no TLVs. Lengths are computed from the lists; if given, they must agree.
 */
export type SegmentRoutingFields = Pick<SegmentRouting, 'nextHeader' | 'segments'> & Partial<
  SegmentRouting
>;

/** Result of processing an SRH at a waypoint. */
export interface SegmentAdvance {
  /** The header with segments left decremented. */
  readonly header: SegmentRouting;
  /** 16 bytes: the new destination of the IPv6 header. */
  readonly destination: Uint8Array;
}

/** Reads an SRH in place. */
export class SegmentRoutingView extends SRH.View {
  /**
   * A segment, 16 bytes, not copied.
   * @param index 0 = the last segment of the path; at most `lastEntry`.
   * @throws RoceError `invalid-argument` for another index.
   */
  segment(index: number): Uint8Array {
    requireField('index', index, this.lastEntry);
    const at = this.offset + SRH.lenBytes + index * IP_ADDRESS_BYTES;
    return this.bytes.subarray(at, at + IP_ADDRESS_BYTES);
  }
  /** TLVs after the segment list, not copied; empty if there are none. */
  get tlvs(): Uint8Array {
    const at = this.offset + SRH.lenBytes + (this.lastEntry + 1) * IP_ADDRESS_BYTES;
    return this.bytes.subarray(at, this.payloadOffset);
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    const headerBytes = SRH.lenBytesAt(bytes, offset);
    const { lastEntry, segmentsLeft } = SRH.read(bytes, offset);
    const max = Math.floor((headerBytes - SRH.lenBytes) / IP_ADDRESS_BYTES) - 1;
    if (lastEntry > max) {
      const allowed = max < 0 ? 'in a header with room for a segment' : { min: 0, max };
      throw invalidPacket(LAYER, offset, 'has a last entry beyond its length', lastEntry, allowed);
    }
    if (segmentsLeft > lastEntry + 1) {
      const allowed = { min: 0, max: lastEntry + 1 };
      throw invalidPacket(LAYER, offset, 'has too many segments left', segmentsLeft, allowed);
    }
  }
}

/** A Segment Routing header. */
export const SegmentRouting = /* @__PURE__ */ extendHeader(SRH, {
  /** Reads an SRH in place. */
  View: SegmentRoutingView,
  /** Routing type of the SRH. */
  ROUTING_TYPE: ROUTING_TYPE_SEGMENT_ROUTING,
  /** Maximum number of segments that the 8-bit length allows. */
  SEGMENTS_MAX: Math.floor((255 * 8) / IP_ADDRESS_BYTES),
  /** Number of bytes that `write` writes. */
  lenBytesOf(header: SegmentRoutingFields): number {
    requireRecord('srh', header);
    const { segments, tlvs = NO_BYTES } = header;
    requireList('srh.segments', segments);
    return SRH.lenBytes + segments.length * IP_ADDRESS_BYTES + lengthOf('srh.tlvs', tlvs);
  },
  /**
   * Reads an SRH; the inverse of `SegmentRouting.write`.
   * @throws RoceError `invalid-packet`: too short, another routing type, a list that exceeds the length, or more
   * segments left than the list allows.
   */
  read(bytes: Uint8Array, offset = 0): SegmentRouting {
    const view = new SegmentRoutingView(bytes, offset);
    const segments = Array.from({ length: view.lastEntry + 1 }, (_, index) => view.segment(index).slice());
    return { ...SRH.read(bytes, offset), segments, tlvs: view.tlvs.slice() };
  },
  /**
   * Writes an SRH.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, header: SegmentRoutingFields): number {
    requireRecord('srh', header);
    requireList('srh.segments', header.segments);
    const lastEntry = header.segments.length - 1;
    const { segmentsLeft = lastEntry, tlvs = NO_BYTES } = header;
    const headerBytes = SegmentRouting.lenBytesOf(header);
    requireSegments(header.segments);
    requireImplied('srh.lastEntry', header.lastEntry, lastEntry);
    requireField('srh.segmentsLeft', segmentsLeft, lastEntry + 1);
    let at = SRH.writePartInto(target, offset, { ...header, segmentsLeft, lastEntry }, headerBytes);
    for (const segment of header.segments) {
      target.set(segment, at);
      at += IP_ADDRESS_BYTES;
    }
    // An empty array may be detached memory, which `set` rejects.
    if (tlvs.length > 0) target.set(tlvs, at);
    return at + tlvs.length;
  },
  /**
   * The active segment: element "segments left" of the list. Undefined in a reduced SRH before its first hop, whose
   * active segment is only in the IPv6 header.
   */
  current(header: SegmentRouting): Uint8Array | undefined {
    requireRecord('srh', header);
    const { segments, segmentsLeft } = header;
    requireList('srh.segments', segments);
    requireField('srh.segmentsLeft', segmentsLeft, 0xff);
    return segments.at(segmentsLeft);
  },
  /**
   * Processing at the node of the active segment (RFC 8754, section 4.3.1.1, S15 and S16): decrements segments left,
   * and returns the element at this index as the new destination. The argument is not modified; the caller handles the
   * hop limit and checks the IPv6 header.
   *
   * @throws RoceError `invalid-argument` if no segments are left, or more than the list has.
   */
  advance(header: SegmentRouting): SegmentAdvance {
    requireRecord('srh', header);
    const { segments, segmentsLeft } = header;
    requireList('srh.segments', segments);
    requireField('srh.segmentsLeft', segmentsLeft, segments.length, 1);
    return { header: { ...header, segmentsLeft: segmentsLeft - 1 }, destination: segments[segmentsLeft - 1] };
  },
});

function requireSegments(segments: readonly Uint8Array[]): void {
  if (segments.length < 1 || segments.length > SegmentRouting.SEGMENTS_MAX) {
    const allowed = { min: 1, max: SegmentRouting.SEGMENTS_MAX };
    throw invalidArgument('srh.segments', segments.length, allowed, 'number of segments');
  }
  for (const segment of segments) requireLength('srh.segments', segment, IP_ADDRESS_BYTES);
}
