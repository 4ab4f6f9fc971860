/**
 * Global route header, GRH, in front of the BTH of a RoCEv1 packet (IBTA volume 1, section 8.3; Annex A16).
 *
 *   0 IP version 4 (6), traffic class 8, flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source GID (16) | 24 destination GID (16)
 *
 * The layout is that of IPv6, but the EtherType is RoCE's own, and what follows is a BTH without a UDP header.
 */
import { only } from '../header/field-table.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** EtherType in front of a GRH (Annex A16). */
export const ETHERTYPE_ROCE_V1 = 0x8915;
/** The only version (IBTA volume 1, section 8.3). */
export const GRH_IP_VERSION = 6;
/** Next header: a BTH follows. Anything else is a raw packet of another protocol. */
export const GRH_NEXT_HEADER_BTH = 0x1b;
/** Default hop limit of `buildGrh`: the specification leaves it open; IPv6 hosts start with 64. */
export const GRH_HOP_LIMIT_DEFAULT = 64;

export const GRH = /* @__PURE__ */ defineHeader({
  title: 'GRH',
  source: 'IBTA volume 1, section 8.3',
  layer: 'grh',
  fields: (field) => ({
    /** Always 6. */
    ipVersion: field.ruled(only(GRH_IP_VERSION), 4, GRH_IP_VERSION),
    /** Traffic class, 8 bits: DSCP in the high six, ECN in the low two, as in IPv6. */
    trafficClass: field.bits(8, 0),
    /** Flow label, 20 bits; the same for all packets whose order counts. */
    flowLabel: field.bits(20, 0),
    /** Bytes behind this header, up to the last of the ICRC. */
    payloadLength: field.bits(16),
    /** Next header: 0x1b = a BTH. */
    nextHeader: field.bits(8, GRH_NEXT_HEADER_BTH),
    /** Routers that may still forward the packet, 0..255. */
    hopLimit: field.bits(8, GRH_HOP_LIMIT_DEFAULT),
    /** 16 bytes: global identifier of the sending port. */
    sourceGid: field.bytesOf(IP_ADDRESS_BYTES),
    /** 16 bytes: global identifier of the receiving port, or of a multicast group. */
    destinationGid: field.bytesOf(IP_ADDRESS_BYTES),
  }),
});

/** Length of a GRH: 40 bytes. */
export const GRH_BYTES = GRH.bytes;
/** The drawing of docs/wire.md. */
export const GRH_LAYOUT = GRH.layout;

/** The global route header, as a value. The next header may be any: the caller decides whether a BTH follows. */
export interface Grh extends HeaderValue<typeof GRH> {}

/** Input of `buildGrh`: a BTH follows, hop limit 64, everything else 0 unless stated. */
export interface GrhFields extends HeaderFields<typeof GRH> {}

/** Reads a GRH in place. */
export class GrhView extends GRH.View {}

/**
 * Reads a GRH; the inverse of `buildGrh`.
 * @throws RoceError `invalid-packet` when the bytes end inside it, or for another IP version.
 */
export const parseGrh: ParseHeader<Grh> = GRH.parse;
/** Writes a GRH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildGrh: BuildHeader<GrhFields> = GRH.build;
/** As `buildGrh`, into `target`. @returns the offset behind the header. */
export const buildGrhInto: BuildHeaderInto<GrhFields> = GRH.buildInto;
