/**
 * IPv4 header (RFC 791, section 3.1), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.1).
 *
 *   0 version 4, IHL 4 | 1 DSCP 6, ECN 2 | 2 total length | 4 identification | 6 flags 3, fragment offset 13
 *   8 TTL | 9 protocol | 10 header checksum | 12 source (4) | 16 destination (4) | 20 options
 *
 * Addresses are the 16 bytes of their IPv4-mapped form, as everywhere in this library.
 */
import { RoceError } from '../../errors.js';
import { invalidPacket, readU16, requireBytes, writeU16 } from '../bytes.js';
import { type HeaderFields, type HeaderValue, defineHeader } from '../header/define-header.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';

/** "Don't fragment", as RoCEv2 requires (CA17-7). */
export const IPV4_FLAG_DF = 2;
export const IPV4_FLAG_MF = 1;

const LAYER = 'ipv4 header';

export const IPV4 = /* @__PURE__ */ defineHeader({
  title: 'IPv4',
  source: 'RFC 791, section 3.1; IBTA Annex A17, section A17.3.1.1',
  layer: LAYER,
  where: 'ipv4',
  followedBy: 'options, a multiple of 4 bytes; none in RoCEv2 (CA17-3)',
  fields: (field) => ({
    /** 0..63. */
    dscp: field.constant('version', 4, 4).implied('ihl', 4).bits(6),
    /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
    ecn: field.bits(2),
    /** Header and payload, bytes. */
    totalLength: field.bits(16),
    identification: field.bits(16),
    /** Three bits: reserved, DF, MF. */
    flags: field.bits(3),
    /** In units of 8 bytes. */
    fragmentOffset: field.bits(13),
    ttl: field.bits(8),
    protocol: field.bits(8),
    /** As on the wire; the right one when left out. */
    checksum: field.bits(16, 0),
    /** 16 bytes, IPv4-mapped. */
    source: field.ipv4Address(),
    /** 16 bytes, IPv4-mapped. */
    destination: field.ipv4Address(),
  }),
});

/** Header without options. */
export const IPV4_BYTES = IPV4.bytes;
/** The drawing of docs/wire.md. */
export const IPV4_LAYOUT = IPV4.layout;
const IPV4_IHL = IPV4.offsetOf('ihl');
const IPV4_CHECKSUM = IPV4.offsetOf('checksum');

interface Options {
  /** Empty in RoCEv2 (CA17-3); a multiple of 4 bytes. */
  readonly options: Uint8Array;
}

/** An IPv4 header, as a value. */
export interface Ipv4Header extends HeaderValue<typeof IPV4>, Options {}

/** What `buildIpv4` needs; without `checksum` the right one is computed. */
export interface Ipv4Fields extends HeaderFields<typeof IPV4>, Options {}

/** Reads an IPv4 header in place. */
export class Ipv4View extends IPV4.View {
  get headerBytes(): number {
    return (this.bytes[this.offset + IPV4_IHL] & 15) * 4;
  }
  override get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    super.check(bytes, offset);
    const words = bytes[offset + IPV4_IHL] & 15;
    if (words < 5) throw invalidPacket(LAYER, offset, 'has a short IHL', words, '5..15 words');
    requireBytes(LAYER, bytes, offset, words * 4);
  }
}

/**
 * Reads an IPv4 header; the inverse of `buildIpv4`. The checksum is reported, not judged.
 * @throws RoceError `invalid-packet`: too short, another version, or an IHL below 5.
 */
export function parseIpv4(bytes: Uint8Array, offset = 0): Ipv4Header {
  const { payloadOffset } = new Ipv4View(bytes, offset);
  return { ...IPV4.parse(bytes, offset), options: bytes.slice(offset + IPV4_BYTES, payloadOffset) };
}

/**
 * Writes an IPv4 header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIpv4(header: Ipv4Fields): Uint8Array {
  const bytes = new Uint8Array(IPV4_BYTES + header.options.length);
  buildIpv4Into(bytes, 0, header);
  return bytes;
}

/** As `buildIpv4`, into `target`. @returns the offset behind the header. */
export function buildIpv4Into(target: Uint8Array, offset: number, header: Ipv4Fields): number {
  const { options, checksum } = header;
  requireOptions(options);
  const headerBytes = IPV4_BYTES + options.length;
  const optionsOffset = IPV4.buildPartInto(target, offset, header, headerBytes, { ihl: headerBytes / 4 });
  target.set(options, optionsOffset);
  if (checksum === undefined) writeU16(target, offset + IPV4_CHECKSUM, computeIpv4Checksum(target, offset));
  return offset + headerBytes;
}

/**
 * The checksum that the header at `offset` should have (RFC 791, section 3.1), whatever its checksum field holds.
 * @throws RoceError `invalid-packet` as `Ipv4View`.
 */
export function computeIpv4Checksum(bytes: Uint8Array, offset = 0): number {
  const { headerBytes } = new Ipv4View(bytes, offset);
  const sum = sumOfWords(bytes, offset, offset + headerBytes);
  return internetChecksum(sum - readU16(bytes, offset + IPV4_CHECKSUM));
}

function requireOptions({ length }: Uint8Array): void {
  if (length % 4 === 0 && length <= 40) return;
  throw new RoceError('invalid-argument', {
    what: 'length of the options',
    got: length,
    allowed: { min: 0, max: 40, multipleOf: 4, unit: 'bytes' },
    where: 'ipv4.options',
  });
}
