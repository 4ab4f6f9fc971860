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
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

const GRH_IP_VERSION = 6;
const GRH_NEXT_HEADER_BTH = 0x1b;
const GRH_HOP_LIMIT_DEFAULT = 64;

const GRH = /* @__PURE__ */ defineHeader({
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

/** The global route header, as a value. The next header may be any: the caller decides whether a BTH follows. */
export interface Grh extends ValueOf<typeof GRH> {}

/** The global route header: 40 bytes. The next header may be any: the caller decides whether a BTH follows. When written: a BTH follows, hop limit 64, everything else 0 unless stated. */
export const Grh = /* @__PURE__ */ extendHeader(GRH, {
  /** The only version (IBTA volume 1, section 8.3). */
  IP_VERSION: GRH_IP_VERSION,
  /** Next header: a BTH follows. Anything else is a raw packet of another protocol. */
  NEXT_HEADER_BTH: GRH_NEXT_HEADER_BTH,
  /** Default hop limit of `Grh.write`: the specification leaves it open; IPv6 hosts start with 64. */
  HOP_LIMIT_DEFAULT: GRH_HOP_LIMIT_DEFAULT,
});
