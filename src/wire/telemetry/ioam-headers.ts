/**
 * Headers of IOAM: its IPv6 option, in a Hop-by-Hop or Destination Options header (RFC 9486, section 3; IANA registry
 * "In Situ OAM"), and in the option's data the header of a trace, pre-allocated or incremental (RFC 9197, section
 * 4.4.1; IANA, "IOAM Trace-Type").
 *
 *   option  0 option type | 1 length of what follows | 2 reserved | 3 IOAM option-type | 4 IOAM data
 *   trace   0 Namespace-ID (2) | 2 NodeLen 5, flags 4, RemainingLen 7 | 4 IOAM-Trace-Type (3) | 7 reserved
 *           8 node data list
 *
 * Note that the option's length counts from byte 2, so the data is 2 bytes shorter than the length. Option type and
 * IOAM option-type are different fields. The option begins at a multiple of 4 bytes from its header's start.
 *
 * The flags of a trace cross a byte boundary. NodeLen and RemainingLen count 4-byte words; NodeLen excludes the opaque
 * snapshot of bit 22. In a pre-allocated trace, RemainingLen words of free space precede the recorded nodes; in an
 * incremental one, nodes may still add RemainingLen words.
 *
 * The trace type states the fields that the nodes record, in the order of its 24 bits, bit 0 the most significant. Each
 * set bit of 0..21 is a field of one 4-byte word, bits 8, 9 and 10 of two.
 *
 *   12..21 undefined, with one word each | 22 opaque state snapshot, of variable length | 23 reserved, without data
 */
import { requireRecord, requireField, invalidArgument } from '../bytes.js';
import { extendHeader, type FieldsOf, type ValueOf, defineHeader } from '../header/define-header.js';
import { IpProtocol } from '../ip/ip-protocol.js';
import { Ipv6Option } from '../ip/ipv6-options.js';
import { BitmapWords } from './bitmap-record.js';

const IOAM_OPTION_MAY_CHANGE = 0x31;
const IOAM_OPTION_UNCHANGING = 0x11;
const IOAM_OPTION = /* @__PURE__ */ defineHeader({
  title: 'IOAM option',
  source: 'RFC 9486, section 3',
  layer: 'ioam option',
  followedBy: 'data of the IOAM option-type, length - 2 bytes',
  fields: (field) => ({
    /** 0x31 if the data may change en route, else 0x11. */
    optionType: field.ruled({ allowed: [IOAM_OPTION_MAY_CHANGE, IOAM_OPTION_UNCHANGING], accepts: isIoamOption }, 8,
      IOAM_OPTION_MAY_CHANGE),
    /** 8 bits, 0 on sending. */
    reserved: field.impliedLength('length', 8, { uncountedBytes: Ipv6Option.lenBytes }).bits(8, 0),
    /** 0..255; `IoamOption.TYPE_NAMES` names 0..4. */
    ioamOptionType: field.bits(8),
    /** Contents as defined by the IOAM option-type, 0..253 bytes. */
    data: field.rest(),
  }),
});

/** An IPv6 option that carries IOAM data, as a value. */
export interface IoamOption extends ValueOf<typeof IOAM_OPTION> {}

/** Reads an IOAM option in place. */
export class IoamOptionView extends IOAM_OPTION.View {
  /** Length of the data, bytes. */
  get dataBytes(): number {
    return this.headerBytes - IOAM_OPTION.lenBytes;
  }
  /** Offset of the data. */
  override get payloadOffset(): number {
    return this.offset + IOAM_OPTION.lenBytes;
  }
}

