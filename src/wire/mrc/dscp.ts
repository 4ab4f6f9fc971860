/**
 * The six DSCPs of MRC (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.14).
 *
 * The specification names them and leaves their numbers to the operator. The DSCP identifies trimmed packets: a switch
 * that trims a packet rewrites it in the outermost IP header.
 */
import { invalidArgument, requireField, requireRecord } from '../bytes.js';

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

const NAMES: Readonly<Record<keyof MrcDscps, MrcDscpName>> = {
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
    if (!Object.hasOwn(NAMES, key)) throw invalidArgument('dscps', key, Object.keys(NAMES), 'name of a DSCP');
  }
  for (const [key, name] of Object.entries(NAMES) as [keyof MrcDscps, MrcDscpName][]) {
    const dscp = dscps[key] ?? MRC_DSCPS[key];
    if (dscp === 'none') continue;
    requireField(`dscps.${key}`, dscp, DSCP_MAX);
    const other = map.get(dscp);
    if (other !== undefined) throw invalidArgument(`dscps.${key}`, dscp, `a DSCP other than that of ${other}`);
    map.set(dscp, name);
  }
  return map;
}
