/**
 * Global route header, GRH, in front of the BTH of a RoCEv1 packet (IBTA volume 1, section 8.3; Annex A16).
 *
 *   0 IP version 4 (6), traffic class 8, flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source GID (16) | 24 destination GID (16)
 *
 * The layout is that of IPv6, but the EtherType is RoCE's own, and what follows is a BTH without a UDP header.
 */
import { RoceError } from '../../errors.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { invalidPacket, readU16, readU24, requireField, requireLength, requireBytes, requireTarget, writeU16,
  writeU24 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const GRH_VERSION_CLASS_LABEL = 0;
export const GRH_PAYLOAD_LENGTH = 4;
export const GRH_NEXT_HEADER = 6;
export const GRH_HOP_LIMIT = 7;
export const GRH_SOURCE_GID = 8;
export const GRH_DESTINATION_GID = 24;
export const GRH_BYTES = 40;

/** EtherType in front of a GRH (Annex A16). */
export const ETHERTYPE_ROCE_V1 = 0x8915;
/** The only version (IBTA volume 1, section 8.3). */
export const GRH_IP_VERSION = 6;
/** Next header: a BTH follows. Anything else is a raw packet of another protocol. */
export const GRH_NEXT_HEADER_BTH = 0x1b;
/** Hop limit of what `buildGrh` writes: the specification leaves it open; IPv6 hosts start with 64. */
export const GRH_HOP_LIMIT_DEFAULT = 64;

/** The drawing of docs/wire.md. */
export const GRH_LAYOUT: HeaderLayout = {
  title: 'GRH',
  source: 'IBTA volume 1, section 8.3',
  bytes: GRH_BYTES,
  fields: [
    { name: 'ipVersion', offset: GRH_VERSION_CLASS_LABEL, bits: 4 },
    { name: 'trafficClass', offset: GRH_VERSION_CLASS_LABEL, bit: 4, bits: 8 },
    { name: 'flowLabel', offset: GRH_VERSION_CLASS_LABEL + 1, bit: 4, bits: 20 },
    { name: 'payloadLength', offset: GRH_PAYLOAD_LENGTH, bits: 16 },
    { name: 'nextHeader', offset: GRH_NEXT_HEADER, bits: 8 },
    { name: 'hopLimit', offset: GRH_HOP_LIMIT, bits: 8 },
    { name: 'sourceGid', offset: GRH_SOURCE_GID, bits: 128 },
    { name: 'destinationGid', offset: GRH_DESTINATION_GID, bits: 128 },
  ],
};

const LAYER = 'grh';

/** The global route header, as a value. */
export interface Grh {
  /** Always 6. */
  readonly ipVersion: number;
  /** 8 bits. */
  readonly trafficClass: number;
  /** 20 bits. */
  readonly flowLabel: number;
  /** Bytes behind this header, up to the last of the ICRC. */
  readonly payloadLength: number;
  readonly nextHeader: number;
  readonly hopLimit: number;
  /** 16 bytes. */
  readonly sourceGid: Uint8Array;
  /** 16 bytes. */
  readonly destinationGid: Uint8Array;
}

/** What `buildGrh` needs: a BTH follows, hop limit 64, everything else 0 unless told otherwise. */
export type GrhFields = Pick<Grh, 'payloadLength' | 'sourceGid' | 'destinationGid'> & Partial<Grh>;

