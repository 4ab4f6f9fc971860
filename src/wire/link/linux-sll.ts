/**
 * Linux "cooked" capture header (tcpdump.org, LINKTYPE_LINUX_SLL): the start of each packet of link type 113.
 *
 *   0 packet type (2) | 2 ARPHRD type (2) | 4 address length (2) | 6 address (8) | 14 protocol type (2)
 *
 * The address is that of the packet's sender; the length may exceed the eight bytes that are kept of it. VLAN tags, if
 * there are any, follow as a protocol type of 0x8100 and so on, as behind an Ethernet header.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** Bytes that are kept of an address. */
export const SLL_ADDRESS_BYTES = 8;

/** Packet type: sent to this host (tcpdump.org, LINKTYPE_LINUX_SLL). */
export const SLL_TO_US = 0;
/** Packet type: broadcast by another host. */
export const SLL_BROADCAST = 1;
/** Packet type: multicast, not broadcast, by another host. */
export const SLL_MULTICAST = 2;
/** Packet type: sent by another host to another host, seen in promiscuous mode. */
export const SLL_TO_OTHERS = 3;
/** Packet type: sent by this host. */
export const SLL_FROM_US = 4;

export const SLL = /* @__PURE__ */ defineHeader({
  title: 'Linux cooked capture (SLL)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL',
  layer: 'linux sll header',
  where: 'sll',
  fields: (field) => ({
    /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
    packetType: field.bits(16),
    /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
    arphrdType: field.bits(16),
    /** Bytes of the whole address; only the first eight are kept. */
    addressLength: field.bits(16),
    /** 8 bytes, those behind the address as on the wire. */
    address: field.bytesOf(SLL_ADDRESS_BYTES),
    /** An EtherType for most devices. */
    protocolType: field.bits(16),
  }),
});

/** Length of the header: 16 bytes. */
export const SLL_BYTES = SLL.bytes;
/** The drawing of docs/wire.md. */
export const SLL_LAYOUT = SLL.layout;

/** The header of a Linux "cooked" capture, as a value. */
export interface LinuxSll extends HeaderValue<typeof SLL> {}

/** Reads a cooked header in place. */
export class LinuxSllView extends SLL.View {}

/**
 * Reads a cooked header; the inverse of `buildLinuxSll`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export const parseLinuxSll: ParseHeader<LinuxSll> = SLL.parse;
/** Writes a cooked header. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildLinuxSll: BuildHeader<LinuxSll> = SLL.build;
/** As `buildLinuxSll`, into `target`. @returns the offset behind the header. */
export const buildLinuxSllInto: BuildHeaderInto<LinuxSll> = SLL.buildInto;
