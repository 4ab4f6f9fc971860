/**
 * First part of a dissection: from the link header to the network layer.
 *
 * Ethernet II with VLAN tags, Linux cooked captures (versions 1 and 2), MAC control (PAUSE, PFC), RoCEv1, raw IP.
 * More than two VLAN tags are walked for their layers, but class the frame as "other", as in the engine's parser.
 */
import { CLASS_OTHER, CLASS_PFC, CLASS_ROCE_V1, WHY_BTH_SHORT, WHY_IP_LENGTH, WHY_IP_SHORT, WHY_IP_VERSION,
  WHY_LINK_SHORT, WHY_NONE } from '../abi/codes.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_RAW } from '../capture/link-types.js';
import { ETHERNET_BYTES, ETHERTYPE_IPV4, ETHERTYPE_IPV6, VLAN_TAG_BYTES,
  isVlanTagType } from '../wire/link/ethernet.js';
import { SLL, SLL_BYTES } from '../wire/link/linux-sll.js';
import { SLL2, SLL2_BYTES } from '../wire/link/linux-sll2.js';
import { ETHERTYPE_MAC_CONTROL, MAC_CONTROL_PAUSE, MAC_CONTROL_PFC } from '../wire/link/mac-control.js';
import { PAUSE_BYTES } from '../wire/link/pause.js';
import { PFC_BYTES } from '../wire/link/pfc.js';
import { readU16 } from '../wire/bytes.js';
import { BTH_BYTES } from '../wire/roce/bth.js';
import { ETHERTYPE_ROCE_V1, GRH, GRH_BYTES } from '../wire/roce/grh.js';
import { ICRC_BYTES } from '../wire/roce/icrc.js';
import type { Dissection } from './dissection.js';
import type { DissectionRules } from './rules.js';
import { LAYER_BTH, LAYER_ETHERNET, LAYER_GRH, LAYER_IPV4, LAYER_IPV6, LAYER_LINUX_SLL, LAYER_LINUX_SLL2, LAYER_NONE,
  LAYER_PAUSE, LAYER_PFC, LAYER_TRAILER } from './layer-kinds.js';
import { walkIp } from './walk-ip.js';
import { walkTransport } from './walk-roce.js';

const SLL_PROTOCOL_TYPE = SLL.offsetOf('protocolType');
const SLL2_PROTOCOL_TYPE = SLL2.offsetOf('protocolType');
const GRH_PAYLOAD_LENGTH = GRH.offsetOf('payloadLength');
/** Number of tags that the engine's parser reads. */
const MOST_TAGS = 2;

/** Walks a frame from its first byte. */
export function walkLink(d: Dissection, rules: DissectionRules): void {
  switch (rules.linkType) {
    case LINK_TYPE_ETHERNET:
      walkEthernet(d, rules);
      break;
    case LINK_TYPE_LINUX_SLL:
      walkCooked(d, rules, LAYER_LINUX_SLL, SLL_BYTES, SLL_PROTOCOL_TYPE);
      break;
    case LINK_TYPE_LINUX_SLL2:
      walkCooked(d, rules, LAYER_LINUX_SLL2, SLL2_BYTES, SLL2_PROTOCOL_TYPE);
      break;
    case LINK_TYPE_RAW:
      walkRawIp(d, rules);
      break;
    case LINK_TYPE_IPV4:
      walkIp(d, 0, 4, rules);
      break;
    case LINK_TYPE_IPV6:
      walkIp(d, 0, 6, rules);
      break;
  }
}

function walkRawIp(d: Dissection, rules: DissectionRules): void {
  if (d.lacks(LAYER_IPV4, 0, 1, d.originalBytes, WHY_IP_SHORT)) return;
  const version = d.bytes[0] >> 4;
  if (version === 4 || version === 6) walkIp(d, 0, version, rules);
  else d.fail(LAYER_IPV6, 0, 6, version, WHY_IP_VERSION);
}

