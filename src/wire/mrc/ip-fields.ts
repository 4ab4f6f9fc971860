/**
 * What MRC puts into the IP and UDP headers (OCP MRC 1.0; docs/specs/mrc-formats.md): DSCPs (section 2.14), entropy
 * values (2.3) and source routes of uSIDs (2.16).
 *
 * The specification names six DSCPs and leaves their numbers to the operator. They identify trimmed packets: a switch
 * that trims a packet rewrites the DSCP in the outermost IP header.
 *
 * An entropy value has 32 bits, which choose the packet's path: over IPv6 the low 16 bits of the flow label and the UDP
 * source port; over IPv4 the source port only, and the other half is 0. Published sources differ in which half is which
 * (`MrcEvOrder`). The four upper bits of the flow label are not part of it.
 *
 * A uSID carrier is an IPv6 address that holds a source route of micro segments (RFC 9800, NEXT-CSID; format F3216).
 * The switch of the active uSID shifts the 96 bits after the block left by 16 (`UsidCarrier.shift`).
 *
 *   bits 127..96 block | 95..80 active uSID | 79..64 next | … | 15..0 sixth; 0 ends the list
 */
import { invalidArgument, requireField, requireRecord, requireChoice, readU16, requireLength, requireList,
  writeU16 } from '../bytes.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';

/** Name of one of MRC's DSCPs, as the specification spells it. */
export type MrcDscpName = 'CONTROL' | 'NO_TRIM' | 'TRIMMABLE' | 'TRIMMABLE_RETX' | 'TRIMMED' | 'TRIMMED_LASTHOP';

/** Number of each DSCP, 0..63; `none` if the network does not use it. */
export interface MrcDscps {
  /** Acknowledgements and responses; default 46. */
  readonly control: number | 'none';
  /** Data that no switch may trim; default 0. */
  readonly noTrim: number | 'none';
  /** Data and probes; default 4. */
  readonly trimmable: number | 'none';
  /** Retransmissions; default 8. */
  readonly trimmableRetx: number | 'none';
  /** Set by a switch that trims; default 12. */
  readonly trimmed: number | 'none';
  /** Set by the last switch if it trims; default 16. */
  readonly trimmedLastHop: number | 'none';
}

/** The numbers in the published emulator of MRC; each network chooses its own. */
export const MRC_DSCPS: MrcDscps = {
  control: 46,
  noTrim: 0,
  trimmable: 4,
  trimmableRetx: 8,
  trimmed: 12,
  trimmedLastHop: 16,
};

const DSCP_NAMES: Readonly<Record<keyof MrcDscps, MrcDscpName>> = {
  control: 'CONTROL',
  noTrim: 'NO_TRIM',
  trimmable: 'TRIMMABLE',
  trimmableRetx: 'TRIMMABLE_RETX',
  trimmed: 'TRIMMED',
  trimmedLastHop: 'TRIMMED_LASTHOP',
};
const DSCP_MAX = 63;

/** The name of each DSCP in use; packets with other DSCPs have no MRC class. */
export type MrcDscpMap = ReadonlyMap<number, MrcDscpName>;

/**
 * The names of DSCPs, by number.
 *
 * @param dscps those that differ from `MRC_DSCPS`.
 * @throws RoceError `invalid-argument` for a number beyond 0..63, or one assigned to two names.
 */
export function mrcDscpMap(dscps: Partial<MrcDscps> = {}): MrcDscpMap {
  requireRecord('dscps', dscps);
  const map = new Map<number, MrcDscpName>();
  for (const key of Object.keys(dscps)) {
    if (!Object.hasOwn(DSCP_NAMES, key)) throw invalidArgument('dscps', key, Object.keys(DSCP_NAMES), 'name of a DSCP');
  }
  for (const [key, name] of Object.entries(DSCP_NAMES) as [keyof MrcDscps, MrcDscpName][]) {
    const dscp = dscps[key] ?? MRC_DSCPS[key];
    if (dscp === 'none') continue;
    requireField(`dscps.${key}`, dscp, DSCP_MAX);
    const other = map.get(dscp);
    if (other !== undefined) throw invalidArgument(`dscps.${key}`, dscp, `a DSCP other than that of ${other}`);
    map.set(dscp, name);
  }
  return map;
}

/** Which field holds the upper half of an entropy value: the flow label (default), or the source port. */
export type MrcEvOrder = 'flow-label-high' | 'source-port-high';

/** The fields of a packet that carry its entropy value. */
export interface MrcEntropyFields {
  /** Low 16 bits of the flow label; the upper four are 0. */
  readonly flowLabel: number;
  /** UDP source port. */
  readonly sourcePort: number;
}

const HALF_MASK = 0xffff;
const FLOW_LABEL_MAX = 0xfffff;
const ENTROPY_ORDERS = ['flow-label-high', 'source-port-high'] as const;

/**
 * The entropy value of a packet, 0..2^32 − 1.
 *
 * @param flowLabel 20 bits, of which the upper four are ignored; 0 for IPv4.
 * @param sourcePort UDP source port.
 */
export function mrcEntropy(flowLabel: number, sourcePort: number, order: MrcEvOrder = 'flow-label-high'): number {
  requireField('flowLabel', flowLabel, FLOW_LABEL_MAX);
  requireField('sourcePort', sourcePort, HALF_MASK);
  requireChoice('order', order, ENTROPY_ORDERS);
  const half = flowLabel & HALF_MASK;
  const [high, low] = order === 'flow-label-high' ? [half, sourcePort] : [sourcePort, half];
  return ((high << 16) | low) >>> 0;
}

/** The fields that carry an entropy value over IPv6; the inverse of `mrcEntropy`. */
export function mrcEntropyFields(entropy: number, order: MrcEvOrder = 'flow-label-high'): MrcEntropyFields {
  requireField('entropy', entropy, 0xffffffff);
  requireChoice('order', order, ENTROPY_ORDERS);
  const [high, low] = [entropy >>> 16, entropy & HALF_MASK];
  return order === 'flow-label-high' ?
    { flowLabel: high, sourcePort: low } :
    { flowLabel: low, sourcePort: high };
}

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
