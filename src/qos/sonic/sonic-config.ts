/** The QoS settings of a switch's ports from a SONiC configuration, converted to this library's terms. */
import type { LintRule } from '../lint-rules.js';
import type { QosNote } from '../notes.js';
import type { PortQos } from '../qos-map.js';
import type { LintFacts } from '../lint-sentences.js';
import type { SonicFinding } from './sonic-rules.js';

/** The PFC storm watchdog of a port (table PFC_WD). */
export interface SonicWatchdog {
  /** Pause time after which a queue counts as stormed, milliseconds. */
  readonly detectionMs: number;
  /** Time without pauses after which the storm is over, milliseconds; null if it is not set. */
  readonly restorationMs: number | null;
  /** Treatment of the queue's packets during a storm. */
  readonly action: 'drop' | 'forward' | 'alert';
}

/** One setting of a port, as named by SONiC. */
export interface SonicSetting {
  /** Table, or table and key, and field: `WRED_PROFILE|AZURE_LOSSLESS green_min_threshold, queue 3`. */
  readonly name: string;
  /** Value as in the file, or derived from several entries. */
  readonly value: string;
}

/** Explains a linter finding in SONiC's terms. */
export interface SonicReason extends LintFacts {
  /** The rule that is explained. */
  readonly rule: 'ecn-off' | 'pause-without-buffer';
  /** The queue (`ecn-off`) or priority group (`pause-without-buffer`). */
  readonly index: number;
  /** Document or source that the explanation is based on. */
  readonly source: string;
}

/** One port of the switch. */
export interface SonicPort {
  /** Name of the port: `Ethernet0`. */
  readonly name: string;
  /** Rate of the port, bits per second; null if it is not in the file. */
  readonly rateBps: number | null;
  /** QoS settings of the port. */
  readonly qos: PortQos;
  /** PFC storm watchdog of the port; null if there is none. */
  readonly watchdog: SonicWatchdog | null;
  /** Linter rules that cannot be checked, because the switch computes the buffers at run time. */
  readonly notStated: readonly LintRule[];
  /** The port's settings under SONiC's names. */
  readonly settings: readonly SonicSetting[];
  /** Assumptions made for settings missing in the file. */
  readonly notes: readonly QosNote[];
  /** Faults in SONiC's tables that the path linter does not cover. */
  readonly findings: readonly SonicFinding[];
  /** Explanations of findings that the linter may report for this port. */
  readonly reasons: readonly SonicReason[];
}

/** The QoS settings of a switch, from its config_db.json. */
export interface SonicConfig {
  /** `hostname` of DEVICE_METADATA, or `switch` without one. */
  readonly name: string;
  /** All ports that have QoS settings, in the order of the file; empty without QoS tables. */
  readonly ports: readonly SonicPort[];
  /** Faults of the switch as a whole. */
  readonly findings: readonly SonicFinding[];
  /** Assumptions about the file as a whole. */
  readonly notes: readonly QosNote[];
}
