/**
 * First part of a dissection: link headers, and what their EtherType announces.
 *
 *   link headers  Ethernet II with VLAN tags and 802.3 with SNAP, Linux cooked captures (versions 1 and 2), BSD
 *                 loopback, PPI, ERF, raw IP
 *   EtherTypes    tags and MPLS, IP, MAC control (PAUSE, PFC), RoCEv1
 *
 * A frame with more than two VLAN tags, or with another header between Ethernet and the network layer, is "other" for an
 * endpoint, as in the engine's parser.
 */
import { WHY_IP_SHORT, WHY_IP_VERSION, WHY_LINK_SHORT, CLASS_PFC, CLASS_ROCE_V1, WHY_BTH_SHORT, WHY_IP_LENGTH,
  WHY_NONE } from '../abi/codes.js';
import { LINK_TYPE_ERF, LINK_TYPE_ETHERNET, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_LOOP, LINK_TYPE_NULL, LINK_TYPE_PPI, RAW_LINK_TYPES } from '../capture/link-types.js';
import { readU16 } from '../wire/bytes.js';
import { Erf, erfHeaderBytes, erfPayload, LinuxSll, LinuxSll2, Loopback, loopbackVersion, Ppi, ppiHeaderBytes,
  ppiLinkType } from '../wire/link/capture-headers.js';
import { EtherType, Ethernet, VlanTag, isVlanTagType } from '../wire/link/ethernet.js';
import { MacControl, Pause, Pfc } from '../wire/link/mac-control.js';
import { Snap, Arista, CiscoMetadata, ETag, Vlan, VnTag, aristaBytes, ciscoMetadataBytes } from '../wire/link/tags.js';
import { Bth } from '../wire/roce/bth.js';
import { Grh } from '../wire/roce/roce-v1.js';
import { Icrc } from '../wire/roce/icrc.js';
import { ETHERTYPE_MPLS, ETHERTYPE_MPLS_UPSTREAM } from '../wire/tunnel/mpls.js';
import { ETHERTYPE_NSH } from '../wire/tunnel/overlays.js';
import type { Dissection } from './dissection.js';
import { LAYER_ERF, LAYER_ETHERNET, LAYER_IPV4, LAYER_IPV6, LAYER_LINUX_SLL, LAYER_LINUX_SLL2, LAYER_LOOPBACK,
  LAYER_PPI, LAYER_SNAP, LAYER_ARISTA, LAYER_BTH, LAYER_CISCO_METADATA, LAYER_ETAG, LAYER_GRH, LAYER_PAUSE, LAYER_PFC,
  LAYER_VLAN, LAYER_VN_TAG } from './layer-kinds.js';
import { STEP_ETHERNET, STEP_ETHER_TYPE, STEP_IP, STEP_LINK, UNREAD_LINK, UNREAD_LLC,
  UNREAD_ETHER_TYPE } from './walk-codes.js';
import { walkTransport } from './walk-roce.js';
import { walkMpls, walkNsh } from './walk-tunnel.js';

const SLL_PROTOCOL_TYPE = LinuxSll.offsetOf('protocolType');
const SLL2_PROTOCOL_TYPE = LinuxSll2.offsetOf('protocolType');
const ERF_RECORD_TYPE = Erf.offsetOf('recordType');
/** Number of VLAN tags that the engine's parser reads. */
const ENDPOINT_TAGS_MAX = 2;
/** Smaller numbers are lengths of 802.3 frames (IEEE 802.3, section 3.2.6). */
const FIRST_ETHER_TYPE = 0x600;
/** DSAP and SSAP of SNAP. */
const SNAP_SAPS = 0xaaaa;
const TYPE_BYTES = 2;

const GRH_PAYLOAD_LENGTH = Grh.offsetOf('payloadLength');
const CISCO_OPTION_COUNT = CiscoMetadata.offsetOf('optionCount');
const ARISTA_VERSION = Arista.offsetOf('timestampVersion');

/** Walks the link header of a link type. */
export function walkLink(d: Dissection, linkType: number, at: number, limit: number): void {
  switch (linkType) {
    case LINK_TYPE_ETHERNET:
      d.next(STEP_ETHERNET, at, limit);
      break;
    case LINK_TYPE_LINUX_SLL:
      walkCooked(d, LAYER_LINUX_SLL, at, LinuxSll.lenBytes, SLL_PROTOCOL_TYPE, limit);
      break;
    case LINK_TYPE_LINUX_SLL2:
      walkCooked(d, LAYER_LINUX_SLL2, at, LinuxSll2.lenBytes, SLL2_PROTOCOL_TYPE, limit);
      break;
    case LINK_TYPE_IPV4:
      d.next(STEP_IP, at, limit, 4);
      break;
    case LINK_TYPE_IPV6:
      d.next(STEP_IP, at, limit, 6);
      break;
    case LINK_TYPE_NULL:
    case LINK_TYPE_LOOP:
      walkLoopback(d, at, limit);
      break;
    case LINK_TYPE_PPI:
      walkPpi(d, at, limit);
      break;
    case LINK_TYPE_ERF:
      walkErf(d, at, limit);
      break;
    default:
      if (RAW_LINK_TYPES.includes(linkType)) walkRawIp(d, at, limit);
      else d.leave(UNREAD_LINK, linkType, at, limit);
  }
}

