/**
 * IP_OPT_ROCE_FC in IPv6: an extension of this library, as Technical Disclosure Commons 1652 draws 32 bits of
 * originator only. An option of the Hop-by-Hop Options header (RFC 8200, section 4.3), which is what every router reads.
 *
 *   0 type | 1 length of what follows | 2 flags (2) | 4 ID (2) | 6 outbound hops (2) | 8 return hops (2)
 *   10 originator (16) | 26 class/QoS map data (up to 64)
 *
 * Behind the two bytes come figure 1's fields in figure 1's order, the originator widened. The option stands at 4n+2
 * (right behind the header's two bytes), so that the originator is 4-aligned. The change bit of the type must be 1:
 * routers write the outbound hop count.
 */
import { RoceError } from '../../errors.js';
import { HeaderView } from '../header/header-view.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { OPTION_CHANGE_MASK, OPTION_DATA } from '../ip/ipv6-options.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, readU16, requireField, requireLength, requireBytes, requireTarget,
  writeU16 } from '../bytes.js';
import type { RoceFcRequest } from './roce-fc-option.js';
import { ROCE_FC_DATA_MAX_BYTES, ROCE_FC_REQUEST } from './roce-fc-option.js';

/** Offsets from the option's type byte. */
export const ROCE_FC6_OPTION_TYPE = 0;
export const ROCE_FC6_OPTION_LENGTH = 1;
export const ROCE_FC6_OPTION_FLAGS = 2;
export const ROCE_FC6_OPTION_ID = 4;
export const ROCE_FC6_OPTION_OUTBOUND = 6;
export const ROCE_FC6_OPTION_RETURN = 8;
export const ROCE_FC6_OPTION_ORIGINATOR = 10;
/** The option without data. */
export const ROCE_FC6_OPTION_BYTES = 26;

/** Default type, one of those for experiments (RFC 4727): action bits 00 (ignorant nodes skip it), change bit 1. */
export const ROCE_FC6_DEFAULT_OPTION_TYPE = 0x3e;
/** Where the option stands in its Hop-by-Hop Options header. */
export const ROCE_FC6_OPTION_PLACE = 2;

/** The drawing of docs/wire.md. */
export const ROCE_FC6_OPTION_LAYOUT: HeaderLayout = {
  title: 'IP_OPT_ROCE_FC in IPv6',
  source: 'own extension of TDCommons 1652, figure 1; RFC 8200, section 4.2',
  bytes: ROCE_FC6_OPTION_BYTES,
  fields: [
    { name: 'type', offset: ROCE_FC6_OPTION_TYPE, bits: 8 },
    { name: 'length', offset: ROCE_FC6_OPTION_LENGTH, bits: 8 },
    { name: 'flags', offset: ROCE_FC6_OPTION_FLAGS, bits: 16 },
    { name: 'idNumber', offset: ROCE_FC6_OPTION_ID, bits: 16 },
    { name: 'outboundHopCount', offset: ROCE_FC6_OPTION_OUTBOUND, bits: 16 },
    { name: 'returnHopCount', offset: ROCE_FC6_OPTION_RETURN, bits: 16 },
    { name: 'originator', offset: ROCE_FC6_OPTION_ORIGINATOR, bits: 128 },
  ],
  followedBy: 'class/QoS map data, up to 64 bytes, as far as the length says',
};

const LAYER = 'roce-fc ipv6 option';

/** A request in an IPv6 option, as a value. */
export interface RoceFc6Option extends RoceFcRequest {
  /** 8 bits, the change bit (0x20) set. */
  readonly type: number;
}

/** What `buildRoceFc6Option` needs: a request, nothing counted yet, unless told otherwise. */
export type RoceFc6OptionFields = Pick<RoceFc6Option, 'idNumber' | 'originator'> & Partial<RoceFc6Option>;