/** An IPv6 option that carries IOAM data. Defaults when written: `optionType` 0x31, `reserved` 0. */
export const IoamOption = /* @__PURE__ */ extendHeader(IOAM_OPTION, {
  /** Reads an IOAM option in place. */
  View: IoamOptionView,
  /** IPv6 option type for data that may change en route, like a trace: action bits 00, change bit 1. */
  MAY_CHANGE: IOAM_OPTION_MAY_CHANGE,
  /** IPv6 option type for data that does not change en route: action bits 00, change bit 0. */
  UNCHANGING: IOAM_OPTION_UNCHANGING,
  /** The option begins at a multiple of this from the start of its header ("4n"). */
  ALIGNMENT_BYTES: 4,
  /** IOAM option-type of a pre-allocated trace (IANA, "IOAM Option-Type"; RFC 9197, section 4.4). */
  TYPE_PREALLOCATED_TRACE: 0,
  /** IOAM option-type of an incremental trace (RFC 9197, section 4.4). */
  TYPE_INCREMENTAL_TRACE: 1,
  /** IOAM option-type of a proof of transit (RFC 9197, section 4.5). */
  TYPE_PROOF_OF_TRANSIT: 2,
  /** IOAM option-type of edge-to-edge data (RFC 9197, section 4.6). */
  TYPE_EDGE_TO_EDGE: 3,
  /** IOAM option-type of direct export (RFC 9326). */
  TYPE_DIRECT_EXPORT: 4,
  /** Names of the IOAM option-types 0..4, by number. */
  TYPE_NAMES: [
    'pre-allocated trace',
    'incremental trace',
    'proof of transit',
    'edge-to-edge',
    'direct export',
  ],
  /** Maximum data length of an option: its length has 8 bits and counts two bytes before the data. */
  DATA_MAX_BYTES: Ipv6Option.DATA_MAX_BYTES - (IOAM_OPTION.lenBytes - Ipv6Option.lenBytes),
  /** Whether this type of an IPv6 option carries IOAM. */
  isType: (optionType: number): boolean => isIoamOption(optionType),
  /**
   * Builds a Hop-by-Hop or Destination Options header with only this option, 4n-aligned and padded.
   *
   * @param nextHeader protocol after the header; default UDP.
   * @throws RoceError `invalid-argument` like `IoamOption.write`.
   */
  writeOptionsHeader(option: FieldsOf<typeof IOAM_OPTION>, nextHeader: number = IpProtocol.UDP): Uint8Array {
    const bytes = IoamOption.write(option);
    return Ipv6Option.writeHeader(bytes[0], bytes.subarray(Ipv6Option.lenBytes), IoamOption.ALIGNMENT_BYTES,
      nextHeader);
  },
});

function isIoamOption(optionType: number): boolean {
  return optionType === IOAM_OPTION_MAY_CHANGE || optionType === IOAM_OPTION_UNCHANGING;
}

const IOAM_TRACE = /* @__PURE__ */ defineHeader({
  title: 'IOAM trace',
  source: 'RFC 9197, section 4.4.1',
  layer: 'ioam trace',
  followedBy: 'node data: free space if pre-allocated, then the nodes, newest first',
  fields: (field) => ({
    /** 16 bits; 0 is the default namespace. */
    namespaceId: field.bits(16, 0),
    /** NodeLen, 0..31 4-byte words: length of each node's data, without its opaque snapshot. */
    nodeLenWords: field.bits(5, 0),
    /** 4 bits: overflow 8, loopback 4, active 2. */
    flags: field.bits(4, 0),
    /** RemainingLen, 0..127 4-byte words. */
    remainingLenWords: field.bits(7, 0),
    /** 24 bits; bit 0 is the most significant. */
    traceType: field.bits(24),
    /** Reserved last byte. */
    reserved8: field.bits(8, 0),
  }),
});

/** The header of an IOAM trace, as a value. */
export interface IoamTraceHeader extends ValueOf<typeof IOAM_TRACE> {}

/** The header of an IOAM trace. Defaults when written: NodeLen as required by the trace type, other fields 0. */
export const IoamTraceHeader = /* @__PURE__ */ extendHeader(IOAM_TRACE, {
  /** Maximum NodeLen, in 4-byte words: 5 bits. */
  NODE_LEN_MAX_WORDS: 31,
  /** Maximum RemainingLen, in 4-byte words: 7 bits. */
  REMAINING_LEN_MAX_WORDS: 127,
  /** Flag: a node had no space for its data (RFC 9197, section 4.4.1); a value of the 4-bit field. */
  FLAG_OVERFLOW: 8,
  /** Flag: nodes send a copy back (RFC 9322); a value of the 4-bit field. */
  FLAG_LOOPBACK: 4,
  /** Flag: the packet is a probe (RFC 9322); a value of the 4-bit field. */
  FLAG_ACTIVE: 2,
  /** Like `IoamTraceHeader.write`, into `target`. @returns the offset after the header. */
  writeInto(target: Uint8Array, offset: number, header: FieldsOf<typeof IOAM_TRACE>): number {
    return IOAM_TRACE.writeInto(target, offset, withNodeLen(header));
  },
});

function withNodeLen(header: FieldsOf<typeof IOAM_TRACE>): FieldsOf<typeof IOAM_TRACE> {
  requireRecord('ioam trace', header);
  return { ...header, nodeLenWords: header.nodeLenWords ?? IoamTraceType.nodeLenWords(header.traceType) };
}

