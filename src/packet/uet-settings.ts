/** Settings for reading Ultra Ethernet packets, with defaults filled in. */
import { requireField, requireRecord } from '../wire/bytes.js';
import { type MrcDscpMap, type MrcDscps, mrcDscpMap } from '../wire/mrc/ip-fields.js';
import { UET_PORT } from '../wire/uet/codes.js';

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
