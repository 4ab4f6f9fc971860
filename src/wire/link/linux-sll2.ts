/**
 * Linux "cooked" capture header, version 2 (tcpdump.org, LINKTYPE_LINUX_SLL2): used by captures of link type 276
 * with, such as those of `tcpdump -i any`.
 *
 *   0 protocol type (2) | 2 reserved (2) | 4 interface index (4) | 8 ARPHRD type (2) | 10 packet type (1)
 *   11 address length (1) | 12 address (8)
 *
 * Other order than version 1: the protocol comes first. The address is that of the packet's sender.
 */
import { SLL_ADDRESS_BYTES } from './linux-sll.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const SLL2 = /* @__PURE__ */ defineHeader({
  title: 'Linux cooked capture, version 2 (SLL2)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL2',
  layer: 'linux sll2 header',
  where: 'sll2',
  fields: (field) => ({
    /** An EtherType for most devices. */
    protocolType: field.bits(16),
    /** 0 on sending. */
    reserved16: field.bits(16, 0),
    /** Of the capturing host, 32 bits; it counts from 1. */
    interfaceIndex: field.bits(32),
    /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
    arphrdType: field.bits(16),
    /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
    packetType: field.bits(8),
    /** Bytes of the whole address; only the first eight are kept. */
    addressLength: field.bits(8),
    /** 8 bytes, those behind the address as on the wire. */
    address: field.bytesOf(SLL_ADDRESS_BYTES),
  }),
});

/** Length of the header: 20 bytes. */
export const SLL2_BYTES = SLL2.bytes;
/** The drawing of docs/wire.md. */
export const SLL2_LAYOUT = SLL2.layout;

/** The header of a Linux "cooked" capture, version 2, as a value. */
export interface LinuxSll2 extends HeaderValue<typeof SLL2> {}

/** Input of `buildLinuxSll2`: reserved 0 unless stated. */
export interface LinuxSll2Fields extends HeaderFields<typeof SLL2> {}

/** Reads a cooked header of version 2 in place. */
export class LinuxSll2View extends SLL2.View {}

/**
 * Reads a cooked header of version 2; the inverse of `buildLinuxSll2`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export const parseLinuxSll2: ParseHeader<LinuxSll2> = SLL2.parse;
/** Writes a cooked header of version 2. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildLinuxSll2: BuildHeader<LinuxSll2Fields> = SLL2.build;
/** As `buildLinuxSll2`, into `target`. @returns the offset behind the header. */
export const buildLinuxSll2Into: BuildHeaderInto<LinuxSll2Fields> = SLL2.buildInto;
