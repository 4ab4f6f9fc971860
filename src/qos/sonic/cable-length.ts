/**
 * CABLE_LENGTH: the length of a port's cable, `300m`; `0m` and `None` mean that there is none.
 *
 * buffermgrd names the profiles that it makes by speed and cable, `pg_lossless_100000_300m_profile`: without CABLE_LENGTH the
 * name is the next best source. Source: sonic-swss, cfgmgr/buffermgr.cpp; sonic-cable-length.yang.
 */
import { CABLE_MAX_M } from '../../analysis/port-headroom.js';
import { rejectField, textOf, type SonicTables } from './tables.js';

/** The length of a port's cable. */
export interface CableLength {
  /** Metres, above 0. */
  readonly metres: number;
  /** As SONiC writes it: `300m`. */
  readonly text: string;
}

const LENGTH_PATTERN = /^(\d{1,6})m$/;
const PROFILE_PATTERN = /^pg_lossless_(\d{1,7})_(\d{1,6})m_(?:.*_)?profile$/;

/**
 * A port's cable in CABLE_LENGTH, whose lists (`AZURE`) have a field per port; null: none is given.
 * @throws RoceError `invalid-settings` for what is no length.
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

/** The cable in the name of a profile that buffermgrd makes; null: it is another name. */
export function cableOfProfile(name: string): CableLength | null {
  const metres = Number(PROFILE_PATTERN.exec(name)?.[2] ?? NaN);
  return metres >= 1 && metres <= CABLE_MAX_M ? { metres, text: `${metres}m` } : null;
}

/** Whether buffermgrd makes profiles of this name. */
export function isMadeAtRunTime(name: string): boolean {
  return PROFILE_PATTERN.test(name);
}

/** The name that buffermgrd gives to the profile of a port. */
export function profileOfPort(speedMbps: number, { text }: CableLength): string {
  return `pg_lossless_${speedMbps}_${text}_profile`;
}
