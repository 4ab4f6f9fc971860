/**
 * The fields that a switch reads from a frame, in place and into a reused object: addresses, class, ECN, whether it is
 * RoCEv2 data. An unreadable frame is forwarded by its MAC address, or not at all; any bytes are accepted.
 *
 *   Ethernet, up to four VLAN tags | IPv4 or IPv6 with extension headers | UDP to 4791 | BTH
 *
 * Kinds     PFC and PAUSE end at the port of arrival; data is everything subject to congestion control, so neither ACK
 *           nor CNP. Fragments, tunnels and routing headers with segments left count as `other`.
 * Class     DSCP / 8, as for hosts of scenarios. Class 0 is reserved for pause frames, so DSCPs below 8 and non-IP use
 *           class 1.
 */
import { EtherType, Ethernet, VlanTag, isVlanTagType } from '../../wire/link/ethernet.js';
import { IpProtocol } from '../../wire/ip/ip-protocol.js';
import { UdpPort, Udp } from '../../wire/ip/udp.js';
import { Ipv6Option } from '../../wire/ip/ipv6-options.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { Ipv4 } from '../../wire/ip/ipv4.js';
import { Bth, Opcode } from '../../wire/roce/bth.js';
import { IoamOption } from '../../wire/telemetry/ioam-option.js';

export const KIND_OTHER = 0;
export const KIND_DATA = 1;
export const KIND_ACK = 2;
export const KIND_CNP = 3;
export const KIND_MAC_CONTROL = 4;

const MOST_TAGS = 4;
const MOST_EXTENSIONS = 8;
const CLASS_OF_OTHERS = 1;
const U16 = 0x10000;
const U24 = 0x1000000;

/** Fields of the current frame; one instance is reused for all frames of a switch. */
export class FrameFacts {
  kind = KIND_OTHER;
  /** Traffic class, 1 to 7. */
  trafficClass = CLASS_OF_OTHERS;
  /** IP version 4 or 6; 0 without a complete IP header. */
  ipVersion = 0;
  ipOffset = 0;
  /** Offset after the Ethernet header and its tags. */
  payloadOffset = 0;
  /** ECN field of the IP header. */
  ecn = 0;
  /** Destination QPN of RoCEv2 frames. */
  destQpn = 0;
  udpSourcePort = 0;
  /** Offset of the BTH; 0 if it is not a RoCEv2 frame. */
  bthOffset = 0;
  /**
   * Offset and length of the pre-allocated IOAM trace in its Hop-by-Hop header, from the Namespace-ID on; 0 bytes if it
   * has none.
   */
  traceOffset = 0;
  traceBytes = 0;

  read(bytes: Uint8Array, offset: number, lenBytes: number): void {
    this.kind = KIND_OTHER;
    this.trafficClass = CLASS_OF_OTHERS;
    this.ipVersion = 0;
    this.ipOffset = 0;
    this.payloadOffset = 0;
    this.ecn = 0;
    this.destQpn = 0;
    this.udpSourcePort = 0;
    this.bthOffset = 0;
    this.traceOffset = 0;
    this.traceBytes = 0;
    const end = offset + lenBytes;
    let at = offset + Ethernet.lenBytes - 2;
    for (
      let tags = 0;
      tags < MOST_TAGS && at + VlanTag.lenBytes + 2 <= end && isVlanTagType(u16(bytes, at));
      tags += 1
    ) {
      at += VlanTag.lenBytes;
    }
    if (at + 2 > end) return;
    this.payloadOffset = at + 2;
    const etherType = u16(bytes, at);
    if (etherType === EtherType.MAC_CONTROL) this.kind = KIND_MAC_CONTROL;
    else if (etherType === EtherType.IPV6) this.#readIpv6(bytes, at + 2, end);
    else if (etherType === EtherType.IPV4) this.#readIpv4(bytes, at + 2, end);
  }

