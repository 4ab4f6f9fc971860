/**
 * Linux "cooked" capture header, version 2 (tcpdump.org, LINKTYPE_LINUX_SLL2): what captures of link type 276 start
 * with, such as those of `tcpdump -i any`.
 *
 *   0 protocol type (2) | 2 reserved (2) | 4 interface index (4) | 8 ARPHRD type (2) | 10 packet type (1)
 *   11 address length (1) | 12 address (8)
 *
 * Other order than version 1: the protocol comes first. The address is that of the packet's sender.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU16, requireField, requireLength, requireBytes, requireTarget, writeU16 } from '../bytes.js';
import { readU32, writeU32 } from '../wide-bytes.js';
import { SLL_ADDRESS_BYTES } from './linux-sll.js';

/** Offsets from the first byte of the header. */
export const SLL2_PROTOCOL_TYPE = 0;
export const SLL2_RESERVED = 2;
export const SLL2_INTERFACE_INDEX = 4;
export const SLL2_ARPHRD_TYPE = 8;
export const SLL2_PACKET_TYPE = 10;
export const SLL2_ADDRESS_LENGTH = 11;
export const SLL2_ADDRESS = 12;
export const SLL2_BYTES = 20;

/** The drawing of docs/wire.md. */
export const SLL2_LAYOUT: HeaderLayout = {
  title: 'Linux cooked capture, version 2 (SLL2)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL2',
  bytes: SLL2_BYTES,
  fields: [
    { name: 'protocolType', offset: SLL2_PROTOCOL_TYPE, bits: 16 },
    { name: 'reserved16', offset: SLL2_RESERVED, bits: 16 },
    { name: 'interfaceIndex', offset: SLL2_INTERFACE_INDEX, bits: 32 },
    { name: 'arphrdType', offset: SLL2_ARPHRD_TYPE, bits: 16 },
    { name: 'packetType', offset: SLL2_PACKET_TYPE, bits: 8 },
    { name: 'addressLength', offset: SLL2_ADDRESS_LENGTH, bits: 8 },
    { name: 'address', offset: SLL2_ADDRESS, bits: 64 },
  ],
};

const LAYER = 'linux sll2 header';

/** The header of a Linux "cooked" capture, version 2, as a value. */
export interface LinuxSll2 {
  /** An EtherType for most devices. */
  readonly protocolType: number;
  /** 0 on sending. */
  readonly reserved16: number;
  /** Of the capturing host, 32 bits; it counts from 1. */
  readonly interfaceIndex: number;
  /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
  readonly arphrdType: number;
  /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
  readonly packetType: number;
  /** Bytes of the whole address; only the first eight are kept. */
  readonly addressLength: number;
  /** 8 bytes, those behind the address as on the wire. */
  readonly address: Uint8Array;
}

/** What `buildLinuxSll2` needs: reserved 0 unless told otherwise. */
export type LinuxSll2Fields = Omit<LinuxSll2, 'reserved16'> & Partial<LinuxSll2>;

/** Reads a cooked header of version 2 in place. */
export class LinuxSll2View extends HeaderView {
  get protocolType(): number {
    return readU16(this.bytes, this.offset + SLL2_PROTOCOL_TYPE);
  }
  get reserved16(): number {
    return readU16(this.bytes, this.offset + SLL2_RESERVED);
  }
  get interfaceIndex(): number {
    const at = this.offset + SLL2_INTERFACE_INDEX;
    return readU32(this.bytes, at);
  }
  get arphrdType(): number {
    return readU16(this.bytes, this.offset + SLL2_ARPHRD_TYPE);
  }
  get packetType(): number {
    return this.bytes[this.offset + SLL2_PACKET_TYPE];
  }
  get addressLength(): number {
    return this.bytes[this.offset + SLL2_ADDRESS_LENGTH];
  }
  get address(): Uint8Array {
    return this.bytes.subarray(this.offset + SLL2_ADDRESS, this.offset + SLL2_ADDRESS + SLL_ADDRESS_BYTES);
  }
  get payloadOffset(): number {
    return this.offset + SLL2_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, SLL2_BYTES);
  }
}

/**
 * Reads a cooked header of version 2; the inverse of `buildLinuxSll2`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseLinuxSll2(bytes: Uint8Array, offset = 0): LinuxSll2 {
  const view = new LinuxSll2View(bytes, offset);
  const { protocolType, reserved16, interfaceIndex, arphrdType, packetType, addressLength } = view;
  const address = view.address.slice();
  return { protocolType, reserved16, interfaceIndex, arphrdType, packetType, addressLength, address };
}

/**
 * Writes a cooked header of version 2.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildLinuxSll2(header: LinuxSll2Fields): Uint8Array {
  const bytes = new Uint8Array(SLL2_BYTES);
  buildLinuxSll2Into(bytes, 0, header);
  return bytes;
}

/** As `buildLinuxSll2`, into `target`. @returns the offset behind the header. */
export function buildLinuxSll2Into(target: Uint8Array, offset: number, header: LinuxSll2Fields): number {
  const { protocolType, reserved16 = 0, interfaceIndex, arphrdType, packetType, addressLength, address } = header;
  requireField('sll2.protocolType', protocolType, 0xffff);
  requireField('sll2.reserved16', reserved16, 0xffff);
  requireField('sll2.interfaceIndex', interfaceIndex, 0xffffffff);
  requireField('sll2.arphrdType', arphrdType, 0xffff);
  requireField('sll2.packetType', packetType, 0xff);
  requireField('sll2.addressLength', addressLength, 0xff);
  requireLength('sll2.address', address, SLL_ADDRESS_BYTES);
  requireTarget('sll2', target, offset, SLL2_BYTES);
  writeU16(target, offset + SLL2_PROTOCOL_TYPE, protocolType);
  writeU16(target, offset + SLL2_RESERVED, reserved16);
  writeU32(target, offset + SLL2_INTERFACE_INDEX, interfaceIndex);
  writeU16(target, offset + SLL2_ARPHRD_TYPE, arphrdType);
  target[offset + SLL2_PACKET_TYPE] = packetType;
  target[offset + SLL2_ADDRESS_LENGTH] = addressLength;
  target.set(address, offset + SLL2_ADDRESS);
  return offset + SLL2_BYTES;
}