function walkEthernet(d: Dissection, rules: DissectionRules): void {
  let tags = 0;
  let headerBytes = ETHERNET_BYTES;
  for (;;) {
    if (d.lacks(LAYER_ETHERNET, 0, headerBytes, d.originalBytes, WHY_LINK_SHORT)) return;
    const etherType = readU16(d.bytes, headerBytes - 2);
    if (!isVlanTagType(etherType)) {
      d.add(LAYER_ETHERNET, 0, headerBytes);
      walkEtherType(d, etherType, headerBytes, rules);
      return;
    }
    tags += 1;
    headerBytes += VLAN_TAG_BYTES;
    if (tags > MOST_TAGS) d.resolve(CLASS_OTHER, WHY_NONE);
  }
}

function walkCooked(d: Dissection, rules: DissectionRules, kind: number, headerBytes: number,
  protocolOffset: number): void {
  if (d.lacks(kind, 0, headerBytes, d.originalBytes, WHY_LINK_SHORT)) return;
  d.add(kind, 0, headerBytes);
  walkEtherType(d, readU16(d.bytes, protocolOffset), headerBytes, rules);
}

function walkEtherType(d: Dissection, etherType: number, offset: number, rules: DissectionRules): void {
  switch (etherType) {
    case ETHERTYPE_IPV4:
      walkIp(d, offset, 4, rules);
      break;
    case ETHERTYPE_IPV6:
      walkIp(d, offset, 6, rules);
      break;
    case ETHERTYPE_MAC_CONTROL:
      walkMacControl(d, offset);
      break;
    case ETHERTYPE_ROCE_V1:
      walkRoceV1(d, offset);
      break;
  }
}

/** Opcode, class-enable vector and eight times make a PFC frame; PAUSE is decoded, and classed as "other". */
function walkMacControl(d: Dissection, offset: number): void {
  if (d.lacks(LAYER_PFC, offset, offset + 2, d.originalBytes, WHY_LINK_SHORT)) return;
  const opcode = readU16(d.bytes, offset);
  if (opcode === MAC_CONTROL_PFC) {
    if (d.lacks(LAYER_PFC, offset, offset + PFC_BYTES, d.originalBytes, WHY_LINK_SHORT)) return;
    d.resolve(CLASS_PFC, WHY_NONE);
    addWithTrailer(d, LAYER_PFC, offset, PFC_BYTES);
  } else if (opcode === MAC_CONTROL_PAUSE) {
    if (d.lacks(LAYER_PAUSE, offset, offset + PAUSE_BYTES, d.originalBytes, WHY_NONE)) return;
    addWithTrailer(d, LAYER_PAUSE, offset, PAUSE_BYTES);
  }
}

function addWithTrailer(d: Dissection, kind: number, offset: number, length: number): void {
  d.add(kind, offset, length);
  d.add(LAYER_TRAILER, offset + length, d.bytes.length - offset - length);
}

/** A GRH looks like an IPv6 header whose payload is BTH to ICRC. */
function walkRoceV1(d: Dissection, offset: number): void {
  const bthOffset = offset + GRH_BYTES;
  if (d.lacks(LAYER_GRH, offset, bthOffset, d.originalBytes, WHY_IP_SHORT)) return;
  const version = d.bytes[offset] >> 4;
  if (version !== 6) {
    d.fail(LAYER_GRH, offset, 6, version, WHY_IP_VERSION);
    return;
  }
  d.add(LAYER_GRH, offset, GRH_BYTES);
  const payloadBytes = readU16(d.bytes, offset + GRH_PAYLOAD_LENGTH);
  const endOffset = bthOffset + payloadBytes;
  if (payloadBytes < BTH_BYTES + ICRC_BYTES) {
    d.fail(LAYER_BTH, bthOffset, BTH_BYTES + ICRC_BYTES, payloadBytes, WHY_BTH_SHORT);
    return;
  }
  if (endOffset > d.originalBytes) {
    d.fail(LAYER_GRH, offset, payloadBytes, d.originalBytes - bthOffset, WHY_IP_LENGTH);
    return;
  }
  if (d.lacks(LAYER_BTH, bthOffset, bthOffset + BTH_BYTES, endOffset, WHY_BTH_SHORT)) return;
  d.resolve(CLASS_ROCE_V1, WHY_NONE);
  walkTransport(d, bthOffset, endOffset);
  if (d.troubleKind === LAYER_NONE) d.add(LAYER_TRAILER, endOffset, d.bytes.length - endOffset);
}
