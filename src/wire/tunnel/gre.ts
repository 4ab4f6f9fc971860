/**
 * GRE (RFC 2784, section 2.1) with key and sequence number (RFC 2890, section 2), and NVGRE (RFC 7637, section 3.2).
 *
 *   0 flags, version (2) | 2 protocol type, an EtherType (2) | checksum, reserved (4)? | key (4)? | sequence number (4)?
 *
 * Each flag announces a word. Headers with the routing flag of RFC 1701, or of version 1 (PPTP), are different.
 */
import { readU16, requireBytes, requireField, requireRecord, writeU16, readUint, writeUint } from '../bytes.js';
import { defineHeader, extendHeader } from '../header/define-header.js';

/** UDP port of GRE in UDP (RFC 8086). */
export const GRE_UDP_PORT = 4754;
/** Flag: checksum and a reserved half word follow. */
export const GRE_FLAG_CHECKSUM = 0x8000;
/** Flag: routing of RFC 1701 follows. */
export const GRE_FLAG_ROUTING = 0x4000;
/** Flag: a key follows. */
export const GRE_FLAG_KEY = 0x2000;
/** Flag: a sequence number follows. */
export const GRE_FLAG_SEQUENCE = 0x1000;
/** Mask of the version. */
export const GRE_VERSION_MASK = 0x0007;

/** The fixed part of GRE. */
const GRE = /* @__PURE__ */ defineHeader({
  title: 'GRE',
  source: 'RFC 2784, section 2.1; RFC 2890, section 2',
  layer: 'gre',
  followedBy: 'checksum and reserved half word, key, sequence number, 4 bytes each, as the flags say',
  fields: (field) => ({
    /** 0x8000 checksum, 0x2000 key, 0x1000 sequence number; the low three bits are the version, 0. */
    flags: field.bits(16),
    /** EtherType of the contents; 0x6558 = Ethernet, 0x88be and 0x22eb = ERSPAN. */
    protocolType: field.bits(16),
  }),
});

export const Gre = /* @__PURE__ */ extendHeader(GRE, {
  /** Length of a GRE header with these flags, bytes. */
  lenBytesOf(flags: number): number {
    const words = [GRE_FLAG_CHECKSUM, GRE_FLAG_KEY, GRE_FLAG_SEQUENCE].filter((flag) => (flags & flag) !== 0).length;
    return GRE.lenBytes + words * WORD_BYTES;
  },
  /** Reads a GRE header; the inverse of `Gre.write`. @throws RoceError `invalid-packet` if it is truncated. */
  read(bytes: Uint8Array, offset = 0): GreHeader {
    const { flags, protocolType } = GRE.read(bytes, offset);
    requireBytes('gre', bytes, offset, Gre.lenBytesOf(flags));
    let at = offset + GRE.lenBytes;
    const next = (): number => {
      at += WORD_BYTES;
      return readUint(bytes, at - WORD_BYTES, WORD_BYTES);
    };
    const header: { -readonly [Name in keyof GreHeader]: GreHeader[Name] } = { flags, protocolType };
    if ((flags & GRE_FLAG_CHECKSUM) !== 0) {
      header.checksum = readU16(bytes, at);
      header.reserved16 = readU16(bytes, at + 2);
      at += WORD_BYTES;
    }
    if ((flags & GRE_FLAG_KEY) !== 0) header.key = next();
    if ((flags & GRE_FLAG_SEQUENCE) !== 0) header.sequenceNumber = next();
    return header;
  },
  /**
   * Writes a GRE header; a word whose flag is set defaults to 0. @throws RoceError `invalid-argument` naming a field.
   */
  write(header: GreHeader): Uint8Array {
    requireRecord('gre', header);
    const { flags, checksum = 0, reserved16 = 0, key = 0, sequenceNumber = 0 } = header;
    requireField('gre.flags', flags, U16_MAX);
    requireField('gre.checksum', checksum, U16_MAX);
    requireField('gre.reserved16', reserved16, U16_MAX);
    requireField('gre.key', key, U32_MAX);
    requireField('gre.sequenceNumber', sequenceNumber, U32_MAX);
    const bytes = new Uint8Array(Gre.lenBytesOf(flags));
    let at = GRE.writePartInto(bytes, 0, header, bytes.length);
    if ((flags & GRE_FLAG_CHECKSUM) !== 0) {
      writeU16(bytes, at, checksum);
      writeU16(bytes, at + 2, reserved16);
      at += WORD_BYTES;
    }
    if ((flags & GRE_FLAG_KEY) !== 0) {
      writeUint(bytes, at, WORD_BYTES, key);
      at += WORD_BYTES;
    }
    if ((flags & GRE_FLAG_SEQUENCE) !== 0) writeUint(bytes, at, WORD_BYTES, sequenceNumber);
    return bytes;
  },
});

/** A GRE header as a value, with the words that its flags announce. */
export interface GreHeader {
  /** Flags and version, 0..65535. */
  readonly flags: number;
  /** EtherType of the contents. */
  readonly protocolType: number;
  /** Checksum of GRE header and payload (RFC 1071), 0..65535. */
  readonly checksum?: number | undefined;
  /** The 16 bits after the checksum. */
  readonly reserved16?: number | undefined;
  /** 32 bits; in NVGRE the subnet is in the high 24. */
  readonly key?: number | undefined;
  /** Sequence number, 32 bits. */
  readonly sequenceNumber?: number | undefined;
}

const WORD_BYTES = 4;
const U16_MAX = 0xffff;
const U32_MAX = 0xffffffff;
