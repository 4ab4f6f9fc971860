/**
 * CABLE_LENGTH: the length of a port's cable, such as `300m`; `0m` and `None` mean no cable.
 *
 * buffermgrd names the profiles that it makes by speed and cable, `pg_lossless_100000_300m_profile`, so this name is
 * used if CABLE_LENGTH is missing. Source: sonic-swss, cfgmgr/buffermgr.cpp; sonic-cable-length.yang.
 */
import { CABLE_MAX_M } from '../../analysis/port-headroom.js';
import { rejectField, textOf, type SonicTables } from './tables.js';

/** The length of a port's cable. */
export interface CableLength {
  /** Length in metres, above 0. */
  readonly metres: number;
  /** Length as SONiC writes it: `300m`. */
  readonly text: string;
}

const LENGTH_PATTERN = /^(\d{1,6})m$/;
const PROFILE_PATTERN = /^pg_lossless_(\d{1,7})_(\d{1,6})m_(?:.*_)?profile$/;

/**
 * Reads the cable length of a port from CABLE_LENGTH, whose lists (`AZURE`) have a field per port; null if there is
 * none.
 * @throws RoceError `invalid-settings` if the field is not a length.
 */
export function cableLengthOf(tables: SonicTables, port: string): CableLength | null {
  const entry = tables.entries('CABLE_LENGTH').find(([, { fields }]) => Object.hasOwn(fields, port))?.[1];
  if (entry === undefined) return null;
  const text = textOf(entry, port)?.trim() ?? '';
  if (text === 'None' || text === '') return null;
  const metres = Number(LENGTH_PATTERN.exec(text)?.[1] ?? NaN);
  if (!(metres <= CABLE_MAX_M)) return rejectField(entry, port, `a length up to ${CABLE_MAX_M}m, such as 300m`);
  return metres === 0 ? null : { metres, text };
}

/** Reads the cable length from the name of a profile made by buffermgrd; null for other names. */
export function cableOfProfile(name: string): CableLength | null {
  const metres = Number(PROFILE_PATTERN.exec(name)?.[2] ?? NaN);
  return metres >= 1 && metres <= CABLE_MAX_M ? { metres, text: `${metres}m` } : null;
}

/** Whether a profile with this name is made by buffermgrd at run time. */
export function isMadeAtRunTime(name: string): boolean {
  return PROFILE_PATTERN.test(name);
}

/** The name that buffermgrd gives to a port's profile. */
export function profileOfPort(speedMbps: number, { text }: CableLength): string {
  return `pg_lossless_${speedMbps}_${text}_profile`;
}
