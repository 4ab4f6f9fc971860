/**
 * Checks whether xoff of a profile holds the data that arrives after a pause, as calculated by `roce-cc headroom`, and
 * whether it is reserved: by `size`, or by the shared headroom pool (xoff of BUFFER_POOL, or over_subscribe_ratio).
 *
 * An xoff below the cable's round-trip data loses packets; one below the limits of the standards may lose them.
 */
import { CABLE_DELAY_PS_PER_M, portHeadroom } from '../../analysis/port-headroom.js';
import type { CableLength } from './cable-length.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';

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
