/**
 * Linux "cooked" capture header (tcpdump.org, LINKTYPE_LINUX_SLL): the start of each packet of link type 113.
 *
 *   0 packet type (2) | 2 ARPHRD type (2) | 4 address length (2) | 6 address (8) | 14 protocol type (2)
 *
 * The address is that of the packet's sender; its length may exceed the eight bytes stored. VLAN tags follow as after
 * an Ethernet header, with a protocol type of 0x8100 and so on.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

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
