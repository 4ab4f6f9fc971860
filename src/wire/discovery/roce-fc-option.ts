/**
 * IPv4 option IP_OPT_ROCE_FC (Technical Disclosure Commons 1652, "Mechanism to discover end-to-end lossless network
 * characteristic", figure 1).
 *
 *   figure 1            0 reserved (flags) (2) | 2 ID (2) | 4 outbound hops (2) | 6 return hops (2) | 8 originator (4)
 *                       12 class/QoS map data (up to 64)
 *   head `type-length`  the first 16 bits are 0 type, 1 length; no flags (the shape of RFC 1393's traceroute option)
 *   head `flags`        0 type | 1 length | figure 1 from byte 2 on
 *
 * Figure 1 draws neither type nor length, yet no IPv4 node can step over an option without them: hence the two heads.
 * The 64 bytes of data can't be had in IPv4: the option area has 40, of which 12 (`type-length`) or 14 (`flags`) are
 * taken, so at most 28 or 26 are left. The originator has 32 bits; for IPv6 see roce-fc-ipv6-option.ts.
 */
import { RoceError } from '../../errors.js';
import { HeaderView } from '../header/header-view.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from '../ip/ip-address.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, readU16, requireChoice, requireField, requireLength, requireBytes, requireTarget,
  writeU16 } from '../bytes.js';
import { IPV4_OPTIONS_MAX_BYTES, IPV4_OPTION_NOP } from './ipv4-options.js';

/** Offsets from the option's first byte under head `type-length`; from ID on, 2 more under head `flags`. */
export const ROCE_FC_OPTION_TYPE = 0;
export const ROCE_FC_OPTION_LENGTH = 1;
export const ROCE_FC_OPTION_ID = 2;
export const ROCE_FC_OPTION_OUTBOUND = 4;
export const ROCE_FC_OPTION_RETURN = 6;
export const ROCE_FC_OPTION_ORIGINATOR = 8;
/** The option without data. */
export const ROCE_FC_OPTION_BYTES = 12;
/** Head `flags` only. */
export const ROCE_FC_OPTION_FLAGS = 2;
export const ROCE_FC_OPTION_FLAGS_BYTES = 2;
/** The option without data under head `flags`. */
export const ROCE_FC_FLAGS_OPTION_BYTES = ROCE_FC_OPTION_BYTES + ROCE_FC_OPTION_FLAGS_BYTES;

/**
 * Default type, one of the four for experiments (RFC 4727): copied 0, as no fragment needs it; class 2, debugging and
 * measurement; number 30. The disclosure has no number.
 */
export const ROCE_FC_DEFAULT_OPTION_TYPE = 0x5e;
/** Return hop count of a request. */
export const ROCE_FC_REQUEST = 0xffff;
/** Data that fits an IPv4 option whatever its head. */
export const ROCE_FC_IPV4_DATA_BYTES = IPV4_OPTIONS_MAX_BYTES - ROCE_FC_FLAGS_OPTION_BYTES;
/** Most data that both figures allow. */
export const ROCE_FC_DATA_MAX_BYTES = 64;

/** What the first 16 bits of figure 1 are: the option's type and length, or flags behind these two. */
export type RoceFcHead = 'type-length' | 'flags';

const SOURCE = 'TDCommons 1652, figure 1';
const FOLLOWED_BY = 'class/QoS map data, as far as the length says';

/** The drawing of docs/wire.md. */
export const ROCE_FC_OPTION_LAYOUT: HeaderLayout = {
  title: 'IP_OPT_ROCE_FC, head type-length',
  source: SOURCE,
  bytes: ROCE_FC_OPTION_BYTES,
  fields: [
    { name: 'type', offset: ROCE_FC_OPTION_TYPE, bits: 8 },
    { name: 'length', offset: ROCE_FC_OPTION_LENGTH, bits: 8 },
    { name: 'idNumber', offset: ROCE_FC_OPTION_ID, bits: 16 },
    { name: 'outboundHopCount', offset: ROCE_FC_OPTION_OUTBOUND, bits: 16 },
    { name: 'returnHopCount', offset: ROCE_FC_OPTION_RETURN, bits: 16 },
    { name: 'originator', offset: ROCE_FC_OPTION_ORIGINATOR, bits: 32 },
  ],
  followedBy: FOLLOWED_BY,
};

