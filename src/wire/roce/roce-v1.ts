/**
 * RoCEv1: its global route header, GRH, before the BTH (IBTA volume 1, section 8.3; Annex A16), and its invariant CRC
 * (volume 1, section 7.8.1).
 *
 *   0 IP version 4 (6), traffic class 8, flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source GID (16) | 24 destination GID (16)
 *
 * The layout is that of IPv6, but RoCEv1 has its own EtherType, and the BTH follows without a UDP header. The ICRC is
 * like that of RoCEv2 (icrc.ts), with the GRH instead of the IP and UDP headers: 64 one-bits for the missing LRH, then
 * the bytes from GRH to ICRC, with the GRH's traffic class, flow label and hop limit and the BTH's byte 4 (Resv8a) as
 * ones.
 */
import { lengthOf, requireBytes, requireField } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { only } from '../header/field.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { Bth } from './bth.js';
import { REGISTER_AFTER_ONES } from './icrc.js';
import { updateCrc32 } from './crc32.js';

const GRH_IP_VERSION = 6;
const GRH_NEXT_HEADER_BTH = 0x1b;
const GRH_HOP_LIMIT_DEFAULT = 64;

const GRH = /* @__PURE__ */ defineHeader({
  title: 'GRH',
  source: 'IBTA volume 1, section 8.3',
  layer: 'grh',
  fields: (field) => ({
    /** IP version, always 6. */
    ipVersion: field.ruled(only(GRH_IP_VERSION), 4, GRH_IP_VERSION),
    /** Traffic class, 8 bits: DSCP in the high six, ECN in the low two, as in IPv6. */
    trafficClass: field.bits(8, 0),
    /** Flow label, 20 bits; the same for all packets that must stay in order. */
    flowLabel: field.bits(20, 0),
    /** Number of bytes after this header, including the ICRC. */
    payloadLength: field.bits(16),
    /** Next header: 0x1b = a BTH. */
    nextHeader: field.bits(8, GRH_NEXT_HEADER_BTH),
    /** How many more routers may forward the packet, 0..255. */
    hopLimit: field.bits(8, GRH_HOP_LIMIT_DEFAULT),
    /** 16 bytes: global identifier of the sending port. */
    sourceGid: field.bytesOf(IP_ADDRESS_BYTES),
    /** 16 bytes: global identifier of the receiving port, or of a multicast group. */
    destinationGid: field.bytesOf(IP_ADDRESS_BYTES),
  }),
});

/** The global route header, as a value. The next header is not checked: the caller decides whether a BTH follows. */
export interface Grh extends ValueOf<typeof GRH> {}

/**
 * The global route header: 40 bytes. The next header is not checked: the caller decides whether a BTH follows. Defaults
 * when written: next header BTH, hop limit 64, other fields 0.
 */
export const Grh = /* @__PURE__ */ extendHeader(GRH, {
  /** The only version (IBTA volume 1, section 8.3). */
  IP_VERSION: GRH_IP_VERSION,
  /** Next header: a BTH follows. Other values are raw packets of another protocol. */
  NEXT_HEADER_BTH: GRH_NEXT_HEADER_BTH,
  /** Default hop limit of `Grh.write`: the specification leaves it open; 64 is usual for IPv6 hosts. */
  HOP_LIMIT_DEFAULT: GRH_HOP_LIMIT_DEFAULT,
});

/** Buffer for the masked headers; allocated once. */
let scratch: Uint8Array | undefined;

const GRH_HOP_LIMIT_AT = Grh.offsetOf('hopLimit');
/** Masks traffic class and flow label: all of the first four bytes but the version. */
const VERSION_ONLY = 0xf0;
const FIRST_WORD_BYTES = 4;
const RESV8A = Grh.lenBytes + Bth.offsetOf('fecn');

/**
 * The ICRC of a RoCEv1 packet.
 *
 * @param grhOffset of the GRH in `bytes`; the BTH follows it.
 * @param icrcOffset end of the covered bytes.
 * @returns 32 bits, unsigned, as `Icrc.read` returns them.
 * @throws RoceError `invalid-packet` if the bytes are too short for GRH and BTH, `invalid-argument` for offsets outside
 * the bytes.
 */
export function computeRoceV1Icrc(bytes: Uint8Array, grhOffset: number, icrcOffset: number): number {
  requireField('grhOffset', grhOffset, lengthOf('bytes', bytes));
  requireField('icrcOffset', icrcOffset, bytes.length);
  const headersBytes = Grh.lenBytes + Bth.lenBytes;
  requireBytes('grh', bytes, grhOffset, headersBytes, icrcOffset);
  const masked = (scratch ??= new Uint8Array(headersBytes));
  for (let i = 0; i < headersBytes; i++) masked[i] = bytes[grhOffset + i];
  masked[0] |= 0xff & ~VERSION_ONLY;
  for (let i = 1; i < FIRST_WORD_BYTES; i++) masked[i] = 0xff;
  masked[GRH_HOP_LIMIT_AT] = 0xff;
  masked[RESV8A] = 0xff;
  const register = updateCrc32(REGISTER_AFTER_ONES, masked, 0, headersBytes);
  return ~updateCrc32(register, bytes, grhOffset + headersBytes, icrcOffset) >>> 0;
}