  #readIpv6(bytes: Uint8Array, at: number, end: number): void {
    if (at + Ipv6.lenBytes > end || bytes[at] >> 4 !== 6) return;
    this.#setIp(6, at, ((bytes[at] & 15) << 4) | (bytes[at + 1] >> 4));
    const ipEnd = Math.min(end, at + Ipv6.lenBytes + u16(bytes, at + 4));
    let next = bytes[at + 6];
    let header = at + Ipv6.lenBytes;
    for (let count = 0; count < MOST_EXTENSIONS && isOptions(next) && header + 8 <= ipEnd; count += 1) {
      const headerEnd = header + 8 * (bytes[header + 1] + 1);
      if (next === IpProtocol.HOP_BY_HOP && headerEnd <= ipEnd) this.#findTrace(bytes, header + 2, headerEnd);
      next = bytes[header];
      header = headerEnd;
    }
    if (next === IpProtocol.UDP) this.#readUdp(bytes, header, ipEnd);
  }

  #findTrace(bytes: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end; at += bytes[at] === Ipv6Option.PAD1 ? 1 : Ipv6Option.lenBytes + bytes[at + 1]) {
      const dataEnd = at + Ipv6Option.lenBytes + bytes[at + 1];
      if (bytes[at] !== IoamOption.MAY_CHANGE || at + IoamOption.lenBytes > end || dataEnd > end) continue;
      if (bytes[at + IoamOption.lenBytes - 1] !== IoamOption.TYPE_PREALLOCATED_TRACE) continue;
      this.traceOffset = at + IoamOption.lenBytes;
      this.traceBytes = Math.max(0, dataEnd - this.traceOffset);
      return;
    }
  }

  #readIpv4(bytes: Uint8Array, at: number, end: number): void {
    const headerBytes = (bytes[at] & 15) * 4;
    if (at + Ipv4.lenBytes > end || bytes[at] >> 4 !== 4 || headerBytes < Ipv4.lenBytes) return;
    this.#setIp(4, at, bytes[at + 1]);
    const isFragment = (u16(bytes, at + 6) & 0x3fff) !== 0;
    const ipEnd = Math.min(end, at + u16(bytes, at + 2));
    if (!isFragment && bytes[at + 9] === IpProtocol.UDP) this.#readUdp(bytes, at + headerBytes, ipEnd);
  }

  #setIp(version: number, at: number, trafficClass: number): void {
    this.ipVersion = version;
    this.ipOffset = at;
    this.ecn = trafficClass & 3;
    this.trafficClass = (trafficClass >> 5) || CLASS_OF_OTHERS;
  }

  #readUdp(bytes: Uint8Array, at: number, end: number): void {
    const bth = at + Udp.lenBytes;
    if (bth + Bth.lenBytes > end || u16(bytes, at + 2) !== UdpPort.ROCE_V2) return;
    this.udpSourcePort = u16(bytes, at);
    this.bthOffset = bth;
    this.destQpn = (bytes[bth + 5] << 16) | (bytes[bth + 6] << 8) | bytes[bth + 7];
    const opcode = bytes[bth];
    const operation = opcode & Opcode.OPERATION_MASK;
    if (opcode === Bth.OPCODE_CNP) this.kind = KIND_CNP;
    else if (operation === Opcode.ACKNOWLEDGE || operation === Opcode.ATOMIC_ACKNOWLEDGE) this.kind = KIND_ACK;
    else this.kind = KIND_DATA;
  }
}

/** Reads a MAC address as a number. */
export function macAt(bytes: Uint8Array, at: number): number {
  const high = (bytes[at] * U16) + (bytes[at + 1] << 8) + bytes[at + 2];
  return high * U24 + (bytes[at + 3] * U16) + (bytes[at + 4] << 8) + bytes[at + 5];
}

/** Whether it is a group address: the lowest bit of the first byte is set. */
export function isGroupMac(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] & 1) !== 0;
}

function isOptions(nextHeader: number): boolean {
  return nextHeader === IpProtocol.HOP_BY_HOP || nextHeader === IpProtocol.DESTINATION_OPTIONS;
}

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1];
}