/** The drawing of docs/wire.md. */
export const ROCE_FC_FLAGS_OPTION_LAYOUT: HeaderLayout = {
  title: 'IP_OPT_ROCE_FC, head flags',
  source: SOURCE,
  bytes: ROCE_FC_FLAGS_OPTION_BYTES,
  fields: [
    { name: 'type', offset: ROCE_FC_OPTION_TYPE, bits: 8 },
    { name: 'length', offset: ROCE_FC_OPTION_LENGTH, bits: 8 },
    { name: 'flags', offset: ROCE_FC_OPTION_FLAGS, bits: 16 },
    { name: 'idNumber', offset: ROCE_FC_OPTION_ID + ROCE_FC_OPTION_FLAGS_BYTES, bits: 16 },
    { name: 'outboundHopCount', offset: ROCE_FC_OPTION_OUTBOUND + ROCE_FC_OPTION_FLAGS_BYTES, bits: 16 },
    { name: 'returnHopCount', offset: ROCE_FC_OPTION_RETURN + ROCE_FC_OPTION_FLAGS_BYTES, bits: 16 },
    { name: 'originator', offset: ROCE_FC_OPTION_ORIGINATOR + ROCE_FC_OPTION_FLAGS_BYTES, bits: 32 },
  ],
  followedBy: FOLLOWED_BY,
};

const LAYER = 'roce-fc option';

/** What a request says, in IPv4 as in IPv6. */
export interface RoceFcRequest {
  /** 16 bits, "reserved: some control flags will be defined"; 0 under head `type-length`, which has none. */
  readonly flags: number;
  /** 16 bits, the originator's own. */
  readonly idNumber: number;
  /** Routers that handled the request so far, 0..65535. */
  readonly outboundHopCount: number;
  /** 65535 in a request. */
  readonly returnHopCount: number;
  /** 16 bytes: where replies go; IPv4-mapped in IPv4. */
  readonly originator: Uint8Array;
  /** Class/QoS map data, see qos-data.ts; may be empty. */
  readonly data: Uint8Array;
}

/** A request in an IPv4 option, as a value. */
export interface RoceFcOption extends RoceFcRequest {
  /** 2..255. */
  readonly type: number;
  readonly head: RoceFcHead;
}

/** What `buildRoceFcOption` needs: a request, nothing counted yet, unless told otherwise. */
export type RoceFcOptionFields = Pick<RoceFcOption, 'idNumber' | 'originator'> & Partial<RoceFcOption>;

/** Reads an option with head `type-length` in place. */
export class RoceFcOptionView extends HeaderView {
  get type(): number {
    return this.bytes[this.offset + ROCE_FC_OPTION_TYPE];
  }
  /** The whole option, bytes. */
  get length(): number {
    return this.bytes[this.offset + ROCE_FC_OPTION_LENGTH];
  }
  /** 0 under head `type-length`, which has none. */
  get flags(): number {
    return this.shift() === 0 ? 0 : readU16(this.bytes, this.offset + ROCE_FC_OPTION_FLAGS);
  }
  get idNumber(): number {
    return readU16(this.bytes, this.offset + this.shift() + ROCE_FC_OPTION_ID);
  }
  get outboundHopCount(): number {
    return readU16(this.bytes, this.offset + this.shift() + ROCE_FC_OPTION_OUTBOUND);
  }
  get returnHopCount(): number {
    return readU16(this.bytes, this.offset + this.shift() + ROCE_FC_OPTION_RETURN);
  }
  /** 16 new bytes: the mapped form does not stand in the packet. */
  get originator(): Uint8Array {
    const address = new Uint8Array(IP_ADDRESS_BYTES).fill(0xff, 10, 12);
    const at = this.offset + this.shift() + ROCE_FC_OPTION_ORIGINATOR;
    address.set(this.bytes.subarray(at, at + 4), 12);
    return address;
  }
  get data(): Uint8Array {
    return this.bytes.subarray(this.offset + this.shift() + ROCE_FC_OPTION_BYTES, this.payloadOffset);
  }
  /** Behind the option. */
  override get payloadOffset(): number {
    return this.offset + this.length;
  }

  /** How far the flags push the other fields. */
  protected shift(): number {
    return 0;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    const least = ROCE_FC_OPTION_BYTES + this.shift();
    requireBytes(LAYER, bytes, offset, least);
    const type = bytes[offset];
    if (type <= IPV4_OPTION_NOP) throw invalidPacket(LAYER, offset, 'has a type without length', type, '2..255');
    const length = bytes[offset + ROCE_FC_OPTION_LENGTH];
    if (length < least || length > IPV4_OPTIONS_MAX_BYTES) {
      const allowed = `${least}..${IPV4_OPTIONS_MAX_BYTES} bytes`;
      throw invalidPacket(LAYER, offset, 'has a wrong length', `${length} bytes`, allowed);
    }
    requireBytes(LAYER, bytes, offset, length);
  }
}

/** Reads an option with head `flags` in place. */
export class RoceFcFlagsOptionView extends RoceFcOptionView {
  protected override shift(): number {
    return ROCE_FC_OPTION_FLAGS_BYTES;
  }
}

/**
 * Reads an IP_OPT_ROCE_FC; the inverse of `buildRoceFcOption`.
 *
 * @param head which of the two forms the network speaks; the bytes don't tell.
 * @throws RoceError `invalid-packet` when the bytes end inside it or its length is not 12 (14) to 40.
 */
