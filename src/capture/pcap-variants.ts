/**
 * The variants of pcap, told apart by the magic number: same fields, another clock, and at most a few octets more.
 *
 * Sources: draft-ietf-opsawg-pcap, section 4 (the first two); libpcap, `sf-pcap.c` (the modified format of A. Kuznetzov: each
 * record header ends with interface index u32 | protocol u16 | packet type u8 | padding u8); Wireshark, `wiretap/libpcap.c`
 * and its issue 14073 (lcap of IXIA: the file header ends with the length of all records, u32).
 *
 * Known deviation: libpcap ss990915 wrote the same modified magic with record headers of 28 bytes, which only guessing tells
 * apart; such a file ends in an error.
 */

/** What is special about a variant. */
export interface PcapVariant {
  /** As the byte order of the file has it. */
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

/** The magic numbers that a writer chooses from. */
export const PCAP_MAGIC_MICROSECONDS = STANDARD.magic;
export const PCAP_MAGIC_NANOSECONDS = 0xa1b23c4d;

const VARIANTS: readonly PcapVariant[] = [
  STANDARD,
  { ...STANDARD, magic: PCAP_MAGIC_NANOSECONDS, picosecondsPerUnit: NANOSECOND_PS },
  { ...STANDARD, magic: 0xa1b2cd34, recordHeaderBytes: 24 },
  // Captures in hardware, then in software.
  { ...STANDARD, magic: 0x1c0001ac, picosecondsPerUnit: NANOSECOND_PS, fileHeaderBytes: 28 },
  { ...STANDARD, magic: 0x1c0001ab, fileHeaderBytes: 28 },
];

/** The variant with this magic number, if there is one. */
export function pcapVariant(magic: number): PcapVariant | undefined {
  return VARIANTS.find((variant) => variant.magic === magic);
}