function walkRawIp(d: Dissection, at: number, limit: number): void {
  if (d.lacks(LAYER_IPV4, at, at + 1, limit, WHY_IP_SHORT)) return;
  const version = d.bytes[at] >> 4;
  if (version === 4 || version === 6) d.next(STEP_IP, at, limit, version);
  else d.fail(LAYER_IPV6, at, 6, version, WHY_IP_VERSION);
}

/** Walks an Ethernet header with its VLAN tags, or an 802.3 header with LLC. */
export function walkEthernet(d: Dissection, at: number, limit: number): void {
  let tags = 0;
  let end = at + Ethernet.lenBytes;
  for (;;) {
    if (d.lacks(LAYER_ETHERNET, at, end, limit, WHY_LINK_SHORT)) return;
    const etherType = readU16(d.bytes, end - TYPE_BYTES);
    if (!isVlanTagType(etherType)) {
      d.add(LAYER_ETHERNET, at, end - at);
      if (etherType < FIRST_ETHER_TYPE) walkLlc(d, end, end + etherType, limit);
      else d.next(STEP_ETHER_TYPE, end, limit, etherType);
      return;
    }
    tags += 1;
    end += VlanTag.lenBytes;
    if (tags > ENDPOINT_TAGS_MAX) d.passShim();
  }
}

/** @param lengthEnd end according to the length field; bytes beyond it are padding. */
function walkLlc(d: Dissection, at: number, lengthEnd: number, limit: number): void {
  d.passShim();
  const end = at + Snap.lenBytes;
  if (end > d.capturedEnd || end > Math.min(limit, lengthEnd) || readU16(d.bytes, at) !== SNAP_SAPS) {
    d.leave(UNREAD_LLC, at < d.capturedEnd ? d.bytes[at] : 0, at, limit);
    return;
  }
  d.add(LAYER_SNAP, at, Snap.lenBytes);
  d.next(STEP_ETHER_TYPE, end, Math.min(limit, lengthEnd), readU16(d.bytes, end - TYPE_BYTES));
}

function walkCooked(d: Dissection, kind: number, at: number, headerBytes: number, protocolOffset: number,
  limit: number): void {
  if (d.lacks(kind, at, at + headerBytes, limit, WHY_LINK_SHORT)) return;
  d.add(kind, at, headerBytes);
  d.next(STEP_ETHER_TYPE, at + headerBytes, limit, readU16(d.bytes, at + protocolOffset));
}

function walkLoopback(d: Dissection, at: number, limit: number): void {
  const end = at + Loopback.lenBytes;
  if (d.lacks(LAYER_LOOPBACK, at, end, limit, WHY_LINK_SHORT)) return;
  d.add(LAYER_LOOPBACK, at, Loopback.lenBytes);
  const version = loopbackVersion(d.bytes, at);
  if (version === 0) d.leave(UNREAD_LINK, d.bytes[at] || d.bytes[end - 1], end, limit);
  else d.next(STEP_IP, end, limit, version);
}

function walkPpi(d: Dissection, at: number, limit: number): void {
  if (d.lacks(LAYER_PPI, at, at + Ppi.lenBytes, limit, WHY_LINK_SHORT)) return;
  const end = at + Math.max(Ppi.lenBytes, ppiHeaderBytes(d.bytes, at));
  if (d.lacks(LAYER_PPI, at, end, limit, WHY_LINK_SHORT)) return;
  d.add(LAYER_PPI, at, end - at);
  d.next(STEP_LINK, end, limit, ppiLinkType(d.bytes, at));
}

function walkErf(d: Dissection, at: number, limit: number): void {
  if (d.lacks(LAYER_ERF, at, at + Erf.lenBytes, limit, WHY_LINK_SHORT)) return;
  const end = at + erfHeaderBytes(d.bytes, at);
  if (d.lacks(LAYER_ERF, at, end, limit, WHY_LINK_SHORT)) return;
  d.add(LAYER_ERF, at, end - at);
  const payload = erfPayload(d.bytes, at);
  if (payload === 'ethernet') d.next(STEP_ETHERNET, end, limit);
  else if (payload === 'unknown') d.leave(UNREAD_LINK, d.bytes[at + ERF_RECORD_TYPE], end, limit);
  else d.next(STEP_IP, end, limit, payload === 'ipv4' ? 4 : 6);
}

/** Walks the contents that an EtherType announces. */
export function walkEtherType(d: Dissection, etherType: number, at: number, limit: number): void {
  switch (etherType) {
    case EtherType.IPV4:
      d.next(STEP_IP, at, limit, 4);
      return;
    case EtherType.IPV6:
      d.next(STEP_IP, at, limit, 6);
      return;
    case ETHERTYPE_MPLS:
    case ETHERTYPE_MPLS_UPSTREAM:
      walkMpls(d, at, limit);
      return;
    case ETHERTYPE_NSH:
      walkNsh(d, at, limit);
      return;
    case EtherType.BRIDGED_ETHERNET:
      d.next(STEP_ETHERNET, at, limit);
      return;
    case EtherType.MAC_CONTROL:
      d.beginNetwork(etherType, at, limit);
      walkMacControl(d, at, limit);
      return;
    case EtherType.ROCE_V1:
      d.beginNetwork(etherType, at, limit);
      walkRoceV1(d, at, limit);
      return;
  }
  if (!walkTag(d, etherType, at, limit)) {
    d.beginNetwork(etherType, at, limit);
    d.leave(UNREAD_ETHER_TYPE, etherType, at, limit);
  }
}

