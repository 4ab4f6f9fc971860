/** Settings for reading MRC packets, with defaults filled in; docs/reference/sources.md gives the reasons. */
import { UdpPort } from '../wire/ip/udp.js';
import { requireChoice, requireField, requireRecord } from '../wire/bytes.js';
import { type MrcDscpMap, type MrcDscps, mrcDscpMap, type MrcEvOrder } from '../wire/mrc/ip-fields.js';
import type { MrcEethPlace } from '../wire/mrc/response-headers.js';

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
