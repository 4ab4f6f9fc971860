/**
 * Headers of mirrored frames in GRE: ERSPAN types II and III (draft-foschiano-erspan-03, section 4), and Mellanox's
 * mirror header.
 *
 *   ERSPAN II    version 1, VLAN (2) | COS, truncated, session (2) | index (4)                      GRE 0x88be with sequence number
 *   ERSPAN III   version 2, VLAN (2) | COS, truncated, session (2) | timestamp (4) | group, flags (4) | subheader (8)?   0x22eb
 *   Mellanox     22 bytes                                                                           0x8949
 *
 * ERSPAN type I, GRE 0x88be without a sequence number, has no header: the frame follows GRE directly.
 */
import { defineHeader } from '../header/define-header.js';

/** GRE protocol type of ERSPAN types I and II. */
export const ETHERTYPE_ERSPAN_2 = 0x88be;
/** GRE protocol type of ERSPAN type III. */
export const ETHERTYPE_ERSPAN_3 = 0x22eb;
/** GRE protocol type of Mellanox's mirror header (sonic-net/sonic-mgmt, everflow tests). */
export const ETHERTYPE_MELLANOX_MIRROR = 0x8949;
/** Frame type of an Ethernet frame in ERSPAN III. */
export const ERSPAN_3_FRAME_ETHERNET = 0;
/** Frame type of an IP packet in ERSPAN III. */
export const ERSPAN_3_FRAME_IP = 2;
/** Length of the platform-specific subheader, bytes. */
export const ERSPAN_3_SUBHEADER_BYTES = 8;

/** ERSPAN type II header. */
export const Erspan2 = /* @__PURE__ */ defineHeader({
  title: 'ERSPAN type II',
  source: 'draft-foschiano-erspan-03, section 4.2',
  layer: 'erspan type ii',
  where: 'erspan2',
  fields: (field) => ({
    /** Version, 1. */
    erspanVersion: field.bits(4, 1),
    /** VLAN of the mirrored frame. */
    vlanId: field.bits(12, 0),
    /** Class of service of the mirrored frame. */
    priority: field.bits(3, 0),
    /** Encapsulation of the VLAN: 3 = the tag is in the frame. */
    encapsulation: field.bits(2, 0),
    /** Whether the frame was truncated. */
    truncated: field.flag(false),
    /** Session of the source switch, 0..1023. */
    sessionId: field.bits(10, 0),
    reserved12: field.bits(12, 0),
    /** Port and direction, in a platform-specific format. */
    index: field.bits(20, 0),
  }),
});

/** ERSPAN type III header. */
export const Erspan3 = /* @__PURE__ */ defineHeader({
  title: 'ERSPAN type III',
  source: 'draft-foschiano-erspan-03, section 4.3',
  layer: 'erspan type iii',
  where: 'erspan3',
  followedBy: 'a platform-specific subheader of 8 bytes if the last bit is set',
  fields: (field) => ({
    /** Version, 2. */
    erspanVersion: field.bits(4, 2),
    /** VLAN of the mirrored frame. */
    vlanId: field.bits(12, 0),
    /** Class of service of the mirrored frame. */
    priority: field.bits(3, 0),
    /** Bad, short or oversized frame. */
    badOrShort: field.bits(2, 0),
    /** Whether the frame was truncated. */
    truncated: field.flag(false),
    /** Session of the source switch, 0..1023. */
    sessionId: field.bits(10, 0),
    /** Timestamp, in the unit given by the granularity. */
    timestamp: field.bits(32, 0),
    /** Security group tag. */
    securityGroup: field.bits(16, 0),
    /** Whether an Ethernet frame was mirrored. */
    hasEthernet: field.flag(true),
    /** 0 = Ethernet, 2 = IP. */
    frameType: field.bits(5, 0),
    hardwareId: field.bits(6, 0),
    /** False: ingress; true: egress. */
    isEgress: field.flag(false),
    /** Unit of the timestamp. */
    granularity: field.bits(2, 0),
    /** Whether the subheader follows. */
    hasSubheader: field.flag(false),
    /** The platform-specific subheader. */
    subheader: field.rest(ERSPAN_3_SUBHEADER_BYTES, new Uint8Array(0)),
  }),
});

/** Mellanox's mirror header, whose fields are not public. */
export const MellanoxMirror = /* @__PURE__ */ defineHeader({
  title: 'Mellanox mirror header',
  source: 'sonic-net/sonic-mgmt, everflow tests: 22 bytes behind GRE 0x8949',
  layer: 'mellanox mirror header',
  where: 'mellanoxMirror',
  fields: (field) => ({
    /** Metadata, 22 bytes. */
    metadata: field.bytesOf(22),
  }),
});
