/**
 * uSID carriers: IPv6 addresses that hold a source route of micro segments (RFC 9800, NEXT-CSID; in the format F3216
 * used by MRC: docs/specs/mrc-formats.md, section 2.16).
 *
 *   bits 127..96 block | 95..80 active uSID | 79..64 next | … | 15..0 sixth; 0 ends the list
 *
 * The switch of the active uSID shifts the 96 bits after the block left by 16 (`UsidCarrier.shift`).
 */
import { invalidArgument, readU16, requireField, requireLength, requireList, requireRecord,
  writeU16 } from '../bytes.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';

const BLOCK_BYTES = 4;
const USID_BYTES = 2;
const USID_MAX = 0xffff;
const BLOCK_MAX = 0xffffffff;

/** A source route in an address. */
export interface UsidCarrier {
  /** 32 bits, common to all uSIDs of a network. */
  readonly block: number;
  /** 1..65,535 each, the active one first; at most six. */
  readonly usids: readonly number[];
}

/** A source route in an address. */
export const UsidCarrier = {
  /** Maximum number of uSIDs in an address. */
  USIDS_MAX: 6,
  /**
   * Reads an address as a carrier of uSIDs: up to the first uSID that is 0.
   * @throws RoceError `invalid-argument` unless there are 16 bytes.
   */
  read(address: Uint8Array): UsidCarrier {
    requireLength('address', address, IP_ADDRESS_BYTES);
    const block = ((readU16(address, 0) << 16) | readU16(address, 2)) >>> 0;
    const usids: number[] = [];
    for (let at = BLOCK_BYTES; at < IP_ADDRESS_BYTES; at += USID_BYTES) {
      const usid = readU16(address, at);
      if (usid === 0) break;
      usids.push(usid);
    }
    return { block, usids };
  },
  /** Writes a carrier as an address of 16 bytes. @throws RoceError `invalid-argument` naming a field out of range. */
  write(carrier: UsidCarrier): Uint8Array {
    requireRecord('carrier', carrier);
    const { block, usids } = carrier;
    requireField('carrier.block', block, BLOCK_MAX);
    requireList('carrier.usids', usids);
    if (usids.length > UsidCarrier.USIDS_MAX) {
      throw invalidArgument('carrier.usids', usids.length, { min: 0, max: UsidCarrier.USIDS_MAX }, 'number of uSIDs');
    }
    const address = new Uint8Array(IP_ADDRESS_BYTES);
    writeU16(address, 0, block >>> 16);
    writeU16(address, 2, block & USID_MAX);
    usids.forEach((usid, index) => {
      requireField(`carrier.usids[${index}]`, usid, USID_MAX, 1);
      writeU16(address, BLOCK_BYTES + index * USID_BYTES, usid);
    });
    return address;
  },
  /**
   * Returns the new destination after the switch of the active uSID: the next uSID becomes active.
   * @throws RoceError `invalid-argument` if no uSID follows the active one.
   */
  shift(address: Uint8Array): Uint8Array {
    requireLength('address', address, IP_ADDRESS_BYTES);
    if (readU16(address, BLOCK_BYTES + USID_BYTES) === 0) {
      throw invalidArgument('address', 0, { min: 1, max: USID_MAX }, 'uSID after the active one');
    }
    const shifted = new Uint8Array(IP_ADDRESS_BYTES);
    shifted.set(address.subarray(0, BLOCK_BYTES));
    shifted.set(address.subarray(BLOCK_BYTES + USID_BYTES), BLOCK_BYTES);
    return shifted;
  },
} as const;
