/**
 * Fast CNP: a congestion notification packet from the switch straight to the sender
 * (draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 3 and 4). IPv6 only.
 *
 *   link | IPv6, next header 60 | Destination Options, one Fast CNP option, next header 17 | UDP, port 4791
 *        | BTH, opcode 0x81 | 16 reserved bytes, zero | ICRC
 *
 * Its destination QP is the receiver's, as in the packet that met congestion. The sender looks up its own QP by
 * (original destination, destination QP).
 */
import { invalidArgument, invalidPacket, sameBytes, requireRecord } from '../bytes.js';
import type { LocatedExtensionHeader } from '../ip/extension-header.js';
import { formatIpAddress, isIpv4Mapped } from '../ip/ip-address.js';
import { Bth } from './bth.js';
import { Cnp, type CnpFields, type ReadOptions, cnpDefaults, requireCnp } from './cnp.js';
import { type FastCnpEncoding, type FastCnpOption, type FastCnpOptionTypes, type ReceivedFastCnpOption,
  buildFastCnpOptions, parseFastCnpOptions } from './fast-cnp-option.js';
import type { IcrcPolicy } from './icrc.js';
import { type LocatedRoce, type RoceFrame, buildRoceFrame, buildRoceFrameInto, locateRoce } from './roce-frame.js';
import { IpProtocol } from '../ip/ip-protocol.js';

const DEFAULTS = { ...cnpDefaults, encoding: '8n+6', icrcPolicy: 'literal' } as const;

/** Format options of a Fast CNP that no document specifies. */
export interface FastCnpForm extends FastCnpOptionTypes {
  /** Alignment of option 1 in its header; default `8n+6`. */
  readonly encoding?: FastCnpEncoding;
  /** Whether the ICRC covers the options header. Default `literal`: it does. */
  readonly icrcPolicy?: IcrcPolicy;
}

/** Input of `FastCnp.write`; the defaults are those of a CNP, `cnpDefaults`. With a trace, option 2 is written. */
export interface FastCnpFields extends Omit<CnpFields, 'ipv4Identification'>, FastCnpOption, FastCnpForm {}

/** A Fast CNP as received. */
export interface FastCnp extends Required<Omit<CnpFields, 'ipv4Identification'>>, ReceivedFastCnpOption {
  /** `receiver` if the source is the original destination, else a network element sent it (draft, section 4). */
  readonly origin: 'receiver' | 'network';
  /** Whether the ICRC matches the packet, under the policy of the reader. */
  readonly icrc: Cnp['icrc'];
}

/** A Fast CNP as received. */
export const FastCnp = {
  /**
   * Reads a Fast CNP; the inverse of `FastCnp.write`, except for padding that other implementations arrange
   * differently.
   * @throws RoceError `invalid-packet` if it is not a Fast CNP, is truncated, or has a malformed option.
   */
  read(bytes: Uint8Array, options: FastCnpReadOptions = {}): FastCnp {
    requireRecord('options', options);
    const located = locateRoce(bytes, options.offset ?? 0, options.link ?? 'none');
    const option = parseFastCnpOptions(bytes, onlyDestinationOptions(located), options);
    requireCnp('fast cnp', bytes, located);
    const fields = Cnp.readFields(located);
    const origin = sameBytes(fields.source, option.originalDestination) ? 'receiver' : 'network';
    const icrc = Cnp.judgeIcrc(bytes, located, options.icrcPolicy ?? 'literal');
    return { ...fields, ...option, origin, icrc };
  },
  /**
   * Builds a complete Fast CNP from its fields. To build one from the packet that met congestion, use `fastCnpFor`.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  write(fields: FastCnpFields): Uint8Array {
    return buildRoceFrame(frameOf(fields));
  },
  /** Like `FastCnp.write`, into `target`. @returns the offset after the packet. */
  writeInto(target: Uint8Array, offset: number, fields: FastCnpFields): number {
    return buildRoceFrameInto(target, offset, frameOf(fields));
  },
} as const;

/** Options for reading a Fast CNP. */
export interface FastCnpReadOptions extends ReadOptions, FastCnpOptionTypes {
  /** Whether the ICRC covers the options header. Default `literal`: it does. */
  readonly icrcPolicy?: IcrcPolicy;
}

function onlyDestinationOptions({ extensions, ipOffset }: LocatedRoce): LocatedExtensionHeader {
  const types = extensions.map(({ type }) => type);
  if (extensions.length === 1 && types[0] === IpProtocol.DESTINATION_OPTIONS) return extensions[0];
  throw invalidPacket('fast cnp', ipOffset, 'has other extension headers', types, 'one of type 60');
}

function frameOf(fields: FastCnpFields): RoceFrame {
  const { destQpn, pKey, becn, fecn, encoding, icrcPolicy, ...rest } = { ...DEFAULTS, ...fields };
  requireIpv6('source', rest.source);
  requireIpv6('destination', rest.destination);
  const bth = { opcode: Bth.OPCODE_CNP, destQpn, pKey, becn, fecn };
  const destinationOptions = buildFastCnpOptions(rest, rest, encoding);
  return { ...rest, bth, payload: new Uint8Array(Cnp.RESERVED_BYTES), destinationOptions, icrcPolicy };
}

function requireIpv6(where: string, address: Uint8Array): void {
  if (isIpv4Mapped(address)) {
    throw invalidArgument(where, formatIpAddress(address), 'an IPv6 address: Fast CNP exists for IPv6 only');
  }
}
