/** The QoS settings of a switch's ports from a SONiC configuration, in this library's terms. */
import type { LintRule } from '../lint-rules.js';
import type { QosNote } from '../notes.js';
import type { PortQos } from '../qos-map.js';
import type { LintFacts } from '../lint-sentences.js';
import type { SonicFinding } from './sonic-rules.js';

/** The watchdog of PFC storms of a port (table PFC_WD). */
export interface SonicWatchdog {
  /** Pause time after which a queue counts as in a storm, milliseconds. */
  readonly detectionMs: number;
  /** Time without pauses after which the storm is over, milliseconds; null: not given. */
  readonly restorationMs: number | null;
  /** Treatment of the queue's packets meanwhile. */
  readonly action: 'drop' | 'forward' | 'alert';
}

/** One setting of a port, as SONiC names it. */
export interface SonicSetting {
  /** Table, or table and key, and field: `WRED_PROFILE|AZURE_LOSSLESS green_min_threshold, queue 3`. */
  readonly name: string;
  /** As in the file, or derived from several entries. */
  readonly value: string;
}

/** Why a rule of the linter finds what it finds, in SONiC's names. */
export interface SonicReason extends LintFacts {
  /** The rule. */
  readonly rule: 'ecn-off' | 'pause-without-buffer';
  /** The queue (`ecn-off`) or priority group (`pause-without-buffer`). */
  readonly index: number;
  /** Where the facts are from. */
  readonly source: string;
}

/** One port of the switch. */
export interface SonicPort {
  /** Name of the port: `Ethernet0`. */
  readonly name: string;
  /** Its rate, bits per second; null: not in the file. */
  readonly rateBps: number | null;
  /** Its settings. */
  readonly qos: PortQos;
  /** Its watchdog; null: none. */
  readonly watchdog: SonicWatchdog | null;
  /** Linter rules that can't be checked: buffers that the switch computes at run time. */
  readonly notTold: readonly LintRule[];
  /** The same under SONiC's names. */
  readonly settings: readonly SonicSetting[];
  /** Assumptions where the file has no setting. */
  readonly notes: readonly QosNote[];
  /** Faults that SONiC's tables alone show. */
  readonly findings: readonly SonicFinding[];
  /** Explanations of findings that the linter may have for this port. */
  readonly reasons: readonly SonicReason[];
}

/** A switch, from its config_db.json. */
export interface SonicConfig {
  /** `hostname` of DEVICE_METADATA; otherwise `switch`. */
  readonly name: string;
  /** All ports that have QoS settings, in the order of the file; none without QoS tables. */
  readonly ports: readonly SonicPort[];
  /** Faults of the switch as a whole. */
  readonly findings: readonly SonicFinding[];
  /** Assumptions on the file as a whole. */
  readonly notes: readonly QosNote[];
}
