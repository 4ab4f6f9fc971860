/** Hops of a path, and where their settings are from. */
import type { LintRule, NetworkProfileName, NodeQos, QosIntent, SonicPort } from '../../qos/index.js';
import type { LintNote } from './notes.js';

/** A setting of a host behind a finding. */
export interface HostSetting {
  readonly name: string;
  /** With its value and place: `ROCE_CC_PRIO_MASK_P1 = 0, line 12`. */
  readonly found: string;
}

/** Whose names a hop's settings have. */
export interface HopSource {
  readonly vendor: 'sonic' | 'nvidia' | null;
  /** The setting behind a rule, where it is another one than the vendor's usual one. */
  readonly settings?: Readonly<Partial<Record<LintRule, HostSetting>>>;
  /** Rules that the settings of a host say too little for. */
  readonly notTold?: readonly LintRule[];
  /** Of a switch that SONiC runs on: its two ports. */
  readonly ports?: Readonly<Record<'upstream' | 'downstream', SonicPort>>;
}

/** A path, and where its hops are from. */
export interface LoadedPath {
  readonly profile: NetworkProfileName | undefined;
  readonly intent: QosIntent | undefined;
  readonly hops: readonly NodeQos[];
  readonly sources: readonly HopSource[];
  /** The hop and the rules to report; absent: all. */
  readonly only?: { readonly hop: string; readonly rules: readonly LintRule[] | undefined };
  readonly notes: readonly LintNote[];
  readonly warnings: readonly LintNote[];
}

/** One hop, and where it is from. */
export interface LoadedHop {
  readonly node: NodeQos;
  readonly source: HopSource;
  readonly notes: readonly LintNote[];
  readonly warnings: readonly LintNote[];
}
