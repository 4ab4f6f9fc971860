/** Options of `roce-cc headroom` and `roce-cc plan`, as commander gives them. */
import type { NetworkProfileName } from '../../qos/index.js';

/** Inputs of a port's headroom, for both commands. */
export interface PortFlags {
  readonly mtu: number;
  readonly interfaceDelay?: number;
  readonly responseDelay?: number;
  readonly cell?: number;
}

export interface HeadroomFlags extends PortFlags {
  readonly rate: number;
  readonly delay?: number;
  readonly cable?: number;
  readonly kmax?: number;
  readonly xoff?: number;
  readonly controlLoop: number;
  readonly json?: boolean;
}

export interface PlanFlags extends PortFlags {
  readonly rate: number;
  readonly delay?: number;
  readonly cable?: number;
  readonly controlLoop: number;
  readonly profile: NetworkProfileName;
  readonly flows: number;
  readonly ports: number;
  readonly path?: number;
  readonly json?: string | true;
}