/** Walks a header that ends in another EtherType. @returns false if the EtherType announces no such header. */
function walkTag(d: Dissection, etherType: number, at: number, limit: number): boolean {
  if (isVlanTagType(etherType)) addTag(d, LAYER_VLAN, at, Vlan.lenBytes, limit);
  else if (etherType === EtherType.ETAG) addTag(d, LAYER_ETAG, at, ETag.lenBytes, limit);
  else if (etherType === EtherType.VN_TAG) addTag(d, LAYER_VN_TAG, at, VnTag.lenBytes, limit);
  else if (etherType === EtherType.CISCO_METADATA) addCiscoMetadata(d, at, limit);
  else if (etherType === EtherType.ARISTA) return addArista(d, at, limit);
  else return false;
  return true;
}

function addTag(d: Dissection, kind: number, at: number, length: number, limit: number): void {
  d.passShim();
  if (d.lacks(kind, at, at + length, limit, WHY_LINK_SHORT)) return;
  d.add(kind, at, length);
  d.next(STEP_ETHER_TYPE, at + length, limit, readU16(d.bytes, at + length - TYPE_BYTES));
}

function addCiscoMetadata(d: Dissection, at: number, limit: number): void {
  d.passShim();
  if (d.lacks(LAYER_CISCO_METADATA, at, at + CiscoMetadata.lenBytes, limit, WHY_LINK_SHORT)) return;
  addTag(d, LAYER_CISCO_METADATA, at, ciscoMetadataBytes(d.bytes[at + CISCO_OPTION_COUNT]), limit);
}

/** @returns false for a subtype whose length is unknown. */
function addArista(d: Dissection, at: number, limit: number): boolean {
  d.passShim();
  if (d.lacks(LAYER_ARISTA, at, at + Arista.lenBytes, limit, WHY_LINK_SHORT)) return true;
  const length = aristaBytes(readU16(d.bytes, at), readU16(d.bytes, at + ARISTA_VERSION));
  if (length > 0) addTag(d, LAYER_ARISTA, at, length, limit);
  return length > 0;
}

/** A PFC frame has opcode, class-enable vector and eight times. PAUSE is decoded, but its class is "other". */
function walkMacControl(d: Dissection, offset: number, limit: number): void {
  if (d.lacks(LAYER_PFC, offset, offset + 2, limit, WHY_LINK_SHORT)) return;
  const opcode = readU16(d.bytes, offset);
  if (opcode === MacControl.PFC) {
    if (d.lacks(LAYER_PFC, offset, offset + Pfc.lenBytes, limit, WHY_LINK_SHORT)) return;
    d.resolve(CLASS_PFC, WHY_NONE);
    d.add(LAYER_PFC, offset, Pfc.lenBytes);
  } else if (opcode === MacControl.PAUSE) {
    if (d.lacks(LAYER_PAUSE, offset, offset + Pause.lenBytes, limit, WHY_NONE)) return;
    d.add(LAYER_PAUSE, offset, Pause.lenBytes);
  } else d.leave(UNREAD_ETHER_TYPE, EtherType.MAC_CONTROL, offset, limit);
}

/** A GRH has the layout of an IPv6 header; its payload extends from BTH to ICRC. */
function walkRoceV1(d: Dissection, offset: number, limit: number): void {
  const bthOffset = offset + Grh.lenBytes;
  if (d.lacks(LAYER_GRH, offset, bthOffset, limit, WHY_IP_SHORT)) return;
  const version = d.bytes[offset] >> 4;
  if (version !== 6) {
    d.fail(LAYER_GRH, offset, 6, version, WHY_IP_VERSION);
    return;
  }
  d.add(LAYER_GRH, offset, Grh.lenBytes);
  const payloadBytes = readU16(d.bytes, offset + GRH_PAYLOAD_LENGTH);
  const endOffset = bthOffset + payloadBytes;
  if (payloadBytes < Bth.lenBytes + Icrc.lenBytes) {
    d.fail(LAYER_BTH, bthOffset, Bth.lenBytes + Icrc.lenBytes, payloadBytes, WHY_BTH_SHORT);
    return;
  }
  if (endOffset > limit) {
    d.fail(LAYER_GRH, offset, payloadBytes, limit - bthOffset, WHY_IP_LENGTH);
    return;
  }
  if (d.lacks(LAYER_BTH, bthOffset, bthOffset + Bth.lenBytes, endOffset, WHY_BTH_SHORT)) return;
  d.resolve(CLASS_ROCE_V1, WHY_NONE);
  walkTransport(d, bthOffset, endOffset);
}
