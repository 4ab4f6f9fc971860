/**
 * The cable of a port and the headroom that it needs: whether xoff of a profile holds the data that arrives after a pause, as calculated by `roce-cc headroom`, and
 * whether it is reserved: by `size`, or by the shared headroom pool (xoff of BUFFER_POOL, or over_subscribe_ratio).
 *
 * An xoff below the cable's round-trip data loses packets; one below the limits of the standards may lose them.
 *
 * CABLE_LENGTH is a length such as `300m`; `0m` and `None` mean no cable. buffermgrd names the profiles that it makes by speed
 * and cable, `pg_lossless_100000_300m_profile`, so this name is used if CABLE_LENGTH is missing. Source: sonic-swss,
 * cfgmgr/buffermgr.cpp; sonic-cable-length.yang.
 */
import { CABLE_DELAY_PS_PER_M, portHeadroom, CABLE_MAX_M } from '../../analysis/headroom.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';
import { rejectField, textOf, type SonicTables } from './tables.js';

/** A profile with a headroom, and its pool. */
export interface ProfileHeadroom {
  /** Table and key: `BUFFER_PROFILE|pg_lossless_100000_300m_profile`. */
  readonly place: string;
  /** Headroom, bytes, above 0. */
  readonly xoffBytes: number;
  /** Reserved buffer of the group, bytes. */
  readonly sizeBytes: number;
  /** xoff of the pool, bytes; null if it has none. */
  readonly poolXoffBytes: number | null;
  /** Table and key of the pool: `BUFFER_POOL|ingress_lossless_pool`. */
  readonly poolPlace: string;
}

/** The link of a port. */
export interface PortLink {
  /** Rate, bits per second. */
  readonly rateBps: number;
  readonly cable: CableLength;
}

/** Compares xoff with the headroom of the link. */
export function checkLinkHeadroom({ place, xoffBytes }: ProfileHeadroom, link: PortLink): SonicFinding[] {
  const { rateBps, cable } = link;
  const { terms, totalBytes } = portHeadroom({ rateBps, linkDelayPs: cable.metres * CABLE_DELAY_PS_PER_M });
  if (xoffBytes >= totalBytes) return [];
  const cableBytes = terms.find(({ name }) => name === 'cable')?.bytes ?? 0;
  const figures = {
    place,
    xoffBytes,
    rateBps,
    cableMetres: cable.metres,
    cable: cable.text,
    neededBytes: totalBytes,
  };
  return [
    xoffBytes >= cableBytes ?
      findSonic('headroom-below-limit', figures) :
      findSonic('headroom-below-cable', { ...figures, cableBytes }),
  ];
}

/** Checks that size or a shared headroom pool holds xoff. */
export function checkReserve({ place, xoffBytes, sizeBytes, poolXoffBytes, poolPlace }: ProfileHeadroom,
  isOversubscribed: boolean): SonicFinding[] {
  const isShared = isOversubscribed || (poolXoffBytes ?? 0) > 0;
  if (!isShared && sizeBytes < xoffBytes) {
    return [findSonic('headroom-not-reserved', { place, xoffBytes, sizeBytes, pool: poolPlace })];
  }
  if (poolXoffBytes === null || poolXoffBytes === 0 || poolXoffBytes >= xoffBytes) return [];
  return [findSonic('headroom-pool-too-small', { place, xoffBytes, pool: poolPlace, poolXoffBytes })];
}

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
