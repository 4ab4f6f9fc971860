/**
 * Settings for reading packets of MRC and Ultra Ethernet, with defaults filled in; docs/reference/sources.md gives the
 * reasons.
 */
import { requireChoice, requireField, requireRecord } from '../wire/bytes.js';
import { UdpPort } from '../wire/ip/udp.js';
import { type MrcDscpMap, type MrcDscps, mrcDscpMap, type MrcEvOrder } from '../wire/mrc/ip-fields.js';
import type { MrcEethPlace } from '../wire/mrc/response-headers.js';
import { UET_PORT } from '../wire/uet/codes.js';

/** Options for reading MRC packets. */
export interface MrcOptions {
  /** An additional UDP destination port of MRC, 1..65535; 4791 and 4971 are always read. */
  readonly port?: number;
  /** DSCPs of the network that differ from `MRC_DSCPS`. */
  readonly dscps?: Partial<MrcDscps>;
  /** Which field holds the upper half of an entropy value; default `flow-label-high`. */
  readonly evOrder?: MrcEvOrder;
  /** Where an endpoint response holds its operation; default `bits-3-2`. */
  readonly eethPlace?: MrcEethPlace;
}

/** `MrcOptions` with defaults filled in, validated. */
export interface MrcSettings {
  /** UDP destination ports of MRC packets. */
  readonly ports: readonly number[];
  /** Names of the DSCPs, by number. */
  readonly dscps: MrcDscpMap;
  /** Which field holds the upper half of an entropy value. */
  readonly evOrder: MrcEvOrder;
  /** Where an endpoint response holds its operation. */
  readonly eethPlace: MrcEethPlace;
}

/** Checks options and fills in the defaults. @throws RoceError `invalid-argument` naming the option. */
export function mrcSettings(options: MrcOptions = {}): MrcSettings {
  requireRecord('mrc', options);
  const { port = UdpPort.MRC, evOrder = 'flow-label-high', eethPlace = 'bits-3-2' } = options;
  requireField('mrc.port', port, 0xffff, 1);
  requireChoice('mrc.evOrder', evOrder, ['flow-label-high', 'source-port-high']);
  requireChoice('mrc.eethPlace', eethPlace, ['bits-3-2', 'bits-5-4']);
  const ports = [...new Set([UdpPort.ROCE_V2, UdpPort.MRC, port])];
  return { ports, dscps: mrcDscpMap(options.dscps), evOrder, eethPlace };
}

/** Options for reading Ultra Ethernet packets. */
export interface UetOptions {
  /** An additional UDP destination port of Ultra Ethernet, 1..65535; 4793 is always read. */
  readonly port?: number;
  /** IP protocol of Ultra Ethernet without UDP, 1..255; default: none is read, since no number is assigned. */
  readonly ipProtocol?: number;
  /** DSCPs of the network that differ from `MRC_DSCPS`, whose names Ultra Ethernet shares. */
  readonly dscps?: Partial<MrcDscps>;
}

/** `UetOptions` with defaults filled in, validated. */
export interface UetSettings {
  /** UDP destination ports of Ultra Ethernet. */
  readonly ports: readonly number[];
  /** IP protocol of Ultra Ethernet without UDP; -1 if it is not read. */
  readonly ipProtocol: number;
  /** Names of the DSCPs, by number. */
  readonly dscps: MrcDscpMap;
}

/** Checks options and fills in the defaults. @throws RoceError `invalid-argument` naming the option. */
export function uetSettings(options: UetOptions = {}): UetSettings {
  requireRecord('uet', options);
  const { port = UET_PORT, ipProtocol } = options;
  requireField('uet.port', port, 0xffff, 1);
  if (ipProtocol !== undefined) requireField('uet.ipProtocol', ipProtocol, 0xff, 1);
  return { ports: [...new Set([UET_PORT, port])], ipProtocol: ipProtocol ?? -1, dscps: mrcDscpMap(options.dscps) };
}
