/** Options of `roce-cc headroom` and `roce-cc plan`, as commander gives them. */
import type { NetworkProfileName } from '../../qos/index.js';

export interface HeadroomFlags {
  readonly rate: number;
  readonly delay?: number;
  readonly cable?: number;
  readonly mtu: number;
  readonly kmax?: number;
  readonly xoff?: number;
  readonly controlLoop: number;
  readonly json?: boolean;
}

export interface PlanFlags {
  readonly rate: number;
  readonly delay: number;
  readonly controlLoop: number;
  readonly profile: NetworkProfileName;
  readonly flows: number;
  readonly ports: number;
  readonly path?: number;
  readonly json?: string | true;
}