/** Reads the option in place. */
export class RoceFc6OptionView extends HeaderView {
  get type(): number {
    return this.bytes[this.offset + ROCE_FC6_OPTION_TYPE];
  }
  /** What follows type and length, bytes. */
  get length(): number {
    return this.bytes[this.offset + ROCE_FC6_OPTION_LENGTH];
  }
  get flags(): number {
    return readU16(this.bytes, this.offset + ROCE_FC6_OPTION_FLAGS);
  }
  get idNumber(): number {
    return readU16(this.bytes, this.offset + ROCE_FC6_OPTION_ID);
  }
  get outboundHopCount(): number {
    return readU16(this.bytes, this.offset + ROCE_FC6_OPTION_OUTBOUND);
  }
  get returnHopCount(): number {
    return readU16(this.bytes, this.offset + ROCE_FC6_OPTION_RETURN);
  }
  get originator(): Uint8Array {
    const at = this.offset + ROCE_FC6_OPTION_ORIGINATOR;
    return this.bytes.subarray(at, at + IP_ADDRESS_BYTES);
  }
  get data(): Uint8Array {
    return this.bytes.subarray(this.offset + ROCE_FC6_OPTION_BYTES, this.payloadOffset);
  }
  /** Behind the option. */
  override get payloadOffset(): number {
    return this.offset + OPTION_DATA + this.length;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, ROCE_FC6_OPTION_BYTES);
    const type = bytes[offset + ROCE_FC6_OPTION_TYPE];
    if ((type & OPTION_CHANGE_MASK) === 0) {
      throw invalidPacket(LAYER, offset, 'has a type that forbids counting', type, 'change bit (0x20) 1');
    }
    const least = ROCE_FC6_OPTION_BYTES - OPTION_DATA;
    const most = least + ROCE_FC_DATA_MAX_BYTES;
    const length = bytes[offset + ROCE_FC6_OPTION_LENGTH];
    if (length < least || length > most) {
      throw invalidPacket(LAYER, offset, 'has a wrong length', `${length} bytes`, `${least}..${most} bytes`);
    }
    requireBytes(LAYER, bytes, offset, OPTION_DATA + length);
  }
}

/**
 * Reads an IP_OPT_ROCE_FC of IPv6; the inverse of `buildRoceFc6Option`.
 * @throws RoceError `invalid-packet` when the bytes end inside it, its data is longer than 64 bytes, or the change
 * bit is 0.
 */
export function parseRoceFc6Option(bytes: Uint8Array, offset = 0): RoceFc6Option {
  const view = new RoceFc6OptionView(bytes, offset);
  const { type, flags, idNumber, outboundHopCount, returnHopCount } = view;
  const originator = view.originator.slice();
  return { type, flags, idNumber, outboundHopCount, returnHopCount, originator, data: view.data.slice() };
}

/**
 * Writes an IP_OPT_ROCE_FC of IPv6, type and length included.
 *
 * Source: own extension, see the head of this file.
 * @throws RoceError `invalid-argument` naming a field out of range, data beyond 64 bytes, or a type without change bit.
 */
export function buildRoceFc6Option(option: RoceFc6OptionFields): Uint8Array {
  const bytes = new Uint8Array(ROCE_FC6_OPTION_BYTES + (option.data?.length ?? 0));
  buildRoceFc6OptionInto(bytes, 0, option);
  return bytes;
}

/** As `buildRoceFc6Option`, into `target`. @returns the offset behind the option. */
export function buildRoceFc6OptionInto(target: Uint8Array, offset: number, option: RoceFc6OptionFields): number {
  const { type = ROCE_FC6_DEFAULT_OPTION_TYPE, flags = 0, idNumber, originator, data } = option;
  const { outboundHopCount = 0, returnHopCount = ROCE_FC_REQUEST } = option;
  requireRoceFc6OptionType('roceFc6Option.type', type);
  requireField('roceFc6Option.flags', flags, 0xffff);
  requireField('roceFc6Option.idNumber', idNumber, 0xffff);
  requireField('roceFc6Option.outboundHopCount', outboundHopCount, 0xffff);
  requireField('roceFc6Option.returnHopCount', returnHopCount, 0xffff);
  requireLength('roceFc6Option.originator', originator, IP_ADDRESS_BYTES);
  const dataBytes = data?.length ?? 0;
  requireField('roceFc6Option.data.length', dataBytes, ROCE_FC_DATA_MAX_BYTES);
  requireTarget('roceFc6Option', target, offset, ROCE_FC6_OPTION_BYTES + dataBytes);
  target[offset + ROCE_FC6_OPTION_TYPE] = type;
  target[offset + ROCE_FC6_OPTION_LENGTH] = ROCE_FC6_OPTION_BYTES - OPTION_DATA + dataBytes;
  writeU16(target, offset + ROCE_FC6_OPTION_FLAGS, flags);
  writeU16(target, offset + ROCE_FC6_OPTION_ID, idNumber);
  writeU16(target, offset + ROCE_FC6_OPTION_OUTBOUND, outboundHopCount);
  writeU16(target, offset + ROCE_FC6_OPTION_RETURN, returnHopCount);
  target.set(originator, offset + ROCE_FC6_OPTION_ORIGINATOR);
  if (data !== undefined) target.set(data, offset + ROCE_FC6_OPTION_BYTES);
  return offset + ROCE_FC6_OPTION_BYTES + dataBytes;
}

/** @throws RoceError `invalid-argument` unless it has 8 bits, the change bit among them. */
export function requireRoceFc6OptionType(where: string, type: number): void {
  requireField(where, type, 0xff);
  if ((type & OPTION_CHANGE_MASK) !== 0) return;
  throw new RoceError('invalid-argument', 'option type without change bit', {
    got: type,
    allowed: 'change bit (0x20) 1: routers write the hop count',
    where,
  });
}
