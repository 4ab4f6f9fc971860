/**
 * The variants of pcap, distinguished by the magic number: they share the fields, but differ in time unit, and some
 * have a few extra octets.
 *
 * Sources: draft-ietf-opsawg-pcap, section 4 (the first two); libpcap, `sf-pcap.c` (the modified format of A.
 * Kuznetzov: each record header ends with interface index u32 | protocol u16 | packet type u8 | padding u8); Wireshark,
 * `wiretap/libpcap.c` and its issue 14073 (lcap of IXIA: the file header ends with the length of all records, u32).
 * Known deviation: libpcap ss990915 wrote the same modified magic with record headers of 28 bytes, which can only be
 * recognised by guessing; reading such a file fails with an error.
 */

/** Properties of a variant. */
export interface PcapVariant {
  /** Read in the file's byte order. */
  readonly magic: number;
  /** Unit of the fraction of a second. */
  readonly picosecondsPerUnit: number;
  readonly fileHeaderBytes: number;
  readonly recordHeaderBytes: number;
}

const MICROSECOND_PS = 1e6;
const NANOSECOND_PS = 1e3;

const STANDARD = {
  magic: 0xa1b2c3d4,
  picosecondsPerUnit: MICROSECOND_PS,
  fileHeaderBytes: 24,
  recordHeaderBytes: 16,
} as const;

/** The magic numbers that writers use. */
export const PCAP_MAGIC_MICROSECONDS = STANDARD.magic;
export const PCAP_MAGIC_NANOSECONDS = 0xa1b23c4d;

const VARIANTS: readonly PcapVariant[] = [
  STANDARD,
  { ...STANDARD, magic: PCAP_MAGIC_NANOSECONDS, picosecondsPerUnit: NANOSECOND_PS },
  { ...STANDARD, magic: 0xa1b2cd34, recordHeaderBytes: 24 },
  // IXIA's lcap: first its hardware captures, then its software captures.
  { ...STANDARD, magic: 0x1c0001ac, picosecondsPerUnit: NANOSECOND_PS, fileHeaderBytes: 28 },
  { ...STANDARD, magic: 0x1c0001ab, fileHeaderBytes: 28 },
];

/** The variant with this magic number; undefined if unknown. */
export function pcapVariant(magic: number): PcapVariant | undefined {
  return VARIANTS.find((variant) => variant.magic === magic);
}
