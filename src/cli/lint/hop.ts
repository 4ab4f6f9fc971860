/** Hops of a path, with the source of their settings. */
import type { LintRule, NetworkProfileName, NodeQos, QosIntent, SonicPort } from '../../qos/index.js';
import type { LintNote } from './notes.js';

/** The host setting that caused a finding. */
export interface HostSetting {
  readonly name: string;
  /** The setting with its value and location: `ROCE_CC_PRIO_MASK_P1 = 0, line 12`. */
  readonly found: string;
}

/** The vendor whose names a hop's settings have, and what is known from its files. */
export interface HopSource {
  readonly vendor: 'sonic' | 'nvidia' | null;
  /** Settings that violate a rule, if not those that the vendor normally uses for it. */
  readonly settings?: Readonly<Partial<Record<LintRule, HostSetting>>>;
  /** Rules that can't be checked because the host's settings lack information. */
  readonly notTold?: readonly LintRule[];
  /** The two ports, for a SONiC switch. */
  readonly ports?: Readonly<Record<'upstream' | 'downstream', SonicPort>>;
}

/** A path, with the source of each hop's settings. */
export interface LoadedPath {
  readonly profile: NetworkProfileName | undefined;
  readonly intent: QosIntent | undefined;
  readonly hops: readonly NodeQos[];
  readonly sources: readonly HopSource[];
  /** Reports only this hop and these rules; absent: everything. */
  readonly only?: { readonly hop: string; readonly rules: readonly LintRule[] | undefined };
  readonly notes: readonly LintNote[];
  readonly warnings: readonly LintNote[];
}

/** One hop, with the source of its settings. */
export interface LoadedHop {
  readonly node: NodeQos;
  readonly source: HopSource;
  readonly notes: readonly LintNote[];
  readonly warnings: readonly LintNote[];
}
