/**
 * Second part of a dissection: what an EtherType announces. Tags and MPLS, IP, MAC control (PAUSE, PFC), RoCEv1.
 *
 * A header between Ethernet and the network layer, except a VLAN tag, makes the class "other" for an endpoint, as in
 * the engine's parser.
 */
import { CLASS_PFC, CLASS_ROCE_V1, WHY_BTH_SHORT, WHY_IP_LENGTH, WHY_IP_SHORT, WHY_IP_VERSION, WHY_LINK_SHORT,
  WHY_NONE } from '../abi/codes.js';
import { EtherType, isVlanTagType } from '../wire/link/ethernet.js';
import { MacControl, Pause } from '../wire/link/mac-control.js';
import { Pfc } from '../wire/link/pfc.js';
import { Arista, CiscoMetadata, ETag, Vlan, VnTag, aristaBytes, ciscoMetadataBytes } from '../wire/link/tags.js';
import { readU16 } from '../wire/bytes.js';
import { Bth } from '../wire/roce/bth.js';
import { Grh } from '../wire/roce/roce-v1.js';
import { Icrc } from '../wire/roce/icrc.js';
import { ETHERTYPE_MPLS, ETHERTYPE_MPLS_UPSTREAM } from '../wire/tunnel/mpls.js';
import { ETHERTYPE_NSH } from '../wire/tunnel/nsh.js';
import type { Dissection } from './dissection.js';
import { LAYER_ARISTA, LAYER_BTH, LAYER_CISCO_METADATA, LAYER_ETAG, LAYER_GRH, LAYER_PAUSE, LAYER_PFC, LAYER_VLAN,
  LAYER_VN_TAG } from './layer-kinds.js';
import { STEP_ETHERNET, STEP_ETHER_TYPE, STEP_IP } from './steps.js';
import { UNREAD_ETHER_TYPE } from './unread.js';
import { walkMpls } from './walk-mpls.js';
import { walkNsh } from './walk-tunnel.js';
import { walkTransport } from './walk-roce.js';

const GRH_PAYLOAD_LENGTH = Grh.offsetOf('payloadLength');
const CISCO_OPTION_COUNT = CiscoMetadata.offsetOf('optionCount');
const ARISTA_VERSION = Arista.offsetOf('timestampVersion');
const TYPE_BYTES = 2;

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
