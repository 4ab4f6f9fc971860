/** Faults of links, switches and planes that are down for a while, as plain data; part of spec.ts. */

/** When it goes down and comes up. */
interface Outage {
  /** Begin, microseconds. */
  readonly fromUs: number;
  /** End, microseconds. */
  readonly toUs: number;
}

/** A link is down for a while. */
export interface LinkDownSpec extends Outage {
  /** A link. */
  readonly kind: 'link-down';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
}

/** Under `standard`: all links of a switch, or of a host's adapter, are down for a while. */
export interface SwitchDownSpec extends Outage {
  /** A switch. */
  readonly kind: 'switch-down';
  /** Name of the switch. */
  readonly node: string;
}

/** Under `standard`: all links of a plane's switches are down for a while. */
export interface PlaneDownSpec extends Outage {
  /** A plane. */
  readonly kind: 'plane-down';
  /** Number of the plane, from 0. */
  readonly plane: number;
}
