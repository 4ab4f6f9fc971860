/** What a custom congestion point says of itself, apart from its code: parameters and states. */
import type { ParameterDeclarations, StateDeclaration } from '../algorithms/custom/declaration.js';

/** Settings of a switch in the scenario, on which defaults of parameters may depend. */
export interface SettingsOfSwitch {
  /** `switches.ecn.markAt` */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Whether `switches.fastCnp` is enabled at the switch. */
  readonly fastCnp: boolean;
  /** Limits of `switches.fastCnp`. */
  readonly flowRatePerSecond: number;
  /** Fast CNPs of one flow at once. */
  readonly flowBurst: number;
  /** Fast CNPs of one port per second. */
  readonly portRatePerSecond: number;
  /** Fast CNPs of one port at once. */
  readonly portBurst: number;
  /** Whether packets are marked while Fast CNPs are limited. */
  readonly markWhenLimited: boolean;
}

/** The declaration of a custom congestion point, as `defineCongestionPoint` takes it next to the code. */
export interface CongestionPointDeclaration {
  /** Lower-case letters, digits and hyphens, at most 32. */
  readonly name: string;
  /** As people write it. Default: the name. */
  readonly title?: string;
  /** Paper, draft or document that it follows. */
  readonly source?: string;
  /** At most 34. */
  readonly parameters?: ParameterDeclarations<SettingsOfSwitch>;
  /** Of each queue, which is a port and a class: at most 128 numbers. */
  readonly state?: StateDeclaration;
  /** Of each port: at most 128 numbers. */
  readonly portState?: StateDeclaration;
  /** Of each flow at each switch: at most 128 numbers, in memory for all flows. */
  readonly flowState?: StateDeclaration;
}
