/**
 * Congestion notification packet, CNP (IBTA Annex A17, section A17.9.3 and figure 6; Fast CNP draft, figure 2).
 *
 *   link | IPv4 or IPv6 | UDP, port 4791 | BTH, opcode 0x81 | 16 reserved bytes, zero | ICRC
 *
 * Its length without link header is 60 bytes over IPv4, 80 over IPv6. The destination QP is the one that must reduce
 * its rate.
 */
import { invalidPacket, requireBytes, requireRecord, requirePlace } from '../bytes.js';
import { Bth } from './bth.js';
import { Icrc, type IcrcPolicy } from './icrc.js';
import { type LinkKind, type LocatedRoce, type RoceFrame, type RoceTravel, buildRoceFrame, buildRoceFrameInto,
  locateRoce } from './roce-frame.js';
import { IpProtocol } from '../ip/ip-protocol.js';

/** Defaults of the fields that Annex A17 leaves open, and of P_Key. */
export const cnpDefaults = Object.freeze({
  /** The default partition; a notification point copies the marked packet's P_Key (Annex A17, figure 6). */
  pKey: Bth.PKEY_DEFAULT,
  /** NVIDIA's CNP_DSCP, also recommended by the slides (slide 12). */
  dscp: 48,
  /** ECT(1): "Understanding RoCEv2 Congestion Management", step 6; ConnectX-4 Lx sends ECT(0) = 2. */
  ecn: 1,
  /** Set by ConnectX-4 Lx; ignored by receivers (CA17-29). */
  becn: true,
  /** Not set; ignored by receivers (CA17-29). */
  fecn: false,
  /** Same as ConnectX-4 Lx. */
  hopLimit: 64,
  /** IPv6 only. Annex A17 leaves it open; 0 is "no label" (RFC 6437, section 2). */
  flowLabel: 0,
  /** IPv4 only: CNPs have DF set (CA17-7), so the identification is unused. */
  ipv4Identification: 0,
  /** Same as ConnectX-4 Lx. */
  udpSourcePort: 0,
  /** Annex A17, section A17.3.2: the checksum should be 0. */
  udpChecksum: 'zero',
  /** The packet begins with its IP header, without a link header. */
  link: 'none',
} as const);

/** Input of `Cnp.write`. Destination and QP are those of the marked packet's sender; `cnpDefaults` has the defaults. */
export interface CnpFields
  extends
    Pick<RoceFrame, 'source' | 'destination'>,
    Pick<Bth, 'destQpn'>,
    Partial<Pick<Bth, 'pKey' | 'becn' | 'fecn'>>,
    Partial<Omit<RoceTravel, 'source' | 'destination'>> {}

/** A CNP as received: all fields, and the outcome of the ICRC check. */
export interface Cnp extends Required<CnpFields> {
  /** Whether the ICRC matches the packet. */
  readonly icrc: 'right' | 'wrong';
}

/** A CNP as received: all fields, and the outcome of the ICRC check. */
export const Cnp = {
  /** Reserved bytes after the BTH: zero when sent, ignored when received (Annex A17, figure 6). */
  RESERVED_BYTES: 16,
  /** Defaults of the fields that Annex A17 leaves open, and of P_Key. */
  defaults: cnpDefaults,
  /**
   * Reads a CNP; the inverse of `Cnp.write`. Reserved bytes, and fields of the BTH other than opcode, P_Key, FECN, BECN
   * and destination QP, are ignored (Annex A17, figure 6 and CA17-29).
   * @throws RoceError `invalid-packet` if it is not a CNP, or truncated.
   */
  read(bytes: Uint8Array, options: ReadOptions = {}): Cnp {
    requireRecord('options', options);
    const located = locateRoce(bytes, options.offset ?? 0, options.link ?? 'none');
    if (located.extensions.length > 0) {
      const [{ type, offset }] = located.extensions;
      throw invalidPacket('cnp', offset, 'has an extension header', type, IpProtocol.UDP);
    }
    requireCnp('cnp', bytes, located);
    return {
      ...Cnp.readFields(located),
      ipv4Identification: located.identification,
      icrc: Cnp.judgeIcrc(bytes, located, 'literal'),
    };
  },
  /** Builds a complete CNP. @throws RoceError `invalid-argument` naming a field out of range. */
  write(fields: CnpFields): Uint8Array {
    return buildRoceFrame(frameOf(fields));
  },
  /** Like `Cnp.write`, into `target`. @returns the offset after the packet. */
  writeInto(target: Uint8Array, offset: number, fields: CnpFields): number {
    return buildRoceFrameInto(target, offset, frameOf(fields));
  },
  /** The fields that a CNP and a Fast CNP share. */
  readFields(located: LocatedRoce): Required<Omit<CnpFields, 'ipv4Identification'>> {
    requireRecord('located', located);
    const { bth, udp, ...ip } = located;
    requireRecord('located.bth', bth);
    requireRecord('located.udp', udp);
    const { link, source, destination, dscp, ecn, hopLimit, flowLabel } = ip;
    const { destQpn, pKey, becn, fecn } = bth;
    const udpFields = { udpSourcePort: udp.sourcePort, udpChecksum: udp.checksum === 0 ? 'zero' : 'computed' } as const;
    return { link, source, destination, dscp, ecn, hopLimit, flowLabel, destQpn, pKey, becn, fecn, ...udpFields };
  },
  /** Whether the packet's ICRC is correct. */
  judgeIcrc(bytes: Uint8Array, located: LocatedRoce, policy: IcrcPolicy): Cnp['icrc'] {
    requireRecord('located', located);
    const { ipOffset, endOffset } = located;
    requirePlace(bytes, ipOffset, endOffset);
    requireBytes('packet', bytes, ipOffset, endOffset - ipOffset);
    return Icrc.isRight(bytes.subarray(ipOffset, endOffset), policy) ? 'right' : 'wrong';
  },
} as const;

/** Options for reading a frame. */
export interface ReadOptions {
  /** Default `none`: the bytes start with the IP header. */
  readonly link?: LinkKind;
  /** Offset of the frame; default 0. */
  readonly offset?: number;
}

/** @throws RoceError `invalid-packet` unless the BTH is a CNP's and the rest of the packet is complete. */
export function requireCnp(layer: string, bytes: Uint8Array, { bth, payloadOffset, endOffset }: LocatedRoce): void {
  if (bth.opcode !== Bth.OPCODE_CNP) {
    throw invalidPacket(layer, payloadOffset, 'has another opcode', bth.opcode, Bth.OPCODE_CNP);
  }
  requireBytes(layer, bytes, payloadOffset, Cnp.RESERVED_BYTES + Icrc.lenBytes, endOffset);
  requireBytes(layer, bytes, payloadOffset, endOffset - payloadOffset);
}

/** The frame of a CNP. */
function frameOf(fields: CnpFields): RoceFrame {
  const { destQpn, pKey, becn, fecn, ...rest } = { ...cnpDefaults, ...fields };
  const bth = { opcode: Bth.OPCODE_CNP, destQpn, pKey, becn, fecn };
  const payload = new Uint8Array(Cnp.RESERVED_BYTES);
  return { ...rest, bth, payload, destinationOptions: new Uint8Array(0), icrcPolicy: 'literal' };
}