export function parseRoceFcOption(bytes: Uint8Array, offset = 0, head: RoceFcHead = 'type-length'): RoceFcOption {
  requireChoice('head', head, ['type-length', 'flags']);
  const view = head === 'flags' ? new RoceFcFlagsOptionView(bytes, offset) : new RoceFcOptionView(bytes, offset);
  const { type, flags, idNumber, outboundHopCount, returnHopCount, originator } = view;
  return { type, head, flags, idNumber, outboundHopCount, returnHopCount, originator, data: view.data.slice() };
}

/** Bytes of an option, type and length included. */
export function roceFcOptionBytes(head: RoceFcHead, dataBytes: number): number {
  return (head === 'flags' ? ROCE_FC_FLAGS_OPTION_BYTES : ROCE_FC_OPTION_BYTES) + dataBytes;
}

/**
 * Writes an IP_OPT_ROCE_FC, without the padding behind it.
 *
 * Source: TDCommons 1652, figure 1.
 * @throws RoceError `invalid-argument` naming a field out of range, data for which 40 bytes of options have no room
 * (28 fit under head `type-length`, 26 under `flags`), or an originator that is no IPv4 address.
 */
export function buildRoceFcOption(option: RoceFcOptionFields): Uint8Array {
  const bytes = new Uint8Array(roceFcOptionBytes(option.head ?? 'type-length', option.data?.length ?? 0));
  buildRoceFcOptionInto(bytes, 0, option);
  return bytes;
}

/** As `buildRoceFcOption`, into `target`. @returns the offset behind the option. */
export function buildRoceFcOptionInto(target: Uint8Array, offset: number, option: RoceFcOptionFields): number {
  const { type = ROCE_FC_DEFAULT_OPTION_TYPE, head = 'type-length', flags = 0, idNumber, originator, data } = option;
  const { outboundHopCount = 0, returnHopCount = ROCE_FC_REQUEST } = option;
  requireChoice('roceFcOption.head', head, ['type-length', 'flags']);
  requireType(type);
  requireField('roceFcOption.flags', flags, head === 'flags' ? 0xffff : 0);
  requireField('roceFcOption.idNumber', idNumber, 0xffff);
  requireField('roceFcOption.outboundHopCount', outboundHopCount, 0xffff);
  requireField('roceFcOption.returnHopCount', returnHopCount, 0xffff);
  requireIpv4Originator(originator);
  const length = roceFcOptionBytes(head, data?.length ?? 0);
  requireDataRoom(head, length);
  requireTarget('roceFcOption', target, offset, length);
  target[offset + ROCE_FC_OPTION_TYPE] = type;
  target[offset + ROCE_FC_OPTION_LENGTH] = length;
  if (head === 'flags') writeU16(target, offset + ROCE_FC_OPTION_FLAGS, flags);
  const at = head === 'flags' ? offset + ROCE_FC_OPTION_FLAGS_BYTES : offset;
  writeU16(target, at + ROCE_FC_OPTION_ID, idNumber);
  writeU16(target, at + ROCE_FC_OPTION_OUTBOUND, outboundHopCount);
  writeU16(target, at + ROCE_FC_OPTION_RETURN, returnHopCount);
  for (let i = 0; i < 4; i++) target[at + ROCE_FC_OPTION_ORIGINATOR + i] = originator[12 + i];
  if (data !== undefined) target.set(data, at + ROCE_FC_OPTION_BYTES);
  return offset + length;
}

function requireType(type: number): void {
  requireField('roceFcOption.type', type, 0xff);
  if (type > IPV4_OPTION_NOP) return;
  throw new RoceError('invalid-argument', 'a type of a single byte', {
    got: type,
    allowed: '2..255',
    where: 'roceFcOption.type',
  });
}

function requireIpv4Originator(originator: Uint8Array): void {
  requireLength('roceFcOption.originator', originator, IP_ADDRESS_BYTES);
  if (isIpv4Mapped(originator)) return;
  throw new RoceError('invalid-argument', 'not an IPv4 address', {
    got: 'another IPv6 address',
    allowed: 'an IPv4-mapped address ::ffff:a.b.c.d; IPv6 has an option of its own',
    where: 'roceFcOption.originator',
  });
}

function requireDataRoom(head: RoceFcHead, length: number): void {
  if (length <= IPV4_OPTIONS_MAX_BYTES) return;
  const fixed = roceFcOptionBytes(head, 0);
  throw new RoceError('invalid-argument', 'no room for the data among the IPv4 options', {
    got: `${length - fixed} bytes`,
    allowed: `at most ${IPV4_OPTIONS_MAX_BYTES - fixed} bytes: 40 less ${fixed}`,
    where: 'roceFcOption.data',
  });
}