/** The IOAM-Trace-Type: bits of the fields that nodes record, bit 0 the most significant of 24. */
export const IoamTraceType = {
  /** Trace type bit: hop limit 8, node identifier 24. Bit 0 is the most significant of 24, here and below. */
  BIT_NODE: 0,
  /** Trace type bit: ingress interface 16, egress interface 16. */
  BIT_INTERFACES: 1,
  /** Trace type bit: seconds of the timestamp, 32 bits. */
  BIT_TIMESTAMP_SECONDS: 2,
  /** Trace type bit: fraction of the timestamp, 32 bits, in ns, 2^-32 s or µs, depending on the domain's format. */
  BIT_TIMESTAMP_FRACTION: 3,
  /** Trace type bit: time within the node, 32 bits, ns; the top bit marks an overflow. */
  BIT_TRANSIT_DELAY: 4,
  /** Trace type bit: data defined by the namespace, 32 bits. */
  BIT_NAMESPACE_DATA: 5,
  /** Trace type bit: length of the egress queue, 32 bits, in buffers by the RFC, in bytes in Linux. */
  BIT_QUEUE_DEPTH: 6,
  /** Trace type bit: checksum complement, 32 bits. */
  BIT_CHECKSUM_COMPLEMENT: 7,
  /** Trace type bit: hop limit 8, node identifier 56. */
  BIT_NODE_WIDE: 8,
  /** Trace type bit: ingress interface 32, egress interface 32. */
  BIT_INTERFACES_WIDE: 9,
  /** Trace type bit: data defined by the namespace, 64 bits. */
  BIT_NAMESPACE_DATA_WIDE: 10,
  /** Trace type bit: occupancy of the buffer, 32 bits, in the node's unit. */
  BIT_BUFFER_OCCUPANCY: 11,
  /** First undefined trace type bit; it still represents a word of all ones. */
  BIT_UNDEFINED_FIRST: 12,
  /** Last undefined trace type bit; it still represents a word of all ones. */
  BIT_UNDEFINED_LAST: 21,
  /** Trace type bit: opaque state snapshot, of variable length. */
  BIT_OPAQUE: 22,
  /**
   * The trace type with these bits set.
   *
   * @example IoamTraceType.of(IoamTraceType.BIT_NODE, IoamTraceType.BIT_QUEUE_DEPTH) === 0x820000
   */
  of(...bits: readonly number[]): number {
    for (const bit of bits) requireField('bits', bit, TRACE_TYPE_BITS - 1);
    return bits.reduce((type, bit) => type | 2 ** (TRACE_TYPE_BITS - 1 - bit), 0);
  },
  /** @returns whether the trace type requests the field of this bit, 0..23. */
  has(traceType: number, bit: number): boolean {
    return IOAM_WORDS.has(traceType, bit);
  },
  /** Number of 4-byte words of the field of a bit 0..21; for bit 22 only those of the snapshot's header. */
  fieldWords(bit: number): number {
    if (typeof bit !== 'number') throw invalidArgument('bit', bit, { min: 0, max: 21 });
    return bit >= IoamTraceType.BIT_NODE_WIDE && bit <= IoamTraceType.BIT_NAMESPACE_DATA_WIDE ? 2 : 1;
  },
  /** NodeLen of a trace type, in 4-byte words: the sum over bits 0..21, without the opaque snapshot (section 4.4.1). */
  nodeLenWords(traceType: number): number {
    return IOAM_WORDS.wordsOf(traceType);
  },
  /** Number of words of undefined bits per node: the set bits of 12..21. */
  undefinedWords(traceType: number): number {
    return IOAM_WORDS.fillersOf(traceType);
  },
  /**
   * Offset of the field of a bit within a node.
   * @returns bytes from the node's start; -1 if the trace type does not have the bit, or the bit has no field (23).
   */
  fieldOffset(traceType: number, bit: number): number {
    return IOAM_WORDS.offsetOf(traceType, bit);
  },
} as const;

const TRACE_TYPE_BITS = 24;

/** NodeLen counts bits 0..21; bits 8, 9 and 10 have two words; 12..21 are undefined. */
export const IOAM_WORDS = /* @__PURE__ */ new BitmapWords({
  bits: TRACE_TYPE_BITS,
  lastBit: IoamTraceType.BIT_OPAQUE,
  counted: 0xfffffc,
  wide: 0x00e000,
  fillers: 0x000ffc,
});
