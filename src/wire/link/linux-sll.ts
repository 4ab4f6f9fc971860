/**
 * Linux "cooked" capture headers (tcpdump.org, LINKTYPE_LINUX_SLL and LINKTYPE_LINUX_SLL2): the start of each packet of
 * link type 113, or of 276, version 2, used for example by `tcpdump -i any`.
 *
 *   SLL   0 packet type (2) | 2 ARPHRD type (2) | 4 address length (2) | 6 address (8) | 14 protocol type (2)
 *   SLL2  0 protocol type (2) | 2 reserved (2) | 4 interface index (4) | 8 ARPHRD type (2) | 10 packet type (1)
 *         11 address length (1) | 12 address (8)
 *
 * The address is that of the packet's sender; its length may exceed the eight bytes stored. VLAN tags follow as after
 * an Ethernet header, with a protocol type of 0x8100 and so on.
 */
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const SLL_ADDRESS_BYTES = 8;

const SLL = /* @__PURE__ */ defineHeader({
  title: 'Linux cooked capture (SLL)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL',
  layer: 'linux sll header',
  where: 'sll',
  fields: (field) => ({
    /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
    packetType: field.bits(16),
    /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
    arphrdType: field.bits(16),
    /** Length of the complete address, of which only the first eight bytes are stored. */
    addressLength: field.bits(16),
    /** 8 bytes; those beyond the address length are as received. */
    address: field.bytesOf(SLL_ADDRESS_BYTES),
    /** An EtherType for most devices. */
    protocolType: field.bits(16),
  }),
});

/** The header of a Linux "cooked" capture, as a value. */
export interface LinuxSll extends ValueOf<typeof SLL> {}

/** The header of a Linux "cooked" capture: 16 bytes. */
export const LinuxSll = /* @__PURE__ */ extendHeader(SLL, {
  /** Number of address bytes stored. */
  ADDRESS_BYTES: SLL_ADDRESS_BYTES,
  /** Packet type: sent to this host (tcpdump.org, LINKTYPE_LINUX_SLL). */
  TO_US: 0,
  /** Packet type: broadcast by another host. */
  BROADCAST: 1,
  /** Packet type: multicast, not broadcast, by another host. */
  MULTICAST: 2,
  /** Packet type: sent by another host to another host, seen in promiscuous mode. */
  TO_OTHERS: 3,
  /** Packet type: sent by this host. */
  FROM_US: 4,
});

/** The header of a Linux "cooked" capture, version 2: 20 bytes. Reserved bits are written as 0 by default. */
export const LinuxSll2 = /* @__PURE__ */ defineHeader({
  title: 'Linux cooked capture, version 2 (SLL2)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL2',
  layer: 'linux sll2 header',
  where: 'sll2',
  fields: (field) => ({
    /** An EtherType for most devices. */
    protocolType: field.bits(16),
    /** Reserved; written as 0 by default. */
    reserved16: field.bits(16, 0),
    /** Interface of the capturing host, 32 bits; counted from 1. */
    interfaceIndex: field.bits(32),
    /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
    arphrdType: field.bits(16),
    /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
    packetType: field.bits(8),
    /** Length of the complete address, of which only the first eight bytes are stored. */
    addressLength: field.bits(8),
    /** 8 bytes; those beyond the address length are as received. */
    address: field.bytesOf(LinuxSll.ADDRESS_BYTES),
  }),
});

/** The header of a Linux "cooked" capture, version 2, as a value. */
export interface LinuxSll2 extends ValueOf<typeof LinuxSll2> {}
