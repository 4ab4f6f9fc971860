/**
 * Linux "cooked" capture header, version 2 (tcpdump.org, LINKTYPE_LINUX_SLL2): the start of each packet of link type
 * 276, used for example by `tcpdump -i any`.
 *
 *   0 protocol type (2) | 2 reserved (2) | 4 interface index (4) | 8 ARPHRD type (2) | 10 packet type (1)
 *   11 address length (1) | 12 address (8)
 *
 * The order differs from version 1: the protocol comes first. The address is that of the packet's sender.
 */
import { LinuxSll } from './linux-sll.js';
import { type ValueOf, defineHeader } from '../header/define-header.js';

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
