/**
 * Link layer of the reference parser: where the network layer starts, or what the frame is without one.
 *
 * Ethernet II with up to two VLAN tags; IEEE 802.1Qbb priority flow control; RoCEv1 (EtherType 0x8915); raw IP.
 */
import {
  CLASS_MALFORMED, CLASS_OTHER, CLASS_PFC, CLASS_ROCE_V1, LINK_ETHERNET, WHY_BTH_SHORT, WHY_IP_LENGTH, WHY_IP_SHORT,
  WHY_IP_VERSION, WHY_LINK_SHORT, WHY_NONE,
} from '../abi/codes.js';
import { type FrameOctets, verdict, type Verdict } from './parse-verdict.js';

const ETHER_TYPE_IPV4 = 0x0800;
const ETHER_TYPE_IPV6 = 0x86dd;
const ETHER_TYPE_MAC_CONTROL = 0x8808;
const ETHER_TYPE_ROCE_V1 = 0x8915;
const TAG_ETHER_TYPES: readonly number[] = [0x8100, 0x88a8, 0x9100];
const MOST_TAGS = 2;
const PFC_OPCODE = 0x0101;
const GRH_BYTES = 40;
const BTH_BYTES = 12;
const ICRC_BYTES = 4;

/** Where an IP header should be, and of which version. */
export interface NetworkLayer {
  readonly offset: number;
  readonly version: 4 | 6;
}

export function findNetworkLayer(frame: FrameOctets, link: number): NetworkLayer | Verdict {
  return link === LINK_ETHERNET ? findBehindEthernet(frame) : findInRawIp(frame);
}

function findInRawIp(frame: FrameOctets): NetworkLayer | Verdict {
  const lack = frame.lacks(1, WHY_IP_SHORT);
  if (lack) return lack;
  const version = frame.u8(0) >> 4;
  return version === 4 || version === 6 ? { offset: 0, version } : verdict(CLASS_MALFORMED, WHY_IP_VERSION);
}

function findBehindEthernet(frame: FrameOctets): NetworkLayer | Verdict {
  for (let tags = 0; tags <= MOST_TAGS; tags++) {
    const offset = 14 + 4 * tags;
    const lack = frame.lacks(offset, WHY_LINK_SHORT);
    if (lack) return lack;
    const etherType = frame.u16(offset - 2);
    if (!TAG_ETHER_TYPES.includes(etherType)) return readEtherType(frame, etherType, offset);
  }
  return verdict(CLASS_OTHER, WHY_NONE);
}

function readEtherType(frame: FrameOctets, etherType: number, offset: number): NetworkLayer | Verdict {
  switch (etherType) {
    case ETHER_TYPE_IPV4:
      return { offset, version: 4 };
    case ETHER_TYPE_IPV6:
      return { offset, version: 6 };
    case ETHER_TYPE_MAC_CONTROL:
      return readMacControl(frame, offset);
    case ETHER_TYPE_ROCE_V1:
      return readRoceV1(frame, offset);
    default:
      return verdict(CLASS_OTHER, WHY_NONE);
  }
}

/** Opcode, class-enable vector and eight pause times make a PFC frame; other MAC control is of no interest here. */
function readMacControl(frame: FrameOctets, offset: number): Verdict {
  const lack = frame.lacks(offset + 2, WHY_LINK_SHORT);
  if (lack) return lack;
  if (frame.u16(offset) !== PFC_OPCODE) return verdict(CLASS_OTHER, WHY_NONE);
  return frame.lacks(offset + 2 + 2 + 8 * 2, WHY_LINK_SHORT) ?? verdict(CLASS_PFC, WHY_NONE);
}

/** A GRH looks like an IPv6 header whose payload is BTH to ICRC. */
function readRoceV1(frame: FrameOctets, offset: number): Verdict {
  const bthOffset = offset + GRH_BYTES;
  const lack = frame.lacks(bthOffset, WHY_IP_SHORT);
  if (lack) return lack;
  if (frame.u8(offset) >> 4 !== 6) return verdict(CLASS_MALFORMED, WHY_IP_VERSION);
  const payloadBytes = frame.u16(offset + 4);
  if (payloadBytes < BTH_BYTES + ICRC_BYTES) return verdict(CLASS_MALFORMED, WHY_BTH_SHORT);
  if (bthOffset + payloadBytes > frame.original) return verdict(CLASS_MALFORMED, WHY_IP_LENGTH);
  return frame.lacks(bthOffset + BTH_BYTES, WHY_BTH_SHORT) ?? verdict(CLASS_ROCE_V1, WHY_NONE);
}
