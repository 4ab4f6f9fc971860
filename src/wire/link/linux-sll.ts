/**
 * Linux "cooked" capture header (tcpdump.org, LINKTYPE_LINUX_SLL): what captures of link type 113 start with.
 *
 *   0 packet type (2) | 2 ARPHRD type (2) | 4 address length (2) | 6 address (8) | 14 protocol type (2)
 *
 * The address is that of the packet's sender; the length may exceed the eight bytes that are kept of it. VLAN tags, if
 * there are any, follow as a protocol type of 0x8100 and so on, as behind an Ethernet header.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU16, requireField, requireLength, requireBytes, requireTarget, writeU16 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const SLL_PACKET_TYPE = 0;
export const SLL_ARPHRD_TYPE = 2;
export const SLL_ADDRESS_LENGTH = 4;
export const SLL_ADDRESS = 6;
export const SLL_PROTOCOL_TYPE = 14;
export const SLL_BYTES = 16;
/** Bytes that are kept of an address. */
export const SLL_ADDRESS_BYTES = 8;

/** Packet types: whose packet it is. */
export const SLL_TO_US = 0;
export const SLL_BROADCAST = 1;
export const SLL_MULTICAST = 2;
export const SLL_TO_OTHERS = 3;
export const SLL_FROM_US = 4;

/** The drawing of docs/wire.md. */
export const SLL_LAYOUT: HeaderLayout = {
  title: 'Linux cooked capture (SLL)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL',
  bytes: SLL_BYTES,
  fields: [
    { name: 'packetType', offset: SLL_PACKET_TYPE, bits: 16 },
    { name: 'arphrdType', offset: SLL_ARPHRD_TYPE, bits: 16 },
    { name: 'addressLength', offset: SLL_ADDRESS_LENGTH, bits: 16 },
    { name: 'address', offset: SLL_ADDRESS, bits: 64 },
    { name: 'protocolType', offset: SLL_PROTOCOL_TYPE, bits: 16 },
  ],
};

const LAYER = 'linux sll header';

/** The header of a Linux "cooked" capture, as a value. */
export interface LinuxSll {
  /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
  readonly packetType: number;
  /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
  readonly arphrdType: number;
  /** Bytes of the whole address; only the first eight are kept. */
  readonly addressLength: number;
  /** 8 bytes, those behind the address as on the wire. */
  readonly address: Uint8Array;
  /** An EtherType for most devices. */
  readonly protocolType: number;
}

/** Reads a cooked header in place. */
export class LinuxSllView extends HeaderView {
  get packetType(): number {
    return readU16(this.bytes, this.offset + SLL_PACKET_TYPE);
  }
  get arphrdType(): number {
    return readU16(this.bytes, this.offset + SLL_ARPHRD_TYPE);
  }
  get addressLength(): number {
    return readU16(this.bytes, this.offset + SLL_ADDRESS_LENGTH);
  }
  get address(): Uint8Array {
    return this.bytes.subarray(this.offset + SLL_ADDRESS, this.offset + SLL_ADDRESS + SLL_ADDRESS_BYTES);
  }
  get protocolType(): number {
    return readU16(this.bytes, this.offset + SLL_PROTOCOL_TYPE);
  }
  get payloadOffset(): number {
    return this.offset + SLL_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, SLL_BYTES);
  }
}

/**
 * Reads a cooked header; the inverse of `buildLinuxSll`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseLinuxSll(bytes: Uint8Array, offset = 0): LinuxSll {
  const view = new LinuxSllView(bytes, offset);
  const { packetType, arphrdType, addressLength, protocolType } = view;
  return { packetType, arphrdType, addressLength, address: view.address.slice(), protocolType };
}

/**
 * Writes a cooked header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildLinuxSll(header: LinuxSll): Uint8Array {
  const bytes = new Uint8Array(SLL_BYTES);
  buildLinuxSllInto(bytes, 0, header);
  return bytes;
}

/** As `buildLinuxSll`, into `target`. @returns the offset behind the header. */
export function buildLinuxSllInto(target: Uint8Array, offset: number, header: LinuxSll): number {
  requireField('sll.packetType', header.packetType, 0xffff);
  requireField('sll.arphrdType', header.arphrdType, 0xffff);
  requireField('sll.addressLength', header.addressLength, 0xffff);
  requireLength('sll.address', header.address, SLL_ADDRESS_BYTES);
  requireField('sll.protocolType', header.protocolType, 0xffff);
  requireTarget('sll', target, offset, SLL_BYTES);
  writeU16(target, offset + SLL_PACKET_TYPE, header.packetType);
  writeU16(target, offset + SLL_ARPHRD_TYPE, header.arphrdType);
  writeU16(target, offset + SLL_ADDRESS_LENGTH, header.addressLength);
  target.set(header.address, offset + SLL_ADDRESS);
  writeU16(target, offset + SLL_PROTOCOL_TYPE, header.protocolType);
  return offset + SLL_BYTES;
}
