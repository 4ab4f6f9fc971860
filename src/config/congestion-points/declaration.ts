/** The declaration of a custom congestion point: parameters and states. */
import type { ParameterDeclarations, StateDeclaration } from '../algorithms/custom/declaration.js';

/** Settings of a switch in the scenario that defaults of parameters may depend on. */
export interface SettingsOfSwitch {
  /** Value of `switches.ecn.markAt`. */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Whether `switches.fastCnp` is enabled at the switch. */
  readonly fastCnp: boolean;
  /** Rate limit of Fast CNPs per flow, per second. */
  readonly flowRatePerSecond: number;
  /** Fast CNPs that one flow may cause in a burst. */
  readonly flowBurst: number;
  /** Rate limit of Fast CNPs per port, per second. */
  readonly portRatePerSecond: number;
  /** Fast CNPs that one port may cause in a burst. */
  readonly portBurst: number;
  /** Whether a packet is CE-marked if a rate limit suppresses its Fast CNP. */
  readonly markWhenLimited: boolean;
}

/** The declaration of a custom congestion point, which `defineCongestionPoint` takes together with the code. */
export interface CongestionPointDeclaration {
  /** At most 32 lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Display name. Default: the name. */
  readonly title?: string;
  /** Paper, draft or document that defines it. */
  readonly source?: string;
  /** Parameters by name, at most 34. */
  readonly parameters?: ParameterDeclarations<SettingsOfSwitch>;
  /** State of each queue, which is a port and a class: at most 128 numbers. */
  readonly state?: StateDeclaration;
  /** State of each port: at most 128 numbers. */
  readonly portState?: StateDeclaration;
  /** State of each flow at each switch: at most 128 numbers, allocated for all flows. */
  readonly flowState?: StateDeclaration;
}