/** Reads a GRH in place. */
export class GrhView extends HeaderView {
  get ipVersion(): number {
    return this.bytes[this.offset + GRH_VERSION_CLASS_LABEL] >> 4;
  }
  get trafficClass(): number {
    return (readU16(this.bytes, this.offset + GRH_VERSION_CLASS_LABEL) >> 4) & 0xff;
  }
  get flowLabel(): number {
    return readU24(this.bytes, this.offset + GRH_VERSION_CLASS_LABEL + 1) & 0xfffff;
  }
  get payloadLength(): number {
    return readU16(this.bytes, this.offset + GRH_PAYLOAD_LENGTH);
  }
  get nextHeader(): number {
    return this.bytes[this.offset + GRH_NEXT_HEADER];
  }
  get hopLimit(): number {
    return this.bytes[this.offset + GRH_HOP_LIMIT];
  }
  get sourceGid(): Uint8Array {
    const start = this.offset + GRH_SOURCE_GID;
    return this.bytes.subarray(start, start + IP_ADDRESS_BYTES);
  }
  get destinationGid(): Uint8Array {
    const start = this.offset + GRH_DESTINATION_GID;
    return this.bytes.subarray(start, start + IP_ADDRESS_BYTES);
  }
  get payloadOffset(): number {
    return this.offset + GRH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, GRH_BYTES);
    const version = bytes[offset + GRH_VERSION_CLASS_LABEL] >> 4;
    if (version !== GRH_IP_VERSION) {
      throw invalidPacket(LAYER, offset, 'has another IP version', version, `${GRH_IP_VERSION}`);
    }
  }
}

/**
 * Reads a GRH; the inverse of `buildGrh`. The next header may be any: the caller decides whether a BTH follows.
 * @throws RoceError `invalid-packet`: too short, or another IP version.
 */
export function parseGrh(bytes: Uint8Array, offset = 0): Grh {
  const view = new GrhView(bytes, offset);
  const { ipVersion, trafficClass, flowLabel, payloadLength, nextHeader, hopLimit } = view;
  const sourceGid = view.sourceGid.slice();
  const destinationGid = view.destinationGid.slice();
  return {
    ipVersion,
    trafficClass,
    flowLabel,
    payloadLength,
    nextHeader,
    hopLimit,
    sourceGid,
    destinationGid,
  };
}

/**
 * Writes a GRH: 40 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildGrh(header: GrhFields): Uint8Array {
  const bytes = new Uint8Array(GRH_BYTES);
  buildGrhInto(bytes, 0, header);
  return bytes;
}

/** As `buildGrh`, into `target`. @returns the offset behind the header. */
export function buildGrhInto(target: Uint8Array, offset: number, header: GrhFields): number {
  const { payloadLength, sourceGid, destinationGid, trafficClass = 0, flowLabel = 0 } = header;
  const { nextHeader = GRH_NEXT_HEADER_BTH, hopLimit = GRH_HOP_LIMIT_DEFAULT } = header;
  requireVersion(header.ipVersion);
  requireField('grh.trafficClass', trafficClass, 0xff);
  requireField('grh.flowLabel', flowLabel, 0xfffff);
  requireField('grh.payloadLength', payloadLength, 0xffff);
  requireField('grh.nextHeader', nextHeader, 0xff);
  requireField('grh.hopLimit', hopLimit, 0xff);
  requireLength('grh.sourceGid', sourceGid, IP_ADDRESS_BYTES);
  requireLength('grh.destinationGid', destinationGid, IP_ADDRESS_BYTES);
  requireTarget(LAYER, target, offset, GRH_BYTES);
  target[offset + GRH_VERSION_CLASS_LABEL] = (GRH_IP_VERSION << 4) | (trafficClass >> 4);
  writeU24(target, offset + GRH_VERSION_CLASS_LABEL + 1, ((trafficClass & 15) << 20) | flowLabel);
  writeU16(target, offset + GRH_PAYLOAD_LENGTH, payloadLength);
  target[offset + GRH_NEXT_HEADER] = nextHeader;
  target[offset + GRH_HOP_LIMIT] = hopLimit;
  target.set(sourceGid, offset + GRH_SOURCE_GID);
  target.set(destinationGid, offset + GRH_DESTINATION_GID);
  return offset + GRH_BYTES;
}

function requireVersion(ipVersion: number | undefined): void {
  if (ipVersion === undefined || ipVersion === GRH_IP_VERSION) return;
  const details = { got: ipVersion, allowed: `${GRH_IP_VERSION}`, where: 'grh.ipVersion' };
  throw new RoceError('invalid-argument', 'another IP version', details);
}
