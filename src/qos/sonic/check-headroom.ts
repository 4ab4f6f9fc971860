/**
 * Whether xoff of a profile holds what arrives after a pause, by the same calculation as `roce-cc headroom`, and whether
 * anything reserves it: `size`, or the shared headroom pool (xoff of BUFFER_POOL, or over_subscribe_ratio).
 *
 * Below what the cable alone holds both ways packets are lost; below the limits of the standards they may be.
 */
import { CABLE_DELAY_PS_PER_M, portHeadroom } from '../../analysis/port-headroom.js';
import { number } from '../../error-text.js';
import type { CableLength } from './cable-length.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';

/** A profile with a headroom, and where it is used. */
export interface ProfileHeadroom {
  /** `BUFFER_PROFILE|pg_lossless_100000_300m_profile`. */
  readonly place: string;
  /** Headroom, bytes, above 0. */
  readonly xoffBytes: number;
  /** Reserve of the group, bytes. */
  readonly sizeBytes: number;
  /** xoff of the pool, bytes; null: it has none. */
  readonly poolXoffBytes: number | null;
  /** `BUFFER_POOL|ingress_lossless_pool`. */
  readonly poolPlace: string;
}

/** The link of a port. */
export interface PortLink {
  /** Bits per second. */
  readonly rateBps: number;
  readonly cable: CableLength;
}

const BPS_PER_GBPS = 1e9;

/** Compares xoff with the headroom of the link. */
export function checkLinkHeadroom({ place, xoffBytes }: ProfileHeadroom, link: PortLink): SonicFinding[] {
  const { rateBps, cable } = link;
  const { terms, totalBytes } = portHeadroom({ rateBps, linkDelayPs: cable.metres * CABLE_DELAY_PS_PER_M });
  if (xoffBytes >= totalBytes) return [];
  const cableBytes = terms.find(({ name }) => name === 'cable')?.bytes ?? 0;
  const gbps = rateBps / BPS_PER_GBPS;
  const facts = {
    got: `xoff ${number(xoffBytes)} bytes`,
    expected: `at least ${number(totalBytes)} bytes, as "roce-cc headroom --rate ${gbps}G --cable ${cable.metres}"`,
  };
  const of = `${place} xoff holds ${number(xoffBytes)} bytes, but at ${gbps} Gb/s`;
  if (xoffBytes >= cableBytes) {
    const message = `${of} and ${cable.text} up to ${number(totalBytes)} bytes may arrive after a pause was sent`;
    return [findSonic('headroom-below-limit', { message, ...facts })];
  }
  const message = `${of} a cable of ${cable.text} alone brings ${number(cableBytes)} bytes after a pause was sent`;
  return [findSonic('headroom-below-cable', { message, ...facts })];
}

/** Checks that size or a shared headroom pool holds xoff. */
export function checkReserve({ place, xoffBytes, sizeBytes, poolXoffBytes, poolPlace }: ProfileHeadroom,
  isOversubscribed: boolean): SonicFinding[] {
  const isShared = isOversubscribed || (poolXoffBytes ?? 0) > 0;
  if (!isShared && sizeBytes < xoffBytes) {
    return [findSonic('headroom-not-reserved', {
      message: `${place} has xoff ${number(xoffBytes)} bytes, but neither size nor a shared headroom pool holds them`,
      got: `size ${number(sizeBytes)} bytes, no xoff of ${poolPlace}`,
      expected: `size of at least ${number(xoffBytes)} bytes, or a shared headroom pool`,
    })];
  }
  if (poolXoffBytes === null || poolXoffBytes === 0 || poolXoffBytes >= xoffBytes) return [];
  return [findSonic('headroom-pool-too-small', {
    message: `the shared headroom pool of ${poolPlace} is smaller than the headroom of one priority group`,
    got: `xoff ${number(poolXoffBytes)} bytes`,
    expected: `at least ${number(xoffBytes)} bytes, xoff of ${place}`,
  })];
}
