/**
 * Global route header, GRH, before the BTH of a RoCEv1 packet (IBTA volume 1, section 8.3; Annex A16).
 *
 *   0 IP version 4 (6), traffic class 8, flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source GID (16) | 24 destination GID (16)
 *
 * The layout is that of IPv6, but RoCEv1 has its own EtherType, and the BTH follows without a UDP header.
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
